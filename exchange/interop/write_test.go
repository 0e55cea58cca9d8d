package interop

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// exported writes what Export writes, "" if it refuses.
func exported(format string) func(*scenarios.Scenario) string {
	return func(s *scenarios.Scenario) string {
		text, _, err := Export(format, s)
		if err != nil {
			return ""
		}
		return string(text)
	}
}

// table writes rows that the csv format reads.
func table(s *scenarios.Scenario) string {
	names := map[string]bool{}
	for _, e := range s.Stack {
		for k := range e.Values {
			names[k] = true
		}
	}
	columns := append([]string{"mechanism", "label", "count"}, slices.Sorted(maps.Keys(names))...)
	text := strings.Join(columns, ",") + "\n"
	for _, e := range s.Stack {
		label := e.Label
		if strings.Contains(label, ",") {
			label = `"` + label + `"`
		}
		row := []string{e.Mechanism, label, py(e.Count)}
		for _, c := range columns[3:] {
			cell := ""
			if v, ok := e.Values[c]; ok && v.Text != "" {
				cell = v.Text
			} else if ok && v.Type == param.Flag {
				cell = strconv.FormatBool(v.Flag)
			} else if ok {
				cell = py(v.Number)
			}
			row = append(row, cell)
		}
		text += strings.Join(row, ",") + "\n"
	}
	return text
}

// spent writes the repr of diffprivlib's accountant.
func spent(s *scenarios.Scenario) string {
	var list []string
	for _, e := range s.Stack {
		for range int(e.Count) {
			list = append(list, fmt.Sprintf("(%s, %s)", py(e.Values["epsilon"].Number), py(e.Values["delta"].Number)))
		}
	}
	return "BudgetAccountant(epsilon=9, delta=0.001, slack=0.0001, spent_budget=[\n" + strings.Join(list, ",\n") + "])\n"
}

// budgets writes Tumult's budgets, one a line.
func budgets(s *scenarios.Scenario) (text string) {
	for _, e := range s.Stack {
		x := func(name string) string { return py(e.Values[name].Number) }
		line := "RhoZCDPBudget(rho=" + x("rho") + ")"
		switch e.Mechanism {
		case "pure":
			line = "PureDPBudget(epsilon=" + x("epsilon") + ")"
		case "approximate":
			line = "ApproxDPBudget(epsilon=" + x("epsilon") + ", delta=" + x("delta") + ")"
		case "zcdp":
			if x("xi") != "0" {
				return ""
			}
		}
		text += strings.Repeat(line+"\n", int(e.Count))
	}
	return text
}

// statement writes what TF-Privacy prints of a run.
func statement(s *scenarios.Scenario) string {
	v := s.Stack[0].Values
	rate, steps := v["sampling_rate"].Number, v["steps"].Number
	noise, micro := v["noise_multiplier"].Number, "without"
	if steps == 10 {
		noise, micro = 2*noise, "with"
	} else {
		steps -= 0.4 // the last step counts whole
	}
	users := "no bound on number of"
	if noise > 1 {
		users = "at most 3"
	}
	return fmt.Sprintf("DP-SGD performed over 8000 examples with %s examples per iteration, noise\nmultiplier %s for %s epochs %s microbatching, and %s\nexamples per user.\n\n"+
		"This privacy guarantee protects the release of all model checkpoints in addition\nto the final model.\n\n"+
		"Example-level DP with add-or-remove-one adjacency at delta = 1e-06 computed with\nRDP accounting:\n"+
		"    Epsilon with each example occurring once per epoch:        13.376\n    Epsilon assuming Poisson sampling (*):                      1.616\n\n"+
		"User-level DP with add-or-remove-one adjacency at delta = 1e-06 computed using RDP\naccounting and group privacy:\n    Epsilon with each example occurring once per epoch:       inf (**)\n",
		py(8000*rate), py(noise), py(steps*rate), micro, users)
}

// An event of dp_accounting: a class and its fields, of which some are events.
type event struct {
	class  string
	fields []field
}

type field struct {
	name  string
	value any
}

// asEvent returns an entry as an event, and how often it is composed.
func asEvent(e scenarios.Entry) (event, float64) {
	x := func(name string) float64 { return e.Values[name].Number }
	of := func(class string, fields ...field) event { return event{class, fields} }
	count, made := e.Count, event{}
	switch e.Mechanism {
	case "gaussian":
		made = of("GaussianDpEvent", field{"noise_multiplier", x("sigma") / x("sensitivity")})
	case "laplace":
		made = of("LaplaceDpEvent", field{"noise_multiplier", x("scale")})
	case "geometric":
		made = of("DiscreteLaplaceDpEvent", field{"noise_parameter", 1 / x("scale")}, field{"sensitivity", x("sensitivity")})
	case "pure", "approximate":
		made = of("EpsilonDeltaDpEvent", field{"epsilon", x("epsilon")}, field{"delta", x("delta")})
	case "zcdp":
		made = of("ZCDpEvent", field{"rho", x("rho")}, field{"xi", x("xi")})
	case "exponential":
		made = of("ExponentialMechanismDpEvent", field{"epsilon", x("epsilon")})
	case "noisy-max":
		made = of("PermuteAndFlipDpEvent", field{"epsilon", x("epsilon")})
		if e.Values["noise"].Text == "gumbel" {
			made.class = "ExponentialMechanismDpEvent"
		}
	case "discrete-gaussian":
		made = of("DiscreteGaussianDpEvent", field{"sigma", x("sigma")}, field{"sensitivity", x("sensitivity")}, field{"dimension", 1.0})
	case "select":
		run, _ := e.Run()
		inner, times := asEvent(run)
		if times != 1 {
			inner = event{"SelfComposedDpEvent", []field{{"event", inner}, {"count", times}}}
		}
		shape := map[string]float64{"geometric": 1, "negative-binomial": x("runs.shape"), "poisson": math.Inf(1)}[e.Values["runs.distribution"].Text]
		made = of("RepeatAndSelectDpEvent", field{"event", inner}, field{"mean", x("runs.mean")}, field{"shape", shape})
	case "dp-sgd":
		made = of("PoissonSampledDpEvent", field{"sampling_probability", x("sampling_rate")}, field{"event", of("GaussianDpEvent", field{"noise_multiplier", x("noise_multiplier")})})
		count *= x("steps")
	}
	if e.Sampling != 1 {
		made = of("PoissonSampledDpEvent", field{"sampling_probability", e.Sampling}, field{"event", made})
	}
	return made, count
}

// call writes an event as repr does; json as JSON of the named tuple.
func (v event) call() string {
	var list []string
	for _, f := range v.fields {
		text := ""
		switch x := f.value.(type) {
		case float64:
			text = strings.TrimPrefix(strings.ToLower(py(x)), "+") // +Inf is inf there
		case event:
			text = x.call()
		}
		list = append(list, f.name+"="+text)
	}
	return v.class + "(" + strings.Join(list, ", ") + ")"
}

func (v event) json() string {
	text := `{"module_name": "dp_accounting.dp_event", "class_name": "` + v.class + `"`
	for _, f := range v.fields {
		text += `, "` + f.name + `": `
		switch x := f.value.(type) {
		case float64:
			text += py(x)
		case event:
			text += x.json()
		}
	}
	return text + "}"
}

// eventLines writes a script that composes event by event.
func eventLines(s *scenarios.Scenario) string {
	text := "import dp_accounting.rdp\nfrom dp_accounting.dp_event import GaussianDpEvent as Gauss, LaplaceDpEvent\n\na = dp_accounting.rdp.RdpAccountant()\n"
	for _, e := range s.Stack {
		made, count := asEvent(e)
		line := strings.ReplaceAll(strings.ReplaceAll(made.call(), "GaussianDpEvent", "Gauss"), "DiscreteGauss(", "DiscreteGaussianDpEvent(")
		text += "a.compose(" + line + ", count=" + py(count) + ")\n"
	}
	return text + "print(a.get_epsilon(1e-6))\n"
}

// eventRepr writes the repr of the composed events, an event a line.
func eventRepr(s *scenarios.Scenario) string {
	var list []string
	for _, e := range s.Stack {
		made, count := asEvent(e)
		list = append(list, event{"SelfComposedDpEvent", []field{{"event", made}, {"count", count}}}.call())
	}
	return "(ComposedDpEvent(events=[\n " + strings.Join(list, ",\n ") + "\n]))\n"
}

// namedTuples writes JSON of the events.
func namedTuples(s *scenarios.Scenario) string {
	var list []string
	for _, e := range s.Stack {
		made, count := asEvent(e)
		list = append(list, event{"SelfComposedDpEvent", []field{{"event", made}, {"count", count}}}.json())
		if strings.Contains(list[len(list)-1], "Inf") {
			return "" // JSON has no such number
		}
	}
	return `{"class_name": "ComposedDpEvent", "events": [` + "\n " + strings.Join(list, ",\n ") + "\n]}\n"
}

// measurements writes OpenDP measurements as people nest them: noisy max, which is not
// exported, chains and other forms of noise.
func measurements(s *scenarios.Scenario) string {
	call := func(function, module, kwargs string) string {
		return `{"__function__": "` + function + `", "__module__": "` + module + `", "__kwargs__": {` + kwargs + `}}`
	}
	var list []string
	for _, e := range s.Stack {
		x := func(name string) float64 { return e.Values[name].Number }
		noise := func(function, t string, scale float64) string {
			metric := map[bool]string{false: "l1_distance", true: "l2_distance"}[function == "make_gaussian"]
			return call(function, "measurements", `"input_domain": `+call("vector_domain", "domains", `"atom_domain": `+call("atom_domain", "domains", `"T": "`+t+`"`))+
				`, "input_metric": `+call(metric, "metrics", `"T": "`+t+`"`)+`, "scale": `+py(scale))
		}
		text := ""
		switch e.Mechanism {
		case "noisy-max":
			measure := map[string]string{"gumbel": "zero_concentrated_divergence", "exponential": "max_divergence"}[e.Values["noise"].Text]
			text = call("make_noisy_max", "measurements", `"input_domain": `+call("vector_domain", "domains", `"atom_domain": `+call("atom_domain", "domains", `"T": "f64"`))+
				`, "input_metric": `+call("linf_distance", "metrics", `"T": "f64"`)+`, "output_measure": `+call(measure, "measures", "")+`, "scale": `+py(2/x("epsilon"))+`, "negate": false`)
		case "gaussian":
			text = call("make_zCDP_to_approxDP", "combinators", `"measurement": `+noise("make_gaussian", "f64", x("sigma")/x("sensitivity")))
		case "laplace":
			atom := call("atom_domain", "domains", `"T": "f32"`)
			measured := call("make_laplace", "measurements", `"input_domain": `+atom+`, "input_metric": `+call("absolute_distance", "metrics", `"T": "f32"`)+`, "scale": `+py(x("scale")))
			text = call("make_chain_mt", "combinators", `"measurement1": `+measured+`, "transformation0": `+call("make_count", "transformations",
				`"input_domain": `+call("vector_domain", "domains", `"atom_domain": `+atom)+`, "input_metric": `+call("symmetric_distance", "metrics", "")+`, "TO": "f32"`))
		case "geometric":
			if x("sensitivity") != 1 {
				return ""
			}
			text = noise("make_geometric", "i32", x("scale"))
		case "randomized-response":
			list5 := `"a", "b", "c", "d", "e"`
			text = call("make_randomized_response", "measurements", `"categories": [`+list5[:5*int(x("categories"))-2]+`], "prob": `+py(x("truth")))
		}
		for range int(e.Count) {
			list = append(list, text)
		}
	}
	return "[\n " + strings.Join(list, ",\n ") + "\n]\n"
}
