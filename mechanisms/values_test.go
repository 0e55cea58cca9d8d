package mechanisms

import "testing"

// A parameter left out and one given at its default are the same mechanism.
func TestDefaultsAreTaken(t *testing.T) {
	for _, spec := range Catalogue() {
		bare, err1 := New(spec.Name, spec.Initials())
		values := spec.Initials()
		for _, p := range spec.Params {
			if !values.Has(p.Name) && !p.Required && !p.Optional {
				values[p.Name] = p.Default
			}
		}
		full, err2 := New(spec.Name, values)
		if err1 != nil || err2 != nil {
			t.Fatal(spec.Name, err1, err2)
		}
		a, b := bare.Releases(1), full.Releases(1)
		for i := range a {
			if a[i].Release.Key() != b[i].Release.Key() || a[i].Count != b[i].Count {
				t.Errorf("%s: writing the defaults out changes it", spec.Name)
			}
		}
	}
}
