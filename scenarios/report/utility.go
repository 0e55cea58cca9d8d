package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Utility is what a selection picks: the probability of every candidate as a bar,
// the best score first, and over it the chance of a score as low as that
// candidate's or lower, exactly and by the theorem.
func Utility(ctx context.Context, s *scenarios.Scenario, opt ChartOptions) (Chart, error) {
	i, selection, err := selectionEntry(s, opt.Entry)
	if err != nil {
		return Chart{}, err
	}
	if err := ctx.Err(); err != nil {
		return Chart{}, err
	}
	order := make([]int, len(selection.Items))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := selection.Items[a].Value, selection.Items[b].Value
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	tails := tailSums(selection, order)
	shown := len(order)
	if opt.MaxBars > 1 && shown > opt.MaxBars {
		shown = opt.MaxBars - 1
	}
	c := Chart{
		Title: fmt.Sprintf("what entry %d picks", i+1),
		X:     Axis{Label: "candidate", Min: unset, Max: unset},
		Y:     Axis{Label: "probability", Min: 0, Max: 1},
	}
	exact := Series{Name: "exact P(score as low)"}
	theorem := Series{Name: "theorem", Faint: true}
	for n, j := range order[:shown] {
		item := selection.Items[j]
		c.Bars = append(c.Bars, Bar{Label: candidateName(item, j), Value: selection.Probabilities[j], Best: item.Value == selection.Best})
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
			Figure(selection.Right()), Figure(selection.Expected()), Figure(selection.Best)))
	if selection.Method != "exact" {
		c.Notes = append(c.Notes, "probabilities: "+selection.Method)
	}
	if second, ok := secondScore(selection); ok {
		c.Notes = append(c.Notes, fmt.Sprintf("a score %s or more below the best: %s exactly, at most %s by the theorem",
			Short(distance(selection, second)), Figure(selection.TailAt(second)), Figure(selection.BoundAt(second))))
	}
	return c, nil
}

// Tail is the chance of picking a candidate that is not the best against ε, exactly
// and by the theorem, for the entry's own scores.
func Tail(ctx context.Context, s *scenarios.Scenario, opt ChartOptions) (Chart, error) {
	i, selection, err := selectionEntry(s, opt.Entry)
	if err != nil {
		return Chart{}, err
	}
	second, ok := secondScore(selection)
	if !ok {
		return Chart{}, fmt.Errorf("entry %d: all candidates have the same score, so no choice is a bad one", i+1)
	}
	now := s.Stack[i].Values["epsilon"].Number
	n := min(opt.points(), max(12, 2_000_000/len(selection.Items)))
	xs := sortedDistinct(append(logSpace(now/30, now*30, n), now))
	exact := Series{Name: "exact", X: xs}
	theorem := Series{Name: "theorem", X: xs}
	for _, epsilon := range xs {
		if err := ctx.Err(); err != nil {
			return Chart{}, err
		}
		values := s.Stack[i].Values.Clone()
		values["epsilon"] = mechanisms.NumberValue(epsilon)
		chosen, err := selectionOf(s.Stack[i].Mechanism, values)
		if err != nil {
			return Chart{}, err
		}
		exact.Y = append(exact.Y, positive(chosen.TailAt(second)))
		theorem.Y = append(theorem.Y, positive(chosen.BoundAt(second)))
	}
	right, most := selection.TailAt(second), selection.BoundAt(second)
	gap := distance(selection, second)
	least, end := rare(right), unset
	for k := len(xs) - 1; k > 0 && !(exact.Y[k] >= least || theorem.Y[k] >= least); k-- {
		end = xs[k] // nothing of the curves is above the axis from here on
	}
	return Chart{
		Title:  fmt.Sprintf("chance that entry %d picks a score %s or more below the best", i+1, Short(gap)),
		X:      Axis{Label: "ε", Log: true, Min: unset, Max: end},
		Y:      Axis{Label: "probability", Log: true, Min: least, Max: 1},
		Read:   now,
		Series: []Series{exact, theorem},
		Marks:  []Mark{{X: now, Y: right, Label: "now ε = " + Short(now)}},
		Notes: []string{fmt.Sprintf("a score %s or more below the best: %s exactly, at most %s by the theorem",
			Short(gap), Figure(right), Figure(most))},
	}, nil
}

// rare is where an axis of probabilities ends: what happens once in a million times
// is rare enough, unless it is what happens now.
func rare(now float64) float64 {
	if now > 0 {
		return math.Min(1e-6, now/100)
	}
	return 1e-6
}

// positive is x where a log axis can carry it.
func positive(x float64) float64 {
	if !(x > 0) {
		return unset
	}
	return x
}

func selectionEntry(s *scenarios.Scenario, entry int) (int, *mechanisms.Selection, error) {
	i, m, err := entryWhere(s, entry, "picks no candidate", func(m mechanisms.Mechanism) bool {
		_, ok := m.(mechanisms.Selector)
		return ok
	})
	if err != nil {
		return 0, nil, err
	}
	selection, err := m.(mechanisms.Selector).Selection()
	if err != nil {
		return 0, nil, fmt.Errorf("entry %d: %w", i+1, err)
	}
	return i, selection, nil
}

func selectionOf(mechanism string, values mechanisms.Values) (*mechanisms.Selection, error) {
	m, err := mechanisms.New(mechanism, values)
	if err != nil {
		return nil, err
	}
	return m.(mechanisms.Selector).Selection()
}

// tailSums is, for the candidates in order of falling score, the chance of a score
// no higher than theirs. Candidates of equal score share it.
func tailSums(s *mechanisms.Selection, order []int) []float64 {
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

// secondScore is the best score below the best; false if there is none.
func secondScore(s *mechanisms.Selection) (score float64, ok bool) {
	score = math.Inf(-1)
	for _, item := range s.Items {
		if item.Value < s.Best {
			score, ok = math.Max(score, item.Value), true
		}
	}
	return score, ok
}

// distance is how far below the best a score lies. What lies farther than a number can
// say is that far and more.
func distance(s *mechanisms.Selection, score float64) float64 {
	return math.Min(math.MaxFloat64, s.Best-score)
}

func candidateName(item mechanisms.Item, index int) string {
	if item.Name != "" {
		return item.Name
	}
	return fmt.Sprintf("%d (score %s)", index+1, Short(item.Value))
}
