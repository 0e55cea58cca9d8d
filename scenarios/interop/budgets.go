package interop

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"epsiloscope/mechanisms"
)

// readDiffprivlib reads what a diffprivlib BudgetAccountant has spent: its
// spent_budget list of (ε, δ) pairs, or the repr of the accountant.
func readDiffprivlib(data []byte) (*Record, error) {
	tree, err := parseLiteral(string(data))
	if err != nil {
		return nil, err
	}
	rec := record("diffprivlib")
	rec.Scenario.Adjacency = mechanisms.Replace // its tools take the number of records, or the range, for public
	rec.remark("diffprivlib's tools keep the number of records fixed: adjacency is set to replace")
	spent := tree
	if tree.call == "BudgetAccountant" {
		var ok bool
		if spent, ok = tree.fields["spent_budget"]; !ok {
			return nil, fmt.Errorf("spent_budget is missing; print accountant.spent_budget")
		}
		if e, ok := tree.fields["epsilon"]; ok && e.isNum && !math.IsInf(e.number, 0) {
			rec.Scenario.Budget.Epsilon = e.number
		}
		if d, ok := tree.fields["delta"]; ok && d.isNum {
			rec.Scenario.Budget.Delta = d.number
		}
		if s, ok := tree.fields["slack"]; ok && s.isNum && s.number > 0 {
			rec.remark("slack %s is diffprivlib's own δ′; here the split of δ is optimised", mechanisms.FormatNumber(s.number))
		}
	}
	if !spent.list {
		return nil, fmt.Errorf("expected a list of (epsilon, delta) pairs")
	}
	for i, pair := range spent.args {
		where := fmt.Sprintf("spent_budget[%d]", i)
		if !pair.list || len(pair.args) != 2 || !pair.args[0].isNum || !pair.args[1].isNum {
			return nil, fmt.Errorf("%s: must be a pair (epsilon, delta)", where)
		}
		if err := rec.spend(where, pair.args[0].number, pair.args[1].number, 1); err != nil {
			return nil, err
		}
	}
	return rec, nil
}

// spend adds one (ε, δ) release.
func (r *Record) spend(where string, epsilon, delta, count float64) error {
	if epsilon == 0 && delta == 0 {
		return nil
	}
	if epsilon != 0 { // (0, δ) is a guarantee too
		if err := positive(where, "epsilon", epsilon); err != nil {
			return err
		}
	}
	if !(delta >= 0 && delta < 1) {
		return fmt.Errorf("%s: delta must be at least 0 and below 1, got %s", where, mechanisms.FormatNumber(delta))
	}
	if err := wholeCount(where+": count", count); err != nil {
		return err
	}
	r.add(approximate(epsilon, delta, count))
	return nil
}

var tumultBudget = regexp.MustCompile(`(PureDPBudget|ApproxDPBudget|RhoZCDPBudget)\s*\(`)

// readTumult reads one or more budgets as Tumult Analytics prints them, in a list
// or one a line.
func readTumult(data []byte) (*Record, error) {
	src := strings.TrimSpace(string(data))
	if !strings.HasPrefix(src, "[") && !strings.HasPrefix(src, "(") {
		// One a line: join them into a list. Offsets stay, so messages keep their line.
		lines := strings.Split(src, "\n")
		for i := range lines[:len(lines)-1] {
			if t := strings.TrimSpace(lines[i]); t != "" && !strings.HasSuffix(t, ",") {
				lines[i] += ","
			}
		}
		src = "[" + strings.Join(lines, "\n") + "]"
	}
	if !tumultBudget.MatchString(src) {
		return nil, fmt.Errorf("no PureDPBudget, ApproxDPBudget or RhoZCDPBudget found")
	}
	tree, err := parseLiteral(src)
	if err != nil {
		return nil, err
	}
	rec := record("Tumult")
	for i, b := range tree.args {
		if err := rec.tumult(fmt.Sprintf("budget %d", i+1), b); err != nil {
			return nil, err
		}
	}
	if rec.Scenario.Budget.Delta == 0 {
		rec.noDelta()
	}
	return rec, nil
}

func (r *Record) tumult(where string, b node) error {
	arg := func(i int, name string) (float64, error) {
		v, ok := b.fields[name]
		if !ok && i < len(b.args) {
			v, ok = b.args[i], true
		}
		if !ok || !v.isNum {
			return 0, fmt.Errorf("%s: %s needs the number %s", where, b.call, name)
		}
		if math.IsInf(v.number, 0) {
			return 0, fmt.Errorf("%s: %s is infinite: such a session promises nothing", where, name)
		}
		return v.number, nil
	}
	switch b.call {
	case "PureDPBudget":
		epsilon, err := arg(0, "epsilon")
		if err != nil {
			return err
		}
		return r.spend(where, epsilon, 0, 1)
	case "ApproxDPBudget":
		epsilon, err := arg(0, "epsilon")
		if err != nil {
			return err
		}
		delta, err := arg(1, "delta")
		if err != nil {
			return err
		}
		return r.spend(where, epsilon, delta, 1)
	case "RhoZCDPBudget":
		rho, err := arg(0, "rho")
		if err != nil {
			return err
		}
		if err := positive(where, "rho", rho); err != nil {
			return err
		}
		r.add(entry("zcdp", 1, map[string]float64{"rho": rho}))
		return nil
	}
	return fmt.Errorf("%s: expected PureDPBudget, ApproxDPBudget or RhoZCDPBudget, found %q", where, b.call)
}
