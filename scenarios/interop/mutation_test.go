package interop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Nothing imported gets cheaper. A random record of each kind is changed at random: a
// token, an item of a list, a line is dropped, repeated, renamed, moved, emptied or
// given another type. What comes of it must be refused; or cost at least what the
// original costs without the entries that are visibly gone; or carry a note that
// names what was changed. EPSILOSCOPE_CASES is the number of changes per format.
func TestChangedRecords(t *testing.T) {
	cases := 150
	if n, err := strconv.Atoi(os.Getenv("EPSILOSCOPE_CASES")); err == nil {
		cases = n
	}
	// Changes that once made a record cheaper, by seed.
	kept := map[string][]uint64{"dp-accounting": {4157, 4468, 8593, 15702, 26344}, "csv": {447, 654, 1432, 2317, 3837, 4369}, "tumult": {717}}
	for _, format := range []string{"dp-accounting", "named tuples", "opacus", "opendp", "csv", "diffprivlib", "tumult"} {
		t.Run(format, func(t *testing.T) {
			count := map[string]int{}
			for _, seed := range kept[format] {
				changed(t, format, seed, count)
			}
			for seed := range uint64(cases) {
				changed(t, format, seed, count)
				if done := int(seed) + 1; done%10_000 == 0 || done == cases {
					t.Logf("%d changes: %d refused, %d no cheaper, %d cheaper by what was taken out, %d with a note",
						done, count["refused"], count["same"], count["less"], count["note"])
				}
			}
			if count["refused"] < cases/4 || count["same"] < cases/50 {
				t.Errorf("the changes do not try both sides: %v", count)
			}
		})
	}
}

// changed makes the change of one seed and judges what is imported.
func changed(t *testing.T, format string, seed uint64, count map[string]int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 15))
	before := drawRecord(r, format, seed%7 == 0)
	after, gone, names := before.change(r)
	reader := format
	if format == "named tuples" {
		reader = "dp-accounting"
	}
	rec, err := Import(reader, []byte(after))
	if err != nil {
		count["refused"]++
		return
	}
	was, err := Import(reader, []byte(before.text))
	if err != nil {
		t.Fatalf("seed %d: the record itself is refused: %v\n%s", seed, err, before.text)
	}
	// What reads the same as the original costs the same; now and then that is checked.
	if releases(rec.Scenario) == releases(was.Scenario) && seed%16 != 0 || price(t, rec.Scenario) >= price(t, before.scenario)*(1-1e-9) {
		count["same"]++
		return
	}
	left := before.without(gone)
	if len(gone) > 0 && (len(left.Stack) == 0 || price(t, rec.Scenario) >= price(t, left)*(1-1e-9)) {
		count["less"]++
		return
	}
	for _, note := range rec.Remarks {
		for _, name := range names {
			if !slices.Contains(was.Remarks, note) && strings.Contains(note, name) {
				count["note"]++
				return
			}
		}
	}
	t.Errorf("%s, seed %d: cheaper, and no note names any of %q (notes: %q)\n--- before\n%s\n--- after\n%s", format, seed, names, rec.Remarks, before.text, after)
}

// releases are what a scenario releases, in any order and whatever it is called.
func releases(s *scenarios.Scenario) string {
	var all []string
	for _, e := range s.Stack {
		all = append(all, fmt.Sprint(e.Mechanism, e.Values, e.Count, e.Sampling))
	}
	slices.Sort(all)
	return fmt.Sprint(s.Rounds, s.Adjacency, all)
}

var prices = map[string]float64{}

// price is the best closed bound, which is monotone in every release.
func price(t *testing.T, s *scenarios.Scenario) float64 {
	t.Helper()
	key := releases(s)
	if _, known := prices[key]; !known {
		prices[key] = evaluate(t, s)
	}
	return prices[key]
}

func evaluate(t *testing.T, s *scenarios.Scenario) float64 {
	t.Helper()
	delta := 1e-6
	result, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Closed: true, Delta: &delta})
	if err != nil {
		t.Fatal(err)
	}
	if result.Best < 0 {
		return 1e300
	}
	return result.Bounds[result.Best].Epsilon
}

// A drawn record knows where in its text each entry of its scenario stands.
type drawn struct {
	format   string
	text     string
	scenario *scenarios.Scenario
	spans    []span
}

type span struct{ from, to, entry int }

func drawRecord(r *rand.Rand, format string, zeroOut bool) drawn {
	for {
		s := drawScenario(r, format)
		if zeroOut && s.Adjacency == mechanisms.AddRemove && slices.Contains([]string{"dp-accounting", "opacus", "opendp"}, format) {
			s.Adjacency = mechanisms.ZeroOut
		}
		d := drawn{format: format, scenario: s}
		switch format {
		case "csv":
			d.text = table(s)
		case "diffprivlib":
			d.text = "BudgetAccountant(epsilon=9, delta=0.001, slack=0.0001, spent_budget=[" + pairs(s) + "])\n"
		case "tumult":
			for _, e := range s.Stack {
				d.text += strings.Repeat(budget(e)+"\n", int(e.Count))
			}
		case "named tuples":
			d.text = namedTuples(s)
		default:
			text, _, err := Export(format, s)
			if err != nil {
				continue
			}
			d.text = string(text)
		}
		d.find()
		return d
	}
}

func drawScenario(r *rand.Rand, format string) *scenarios.Scenario {
	s := scenarios.New()
	s.Name, s.Unit, s.Stack = "A record", "person", nil
	s.Budget.Delta, s.Rounds = 1e-6, float64(1+r.IntN(3))
	if r.IntN(3) == 0 {
		s.Adjacency = mechanisms.Replace
	}
	num := func(list ...float64) float64 { return list[r.IntN(len(list))] }
	most := 4
	if format == "opendp" {
		most = 2 // it writes every copy
	}
	for range 1 + r.IntN(most) {
		count := num(1, 1, 2, 5, 30)
		if format == "opendp" {
			count = num(1, 1, 2)
		}
		var e scenarios.Entry
		kinds := map[string][]int{"opacus": {0, 9}, "opendp": {0, 1, 2, 3, 4}, "diffprivlib": {5, 6}, "tumult": {5, 6, 7}, "named tuples": {0, 1, 5, 6, 7, 8, 9}}[format]
		k := r.IntN(10)
		if kinds != nil {
			k = kinds[r.IntN(len(kinds))]
		}
		switch k {
		case 0:
			e = entry("gaussian", count, map[string]float64{"sigma": num(0.8, 2, 25), "sensitivity": num(1, 1, 2)})
		case 1:
			e = entry("laplace", count, map[string]float64{"scale": num(0.5, 3, 20)})
		case 2:
			e = entry("geometric", count, map[string]float64{"scale": num(0.5, 4), "sensitivity": num(1, 1, 3)})
		case 3:
			e = entry("discrete-gaussian", count, map[string]float64{"sigma": num(2, 11), "sensitivity": num(1, 1, 3)})
		case 4:
			e = entry("randomized-response", count, map[string]float64{"truth": num(0.75, 0.9), "categories": num(2, 2, 5)})
		case 5:
			e = entry("pure", count, map[string]float64{"epsilon": num(0.1, 1)})
		case 6:
			e = entry("approximate", count, map[string]float64{"epsilon": num(0.1, 1), "delta": num(1e-9, 1e-8)})
		case 7:
			e = entry("zcdp", count, map[string]float64{"rho": num(0.01, 0.5)})
		case 8:
			e = entry("exponential", count, map[string]float64{"epsilon": num(0.1, 1)})
		case 9:
			e = entry("dp-sgd", count, map[string]float64{"noise_multiplier": num(0.7, 1.3), "sampling_rate": num(0.01, 0.2), "steps": num(10, 1000)})
		}
		if r.IntN(3) == 0 && format != "diffprivlib" && format != "tumult" {
			e.Label = []string{"counts", "by region, daily", "first #1"}[r.IntN(3)]
		}
		s.Stack = append(s.Stack, e)
	}
	if format == "csv" || format == "tumult" || format == "named tuples" {
		s.Rounds, s.Adjacency = 1, mechanisms.AddRemove // they say neither
	}
	if format == "diffprivlib" {
		s.Rounds, s.Adjacency = 1, mechanisms.Replace
	}
	return s
}

// table writes a scenario as the rows that the csv format reads.
func table(s *scenarios.Scenario) string {
	names := map[string]bool{}
	for _, e := range s.Stack {
		for k := range e.Values {
			names[k] = true
		}
	}
	columns := append([]string{"mechanism", "label", "count"}, sortedKeys(names)...)
	text := strings.Join(columns, ",") + "\n"
	for _, e := range s.Stack {
		label := e.Label
		if strings.Contains(label, ",") {
			label = `"` + label + `"`
		}
		row := []string{e.Mechanism, label, py(e.Count)}
		for _, c := range columns[3:] {
			cell := ""
			if v, ok := e.Values[c]; ok {
				cell = py(v.Number)
			}
			row = append(row, cell)
		}
		text += strings.Join(row, ",") + "\n"
	}
	return text
}

func pairs(s *scenarios.Scenario) string {
	var list []string
	for _, e := range s.Stack {
		for range int(e.Count) {
			list = append(list, fmt.Sprintf("(%s, %s)", py(e.Values["epsilon"].Number), py(e.Values["delta"].Number)))
		}
	}
	return strings.Join(list, ", ")
}

func budget(e scenarios.Entry) string {
	x := func(name string) string { return py(e.Values[name].Number) }
	switch e.Mechanism {
	case "pure":
		return "PureDPBudget(epsilon=" + x("epsilon") + ")"
	case "approximate":
		return "ApproxDPBudget(epsilon=" + x("epsilon") + ", delta=" + x("delta") + ")"
	}
	return "RhoZCDPBudget(rho=" + x("rho") + ")"
}

// namedTuples writes a scenario as JSON of dp_accounting's events.
func namedTuples(s *scenarios.Scenario) string {
	var events []string
	for _, e := range s.Stack {
		tuple := func(class, fields string) string {
			return `{"module_name": "dp_accounting.dp_event", "class_name": "` + class + `", ` + fields + "}"
		}
		x := func(field, name string) string { return `"` + field + `": ` + py(e.Values[name].Number) }
		text, count := "", e.Count
		switch e.Mechanism {
		case "gaussian":
			text = tuple("GaussianDpEvent", `"noise_multiplier": `+py(e.Values["sigma"].Number/e.Values["sensitivity"].Number))
		case "laplace":
			text = tuple("LaplaceDpEvent", x("noise_multiplier", "scale"))
		case "pure", "approximate":
			text = tuple("EpsilonDeltaDpEvent", x("epsilon", "epsilon")+", "+x("delta", "delta"))
		case "zcdp":
			text = tuple("ZCDpEvent", x("rho", "rho"))
		case "exponential":
			text = tuple("ExponentialMechanismDpEvent", x("epsilon", "epsilon"))
		case "dp-sgd":
			text, count = tuple("PoissonSampledDpEvent", x("sampling_probability", "sampling_rate")+`, "event": `+
				tuple("GaussianDpEvent", x("noise_multiplier", "noise_multiplier"))), count*e.Values["steps"].Number
		}
		events = append(events, tuple("SelfComposedDpEvent", `"event": `+text+`, "count": `+py(count)))
	}
	return `{"class_name": "ComposedDpEvent", "events": [` + "\n " + strings.Join(events, ",\n ") + "\n]}\n"
}

var (
	tupleLine  = regexp.MustCompile(`(?m)^ (.*\}),?$`)
	eventLine  = regexp.MustCompile(`(?m)^    (dpa?_?[a-z]*\..*),$`)
	jsonItem   = regexp.MustCompile(`(?s)  (\[\n.*?\n  \])`)
	odpItem    = regexp.MustCompile(`(?s)(\{\s*"__function__": "make_[a-z]+",\s*"__kwargs__": \{\s*"input_domain".*?"measurements",\s*"__version__": "[^"]*"\s*\}|\{\s*"__function__": "make_randomized.*?"measurements",\s*"__version__": "[^"]*"\s*\})`)
	tablesRow  = regexp.MustCompile(`(?m)^(.+)$`)
	spentPairs = regexp.MustCompile(`(\([^(),]*, [^()]*\))`)
)

// find locates every release in the text, and says which entry it belongs to.
func (d *drawn) find() {
	pattern := map[string]*regexp.Regexp{"dp-accounting": eventLine, "opacus": jsonItem, "opendp": odpItem, "csv": tablesRow, "diffprivlib": spentPairs,
		"tumult": tablesRow, "named tuples": tupleLine}[d.format]
	places := pattern.FindAllStringSubmatchIndex(d.text, -1)
	var owners []int
	switch d.format {
	case "opendp": // grouped by kind, every copy written out
		var kinds []string
		of := map[string][]int{}
		for i, e := range d.scenario.Stack {
			m, _ := mechanisms.New(e.Mechanism, e.Values)
			kind, _ := openDPCall(e, m)
			if of[kind] == nil {
				kinds = append(kinds, kind)
			}
			for range int(e.Count * d.scenario.Rounds) {
				of[kind] = append(of[kind], i)
			}
		}
		for _, k := range kinds {
			owners = append(owners, of[k]...)
		}
	case "diffprivlib", "tumult":
		for i, e := range d.scenario.Stack {
			owners = append(owners, slices.Repeat([]int{i}, int(e.Count))...)
		}
	default:
		for i := range d.scenario.Stack {
			owners = append(owners, i)
		}
		if d.format == "csv" {
			places = places[1:]
		}
	}
	if len(places) != len(owners) {
		panic(fmt.Sprintf("%d releases found, %d written:\n%s", len(places), len(owners), d.text))
	}
	for i, p := range places {
		d.spans = append(d.spans, span{p[2], p[3], owners[i]})
	}
}

// without takes releases out of the scenario: whole entries, or single copies where
// the format writes copies.
func (d drawn) without(gone []int) *scenarios.Scenario {
	s := d.scenario.Clone()
	copies := d.format == "opendp" || d.format == "diffprivlib" || d.format == "tumult"
	if copies { // multiply the rounds out first
		for i := range s.Stack {
			s.Stack[i].Count *= s.Rounds
		}
		s.Rounds = 1
	}
	for _, i := range gone {
		if copies {
			s.Stack[i].Count--
		} else {
			s.Stack[i].Count = 0
		}
	}
	s.Stack = slices.DeleteFunc(s.Stack, func(e scenarios.Entry) bool { return e.Count <= 0 })
	return s
}
