package tui

import (
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/tui/document"
)

// tourStep is a stop of the tour: a scenario of the library on the live home screen, what to
// see in it and what to press.
type tourStep struct {
	Title    string
	Scenario string
	Idea     string            // at most two lines of 56 cells
	Try      string            // at most one line of 76
	Knob     string            // the one that + and - turn
	Chart    string            // key of the chart to show; "" shows the bounds
	Row      accounting.Method // the theorem that is spoken of
	// Screen goes further into the subject. If it is set, the key that opens it and There replace Try.
	Screen, There string
}

// tourSteps are the ten ideas, each built on those before it.
var tourSteps = []tourStep{
	{
		Title: "One query", Scenario: "laplace-count", Knob: "epsilon",
		Idea: "A count is published with random noise. ε is its price: how far one person’s data may shift the odds.",
		Try:  "+ and - turn ε. The ε at the top is the total cost. u takes it back.",
	},
	{
		Title: "Noise", Scenario: "laplace-count", Knob: "epsilon", Chart: "4",
		Idea: "The curves are what may be published with you in the data and without you. The closer, the safer.",
		Try:  "Press - a few times: less ε, more noise, and the curves draw together.",
	},
	{
		Title: "Composition", Scenario: "adv-vs-basic-small", Knob: document.KnobCount, Row: accounting.Basic,
		Idea: "Prices add up. Ten counts at ε = 0.1 each: the row “basic” says 10 × 0.1 = 1, all of the budget.",
		Try:  "K is how many counts there are. Press + for one more: it is over the budget.",
	},
	{
		Title: "Advanced", Scenario: "adv-vs-basic-large", Knob: document.KnobDelta, Row: accounting.Advanced,
		Idea: "A hundred counts: basic says 10. Bad luck in all of them is rare, so “advanced” proves 6.309.",
		Try:  "δ is the rare case that is left out. [ makes δ ten times smaller: ε rises.",
	},
	{
		Title: "Rényi", Scenario: "adv-vs-basic-large", Knob: document.KnobAlpha, Chart: "2", Row: accounting.RDP,
		Idea: "Rényi accounting (RDP) averages the loss instead of taking its worst case. α says how much bad luck weighs.",
		Try:  "The curve is ε for each α; the lowest point counts. + tries another α.",
	},
	{
		Title: "zCDP", Scenario: "gaussian-zcdp", Knob: "sigma", Row: accounting.ZCDP,
		Idea: "Gaussian noise needs one number for all α: ρ. zCDP adds the ρ of ten answers: 10 × 0.005 = 0.05.",
		Try:  "w shows how each row is computed, with the numbers put in. esc returns.",
	},
	{
		Title: "Numerical", Scenario: "welcome", Knob: "epsilon", Row: accounting.Numerical,
		Idea: "A computer can add up the chances of every loss. The best provable ε lies between its two certified ends.",
		Try:  "See “certified” at the top. Turn a knob: both ends are computed anew.",
	},
	{
		Title: "Planning", Scenario: "counts", Knob: document.KnobCount,
		Idea:   "Now the other way round. The budget is 1, and fifty counts cost more. How many may be asked?",
		Screen: "plan", There: "solves for the number that just fits. esc returns.",
	},
	{
		Title: "Person", Scenario: "five-records-each", Knob: "epsilon",
		Idea:   "ε is about one record. Somebody with five records in the data pays five times as much: 5 × 10 × 0.1 = 5.",
		Screen: "person", There: "shows what ε = 5 means for one person. esc returns.",
	},
	{
		Title: "Saving", Scenario: "welcome", Knob: "epsilon",
		Idea: "A scenario is a short text file: whose data, which budget, what is released. Others can check its bounds.",
		Try:  "S saves this one under a name of yours. o opens others, L the lectures.",
	},
}

// tryText returns what to press at a step.
func (a *App) tryText(s tourStep) string {
	if i := a.screenIndex(s.Screen); i >= 0 {
		return a.screens[i].key + " " + s.There
	}
	return s.Try
}

// TourText returns the whole tour as text, for use without a screen.
func TourText() string {
	a := bareApp()
	defer a.Jobs.Close()
	var b strings.Builder
	b.WriteString("The tour, ten steps. In a terminal \"epsiloscope tour\" takes you through them live.\n")
	for i, s := range tourSteps {
		fmt.Fprintf(&b, "\n%2d. %s (epsiloscope %s)\n    %s\n    %s\n", i+1, s.Title, s.Scenario, s.Idea, a.tryText(s))
	}
	return b.String()
}
