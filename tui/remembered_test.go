package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/home"
)

// memory keeps the answers given to tests that only look: most open the same few scenarios.
type memory struct {
	mu    sync.Mutex
	known map[string][]known // by question
}

type known struct {
	of     *scenarios.Scenario
	answer any
}

// recall asks unless the same was asked of the same scenario before. What fails is asked again.
func recall[T any](
	ctx context.Context, m *memory, s *scenarios.Scenario, question string, ask func() (T, error),
) (T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	question += digest(s)
	for _, k := range m.known[question] {
		if k.of.Equal(s) {
			return k.answer.(T), nil
		}
	}
	answer, err := ask()
	if err == nil && ctx.Err() == nil {
		m.known[question] = append(m.known[question], known{s.Clone(), answer})
	}
	return answer, err
}

// digest tells most scenarios apart, so that few are compared as a whole.
func digest(s *scenarios.Scenario) string {
	text := fmt.Sprint(" ", s.Budget, len(s.Stack), s.Rounds)
	for _, e := range s.Stack[:min(3, len(s.Stack))] {
		text += fmt.Sprint(" ", e.Mechanism, e.Count, e.Sampling, e.Values)
	}
	return text
}

// remembered are the real accountants behind a memory.
type remembered struct {
	plan.Planner
	memory
}

var accountants = sync.OnceValue(func() *remembered {
	return &remembered{plan.New(), memory{known: map[string][]known{}}}
})

func (r *remembered) Evaluate(
	ctx context.Context, s *scenarios.Scenario, opt scenarios.Options,
) (*scenarios.Result, error) {
	return recall(ctx, &r.memory, s, "evaluate "+options(opt), func() (*scenarios.Result, error) {
		return r.Planner.Evaluate(ctx, s, opt)
	})
}

func (r *remembered) Refine(
	ctx context.Context, s *scenarios.Scenario, opt scenarios.Options, yield func(*scenarios.Result) bool,
) error {
	steps, err := recall(ctx, &r.memory, s, "refine "+options(opt), func() (steps []*scenarios.Result, err error) {
		err = r.Planner.Refine(ctx, s, opt, func(step *scenarios.Result) bool {
			steps = append(steps, step)
			return true
		})
		return steps, err
	})
	for _, step := range steps {
		if !yield(step) {
			return nil
		}
	}
	return err
}

func (r *remembered) QueriesLeft(
	ctx context.Context, s *scenarios.Scenario, entry int, method accounting.Method,
) (float64, error) {
	return recall(ctx, &r.memory, s, fmt.Sprint("left ", entry, method), func() (float64, error) {
		return r.Planner.QueriesLeft(ctx, s, entry, method)
	})
}

func (r *remembered) Plan(ctx context.Context, s *scenarios.Scenario, req plan.Request) (plan.Result, error) {
	return recall(ctx, &r.memory, s, fmt.Sprintf("plan %+v", req), func() (plan.Result, error) {
		return r.Planner.Plan(ctx, s, req)
	})
}

// options writes options with the values they point to.
func options(opt scenarios.Options) string {
	text, err := json.Marshal(opt)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// rememberedCharts are the real charts; each is built once for a scenario and a row.
var rememberedCharts = sync.OnceValue(func() []home.ChartKind {
	built := &memory{known: map[string][]known{}}
	kinds := home.ChartKinds()
	for i, k := range kinds {
		kinds[i].Build = func(ctx context.Context, ask home.ChartAsk) (chart.Chart, error) {
			of := *ask.Scenario
			if k.Entry && ask.Row != nil { // the row first: it may stand inside a block
				of.Stack = append([]scenarios.Entry{*ask.Row}, of.Stack...)
			}
			question := fmt.Sprint("chart ", k.Of.Name, k.Name, ask.Fine)
			return recall(ctx, built, &of, question, func() (chart.Chart, error) { return k.Build(ctx, ask) })
		}
	}
	return kinds
})
