package mechanisms

import (
	"errors"
	"strings"

	"epsiloscope/mechanisms/param"
)

// The parameters of the mechanism that is run are those of its own declaration, under
// this name; which it is comes first.
const (
	runPrefix = "of."
	runKind   = "of.mechanism"
)

// selectOf is the declaration with the parameters of what is run.
func selectOf(inner *Spec) *Spec {
	s := selectSpec
	s.Params, s.build = nil, buildSelect
	for _, p := range selectSpec.Params {
		if p.Name == runKind {
			p.Initial, p.Choices = param.ChoiceValue(inner.Name), runnable()
		}
		s.Params = append(s.Params, p)
		if p.Name != runKind {
			continue
		}
		for _, q := range inner.Params {
			if q.Alias == "" {
				q.Alias = q.Name
			}
			q.Name, q.Inner = runPrefix+q.Name, true
			s.Params = append(s.Params, q)
		}
	}
	for _, a := range inner.Alternatives {
		sets := make([][]string, len(a.Sets))
		for i, set := range a.Sets {
			for _, name := range set {
				sets[i] = append(sets[i], runPrefix+name)
			}
		}
		s.Alternatives = append(s.Alternatives, param.Alternative{Sets: sets, Optional: a.Optional})
	}
	if inner.Rate != "" {
		s.Rate = runPrefix + inner.Rate
	}
	return &s
}

// runnable are the mechanisms that can be run: all others.
func runnable() (kinds []string) {
	for _, s := range catalogue {
		if s.Name != selectSpec.Name {
			kinds = append(kinds, s.Name)
		}
	}
	return kinds
}

// RunOf is the mechanism that a selection runs, with its values; false of any other
// mechanism.
func RunOf(kind string, v param.Values) (run string, values param.Values, ok bool) {
	if kind != (Select{}).Kind() {
		return "", nil, false
	}
	values = param.Values{}
	for name, x := range v {
		if inner, is := strings.CutPrefix(name, runPrefix); is {
			values[inner] = x
		}
	}
	for _, own := range []string{"mechanism", "count", "sampling.rate"} {
		delete(values, own)
	}
	return v[runKind].Text, values, true
}

// WithRun is a selection's values with others for what it runs.
func WithRun(v, run param.Values) param.Values {
	values := param.Values{}
	for name, x := range v {
		if !strings.HasPrefix(name, runPrefix) {
			values[name] = x
		}
	}
	for _, own := range []string{runKind, "of.count", "of.sampling.rate"} {
		if x, given := v[own]; given {
			values[own] = x
		}
	}
	for name, x := range run {
		values[runPrefix+name] = x
	}
	return values
}

// ofRun says of what is run that it is about that.
func ofRun(err error) error {
	var p *param.Error
	if errors.As(err, &p) && p.Param != "also" { // that is claimed of the whole
		return param.Errorf(runPrefix+p.Param, "%s", p.Problem)
	}
	return err
}
