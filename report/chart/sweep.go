package chart

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/report"
)

// sweep is a scenario seen as a function of one count.
type sweep struct {
	*view
	what   string
	symbol string // of the count: "K", "R", "epochs"
	now    float64
	stack  func(k float64) ([]accounting.Entry, error)
}

// stackAt returns the releases at a count. Releases that occur at other counts share what was computed there.
func (l *sweep) stackAt(k float64) ([]accounting.Entry, error) {
	if l.Shared == nil {
		l.Shared = new(accounting.Shared)
	}
	stack, err := l.stack(k)
	return l.Shared.Unify(stack), err
}

// countText returns a count in words: "K = 39", "39 epochs".
func (l *sweep) countText(k float64) string {
	switch {
	case l.symbol == "K" || l.symbol == "R":
		return l.symbol + " = " + report.Short(k)
	case k == 1:
		return "1 " + strings.TrimSuffix(l.symbol, "s")
	}
	return report.Short(k) + " " + l.symbol
}

// sweepResult holds the results of a sweep at every K.
type sweepResult struct {
	values map[accounting.Method][]float64 // ε by method
	rough  []string                        // a remark on each method whose ε is no bound
	best   []float64                       // the best bound
	winner []accounting.Method             // who has the best bound of those asked for; "" for nobody
	lower  []float64                       // the certified lower ends that lie well below their upper ends
}

// evaluateAt evaluates the theorems at every K given, at several at a time.
func (l *sweep) evaluateAt(ks []float64) (sweepResult, error) {
	out := sweepResult{values: map[accounting.Method][]float64{}, best: gaps(len(ks)), lower: gaps(len(ks)),
		winner: make([]accounting.Method, len(ks))}
	stacks := make([][]accounting.Entry, len(ks))
	for i, k := range untilDone(l.view, ks) {
		var err error
		if stacks[i], err = l.stackAt(k); err != nil {
			return sweepResult{}, err
		}
	}
	found := make([][]accounting.Bound, len(ks))
	if err := accounting.Several(l, len(ks), func(ctx context.Context, i int) error {
		found[i] = l.bounds(ctx, ks[i], stacks[i])
		return nil
	}); err != nil {
		return sweepResult{}, err
	}
	for i, bounds := range found {
		if j := accounting.Best(bounds); j >= 0 {
			out.best[i] = bounds[j].Epsilon
		}
		drawn := slices.DeleteFunc(slices.Clone(bounds), func(b accounting.Bound) bool { return !l.wants(b.Method) })
		if j := accounting.Best(drawn); j >= 0 && drawn[j].Finite() {
			out.winner[i] = drawn[j].Method
		}
		for _, b := range bounds {
			if !l.wants(b.Method) || !b.Finite() {
				continue
			}
			if out.values[b.Method] == nil {
				out.values[b.Method] = gaps(len(ks))
				if b.Status == accounting.Unproven {
					out.rough = append(out.rough, roughNote(b.Method))
				}
			}
			out.values[b.Method][i] = b.Epsilon
			if b.Method == accounting.Numerical && b.Lower > 0 && b.Lower < drawnLowerShare*b.Epsilon {
				out.lower[i] = b.Lower
			}
		}
	}
	return out, nil
}

// drawnLowerShare is the ratio of lower to upper end below which the lower end is drawn: above it the two lines
// would coincide.
const drawnLowerShare = 0.95

// LowerEnd names the series of certified lower ends.
const LowerEnd = "numerical-lower"

// bounds returns the bounds of the stack at a count.
func (l *sweep) bounds(ctx context.Context, k float64, stack []accounting.Entry) []accounting.Bound {
	target := l.target()
	if k == l.now {
		target = withFinePrecision(target)
	}
	if l.Numerical {
		return accounting.Compare(ctx, stack, target)
	}
	return accounting.ClosedForms(ctx, stack, target)
}

// roughNote says that a method gives no bound.
func roughNote(m accounting.Method) string {
	return m.Name() + " is an approximation here, not a bound"
}

// sameShown is the relative difference of two ε that are the same number to four digits, or nearly so.
const sameShown = 5e-4

// winnersNote says which of the theorems drawn has the smallest ε at the first n counts, in their order: "smallest ε:
// basic, then advanced". Among ε that are shown alike it names the theorem that has the star at the present count. It
// is "" if there is no choice, or if the winners alternate too often to be listed.
func (l *sweep) winnersNote(found sweepResult, ks []float64, n int) string {
	star := slices.Index(ks[:n], l.now)
	if star < 0 || n < 2 || len(found.values) < 2 {
		return ""
	}
	stars := found.winner[star]
	var names []string
	for i := range n {
		winner := found.winner[i]
		if winner == "" || stars == "" {
			return ""
		}
		if found.values[stars][i] <= found.values[winner][i]*(1+sameShown) {
			winner = stars
		}
		if name := winner.Name(); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 3:
		return ""
	case len(names) == 1:
		return "smallest ε: " + names[0] + " throughout"
	}
	return "smallest ε: " + strings.Join(names, ", then ")
}

// markCrossing marks the smallest K from which on the challenger's ε stays below the champion's or, if the challenger
// leads at first and loses in the end, the smallest from which on the champion's does. It searches the points drawn,
// then the whole numbers between two of them.
func (l *sweep) markCrossing(c *Chart, ks []float64, values map[accounting.Method][]float64, challenger,
	champion accounting.Method) error {
	n, a, b := len(ks), values[challenger], values[champion]
	if a == nil || b == nil || n == 0 {
		return nil
	}
	first := leadsFrom(a[:n], b[:n])
	if first == n {
		if !leadsSomewhere(a[:n], b[:n]) {
			c.Notes = append(c.Notes, fmt.Sprintf("%s does not beat %s up to %s", challenger.Name(), champion.Name(), l.countText(c.X.Max)))
			return nil
		}
		challenger, champion = champion, challenger
		first = leadsFrom(b[:n], a[:n])
	}
	switch first {
	case n: // neither stays below the other
		return nil
	case 0:
		if champion == accounting.Basic { // that anything beats the others says little
			c.Notes = append(c.Notes,
				fmt.Sprintf("%s beats %s from %s on", challenger.Name(), champion.Name(), l.countText(1)))
		}
		return nil
	}
	var failed error
	_, high := special.Bisect(ks[first-1], ks[first], 1, func(k float64) bool {
		if failed != nil || l.Err() != nil {
			return true
		}
		var stack []accounting.Entry
		stack, failed = l.stackAt(math.Floor(k))
		return !(epsilonOf(l, challenger, stack, l.target()) < epsilonOf(l, champion, stack, l.target()))
	})
	if failed != nil {
		return failed
	}
	high = math.Floor(high)
	m := Vertical(high, fmt.Sprintf("%s: %s beats %s", l.countText(high), challenger.Name(), champion.Name()))
	m.Cross = [2]string{string(challenger), string(champion)}
	c.Marks = append(c.Marks, m)
	return nil
}

// leadsFrom returns the first place from which on a is below b, or known where b is not; their length if there is none.
func leadsFrom(a, b []float64) int {
	first := len(a)
	for first > 0 && (a[first-1] < b[first-1] || !math.IsNaN(a[first-1]) && math.IsNaN(b[first-1])) {
		first--
	}
	return first
}

// leadsSomewhere reports whether a is below b at some place.
func leadsSomewhere(a, b []float64) bool {
	for i := range a {
		if a[i] < b[i] {
			return true
		}
	}
	return false
}

// epsilonOf returns a method's ε, +Inf where it has none.
func epsilonOf(ctx context.Context, m accounting.Method, stack []accounting.Entry, target accounting.Target) float64 {
	b := accounting.Evaluate(ctx, m, stack, target)
	if !b.Finite() {
		return math.Inf(1)
	}
	return b.Epsilon
}
