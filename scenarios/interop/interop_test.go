package interop

import (
	"fmt"
	"strings"
	"testing"

	"epsiloscope/scenarios"
)

// summary is a stack in one line, for comparing in tables.
func summary(s *scenarios.Scenario) string {
	var parts []string
	for _, e := range s.Stack {
		text := e.Mechanism
		for _, k := range sortedKeys(e.Values) {
			v := e.Values[k]
			text += " " + k + "="
			switch {
			case v.Text != "":
				text += v.Text
			case v.Items != nil:
				text += "…"
			default:
				text += fmt.Sprintf("%.12g", v.Number) // 0.75 may come back as its neighbour
			}
		}
		if e.Sampling != 1 {
			text += " @" + py(e.Sampling)
		}
		if e.Count != 1 {
			text += " ×" + py(e.Count)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// The shapes are those the tools document; the files are written by hand.
func TestImport(t *testing.T) {
	const statement = `DP-SGD performed over 10000 examples with 64 examples per iteration, noise
multiplier 2.0 for 5.0 epochs with microbatching, and no bound on number of
examples per user.

Example-level DP with add-or-remove-one adjacency at delta = 1e-06 computed with
RDP accounting:
    Epsilon with each example occurring once per epoch:        13.376
    Epsilon assuming Poisson sampling (*):                      1.616
`
	for _, c := range []struct{ name, format, in, want string }{
		{"one phase", "opacus", `{"history":[[1.5,0.04,2250]],"mechanism":"rdp"}`,
			"dp-sgd noise_multiplier=1.5 sampling_rate=0.04 steps=2250"},
		{"checkpoint, full batch", "opacus", `{"privacy_accountant_state_dict":{"history":[[2,1,3],[1,0.5,0]],"mechanism":"prv"},"module_state_dict":{}}`,
			"gaussian sigma=2 ×3"},
		{"json tree", "dp-accounting", `{"module_name":"dp_accounting.dp_event","class_name":"SelfComposedDpEvent","event":{"module_name":"m","class_name":"PoissonSampledDpEvent","sampling_probability":0.01,"event":{"class_name":"GaussianDpEvent","noise_multiplier":1.1}},"count":1000}`,
			"dp-sgd noise_multiplier=1.1 sampling_rate=0.01 steps=1000"},
		{"repr", "dp-accounting", `ComposedDpEvent(events=[LaplaceDpEvent(noise_multiplier=10.0), SelfComposedDpEvent(event=ExponentialMechanismDpEvent(epsilon=0.5), count=10), NoOpDpEvent()])`,
			"laplace scale=10; exponential epsilon=0.5 ×10"},
		{"response", "dp-accounting", `RandomizedResponseDpEvent(0.5, 2)`,
			"randomized-response categories=2 truth=0.75"},
		{"gaussians on one sample", "dp-accounting", `PoissonSampledDpEvent(sampling_probability=0.1, event=SelfComposedDpEvent(event=GaussianDpEvent(2.0), count=4))`,
			"dp-sgd noise_multiplier=1 sampling_rate=0.1 steps=1"},
		{"sampled Laplace", "dp-accounting", `SelfComposedDpEvent(PoissonSampledDpEvent(0.2, LaplaceDpEvent(0.5)), 3)`,
			"laplace scale=0.5 @0.2 ×3"},
		{"tree aggregation", "dp-accounting", `SingleEpochTreeAggregationDpEvent(noise_multiplier=1.13, step_counts=[1600, 7])`,
			"gaussian sigma=1.13 ×11"},
		{"vector discrete Gaussian", "dp-accounting", `DiscreteGaussianDpEvent(sigma=2.0, sensitivity=1.0, dimension=5)`,
			"zcdp rho=0.125"},
		{"zcdp with offset", "dp-accounting", `ZCDpEvent(rho=0.1, xi=0.2)`, "zcdp rho=0.1 xi=0.2"},
		{"permute and flip", "dp-accounting", `PermuteAndFlipDpEvent(epsilon=1)`, "noisy-max epsilon=1 noise=exponential"},
		{"statement", "tf-privacy", statement,
			"dp-sgd noise_multiplier=1 sampling_rate=0.0064 steps=782"},
		{"spent list", "diffprivlib", `[(0.5, 0), (0.5, 0), (1, 1e-06), (0, 0)]`,
			"pure epsilon=0.5 ×2; approximate delta=1e-06 epsilon=1"},
		{"failure probability alone", "diffprivlib", `[(0, 1e-06)]`, "approximate delta=1e-06 epsilon=0"},
		{"accountant", "diffprivlib", `BudgetAccountant(epsilon=3, delta=1e-05, slack=1e-03, spent_budget=[(0.1, 0)])`,
			"pure epsilon=0.1"},
		{"budgets one a line", "tumult", "PureDPBudget(epsilon=1)\nApproxDPBudget(epsilon=1/2, delta=1e-6)\nRhoZCDPBudget(rho=Fraction(1, 4))\n",
			"pure epsilon=1; approximate delta=1e-06 epsilon=0.5; zcdp rho=0.25"},
		{"laplace on integers", "opendp", `{"__function__":"make_laplace","__module__":"measurements","__kwargs__":{"input_domain":{"__function__":"atom_domain","__module__":"domains","__kwargs__":{"T":"i32"}},"scale":4},"__version__":"0.14.0"}`,
			"geometric scale=4"},
		{"chain and composition", "opendp", `{"__function__":"make_composition","__module__":"combinators","__kwargs__":{"measurements":[{"__function__":"make_chain_mt","__module__":"combinators","__kwargs__":{"measurement1":{"__function__":"make_gaussian","__module__":"measurements","__kwargs__":{"scale":3.5}},"transformation0":{"__function__":"make_sum","__module__":"transformations","__kwargs__":{}}}},{"__function__":"make_randomized_response_bool","__module__":"measurements","__kwargs__":{"prob":0.75}}]}}`,
			"gaussian sigma=3.5; randomized-response truth=0.75"},
		{"rows", "csv", "mechanism,epsilon,delta,count\nlaplace,0.1,,20\n,1,1e-6,1\n# remark\ngaussian,,,\n",
			""},
		{"rows with parameters", "csv", "\ufeffMechanism,epsilon,delta,count,sigma,label\nlaplace,0.1,0,20,,counts\n,1,1e-6,2,,\ngaussian,,,,25,\n",
			"laplace epsilon=0.1 ×20; approximate delta=1e-06 epsilon=1 ×2; gaussian sigma=25"},
	} {
		t.Run(c.format+" "+c.name, func(t *testing.T) {
			rec, err := Import(c.format, []byte(c.in))
			if c.want == "" {
				if err == nil {
					t.Fatal("a Gaussian without sigma was accepted")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(rec.Scenario); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A record that cannot be read says where and what was expected.
func TestImportBroken(t *testing.T) {
	for _, c := range []struct{ format, in, want string }{
		{"opacus", `{"history": [[1.5, 0.04]]}`, "opacus: history[0]: must hold 3 numbers (noise multiplier, sample rate, steps), got 2"},
		{"opacus", `{"history": [[1.5, 4, 10]]}`, "opacus: history[0]: the sampling rate must be above 0 and at most 1, got 4"},
		{"opacus", `{"history": [[0, 0.4, 10]]}`, "opacus: history[0]: the noise multiplier must be a finite number above 0, got 0"},
		{"opacus", `{"mechanism": "rdp"}`, `opacus: history is missing; expected {"history": [[noise multiplier, sample rate, steps], …], "mechanism": "rdp"}`},
		{"opacus", "{\n\"history\": oops}", "opacus: line 2: this is not JSON"},
		{"dp-accounting", `SelfComposedDpEvent(event=GaussianDpEvent(1.0), count=2.5)`, "dp-accounting: event.count: must be a whole number of at least 0, got 2.5"},
		{"dp-accounting", `BananaDpEvent()`, `dp-accounting: event: unknown event "BananaDpEvent"`},
		{"dp-accounting", `GaussianDpEvent()`, "dp-accounting: event: GaussianDpEvent lacks noise_multiplier"},
		{"dp-accounting", "GaussianDpEvent(\n  noise_multiplier=", "dp-accounting: line 2, column 20: the record ends where a value is expected"},
		{"dp-accounting", `[{"class": "x"}]`, "dp-accounting: an event without class_name (fields: class)"},
		{"tf-privacy", "hello", `tf-privacy: no sentence of the form "DP-SGD performed over N examples with B examples per iteration, noise multiplier Z for E epochs …"`},
		{"diffprivlib", `[(1, 0), ...]`, "diffprivlib: line 1, column 10: the list is shortened with ...; save the whole list instead"},
		{"diffprivlib", `[(1, 0, 3)]`, "diffprivlib: spent_budget[0]: must be a pair (epsilon, delta)"},
		{"diffprivlib", `[(-1, 0)]`, "diffprivlib: spent_budget[0]: epsilon must be a finite number above 0, got -1"},
		{"tumult", "PureDPBudget(epsilon=inf)", "tumult: budget 1: epsilon is infinite: such a session promises nothing"},
		{"tumult", "5", "tumult: no PureDPBudget, ApproxDPBudget or RhoZCDPBudget found"},
		{"opendp", `{"__function__":"make_laplace","__module__":"measurements","__kwargs__":{"scale":-1}}`, "opendp: measurement: make_laplace needs a number scale above 0"},
		{"opendp", `{"__function__":"make_tulap","__module__":"measurements","__kwargs__":{}}`, "opendp: measurement: make_tulap spends privacy and has no counterpart in a scenario"},
		{"csv", "", "csv: line 1: expected a header such as mechanism,epsilon,delta,count"},
		{"csv", "mechanism,count\npure,1.5\n", "csv: line 2: count: must be a whole number of at least 0, got 1.5"},
		{"csv", "mechanism,epsilon,delta\npure,1,1e-5\n", "csv: line 2: delta: pure has no δ of its own"},
		{"csv", "mechanism,epsilon\npure,1,2\n", "csv: line 2: the number of fields or the quotes do not match the header"},
		{"nope", "", `unknown import format "nope"; known: opacus, dp-accounting, tf-privacy, diffprivlib, tumult, opendp, csv`},
	} {
		_, err := Import(c.format, []byte(c.in))
		if err == nil {
			t.Errorf("%s %q: accepted, want %q", c.format, c.in, c.want)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s %q:\n got  %s\n want %s", c.format, c.in, err, c.want)
		}
	}
}

// What spends privacy and cannot be expressed is never dropped silently.
func TestImportRefusesWhatItCannotExpress(t *testing.T) {
	_, err := Import("dp-accounting", []byte(`ComposedDpEvent([GaussianDpEvent(1.0), NonPrivateDpEvent(), MixtureOfGaussiansDpEvent(1.0, [0, 1], [0.5, 0.5])])`))
	if err == nil {
		t.Fatal("a non-private event was accepted")
	}
	for _, want := range []string{"event.events[1]: NonPrivateDpEvent", "event.events[2]: MixtureOfGaussiansDpEvent"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message does not name %q:\n%s", want, err)
		}
	}
}

func TestStatementClaims(t *testing.T) {
	rec, err := Import("tf-privacy", []byte("DP-SGD performed over 10000 examples with 64 examples per iteration, noise multiplier 2.0 for 5.0 epochs without microbatching, and at most 3 examples per user. Example-level DP with add-or-remove-one adjacency at delta = 1e-06 computed with PLD accounting: Epsilon with each example occurring once per epoch: 12.595 Epsilon assuming Poisson sampling (*): 1.199"))
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Claims) != 2 || rec.Claims[0].Epsilon != 1.199 || rec.Claims[0].Method != "numerical" || rec.Claims[1].Epsilon != 12.595 {
		t.Errorf("claims: %+v", rec.Claims)
	}
	if rec.Scenario.Budget.Delta != 1e-6 || rec.Scenario.Records != 10000 {
		t.Errorf("budget %+v, records %v", rec.Scenario.Budget, rec.Scenario.Records)
	}
}

// export → import gives the same stack, for every format that has both.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct{ format, csv string }{
		{"dp-accounting", "mechanism,scale,sigma,epsilon,delta,rho,truth,categories,sensitivity,count\n" +
			"laplace,10,,,,,,,,100\ngaussian,,25,,,,,,,52\nexponential,,,0.2,,,,,,4\npure,,,0.1,,,,,,\napproximate,,,1,1e-6,,,,,2\n" +
			"zcdp,,,,,0.125,,,,\nrandomized-response,,,,,,0.75,2,,3\ngeometric,4,,,,,,,3,2\ndiscrete-gaussian,,5,,,,,,2,20\n"},
		{"opendp", "mechanism,scale,sigma,truth,count\nlaplace,10,,,3\ngaussian,,25,,2\ngeometric,4,,,2\ndiscrete-gaussian,,5,,\nrandomized-response,,,0.75,2\n"},
		{"opacus", "mechanism,sigma,noise_multiplier,sampling_rate,steps,count\ngaussian,2,,,,3\ndp-sgd,,1.1,0.01,1000,\n"},
	} {
		rec, err := Import("csv", []byte(c.csv))
		if err != nil {
			t.Fatal(err)
		}
		if c.format == "dp-accounting" { // the others have no place for these
			rec.Scenario.Rounds, rec.Scenario.Budget.Delta = 3, 1e-7
		}
		out, err := Export(c.format, rec.Scenario)
		if err != nil {
			t.Fatalf("%s: %v", c.format, err)
		}
		back, err := Import(c.format, out)
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.format, err, out)
		}
		want := summary(rec.Scenario)
		if c.format == "dp-accounting" && (back.Scenario.Rounds != 3 || back.Scenario.Budget.Delta != 1e-7) {
			t.Errorf("rounds %v and δ %v came back", back.Scenario.Rounds, back.Scenario.Budget.Delta)
		}
		if got := summary(back.Scenario); got != want {
			t.Errorf("%s:\n got  %s\n want %s\n%s", c.format, got, want, out)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	rec, err := Import("csv", []byte("mechanism,epsilon,label\nlaplace,0.1,counts\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Export("opacus", rec.Scenario)
	want := "opacus: an Opacus history holds Gaussian steps only; not expressible: entry 1: laplace (counts)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func FuzzImport(f *testing.F) {
	f.Add("dp-accounting", `ComposedDpEvent([GaussianDpEvent(1.0), [], None])`)
	f.Add("dp-accounting", `{"class_name":"ZCDpEvent","rho":1}`)
	f.Add("tumult", "RhoZCDPBudget(1/2)")
	f.Add("diffprivlib", "[(1,0)]")
	f.Add("opacus", `{"history":[[1,0.5,1e300]]}`)
	f.Add("opendp", `{"__function__":"make_laplace","__kwargs__":{"scale":1e-320}}`)
	f.Add("csv", "mechanism,epsilon\npure,1\n")
	f.Add("tf-privacy", "over 5 examples with 1 examples per iteration, noise multiplier 1e400 for 1 epochs with microbatching")
	f.Fuzz(func(t *testing.T, format, text string) {
		rec, err := Import(format, []byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "interop.") || strings.Contains(err.Error(), "float64") {
				t.Errorf("the message shows a Go type: %s", err)
			}
			return
		}
		if err := rec.Scenario.Validate(); err != nil {
			t.Errorf("imported an invalid scenario: %v", err)
		}
	})
}
