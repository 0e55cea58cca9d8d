package chart

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/curve"
)

// countedUtility is what can be said of an exponential mechanism of which only the number
// of outputs |O| is known: the chance that the score picked is g or more below the best,
// by the theorem, |O|·e^{−g/w} with w = 2Δ/ε (Δ/ε for monotone scores), and in the worst
// case, one best output and all others exactly g below it.
func countedUtility(v *view) (Chart, bool) {
	i, e, err := entryOf(v, "picks no candidate", func(e mechanisms.Exponential) bool {
		return e.Outputs >= 2 && len(e.Candidates) == 0
	})
	if err != nil {
		return Chart{}, false
	}
	width := 2 * e.Sensitivity / e.Epsilon
	if e.Monotone {
		width /= 2
	}
	const t = 3 // the lectures' own
	end := width * (math.Log(e.Outputs) + 4*t)
	gaps := curve.LineSpace(0, end, v.points())
	theorem := curve.Over(gaps, func(g float64) float64 { return math.Min(1, e.Outputs*math.Exp(-g/width)) })
	worst := curve.Over(gaps, func(g float64) float64 { return 1 / (1 + math.Exp(g/width)/(e.Outputs-1)) })
	gap := width * (math.Log(e.Outputs) + t)
	return Chart{
		Title:  fmt.Sprintf("how far below the best entry %d picks, among %s outputs", i+1, report.Short(e.Outputs)),
		X:      Axis{Label: "score below the best", Min: 0, Max: end},
		Y:      Axis{Label: "chance of as much or more", Min: 0, Max: 1},
		Series: []Series{{Name: "worst case", X: gaps, Y: worst}, {Name: "theorem", X: gaps, Y: theorem, Faint: true}},
		Marks:  []Mark{{X: gap, Y: unset, Label: "t = 3: " + report.Short(gap)}},
		Notes: []string{
			fmt.Sprintf("%s or more below the best with probability at most e^−3 = %s: the number of outputs counts by its logarithm, %s", report.Short(gap), report.Upper(math.Exp(-t)), report.Short(math.Log(e.Outputs))),
			"the scores are not given; in the worst case all other outputs are equally far below the best",
		},
	}, true
}
