package report

import (
	"fmt"
	"io"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// Questions are what students ask about advanced composition, answered with the numbers of
// the scenario. It is empty where the theorem has nothing to say of the stack.
func Questions(r *scenarios.Result) []accounting.Question {
	for _, b := range r.Bounds {
		if list := b.Questions(writing); len(list) > 0 {
			return list
		}
	}
	return nil
}

// writeQuestions adds the questions about the theorems explained.
func writeQuestions(w io.Writer, r *scenarios.Result, list []Explanation) {
	for _, q := range asked(r, list) {
		fmt.Fprintf(w, "\n%s\n", q.Ask)
		for _, a := range q.Answer {
			fmt.Fprintf(w, "  %s\n", a)
		}
	}
}

func writeQuestionsMarkdown(w io.Writer, r *scenarios.Result, list []Explanation) {
	for _, q := range asked(r, list) {
		fmt.Fprintf(w, "\n## %s\n\n", markdownText(q.Ask))
		for _, a := range q.Answer {
			fmt.Fprintf(w, "- %s\n", markdownText(a))
		}
	}
}

// asked are the questions, if the theorem they are about is among those explained.
func asked(r *scenarios.Result, list []Explanation) []accounting.Question {
	for _, e := range list {
		if len(e.Bound.Questions(writing)) > 0 {
			return Questions(r)
		}
	}
	return nil
}
