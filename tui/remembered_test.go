package tui

import (
	"context"
	"fmt"
	"sync"

	"epsiloscope/internal/stand"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/tui/home"
)

// accountants are the real ones, which all tests share.
var accountants = stand.Accountants

// rememberedCharts are the real charts; each is built once for a scenario and a row.
var rememberedCharts = sync.OnceValue(func() []home.ChartKind {
	built := &stand.Memory{}
	kinds := home.ChartKinds()
	for i, k := range kinds {
		kinds[i].Build = func(ctx context.Context, ask home.ChartAsk) (chart.Chart, error) {
			of := *ask.Scenario
			if k.Entry && ask.Row != nil { // the row first: it may stand inside a block
				of.Stack = append([]scenarios.Entry{*ask.Row}, of.Stack...)
			}
			question := fmt.Sprint("chart ", k.Of.Name, k.Name, ask.Fine)
			return stand.Recall(ctx, built, &of, question, func() (chart.Chart, error) { return k.Build(ctx, ask) })
		}
	}
	return kinds
})
