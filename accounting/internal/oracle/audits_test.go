package oracle_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/audit"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/accounting/special"
	"epsiloscope/scenarios"
)

// auditRuns is the number of runs with the record, and of runs without it, that an audit of a small world has.
const auditRuns = 16

// auditedClaim is a claim of the program about a world, with the p-value of every outcome of an audit of it.
type auditedClaim struct {
	name    string
	pValues [auditRuns + 1][auditRuns + 1]float64 // by true positives and false positives
}

func newAuditedClaim(name string, pValue func(audit.TwoSample) (float64, error)) (c auditedClaim, err error) {
	c.name = name
	for tp := range auditRuns + 1 {
		for fp := range auditRuns + 1 {
			p, err := pValue(audit.TwoSample{
				Members: auditRuns, TruePositives: tp, NonMembers: auditRuns, FalsePositives: fp})
			if err != nil {
				return c, err
			}
			c.pValues[tp][fp] = p
		}
	}
	return c, nil
}

// hits are the probabilities of the numbers of runs that a test accuses.
type hits [auditRuns + 1]float64

func newHits(rate float64) (h hits) {
	if rate <= 0 || rate >= 1 {
		h[int(math.Round(rate))*auditRuns] = 1
		return h
	}
	for k := range h {
		h[k] = math.Exp(special.LogBinomial(float64(k), auditRuns, rate))
	}
	return h
}

// refuted returns the probability that an audit refutes the claim at a level, for a test with these true and false
// positives.
func (c auditedClaim) refuted(members, others hits, level float64) (probability float64) {
	for tp, row := range c.pValues {
		for fp, p := range row {
			if p < level {
				probability += members[tp] * others[fp]
			}
		}
	}
	return probability
}

// rates returns the true-positive and false-positive rates of tests that accuse at a likelihood ratio above a
// threshold, at some ten thresholds; p is the data set with the record.
func (x experiment) rates() (list [][2]float64) {
	order := make([]int, len(x.p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x.p[j]*x.q[i], x.p[i]*x.q[j]) })
	var tpr, fpr float64
	for n, i := range order {
		tpr, fpr = tpr+x.p[i], fpr+x.q[i]
		if n%max(1, len(order)/10) == 0 {
			list = append(list, [2]float64{math.Min(1, tpr), math.Min(1, fpr)})
		}
	}
	return list
}

// The claims that the program makes of small worlds are true: whichever neighbouring data sets, strategy and threshold
// an auditor chooses, in any adjacency, group, block or sample, an audit refutes them no more often than its level
// says. The same audits do refute the claim that nothing is given away, so that they can find something.
func TestNoAuditRefutesEnumeration(t *testing.T) {
	levels := []float64{0.05, 0.2, 0.5}
	made, audits, closest, strongest := map[string]int{}, 0, 0.0, 0.0
	nothing, err := newAuditedClaim("nothing", func(s audit.TwoSample) (float64, error) { return s.PValue(0, 0) })
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range harmWorlds(2, 30) {
		w := drawWorld(numbered(n))
		if w.size() > most/4 {
			continue
		}
		claims, err := w.auditedClaims()
		if err != nil {
			made["(no certified curve)"]++
			continue
		}
		for what := range w.made {
			made[what]++
		}
		for way, list := range w.experiments() {
			for _, x := range list {
				if way == 1 && w.adjacency != oracle.Replace {
					x.p, x.q = x.q, x.p
				}
				for _, rate := range x.rates() {
					members, others := newHits(rate[0]), newHits(rate[1])
					strongest = math.Max(strongest, nothing.refuted(members, others, levels[0])/levels[0])
					for _, c := range claims {
						for _, level := range levels {
							refuted := c.refuted(members, others, level)
							if refuted > level*(1+1e-9) {
								t.Errorf("world %d: %s is refuted at %g with probability %g\n%s", n, c.name, level, refuted, w)
							}
							audits, closest = audits+1, math.Max(closest, refuted/level)
						}
					}
				}
			}
		}
	}
	t.Logf("%d audits; the closest refutes with %.2f of its level; among them: %s", audits, closest,
		listCounts(made))
	if audits < 100 || strongest < 3 {
		t.Errorf("%d audits were played, and the strongest refutes a false claim with %.2f of its level", audits, strongest)
	}
}

// auditedClaims returns what an audit tests of a world: the certified profile, and the smallest (ε, δ) bound.
func (w *world) auditedClaims() ([]auditedClaim, error) {
	s, err := w.scenario()
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	harm, err := scenarios.NewEvaluator().Profile(ctx, s)
	if err == nil {
		err = harm.LowerEndError()
	}
	if err != nil {
		return nil, err
	}
	var epsilons []float64
	for k := range 41 {
		epsilons = append(epsilons, 6*float64(k*k)/1600)
	}
	table, err := harm.Table(ctx, epsilons)
	if err != nil {
		return nil, err
	}
	claim := table.Claim()
	profile, err := newAuditedClaim("the profile", func(s audit.TwoSample) (float64, error) {
		return s.CurvePValue(claim)
	})
	if err != nil {
		return nil, err
	}
	claims := []auditedClaim{profile}
	r, err := scenarios.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	if best := accounting.Best(r.Bounds); best >= 0 && r.Bounds[best].Epsilon < 600 {
		b := r.Bounds[best]
		name := fmt.Sprintf("(%g, %g)", b.Epsilon, b.Delta)
		bound, err := newAuditedClaim(name, func(s audit.TwoSample) (float64, error) {
			return s.PValue(b.Epsilon, b.Delta)
		})
		if err != nil {
			return nil, err
		}
		claims = append(claims, bound)
	}
	return claims, nil
}
