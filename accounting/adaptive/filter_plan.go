package adaptive

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
)

// fixedPlan is a stack fixed in advance and spent release by release: at any time any unspent
// one, chosen by all earlier outputs, and the analyst may stop. The transcript is dominated
// by the product of the releases' pairs, whatever is chosen: by induction on the unspent
// ones, from the adaptive composition of dominating pairs (Zhu, Dong & Wang 2022,
// Theorem 10). So the plan's numerical bound holds.
type fixedPlan struct {
	about    Description
	releases []accounting.Entry
	place    map[string]int // of a kind of release, by its key
	counts   []*big.Int
	rungs    []float64
}

func newPlan(p Promise) (Filter, error) {
	f := fixedPlan{rungs: slices.Clone(p.Rungs), about: Description{
		Kind: Plan, Title: "fixed-plan filter", Quantity: "tickets", Symbol: "releases",
		Rule:       "spend any unspent release of the plan, in any order; the whole is (ε, δ)-DP by the numerical bound of the plan",
		Needs:      "to be one of the plan's own releases",
		Source:     "Zhu, Dong & Wang 2022, Theorem 10, applied to the unspent releases in turn",
		CiteKey:    "ZhuDW22",
		Concurrent: true,
	}}
	if err := f.setReleases(p.Plan); err != nil {
		return nil, err
	}
	if f.Budget().Sign() == 0 {
		return nil, fmt.Errorf("the plan has no release to spend")
	}
	if p.Budget != nil && p.Budget.Cmp(f.Budget()) != 0 {
		return nil, fmt.Errorf("the plan has %s releases, and the budget says %s", f.Budget(), p.Budget)
	}
	if len(p.Rungs) == 0 {
		return nil, fmt.Errorf("the plan has no bound")
	}
	for i, rung := range p.Rungs {
		if !(rung >= 0) || i > 0 && rung < p.Rungs[i-1] {
			return nil, fmt.Errorf("the ε of the plan's parts must be at least 0 and never fall, not %g", p.Rungs)
		}
	}
	if free := accounting.Evaluate(context.Background(), accounting.Basic, p.Plan,
		accounting.Target{}); p.Rungs[len(p.Rungs)-1] == 0 && !free.Fits(0) {
		return nil, fmt.Errorf("the plan has no bound: its ε is 0, and its releases cost something")
	}
	if top := p.Rungs[len(p.Rungs)-1]; top > accounting.BudgetLimit(p.Epsilon) {
		cost, promised := numeral.FormatDistinct(top, p.Epsilon)
		return nil, fmt.Errorf("the plan costs ε %s at δ %.6g, more than the promised %s", cost, p.Delta/float64(len(p.Rungs)), promised)
	}
	if len(p.Rungs) > 1 {
		f.about.Title = fmt.Sprintf("fixed plan in %d rungs", len(p.Rungs))
		return stagedPlan{f}, nil
	}
	return f, nil
}

// setReleases puts releases into the plan, those of one kind together.
func (f *fixedPlan) setReleases(tickets []accounting.Entry) error {
	f.place = map[string]int{}
	tickets, err := accounting.CheckStack(tickets)
	if err != nil {
		return err
	}
	for _, e := range tickets {
		if accounting.FixedInAdvance(e.Release) {
			return fmt.Errorf("%s: selections declared fixed in advance cannot be spent one at a time, because the next may depend on earlier answers; set queries: adaptive", e.Release.Name())
		}
		key := accounting.KeyOf(e.Release)
		count, err := roundUp(e.Count, 0)
		if err != nil {
			return err
		}
		if at, seen := f.place[key]; seen {
			f.counts[at].Add(f.counts[at], count)
			continue
		}
		f.place[key] = len(f.releases)
		f.releases = append(f.releases, e)
		f.counts = append(f.counts, count)
	}
	return nil
}

// rungCounts returns the number of releases of each kind in the first `first` of n nested parts.
func (f fixedPlan) rungCounts(first, n int) []*big.Int {
	counts := make([]*big.Int, len(f.counts))
	for i, all := range f.counts {
		counts[i] = new(big.Int).Mul(all, big.NewInt(int64(first)))
		counts[i].Quo(counts[i], big.NewInt(int64(n)))
	}
	return counts
}

func (f fixedPlan) Describe() Description { return f.about }

func (f fixedPlan) Budget() *big.Int { return totalOf(f.counts) }

func (f fixedPlan) Spent(sum Cost) *big.Int { return totalOf(sum.Parts) }

func totalOf(list []*big.Int) *big.Int {
	total := new(big.Int)
	for _, n := range list {
		total.Add(total, n)
	}
	return total
}

func (f fixedPlan) Price(request []accounting.Entry) (Cost, error) {
	cost := newCost(len(f.releases))
	request, err := accounting.CheckStack(request)
	if err != nil {
		return Cost{}, err
	}
	for _, e := range request {
		at, known := f.place[accounting.KeyOf(e.Release)]
		if !known {
			return Cost{}, unsupportedError(e.Release, f.about, fmt.Errorf("no release of the plan is the same, parameter by parameter"))
		}
		if err := charge(cost.Parts[at], 1, 0, e.Count); err != nil {
			return Cost{}, err
		}
	}
	return cost, nil
}

func (f fixedPlan) Fits(sum Cost) error {
	for i, have := range f.counts {
		if sum.part(i).Cmp(have) > 0 {
			return fmt.Errorf("it would take %s of the plan's %s releases of kind %d, %s", sum.part(i), have, i+1, f.releases[i].Release.Name())
		}
	}
	return nil
}

// Odometer returns false: a partly spent plan may be quoted only at the ε of the whole plan.
func (f fixedPlan) Odometer() (Odometer, bool) { return Odometer{}, false }
