package sheet

import (
	"fmt"
	"strconv"

	"epsiloscope/scenarios/lectures/proofs"
	"epsiloscope/scenarios/report"
)

type jsonProof struct {
	Proof string          `json:"proof"`
	Title string          `json:"title"`
	Deck  string          `json:"deck"`
	On    string          `json:"on"`
	Steps []jsonProofStep `json:"steps"`
}

type jsonProofStep struct {
	Says     string   `json:"says"`
	Left     string   `json:"left"`
	LeftIs   *float64 `json:"left_value"`
	Relation string   `json:"relation"`
	Right    string   `json:"right"`
	RightIs  *float64 `json:"right_value"`
	Holds    bool     `json:"holds"`
	Slide    bool     `json:"slide"`
}

// Proof is a proof with numbers in it, a step two lines.
func Proof(p proofs.Proof, w proofs.Walk) *Sheet {
	s := &Sheet{Title: p.Title, Lines: []string{"with the numbers of " + report.Plain(w.On)}}
	s.exact = [][]string{{"says", "left", "left_value", "relation", "right", "right_value", "holds", "slide"}}
	data := jsonProof{Proof: p.Name, Title: p.Title, Deck: p.Deck, On: report.Plain(w.On), Steps: []jsonProofStep{}}
	for i, step := range w.Steps {
		mark := "✓"
		if !step.Holds() {
			mark = "✗"
		}
		s.Lines = append(s.Lines, fmt.Sprintf("%d. %s", i+1, step.Says),
			fmt.Sprintf("   %s %s = %s %s %s = %s", mark, step.Left.Formula, report.Figure(step.Left.Value), step.Relation, step.Right.Formula, report.Figure(step.Right.Value)))
		s.exact = append(s.exact, []string{step.Says, step.Left.Formula, Cell(step.Left.Value), string(step.Relation),
			step.Right.Formula, Cell(step.Right.Value), strconv.FormatBool(step.Holds()), strconv.FormatBool(step.Slide)})
		data.Steps = append(data.Steps, jsonProofStep{step.Says, step.Left.Formula, Number(step.Left.Value), string(step.Relation),
			step.Right.Formula, Number(step.Right.Value), step.Holds(), step.Slide})
	}
	s.data = data
	return s
}
