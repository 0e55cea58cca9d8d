package tui

import (
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

// writeQuestions answers what students ask of advanced composition, with the
// numbers of this stack.
func writeQuestions(out *writer, r *scenarios.Result) {
	for _, q := range report.Questions(r) {
		out.inset(4, out.pen.Accent, q.Ask)
		for _, a := range q.Answer {
			out.inset(4, out.pen.Text, a)
		}
	}
}
