package lectures

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/slides"
)

// Corollary is a closed form of a planning problem as lectures state it, beside
// what the theorem behind it allows when it is solved.
type Corollary struct {
	Name        string
	Formula     string
	Source      string
	Theorem     accounting.Method // what it is derived from
	Value       float64           // of the entry's field
	Proven      bool              // whether its conditions hold here
	Cost        float64           // ε of the whole at that value, by its own theorem
	Least       float64           // ε of the whole at that value, by the best closed method
	LeastMethod accounting.Method // that method
	Allowed     float64           // the value its own theorem allows; 0 if none
	Waste       float64           // share of Allowed that the form does not use; negative if it exceeds the budget
	Note        string
}

// CorollaryTable holds every closed form for the only entry of a stack, with the budget
// and the count it is for.
type CorollaryTable struct {
	Entry  int    // from 1
	Field  string // "epsilon" or "sigma"
	Count  float64
	Target scenarios.Budget
	Rows   []Corollary
	Open   bool // a sensitivity is not stated under replace: no form is known to fit, whatever it costs

	sensitivity float64 // of Gaussian noise
}

// ExceedsBudget reports whether a form costs more than the budget by its own theorem, and whether it is known to
// fit nevertheless, by a better one.
func (t *CorollaryTable) ExceedsBudget(c Corollary) (over, safe bool) {
	most := accounting.BudgetLimit(t.Target.Epsilon)
	return !(c.Cost <= most), !(c.Cost <= most) && c.Least <= most && !t.Open
}

// Corollaries lists the closed forms for a stack of equal releases: only one entry
// may be enabled, and it must be pure or Gaussian.
func Corollaries(ctx context.Context, ev plan.Planner, s *scenarios.Scenario) (*CorollaryTable, error) {
	i, err := onlyEntry(s)
	if err != nil {
		return nil, err
	}
	if !(s.Budget.Epsilon > 0) {
		return nil, errors.New("the closed forms need a budget to divide")
	}
	e := &s.Stack[i]
	m, err := s.Mechanism(e)
	if err != nil {
		return nil, fmt.Errorf("entry %d: %w", i+1, err)
	}
	t := &CorollaryTable{Entry: i + 1, Count: e.Count * s.Rounds, Target: s.Budget,
		Open: len(s.OpenSensitivities()) > 0}
	var forms []Corollary
	if releases := m.Releases(1); len(releases) == 1 && releases[0].Count == 1 {
		_, gaussian := releases[0].Release.Gaussian()
		_, delta, pure := releases[0].Release.Approximate()
		noise, ok := m.(mechanisms.Additive)
		switch {
		case ok && gaussian == nil:
			t.Field, t.sensitivity = "sigma", noise.Spread().Sensitivity
			forms = gaussianForms(s.Budget, t.Count, t.sensitivity)
		case pure == nil && delta == 0 && e.Values.Has("epsilon"):
			t.Field = "epsilon"
			forms = pureForms(s.Budget, t.Count)
		}
	}
	if len(forms) == 0 {
		return nil, errors.New("the closed forms are about pure releases and Gaussian noise; this entry is neither")
	}
	for _, f := range forms {
		if err := t.price(ctx, ev, s, &f); err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, f)
	}
	return t, nil
}

// onlyEntry returns the place of the one enabled entry.
func onlyEntry(s *scenarios.Scenario) (int, error) {
	at := -1
	for i, e := range s.Stack {
		switch {
		case e.Disabled:
		case at >= 0:
			return 0, errors.New("the closed forms are about equal releases, and the stack has several entries")
		case e.Parallel != nil || e.Sampling != 1 || s.Group != 1:
			return 0, errors.New("the closed forms know neither sampling, nor groups, nor parallel branches")
		default:
			at = i
		}
	}
	if at < 0 {
		return 0, errors.New("nothing is released")
	}
	return at, nil
}

// closedForm returns a corollary without its price.
func closedForm(name, formula, source string, theorem accounting.Method, value float64, proven bool,
	note string) Corollary {
	return Corollary{Name: name, Formula: formula, Source: source, Theorem: theorem, Value: value,
		Proven: proven, Note: note,
		Cost: math.Inf(1), Least: math.Inf(1)}
}

// pureForms divide (ε, δ) over K pure releases.
func pureForms(b scenarios.Budget, k float64) []Corollary {
	forms := []Corollary{closedForm("each its share", "ε/K", "Dwork, McSherry, Nissim & Smith 2006", accounting.Basic,
		b.Epsilon/k, true, "")}
	if b.Delta <= 0 {
		return forms
	}
	half, err := slides.AdvancedEach(b.Epsilon, b.Delta, k)
	note := ""
	if err != nil {
		half = slides.AdvancedEachSlide(b.Epsilon, b.Delta, k) / 2
		note = "proven for ε < 1 and δ′ ≤ ½ only; what it costs is computed here"
	}
	return append(forms,
		closedForm("corollary with the factor 2", "ε/(2√(2K ln(1/δ′)))", "Dwork & Roth 2014, Corollary 3.21", accounting.Advanced, half, err == nil, note),
		closedForm("slide without the factor 2", "ε/√(2K ln(1/δ′))", "slides; the theorem's second term is dropped", accounting.Advanced,
			slides.AdvancedEachSlide(b.Epsilon, b.Delta, k), false, "not a theorem: it leaves out K·ε(e^ε−1)"),
		closedForm("through zCDP, both steps classic", "√(2ρ/K), ρ = (√(ε+ln(1/δ)) − √ln(1/δ))²", "Bun & Steinke 2016, Propositions 1.3 and 1.4", accounting.ZCDPClassic,
			math.Sqrt(2*accounting.ConcentratedFromDP(b.Epsilon, b.Delta)/k), true, ""),
	)
}

// gaussianForms divide (ε, δ) over K releases with Gaussian noise.
func gaussianForms(b scenarios.Budget, k, sensitivity float64) []Corollary {
	if b.Delta <= 0 {
		return nil
	}
	each := b.Epsilon / k
	note := ""
	if each >= 1 {
		note = "proven for ε < 1 only, which some slides leave out"
	}
	return []Corollary{
		closedForm("each calibrated to its share", "Δ√(2 ln(1.25K/δ))·K/ε", "Dwork & Roth 2014, Theorem A.1, at (ε/K, δ/K)", accounting.Basic,
			mechanisms.ClassicSigma(each, b.Delta/k, sensitivity), each < 1, note),
		closedForm("through zCDP, classic", "Δ√(K/(2ρ)), ρ = (√(ε+ln(1/δ)) − √ln(1/δ))²", "Bun & Steinke 2016, Propositions 1.3 and 1.6", accounting.ZCDPClassic,
			sensitivity*math.Sqrt(k/(2*accounting.ConcentratedFromDP(b.Epsilon, b.Delta))), true, ""),
	}
}

// price fills in the cost of a closed form and the value that its theorem allows. Without a valid bound
// the cost is +Inf.
func (t *CorollaryTable) price(ctx context.Context, ev plan.Planner, s *scenarios.Scenario, c *Corollary) error {
	c.Cost, c.Least = math.Inf(1), math.Inf(1)
	at := s.Clone()
	if err := (plan.Result{Solve: t.Field, Entry: t.Entry, Value: c.Value, Feasible: true}).Apply(at); err != nil {
		c.Note = err.Error()
		return nil
	}
	r, err := ev.Evaluate(ctx, at, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		return err
	}
	if b, _ := r.Bound(c.Theorem); b.Finite() {
		c.Cost = b.Epsilon
	}
	if b := r.BestBound(); b.Finite() {
		c.Least, c.LeastMethod = b.Epsilon, b.Method
	}
	solved, err := ev.Plan(ctx, s, plan.Request{Solve: t.Field, Entry: t.Entry, Method: c.Theorem})
	if err != nil {
		return err
	}
	if solved.Feasible {
		c.Allowed, c.Waste = solved.Value, 1-c.Value/solved.Value
		if t.Field == "sigma" {
			c.Waste = 1 - solved.Value/c.Value
		}
	}
	if c.Least > s.Budget.Epsilon*(1+1e-12) && t.Field == "sigma" {
		delta := accounting.GaussianToDelta(t.sensitivity*math.Sqrt(t.Count)/c.Value, s.Budget.Epsilon)
		c.Note = strings.TrimPrefix(fmt.Sprintf("%s; too little noise: the true δ at ε = %s is %s",
			c.Note, numeral.Format(s.Budget.Epsilon), numeral.Format(numeral.RoundUp(delta, 4))), "; ")
	}
	return nil
}
