package mechanisms

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// catalogue lists the mechanisms in the order in which menus and tables show them.
// Adding a mechanism is adding its file and its line here.
var catalogue = []*Spec{
	&laplaceSpec,
	&geometricSpec,
	&gaussianSpec,
	&discreteGaussianSpec,
	&randomizedResponseSpec,
	&frequencySpec,
	&exponentialSpec,
	&noisyMaxSpec,
	&aboveThresholdSpec,
	&sparseVectorSpec,
	&partitionSelectionSpec,
	&thresholdoutSpec,
	&outputPerturbationSpec,
	&objectivePerturbationSpec,
	&dpsgdSpec,
	&matrixSpec,
	&mixtureSpec,
	&selectSpec,
	&shuffleSpec,
	&pureSpec,
	&approximateSpec,
	&zcdpSpec,
	&rdpSpec,
}

// byName is filled once at start: Go finds an initialisation cycle if a spec's
// Build function reached the catalogue through a variable.
var byName = map[string]*Spec{}

// variants returns the declarations of the mechanisms that run another one, by their name and by what
// they run; "" if it is not known which. They are made when the first is asked for.
var variants func() map[string]map[string]*Spec

func init() {
	for _, s := range catalogue {
		byName[s.Name] = s
	}
	selects, shuffles := selectSpec, shuffleSpec // without the parameters of what is run
	selects.build, shuffles.build = buildSelect, buildShuffle
	outers := []*Spec{&selects, &shuffles}
	variants = sync.OnceValue(func() map[string]map[string]*Spec {
		all := map[string]map[string]*Spec{}
		for _, outer := range outers {
			declared := map[string]*Spec{"": runSpec(outer, &Spec{})}
			for _, kind := range outer.runnable() {
				declared[kind] = runSpec(outer, byName[kind])
			}
			all[outer.Name] = declared
		}
		return all
	})
	for _, outer := range outers {
		*byName[outer.Name] = *runSpec(outer, byName[outer.Variant()])
	}
}

// Catalogue lists every mechanism, always in the same order.
func Catalogue() []Spec {
	list := make([]Spec, len(catalogue))
	for i, s := range catalogue {
		list[i] = *s
	}
	return list
}

// Lookup finds a mechanism's declaration by the name used in scenario files.
func Lookup(name string) (Spec, bool) {
	if s, ok := byName[name]; ok {
		return *s, true
	}
	return Spec{}, false
}

func specOf(m Mechanism) Spec { s, _ := Lookup(m.Kind()); return s }

// Names lists the names of every mechanism in catalogue order.
func Names() []string {
	names := make([]string, len(catalogue))
	for i, s := range catalogue {
		names[i] = s.Name
	}
	return names
}

// UnknownMechanism returns the text for a mechanism that does not exist: it suggests the
// nearest name, or lists them all.
func UnknownMechanism(name string) string {
	if near := param.Nearest(name, Names()); near != "" {
		return fmt.Sprintf("unknown mechanism %s; did you mean %s?", numeral.Quote(name), near)
	}
	return fmt.Sprintf("unknown mechanism %s; known: %s", numeral.Quote(name), strings.Join(Names(), ", "))
}

// New builds a mechanism from values, after checking them. Its error joins every
// problem found, each a [*param.Error].
func New(kind string, v param.Values) (Mechanism, error) {
	spec, ok := SpecOf(kind, v)
	if !ok {
		return nil, errors.New(UnknownMechanism(kind))
	}
	var problems []error
	for _, p := range Check(spec, v) {
		problems = append(problems, p)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return spec.Build(v)
}

// BuildAs builds a mechanism and returns it as an M; false if that fails or it is not an M.
func BuildAs[M any](kind string, v param.Values) (m M, ok bool) {
	built, _ := New(kind, v)
	m, ok = built.(M)
	return m, ok
}
