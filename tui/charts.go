package tui

import (
	"context"
	"errors"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/layout"
)

const (
	chartSlot  = layout.Chart
	boundsSlot = layout.Bounds
)

// chartKind is one chart of the home screen.
type chartKind struct {
	key, name string
	title     string
	entry     bool // it is about the selected entry alone
	fine      bool // the numerical accountant has something to add
	build     func(context.Context, chartAsk) (report.Chart, error)
}

// chartAsk is what a chart is drawn of.
type chartAsk struct {
	Scenario *scenarios.Scenario
	Row      *scenarios.Entry // the selected row, perhaps inside a parallel block; nil if there is none
	Fine     bool             // with the numerical accountant
}

func chartKinds() []chartKind {
	return []chartKind{
		{"1", "ε–K", "ε against K, the rounds of the whole stack", false, true, kindBuilder(report.EpsilonK)},
		{"2", "α", "ε(α) and the Rényi curve", false, false, kindBuilder(report.Renyi)},
		{"3", "δ(ε)", "Privacy profile δ(ε)", false, true, kindBuilder(report.Profile)},
		{"4", "noise", "Noise on D and on D′", true, false, entryBuilder(report.Noise)},
		{"5", "utility", "Utility of the selection", true, false, entryBuilder(report.Utility)},
		{"6", "attack", "An attacker’s two errors", false, true, kindBuilder(report.Tradeoff)},
		{"7", "ledger", "ε so far, entry by entry", false, true, kindBuilder(report.Ledger)},
		{"8", "tail", "Chance of a bad choice against ε", true, false, entryBuilder(report.Tail)},
	}
}

var (
	errNothing = errors.New("nothing to draw yet: a adds the first mechanism")
	errBlock   = errors.New("a parallel block has no noise of its own: select an entry of a branch")
)

type builder = func(context.Context, *scenarios.Scenario, report.ChartOptions) (report.Chart, error)

// kindBuilder draws the whole stack.
func kindBuilder(build builder) func(context.Context, chartAsk) (report.Chart, error) {
	return func(ctx context.Context, ask chartAsk) (report.Chart, error) {
		if len(ask.Scenario.Stack) == 0 {
			return report.Chart{}, errNothing
		}
		opt := report.ChartOptions{Numerical: ask.Fine}
		if ask.Fine { // a curve is read to a per cent, and a numerical point is dear
			opt.Points, opt.Precision = 30, 1e-2
		}
		return build(ctx, ask.Scenario, opt)
	}
}

// entryBuilder draws one entry, wherever in the stack it stands; where it has no
// such chart, the first entry that has one.
func entryBuilder(build builder) func(context.Context, chartAsk) (report.Chart, error) {
	return func(ctx context.Context, ask chartAsk) (report.Chart, error) {
		if ask.Row == nil {
			return report.Chart{}, errNothing
		}
		if len(ask.Row.Parallel) > 0 {
			return report.Chart{}, errBlock
		}
		s := *ask.Scenario
		s.Stack, s.Expect = []scenarios.Entry{*ask.Row}, nil
		c, err := build(ctx, &s, report.ChartOptions{Entry: 1, MaxBars: 40})
		if err == nil {
			return c, nil
		}
		if other, e := build(ctx, ask.Scenario, report.ChartOptions{MaxBars: 40}); e == nil {
			return other, nil
		}
		return c, err
	}
}
