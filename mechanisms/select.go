package mechanisms

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Select is the best of a random number of runs of another mechanism: that number stays
// secret, and of the runs only the best is released (Liu, Talwar 2019; Papernot, Steinke
// 2022). It is how parameters of a training are chosen for little more than one run costs.
// A fixed number of runs is no such thing: it is composition.
type Select struct {
	Of           Mechanism
	Count        float64 // how often a run does that; 0 if not said, for once
	Sampling     float64 // at which rate a run samples its records; 0 if it does not
	Distribution Distribution
	Mean         float64 // of the number of runs
	Shape        float64 // η of a negative binomial number
}

// Distribution is the distribution of a number of runs.
type Distribution string

const (
	Logarithmic      Distribution = "logarithmic"       // negative binomial with η = 0
	GeometricRuns    Distribution = "geometric"         // with η = 1
	NegativeBinomial Distribution = "negative-binomial" // with any η above −1
	PoissonRuns      Distribution = "poisson"           // may be none at all
)

func selectSpec() Spec {
	return Spec{
		Name: "select", Title: "Best of runs",
		Summary: "runs another mechanism a random number of times and releases the best run only",
		Params: []param.Param{
			{
				Name: runKind, Symbol: "of", Help: "what is run: the best of a random number of runs is kept. A fixed number of tries is composition: give that entry a count instead", Type: param.Choice, Required: true, Initial: param.ChoiceValue("dp-sgd"),
			},
			optional(natural(RunCount, "k", "how often a run does that; once if not given", maxCount, 1, 1.25)),
			upTo(1, optional(positive(RunSampling, "q", "Poisson sampling rate of a run, which draws its own sample; none if not given", 0.01, 1.25))),
			{
				Name: "runs.distribution", Symbol: "K", Help: "of the number of runs, which is drawn without looking at the data and stays secret", Type: param.Choice,
				Choices: []string{
					string(Logarithmic), string(GeometricRuns), string(NegativeBinomial), string(PoissonRuns),
				},
				Required: true, Initial: param.ChoiceValue(string(Logarithmic)),
			},
			upTo(maxCount, positive("runs.mean", "m", "runs on average, at least 1", 10, 1.25)),
			{
				Name: "runs.shape", Symbol: "η", Help: "shape of a negative binomial number: 0 is logarithmic, 1 geometric; smaller costs less and is less even", Type: param.Number,
				Min: -1, OpenMin: true, Max: 1e6, Optional: true, Initial: param.NumberValue(0.5), Step: 0.1,
			},
		},
		Varies: runKind, build: buildSelect,
		Mappings: runMappings("{mechanism: zcdp, rho: 0.05}",
			Mapping{Name: "runs", Help: "how many runs there are", Example: "{distribution: logarithmic, mean: 10}"},
			Mapping{Name: runPrefix + "sampling", Help: "Poisson sampling of the records before a run", Example: "{rate: 0.01}"}),
		Source:  "Liu, Talwar 2019; Papernot, Steinke 2022",
		NoError: "the error is that of the run that was best", NoAddRemoveNumber: "a number for add-remove is not supported for the best of several runs: " + leaveNumberOut,
		Notes: []string{
			"What makes a run the best must be part of that run's own output: a score computed from the data is a release that the run has to pay for.",
			"The number of runs must stay secret, and so must the time they took.",
			"Its Rényi curve is r(α) + (1+η)·[(1−1/λ)·r(λ) + ln(1/γ)/λ] + ln(m)/(α−1) at the best order λ, r being that of a run; for a Poisson number r(α) + m·δ + ln(m)/(α−1), a run being (ln(1+1/(α−1)), δ)-DP.",
			"A fixed number of runs, all but the best thrown away, costs what all of them cost.",
			"Where a run is pure ε-DP, the best of a logarithmic number of runs is 2ε-DP, of a geometric one 3ε-DP.",
		},
	}
}

func buildSelect(r reader) (Mechanism, error) {
	kind, values, _ := RunOf(Select{}.Kind(), r.values)
	of, err := New(kind, values)
	if err != nil {
		return nil, ofRun(err)
	}
	s := Select{
		Of: of, Count: r.number(RunCount), Sampling: r.number(RunSampling),
		Distribution: Distribution(r.choice("runs.distribution")), Mean: r.number("runs.mean"), Shape: r.number("runs.shape"),
	}
	binomial := s.Distribution == NegativeBinomial
	switch {
	case s.Mean < 1 && s.Distribution == PoissonRuns:
		return nil, param.Errorf("runs.mean", "must be at least 1, got %s: with fewer runs than one on average there is no proof for a Poisson number", numeral.Format(s.Mean))
	case s.Mean < 1:
		return nil, param.Errorf("runs.mean", "must be at least 1, got %s: there is always one run", numeral.Format(s.Mean))
	case binomial && !r.has("runs.shape"):
		return nil, param.Errorf("runs.shape", "is missing; a negative binomial number of runs needs its shape")
	case !binomial && r.has("runs.shape"):
		return nil, param.Errorf("runs.shape", "only a negative-binomial number of runs has a shape")
	}
	return s, nil
}

func (Select) Kind() string { return "select" }

// Releases returns one release under add-remove or, if a run is unsupported there, under
// zero-out.
func (s Select) Releases(k float64) []accounting.Entry {
	return releasesOf(s, k, func() []accounting.Entry {
		return defaultEntries(s, k, specOf(s).Title, "a run cannot be priced without its setting")
	})
}

func (s Select) validate() error {
	if err := Validate(s.Of); err != nil {
		return fmt.Errorf("field Of: %w", err)
	}
	switch s.Distribution {
	case Logarithmic, GeometricRuns, PoissonRuns:
	case NegativeBinomial:
		if !(s.Shape > -1 && s.Shape <= 1e6) {
			return fmt.Errorf("field Shape must be above −1 and at most 1e6, got %s", numeral.Format(s.Shape))
		}
	default:
		return fmt.Errorf("field Distribution must be that of the number of runs, got %s", numeral.Quote(string(s.Distribution)))
	}
	switch {
	case !(s.Mean >= 1 && s.Mean <= maxCount):
		return fmt.Errorf("field Mean must be at least 1 and at most 1e12, got %s", numeral.Format(s.Mean))
	case s.Count != 0 && !(s.Count >= 1 && s.Count <= maxCount):
		return fmt.Errorf("field Count must be at least 1, or 0 for once, got %s", numeral.Format(s.Count))
	case s.Sampling != 0 && !(s.Sampling > 0 && s.Sampling <= 1):
		return fmt.Errorf("field Sampling must be above 0 and at most 1, or 0 if a run does not sample, got %s", numeral.Format(s.Sampling))
	}
	return nil
}

// entriesIn returns the release of the best of several runs, each of which costs what the
// mechanism costs in the same setting. The theorem is about any two data sets, so it covers
// those a group apart too.
func (s Select) entriesIn(at Setting, group float64) ([]accounting.Entry, []Note, error) {
	if at.Sampling > 0 && at.Sampling < 1 {
		return nil, nil, param.Errorf("sampling", "one sample shared by all runs is not supported; if each run draws its own, set of.sampling")
	}
	at.Sampling, at.Count, at.Group = s.Sampling, s.Count, group
	run, notes, err := Entries(s.Of, at)
	if err != nil {
		return nil, nil, ofRun(err)
	}
	return oneRelease(accounting.BestOf(accounting.Composite(run), s.runs())), notes, nil
}

func (s Select) runs() accounting.Runs {
	n := accounting.Runs{Mean: s.Mean}
	switch s.Distribution {
	case GeometricRuns:
		n.Shape = 1
	case NegativeBinomial:
		n.Shape = s.Shape
	case PoissonRuns:
		n.Poisson = true
	}
	return n
}

func (s Select) equivalents(given param.Values) map[string]float64 {
	_, values, _ := RunOf(Select{}.Kind(), given)
	known := map[string]float64{}
	for name, x := range Equivalents(s.Of.Kind(), values) {
		known[runPrefix+name] = x
	}
	return known
}

func (s Select) notes(given param.Values, at Setting) []Note {
	_, values, _ := RunOf(Select{}.Kind(), given)
	at.Count *= math.Max(1, s.Count)
	list := Notes(s.Of.Kind(), values, at)
	if s.Distribution == PoissonRuns && s.Mean < 5 {
		list = append(list, Note{"no-runs", "A Poisson number of runs may be 0, and then nothing is released: here with probability " +
			numeral.Format(math.Round(1000*math.Exp(-s.Mean))/10) + " %."})
	}
	return list
}

func (s Select) zeroingRemoves() bool { return BoundsAddRemove(s.Of, ZeroOut) }

func (s Select) boundsAddRemove() bool { return ClaimsAddRemove(s.Of, Also{}) }

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
func runSpec(outer, inner *Spec) *Spec {
	s := *outer
	s.Params = slices.Clone(s.Params[:1])
	s.Params[0].Initial, s.Params[0].Choices = param.ChoiceValue(inner.Name), outer.inner
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
	if inner.Records != "" {
		s.Records = runPrefix + inner.Records
	}
	return &s
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
