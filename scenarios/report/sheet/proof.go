package sheet

import (
	"fmt"

	"epsiloscope/scenarios/lectures/proofs"
	"epsiloscope/scenarios/report"
)

var proofColumns = []column[proofs.Step]{
	{key: "says", value: func(p proofs.Step) any { return p.Says }},
	{key: "left", value: func(p proofs.Step) any { return p.Left.Formula }},
	{key: "left_value", value: func(p proofs.Step) any { return p.Left.Value }},
	{key: "relation", value: func(p proofs.Step) any { return string(p.Relation) }},
	{key: "right", value: func(p proofs.Step) any { return p.Right.Formula }},
	{key: "right_value", value: func(p proofs.Step) any { return p.Right.Value }},
	{key: "holds", value: func(p proofs.Step) any { return p.Holds() }},
	{key: "slide", value: func(p proofs.Step) any { return p.Slide }},
}

// Proof is a proof with numbers in it, a step two lines.
func Proof(p proofs.Proof, w proofs.Walk) *Sheet {
	s := &Sheet{Title: p.Title, Lines: []string{"with the numbers of " + report.Plain(w.On)}}
	for i, step := range w.Steps {
		mark := "✓"
		if !step.Holds() {
			mark = "✗"
		}
		s.Lines = append(s.Lines, fmt.Sprintf("%d. %s", i+1, step.Says),
			fmt.Sprintf("   %s %s = %s %s %s = %s", mark, step.Left.Formula, report.Figure(step.Left.Value), step.Relation, step.Right.Formula, report.Figure(step.Right.Value)))
	}
	s.exact = csvOf(proofColumns, w.Steps)
	s.data = Record{{"proof", p.Name}, {"title", p.Title}, {"deck", p.Deck}, {"on", report.Plain(w.On)}, {"steps", recordsOf(proofColumns, w.Steps)}}
	return s
}
