package reading

import (
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/kit"
)

// writeQuestions answers what students ask of advanced composition, with the
// numbers of this stack.
func writeQuestions(out *kit.Writer, r *scenarios.Result) {
	for _, q := range report.Questions(r) {
		out.Inset(4, out.Pen.Accent, q.Ask)
		for _, a := range q.Answer {
			out.Inset(4, out.Pen.Text, a)
		}
	}
}
