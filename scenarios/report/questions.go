package report

import (
	"fmt"
	"io"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Question is what students ask about advanced composition, answered with the
// numbers of the scenario.
type Question struct {
	Ask    string
	Answer []string
}

// Questions answers the three that come up in every course (where does the factor 2
// come from, why can δ′ not be 0, how does √K give n² queries). It is empty where
// advanced composition has nothing to say of the stack.
func Questions(r *scenarios.Result) []Question {
	for _, b := range r.Bounds {
		if b.Method != accounting.Advanced || !b.Finite() {
			continue
		}
		in := inputsOf(b)
		if in.has("δ′", "Σε", "Σε²", "Σε(e^ε−1)", "K") && in["Σε²"] > 0 && in["δ′"] > 0 {
			return []Question{factorTwo(b, in), deltaPrime(in), manyQueries(in)}
		}
	}
	return nil
}

func factorTwo(b accounting.Bound, in inputs) Question {
	root, mean := spread(in), in["Σε(e^ε−1)"]
	half := "It is the smaller term here, so half of the budget covers it with room to spare."
	if mean > root {
		half = "Here it is the larger term: half of the budget would not cover it."
	}
	return Question{"Where does the factor 2 come from?", []string{
		"Under the root: the privacy loss of one release moves by at most ±ε around its mean, and Azuma's inequality for K such steps lets the sum stray " +
			"by √(2 ln(1/δ′)·Σε²) with probability δ′ at most.",
		fmt.Sprintf("That is √(2 · %s · %s) = %s here.", Figure(-math.Log(in["δ′"])), Figure(in["Σε²"]), Figure(root)),
		fmt.Sprintf("Before the root, in the corollary ε/(2√(2K ln(1/δ′))): it pays for the second term, Σε(e^ε−1) = %s, by giving the first one half of the budget. %s", Figure(mean), half),
		fmt.Sprintf("Solving the theorem itself needs no such factor: %s + %s = %s.", Figure(root), Figure(mean), Upper(b.Epsilon)),
	}}
}

func deltaPrime(in inputs) Question {
	at := func(delta float64) string {
		return Upper(math.Sqrt(-2*math.Log(delta)*in["Σε²"]) + in["Σε(e^ε−1)"])
	}
	d := in["δ′"]
	text := fmt.Sprintf("At δ′ = %s the theorem gives %s, at δ′ = %s already %s", Short(d), at(d), Short(d*d), at(d*d))
	// Where the theorem passes the plain sum.
	if gap := in["Σε"] - in["Σε(e^ε−1)"]; gap > 0 {
		if exponent := gap * gap / (2 * in["Σε²"]); exponent > 0 {
			text += fmt.Sprintf("; below δ′ = e^−%s it exceeds the plain sum %s", Figure(exponent), Figure(in["Σε"]))
		}
	}
	return Question{"Why can δ′ not be 0?", []string{
		"The sum of the losses stays near its mean except with probability δ′. Ask for no exception and only its largest value counts, where every release loses its full ε: that is basic composition.",
		text + ".",
	}}
}

func manyQueries(in inputs) Question {
	k := in["K"]
	return Question{"How does √K give n² queries?", []string{
		"With a fixed total, ε per query may fall like 1/√K instead of 1/K, so the noise grows like √K. Noise on a count is harmless while it stays below n: " +
			"that allows about n queries by basic composition, and about n² by the advanced one.",
		fmt.Sprintf("With these %s releases the noise of basic composition would be %s times that of one, by the advanced one about %s times.",
			Short(k), Short(k), Short(mechanisms.RoundNumber(math.Sqrt(-2*k*math.Log(in["δ′"])), 3))),
	}}
}

// writeQuestions adds the questions where advanced composition is explained.
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
func asked(r *scenarios.Result, list []Explanation) []Question {
	for _, e := range list {
		if e.Bound.Method == accounting.Advanced {
			return Questions(r)
		}
	}
	return nil
}
