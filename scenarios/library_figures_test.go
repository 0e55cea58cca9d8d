package scenarios_test

import (
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/selection"
	"epsiloscope/scenarios"
	"epsiloscope/teach/slides"
)

// entryOf builds one mechanism of a bundled scenario, counted from 1.
func entryOf[M mechanisms.Mechanism](t *testing.T, name string, entry int) M {
	t.Helper()
	s, err := scenarios.LoadBundled(name)
	if err != nil {
		t.Fatal(err)
	}
	e := s.WithSensitivity(&s.Stack[entry-1])
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		t.Fatalf("%s, entry %d: %v", name, entry, err)
	}
	typed, ok := m.(M)
	if !ok {
		t.Fatalf("%s, entry %d is %s", name, entry, m.Kind())
	}
	return typed
}

func selectionOf(t *testing.T, name string) *selection.Distribution {
	t.Helper()
	selection, err := entryOf[mechanisms.Exponential](t, name, 1).Selection()
	if err != nil {
		t.Fatal(err)
	}
	return selection
}

type figure struct {
	of        string // scenario and quantity
	got, want float64
	tolerance float64 // relative
}

func check(t *testing.T, figures []figure) {
	t.Helper()
	for _, f := range figures {
		if !(math.Abs(f.got-f.want) <= f.tolerance*math.Abs(f.want)) {
			t.Errorf("%s: got %.10g, want %g", f.of, f.got, f.want)
		}
	}
}

// The selections of the lectures, by hand from P(o) ∝ exp(ε s(o)/(2Δ)).
func TestSelectionFigures(t *testing.T) {
	hair, nation := selectionOf(t, "hair-colour"), selectionOf(t, "nationality")
	bellet, machan := selectionOf(t, "pricing-bellet"), selectionOf(t, "pricing-machan")
	open := entryOf[mechanisms.Exponential](t, "hair-colour", 1)
	for i := range open.Candidates {
		if i > 1 {
			open.Candidates[i].Value = 0
		}
	}
	others, err := open.Selection()
	if err != nil {
		t.Fatal(err)
	}
	check(t, []figure{
		{"hair-colour, bound (Bellet: 4e⁻⁵ ≤ 0.027)", hair.Bound(100), 4 * math.Exp(-5), 1e-12},
		{"hair-colour, exact", 1 - hair.Right(), 0.019813, 1e-4},
		{"hair-colour, exact with the others at 0", 1 - others.Right(), 0.006693, 1e-3},
		{"hair-colour-monotone, exact", 1 - selectionOf(t, "hair-colour-monotone").Right(), 0.000136, 5e-3},
		{"nationality, t = 3 (the slide prints 6.8)", nation.Gap(3), 8.7726, 1e-5},
		{"nationality, t = 2", nation.Gap(2), 6.7726, 1e-5},
		{"pricing-bellet, 3.00", bellet.Probabilities[0], 0.2483, 1e-3},
		{"pricing-bellet, 3.01", bellet.Probabilities[1], 0.2499, 1e-3},
		{"pricing-bellet, 4.00", bellet.Probabilities[2], 0.4635, 1e-3},
		{"pricing-bellet, 4.01", bellet.Probabilities[3], 0.0383, 1e-2},
		{"pricing-machan, 100", machan.Probabilities[0], 0.4936, 1e-3},
		{"pricing-machan, 101", machan.Probabilities[1], 0.0003, 0.2},
		{"pricing-machan, 401", machan.Probabilities[2], 0.5061, 1e-3},
	})
}

// Noise scales and errors the descriptions quote.
func TestNoiseFigures(t *testing.T) {
	count := entryOf[mechanisms.Laplace](t, "laplace-count", 1)
	moved := entryOf[mechanisms.Laplace](t, "histogram-adjacency", 1)
	one, _ := mechanisms.ErrorOf(count, 0.05, 1)
	two, _ := mechanisms.ErrorOf(moved, 0.05, 1)
	watch := entryOf[mechanisms.AboveThreshold](t, "above-threshold", 1)
	coin := entryOf[mechanisms.RandomizedResponse](t, "coin-survey", 1)
	counts := entryOf[mechanisms.Gaussian](t, "steward-100-counts", 1)
	hundred, _ := mechanisms.ErrorOf(counts, 0.05, 1)
	check(t, []figure{
		{"laplace-count, scale", count.Scale(), 2, 1e-12},
		{"laplace-count, 95 %", one.Each, 2 * math.Log(20), 1e-9},
		{"histogram-adjacency, 95 %", two.Each, 4 * math.Log(20), 1e-9},
		{"above-threshold, α at β = 0.05", watch.Accuracy(1000, 0.05), 84.773, 1e-4},
		{"coin-survey, ε", coin.Epsilon, math.Log(3), 1e-12},
		{"coin-survey, worst deviation, n = 1000", math.Sqrt(coin.EstimatorVariance(0.5, 1000)), 0.03162, 1e-3},
		{"steward-100-counts, 95 %", hundred.Each, 82.8, 1e-3},
		{"gaussian-classic, σ", mechanisms.ClassicSigma(1, 1e-5, 1), 4.84481, 1e-5},
		{"gaussian-classic, analytic σ", mechanisms.AnalyticSigma(1, 1e-5, 1), 3.73063, 1e-5},
		{"gaussian-breaks, analytic σ", mechanisms.AnalyticSigma(10, 1e-5, 1), 0.49989, 1e-4},
		{"steward-100-counts, naive split", mechanisms.ClassicSigma(0.01, 1e-8, 1), 611, 1e-2},
		{"privacy-loss, σ", entryOf[mechanisms.Gaussian](t, "privacy-loss", 1).Sigma, 3.73063, 1e-5},
	})
}

// Sparse vector and Thresholdout: the slide's constants beside the right ones.
func TestThresholdFigures(t *testing.T) {
	pure := entryOf[mechanisms.SparseVector](t, "sparse-pure", 1)
	many := entryOf[mechanisms.SparseVector](t, "sparse-advanced", 1)
	slide := slides.AdvancedEachSlide(pure.Epsilon, 1e-6, pure.Positives)
	holdout := entryOf[mechanisms.Thresholdout](t, "thresholdout", 1)
	breaks := entryOf[mechanisms.Thresholdout](t, "thresholdout-breaks", 1)
	check(t, []figure{
		{"sparse-pure, threshold noise", pure.Run().ThresholdScale(), 20, 1e-9},
		{"sparse-pure, query noise", pure.Run().QueryScale(), 40, 1e-9},
		{"sparse-pure, halting at count > c", pure.SlideHalting(), 1.1, 1e-9},
		{"sparse-deck-noise, run", slide, 0.0601591, 1e-5},
		{"sparse-deck-noise, total", accounting.AdvancedEpsilon(slide, 1e-6, 10), 1.0373, 1e-4},
		{"sparse-deck-noise, the book's noise", accounting.AdvancedEpsilon(slide/2, 1e-6, 10), 0.5092, 1e-3},
		{"sparse-advanced, run", many.Run().Epsilon, 0.0129947, 1e-5},
		{"thresholdout, pure", holdout.PureEpsilon(), 1, 1e-9},
		{"thresholdout, slide", holdout.SlideEpsilon(1e-6), 0.5387, 1e-4},
		{"thresholdout, paper", 2 * holdout.SlideEpsilon(1e-6), 1.0774, 1e-4},
		{"thresholdout-breaks, slide", breaks.SlideEpsilon(1e-3), 34.873, 1e-4},
	})
	if !holdout.SlideSafe(1e-6) || breaks.SlideSafe(1e-3) {
		t.Error("the slide's Thresholdout bound is safe in thresholdout and not in thresholdout-breaks")
	}
}

// Generalisation, max-information and ERM.
func TestLearningFigures(t *testing.T) {
	output := entryOf[mechanisms.OutputPerturbation](t, "erm-logistic", 1)
	objective := entryOf[mechanisms.ObjectivePerturbation](t, "erm-objective", 1)
	small := entryOf[mechanisms.OutputPerturbation](t, "erm-small-data", 2)
	takeTwo, _ := slides.TakeTwo(25)
	check(t, []figure{
		{"generalization-sq, ε", slides.GeneralizationEpsilon(1e4, 0.05), 0.049652, 1e-5},
		{"generalization-sq, bound", slides.GeneralizationBound(1e4, 0.05), 5.892e-11, 1e-3},
		{"generalization-sq, Hoeffding", slides.Hoeffding(1e4, 0.05), 3.857e-22, 1e-3},
		{"generalization-max-information, ε", slides.MaxInformationEpsilon(0.05), 0.0025, 1e-12},
		{"generalization-take-two, bound", takeTwo, 1.4385e-8, 1e-3},
		{"generalization-take-two, from", slides.TakeTwoFrom(), 5.958, 1e-4},
		{"max-information, pure, bits", slides.MaxInformation(0.01, 1e4), 144.27, 1e-4},
		{"max-information, approximate, bits", slides.ApproximateMaxInformation(0.01, 1e4, 0.01), 3.0695, 1e-4},
		{"erm-logistic, mean norm", output.Dimension * output.Scale(), 0.2, 1e-9},
		{"erm-logistic, excess risk", output.ExcessRisk(0.05, 0.25, 1), 0.14598, 1e-4},
		{"erm-objective, mean norm d/β, β = 0.4975", objective.Dimension * objective.Scale(), 10 / 0.49750312, 1e-6},
		// The slide's lemma has ε where the paper has ε′, so the bound is (ε/ε′)² larger.
		{"erm-objective, excess risk", objective.ExcessRisk(0.05), 0.0112289 / (0.99500624 * 0.99500624), 1e-5},
		{"erm-small-data, mean norm", small.Dimension * small.Scale(), 66.667, 1e-4},
	})
}
