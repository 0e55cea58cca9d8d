package home

import (
	"cmp"
	"context"
	"errors"
	"slices"

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
		{"1", "epsilon-k", "ε–K", "ε against K, the rounds of the stack", false, true, againstK},
		{"2", "renyi", "α", "ε(α) and the Rényi curve", false, false, ofStack(chart.Renyi.Build)},
		{"3", "profile", "δ(ε)", "Privacy profile δ(ε)", false, true, ofStack(chart.Profile.Build)},
		{"4", "noise", "noise", "Noise on D and on D′", true, false, ofEntry(chart.Noise.Build)},
		{"5", "utility", "utility", "Utility of a choice, error of sums", true, false, ofEntry(chart.Utility.Build, chart.RunningSums.Build, chart.Bands.Build)},
		{"6", "tradeoff", "attack", "An attacker’s two errors", false, true, ofStack(chart.Tradeoff.Build)},
		{"7", "ledger", "sum", "ε so far, entry by entry", false, true, ofStack(chart.Ledger.Build)},
		{"8", "utility-epsilon", "tail", "Chance of a bad choice", true, false, ofEntry(chart.Tail.Build)},
		{"9", "loss", "loss", "The privacy loss on D and on D′", false, true, ofStack(chart.Loss.Build)},
	}
}

var (
	errNothing = errors.New("nothing to draw yet: a adds the first mechanism")
	errNoCurve = errors.New("no theorem gives a finite ε here, so there is no curve; the table says why")
	errBlock   = errors.New("a parallel block has no noise of its own: select an entry of a branch")
)

type builder = func(context.Context, *scenarios.Scenario, chart.Options) (chart.Chart, error)

// options are how a curve of the stack is computed. It is read to a per cent, and a numerical
// point is expensive: a long stack has fewer. With and without them the points are the same, so
// that nothing moves when the numerical curve joins.
func (ask ChartAsk) options() chart.Options {
	opt := chart.Options{Numerical: ask.Fine, Points: 30, Precision: 1e-2}
	if len(ask.Scenario.Stack) > 200 {
		opt.Points = 10
	}
	return opt
}

// ofStack draws the whole stack.
func ofStack(build builder) func(context.Context, ChartAsk) (chart.Chart, error) {
	return func(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
		if len(ask.Scenario.Stack) == 0 {
			return chart.Chart{}, errNothing
		}
		c, err := build(ctx, ask.Scenario, ask.options())
		return finished(c, "", err)
	}
}

func finished(c chart.Chart, title string, err error) (chart.Chart, error) {
	if c.Title = title; err == nil && len(c.Series) == 0 {
		err = errNoCurve
	}
	return kit.Dress(c), err
}

// againstK draws against the epochs of a stack's only entry, where that is a training, or
// its count, which is its K; of several entries against the rounds of all of them.
func againstK(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
	s, opt := ask.Scenario, ask.options()
	if len(s.Stack) != 1 || len(s.Stack[0].Parallel) > 0 || s.Rounds > 1 {
		return ofStack(chart.EpsilonK.Build)(ctx, ask)
	}
	opt.Entry = 1
	if c, err := chart.Epochs.Build(ctx, s, opt); err == nil || ctx.Err() != nil {
		return finished(c, "ε against the "+c.X.Label+" of the training", err)
	}
	c, err := chart.EpsilonK.Build(ctx, s, opt)
	return finished(c, "ε against K, the count of the entry", err)
}

// ofEntry draws the first of several charts that an entry by itself has, wherever in the stack
// it stands; where it has none, that of the first entry that has one, which the title names.
func ofEntry(kinds ...builder) func(context.Context, ChartAsk) (chart.Chart, error) {
	return func(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
		switch {
		case ask.Row == nil:
			return chart.Chart{}, errNothing
		case len(ask.Row.Parallel) > 0:
			return chart.Chart{}, errBlock
		}
		var missing error // what is said of the first
		for _, e := range slices.Concat([]scenarios.Entry{*ask.Row}, ask.Scenario.Stack) {
			one := *ask.Scenario
			one.Stack, one.Expect = []scenarios.Entry{e}, nil
			for _, build := range kinds {
				c, err := build(ctx, &one, chart.Options{Entry: 1, MaxBars: 40})
				if err == nil || ctx.Err() != nil {
					c.Title = kit.EntryName(&e)
					return kit.Dress(c), err
				}
				missing = cmp.Or(missing, err)
			}
		}
		return chart.Chart{}, missing
	}
}
