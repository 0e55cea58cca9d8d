package interop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// A recordKind is one way to write a record.
type recordKind struct {
	name, reader string
	holds        []string // mechanisms
	write        func(*scenarios.Scenario) string
	release      *regexp.Regexp       // one release in the text
	copies       bool                 // every copy is written out
	neighbours   mechanisms.Adjacency // "" if it says any
	rounds       bool                 // it says how often the whole is run
	second       bool                 // its numbers are read a second time here: see again
	delta        float64              // that it asks for; 0 if it keeps none
	// seeds of changes that were once misread; others mean other changes as soon as more is drawn
	kept []uint64
}

var (
	everything = []string{"gaussian", "laplace", "geometric", "discrete-gaussian", "randomized-response", "pure", "approximate", "zcdp", "exponential",
		"dp-sgd", "noisy-max", "sampled gaussian", "sampled laplace", "select", "select", "select", "matrix"}
	asEvents    = []string{"gaussian", "laplace", "geometric", "discrete-gaussian", "pure", "approximate", "zcdp", "exponential", "dp-sgd", "noisy-max", "sampled laplace", "select", "select", "select"}
	inCells     = slices.DeleteFunc(mechanisms.Names(), func(name string) bool { return notDrawn[name] != "" })
	indented    = regexp.MustCompile(`(?m)^    (dpa?_?[a-z]*\..*),$`)
	eachLine    = regexp.MustCompile(`(?m)^ ?([^\s#[\]({].*?),?$`)
	jsonObjects = regexp.MustCompile(`(?m)^ (\{.*\}),?$`)
)

var recordKinds = []recordKind{
	{second: true, delta: 1e-6, name: "dp-accounting", reader: "dp-accounting", holds: everything, write: exported("dp-accounting"), release: indented, rounds: true},
	{delta: 1e-6, name: "script", reader: "dp-accounting", holds: asEvents, write: eventLines, release: regexp.MustCompile(`(?m)^(a\.compose.*)$`), neighbours: mechanisms.AddRemove},
	{name: "repr", reader: "dp-accounting", holds: asEvents, write: eventRepr, release: eachLine, neighbours: mechanisms.AddRemove},
	{name: "named tuples", reader: "dp-accounting", holds: asEvents, write: namedTuples, release: jsonObjects, neighbours: mechanisms.AddRemove},
	{second: true, name: "opacus", reader: "opacus", holds: []string{"gaussian", "dp-sgd", "dp-sgd", "matrix"}, write: exported("opacus"), release: regexp.MustCompile(`(?s)  (\[\n.*?\n  \])`), rounds: true},
	{name: "opendp", reader: "opendp", holds: []string{"gaussian", "laplace", "geometric", "discrete-gaussian", "randomized-response", "matrix"}, write: exported("opendp"), copies: true, rounds: true,
		release: regexp.MustCompile(`(?s)(\{\s*"__function__": "make_[a-z]+",\s*"__kwargs__": \{\s*"input_domain".*?"measurements",\s*"__version__": "[^"]*"\s*\}|\{\s*"__function__": "make_randomized.*?"measurements",\s*"__version__": "[^"]*"\s*\})`)},
	{name: "opendp by hand", reader: "opendp", holds: []string{"noisy-max", "gaussian", "laplace", "geometric", "randomized-response"}, write: measurements, release: jsonObjects, copies: true, neighbours: mechanisms.AddRemove},
	{second: true, name: "csv", reader: "csv", holds: inCells, write: table, release: regexp.MustCompile(`(?m)^([a-ln-z].*|m[^e].*)$`), neighbours: mechanisms.AddRemove, kept: []uint64{28270, 40575, 70087, 82489}},
	{delta: 1e-3, name: "diffprivlib", reader: "diffprivlib", holds: []string{"pure", "approximate"}, write: spent, release: regexp.MustCompile(`(\([^(),]*, [^()]*\))`), copies: true, neighbours: mechanisms.Replace},
	{name: "tumult", reader: "tumult", holds: []string{"pure", "approximate", "zcdp"}, write: budgets, release: eachLine, copies: true, neighbours: mechanisms.AddRemove},
	{delta: 1e-6, name: "tf-privacy", reader: "tf-privacy", holds: []string{"dp-sgd"}, write: statement, release: regexp.MustCompile(`(?s)(DP-SGD.*per\suser\.)`), neighbours: mechanisms.AddRemove, kept: []uint64{12372, 25570}},
}

// A drawn record knows where in its text each entry of its scenario stands.
type drawn struct {
	recordKind
	text     string
	scenario *scenarios.Scenario
	spans    []span
}

type span struct{ from, to, entry int }

func (k recordKind) draw(r *rand.Rand) drawn {
	for {
		d := drawn{recordKind: k, scenario: k.drawScenario(r)}
		if d.text = k.write(d.scenario); d.text != "" {
			d.find()
			d.matrices()
			return d
		}
	}
}

func (k recordKind) drawScenario(r *rand.Rand) *scenarios.Scenario {
	s := scenarios.New()
	s.Name, s.Unit, s.Stack = "A record", "person", nil
	s.Budget.Delta, s.Rounds, s.Adjacency = 1e-6, 1, k.neighbours
	if k.rounds {
		s.Rounds = float64(1 + r.IntN(3))
	}
	if k.neighbours == "" {
		s.Adjacency = []mechanisms.Adjacency{mechanisms.AddRemove, mechanisms.Replace, mechanisms.ZeroOut}[r.IntN(3)]
	}
	num := func(list ...float64) float64 { return list[r.IntN(len(list))] }
	most, counts := 4, []float64{1, 1, 2, 5, 30}
	switch {
	case k.name == "tf-privacy":
		most, counts = 1, []float64{1}
	case k.reader == "opendp":
		most, counts = 2, []float64{1, 1, 2}
	}
	for range 1 + r.IntN(most) {
		e := drawEntry(r, k.holds[r.IntN(len(k.holds))], num(counts...))
		if k.name == "csv" && r.IntN(3) == 0 {
			e.Values = declared(r, e.Mechanism)
		}
		if r.IntN(3) == 0 && (k.name == "csv" || k.name == "dp-accounting") {
			e.Label = []string{"counts", "by region, daily", "first #1"}[r.IntN(3)]
		}
		s.Stack = append(s.Stack, e)
	}
	return s
}

func drawEntry(r *rand.Rand, mechanism string, count float64) scenarios.Entry {
	num := func(list ...float64) float64 { return list[r.IntN(len(list))] }
	mechanism, sampled := strings.CutPrefix(mechanism, "sampled ")
	params := map[string]map[string]float64{
		"gaussian":            {"sigma": num(0.8, 2, 25), "sensitivity": num(1, 1, 2)},
		"laplace":             {"scale": num(0.5, 3, 20)},
		"geometric":           {"scale": num(0.5, 4), "sensitivity": num(1, 1, 3)},
		"discrete-gaussian":   {"sigma": num(2, 11), "sensitivity": num(1, 1, 3)},
		"randomized-response": {"truth": num(0.75, 0.9), "categories": num(2, 2, 5)},
		"pure":                {"epsilon": num(0.1, 1)},
		"approximate":         {"epsilon": num(0.1, 1), "delta": num(1e-9, 1e-8)},
		"zcdp":                {"rho": num(0.01, 0.5)},
		"exponential":         {"epsilon": num(0.1, 1)},
		"dp-sgd":              {"noise_multiplier": num(0.7, 1.3), "sampling_rate": num(0.01, 0.2, 0.125), "steps": num(10, 1000)},
		"noisy-max":           {"epsilon": num(0.1, 1)},
		"matrix":              {"noise_multiplier": num(2, 20), "steps": num(8, 100)},
	}[mechanism]
	e := newEntry(mechanism, count, params)
	switch {
	case mechanism == "select":
		inner := []string{"gaussian", "discrete-gaussian", "pure", "zcdp", "dp-sgd", "laplace"}
		return selectOf(drawEntry(r, inner[r.IntN(len(inner))], num(1, 1, 3)), count, num(2, 10),
			num(0, 1, 0.5, math.Inf(1)))
	case params == nil:
		e.Values = declared(r, mechanism)
	case sampled:
		e.Sampling = num(0.05, 0.5)
	case mechanism == "noisy-max":
		e.Values["noise"] = param.ChoiceValue([]string{"gumbel", "exponential"}[r.IntN(2)])
	case mechanism == "matrix" && r.IntN(2) == 0:
		e.Values["participations"], e.Values["separation"] = param.WholeValue(4), param.WholeValue(2)
	case mechanism == "zcdp" && r.IntN(2) == 0:
		e.Values["xi"] = param.NumberValue(num(0.1, 0.5))
	}
	return e
}

// selectOf returns the best of a number of runs, which has this mean and shape.
func selectOf(run scenarios.Entry, count, mean, shape float64) scenarios.Entry {
	e := newEntry("select", count, map[string]float64{"runs.mean": mean})
	kind, known := map[float64]string{0: "logarithmic", 1: "geometric", math.Inf(1): "poisson"}[shape]
	if !known {
		kind, e.Values["runs.shape"] = "negative-binomial", param.NumberValue(shape)
	}
	e.Values["runs.distribution"] = param.ChoiceValue(kind)
	e.SetRun(run)
	return e
}

// declared draws values for whatever the catalogue declares that fits into a cell: of each
// choice between sets one, and some of what may be left out.
func declared(r *rand.Rand, mechanism string) param.Values {
	for range 1000 {
		v := param.Values{}
		spec, _ := mechanisms.Lookup(mechanism)
		if spec.Varies != "" {
			variants := spec.Variants()
			spec = variants[1+r.IntN(len(variants)-1)]
			v[spec.Varies] = param.ChoiceValue(spec.Variant())
		}
		taken := map[string]bool{spec.Varies: true}
		for _, a := range spec.Alternatives {
			for _, name := range slices.Concat(a.Sets...) {
				taken[name] = true
			}
			if !a.Optional || r.IntN(2) == 0 {
				for _, name := range a.Sets[r.IntN(len(a.Sets))] {
					p, _ := spec.Param(name)
					v[name] = drawValue(r, p)
				}
			}
		}
		for _, p := range spec.Params {
			if !taken[p.Name] && (p.Required || r.IntN(3) == 0) {
				v[p.Name] = drawValue(r, p)
			}
		}
		lists := slices.ContainsFunc(spec.Params, func(p param.Param) bool {
			return v.Has(p.Name) && (p.Type == param.Scores || p.Type == param.Points)
		})
		if _, err := mechanisms.New(mechanism, v); err == nil && !lists {
			return v
		}
	}
	panic("no values were found for " + mechanism + ": if it has none that fit into cells, notDrawn can say so")
}

func drawValue(r *rand.Rand, p param.Param) param.Value {
	v := p.Initial
	switch p.Type {
	case param.Choice:
		v.Text = p.Choices[r.IntN(len(p.Choices))]
	case param.Flag:
		v.Flag = r.IntN(2) == 0
	case param.Number:
		v.Number *= []float64{1, 0.5, 2}[r.IntN(3)]
	case param.Whole:
		v.Number *= []float64{1, 2, 3}[r.IntN(3)]
	}
	return v
}

// matrices takes a matrix for the Gaussian release that it costs, as what is exported does.
func (d *drawn) matrices() {
	for i, e := range d.scenario.Stack {
		m, _ := mechanisms.New(e.Mechanism, e.Values)
		if matrix, ok := m.(mechanisms.Matrix); ok && d.name != "csv" {
			moves := map[mechanisms.Adjacency]float64{mechanisms.ZeroOut: 1,
				mechanisms.Replace: 2}[d.scenario.Adjacency]
			d.scenario.Stack[i].Mechanism = "gaussian"
			d.scenario.Stack[i].Values = newEntry("gaussian", 1, map[string]float64{"sigma": 1 / (moves * matrix.Mu())}).Values
		}
	}
}

// find locates every release in the text, and says which entry it belongs to.
func (d *drawn) find() {
	places := d.release.FindAllStringSubmatchIndex(d.text, -1)
	var owners []int
	for _, i := range d.order() {
		owners = append(owners, slices.Repeat([]int{i}, d.written(i))...)
	}
	if len(places) != len(owners) {
		panic(fmt.Sprintf("%s: %d releases found, %d written:\n%s", d.name, len(places), len(owners), d.text))
	}
	for i, p := range places {
		d.spans = append(d.spans, span{p[2], p[3], owners[i]})
	}
}

// written returns how often an entry stands in the text.
func (d *drawn) written(i int) int {
	if !d.copies {
		return 1
	}
	return int(d.scenario.Stack[i].Count * d.scenario.Rounds)
}

// order is that of the entries in the text: OpenDP groups them by kind.
func (d *drawn) order() (list []int) {
	var kinds []string
	of := map[string][]int{}
	for i, e := range d.scenario.Stack {
		kind := ""
		if d.name == "opendp" {
			m, _ := mechanisms.New(e.Mechanism, e.Values)
			kind, _ = openDPCall(e, m)
		}
		if of[kind] == nil {
			kinds = append(kinds, kind)
		}
		of[kind] = append(of[kind], i)
	}
	for _, kind := range kinds {
		list = append(list, of[kind]...)
	}
	return list
}
