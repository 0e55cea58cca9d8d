package lectures_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/teach/labs"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
)

// names is what must be found in the proof or the lab that a statement of the slides links
// to: words of the step, figure, column, chart or parameter that shows it.
var names = map[lectures.Link]map[string]string{
	"lab:adaptive-gaussian": {
		"hypotheses known in advance are easy, adaptive ones are not": "random blocks",
		"n normals in n/ln n blocks":                                  "samples, in blocks of ln n",
		"random blocks: variance 1/√(n ln n)":                         "variance of random blocks",
		"the largest of each group":                                   "picking the best of each group",
		"density of the largest block mean":                           "largest, exact",
		"the final estimate misses the mean":                          "bias without privacy",
		"the same with private answers":                               "picked privately",
		"the estimate is back near the mean":                          "bias with privacy",
		"distribution and density of the maximum of n normals":        "largest, exact",
		"ε by the generalisation result, only the index released":     "√(ln(1/β)/(2 ln n))",
	},
	"lab:composition": {
		"composability: independent ε’s add up": "sum of ε",
		"two pure mechanisms: ε₁ + ε₂":          "sum of ε",
		"Theorem 1.18: pure composition":        "sum of ε",
		"positive and negative losses cancel":   "speaks for D′",
	},
	"lab:differencing": {
		"two databases that differ by Bob, and two queries on each": "without",
		"noise protects and costs accuracy":                         "one noisy difference",
		"identical queries average the noise out":                   "average of",
		"a database as a vector of occurrences":                     "sum over all 108 people",
		"x = [10, 2, 4, 13, 44, 35]":                                "400 − 395 = 5",
	},
	"lab:erm": {
		"regularised empirical risk J(f, D)":       "regularization",
		"output perturbation, β = nΛε/2":           "output",
		"objective perturbation and its β":         "objective",
		"excess risk of Algorithm 1":               "excess risk bound, output",
		"excess risk of Algorithm 2":               "excess risk bound, objective",
		"c/Λ + η > 2: the second bound is smaller": "excess risk bound, objective",
	},
	"lab:exponential": {
		"exponential mechanism: probability proportional to exp(s·ε/2Δ)":          "Probability of each candidate",
		"four hair colours, 500 against 400, ε = 0.1":                             "dark",
		"a building block for any score and any range":                            "price-bellet",
		"outputs must not depend on the data: prices made of the bids violate DP": "from-data",
		"w should mirror the algorithm":                                           "expected score",
		"sample O with probability proportional to e^{ε·w/2Δ}":                    "sampled",
		"what the output looks like":                                              "Drawn:",
		"four nationalities, 0.95: K ≥ OPT − 2(ln 4 + 3)/ε":                       "nationality",
	},
	"lab:generalization": {
		"sample average and expectation of a query":                      "private pick off by more than τ",
		"fresh data: the two are close; chosen on the data: perhaps not": "plain pick off by more than τ",
		"statistical query with tolerance τ":                             "tau",
		"statistical queries: ε = τ²":                                    "max-information",
		"against √(τ² − ln 2/2n) and 3√2·e^(−nτ²)":                       "P by privacy",
		"generalisation via DP: 3√β for ε ≤ √(ln(1/β)/2n)":               "P by privacy",
	},
	"lab:laplace-counts": {
		"Laplace mechanism: Lap(Δ₁/ε) on each coordinate":           "scale",
		"density proportional to exp(−|η|/λ), mean 0, variance 2λ²": "scale",
		"Laplace mechanism, noise of scale Δf/ε":                    "scale",
		"one count: expected error 1/ε, for any n":                  "expected error",
		"m general counts: m/ε each":                                "basic",
		"a count as a share of n":                                   "share of n",
		"o(n) queries below the sampling error":                     "queries below it, advanced",
		"coordinated noise can do better":                           "Coordinated noise",
		"standard composition: √n queries":                          "queries below it, basic",
		"advanced composition: n queries":                           "queries below it, advanced",
		"Laplace mechanism":                                         "scale",
	},
	"lab:laplace-vs-exponential": {"the result is Laplace noise of scale 2Δ/ε": "2Δ/ε"},
	"lab:median": {
		"one noisy answer can be used again":                           "Correlated queries come free",
		"can one find out whether a query is easy?":                    "Easy:",
		"median mechanism: keep the databases that agree so far":       "Consistent databases left",
		"a hard query: Laplace noise, then keep those within α/50":     "run with α/50",
		"an easy query: the median of their answers":                   "Their median is the answer",
		"easy: more than half of the databases are close to the truth": "close to the truth",
		"that decision leaks, so r_i is made noisy":                    "the test that decides is noisy itself",
	},
	"lab:natural-filter": {"A_adap: pick the next algorithm from earlier outputs": "chooses the last release by the outcome"},
	"lab:odometers":      {"the same, chosen adaptively": "watched all the time"},
	"lab:randomized-response": {
		"add noise":        "ln((½+γ)/(½−γ))",
		"two coins":        "the coin says",
		"γ = 0 and γ = ½":  "Spread of the estimate against γ",
		"the estimator p̂": "mean of the estimates",
	},
	"lab:selection": {
		"releasing all counts wastes budget: Δ = m":             "release all",
		"report noisy max: Lap(1/ε) on each, release the index": "Lap(1/ε)",
	},
	"lab:sparse-vector": {
		"with few positives, pay for those only":               "only the positives are paid for",
		"m queries of sensitivity 1, threshold T, c positives": "positives released before halting",
		"each query may have a threshold of its own":           "each its own",
		"AboveThreshold":                         "the noisy value is above",
		"Sparse restarts AboveThreshold c times": "the threshold gets new noise",
		"Sparse in pseudo-code, with its noise":  "ε of one run",
		"it halts when count > c":                "positives by the slide's rule",
	},
	"lab:thresholdout": {"Thresholdout": "paid for"},
	"lab:tuning":       {"the best hyper-parameters: not a number": "the best of a random number"},

	"proof:above-threshold": {"AboveThreshold is (ε, 0)-DP": "The algorithm itself", "one half hides the past, one half the present round": "shift the threshold by Δ"},
	"proof:adaptive-composition": {
		"what is to be shown, for a fixed output of all rounds": "P[S′ = s]",
		"chain rule, and independence given the algorithm":      "Chain rule",
		"each factor: min(e^{ε_k}·P′, 1) + δ_k":                 "min(e^{ε_k}",
		"recursion over the rounds":                             "one by one",
		"the ratios multiply":                                   "the ratios multiply",
	},
	"proof:advanced-composition": {
		"advanced composition":                        "√(2k ln(1/δ′))·ε + kε(e^ε − 1)",
		"advanced adaptive composition":               "√(2k ln(1/δ′))·ε + kε(e^ε − 1)",
		"mean of the loss, bound on all, probability": "Azuma",
	},
	"proof:chosen-query": {
		"McDiarmid’s inequality":                  "McDiarmid",
		"generalisation via max-information":      "2e^{−nτ²}",
		"take 2: ε = τ/(nc), 2e^(−¾τ²/(nc²))":     "2e^{−¾x}",
		"β = 2e^(−τ²/(nc²)) in the tighter bound": "β = 2e^{−x}",
	},
	"proof:exponential-privacy": {
		"e^{ε/2} for the score, e^{ε/2} for the normaliser": "normaliser",
		"it is ε-DP":                        "largest ratio over the outputs",
		"the exponential mechanism is ε-DP": "largest ratio over the outputs",
	},
	"proof:exponential-utility": {
		"weight of all bad outputs against weight of the best": "bad",
		"utility with |Outputs|, |O_OPT| and t":                "ln(|O|/|O*|) + t",
	},
	"proof:gaussian-zcdp": {
		"its Rényi DP": "αΔ²/(2σ²)",
		"its zCDP":     "ρ = Δ²/(2σ²)",
	},
	"proof:generalization": {
		"generalisation via DP: 3√β for ε ≤ √(ln(1/β)/2n)": "3√β",
		"Hoeffding for a fixed query":                      "Hoeffding",
		"corollary for a query chosen by an ε-DP analysis": "3√2·e^{−nτ²}",
		"β = 2e^(−2nτ²) in the theorem":                    "Put β into the theorem",
	},
	"proof:laplace-exponential": {
		"w constant":                                          "A constant score",
		"w(D, O) = P[A(D) = O]":                               "w = P[A(D) = O]",
		"the distance to f(D) as a score":                     "w = −|f(D) − O|",
		"its sensitivity is at most that of f":                "Δf",
		"every DP algorithm is an exponential mechanism":      "Every DP algorithm",
		"a symmetric version of the exponential distribution": "an exponential one on either side",
	},
	"proof:laplace-privacy": {
		"it is ε-DP":      "max p_x(z)/p_y(z)",
		"it is (ε, 0)-DP": "max p_x(z)/p_y(z)",
		"a product of exponentials and the triangle inequality": "Triangle inequality",
		"the same product of exponentials":                      "products",
	},
	"proof:max-information": {
		"max-divergence D∞":                                       "Max-divergence",
		"δ-approximate max-divergence":                            "D∞^δ",
		"(ε, δ)-DP bounds it by ε·log₂e":                          "ε·log₂e",
		"max-information":                                         "over all pairs of data x and output y",
		"β-approximate max-information":                           "I∞^β",
		"P[x given y] ≤ 2^k·P[x]":                                 "P(x, y)/(P(x)·P(y))",
		"at least the mutual information":                         "mutual information",
		"symmetric":                                               "symmetric",
		"max-information of an algorithm: the worst distribution": "D∞ over all pairs of data sets",
		"pure: the largest D∞ over pairs of data sets":            "D∞ over all pairs of data sets",
		"post-processing":                                         "Post-processing",
		"composition: k₁ + k₂ at β₁ + β₂":                         "k₁ + k₂",
		"a joint event has at most 2^k times its probability under independence, plus β": "2^k·P[independent copies agree]",
		"pure DP: at most log₂e·εn":                           "n·ε·log₂e",
		"two data sets differ in at most n records":           "differ in at most n records",
		"independent records: log₂e(ε²n/2 + ε√(n ln(2/β)/2))": "log₂e(ε²n/2 + ε√(n ln(2/β)/2))",
	},
	"proof:moments": {
		"D_α ≤ ρ as a bound on the moment generating function of the loss": "Rényi divergence of order α + 1",
		"moments μ_n = E[Xⁿ]":                         "μ₁ = E[L]",
		"mean, variance, skewness as central moments": "central",
		"moment generating function":                  "E[e^{αL}]",
		"its series 1 + αμ₁ + α²μ₂/2! + …":            "1 + αμ₁ + α²μ₂/2!",
	},
	"proof:output-perturbation": {
		"plain ERM is deterministic, so not private": "Plain ERM is not private",
		"Algorithm 1 is ε-DP":                        "e^ε",
	},
	"proof:post-processing": {"through the set T of outputs that f maps into S": "the set T"},
	"proof:privacy-loss": {
		"the loss conditioned on events E and E′": "P[r | E]/P[r | E′]",
		"P[|L| ≤ ε] ≥ 1 − δ":                      "P(L > ε)",
	},
	"proof:randomized-response": {
		"no deterministic algorithm is differentially private":            "No deterministic answer but a constant",
		"randomized response is, for p between 1/(1+e^ε) and e^ε/(1+e^ε)": "e^ε/(1 + e^ε)",
		"expectation of an answer over the coins":                         "E[Y]",
		"it is unbiased":                             "unbiased",
		"“contains a 1?” on {0, 1} and {0}":          "Contains a 1?",
		"one coordinate differs, one factor remains": "One coordinate differs",
	},
	"proof:uniform-noise": {"noisy mean with uniform noise": "uniform noise"},
}

func init() {
	lectures.WordsOf = func(see lectures.Link, says string) string { return names[see][says] }
}

// quick makes the longer labs short; what they have to show stays.
var quick = map[string]param.Values{
	"median": {"queries": param.WholeValue(200)}, "thresholdout": {"trials": param.WholeValue(1)}, "adaptive-gaussian": {"trials": param.WholeValue(10)},
	"generalization": {"trials": param.WholeValue(10)}, "odometers": {"samples": param.WholeValue(100)}, "composition": {"samples": param.WholeValue(100)},
	"randomized-response": {"surveys": param.WholeValue(10)},
}

// shownBy returns every word of a proof, about the topic's scenario, or of a lab and a run of it.
func shownBy(t *testing.T, l lectures.Link, scenario string) string {
	var b strings.Builder
	if l.Kind() == "proof" {
		var s *scenarios.Scenario
		if scenario != "" {
			var err error
			if s, err = scenarios.LoadBundled(scenario); err != nil {
				t.Fatal(err)
			}
		}
		p, _ := proofs.Lookup(l.Name())
		w := p.WithNumbers(s)
		fmt.Fprintln(&b, p.Title, w.Subject)
		for _, step := range w.Steps {
			fmt.Fprintln(&b, step.Says, step.Left.Formula, step.Right.Formula)
		}
		return b.String()
	}
	lab, _ := labs.Lookup(l.Name())
	out, err := labs.Run(context.Background(), lab.Name, labs.Options{Seed: 1, Values: quick[lab.Name]})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&b, lab.Title, lab.Summary, out.Says, out.Sequence.Columns)
	for _, p := range lab.Params {
		fmt.Fprintln(&b, p.Name, p.Help, p.Choices)
	}
	for _, f := range out.Figures {
		fmt.Fprintln(&b, f.Name, f.Note)
	}
	for _, x := range out.Tables {
		fmt.Fprintln(&b, x.Title, x.Columns)
		for _, r := range x.Rows {
			fmt.Fprintln(&b, r.Label)
		}
	}
	for _, p := range out.Charts {
		fmt.Fprintln(&b, p.Title, p.X.Label, p.Y.Label)
		for _, s := range p.Series {
			fmt.Fprintln(&b, s.Name)
		}
	}
	for _, s := range out.Sequence.Steps {
		fmt.Fprintln(&b, s.Says)
	}
	return b.String()
}

// Every statement that is said to be proven or run is in the proof or the lab it links to,
// by words that were written down here and not there.
func TestStatementsAreShown(t *testing.T) {
	cache := map[string]string{}
	for _, d := range lectures.Decks() {
		for _, topic := range d.Topics {
			for _, x := range topic.Statements {
				if x.See == "" || x.See.Kind() != "proof" && x.See.Kind() != "lab" {
					continue
				}
				word, known := names[x.See][x.Says]
				if !known {
					t.Errorf("%s: nothing says what of %s shows %q", topic.Slides, x.See, x.Says)
					continue
				}
				key := string(x.See)
				if x.See.Kind() == "proof" {
					key += topic.Scenario()
				}
				if _, done := cache[key]; !done {
					cache[key] = shownBy(t, x.See, topic.Scenario())
				}
				if !strings.Contains(cache[key], word) {
					t.Errorf("%s: %q is not in %s, for %q", topic.Slides, word, x.See, x.Says)
				}
			}
		}
	}
}

// The density of the largest of n normals, as the appendix has it, is that of the run
// (Bassi, slide 73).
func TestLargestBlock(t *testing.T) {
	out, err := labs.Run(context.Background(), "adaptive-gaussian",
		labs.Options{Seed: 1, Values: param.Values{"trials": param.WholeValue(200)}})
	if err != nil {
		t.Fatal(err)
	}
	mean := func(s chart.Series) (sum, mass float64) {
		h := s.X[1] - s.X[0]
		for i, x := range s.X {
			sum, mass = sum+h*x*s.Y[i], mass+h*s.Y[i]
		}
		return sum, mass
	}
	plot := out.Charts[1]
	seen, _ := mean(plot.Series[0])
	exact, mass := mean(plot.Series[1])
	// 6600 groups; a largest of 33 has a deviation of about 0.14.
	if math.Abs(mass-1) > 1e-3 || math.Abs(seen-exact) > 5*0.14/math.Sqrt(6600)+2e-3 {
		t.Errorf("largest block mean: seen %v, exact %v (mass %v)", seen, exact, mass)
	}
}
