package home

import (
	"context"
	"errors"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/kit"
)

// ChartKind is one chart of the home screen.
type ChartKind struct {
	Key, Stem string // of the keyboard, and in names of files and links
	Name      string
	Title     string
	Entry     bool // it is about the selected entry alone
	Fine      bool // the numerical accountant has something to add
	Build     func(context.Context, ChartAsk) (chart.Chart, error)
}

// ChartAsk is what a chart is drawn of.
type ChartAsk struct {
	Scenario *scenarios.Scenario
	Row      *scenarios.Entry // the selected row, perhaps inside a parallel block; nil if there is none
	Fine     bool             // with the numerical accountant
}

// ChartKinds are the charts in the order of their keys.
func ChartKinds() []ChartKind {
	return []ChartKind{
		{"1", "epsilon-k", "ε–K", "ε against K, the rounds of the stack", false, true, perCount(chart.EpsilonK)},
		{"2", "renyi", "α", "ε(α) and the Rényi curve", false, false, kindBuilder(chart.Renyi)},
		{"3", "profile", "δ(ε)", "Privacy profile δ(ε)", false, true, kindBuilder(chart.Profile)},
		{"4", "noise", "noise", "Noise on D and on D′", true, false, entryBuilder(chart.Noise)},
		{"5", "utility", "utility", "Utility of a choice, error of sums", true, false, entryBuilder(firstOf(chart.Utility, chart.RunningSums, chart.Bands))},
		{"6", "tradeoff", "attack", "An attacker’s two errors", false, true, kindBuilder(chart.Tradeoff)},
		{"7", "ledger", "sum", "ε so far, entry by entry", false, true, kindBuilder(chart.Ledger)},
		{"8", "utility-epsilon", "tail", "Chance of a bad choice", true, false, entryBuilder(chart.Tail)},
		{"9", "loss", "loss", "The privacy loss on D and on D′", false, true, kindBuilder(chart.Loss)},
	}
}

var (
	errNothing = errors.New("nothing to draw yet: a adds the first mechanism")
	errNoCurve = errors.New("no theorem gives a finite ε here, so there is no curve; the table says why")
	errBlock   = errors.New("a parallel block has no noise of its own: select an entry of a branch")
)

type builder = func(context.Context, *scenarios.Scenario, chart.Options) (chart.Chart, error)

// kindBuilder draws the whole stack.
func kindBuilder(build builder) func(context.Context, ChartAsk) (chart.Chart, error) {
	return func(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
		if len(ask.Scenario.Stack) == 0 {
			return chart.Chart{}, errNothing
		}
		// A curve is read to a per cent, and a numerical point is expensive. Both passes
		// have the same points, so that nothing moves when the numerical curve joins.
		c, err := build(ctx, ask.Scenario, ask.options())
		return finished(c, "", err)
	}
}

// options are how a curve of the stack is computed: on fewer points for a long stack, each
// point of which takes its time.
func (ask ChartAsk) options() chart.Options {
	opt := chart.Options{Numerical: ask.Fine, Points: 30, Precision: 1e-2}
	if len(ask.Scenario.Stack) > 200 {
		opt.Points = 10
	}
	return opt
}

func finished(c chart.Chart, title string, err error) (chart.Chart, error) {
	if c.Title = title; err == nil && len(c.Series) == 0 {
		err = errNoCurve
	}
	return kit.Dress(c), err
}

// perCount draws against the epochs of a stack's only entry, where that is a training, or
// its count, which is its K; of several entries against the rounds of all of them.
func perCount(build builder) func(context.Context, ChartAsk) (chart.Chart, error) {
	whole := kindBuilder(build)
	return func(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
		s := ask.Scenario
		if len(s.Stack) != 1 || len(s.Stack[0].Parallel) > 0 || s.Rounds > 1 {
			return whole(ctx, ask)
		}
		opt := ask.options()
		opt.Entry = 1
		if c, err := chart.Epochs(ctx, s, opt); err == nil || ctx.Err() != nil {
			return finished(c, "ε against the "+c.X.Label+" of the training", err)
		}
		c, err := build(ctx, s, opt)
		return finished(c, "ε against K, the count of the entry", err)
	}
}

// entryBuilder draws one entry, wherever in the stack it stands; where it has no
// such chart, the first entry that has one.
func entryBuilder(build builder) func(context.Context, ChartAsk) (chart.Chart, error) {
	return func(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
		if ask.Row == nil {
			return chart.Chart{}, errNothing
		}
		if len(ask.Row.Parallel) > 0 {
			return chart.Chart{}, errBlock
		}
		c, err := drawEntry(ctx, build, ask.Scenario, ask.Row)
		if err == nil || ctx.Err() != nil {
			return c, err
		}
		for i := range ask.Scenario.Stack {
			if other, e := drawEntry(ctx, build, ask.Scenario, &ask.Scenario.Stack[i]); e == nil {
				return other, nil
			}
		}
		return c, err
	}
}

// firstOf is the first of several charts that an entry has.
func firstOf(kinds ...builder) builder {
	return func(ctx context.Context, s *scenarios.Scenario, opt chart.Options) (c chart.Chart, err error) {
		for i, build := range kinds {
			drawn, failed := build(ctx, s, opt)
			if failed == nil || ctx.Err() != nil {
				return drawn, failed
			}
			if i == 0 { // what is missing is said of the first
				c, err = drawn, failed
			}
		}
		return c, err
	}
}

// drawEntry draws one entry by itself and names it in the title: the chart may be
// of another entry than the selected one.
func drawEntry(ctx context.Context, build builder, s *scenarios.Scenario, e *scenarios.Entry) (chart.Chart, error) {
	one := *s
	one.Stack, one.Expect = []scenarios.Entry{*e}, nil
	c, err := build(ctx, &one, chart.Options{Entry: 1, MaxBars: 40})
	c.Title = kit.EntryName(e)
	return kit.Dress(c), err
}
