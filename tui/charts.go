package tui

import (
	"context"
	"errors"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/layout"
)

const chartSlot = layout.Chart

// chartKind is one chart of the home screen.
type chartKind struct {
	key, name string
	title     string
	entry     bool // it depends on the selected entry
	build     func(context.Context, chartAsk) (report.Chart, error)
}

// chartAsk is what a chart is drawn of.
type chartAsk struct {
	Scenario *scenarios.Scenario
	Entry    int              // the selected entry of the stack, from 1; 0 if it is empty
	Row      *scenarios.Entry // the selected row, perhaps inside a parallel block
}

func chartKinds() []chartKind {
	return []chartKind{
		{"1", "ε–K", "ε against K", false, buildKind("epsilon-k")},
		{"2", "α", "ε(α) and the Rényi curve", false, buildKind("renyi")},
		{"3", "δ(ε)", "Privacy profile δ(ε)", false, buildKind("profile")},
		{"4", "noise", "Noise on D and D′", true, buildKind("noise")},
		{"5", "utility", "Utility of the selection", true, buildKind("utility")},
		{"6", "attack", "An attacker’s two errors", false, buildKind("tradeoff")},
		{"7", "ledger", "ε so far, entry by entry", false, buildKind("ledger")},
	}
}

func buildKind(name string) func(context.Context, chartAsk) (report.Chart, error) {
	return func(ctx context.Context, ask chartAsk) (report.Chart, error) {
		if len(ask.Scenario.Stack) == 0 {
			return report.Chart{}, errors.New("nothing to draw: the stack is empty")
		}
		return report.Chart{}, errors.New("not built yet: " + name)
	}
}
