package accounting

import (
	"fmt"
	"math"
	"strconv"
)

// drvQuestions are the three that come up in every course: where the factor 2 comes from,
// why δ′ cannot be 0, how √K gives n² queries.
func drvQuestions(b Bound, in inputs, w Writing) []Question {
	if !in.has("δ′", "Σε", "Σε²", "Σε(e^ε−1)", "K") || !(in["Σε²"] > 0 && in["δ′"] > 0) {
		return nil
	}
	return []Question{factorTwo(b, in, w), deltaPrime(in, w), manyQueries(in, w)}
}

func factorTwo(b Bound, in inputs, w Writing) Question {
	root, mean := drvSpread(in["Σε²"], in["δ′"]), in["Σε(e^ε−1)"]
	half := "It is the smaller term here, so half of the budget covers it with room to spare."
	if mean > root {
		half = "Here it is the larger term: half of the budget would not cover it."
	}
	return Question{"Where does the factor 2 come from?", []string{
		"Under the root: the privacy loss of one release moves by at most ±ε around its mean, and Azuma's inequality for K such steps lets the sum stray " +
			"by √(2 ln(1/δ′)·Σε²) with probability δ′ at most.",
		fmt.Sprintf("That is √(2 · %s · %s) = %s here.", w.Figure(-math.Log(in["δ′"])), w.Figure(in["Σε²"]), w.Figure(root)),
		fmt.Sprintf("Before the root, in the corollary ε/(2√(2K ln(1/δ′))): it pays for the second term, Σε(e^ε−1) = %s, by giving the first one half of the budget. %s", w.Figure(mean), half),
		fmt.Sprintf("Solving the theorem itself needs no such factor: %s + %s = %s.", w.Figure(root), w.Figure(mean), w.Upper(b.Epsilon)),
	}}
}

func deltaPrime(in inputs, w Writing) Question {
	at := func(delta float64) string {
		return w.Upper(drvSpread(in["Σε²"], delta) + in["Σε(e^ε−1)"])
	}
	d := in["δ′"]
	text := fmt.Sprintf("At δ′ = %s the theorem gives %s, at δ′ = %s already %s", w.Short(d), at(d), w.Short(d*d), at(d*d))
	// Where the theorem passes the plain sum.
	if gap := in["Σε"] - in["Σε(e^ε−1)"]; gap > 0 {
		if exponent := gap * gap / (2 * in["Σε²"]); exponent > 0 {
			text += fmt.Sprintf("; below δ′ = e^−%s it exceeds the plain sum %s", w.Figure(exponent), w.Figure(in["Σε"]))
		}
	}
	return Question{"Why can δ′ not be 0?", []string{
		"The sum of the losses stays near its mean except with probability δ′. Ask for no exception and only its largest value counts, where every release loses its full ε: that is basic composition.",
		text + ".",
	}}
}

func manyQueries(in inputs, w Writing) Question {
	k := in["K"]
	return Question{"How does √K give n² queries?", []string{
		"With a fixed total, ε per query may fall like 1/√K instead of 1/K, so the noise grows like √K. Noise on a count is harmless while it stays below n: " +
			"that allows about n queries by basic composition, and about n² by the advanced one.",
		fmt.Sprintf("With these %s releases the noise of basic composition would be %s times that of one, by the advanced one about %s times.",
			w.Short(k), w.Short(k), w.Short(threeDigits(drvSpread(k, in["δ′"])))),
	}}
}

func threeDigits(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	return y
}
