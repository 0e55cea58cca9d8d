package report

import (
	"fmt"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// CourseOf says in words how a training goes on: its batches and steps, and what the noise
// does to a gradient. It is "" for anything else.
func CourseOf(s *scenarios.Scenario, kind string, v param.Values) string {
	m, err := mechanisms.New(kind, v)
	training, ok := m.(mechanisms.Batched)
	if err != nil || !ok {
		return ""
	}
	c, err := training.Course(s.Records)
	if err != nil {
		return ""
	}
	text := fmt.Sprintf("%s steps an epoch, %s in %s epochs", Short(c.PerEpoch), Short(c.Steps), Short(c.Epochs))
	if c.Batch == 0 {
		return text + "; with records the batch and the error of a gradient are known"
	}
	return fmt.Sprintf("batches of %s, %s; each coordinate of an average gradient has noise of %s clipping norms", Short(c.Batch), text, Upper(c.Error))
}
