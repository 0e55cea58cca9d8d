package accounting

import (
	"context"
	"fmt"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// Basic is basic composition.
const Basic Method = "basic"

// The sums hold also where each release is chosen after seeing the ones before. A release that has
// only a profile (Gaussian noise) is given a δ_i: an even share, over all such releases, of
// what the stated δ's leave of the total.
var basicTheorem = Theorem{
	Method:    Basic,
	Label:     "basic",
	Title:     "Basic composition",
	Authors:   "Dwork, Kenthapadi, McSherry, Mironov, Naor",
	Year:      2006,
	Source:    "Our Data, Ourselves (EUROCRYPT 2006), Theorem 1; Dwork & Roth 2014, Theorem 3.16",
	Formula:   "ε = Σ Kᵢ·εᵢ   at   δ = Σ Kᵢ·δᵢ",
	Looseness: "It assumes that every release leaks its worst case in the same run; over many releases the losses mostly cancel.",
	Adaptive:  Adaptive{AdaptiveValid, "it is the basic filter", ""},
	CiteKey:   "DworkKMMN06",
	evaluate:  evaluateBasic,
	steps:     basicSteps,
}

func evaluateBasic(_ context.Context, l *preparedStack) Bound {
	c := l.entryCosts()
	if c.err != nil {
		return refuse(Basic, c.err.Error(), Condition{"every release has an (ε, δ) or a profile", false})
	}
	epsilon, delta := c.sums()
	inputs := []Quantity{quantity("K", l.total(), "releases"), quantity("Σε", epsilon, "sum of the stated ε"), quantity("Σδ", delta, "sum of the stated δ")}
	conditions := []Condition{{"every release has an (ε, δ) or a profile", true}}
	if delta > l.target.Delta*(1+1e-12) {
		stated, total := numeral.FormatDistinct(delta, l.target.Delta)
		return vacuous(fmt.Sprintf("the stated δ's add up to %s, more than the total δ of %s", stated, total),
			append(conditions, Condition{"the stated δ's fit into the total", false})...)
	}
	if len(c.profileOnly) == 0 {
		note := ""
		if delta == 0 {
			note = "Every release is pure: the sum needs no δ."
		}
		return Bound{Status: Valid, Epsilon: epsilon, Delta: delta, Note: note, Inputs: inputs, Conditions: conditions}
	}
	n := c.profileOnlyCount()
	share := (l.target.Delta - delta) / n
	name := c.profileOnly[0].Release.Name()
	if !(share > 0) {
		return refuse(Basic, fmt.Sprintf("%s has no pure ε, and nothing of δ is left for it", name),
			append(conditions, Condition{"a δ is left for releases that have only a profile", false})...)
	}
	opened := 0.0
	for i, e := range c.profileOnly {
		opened += e.Count * c.profiles[i].epsilonAt(e.Release, special.Log(share))
	}
	inputs = append(inputs,
		quantity("δᵢ", share, "even share of δ for "+openReleases(n)),
		quantity("Σε(δᵢ)", opened, "what those releases cost at that share").as(Intermediate))
	return Bound{Status: Valid, Epsilon: epsilon + opened, Delta: l.target.Delta, Inputs: inputs,
		Conditions: conditions, By: l.conversion(),
		Note: fmt.Sprintf("δ is split evenly: %s for %s.", proseUp(share), openReleases(n))}
}

// conversion returns the theorem that prices a stack of one release known by its profile alone: nothing is composed
// then. It is "" for other stacks.
func (l *preparedStack) conversion() Method {
	if l.total() != 1 || len(l.entries) != 1 {
		return ""
	}
	r := l.entries[0].Release
	if _, err := r.Gaussian(); err == nil {
		return GDP
	}
	if _, err := pairOf(r); err == nil {
		return Numerical
	}
	if _, err := r.Concentrated(); err == nil {
		return ZCDP
	}
	return RDP
}

func basicSteps(_ Bound, in inputs) ([]string, float64) {
	if !in.has("Σε(δᵢ)") {
		return []string{fmt.Sprintf("ε = Σε = %s", numeral.Upper(in["Σε"]))}, in["Σε"]
	}
	sum := in["Σε"] + in["Σε(δᵢ)"]
	return []string{"ε = Σε + Σε(δᵢ) = " + numeral.Sum(sum, in["Σε"], in["Σε(δᵢ)"])}, sum
}
