package chart

import (
	"context"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/scenarios/report"
)

// sweep is a scenario seen as a function of one count.
type sweep struct {
	*view
	what   string
	symbol string // of the count: "K"
	now    float64
	stack  func(k float64) ([]accounting.Entry, error)
}

// at is a count in words: "K = 39", "39 epochs".
func (l *sweep) at(k float64) string {
	switch {
	case l.symbol == "K":
		return "K = " + report.Short(k)
	case k == 1:
		return "1 " + strings.TrimSuffix(l.symbol, "s")
	}
	return report.Short(k) + " " + l.symbol
}

// climb is ε by method at every K asked for, a remark on each figure that is no bound, and
// the best bound of all.
func (l *sweep) climb(ks []float64) (values map[accounting.Method][]float64, rough []string, best []float64, err error) {
	values, best = map[accounting.Method][]float64{}, gaps(len(ks))
	for i, k := range each(l.view, ks) {
		bounds, err := l.bounds(k)
		if err != nil {
			return nil, nil, nil, err
		}
		if j := accounting.Best(bounds); j >= 0 {
			best[i] = bounds[j].Epsilon
		}
		for _, b := range bounds {
			if !l.wants(b.Method) || !b.Finite() {
				continue
			}
			if values[b.Method] == nil {
				values[b.Method] = gaps(len(ks))
				if b.Status == accounting.Unproven {
					rough = append(rough, roughNote(b.Method))
				}
			}
			values[b.Method][i] = b.Epsilon
		}
	}
	return values, rough, best, nil
}

func (l *sweep) bounds(k float64) ([]accounting.Bound, error) {
	stack, err := l.stack(k)
	if err != nil {
		return nil, err
	}
	target := l.target()
	if k == l.now {
		target = finely(target)
	}
	if l.Numerical {
		return accounting.Compare(l, stack, target), nil
	}
	return accounting.ClosedForms(stack, target), nil
}

// roughNote says that a method gives no bound.
func roughNote(m accounting.Method) string {
	return m.Name() + " is an approximation here, not a bound"
}

// mark finds the smallest K from which the challenger is below the champion and
// stays so, first on the points drawn, then to the whole number between two.
func (l *sweep) mark(c *Chart, ks []float64, values map[accounting.Method][]float64, challenger, champion accounting.Method) error {
	a, b := values[challenger], values[champion]
	if a == nil || b == nil || len(ks) == 0 {
		return nil
	}
	first := len(ks)
	for i := len(ks) - 1; i >= 0 && (a[i] < b[i] || !math.IsNaN(a[i]) && math.IsNaN(b[i])); i-- { // no ε is more than any
		first = i
	}
	switch first {
	case len(ks):
		c.Notes = append(c.Notes, fmt.Sprintf("%s does not beat %s up to %s", challenger.Name(), champion.Name(), l.at(c.X.Max)))
		return nil
	case 0:
		c.Notes = append(c.Notes, fmt.Sprintf("%s beats %s from %s on", challenger.Name(), champion.Name(), l.at(1)))
		return nil
	}
	var failed error
	_, high := special.Bisect(ks[first-1], ks[first], 1, func(k float64) bool {
		if failed != nil || l.Err() != nil {
			return true
		}
		var stack []accounting.Entry
		stack, failed = l.stack(math.Floor(k))
		return !(epsilonOf(l, challenger, stack, l.target()) < epsilonOf(l, champion, stack, l.target()))
	})
	if failed != nil {
		return failed
	}
	high = math.Floor(high)
	m := Vertical(high, fmt.Sprintf("%s: %s beats %s", l.at(high), challenger.Name(), champion.Name()))
	m.Cross = [2]string{string(challenger), string(champion)}
	c.Marks = append(c.Marks, m)
	return nil
}

// epsilonOf is a method's ε, +Inf where it has none.
func epsilonOf(ctx context.Context, m accounting.Method, stack []accounting.Entry, target accounting.Target) float64 {
	b := accounting.Evaluate(ctx, m, stack, target)
	if !b.Finite() {
		return math.Inf(1)
	}
	return b.Epsilon
}
