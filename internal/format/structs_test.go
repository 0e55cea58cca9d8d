package format

import (
	"reflect"
	"testing"

	"epsiloscope/internal/yamltree"
)

type settings struct {
	Name  string            `yaml:"name"`
	On    bool              `yaml:"on"`
	Mouse *bool             `yaml:"mouse"`
	Size  int               `yaml:"size"`
	Rate  float64           `yaml:"rate"`
	Keys  map[string]string `yaml:"keys"`
	Parts []settings        `yaml:"parts"`
	Raw   *yamltree.Node    `yaml:"raw"`
	own   string
}

func TestUnmarshal(t *testing.T) {
	var got settings
	err := Unmarshal("x.yaml", []byte("name: 12\non: true\nmouse: false\nsize: 3\nrate: 1/4\nkeys: {a: b}\nparts:\n  - {name: y}\n  -\nraw: {z: 1}\n"), &got)
	if err != nil {
		t.Fatal(err)
	}
	if got.Raw == nil || got.Raw.Pairs[0].Key.Text != "z" {
		t.Errorf("raw: %+v", got.Raw)
	}
	off := false
	got.Raw = nil
	want := settings{Name: "12", On: true, Mouse: &off, Size: 3, Rate: 0.25, Keys: map[string]string{"a": "b"},
		Parts: []settings{{Name: "y"}, {}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	if err := Unmarshal("x.yaml", nil, &got); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}

// Whoever writes a file is told of every mistake in it; nothing is guessed.
func TestUnmarshalRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"own: x\n":                        "x.yaml:1:1: own: unknown field; did you mean on?",
		"name: a\nname: b\n":              "x.yaml:2:1: name: is given twice; the first is on line 1",
		"name: [a]\nsize: 1.5\non: yes\n": "x.yaml:1:7: name: must be text, got a list\nx.yaml:2:7: size: must be a whole number, got the number 1.5\nx.yaml:3:5: on: must be true or false, got the text \"yes\"",
		"size: 1e300\n":                   "x.yaml:1:7: size: must be a whole number, got the number 1e300",
		"rate: \"1\"\n":                   "x.yaml:1:7: rate: must be a number, got the text \"1\"",
		"keys: [a]\n":                     "x.yaml:1:7: keys: must be a list of fields, got a list",
		"parts: {}\n":                     "x.yaml:1:8: parts: must be a list, got a mapping",
		"parts: [{on: 1}]\n":              "x.yaml:1:14: parts[1].on: must be true or false, got the number 1",
		"- 1\n":                           "x.yaml:1:1: must be a list of fields, got a list",
		"a: [\n":                          "x.yaml:1:4: \"[\" is never closed by \"]\"",
	} {
		var s settings
		if err := Unmarshal("x.yaml", []byte(text), &s); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
	_ = settings{}.own
}
