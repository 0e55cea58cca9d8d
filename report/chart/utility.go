package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// Utility is the chart of a selection: the probability of every candidate as a bar with its score, the best
// score first, and over it the chance of a score as low as that candidate's or lower, exactly
// and by the theorem. If only the number of candidates is known, it is that chance against how
// much lower.
var Utility = Kind{"utility", "utility of a choice: probability of every candidate, exact tail and the theorem", "entry", false, utility}

func utility(v *view) (Chart, error) {
	i, selection, err := selectionEntry(v)
	if err != nil {
		if c, ok := countedUtility(v); ok {
			return c, nil
		}
		return Chart{}, err
	}
	order := make([]int, len(selection.Items))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(selection.Items[b].Value, selection.Items[a].Value)
	})
	tails := tailSums(selection, order)
	shown := len(order)
	if v.MaxBars > 1 && shown > v.MaxBars {
		shown = v.MaxBars - 1
	}
	c := Chart{
		Title: fmt.Sprintf("what entry %d picks", i+1),
		X:     Axis{Label: "candidate"},
		Y:     Axis{Label: "probability", Min: 0, Max: 1},
	}
	exact := Series{Name: "exact P(score as low)"}
	theorem := Series{Name: "theorem", Faint: true, Upper: true}
	for n, j := range order[:shown] {
		item := selection.Items[j]
		bar := Bar{Label: candidateName(item, j), Value: selection.Probabilities[j], Best: item.Value == selection.Best}
		if item.Name != "" { // the name of a candidate without one has its score
			bar.Detail = report.Short(item.Value)
		}
		c.Bars = append(c.Bars, bar)
		exact.X, exact.Y = append(exact.X, float64(n)), append(exact.Y, tails[n])
		theorem.X, theorem.Y = append(theorem.X, float64(n)), append(theorem.Y, selection.BoundAt(item.Value))
	}
	if rest := len(order) - shown; rest > 0 {
		sum := 0.0
		for _, j := range order[shown:] {
			sum += selection.Probabilities[j]
		}
		c.Bars = append(c.Bars, Bar{Label: fmt.Sprintf("%d others", rest), Value: sum})
	}
	c.Series = []Series{exact, theorem}
	c.Notes = append(c.Notes,
		fmt.Sprintf("the best score wins with probability %s; the mean score is %s of %s",
			report.Nearest(selection.Right()), report.Nearest(selection.MeanScore()), report.Nearest(selection.Best)))
	if selection.Method != "exact" {
		c.Notes = append(c.Notes, "probabilities: "+selection.Method)
	}
	if second, ok := secondScore(selection); ok {
		c.Notes = append(c.Notes, badChoice(selection, second))
	}
	return c, nil
}

func selectionEntry(v *view) (int, *selection.Distribution, error) {
	i, m, err := entryOf[mechanisms.Selector](v, "picks no candidates")
	if err != nil {
		return 0, nil, err
	}
	selection, err := m.Selection()
	if err != nil {
		return 0, nil, fmt.Errorf("entry %d: %w", i+1, err)
	}
	return i, selection, nil
}

// tailSums returns, for the candidates in order of falling score, the chance of a score no
// higher than theirs. Candidates of equal score share it.
func tailSums(s *selection.Distribution, order []int) []float64 {
	tails := make([]float64, len(order))
	sum := 0.0
	for n := len(order) - 1; n >= 0; n-- {
		sum += s.Probabilities[order[n]]
		tails[n] = math.Min(1, sum)
	}
	for n := 1; n < len(order); n++ {
		if s.Items[order[n]].Value == s.Items[order[n-1]].Value {
			tails[n] = tails[n-1]
		}
	}
	return tails
}

// secondScore returns the best score below the best; false if there is none.
func secondScore(s *selection.Distribution) (score float64, ok bool) {
	score = math.Inf(-1)
	for _, item := range s.Items {
		if item.Value < s.Best {
			score, ok = math.Max(score, item.Value), true
		}
	}
	return score, ok
}

// scoreGap returns how far below the best a score lies, at most the largest number there is.
func scoreGap(s *selection.Distribution, score float64) float64 {
	return math.Min(math.MaxFloat64, s.Best-score)
}

func candidateName(item param.Item, index int) string {
	if item.Name != "" {
		return item.Name
	}
	return fmt.Sprintf("%d (score %s)", index+1, report.Short(item.Value))
}

// countedUtility returns the chart of an exponential mechanism of which only the number of
// outputs |O| is known: the chance that the score picked is g or more below the best, by the
// theorem, |O|·e^{−g/w} with w = 2Δ/ε (Δ/ε for monotone scores), and in the worst case, one best
// output and all others exactly g below it.
func countedUtility(v *view) (Chart, bool) {
	i, e, err := entryOf(v, "picks no candidates", func(e mechanisms.Exponential) bool {
		return e.Outputs >= 2 && len(e.Candidates) == 0
	})
	if err != nil {
		return Chart{}, false
	}
	width := 2 * e.Sensitivity / e.Epsilon
	if e.Monotone {
		width /= 2
	}
	const t = 3 // the lectures' own
	end := width * (math.Log(e.Outputs) + 4*t)
	gaps := curve.LineSpace(0, end, v.points())
	theorem := curve.ValuesOver(gaps, func(g float64) float64 { return math.Min(1, e.Outputs*math.Exp(-g/width)) })
	worst := curve.ValuesOver(gaps, func(g float64) float64 { return 1 / (1 + math.Exp(g/width)/(e.Outputs-1)) })
	gap := width * (math.Log(e.Outputs) + t)
	return Chart{
		Title:  fmt.Sprintf("how far below the best entry %d picks, among %s outputs", i+1, report.Short(e.Outputs)),
		X:      Axis{Label: "score below the best", Min: 0, Max: end},
		Y:      Axis{Label: "chance of as much or more", Min: 0, Max: 1},
		Series: []Series{{Name: "worst case", X: gaps, Y: worst}, {Name: "theorem", X: gaps, Y: theorem, Faint: true, Upper: true}},
		Marks:  []Mark{Vertical(gap, "t = 3: "+report.FormatGiven(gap))},
		Notes: []string{
			fmt.Sprintf("%s or more below the best with probability at most e^−3 = %s: the number of outputs counts by its logarithm, %s", report.FormatGiven(gap), report.Upper(math.Exp(-t)), report.Short(math.Log(e.Outputs))),
			"the scores are not given; in the worst case all other outputs are equally far below the best",
		},
	}, true
}
