package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// whole remarks on what the unit, the rounds and the expectations say together.
func (l *linter) whole(r *Result) {
	s := l.s
	if w, ok := WindowOf(s.Unit); ok && s.Rounds > 1 {
		l.add("window-rounds", "The unit covers one %s, and the stack runs %s times on it. If a round is another %s, one unit meets one round only; "+
			"what is shown is the cost of somebody who takes part in all of them.", w.Name, mechanisms.FormatNumber(s.Rounds), w.Name)
	}
	if singleEvent(s.Unit) && s.Group == 1 {
		l.add("unit-not-person", "The unit is one %s, not a person: somebody with several is protected for each alone. Give group, or bound what one person contributes.", s.Unit)
	}
	if r.Target.Epsilon > 0 && r.Best >= 0 {
		l.gdpAsBound(r)
	}
}

// gdpAsBound warns where only the central limit fits a budget, or a figure to
// reproduce rests on it.
func (l *linter) gdpAsBound(r *Result) {
	gdp, _ := boundOf(r, accounting.GDP)
	if gdp.Status != accounting.Approximate {
		return
	}
	if gdp.Epsilon <= r.Target.Epsilon && r.Bounds[r.Best].Epsilon > r.Target.Epsilon {
		l.add("gdp-as-bound", "Only the central-limit approximation fits the budget, and that is not a bound: it does not count.")
	}
	for _, e := range l.s.Expect {
		if e.Method == accounting.GDP {
			l.add("gdp-as-bound", "A figure to reproduce is taken from the central-limit approximation, which is not a bound.")
			return
		}
	}
}

// ruleLints are remarks on one entry's numbers.
func ruleLints(s *Scenario, e *Entry) []Lint {
	var found []Lint
	add := func(code, format string, args ...any) {
		found = append(found, Lint{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	number := func(name string) float64 { return e.Values[name].Number }
	if s.Adjacency == mechanisms.AddRemove {
		found = append(found, addRemoveLints(e)...)
	}
	switch e.Mechanism {
	case "sparse-vector":
		if c := number("positives"); c >= 1 {
			add("sparse-halting", "This holds if the stream halts at the positive number %s (count ≥ c). With the slide's count > c one more is released, and ε is %s instead of %s.",
				mechanisms.FormatNumber(c), mechanisms.FormatNumber(atLeast(number("epsilon")*(c+1)/c)), mechanisms.FormatNumber(number("epsilon")))
		}
	case "dp-sgd":
		batch := number("sampling_rate") * s.Records
		if off := math.Abs(batch - math.Round(batch)); batch >= 1 && off > 1e-6*batch && batch < 1e6 {
			add("batch-not-whole", "The sampling rate times the number of records is %.6g, not a whole batch: the rate should be batch/n, as in %s/%s.",
				batch, mechanisms.FormatNumber(math.Max(1, math.Round(batch))), mechanisms.FormatNumber(s.Records))
		}
	case "noisy-max":
		if e.Values["noise"].Text == "" || e.Values["noise"].Text == "laplace" {
			if e.Count > 1 {
				add("noisy-max-laplace", "Laplace noise is not bounded range: every pick is counted as generic ε-DP. With noise: gumbel the same ε costs about a quarter of the ρ.")
			}
		}
	case "thresholdout":
		if m, err := mechanisms.New(e.Mechanism, e.Values); err == nil && s.Budget.Delta > 0 {
			if t, ok := m.(mechanisms.Thresholdout); ok && !t.SlideSafe(s.Budget.Delta) {
				add("thresholdout-slide", "The slide's formula 2√(2B ln(2/δ))/(σn) = %s is not a bound here: B/(σn)² exceeds 0.68·ln(1/δ).",
					mechanisms.FormatNumber(fourDigits(t.SlideEpsilon(s.Budget.Delta))))
			}
		}
	}
	return found
}

// meanWords are words in a label that speak of an answer divided by how many records
// there are, or cut to a range.
var meanWords = []string{"mean", "average", "rate", "share", "median", "percentage", "percent"}

// addRemoveLints are remarks on numbers that look as if they were meant for replace.
func addRemoveLints(e *Entry) []Lint {
	var found []Lint
	sensitivity := e.Values["sensitivity"].Number
	histogram := false
	switch e.Mechanism {
	case "laplace", "geometric":
		histogram = sensitivity == 2
	case "gaussian", "discrete-gaussian":
		histogram = math.Abs(sensitivity-math.Sqrt2) < 1e-3
	}
	if histogram {
		found = append(found, Lint{Code: "histogram-number",
			Text: "A histogram has Δ₁ = Δ₂ = 1 where a record comes or goes; 2 and √2 are its numbers under replace. The figure is safe, and dearer than needed."})
	}
	words := strings.FieldsFunc(strings.ToLower(e.Label), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		if slices.Contains(meanWords, strings.TrimSuffix(w, "s")) {
			found = append(found, Lint{Code: "mean-under-add-remove", Text: fmt.Sprintf(
				"The label says %s: where a record comes or goes, so does what it is divided by. A sensitivity over a public n, or over the range, is for replace only.", w)})
			break
		}
	}
	return found
}
