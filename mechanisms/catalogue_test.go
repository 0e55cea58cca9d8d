package mechanisms

import (
	"regexp"
	"testing"
)

// The order is that of docs/mechanisms.md, which is made from the catalogue.
func TestNamesAreWords(t *testing.T) {
	word := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	for _, name := range Names() {
		if seen[name] || !word.MatchString(name) {
			t.Errorf("%q is taken, or no word of a scenario file", name)
		}
		seen[name] = true
	}
}

// Every declaration must be complete enough for a form: a title, help, a sensible
// first value that passes its own check, and a step where there is a slider.
func TestEveryDeclaration(t *testing.T) {
	for _, spec := range Catalogue() {
		if spec.Title == "" || spec.Summary == "" || spec.Source == "" || spec.build == nil {
			t.Errorf("%s: the declaration is incomplete", spec.Name)
		}
		for _, p := range spec.Params {
			if p.Help == "" {
				t.Errorf("%s.%s has no help", spec.Name, p.Name)
			}
			if problem := p.Check(p.Initial); problem != "" {
				t.Errorf("%s.%s: the initial value %s", spec.Name, p.Name, problem)
			}
			if p.Type.Numeric() && (p.Step <= 0 || p.Log && p.Step <= 1) {
				t.Errorf("%s.%s: step %v is no step", spec.Name, p.Name, p.Step)
			}
			if !p.Required && !p.Optional {
				if problem := p.Check(p.Default); problem != "" {
					t.Errorf("%s.%s: the default %s", spec.Name, p.Name, problem)
				}
			}
		}
		m, err := New(spec.Name, spec.Initials())
		if err != nil {
			t.Errorf("%s: a new entry does not build: %v", spec.Name, err)
			continue
		}
		if m.Kind() != spec.Name {
			t.Errorf("%s builds a %s", spec.Name, m.Kind())
		}
	}
}
