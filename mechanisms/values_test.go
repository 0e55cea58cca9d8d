package mechanisms

import "testing"

func TestGivenFillsDefaults(t *testing.T) {
	spec, _ := Lookup("exponential")
	v := Values{"epsilon": NumberValue(2)}
	full := spec.Given(v)
	if full["sensitivity"].Number != 1 || full["monotone"].Flag || full["epsilon"].Number != 2 {
		t.Errorf("defaults: %v", full)
	}
	if full.Has("outputs") || full.Has("candidates") {
		t.Errorf("what has no default was filled in: %v", full)
	}
	if len(v) != 1 {
		t.Error("the values given were changed")
	}
}

// A parameter left out and one given at its default are the same mechanism.
func TestDefaultsAreTaken(t *testing.T) {
	for _, spec := range Catalogue() {
		bare, err1 := New(spec.Name, spec.Initials())
		full, err2 := New(spec.Name, spec.Given(spec.Initials()))
		if err1 != nil || err2 != nil {
			t.Fatal(spec.Name, err1, err2)
		}
		a, b := bare.Releases(), full.Releases()
		for i := range a {
			if a[i].Release.Key() != b[i].Release.Key() || a[i].Count != b[i].Count {
				t.Errorf("%s: writing the defaults out changes it", spec.Name)
			}
		}
	}
}
