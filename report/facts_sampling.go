package report

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// samplingFact states the assumption that the sample is secret, and the bound without it. Under replace, an entry
// without an add-remove guarantee is amplified only as far as that holds for a public sample. If that is so for every
// sampled entry, the sample need not stay secret.
func samplingFact(ctx context.Context, s *scenarios.Scenario, b accounting.Bound) string {
	sampled, secret, gains, divided, people := false, false, false, false, false
	var drawings []string
	for e := range releasedEntries(s.Stack) {
		training, drawing := describeTraining(s, e, b.Epsilon)
		gains = gains || training || e.Sampling < 1
		if drawing != "" {
			if !slices.Contains(drawings, drawing) {
				drawings = append(drawings, drawing)
			}
			continue
		}
		if e.Sampling < 1 || training {
			sampled, divided, people = true, divided || training, people || e.SamplesPeople()
			secret = secret || training || s.Adjacency != mechanisms.Replace || e.Also.AddRemove
		}
	}
	if sampled {
		what := "every record is sampled"
		if people {
			what = "every person is sampled as a whole, with all records or none,"
		}
		text := what + " independently with the stated rate for every release (Poisson sampling), "
		if secret {
			text += "and who is sampled stays secret; "
		} else {
			text += "who is sampled need not stay secret; "
		}
		if divided {
			text += "a step divides by a constant, not by the number of sampled records; "
		}
		drawings = append(drawings, text+"this bound does not apply to shuffled or fixed-size batches")
	}
	if len(drawings) == 0 {
		return "none is assumed: every record may take part in every release"
	}
	text := strings.Join(drawings, ". Elsewhere ")
	if !gains {
		return text
	}
	r, err := scenarios.Evaluate(ctx, withoutSampling(s), scenarios.Options{ClosedFormsOnly: true})
	if plain := r.BestBound(); err == nil && plain.Finite() && plain.Epsilon > b.Epsilon {
		text += fmt.Sprintf(". Without amplification by sampling ε would be %s by %s", Upper(plain.Epsilon), TheoremPhrase(plain.Method))
	}
	return text
}

// withoutSampling returns the scenario with every record in every release.
func withoutSampling(s *scenarios.Scenario) *scenarios.Scenario {
	c := s.Clone()
	for _, e := range scenarios.EnabledEntries(c.Stack) {
		run, selects := e.Run()
		if !selects {
			run = *e
		}
		run.Sampling = 1
		if m, ok := mechanisms.BuildAs[mechanisms.Batched](run.Mechanism, run.Values); ok {
			if v, other, err := m.FullBatch(s.Records); other && err == nil {
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

// selectionFact states the conditions under which the best of several runs is released.
func selectionFact(s *scenarios.Scenario) string {
	for _, e := range scenarios.EnabledEntries(s.Stack) {
		if _, selects := e.Run(); selects {
			return "the number of runs is drawn from the stated distribution without looking at the data, and stays secret; of all runs only the best is released, " +
				"and what makes it the best is part of its own output. A fixed number of runs would cost what all of them cost"
		}
	}
	return ""
}

// shuffleFact says what must hold if shuffled reports are released.
func shuffleFact(s *scenarios.Scenario) string {
	for _, e := range scenarios.EnabledEntries(s.Stack) {
		if m, ok := mechanisms.BuildAs[mechanisms.Shuffle](e.Mechanism, e.Values); ok {
			return "reports are randomized by the people themselves with the same randomizer, each with fresh coins and one message, and released in random order without their senders; " +
				"at least as many as stated are honest and do not collude. The ε above is what the analyst sees; the shuffler sees each report with ε = " + Upper(m.LocalEpsilon())
		}
	}
	return ""
}

// describeTraining reports whether an entry is a training whose bound is amplified by its batches, and words its
// sampling scheme; "" for Poisson sampling.
func describeTraining(s *scenarios.Scenario, e *scenarios.Entry, epsilon float64) (training bool, drawing string) {
	if m, ok := mechanisms.BuildAs[mechanisms.Batched](e.Mechanism, e.Values); ok {
		_, training, _ = m.FullBatch(s.Records)
	}
	if m, ok := mechanisms.BuildAs[interface{ BatchAssumption(records float64) string }](e.Mechanism, e.Values); ok {
		drawing = m.BatchAssumption(s.Records)
	}
	if cut := truncationNote(s, e, epsilon); cut != "" {
		drawing += "; " + cut
	}
	return training, drawing
}

// truncationNote words what truncated batches mean at ε; "" if the batches of the entry are not truncated.
func truncationNote(s *scenarios.Scenario, e *scenarios.Entry, epsilon float64) string {
	if m, ok := mechanisms.BuildAs[mechanisms.Batched](e.Mechanism, e.Values); ok {
		return m.CutNote(s.Records, epsilon)
	}
	return ""
}

// releasedEntries returns the entries that are released; in the place of a selection, what it runs.
func releasedEntries(stack []scenarios.Entry) iter.Seq[*scenarios.Entry] {
	return func(yield func(*scenarios.Entry) bool) {
		for _, e := range scenarios.EnabledEntries(stack) {
			if run, selects := e.Run(); selects {
				e = &run
			}
			if !yield(e) {
				return
			}
		}
	}
}

// CourseOf describes a training: its batches and steps, and the noise relative to a gradient. It is "" for any
// other mechanism.
func CourseOf(s *scenarios.Scenario, kind string, v param.Values) string {
	training, ok := mechanisms.BuildAs[mechanisms.Batched](kind, v)
	if !ok {
		return ""
	}
	c, err := training.Schedule(s.Records)
	if err != nil {
		return ""
	}
	text := fmt.Sprintf("%s steps an epoch, %s in %s epochs", Short(c.PerEpoch), Short(c.Steps), Short(c.Epochs))
	if c.Batch == 0 {
		return text + "; with records the batch and the error of a gradient are known"
	}
	return fmt.Sprintf("batches of %s, %s; each coordinate of an average gradient has noise of %s clipping norms", Short(c.Batch), text, Upper(c.Error))
}
