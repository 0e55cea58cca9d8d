package scenarios

import "epsiloscope/mechanisms"

// ParseValue reads a parameter's value as people type it: an expression such as
// 1/800, a word, or a list as it would stand in a file. The value is of the
// parameter's type and within its range.
func ParseValue(p mechanisms.Param, text string) (mechanisms.Value, error) {
	v, err := parseValue(p, text)
	if err != nil {
		return mechanisms.Value{}, err
	}
	spec := mechanisms.Spec{Params: []mechanisms.Param{p}}
	if found := mechanisms.Check(spec, mechanisms.Values{p.Name: v}); len(found) > 0 {
		return mechanisms.Value{}, found[0]
	}
	return v, nil
}
