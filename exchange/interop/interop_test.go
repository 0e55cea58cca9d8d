package interop

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// summary returns a stack in one line, for comparing in tables.
func summary(s *scenarios.Scenario) string {
	var parts []string
	for _, e := range s.Stack {
		text := e.Mechanism
		for _, k := range slices.Sorted(maps.Keys(e.Values)) {
			v := e.Values[k]
			text += " " + k + "="
			switch {
			case v.Text != "":
				text += v.Text
			case v.Items != nil:
				text += "…"
			case v.Type == param.Flag:
				text += strconv.FormatBool(v.Flag)
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
	tried := map[string]bool{}
	for _, c := range []struct{ name, format, in, want string }{
		{"one phase", "opacus", `{"history":[[1.5,0.04,2250]],"mechanism":"rdp"}`,
			"dp-sgd noise_multiplier=1.5 sampling_rate=0.04 steps=2250"},
		{"checkpoint, full batch", "opacus", `{"privacy_accountant_state_dict":{"history":[[2,1,3],[1,0.5,0]],"mechanism":"prv"},"module_state_dict":{}}`,
			"gaussian sigma=2 ×3"},
		{"json tree", "dp-accounting", `{"module_name":"dp_accounting.dp_event","class_name":"SelfComposedDpEvent","event":{"module_name":"dp_accounting.dp_event","class_name":"PoissonSampledDpEvent","sampling_probability":0.01,"event":{"class_name":"GaussianDpEvent","noise_multiplier":1.1}},"count":1000}`,
			"dp-sgd noise_multiplier=1.1 sampling_rate=0.01 steps=1000"},
		{"repr", "dp-accounting", `ComposedDpEvent(events=[LaplaceDpEvent(noise_multiplier=10.0), SelfComposedDpEvent(event=ExponentialMechanismDpEvent(epsilon=0.5), count=10), NoOpDpEvent()])`,
			"laplace scale=10; exponential epsilon=0.5 ×10"},
		{"response", "dp-accounting", `RandomizedResponseDpEvent(0.5, 2)`,
			"randomized-response categories=2 truth=0.75"},
		{"gaussians on one sample", "dp-accounting", `PoissonSampledDpEvent(sampling_probability=0.1, event=SelfComposedDpEvent(event=GaussianDpEvent(2.0), count=4))`,
			"dp-sgd noise_multiplier=1 sampling_rate=0.1 steps=1"},
		{"sampled Laplace", "dp-accounting", `SelfComposedDpEvent(PoissonSampledDpEvent(0.2, LaplaceDpEvent(0.5)), 3)`,
			"laplace scale=0.5 @0.2 ×3"},
		{"discrete Gaussian", "dp-accounting", `DiscreteGaussianDpEvent(2.0, 3, dimension=1)`, "discrete-gaussian sensitivity=3 sigma=2"},
		{"discrete Gaussian of unknown dimension", "dp-accounting", `DiscreteGaussianDpEvent(sigma=2.0)`, "zcdp rho=0.125"},
		{"vector discrete Gaussian", "dp-accounting", `DiscreteGaussianDpEvent(sigma=2.0, sensitivity=1.0, dimension=5)`,
			"zcdp rho=0.125"},
		{"zcdp with offset", "dp-accounting", `ZCDpEvent(rho=0.1, xi=0.2)`, "zcdp rho=0.1 xi=0.2"},
		{"permute and flip", "dp-accounting", `PermuteAndFlipDpEvent(epsilon=1)`, "noisy-max epsilon=1 noise=exponential"},
		{"statement", "tf-privacy", statement,
			"dp-sgd noise_multiplier=1 sampling_rate=0.0064 steps=782"},
		{"spent list", "diffprivlib", `[(0.5, 0), (0.5, 0), (1, 1e-06), (0, 0)]`,
			"pure epsilon=0.5 ×2; approximate delta=1e-06 epsilon=1"},
		{"failure probability alone", "diffprivlib", `[(0, 1e-06)]`, "approximate delta=1e-06 epsilon=0"},
		{"accountant as it is made", "diffprivlib", `BudgetAccountant(epsilon=inf, delta=1, slack=0, spent_budget=[(0.1, 0)])`, "pure epsilon=0.1"},
		{"accountant with numbers of numpy", "diffprivlib", `BudgetAccountant(float("inf"), 1.0, 0.0, [(np.float64(0.1), 0)])`, "pure epsilon=0.1"},
		{"accountant", "diffprivlib", `BudgetAccountant(epsilon=3, delta=1e-05, slack=1e-03, spent_budget=[(0.1, 0)])`,
			"pure epsilon=0.1"},
		{"budgets one a line", "tumult", "PureDPBudget(epsilon=1)\nApproxDPBudget(epsilon=1/2, delta=1e-6)\nRhoZCDPBudget(rho=Fraction(1, 4))\n",
			"pure epsilon=1; approximate delta=1e-06 epsilon=0.5; zcdp rho=0.25"},
		{"laplace on integers", "opendp", `{"__function__":"make_laplace","__module__":"measurements","__kwargs__":{"input_domain":{"__function__":"atom_domain","__module__":"domains","__kwargs__":{"T":"i32"}},"input_metric":{"__function__":"absolute_distance","__module__":"metrics","__kwargs__":{"T":"i32"}},"scale":4},"__version__":"0.14.0"}`,
			"geometric scale=4"},
		{"chain and composition", "opendp", `{"__function__":"make_composition","__module__":"combinators","__kwargs__":{"measurements":[{"__function__":"make_chain_mt","__module__":"combinators","__kwargs__":{"measurement1":{"__function__":"make_gaussian","__module__":"measurements","__kwargs__":{"input_domain":{"__function__":"atom_domain","__module__":"domains","__kwargs__":{"T":"f64"}},"input_metric":{"__function__":"absolute_distance","__module__":"metrics","__kwargs__":{"T":"f64"}},"scale":3.5}},"transformation0":{"__function__":"make_count","__module__":"transformations","__kwargs__":{"input_domain":{"__function__":"vector_domain","__module__":"domains","__kwargs__":{"atom_domain":{"__function__":"atom_domain","__module__":"domains","__kwargs__":{"T":"String"}}}},"input_metric":{"__function__":"symmetric_distance","__module__":"metrics","__kwargs__":{}},"TO":"f64"}}}},{"__function__":"make_randomized_response_bool","__module__":"measurements","__kwargs__":{"prob":0.75}}]}}`,
			"gaussian sigma=3.5; randomized-response truth=0.75"},
		{"rows", "csv", "mechanism,epsilon,delta,count\nlaplace,0.1,,20\n,1,1e-6,1\n# remark\ngaussian,,,\n",
			""},
		{"rows with parameters", "csv", "\ufeffMechanism,epsilon,delta,count,sigma,label\nlaplace,0.1,0,20,,counts\n,1,1e-6,2,,\ngaussian,,,,25,\n",
			"laplace epsilon=0.1 ×20; approximate delta=1e-06 epsilon=1 ×2; gaussian sigma=25"},
		{"zCDP", "registry", registryRecord("variant_name: Zero-concentrated DP", "{rho: 0.5}"), "zcdp rho=0.5"},
		{"a delta as Python prints it", "csv", "epsilon,delta\n1,1e-05\n1,0.0\n", "approximate delta=1e-05 epsilon=1; pure epsilon=1"},
	} {
		tried[c.format] = true
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
	everyFormatIn(t, tried)
}

// everyFormatIn checks that a table has a row of every format that is read.
func everyFormatIn(t *testing.T, tried map[string]bool) {
	t.Helper()
	names, _ := Formats()
	for _, name := range names {
		if !tried[name] {
			t.Errorf("the table has no record of the format %s", name)
		}
	}
}

// A record that cannot be read says where and what was expected.
func TestImportBroken(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range []struct{ format, in, want string }{
		{"opacus", `{"history": [[1.5, 0.04]]}`, "line 1, column 14: an item of history must hold 3 numbers (noise multiplier, sample rate, steps), got 2"},
		{"opacus", `{"history": [[1.5, 4, 10]]}`, "line 1, column 14: the sampling rate must be above 0 and at most 1, got 4"},
		{"opacus", `{"history": [[0, 0.4, 10]]}`, "line 1, column 15: noise multiplier must be a finite number above 0, got 0"},
		{"opacus", `{"mechanism": "rdp"}`, "line 1, column 1: an accountant's state lacks history"},
		{"opacus", "{\n\"history\": oops}", "line 2, column 12: this is not JSON"},
		{"opacus", `{"history": null}`, "line 1, column 13: history must be a list, found null"},
		{"opacus", `{"history": []}`, "the record holds nothing that spends privacy"},
		{"opacus", `{"history": [[1, 0.5, null]]}`, "line 1, column 23: steps must be a number, found null"},
		{"opacus", `{"history": [[1, 0.5, 9]], "history": [[1, 0.5, 1]]}`, `line 1, column 28: the key "history" is given twice`},
		{"opacus", `{"history": [[1, 0.5, 9]]} {}`, "line 1, column 29: something follows the end of the record"},
		{"opacus", `{"history": [[1, 0.5, 9]], "steps": 90}`, `line 1, column 37: an accountant's state has no "steps": it takes history, mechanism, adjacency`},
		{"opacus", `{"history": [[1, 0.5, 9]], "mechanism": "bnb"}`, `line 1, column 41: the accountant "bnb" is not one of rdp, prv, gdp, epsiloscope: what its history means is not known`},
		{"opacus", `{"history": [[1, 0.5, 9]], "adjacency": "replace"}`, `line 1, column 41: adjacency must be "zero-out" or as export writes it for replace`},
		{"dp-accounting", `SelfComposedDpEvent(event=GaussianDpEvent(1.0), count=2.5)`, "line 1, column 55: count must be a whole number of at least 0, got 2.5"},
		{"dp-accounting", `SelfComposedDpEvent(GaussianDpEvent(1.0), count=100, count=1)`, "line 1, column 60: count is given twice in SelfComposedDpEvent"},
		{"dp-accounting", `SelfComposedDpEvent(count=3, GaussianDpEvent(1.0))`, "line 1, column 30: an argument without a name follows one with a name"},
		{"dp-accounting", `GaussianDpEvent(noise_multiplier=1, sensitivity=5)`, `line 1, column 49: GaussianDpEvent has no "sensitivity": it takes noise_multiplier`},
		{"dp-accounting", `GaussianDpEvent(1, 5)`, "line 1, column 20: GaussianDpEvent takes no argument 2"},
		{"dp-accounting", `ComposedDpEvent(events)`, "line 1, column 17: events must be a list, found a name (events)"},
		{"dp-accounting", `ComposedDpEvent(event=[GaussianDpEvent(1)])`, `line 1, column 23: ComposedDpEvent has no "event": it takes events`},
		{"dp-accounting", `{"class_name": "ComposedDpEvent", "events": null}`, "line 1, column 45: events must be a list, found null"},
		{"dp-accounting", `{"class_name": "ComposedDpEvent", "events": {"class_name": "GaussianDpEvent", "noise_multiplier": 1}}`, "line 1, column 45: events must be a list, found a call (GaussianDpEvent)"},
		{"dp-accounting", `BananaDpEvent()`, "line 1, column 1: the event BananaDpEvent is not known"},
		{"dp-accounting", `other.GaussianDpEvent(1)`, "line 1, column 1: the name other.GaussianDpEvent is not known"},
		{"dp-accounting", `GaussianDpEvent()`, "line 1, column 1: GaussianDpEvent lacks noise_multiplier"},
		{"dp-accounting", `GaussianDpEvent(sigma)`, "line 1, column 17: noise_multiplier must be a number, found a name (sigma)"},
		{"dp-accounting", "GaussianDpEvent(\n1" + strings.Repeat("0", 1000) + ")", "line 2: a number of more than 1000 digits is not read"},
		{"dp-accounting", "GaussianDpEvent(\n  noise_multiplier=", "line 3, column 1: found end of file, expected a value"},
		{"dp-accounting", `[{"class": "x"}]`, "line 1, column 2: an event lacks class_name"},
		{"dp-accounting", "event = GaussianDpEvent(1)\nevent = GaussianDpEvent(9)", "line 2, column 1: event is assigned a second time, and what it was before is not used"},
		{"dp-accounting", "event = GaussianDpEvent(1)\nlate = GaussianDpEvent(9)", "line 2, column 8: a second event, and nothing composes it with the first"},
		{"diffprivlib", "[(1.0, 1e-400)]", "line 1, column 8: 1e-400 is not read"}, // 0 to Python, and not none to whoever wrote it
		{"dp-accounting", "event = EpsilonDeltaDpEvent(epsilon=1.0, delta=1e-200*1e-200)", "line 1, column 48: the result of * is not a number that is known exactly"},
		{"dp-accounting", "event = EpsilonDeltaDpEvent(epsilon=1.0, delta=Decimal('1e-400'))", `line 1, column 56: "1e-400" is not a number`},
		{"opacus", `{"history": [[1, 1e-400, 10]], "mechanism": "rdp"}`, "line 1, column 18: the number 1e-400 is too large, or too small"},
		{"dp-accounting", "for i in range(9):\n  event = GaussianDpEvent(1)", "line 1, column 1: a for loop is not read: write out what is composed"},
		{"dp-accounting", "event = GaussianDpEvent(1 if x else 2)", "line 1, column 25: this kind of expression is not read: only numbers, lists, names and calls are"},
		{"dp-accounting", "event = GaussianDpEvent(2 ** 3)", "line 1, column 29: found '**', expected ','"},
		{"dp-accounting", "count = 2\ncount += 3", "line 2, column 1: only name = value is read as an assignment"},
		{"dp-accounting", "event = [\nimport x\n]", "line 2, column 1: found pass, expected a value"},
		{"dp-accounting", "from evil import GaussianDpEvent\nevent = GaussianDpEvent(1)", "line 2, column 9: the name evil.GaussianDpEvent is not known"},
		{"dp-accounting", "# coding: utf-7\nevent = GaussianDpEvent(1)", "line 1: the coding utf-7 is not read: save the file as UTF-8"},
		{"dp-accounting", "event = GaussianDpEvent(1)\r# x", "line 1: holds a control character, or is not UTF-8"},
		{"dp-accounting", "eveｎt = GaussianDpEvent(1)\nx = eveｎt", "line 1, column 1: eveｎt: only names of plain letters are read"},
		{"dp-accounting", "a = rdp.RdpAccountant()", "line 1, column 5: the name rdp.RdpAccountant is not known"},
		{"dp-accounting", "a = RdpAccountant().compose(GaussianDpEvent(1), 9)\nb = PLDAccountant()", "the accountants have not composed the same events under the same relation: import each by itself"},
		{"dp-accounting", "e = GaussianDpEvent(1)\na = RdpAccountant().compose(e, 9)\nb = PLDAccountant(NeighboringRelation.REPLACE_ONE).compose(e, 9)", "the accountants have not composed the same events under the same relation: import each by itself"},
		{"dp-accounting", "e = LaplaceDpEvent(1)\na = RdpAccountant().compose(GaussianDpEvent(1))", "line 1, column 5: this event is built and composed by no accountant"},
		{"dp-accounting", "a = RdpAccountant(neighboring_relation=2).compose(GaussianDpEvent(1))", "line 1, column 40: neighboring_relation must be a neighbouring relation, found a number"},
		{"dp-accounting", "a = RdpAccountant().compose(RandomizedResponseDpEvent(0.5, 2))", "line 1, column 29: dp_accounting has no RandomizedResponseDpEvent under ADD_OR_REMOVE_ONE"},
		{"dp-accounting", `ComposedDpEvent([])`, "the record holds nothing that spends privacy"},
		{"tf-privacy", "hello", `no sentence of the form "DP-SGD performed over N examples with B examples per iteration, noise multiplier Z for E epochs …" at the start`},
		{"tf-privacy", tfRun + " " + tfRun, `not understood, from here on: "DP-SGD performed over 10000 examples with 64 examples per it"`},
		{"tf-privacy", tfRun + " The run was repeated 9 times.", `not understood, from here on: "The run was repeated 9 times."`},
		{"diffprivlib", `[(1, 0), ...]`, "line 1, column 10: the list is shortened with ...; save the whole list instead"},
		{"diffprivlib", `[(1, 0, 3)]`, "line 1, column 3: an item of spent_budget must be a pair (epsilon, delta)"},
		{"diffprivlib", `[(-1, 0)]`, "line 1, column 3: epsilon must be a finite number above 0, got -1"},
		{"diffprivlib", `BudgetAccountant(spent_budget=[(1, 0)], spent_budget=[(0.1, 0)])`, "line 1, column 54: spent_budget is given twice in BudgetAccountant"},
		{"diffprivlib", "[(1, 0)]\n[(1, 0)]", "expected one list of (epsilon, delta) pairs, or one BudgetAccountant; found 2"},
		{"diffprivlib", `BudgetAccountant()`, "line 1, column 1: BudgetAccountant lacks spent_budget"},
		{"diffprivlib", `[]`, "the record holds nothing that spends privacy"},
		{"tumult", "PureDPBudget(epsilon=inf)", "line 1, column 22: epsilon must be a finite number above 0, got ∞"},
		{"tumult", "ApproxDPBudget(1)", "line 1, column 1: ApproxDPBudget lacks delta"},
		{"tumult", "5", "line 1, column 1: a budget must be a call, found a number"},
		{"opendp", `{"__function__":"make_tulap","__module__":"measurements","__kwargs__":{}}`, "line 1, column 1: make_tulap spends privacy in a way that is not known here"},
		{"opendp", `{"__function__":"make_laplace","__module__":"elsewhere","__kwargs__":{"scale":1}}`, `line 1, column 1: make_laplace of the module "elsewhere" is not a measurement that is known`},
		{"opendp", `{"__function__":"make_laplace","__module__":"measurements","__kwargs__":{"scale":1}}`, "line 1, column 73: make_laplace lacks input_domain"},
		{"opendp", `[{"__function__":"make_randomized_response_bool","__module__":"measurements","__kwargs__":{"prob":0.75}},{"__function__":"make_composition","__module__":"combinators","__kwargs__":{"measurements":[]}}]`, "line 1, column 197: make_composition of nothing"},
		{"dp-accounting", "{\"class_name\": \"Gauss\\u202eDpEvent\"}", `line 1, column 16: class_name: "Gauss\u202eDpEvent" is not a name`},
		{"dp-accounting", "PoissonSampledDpEvent(0.1, PoissonSampledDpEvent(0.1, GaussianDpEvent(1)))", "these events spend privacy and have no counterpart in a scenario; replace them by an approximate, zcdp or rdp entry with their known guarantee:\n  line 1, column 28: PoissonSampledDpEvent: a sample of a sample is not known here"},
		{"opendp", `{"__function__":"make_randomized_response_bool","__module__":"measurements","__kwargs__":{"prob":0.3}}`, "the record holds values outside what a scenario allows:\nstack[1].truth: must be greater than 1/categories = 0.5, got 0.3: a lie would be likelier than the truth"},
		{"csv", "", "line 1: expected a header such as mechanism,epsilon,delta,count"},
		{"csv", "mechanism,scale,query.kind,max_partitions_contributed\nlaplace,9,histgram,3\n", "line 2: query.kind: must be one of count, people, histogram, people-by-group, sum, sums, mean, vector, got \"histgram\""},
		{"csv", "mechanism,scale,query.kind\nlaplace,9,sum\n", "line 2: query.clip: is missing; without a range there is no limit to what one value adds: state the one that the program cuts values to, such as [0, 100]"},
		{"csv", "mechanism,scale,maxrowsperid\nlaplace,9,3\n", "line 2: query.kind: is missing; say what is asked: count, people, histogram, people-by-group, sum, sums, mean, vector"},
		{"csv", "mechanism,scale,query.max_groups,max_partitions_contributed\nlaplace,9,3,4\n", "line 1, column 4: the column query.max_groups is there twice"},
		{"csv", "mechanism,count\npure,1.5\n", "line 2: count must be a whole number of at least 0, got 1.5"},
		{"csv", "mechanism,epsilon,delta\npure,1,1e-5\n", "line 2: delta: pure has no δ of its own"},
		{"csv", "mechanism,epsilon\npure,1,2\n", "line 2: the number of fields or the quotes do not match the header"},
		{"csv", "mechanism,epsilon,count\npure,1\n", "line 2: the number of fields or the quotes do not match the header"},
		{"csv", "mechanism,epsilon\npure,1\n# pure,9\n", "line 3: a row that starts with # is not skipped: take it out, or the #"},
		{"csv", "# a ledger\nmechanism,epsilon\npure,1\n", `line 1, column 1: "# a ledger" is no parameter of any mechanism`},
		{"csv", "mechanism,epsilon,times\npure,1,\n", `line 1, column 3: "times" is no parameter of any mechanism`},
		{"csv", "mechanism,epsilon,epsilon\npure,1,9\n", "line 1, column 3: the column epsilon is there twice"},
		{"csv", "mechanism,epsilon,count\npure,1,1.000\n", "line 2: count: 1.000 may be a thousand: write it without the point"},
		{"csv", "mechanism,noise_multiplier,sampling_rate,steps\ndp-sgd,1,0.01,12.500\n", "line 2: steps: 12.500 may be a thousand: write it without the point"},
		{"csv", "mechanism,sigma\ngaussian,2*-05\n", `line 2: sigma: "2*-05" can be read in two ways: write it without leading zeros, and without _ after the point`},
		{"csv", "mechanism,sigma\ngaussian,031\n", `line 2: sigma: "031" can be read in two ways: write it without leading zeros, and without _ after the point`},
		{"csv", "mechanism,epsilon\npure,0.1_0e-1\n", `line 2: epsilon: "0.1_0e-1" can be read in two ways: write it without leading zeros, and without _ after the point`},
		{"tf-privacy", strings.Replace(tfRun, "10000", "017500", 1), `the statement: examples: "017500" is not a number`},
		{"tf-privacy", strings.Replace(tfRun, "10000", "10.000", 1), `the statement: examples: "10.000" is not a number`},
		{"tf-privacy", strings.Replace(tfRun, "for 5.0 epochs", "for 0.1_0e-1 epochs", 1), `the statement: epochs: "0.1_0e-1" is not a number`},
		{"tumult", `PureDPBudget(Decimal("0x1p-2"))`, `line 1, column 22: "0x1p-2" is not a number`},
		{"registry", "name: x\n", `line 1, column 7: a registry record has no "name": it takes url_slug, status, tier, deployment`},
		{"csv", "mechanism,epsilon\n", "the record holds nothing that spends privacy"},
	} {
		tried[c.format] = true
		_, err := Import(c.format, []byte(c.in))
		if err == nil {
			t.Errorf("%s %q: accepted, want %q", c.format, c.in, c.want)
			continue
		}
		if err.Error() != c.format+": "+c.want {
			t.Errorf("%s %q:\n got  %s\n want %s", c.format, c.in, err, c.want)
		}
	}
	everyFormatIn(t, tried)
}

// What spends privacy and cannot be expressed is never dropped silently.
func TestImportRefusesWhatItCannotExpress(t *testing.T) {
	_, err := Import("dp-accounting", []byte(`ComposedDpEvent([GaussianDpEvent(1.0), NonPrivateDpEvent(), SampledWithReplacementDpEvent(100, 10, GaussianDpEvent(1.0))])`))
	if err == nil {
		t.Fatal("a non-private event was accepted")
	}
	for _, want := range []string{"line 1, column 40: NonPrivateDpEvent", "line 1, column 61: SampledWithReplacementDpEvent"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message does not name %q:\n%s", want, err)
		}
	}
}

const tfRun = "DP-SGD performed over 10000 examples with 64 examples per iteration, noise multiplier 2.0 for 5.0 epochs without microbatching, and at most 3 examples per user. Example-level DP with add-or-remove-one adjacency at delta = 1e-06 computed with PLD accounting: Epsilon with each example occurring once per epoch: 12.595 Epsilon assuming Poisson sampling (*): 1.199"

func TestStatementClaims(t *testing.T) {
	rec, err := Import("tf-privacy", []byte(tfRun))
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Claims) != 2 || rec.Claims[0].Epsilon != 1.199 || rec.Claims[0].Method != "numerical" ||
		rec.Claims[1].Epsilon != 12.595 {
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
			"zcdp,,,,,0.125,,,,\ndiscrete-gaussian,,5,,,,,,2,20\n"},
		{"dp-accounting", "mechanism,scale,sensitivity,count,epsilon\ngeometric,4,3,2,\nlaplace,5,,2,\npure,,,,0.5\n"},
		{"dp-accounting", "mechanism,of.mechanism,of.rho,of.count,of.noise_multiplier,of.sampling_rate,of.steps,runs.distribution,runs.mean,runs.shape,count\n" +
			"select,zcdp,0.05,,,,,logarithmic,10,,3\nselect,zcdp,0.1,4,,,,negative-binomial,3,0.5,\nselect,dp-sgd,,,1.5,0.01,500,poisson,20,,\n"},
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
		out, _, err := Export(c.format, rec.Scenario)
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
	_, _, err = Export("opacus", rec.Scenario)
	want := "opacus: an Opacus history holds Poisson-sampled Gaussian steps only; not expressible: entry 1: laplace (counts)"
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

// A response that hardly ever lies: what is imported lies no more often than the record says,
// as its ε, ln(truth/lie), would be too small.
func TestImportedResponseLiesNoMore(t *testing.T) {
	for _, p := range []float64{1.3e-13, 3e-15, 1e-12, 7e-10, 0.9e-6} {
		rec, err := Import("dp-accounting", fmt.Appendf(nil, "RandomizedResponseDpEvent(noise_parameter=%v, num_buckets=2)", p))
		if err != nil {
			t.Fatal(err)
		}
		if lies := 1 - rec.Scenario.Stack[0].Values["truth"].Number; lies > p/2 {
			t.Errorf("it lies with probability %v, not %v", lies, p/2)
		}
	}
}
