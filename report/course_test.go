package report

import (
	"testing"

	"epsiloscope/internal/samples"
)

func TestCourseInWords(t *testing.T) {
	s := samples.Training("batch: 100, epochs: 10")
	e := s.Stack[0]
	want := "batches of 100, 100 steps an epoch, 1000 in 10 epochs; each coordinate of an average gradient has noise of 0.01000 clipping norms"
	if got := CourseOf(s, e.Mechanism, e.Values); got != want {
		t.Errorf("%q", got)
	}
	s.Records = 0
	if got := CourseOf(s, e.Mechanism, e.Values); got != "" {
		t.Errorf("a batch of unknown records: %q", got)
	}
}
