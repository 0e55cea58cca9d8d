package report

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// Heading returns the scenario in one line: its name, what it protects, how often.
func Heading(r *scenarios.Result) string {
	parts := []string{Title(r)}
	if unit := Plain(r.Unit); unit != "" {
		parts = append(parts, "unit: "+unit)
	}
	parts = append(parts, string(r.Adjacency))
	if r.Rounds != 1 {
		parts = append(parts, FormatGiven(r.Rounds)+" rounds")
	}
	if r.Group > 1 {
		parts = append(parts, "groups of "+FormatGiven(r.Group))
	}
	return strings.Join(parts, " · ")
}

// Title returns what a scenario is called, in print.
func Title(r *scenarios.Result) string { return cmp.Or(Plain(r.Name), "(no name)") }

// Answer returns the best bound in one line, to be quoted.
func Answer(r *scenarios.Result) string {
	b := r.BestBound()
	if !b.Finite() {
		return "no theorem gives a finite ε here; the table says why"
	}
	if costsDeltaAlone(b) {
		return fmt.Sprintf("δ = %s at ε = 0 by %s", FormatGiven(b.Delta), TheoremPhrase(b.Method))
	}
	s := fmt.Sprintf("ε = %s at δ = %s by %s", Upper(b.Epsilon), FormatGiven(b.Delta), TheoremPhrase(b.Method))
	if b.Method == accounting.Numerical && b.Lower > 0 {
		s += ", " + CertifiedEnds(b)
	}
	return s
}

// CertifiedEnds words the two ends of a numerical bound. A lower end that is an attack's, far below ε, is no end of an
// interval in which ε is known to lie.
func CertifiedEnds(b accounting.Bound) string {
	if b.LowerByAttack() {
		return "at least " + Lower(b.Lower) + " by the best attack known"
	}
	return "certified " + Lower(b.Lower) + " – " + Upper(b.Epsilon)
}

// costsDeltaAlone reports whether a bound has an ε of 0 beside a positive δ, which is then the whole cost: a published
// sample.
func costsDeltaAlone(b accounting.Bound) bool { return b.Epsilon == 0 && b.Delta > 0 }

// Guarantee words an ε and a δ.
func Guarantee(epsilon, delta string) string {
	if delta == "0" {
		return fmt.Sprintf("ε-differential privacy with ε = %s (pure, δ = 0)", epsilon)
	}
	return fmt.Sprintf("(ε, δ)-differential privacy with ε = %s and δ = %s", epsilon, delta)
}

func guarantee(b accounting.Bound) string { return Guarantee(Upper(b.Epsilon), FormatGiven(b.Delta)) }

func certainty(r *scenarios.Result, b accounting.Bound) string {
	if b.Method == accounting.Numerical && b.Lower > 0 {
		if b.LowerByAttack() {
			return fmt.Sprintf("certified numerically: at most %s; %s", Upper(b.Epsilon), CertifiedEnds(b))
		}
		if b.Lower < b.Epsilon*(1-1e-3) { // the interval is wide: the pair is only bracketed
			return fmt.Sprintf("certified numerically: at most %s; the certified lower end is %s", Upper(b.Epsilon), Lower(b.Lower))
		}
		return fmt.Sprintf("certified numerically: the tight ε of the dominating pairs lies between %s and %s", Lower(b.Lower), Upper(b.Epsilon))
	}
	if UsesOneOrder(b.Method) && b.Alpha > 0 {
		return fmt.Sprintf("a proven upper bound, converted at the Rényi order α = %s", Nearest(b.Alpha))
	}
	if slack := Slack(r, b); slack > 1.0005 {
		return fmt.Sprintf("a proven upper bound, %.2f times the certified lower end", slack)
	}
	return "a proven upper bound"
}

// TheoremPhrase returns a theorem after "by".
func TheoremPhrase(m accounting.Method) string {
	if m == accounting.Numerical {
		return "the numerical accountant"
	}
	return m.Name()
}

// Verdict says whether the best bound fits the budget, which it quotes with every digit that was
// typed; "" without a budget. If no bound may be quoted it says so.
func Verdict(r *scenarios.Result) string {
	budget := r.Target.Epsilon
	b := r.BestBound()
	switch {
	case r.CostsAreAdaptive():
		return "may not be quoted: " + r.OpenReason()
	case r.Harm != nil:
		return harmVerdict(r)
	case budget <= 0:
		return ""
	case !b.Finite():
		return fmt.Sprintf("not known to fit the budget ε = %s", numeral.Format(budget))
	case Fits(b, budget) && r.IsOpen():
		return fmt.Sprintf("not known to fit the budget ε = %s: %s", numeral.Format(budget), r.OpenReason())
	case Fits(b, budget) && costsDeltaAlone(b):
		return fmt.Sprintf("fits the budget ε = %s, as all of the cost is in δ", numeral.Format(budget))
	case Fits(b, budget):
		return fmt.Sprintf("fits the budget ε = %s", numeral.Format(budget))
	}
	return fmt.Sprintf("over the budget ε = %s by %s", numeral.Format(budget), Upper(r.BestBound().Epsilon-budget))
}

// WithinBudget reports whether the best bound, or the certified curve, certainly stays within the budget,
// be that an ε or a harm. It is false if there is no budget.
func WithinBudget(r *scenarios.Result) bool {
	if r.IsOpen() {
		return false
	}
	if r.Harm != nil {
		return r.Harm.Fits(r.Bounds)
	}
	return r.Target.Epsilon > 0 && Fits(r.BestBound(), r.Target.Epsilon)
}

// Fits reports whether a valid bound stays within the budget, as everything that
// asks this question does: see [accounting.Bound.Fits].
func Fits(b accounting.Bound, budget float64) bool { return b.Fits(budget) }

// Slack returns the bound divided by the certified lower end: how much the theorem loses. It is
// 0 if there is no certified lower end, or if that is what an attack reaches, far below every bound.
func Slack(r *scenarios.Result, b accounting.Bound) float64 {
	if !b.Finite() {
		return 0
	}
	if n, _ := r.Bound(accounting.Numerical); n.Status == accounting.Valid && n.Lower > 0 && !n.LowerByAttack() {
		return b.Epsilon / n.Lower
	}
	return 0
}

// FormatMultiple writes a ratio: "1.25×". A ratio below 1 is never written as 1, because it marks an approximation
// below the certified lower end.
func FormatMultiple(x float64) string {
	if x < 1 {
		x = math.Floor(100*x) / 100
	}
	return strconv.FormatFloat(x, 'f', 2, 64) + "×"
}

// UsesOneOrder reports whether a method converts at one Rényi order, which is then stated.
func UsesOneOrder(m accounting.Method) bool {
	t, _ := accounting.TheoremOf(m)
	return t.AtOrder
}

// ShortEntry returns an entry for the screen: numbers rounded, scores left out.
func ShortEntry(e scenarios.Entry) string {
	c := roundEntry(e)
	for name, v := range c.Values {
		if v.Type == param.Scores {
			delete(c.Values, name)
		}
	}
	return c.Describe()
}

// roundEntry returns an entry whose numbers have the digits that a person is shown.
func roundEntry(e scenarios.Entry) scenarios.Entry {
	c := e.Clone()
	for name, v := range c.Values {
		if v.Type == param.Number {
			v.Number = numeral.Round(v.Number, digits)
			c.Values[name] = v
		}
	}
	return c
}

// EntryName returns an entry's label, or what it is.
func EntryName(e scenarios.Entry) string {
	if label := Plain(e.Label); label != "" {
		return label
	}
	return Plain(ShortEntry(e))
}

// OneUnit names what is protected: "one user-day".
func OneUnit(unit string) string {
	unit = Plain(unit)
	switch {
	case unit == "":
		return "one record"
	case strings.HasPrefix(unit, "one ") || strings.HasPrefix(unit, "a ") || strings.HasPrefix(unit, "not "):
		return unit
	}
	return "one " + unit
}

// compareCost says in words how an ε of b compares with an ε of a: "costs 0.3 more, 1.2 times as much".
func compareCost(a, b float64) string {
	d := b - a
	switch {
	case math.Abs(d) <= 1e-9*math.Max(a, b):
		return "costs the same"
	case d > 0 && a > 0:
		return fmt.Sprintf("costs %s more, %s times as much", Upper(d), Short(b/a))
	case d > 0:
		return fmt.Sprintf("costs %s more", Upper(d))
	default:
		return fmt.Sprintf("costs %s less, by %s", Lower(-d), Percent(1-b/a))
	}
}

// ChangedEntry returns the entry that was added or removed, in few digits.
func ChangedEntry(c scenarios.Change) string {
	if c.Whole == nil {
		return Plain(cmp.Or(c.To, c.From))
	}
	return Plain(roundEntry(*c.Whole).Describe())
}

// ChangeValues returns both values of a change in few digits, in all of them if few would make
// them equal.
func ChangeValues(c scenarios.Change) (from, to string) {
	brief := func(s string) string {
		if s == "" || s == "0" && c.Field == "records" {
			return "none"
		}
		if x, err := numeral.Parse(s); err == nil {
			return Short(x)
		}
		return s
	}
	if from, to = brief(c.From), brief(c.To); from == to {
		return c.From, c.To
	}
	return from, to
}
