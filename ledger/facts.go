package ledger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
)

// The facts of a statement, "" where there is nothing to say.

func (l *Ledger) spentFact(s *Status) string {
	budget, spent, held, left := s.PrintedAmounts()
	text := fmt.Sprintf("%s %s spent, %s held, %s left of %s", s.Filter.Symbol, spent, held, left, budget)
	if s.Block != "" {
		text += ", in the block " + s.Block + ", which has least left"
	}
	return text
}

// quotableFact names what holds now: the promise, unless it was broken, and the odometer.
func (l *Ledger) quotableFact(s *Status) string {
	var list []string
	if l.breach == nil {
		list = append(list, "the promise"+l.Promise.Scope())
	}
	if s.Odometer != nil && *s.Odometer > 0 {
		list = append(list, fmt.Sprintf("ε = %s at δ = %s%s by the odometer (%s): %s", report.Upper(*s.Odometer),
			l.Promise.Delta, commaAfter(l.Promise.Scope()), s.OdometerName, s.OdometerSense))
	}
	return cmp.Or(strings.Join(list, ", or "), "nothing")
}

// commaAfter closes a phrase within a sentence.
func commaAfter(text string) string {
	if text == "" {
		return ""
	}
	return text + ","
}

func cancelledFact(s *Status) string {
	if len(s.Cancelled) == 0 {
		return ""
	}
	shown := s.Cancelled[:min(5, len(s.Cancelled))]
	text := "given back as never released: " + report.Plain(strings.Join(shown, "; "))
	if more := len(s.Cancelled) - len(shown); more > 0 {
		text += fmt.Sprintf("; and for %d other reasons", more)
	}
	return text
}

func planFact(s *Status) string {
	if s.FixedPlan == nil || *s.FixedPlan == 0 {
		return ""
	}
	return fmt.Sprintf("ε = %s for the same releases fixed in advance; not valid here, because costs may depend on earlier answers", report.Upper(*s.FixedPlan))
}

// periodFact states what a period added for an attacker who knows all earlier releases: in the
// block that took most in it, every release that may have been made in it. Its odometer
// starts with the period, which must have been fixed in advance.
func (l *Ledger) periodFact(p Period) string {
	if p.isUnbounded() {
		return ""
	}
	byBlock, releases := map[string]adaptive.Cost{}, map[string]int{}
	for _, r := range l.Records {
		if blocks, _ := l.blocksOf(r.Blocks); l.counts(r, "") && l.reservations[r.ID].mayLieIn(p) {
			for _, b := range blocks {
				byBlock[b], releases[b] = byBlock[b].Plus(r.Cost.Cost), releases[b]+1
			}
		}
	}
	sums, most := []adaptive.Cost{l.zero()}, ""
	for _, b := range slices.Sorted(maps.Keys(byBlock)) {
		if sums = append(sums, byBlock[b]); most == "" ||
			l.Filter.Spent(byBlock[b]).Cmp(l.Filter.Spent(byBlock[most])) > 0 {
			most = b
		}
	}
	sum, n := byBlock[most], releases[most]
	text := fmt.Sprintf("%s %s: %s %s", periodText(p), numeral.Plural(n, "request", "requests"),
		l.Filter.Describe().Sum(), adaptive.Upper(l.Filter.Spent(sum), l.Filter.Describe().Unit))
	if most != "" {
		text += ", in the block " + most + ", which took most"
	}
	if epsilon, name, _ := l.odometer(sums); epsilon != nil && l.Promise.Filter != adaptive.Plan {
		text += fmt.Sprintf("; given all earlier releases it adds at most ε = %s at δ = %s (%s), if the period was fixed in advance", report.Upper(*epsilon), l.Promise.Delta, name)
	}
	return text + ". The promise is about the whole ledger, not about a period"
}

func periodText(p Period) string {
	var parts []string
	if !p.From.IsZero() {
		parts = append(parts, "from "+p.From.Format(timeLayout))
	}
	if !p.To.IsZero() {
		parts = append(parts, "before "+p.To.Format(timeLayout))
	}
	return strings.Join(parts, ", ")
}

func (l *Ledger) blocksFact() string {
	key := l.Promise.Blocks
	if key == "" {
		return ""
	}
	text := fmt.Sprintf("every %s has the full budget, and a request is charged to each one it reads; the promise covers data in one %s, not a person whose data are in several", key, key)
	if l.adjacency() == mechanisms.Replace {
		text += fmt.Sprintf("; which %s a record is in must be public, else a change is a removal from one and an addition to another", key)
	}
	if l.Promise.Filter == adaptive.Basic {
		return text + "; the δ of releases is added up over all blocks"
	}
	return text + "; proven for data that were there at the start, not for data that arrive depending on earlier answers (in pure ε it is proven there too)"
}

// windowFact states what the promise of a window leaves open: over several windows the budgets add up.
func (l *Ledger) windowFact(epsilon, delta float64) string {
	if l.Promise.window == 0 || l.breach != nil {
		return ""
	}
	text := fmt.Sprintf("any span of %s stays within the budget, by the clocks of the writing machines. It does not bound a longer time: a person in the data for n spans has up to n·ε at n·δ, after 12 of them ε = %s at δ = %s",
		l.Promise.WindowText(), report.Upper(12*epsilon), numeral.Format(numeral.RoundUp(12*delta, 4)))
	if l.Filter.Describe().Quantity == "rho" {
		rho, _ := strconv.ParseFloat(string(number(l.Filter, l.Filter.Budget())), 64)
		// The δ of releases does not leave the window: its part of δ is for all of them.
		if twelve, _ := accounting.ConcentratedToEpsilon(12*rho, delta-l.terms.Failures); twelve < 12*epsilon {
			text += fmt.Sprintf(" by adding up, ε = %s at δ = %s by adding up ρ", report.Upper(twelve), numeral.Format(delta))
		}
	}
	return text + ". Over time, repeated questions about the same records can reveal arbitrarily much"
}

// sprintfIf words a fact that holds under a condition; "" if it does not.
func sprintfIf(holds bool, format string, args ...any) string {
	if !holds {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// BreachReason returns where and why the promise was broken; "" if it was not.
func (l *Ledger) BreachReason() string {
	if l.breach == nil {
		return ""
	}
	return fmt.Sprintf("on line %d: %s", l.breach.Seq+1, l.breach.Reason)
}
