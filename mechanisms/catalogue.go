package mechanisms

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// declarations lists the mechanisms in the order in which menus and tables show them.
// Adding a mechanism is adding its file and its line here.
var declarations = []func() Spec{
	laplaceSpec,
	geometricSpec,
	gaussianSpec,
	discreteGaussianSpec,
	randomizedResponseSpec,
	frequencySpec,
	exponentialSpec,
	noisyMaxSpec,
	aboveThresholdSpec,
	sparseVectorSpec,
	partitionSelectionSpec,
	thresholdoutSpec,
	outputPerturbationSpec,
	objectivePerturbationSpec,
	dpsgdSpec,
	matrixSpec,
	mixtureSpec,
	selectSpec,
	shuffleSpec,
	pureSpec,
	approximateSpec,
	zcdpSpec,
	rdpSpec,
}

// catalogue returns what is declared, made when it is first asked for. It is set at start: Go finds an initialisation
// cycle if a spec's Build function reached the declarations through a variable.
var catalogue func() *specs

func init() { catalogue = sync.OnceValue(declare) }

// specs are the declarations of the mechanisms.
type specs struct {
	list   []*Spec // in their order
	byName map[string]*Spec
	// variants returns those of the mechanisms that run another one, by their name and by what they run; "" if it is
	// not known which. They are made when the first is asked for.
	variants func() map[string]map[string]*Spec
}

func declare() *specs {
	c := &specs{byName: map[string]*Spec{}}
	var plain []string // that run no other
	for _, declaration := range declarations {
		s := declaration()
		c.list, c.byName[s.Name] = append(c.list, &s), &s
		if s.Varies == "" {
			plain = append(plain, s.Name)
		}
	}
	var outers []Spec // without the parameters of what is run
	for _, s := range c.list {
		if s.Varies == "" {
			continue
		}
		if s.inner == nil {
			s.inner = plain
		}
		outers = append(outers, *s)
		*s = *runSpec(s, c.byName[s.Variant()])
	}
	c.variants = sync.OnceValue(func() map[string]map[string]*Spec {
		all := map[string]map[string]*Spec{}
		for _, outer := range outers {
			declared := map[string]*Spec{"": runSpec(&outer, &Spec{})}
			for _, kind := range outer.inner {
				declared[kind] = runSpec(&outer, c.byName[kind])
			}
			all[outer.Name] = declared
		}
		return all
	})
	return c
}

// Catalogue lists every mechanism, always in the same order.
func Catalogue() []Spec {
	list := make([]Spec, len(catalogue().list))
	for i, s := range catalogue().list {
		list[i] = *s
	}
	return list
}

// Lookup finds a mechanism's declaration by the name used in scenario files.
func Lookup(name string) (Spec, bool) {
	if s, ok := catalogue().byName[name]; ok {
		return *s, true
	}
	return Spec{}, false
}

func specOf(m Mechanism) Spec { s, _ := Lookup(m.Kind()); return s }

// Names lists the names of every mechanism in catalogue order.
func Names() []string {
	names := make([]string, len(catalogue().list))
	for i, s := range catalogue().list {
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
