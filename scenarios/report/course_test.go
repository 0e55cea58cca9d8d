package report

import (
	"testing"

	"epsiloscope/scenarios"
)

func trainingOf(t *testing.T, fields string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("", []byte("version: 1\nadjacency: zero-out\nrecords: 10000\nbudget: {delta: 1e-6}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: 1, "+fields+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCourseInWords(t *testing.T) {
	s := trainingOf(t, "batch: 100, epochs: 10")
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
