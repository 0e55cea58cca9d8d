package stand

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// Memory keeps the answers given to tests that only look: most open the same few scenarios.
type Memory struct {
	mu    sync.Mutex
	known map[string][]known // by question
}

type known struct {
	of     *scenarios.Scenario
	answer any
}

// Recall asks unless the same was asked of the same scenario before. What fails is asked again.
func Recall[T any](
	ctx context.Context, m *Memory, s *scenarios.Scenario, question string, ask func() (T, error),
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
		if m.known == nil {
			m.known = map[string][]known{}
		}
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

// Remembered are the real accountants behind a memory.
type Remembered struct {
	plan.Planner
	memory Memory
}

// Accountants returns those that all tests of a package share.
var Accountants = sync.OnceValue(func() *Remembered { return &Remembered{Planner: plan.New()} })

func (r *Remembered) Evaluate(
	ctx context.Context, s *scenarios.Scenario, opt scenarios.Options,
) (*scenarios.Result, error) {
	return Recall(ctx, &r.memory, s, "evaluate "+options(opt), func() (*scenarios.Result, error) {
		return r.Planner.Evaluate(ctx, s, opt)
	})
}

func (r *Remembered) Refine(
	ctx context.Context, s *scenarios.Scenario, opt scenarios.Options, yield func(*scenarios.Result) bool,
) error {
	steps, err := Recall(ctx, &r.memory, s, "refine "+options(opt), func() (steps []*scenarios.Result, err error) {
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

func (r *Remembered) QueriesLeft(
	ctx context.Context, s *scenarios.Scenario, entry int, method accounting.Method,
) (float64, error) {
	return Recall(ctx, &r.memory, s, fmt.Sprint("left ", entry, method), func() (float64, error) {
		return r.Planner.QueriesLeft(ctx, s, entry, method)
	})
}

func (r *Remembered) Plan(ctx context.Context, s *scenarios.Scenario, req plan.Request) (plan.Result, error) {
	return Recall(ctx, &r.memory, s, fmt.Sprintf("plan %+v", req), func() (plan.Result, error) {
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
