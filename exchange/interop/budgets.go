package interop

import (
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// parseExpressions returns the values of a Python text that contains only expressions.
func (r *Record) parseExpressions(data []byte) []node {
	var found []node
	s := &script{evalCall: func(n node) node { return n }, evalLine: func(n node) { found = append(found, n) }}
	f := s.parse(data)
	s.run(f)
	if len(s.order) > 0 {
		refuse(s.names[s.order[0]].at, "an assignment has no place here")
	}
	for _, text := range s.notes {
		r.remark("%s", text)
	}
	return found
}

// readDiffprivlib reads what a diffprivlib BudgetAccountant has spent: its
// spent_budget list of (ε, δ) pairs, or the repr of the accountant.
func readDiffprivlib(rec *Record, data []byte) {
	found := rec.parseExpressions(data)
	if len(found) != 1 {
		refuse("", "expected one list of (epsilon, delta) pairs, or one BudgetAccountant; found %d", len(found))
	}
	rec.Scenario.Adjacency = mechanisms.Replace
	rec.remark("diffprivlib takes the number of records as public, so the adjacency is replace")
	spent := found[0]
	if spent.kind == call {
		if spent.text != "BudgetAccountant" && spent.text != "diffprivlib.BudgetAccountant" {
			refuse(spent.at, "expected a BudgetAccountant, found %s", spent.text)
		}
		spent = rec.readAccountant(spent)
	}
	for _, pair := range spent.list("spent_budget") {
		if len(pair.list("an item of spent_budget")) != 2 {
			refuse(pair.at, "an item of spent_budget must be a pair (epsilon, delta)")
		}
		pair.parts = []part{{"epsilon", pair.items[0]}, {"delta", pair.items[1]}}
		rec.spend(pair, guaranteeEntry(pair.fields("spent_budget", "epsilon", "delta"), 1))
	}
}

// readAccountant takes the budget of a BudgetAccountant over and returns its list of spent (ε, δ).
func (r *Record) readAccountant(n node) node {
	f := n.fields(n.text, "epsilon", "delta", "slack", "spent_budget")
	if e := f.numberOr("epsilon", math.Inf(1)); !math.IsInf(e, 1) {
		r.Scenario.Budget.Epsilon = e
	}
	if d := f.numberOr("delta", 1); d > 0 && d < 1 {
		r.setDelta(d)
	} else if d != 0 && d != 1 {
		refuse(f.node("delta").at, "delta must be between 0 and 1, got %s", numeral.Format(d))
	}
	if s := f.numberOr("slack", 0); !(s >= 0 && s <= 1) {
		refuse(f.node("slack").at, "slack must be between 0 and 1, got %s", numeral.Format(s))
	} else if s != 0 {
		r.remark("slack %s is diffprivlib's own δ′; here the split of δ is optimised", numeral.Format(s))
	}
	return f.node("spent_budget")
}

// readTumult reads one or more budgets as Tumult Analytics prints them, in a list
// or one per line.
func readTumult(rec *Record, data []byte) {
	found := rec.parseExpressions(data)
	if len(found) == 1 && found[0].kind == list {
		found = found[0].items
	}
	for _, b := range found {
		b.want(call, "a budget")
		switch b.text {
		case "PureDPBudget":
			rec.spend(b, guaranteeEntry(b.fields(b.text, "epsilon"), 1))
		case "ApproxDPBudget":
			f := b.fields(b.text, "epsilon", "delta")
			f.node("delta")
			rec.spend(b, guaranteeEntry(f, 1))
		case "RhoZCDPBudget":
			rec.spend(b, newEntry("zcdp", 1, map[string]float64{"rho": b.fields(b.text, "rho").positiveNumber("rho")}))
		default:
			refuse(b.at, "expected PureDPBudget, ApproxDPBudget or RhoZCDPBudget, found %s", b.text)
		}
	}
}

// guaranteeEntry returns an entry with a stated (ε, δ): pure if δ is 0. Both may be 0, which costs
// nothing.
func guaranteeEntry(f fields, count float64) scenarios.Entry {
	epsilon, delta := f.number("epsilon"), f.numberOr("delta", 0)
	if epsilon != 0 {
		f.positiveNumber("epsilon")
	}
	if !(delta >= 0 && delta < 1) {
		refuse(f.node("delta").at, "delta must be at least 0 and below 1, got %s", numeral.Format(delta))
	}
	if epsilon == 0 && delta == 0 {
		count = 0
	}
	if delta == 0 {
		return newEntry("pure", count, map[string]float64{"epsilon": epsilon})
	}
	return newEntry("approximate", count, map[string]float64{"epsilon": epsilon, "delta": delta})
}
