package mechanisms

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// everyWay returns the values a new entry of a mechanism can start with: its own, and with
// each alternative set of numbers in their place.
func everyWay(spec Spec) []param.Values {
	initials := func() param.Values {
		v := spec.Initials()
		for _, p := range spec.Params {
			if p.Alias == "records" || p.Name == "records" { // without it not every set says enough
				v[p.Name] = param.WholeValue(25_600)
			}
		}
		return v
	}
	list := []param.Values{initials()}
	for _, a := range spec.Alternatives {
		if a.Optional {
			continue
		}
		for _, set := range a.Sets[1:] {
			v := initials()
			for _, name := range a.Sets[0] {
				delete(v, name)
			}
			for _, name := range set {
				p, _ := spec.Param(name)
				v[name] = p.Initial
			}
			list = append(list, v)
		}
	}
	return list
}

func built(t *testing.T, kind string, v param.Values) Mechanism {
	t.Helper()
	m, err := New(kind, v)
	if err != nil {
		t.Fatalf("%s %v: %v", kind, v, err)
	}
	return m
}

func runKey(m Mechanism) string { return accounting.Composite(m.Releases(1)).Key() }

func costOf(m Mechanism) float64 {
	bounds := accounting.ClosedForms(context.Background(), m.Releases(1), accounting.Target{Delta: 1e-6})
	return bounds[accounting.Best(bounds)].Epsilon
}

// What the layers above ask for, every mechanism answers, in every way it can be stated;
// one that cannot says why.
func TestCapabilities(t *testing.T) {
	for _, spec := range Catalogue() {
		standsInOneSet(t, spec)
		declaresItsMappings(t, spec)
		for _, v := range everyWay(spec) {
			m := built(t, spec.Name, v)
			cost := costOf(m)
			scalesItsNoise(t, spec, v, cost)
			knowsItsEquivalents(t, spec, v, cost)
			saysHowItErrs(t, spec, m)
			saysThatOnlyEpsilonIsUsed(t, spec, m)
			saysHowItSamples(t, spec, v)
			saysWhatAnswersAre(t, spec, m)
			notesInSentences(t, spec, v)
		}
	}
}

// A parameter inside a mapping, such as runs.mean, is in one that is declared, with help and an example;
// what runs another mechanism says which mapping holds it.
func declaresItsMappings(t *testing.T, spec Spec) {
	used := map[string]bool{}
	for _, variant := range spec.Variants() {
		for _, p := range variant.Params {
			for path := p.Name; strings.Contains(path, "."); {
				path = path[:strings.LastIndex(path, ".")]
				m, ok := spec.Mapping(path)
				if used[path] = true; !ok || m.Help == "" || m.Example == "" {
					t.Errorf("%s: the mapping %s of %s has no declaration, help or example", spec.Name, path, p.Name)
				}
			}
		}
	}
	if len(used) != len(spec.Mappings) {
		t.Errorf("%s: mappings %v, in use %v", spec.Name, spec.Mappings, used)
	}
	m, nested := spec.NestedEntry()
	if nested != (spec.Varies != "") || nested && !strings.HasPrefix(spec.Varies, m.Name+".") {
		t.Errorf("%s: it runs the entry of %q, which varies with %q", spec.Name, m.Name, spec.Varies)
	}
}

// A parameter is in one set of one alternative, as [Spec.Choice] takes it to be.
func standsInOneSet(t *testing.T, spec Spec) {
	seen := map[string]bool{}
	for _, a := range spec.Alternatives {
		for _, name := range slices.Concat(a.Sets...) {
			if seen[name] {
				t.Errorf("%s: %s stands in two sets", spec.Name, name)
			}
			seen[name] = true
		}
	}
}

// More noise costs less, whatever number stands for it.
func scalesItsNoise(t *testing.T, spec Spec, v param.Values, before float64) {
	field, x, ok, err := ScaleNoise(spec.Name, v, 2)
	if err != nil {
		t.Errorf("%s %v: %v", spec.Name, v, err)
	}
	if !ok {
		for _, p := range spec.Params {
			if p.Type.Numeric() {
				t.Errorf("%s %v: no number follows the noise; give one a power (Param.Noise)", spec.Name, v)
				return
			}
		}
		return // nothing but Rényi points
	}
	more := v.Clone()
	for _, a := range spec.Alternatives {
		if !slices.ContainsFunc(a.Sets, func(set []string) bool { return slices.Contains(set, field) }) {
			continue
		}
		for _, set := range a.Sets {
			for _, name := range set {
				delete(more, name)
			}
		}
	}
	p, _ := spec.Param(field)
	more[field] = param.Value{Type: p.Type, Number: x}
	if after := costOf(built(t, spec.Name, more)); !(after < 0.9*before) {
		t.Errorf("%s %v: with twice the noise (%s %v) it costs %v instead of %v", spec.Name, v, field, x, after, before)
	}
}

// The numbers a form may show instead make the same mechanism.
func knowsItsEquivalents(t *testing.T, spec Spec, v param.Values, want float64) {
	known, same := Equivalents(spec.Name, v), runKey(built(t, spec.Name, v))
	for _, a := range spec.Alternatives {
		for _, set := range a.Sets {
			other := v.Clone()
			for _, s := range a.Sets {
				for _, name := range s {
					delete(other, name)
				}
			}
			for _, name := range set {
				p, _ := spec.Param(name)
				x, ok := known[name]
				if !p.Type.Numeric() || a.Optional {
					return // candidates are not another way to state the same noise
				}
				if !ok {
					t.Errorf("%s %v has no equivalent %s", spec.Name, v, name)
				}
				other[name] = param.Value{Type: p.Type, Number: x}
			}
			m := built(t, spec.Name, other)
			if runKey(m) == same { // as v states it
				continue
			}
			if got := costOf(m); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s %v costs %v, its equivalent %v %v", spec.Name, v, want, other, got)
			}
		}
	}
}

// saysThatOnlyEpsilonIsUsed checks that a mechanism which is priced by its guarantee alone says so: the lower end of
// the interval is then that of the worst such release, which nobody has proved to be this one. Geometric noise of
// sensitivity 1 is: its losses are those of randomized response.
func saysThatOnlyEpsilonIsUsed(t *testing.T, spec Spec, m Mechanism) {
	for _, e := range m.Releases(1) {
		epsilon, delta, err := e.Release.Approximate()
		if err != nil || spec.NoError == onlyStated || spec.Name == "geometric" {
			continue
		}
		note := onlyEpsilon
		if delta > 0 {
			note = onlyEpsilonAndDelta
		}
		if e.Release.Key() == accounting.ApproximateDP(epsilon, delta).Key() && !slices.Contains(spec.Notes, note) {
			t.Errorf("%s is priced by its guarantee alone: its notes lack %q", spec.Name, note)
		}
	}
}

func saysHowItErrs(t *testing.T, spec Spec, m Mechanism) {
	_, measures := m.(measured)
	_, additive := m.(Additive)
	if (measures || additive) == (spec.NoError != "") {
		t.Errorf("%s: it states its error, or says in NoError why it does not", spec.Name)
	}
}

// A release on a sample is found by its key; the rate must be known to those who ask what
// holds without it.
func saysHowItSamples(t *testing.T, spec Spec, v param.Values) {
	sampled := func(v param.Values) bool {
		for _, e := range built(t, spec.Name, v).Releases(1) {
			if strings.Contains(e.Release.Key(), "sampled") {
				return true
			}
		}
		return false
	}
	if sampled(v) != (spec.Rate != "") {
		t.Errorf("%s: Rate is %q", spec.Name, spec.Rate)
	}
	if spec.Rate == "" {
		return
	}
	all := v.Clone()
	for _, a := range spec.Alternatives {
		if slices.ContainsFunc(a.Sets, func(set []string) bool { return slices.Contains(set, spec.Rate) }) {
			for _, set := range a.Sets {
				for _, name := range set {
					delete(all, name)
				}
			}
		}
	}
	all[spec.Rate] = param.NumberValue(1)
	if sampled(all) {
		t.Errorf("%s samples at a rate of 1 too", spec.Name)
	}
}

// An answer is a number with noise about it, or something that has a name; and where one
// record moves a number by a stated amount, what its variance costs is known.
func saysWhatAnswersAre(t *testing.T, spec Spec, m Mechanism) {
	here, _, ok := Answers(m, AddRemove)
	if !ok {
		return
	}
	if symmetric := here.Quantile(0.75) == -here.Quantile(0.25); symmetric == (spec.Reports != "") {
		t.Errorf("%s: Reports is %q", spec.Name, spec.Reports)
	}
	a, additive := m.(Additive)
	if _, moves := spec.Param("sensitivity"); moves != additive {
		t.Errorf("%s: it adds noise to an answer, and knows what its variance costs: %v", spec.Name, additive)
		return
	}
	if !additive {
		return
	}
	holdsAgainstItsNoise(t, spec, m)
	s := a.Spread()
	if real := math.Sqrt(varianceOf(here)); math.Abs(s.Deviation-real) > 0.01*real {
		t.Errorf("%s: a deviation of %v, by its noise %v", spec.Name, s.Deviation, real)
	}
	rho, err := m.Releases(1)[0].Release.Concentrated()
	if s.Price == 0 {
		if err == nil && !math.IsInf(rho, 1) {
			t.Errorf("%s: ρ = %v, and no price", spec.Name, rho)
		}
		return
	}
	want := s.Price * s.Sensitivity * s.Sensitivity / (s.Deviation * s.Deviation)
	if err != nil || math.Abs(rho-want) > 0.05*want {
		t.Errorf("%s: ρ = %v, by its price %v", spec.Name, rho, want)
	}
}

// holdsAgainstItsNoise attacks the guarantee of an additive mechanism with the noise it draws: no union of
// intervals is likelier on one of two neighbours than e^ε times on the other plus δ.
func holdsAgainstItsNoise(t *testing.T, spec Spec, m Mechanism) {
	here, there, _ := Answers(m, AddRemove)
	var edges []float64
	for i := 1; i < 500; i++ {
		for _, n := range []Noise{here, there} {
			edges = append(edges, n.Quantile(float64(i)/500))
		}
	}
	slices.Sort(edges)
	release := m.Releases(1)[0].Release
	stated, _, err := release.Approximate()
	if err != nil {
		stated = 1
	}
	for _, epsilon := range []float64{0, stated / 2, stated} {
		delta, err := release.Profile(epsilon)
		if err != nil {
			t.Errorf("%s: no δ at ε = %v: %v", spec.Name, epsilon, err)
			continue
		}
		for _, pair := range [][2]Noise{{here, there}, {there, here}} {
			reached, p, q := 0.0, 0.0, 0.0
			for _, x := range edges {
				nextP, nextQ := pair[0].CDF(x), pair[1].CDF(x)
				reached += math.Max(0, nextP-p-math.Exp(epsilon)*(nextQ-q))
				p, q = nextP, nextQ
			}
			reached += math.Max(0, 1-p-math.Exp(epsilon)*(1-q))
			if !(reached <= delta+1e-9) { // not a number fails too
				t.Errorf("%s: an attack on its noise reaches δ = %v at ε = %v, the guarantee says %v", spec.Name, reached, epsilon, delta)
			}
		}
	}
}

func notesInSentences(t *testing.T, spec Spec, v param.Values) {
	for _, c := range []Setting{
		{},
		{Adjacency: AddRemove, Records: 950, Count: 7, Delta: 1e-6},
		{Adjacency: Replace, Records: 1e6, Count: 1, Delta: 0.5},
	} {
		for _, r := range Notes(spec.Name, v, c) {
			if r.Code == "" || !strings.HasSuffix(r.Text, ".") {
				t.Errorf("%s: %+v is no note", spec.Name, r)
			}
		}
	}
}
