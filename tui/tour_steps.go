package tui

import (
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/tui/document"
)

// Step is one stop of the tour: a scenario of the library on the live home
// screen, what to see in it and what to press.
type Step struct {
	title    string
	scenario string
	idea     string            // at most two lines of 56 cells
	try      string            // at most one line of 76
	knob     string            // the one that + and - turn
	chart    string            // key of the chart to show; "" shows the bounds
	row      accounting.Method // the theorem that is spoken of
	// screen goes further into the subject. If the explorer has it, the key that
	// opens it and this sentence replace try.
	screen, there string
}

// steps are the ten ideas, each built on those before it.
var steps = []Step{
	{
		title: "One query", scenario: "laplace-count", knob: "epsilon",
		idea: "A count is published with random noise. ε is its price: how far one person’s data may shift the odds.",
		try:  "+ and - turn ε. The figure at the top is the total price. u takes it back.",
	},
	{
		title: "Noise", scenario: "laplace-count", knob: "epsilon", chart: "4",
		idea: "The curves are what may be published with you in the data and without you. The closer, the safer.",
		try:  "Press - a few times: less ε, more noise, and the curves draw together.",
	},
	{
		title: "Composition", scenario: "adv-vs-basic-small", knob: document.KnobCount, row: accounting.Basic,
		idea: "Prices add up. Ten counts at ε = 0.1 each: the row “basic” says 10 × 0.1 = 1, all of the budget.",
		try:  "K is how many counts there are. Press + for one more: it is over the budget.",
	},
	{
		title: "Advanced", scenario: "adv-vs-basic-large", knob: document.KnobDelta, row: accounting.Advanced,
		idea: "A hundred such counts: basic says 10. But bad luck rarely strikes each time, so “advanced” proves 6.309.",
		try:  "δ is the chance that the promise fails. [ makes it ten times smaller.",
	},
	{
		title: "Rényi", scenario: "adv-vs-basic-large", knob: document.KnobAlpha, chart: "2", row: accounting.RDP,
		idea: "Rényi accounting (RDP) averages the loss instead of taking its worst case. α says how much bad luck weighs.",
		try:  "The curve is ε for each α; the lowest point counts. + tries another α.",
	},
	{
		title: "zCDP", scenario: "gaussian-zcdp", knob: "sigma", row: accounting.ZCDP,
		idea: "Gaussian noise needs one number for all α: ρ. zCDP adds the ρ of ten answers: 10 × 0.005 = 0.05.",
		try:  "w shows how each row is computed, with the numbers put in. esc returns.",
	},
	{
		title: "Numerical", scenario: "welcome", knob: "epsilon", row: accounting.Numerical,
		idea: "A computer can add up the chances of every loss. The best provable ε lies between its two certified ends.",
		try:  "See “certified” at the top. Turn a knob: both ends are computed anew.",
	},
	{
		title: "Planning", scenario: "counts", knob: document.KnobCount,
		idea:   "Now the other way round. The budget is 1, and fifty counts cost more. How many may be asked?",
		try:    "Press - until the cross becomes a tick. Or = and a number.",
		screen: "plan", there: "solves for the number that just fits. esc returns.",
	},
	{
		title: "Person", scenario: "five-records-each", knob: "epsilon",
		idea:   "ε speaks of one record. Who has five of them in the data pays five times as much: 5 × 10 × 0.1 = 5.",
		try:    "t sets the target. Change “group”, the records of one person.",
		screen: "person", there: "shows what ε = 5 means for one person. esc returns.",
	},
	{
		title: "Saving", scenario: "welcome", knob: "epsilon",
		idea: "A scenario is a short text file: whose data, which budget, what is released. Others can check its figures.",
		try:  "S saves this one under a name of yours. o opens others, L the lectures.",
	},
}

// tryText is what to press at a step, in the explorer as it is.
func (t *Tour) tryText(s Step) string {
	if s.screen != "" {
		if key := t.stage.Key(s.screen); key != "" {
			return key + " " + s.there
		}
	}
	return s.try
}

// Text is the whole tour to read.
func (t *Tour) Text() string {
	var b strings.Builder
	b.WriteString("The tour, ten steps. In a terminal \"epsiloscope tour\" takes you through them live.\n")
	for i, s := range steps {
		fmt.Fprintf(&b, "\n%2d. %s (epsiloscope %s)\n    %s\n    %s\n", i+1, s.title, s.scenario, s.idea, t.tryText(s))
	}
	return b.String()
}
