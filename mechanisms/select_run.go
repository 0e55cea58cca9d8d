package mechanisms

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"epsiloscope/mechanisms/param"
)

// The parameters of the mechanism that is run are those of its own declaration, under
// this name; which it is comes first.
const (
	runMapping = "of"
	runPrefix  = runMapping + "."
	runKind    = runPrefix + "mechanism"
)

// The fields of the entry that is run which are no parameters of its mechanism: how often a run
// makes that release, and at which rate it samples.
const (
	RunCount    = runPrefix + "count"
	RunSampling = runPrefix + "sampling.rate"
)

var ownFields = []string{runKind, RunCount, RunSampling}

// runMappings declares the mapping of the entry that is run, with an example.
func runMappings(example string, others ...Mapping) []Mapping {
	return append([]Mapping{{Name: runMapping, Help: "the entry that is run", Example: example, Entry: true}}, others...)
}

// runSpec returns the declaration of a mechanism that runs another one, with the parameters of what
// is run behind the first, which says what that is.
func runSpec(outer, inner *Spec, build func(reader) (Mechanism, error)) *Spec {
	s := *outer
	s.build, s.Params = build, slices.Clone(s.Params[:1])
	s.Params[0].Initial, s.Params[0].Choices = param.ChoiceValue(inner.Name), outer.runnable()
	for _, p := range inner.Params {
		p.Name, p.Alias, p.Inner = runPrefix+p.Name, cmp.Or(p.Alias, p.Name), true
		s.Params = append(s.Params, p)
	}
	s.Params = append(s.Params, outer.Params[1:]...)
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

// runnable returns the mechanisms that can be run.
func (s *Spec) runnable() (kinds []string) {
	if s.inner != nil {
		return s.inner
	}
	for _, other := range catalogue {
		if other.Varies == "" {
			kinds = append(kinds, other.Name)
		}
	}
	return kinds
}

// RunOf returns the mechanism that another one runs, with its values; false if it runs none.
func RunOf(kind string, v param.Values) (run string, values param.Values, ok bool) {
	if s, _ := Lookup(kind); s.Varies == "" {
		return "", nil, false
	}
	values = param.Values{}
	for name, x := range v {
		if inner, is := strings.CutPrefix(name, runPrefix); is && !slices.Contains(ownFields, name) {
			values[inner] = x
		}
	}
	return v[runKind].Text, values, true
}

// WithRun returns a selection's values with others for what it runs.
func WithRun(v, run param.Values) param.Values {
	values := param.Values{}
	for name, x := range v {
		if !strings.HasPrefix(name, runPrefix) || slices.Contains(ownFields, name) {
			values[name] = x
		}
	}
	for name, x := range run {
		values[runPrefix+name] = x
	}
	return values
}

// ofRun names the field of an error as the selection does: under the run's prefix.
func ofRun(err error) error {
	var p *param.Error
	if errors.As(err, &p) && p.Param != "also" { // that is claimed of the whole
		return param.Errorf(runPrefix+p.Param, "%s", p.Problem)
	}
	return err
}
