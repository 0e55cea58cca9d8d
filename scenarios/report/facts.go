package report

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/curve"
)

// Fact is one line of the fact sheet.
type Fact struct{ Name, Text string }

func guarantee(b accounting.Bound) string {
	if b.Delta == 0 {
		return fmt.Sprintf("ε-differential privacy with ε = %s (pure, δ = 0)", Upper(b.Epsilon))
	}
	return fmt.Sprintf("(ε, δ)-differential privacy with ε = %s and δ = %s", Upper(b.Epsilon), Short(b.Delta))
}

func certainty(r *scenarios.Result, b accounting.Bound) string {
	if b.Method == accounting.Numerical && b.Lower > 0 {
		return fmt.Sprintf("certified numerically: the tight ε of the dominating pairs lies between %s and %s", Lower(b.Lower), Upper(b.Epsilon))
	}
	if AtOrder(b.Method) && b.Alpha > 0 {
		return fmt.Sprintf("a proven upper bound, converted at the Rényi order α = %s", Figure(b.Alpha))
	}
	if slack := Slack(r, b); slack > 1.0005 {
		return fmt.Sprintf("a proven upper bound, %.2f times the certified lower end", slack)
	}
	return "a proven upper bound"
}

// otherCurrencies are the same releases in the currencies that add up.
func otherCurrencies(s *scenarios.Scenario) string {
	stack, err := curve.Stack(s)
	if err != nil {
		return ""
	}
	var list []string
	if rho, ok := curve.ConcentratedSum(stack); ok {
		list = append(list, fmt.Sprintf("%s-zCDP", Upper(rho)))
	}
	if mu, ok := curve.GaussianSum(stack); ok {
		list = append(list, fmt.Sprintf("%s-GDP", Upper(mu)))
	}
	return strings.Join(list, ", ")
}

func unitFact(s *scenarios.Scenario) string {
	if unit := Plain(s.Unit); unit != "" {
		return unit
	}
	return "not given: the guarantee means nothing until it is said whose data one record is"
}

func adjacencyFact(a mechanisms.Adjacency) string { return string(a) + ": " + NeighboursOf(a).Fact }

func groupFact(group float64) string {
	if group > 1 {
		return fmt.Sprintf("holds for a person with up to %s records (group privacy); the figures include it", Short(group))
	}
	return "one record a person; somebody with g records has a weaker guarantee (pure ε grows to g·ε, ρ to g²·ρ)"
}

func deltaFact(s *scenarios.Scenario, b accounting.Bound) string {
	switch {
	case b.Delta == 0:
		return "0: the bound on ε holds without exception"
	case s.Records > 0 && b.Delta < 1/s.Records:
		return fmt.Sprintf("%s, below 1/n = %s for the %s records", Short(b.Delta), Short(1/s.Records), Short(s.Records))
	case s.Records > 0:
		return fmt.Sprintf("%s, NOT below 1/n = %s: publishing one random record whole would be allowed", Short(b.Delta), Short(1/s.Records))
	}
	return fmt.Sprintf("%s; it should be well below 1/n, and the number of records is not given", Short(b.Delta))
}

// trustFact says who must be trusted: some mechanisms can run with the people themselves.
func trustFact(s *scenarios.Scenario) string {
	var local []string
	central := false
	for e := range scenarios.Enabled(s.Stack) {
		spec, _ := mechanisms.Lookup(e.Mechanism)
		if title := strings.ToLower(spec.Title); !spec.Local {
			central = true
		} else if !slices.Contains(local, title) {
			local = append(local, title)
		}
	}
	switch {
	case local != nil && central:
		return "mixed: " + strings.Join(local, " and ") + " may run with the people themselves; all else needs a trusted curator who holds the data"
	case local != nil:
		return "local if every answer is randomised by the person before it is sent; then nobody else sees it"
	}
	return "central: a curator holds the data, is trusted with them and adds the noise; recipients see the results only"
}

func mechanismFact(s *scenarios.Scenario) string {
	var list []string
	more := 0
	for _, e := range s.Stack {
		if e.Disabled {
			continue
		}
		if len(list) == listed {
			more++
			continue
		}
		text := e.WithoutScores().Describe()
		if label := Plain(e.Label); label != "" {
			text += " for “" + label + "”"
		}
		list = append(list, Plain(text))
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more entries", more))
	}
	if len(list) == 0 {
		return "none: nothing is released"
	}
	return strings.Join(list, "; ")
}

// listed is how many entries a statement names one by one.
const listed = 12

// samplingFact states the assumption and what holds without it. Under replace, a number
// that does not bound absence gains only what holds even if the draw is public. If that
// is true of every sampled entry, the draw need not stay secret.
func samplingFact(ctx context.Context, s *scenarios.Scenario, b accounting.Bound) string {
	sampled, secret, gains, divided := false, false, false, false
	var drawings []string
	for e := range runs(s.Stack) {
		training, drawing := trains(s, e)
		gains = gains || training || e.Sampling < 1
		if drawing != "" {
			if !slices.Contains(drawings, drawing) {
				drawings = append(drawings, drawing)
			}
			continue
		}
		if e.Sampling < 1 || training {
			sampled, divided = true, divided || training
			secret = secret || training || s.Adjacency != mechanisms.Replace || e.Also.AddRemove
		}
	}
	if sampled {
		text := "every record is drawn independently with the stated rate for every release (Poisson sampling), "
		if secret {
			text += "and who was drawn stays secret; "
		} else {
			text += "who was drawn need not stay secret; "
		}
		if divided {
			text += "a step divides by a constant, not by how many were drawn; "
		}
		drawings = append(drawings, text+"shuffled or fixed-size batches are another mechanism, to which this figure does not apply")
	}
	if len(drawings) == 0 {
		return "none is assumed: every record may take part in every release"
	}
	text := strings.Join(drawings, ". Elsewhere ")
	if !gains {
		return text
	}
	r, err := scenarios.Evaluate(ctx, unsampled(s), scenarios.Options{Closed: true})
	if err == nil && r.Best >= 0 && r.Bounds[r.Best].Epsilon > b.Epsilon {
		text += fmt.Sprintf(". Without amplification by sampling ε would be %s by %s", Upper(r.Bounds[r.Best].Epsilon), By(r.Bounds[r.Best].Method))
	}
	return text
}

// unsampled is the scenario with every record in every release.
func unsampled(s *scenarios.Scenario) *scenarios.Scenario {
	c := s.Clone()
	for e := range scenarios.Enabled(c.Stack) {
		run, selects := e.Run()
		if !selects {
			run = *e
		}
		run.Sampling = 1
		if m, ok := batched(&run); ok {
			if v, other, err := m.Everybody(s.Records); other && err == nil {
				run.Values = v
			}
		}
		if selects {
			e.SetRun(run)
		} else {
			*e = run
		}
	}
	return c
}

// selectionFact is what must hold where the best of several runs is released.
func selectionFact(s *scenarios.Scenario) string {
	for e := range scenarios.Enabled(s.Stack) {
		if _, selects := e.Run(); selects {
			return "the number of runs is drawn from the stated distribution without looking at the data, and stays secret; of all runs only the best is released, " +
				"and what makes it the best is part of its own output. A fixed number of runs would cost what all of them cost"
		}
	}
	return ""
}

// trains reports whether an entry gains by training on batches that do not hold
// everybody, and how records come into its steps where not by Poisson sampling.
func trains(s *scenarios.Scenario, e *scenarios.Entry) (training bool, drawing string) {
	built, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		return false, ""
	}
	if m, ok := built.(mechanisms.Batched); ok {
		_, training, _ = m.Everybody(s.Records)
	}
	if m, ok := built.(interface{ Drawing() string }); ok {
		drawing = m.Drawing()
	}
	if cut := cutBatches(s, e); cut != "" {
		drawing += "; " + cut
	}
	return training, drawing
}

// cutBatches says what it means that batches of an entry are cut; "" if they are not.
func cutBatches(s *scenarios.Scenario, e *scenarios.Entry) string {
	built, err := mechanisms.New(e.Mechanism, e.Values)
	if m, ok := built.(interface{ Cut(records float64) string }); ok && err == nil {
		return m.Cut(s.Records)
	}
	return ""
}

func batched(e *scenarios.Entry) (mechanisms.Batched, bool) {
	built, err := mechanisms.New(e.Mechanism, e.Values)
	m, ok := built.(mechanisms.Batched)
	return m, ok && err == nil
}

func compositionFact(s *scenarios.Scenario) string {
	entries, parallel := 0, false
	releases := 0.0
	for _, e := range s.Stack {
		if !e.Disabled {
			entries++
			releases += e.Count * s.Rounds
			parallel = parallel || e.Parallel != nil
		}
	}
	if releases == 1 && !parallel && s.Rounds <= 1 {
		return "one release"
	}
	text := counted(releases, "release", "releases")
	if entries > 1 {
		text += " in " + counted(float64(entries), "entry", "entries")
	}
	text += ", composed sequentially and adaptively"
	if s.Rounds > 1 {
		text += fmt.Sprintf(", in %s rounds", Short(s.Rounds))
	}
	if parallel {
		text += "; branches on disjoint parts of the data in parallel"
	}
	return text
}

// WindowNote says what a unit that covers a span of time adds up to in a year; it is
// empty for others.
func WindowNote(s *scenarios.Scenario, b accounting.Bound) string {
	w, ok := scenarios.WindowOf(s.Unit)
	if !ok || w.Year <= 1 {
		return ""
	}
	return fmt.Sprintf("the unit covers one %s; somebody in the data every %s of a year has %s times that, ε = %s added up",
		w.Name, w.Name, Short(w.Year), Upper(w.Yearly(b.Epsilon)))
}

func accuracyFact(s *scenarios.Scenario) string {
	var list []string
	for _, row := range AccuracyOf(s) {
		if len(list) == listed {
			list = append(list, "…")
			break
		}
		switch {
		case row.Reason != "", row.Picks: // how well a pick does depends on the scores, which stay private
		default:
			item := Plain(row.What) + " ±" + Upper(row.Accuracy.Each)
			if unit := row.Accuracy.Unit; unit != "answer" {
				item += " (" + unit + ")"
			}
			list = append(list, item)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "error at 95 % confidence, each in the units of its answer: " + strings.Join(list, "; ")
}

// runs are the entries that are released; in the place of a selection, what it runs.
func runs(stack []scenarios.Entry) iter.Seq[*scenarios.Entry] {
	return func(yield func(*scenarios.Entry) bool) {
		for e := range scenarios.Enabled(stack) {
			if run, selects := e.Run(); selects {
				e = &run
			}
			if !yield(e) {
				return
			}
		}
	}
}

func counted(n float64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Short(n) + " " + many
}
