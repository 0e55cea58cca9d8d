package lectures_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/labs"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
	"epsiloscope/teach/slides"
)

// given are figures that a slide or a scenario states: there is nothing to compute.
var given = map[string]string{
	"bellet 4": "1.25", "gaboardi 5": "1.25", "park 12": "1.25", // the constant of the classic Gaussian
	"bellet 6": "4.01", "bellet 14": "0.1", "bellet 19": "0.1", "bassi 40": "0.05", "bassi 48": "0.01", "bassi 49": "0.01",
	"bassi 54": "0.2", "gaboardi 16": "2.63", "park 21": "0.01",
}

// told recomputes every other figure of the index: by deck and topic, then as it is
// written there.
func told(t *testing.T) map[string]map[string]float64 {
	of := func(scenario string, m accounting.Method) accounting.Bound {
		s, err := scenarios.LoadBundled(scenario)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Bounds {
			if b.Method == m {
				return b
			}
		}
		t.Fatalf("%s has no bound by %s", scenario, m)
		return accounting.Bound{}
	}
	bound := func(scenario string, m accounting.Method) float64 { return of(scenario, m).Epsilon }
	lower := func(scenario string) float64 { return of(scenario, accounting.Numerical).Lower }
	colour := func(others float64, monotone bool) *selection.Distribution {
		sel, err := mechanisms.Exponential{Epsilon: 0.1, Sensitivity: 1, Monotone: monotone, Candidates: []param.Item{
			{Name: "dark", Value: 500}, {Name: "brown", Value: 400}, {Name: "blond", Value: others},
			{Name: "red", Value: others}}}.Selection()
		if err != nil {
			t.Fatal(err)
		}
		return sel
	}
	share := func(theorem accounting.Method, k, delta float64) float64 { // 1/ε of each of k pure releases within ε = 1
		s := parse(t, fmt.Sprintf("version: 1\nbudget: {epsilon: 1, delta: %g}\nstack: [{mechanism: pure, epsilon: 0.001, count: %g}]\n", delta, k))
		r, err := plan.New().Plan(context.Background(), s, plan.Request{Solve: "epsilon", Method: theorem})
		if err != nil || !r.Feasible {
			t.Fatal(r, err)
		}
		return 1 / r.Value
	}
	last := func(proof string, step int) proofs.Step {
		p, _ := proofs.Lookup(proof)
		return p.WithNumbers(nil).Steps[step]
	}
	smokers := func(counts ...float64) (n, mean float64) {
		for i, c := range counts {
			n, mean = n+c, mean+float64(i)*c
		}
		return n, mean / n
	}
	_, with := smokers(10, 2, 4, 13, 44, 35)
	_, without := smokers(10, 2, 4, 13, 44, 34)
	blocks, err := labs.Run(context.Background(), "adaptive-gaussian",
		labs.Options{Seed: 1, Values: param.Values{"trials": param.WholeValue(100)}})
	if err != nil {
		t.Fatal(err)
	}
	counts, err := labs.Run(context.Background(), "laplace-counts", labs.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	sparse := mechanisms.SparseVector{Epsilon: 1, Delta: 1e-6, Positives: 10, Sensitivity: 1}
	breaks := mechanisms.Thresholdout{Budget: 500, Sigma: 5e-4, N: 1e4} // 1/(σn) = 0.2
	return map[string]map[string]float64{
		"bellet 4":           {"8.4": classicEnd(1e-5)},
		"bellet 14":          {"0.02695": colour(400, false).Bound(100), "0.0067": 1 - colour(0, false).Right(), "0.0198": 1 - colour(400, false).Right(), "0.000136": 1 - colour(400, true).Right()},
		"machanavajjhala 13": {"0.95": 1 - math.Exp(-3), "8.77": 2 * (math.Log(4) + 3), "6.8": 2 * (math.Log(4) + 2), "0.865": 1 - math.Exp(-2)},
		"bassi 4":            {"3.7037": with, "3.6916": without},
		"bassi 9":            {"0.238": 5.0 / 21},
		"bassi 17":           {"1.0157": accounting.AdvancedEpsilon(1.0/800, math.Exp(-32), 1e4), "812.4": share(accounting.Advanced, 1e4, math.Exp(-32)), "715.6": share(accounting.Optimal, 1e4, math.Exp(-32))},
		"bassi 27":           {"4.48": counts.Tables[0].Rows[3].Values[2], "41.7": counts.Tables[0].Rows[2].Values[2]},
		"bassi 26":           {"94.2": share(accounting.Advanced, 300, 1e-6), "91.0": 1 / slides.AdvancedEachSlide(1, 1e-6, 300)},
		"bassi 34":           {"1.0373": accounting.AdvancedEpsilon(slides.AdvancedEachSlide(sparse.Epsilon, sparse.Delta, sparse.Positives), 1e-6, 10), "0.602": 10 * slides.AdvancedEachSlide(sparse.Epsilon, sparse.Delta, sparse.Positives)},
		"bassi 40":           {"0.049652": slides.GeneralizationEpsilon(1e4, 0.05), "5.9·10⁻¹¹": slides.GeneralizationBound(1e4, 0.05)},
		"bassi 42":           {"0.69": blocks.Figures[0].Value, "0.09": blocks.Figures[1].Value},
		"bassi 48":           {"144.3": slides.MaxInformation(0.01, 1e4)},
		"bassi 49":           {"3.07": slides.ApproximateMaxInformation(0.01, 1e4, 0.01)},
		"bassi 52":           {"5.958": last("chosen-query", 5).Left.Value},
		"bassi 54":           {"0.68": slideConstant(), "34.9": breaks.SlideEpsilon(1e-3), "38.5": bound("thresholdout-breaks", accounting.Optimal), "37.6": lower("thresholdout-breaks")},
		"gaboardi 10":        {"1.6·10⁻⁴": last("privacy-loss", 0).Left.Value},
		"gaboardi 20":        {"1.036": bound("dpsgd-abadi", accounting.RDP), "1.259": bound("dpsgd-abadi", accounting.RDPClassic)},
		"gaboardi 21":        {"17.16": bound("census-pl94", accounting.ZCDP), "17.92": bound("census-pl94", accounting.ZCDPClassic)},
		"park 7":             {"0.0316": 1 / (4 * 0.25 * math.Sqrt(1000))},
		// Chaudhuri, Monteleoni, Sarwate 2011: 2d²(c/Λ + η)ln²(d/δ)/(Λn²ε²), and 4d²ln²(d/δ)/(Λn²ε′²) with
		// ε′ = ε − ln(1 + 2c/(nΛ) + c²/(nΛ)²), all with d = 10, n = 10⁴, Λ = 0.01, c = ¼, η = 1, ε = 1, δ = 0.05.
		"park 21": {"0.146": 2 * 100 * (0.25/0.01 + 1) * math.Pow(math.Log(10/0.05), 2) / (0.01 * 1e8),
			"0.01135": 4 * 100 * math.Pow(math.Log(10/0.05), 2) / (0.01 * 1e8 * math.Pow(1-math.Log(1+2*0.25/100+0.0625/1e4), 2))},
		// The closing pages.
		"bellet 23":          {"0.1": 0.1, "6.309": bound("adv-vs-basic-large", accounting.Advanced), "4.775": bound("adv-vs-basic-large", accounting.Optimal), "4.6926": lower("adv-vs-basic-large"), "4.6928": bound("adv-vs-basic-large", accounting.Numerical)},
		"machanavajjhala 22": {"0.1": 0.1, "2.2507": lower("em-bounded-range"), "2.2511": bound("em-bounded-range", accounting.Numerical)},
		"bassi 60":           {"1.0157": bound("bob-10000", accounting.Advanced), "0.8917": bound("bob-10000", accounting.Optimal), "0.8916": lower("bob-10000"), "715.6": share(accounting.Optimal, 1e4, math.Exp(-32))},
		"gaboardi 24":        {"1.568": bound("gaussian-zcdp", accounting.ZCDPClassic), "1.309": bound("gaussian-zcdp", accounting.ZCDP), "1.1994": bound("gaussian-zcdp", accounting.GDP)},
		"park 23":            {"4.845": mechanisms.ClassicSigma(1, 1e-5, 1), "3.7307": mechanisms.AnalyticSigma(1, 1e-5, 1), "0.751": bound("gaussian-classic", accounting.GDP)},
		"machanavajjhala 8":  {"0.607": goodPrices(1), "0.894": goodPrices(5), "0.9997": goodPrices(20)},
	}
}

// goodPrices returns the probability that the exponential mechanism picks $100 or $401 for Machanavajjhala's four
// buyers.
func goodPrices(epsilon float64) float64 {
	weight := func(revenue float64) float64 { return math.Exp(epsilon * revenue / (2 * 402)) }
	return (weight(400) + weight(401)) / (weight(400) + weight(401) + weight(101) + weight(0))
}

// classicEnd returns the ε from which on the classic Gaussian has too little noise.
func classicEnd(delta float64) float64 {
	epsilon := 1.0
	for mechanisms.ClassicSigma(epsilon, delta, 1) >= mechanisms.AnalyticSigma(epsilon, delta, 1) {
		epsilon += 0.01
	}
	return epsilon
}

// slideConstant returns the c of B/(σn)² ≤ c·ln(1/δ), with e = 1/(σn): the slide's
// 2√(2B ln(1/δ))·e, its 2/δ put aside, against the theorem for 2B releases of e with the
// tighter second term, 2√(B ln(1/δ))·e + Be².
func slideConstant() float64 { return math.Pow(2*(math.Sqrt2-1), 2) }

var decimal = regexp.MustCompile(`\d+\.\d+(·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?`)

var raised = strings.NewReplacer("·10⁻", "e-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")

// Every figure with a decimal point that the index tells is computed here, to its last
// digit; one that is not fails, so that no new one goes unchecked.
func TestFiguresOfTheIndex(t *testing.T) {
	figures := told(t)
	seen := map[string]bool{}
	for _, d := range lectures.Decks() {
		for i, topic := range d.Topics {
			place := fmt.Sprintf("%s %d", d.Key, i+1)
			for _, word := range decimal.FindAllString(topic.Concept+" "+topic.Slip+" "+topic.Correction, -1) {
				value, known := figures[place][word]
				if seen[place+word] = true; !known {
					if given[place] != word {
						t.Errorf("%s, %s: %s is not recomputed", place, topic.Slides, word)
					}
					continue
				}
				plain := raised.Replace(word)
				shown, err := strconv.ParseFloat(plain, 64)
				if err != nil {
					t.Fatal(err)
				}
				mantissa, power, _ := strings.Cut(plain, "e")
				_, fraction, _ := strings.Cut(mantissa, ".")
				unit := math.Pow10(-len(fraction))
				if power != "" {
					p, _ := strconv.Atoi(power)
					unit *= math.Pow10(p)
				}
				if math.Abs(shown-value) > unit {
					t.Errorf("%s, %s: it says %s, computed %v", place, topic.Slides, word, value)
				}
			}
		}
	}
	for place, list := range figures {
		for word := range list {
			if !seen[place+word] {
				t.Errorf("%s: %s is not in the index any more", place, word)
			}
		}
	}
}
