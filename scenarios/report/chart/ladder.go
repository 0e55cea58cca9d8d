package chart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/curve"
)

// ladder is a scenario seen as a function of one count.
type ladder struct {
	what      string
	symbol    string // of the count: "K"
	now, most float64
	target    accounting.Target
	stack     func(k float64) ([]accounting.Entry, error)
}

// leastTop is how far the axis goes at least: far enough that the crossings of
// everyday parameters are on it.
const leastTop = 1000

func newLadder(s *scenarios.Scenario, opt Options) (*ladder, error) {
	l := &ladder{symbol: "K", what: "rounds K of the whole stack", now: s.Rounds, target: opt.target(s)}
	if opt.Entry == 0 {
		once := s.Clone()
		once.Rounds = 1
		stack, err := curve.Stack(once)
		if err != nil {
			return nil, err
		}
		l.stack = func(k float64) ([]accounting.Entry, error) { return times(stack, k), nil }
	} else {
		if opt.Entry < 1 || opt.Entry > len(s.Stack) {
			return nil, fmt.Errorf("there is no entry %d; the stack has %d", opt.Entry, len(s.Stack))
		}
		work, evaluator := s.Clone(), scenarios.NewEvaluator() // the other entries are built once
		l.what = fmt.Sprintf("count K of entry %d", opt.Entry)
		l.now = s.Stack[opt.Entry-1].Count
		l.stack = func(k float64) ([]accounting.Entry, error) {
			work.Stack[opt.Entry-1].Count = k
			return evaluator.Stack(work)
		}
	}
	l.reach(opt)
	return l, nil
}

// reach settles where the axis ends.
func (l *ladder) reach(opt Options) {
	l.most = opt.MaxK
	if l.most <= 0 {
		l.most = math.Max(leastTop, 10*l.now)
	}
	l.most = math.Min(math.Max(1, math.Floor(l.most)), 1e12)
}

// at is a count in words: "K = 39", "39 epochs".
func (l *ladder) at(k float64) string {
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
func (l *ladder) climb(ctx context.Context, ks []float64, opt Options) (values map[accounting.Method][]float64, rough []string, best []float64, err error) {
	values, best = map[accounting.Method][]float64{}, gaps(len(ks))
	for i, k := range ks {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		bounds, err := l.bounds(ctx, k, opt)
		if err != nil {
			return nil, nil, nil, err
		}
		if j := accounting.Best(bounds); j >= 0 {
			best[i] = bounds[j].Epsilon
		}
		for _, b := range bounds {
			if !opt.wants(b.Method) || !b.Finite() {
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

func (l *ladder) bounds(ctx context.Context, k float64, opt Options) ([]accounting.Bound, error) {
	stack, err := l.stack(k)
	if err != nil {
		return nil, err
	}
	target := l.target
	if k == l.now {
		target = finely(target)
	}
	if opt.Numerical {
		return accounting.Compare(ctx, stack, target), nil
	}
	return accounting.Closed(stack, target), nil
}

// roughNote says that a method gives no bound.
func roughNote(m accounting.Method) string {
	return m.Name() + " is an approximation here, not a bound"
}

// mark finds the smallest K from which the challenger is below the champion and
// stays so, first on the points drawn, then to the whole number between two.
func (l *ladder) mark(ctx context.Context, c *Chart, ks []float64, values map[accounting.Method][]float64, challenger, champion accounting.Method) error {
	a, b := values[challenger], values[champion]
	if a == nil || b == nil || len(ks) == 0 {
		return nil
	}
	first := len(ks)
	for i := len(ks) - 1; i >= 0 && a[i] < b[i]; i-- {
		first = i
	}
	switch first {
	case len(ks):
		c.Notes = append(c.Notes, fmt.Sprintf("%s does not beat %s up to %s", challenger.Name(), champion.Name(), l.at(l.most)))
		return nil
	case 0:
		c.Notes = append(c.Notes, fmt.Sprintf("%s beats %s from %s on", challenger.Name(), champion.Name(), l.at(1)))
		return nil
	}
	var failed error
	_, high := special.Bisect(ks[first-1], ks[first], 1, func(k float64) bool {
		if failed != nil || ctx.Err() != nil {
			return true
		}
		var stack []accounting.Entry
		stack, failed = l.stack(math.Floor(k))
		return !(epsilonOf(ctx, challenger, stack, l.target) < epsilonOf(ctx, champion, stack, l.target))
	})
	if err := ctx.Err(); failed != nil || err != nil {
		return errors.Join(failed, err)
	}
	high = math.Floor(high)
	c.Marks = append(c.Marks, Mark{X: high, Y: unset, Label: fmt.Sprintf("%s: %s beats %s", l.at(high), challenger.Name(), champion.Name())})
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

// times is the stack run k times.
func times(stack []accounting.Entry, k float64) []accounting.Entry {
	list := make([]accounting.Entry, len(stack))
	for i, e := range stack {
		list[i] = accounting.Entry{Release: e.Release, Count: e.Count * k}
	}
	return list
}
