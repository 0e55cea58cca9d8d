package mechanisms

import "maps"

// NumberValue is a real number.
func NumberValue(x float64) Value { return Value{Type: Number, Number: x} }

// WholeValue is a whole number; counts reach 1e12 and beyond, hence float64.
func WholeValue(x float64) Value { return Value{Type: Whole, Number: x} }

// ChoiceValue is one of a few words.
func ChoiceValue(word string) Value { return Value{Type: Choice, Text: word} }

// FlagValue is true or false.
func FlagValue(on bool) Value { return Value{Type: Flag, Flag: on} }

// ScoresValue is a plain list of scores, without names.
func ScoresValue(scores ...float64) Value {
	items := make([]Item, len(scores))
	for i, s := range scores {
		items[i].Value = s
	}
	return Value{Type: Scores, Items: items}
}

// CandidatesValue is a list of named scores.
func CandidatesValue(items ...Item) Value { return Value{Type: Scores, Items: items} }

// PointsValue is a list of Rényi points.
func PointsValue(items ...Item) Value { return Value{Type: Points, Items: items} }

// Has reports whether the parameter was given.
func (v Values) Has(name string) bool { _, ok := v[name]; return ok }

// Clone copies the values; the lists inside are shared.
func (v Values) Clone() Values {
	c := make(Values, len(v))
	maps.Copy(c, v)
	return c
}

// reader hands out checked values with the defaults of a spec filled in.
type reader struct {
	spec   *Spec
	values Values
}

func (r reader) value(name string) Value {
	if v, ok := r.values[name]; ok {
		return v
	}
	if p, ok := r.spec.Param(name); ok {
		return p.Default
	}
	return Value{}
}

func (r reader) number(name string) float64 { return r.value(name).Number }
func (r reader) choice(name string) string  { return r.value(name).Text }
func (r reader) flag(name string) bool      { return r.value(name).Flag }
func (r reader) items(name string) []Item   { return r.value(name).Items }
func (r reader) has(name string) bool       { return r.values.Has(name) }

// Param finds a parameter's declaration by name.
func (s *Spec) Param(name string) (Param, bool) {
	for _, p := range s.Params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// Initials are the values a new entry in an editor starts with: what is required,
// and of every choice that must be made its first set.
func (s *Spec) Initials() Values {
	v := Values{}
	for _, p := range s.Params {
		if p.Required {
			v[p.Name] = p.Initial
		}
	}
	for _, a := range s.Alternatives {
		if a.Optional {
			continue
		}
		for _, name := range a.Sets[0] {
			if p, ok := s.Param(name); ok {
				v[name] = p.Initial
			}
		}
	}
	return v
}
