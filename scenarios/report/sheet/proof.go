package sheet

import (
	"fmt"

	"epsiloscope/scenarios/lectures/proofs"
	"epsiloscope/scenarios/report"
)

var proofColumns = []Column[proofs.Step]{
	{Key: "says", Value: func(p proofs.Step) any { return p.Says }},
	{Key: "left", Value: func(p proofs.Step) any { return p.Left.Formula }},
	{Key: "left_value", Value: func(p proofs.Step) any { return p.Left.Value }},
	{Key: "relation", Value: func(p proofs.Step) any { return string(p.Relation) }},
	{Key: "right", Value: func(p proofs.Step) any { return p.Right.Formula }},
	{Key: "right_value", Value: func(p proofs.Step) any { return p.Right.Value }},
	{Key: "holds", Value: func(p proofs.Step) any { return p.Holds() }},
	{Key: "slide", Value: func(p proofs.Step) any { return p.Slide }},
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
	s.Data = Record{{"proof", p.Name}, {"title", p.Title}, {"deck", p.Deck}, {"on", report.Plain(w.On)}, {"steps", RecordsOf(proofColumns, w.Steps)}}
	return s
}
