package exercises

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// Answer is what the engine says: a number, or the name of a method.
type Answer struct {
	Number float64
	Whole  bool // the number counts something
	Method accounting.Method
}

// Verdict is the judgement of a reply.
type Verdict struct {
	Right  bool
	Answer Answer
	Why    string // one line: how far off, or by which theorem
}

// Answer computes the answer.
func (e Exercise) Answer(ctx context.Context) (Answer, error) {
	s, err := e.scenario()
	if err != nil {
		return Answer{}, err
	}
	switch {
	case e.Ask.Plan != nil:
		return e.planned(ctx, s)
	case e.Ask.Error != 0:
		return e.accuracy(s)
	}
	r, err := scenarios.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		return Answer{}, err
	}
	if e.Ask.Best {
		if r.Best < 0 {
			return Answer{}, errors.New("no bound is valid")
		}
		return Answer{Method: r.Winner().Method}, nil
	}
	method := accounting.Method(e.Ask.Bound)
	if e.Ask.Order {
		method = accounting.RDP
	}
	b, asked := r.Bound(method)
	switch {
	case !asked:
		return Answer{}, fmt.Errorf("there is no method called %q", method)
	case b.Status != accounting.Valid:
		return Answer{}, errors.New(b.Note)
	case e.Ask.Order:
		return Answer{Number: b.Alpha}, nil
	}
	return Answer{Number: b.Epsilon}, nil
}

func (e Exercise) planned(ctx context.Context, s *scenarios.Scenario) (Answer, error) {
	p := e.Ask.Plan
	r, err := plan.New().Plan(ctx, s, plan.Request{Solve: p.Solve, Entry: p.Entry, Method: accounting.Method(p.Method)})
	switch {
	case err != nil:
		return Answer{}, err
	case !r.Feasible:
		return Answer{}, errors.New(r.Note)
	}
	return Answer{Number: r.Value, Whole: r.Value == math.Trunc(r.Value) && r.LargerIsBetter()}, nil
}

func (e Exercise) accuracy(s *scenarios.Scenario) (Answer, error) {
	if e.Ask.Error < 1 || e.Ask.Error > len(s.Stack) {
		return Answer{}, fmt.Errorf("ask: the stack has no entry %d", e.Ask.Error)
	}
	a, err := s.Stack[e.Ask.Error-1].Accuracy(s.Rounds)
	return Answer{Number: a.Each}, err
}

// judgeMethod judges the name of a method, as commands or as tables write it.
func judgeMethod(a Answer, reply string) (Verdict, error) {
	var names []string
	for _, t := range accounting.Methods() {
		for _, name := range []string{string(t.Method), t.Label} {
			switch {
			case !strings.EqualFold(strings.TrimSpace(reply), name):
			case t.Method == a.Method:
				return Verdict{true, a, "the smallest proven bound"}, nil
			default:
				return Verdict{false, a, "not the smallest proven bound"}, nil
			}
		}
		names = append(names, string(t.Method))
	}
	return Verdict{}, fmt.Errorf("%s is no method; there are %s", numeral.Quote(reply), strings.Join(names, ", "))
}

// Check judges a reply: a number as people write it, or the name of a method.
func (e Exercise) Check(ctx context.Context, reply string) (Verdict, error) {
	a, err := e.Answer(ctx)
	if err != nil {
		return Verdict{}, err
	}
	if a.Method != "" {
		return judgeMethod(a, reply)
	}
	x, err := numeral.Parse(reply)
	if err != nil {
		return Verdict{}, fmt.Errorf("%s %w", numeral.Quote(reply), err)
	}
	within := e.Tolerance
	if within == 0 && !a.Whole {
		within = 0.01
	}
	off := math.Abs(x-a.Number) / math.Max(math.Abs(a.Number), math.SmallestNonzeroFloat64)
	v := Verdict{Right: off <= within, Answer: a, Why: "exactly"}
	switch {
	case off == 0:
	case v.Right:
		v.Why = fmt.Sprintf("within %.2g %%", 100*off)
	case x > a.Number:
		v.Why = "too large"
	default:
		v.Why = "too small"
	}
	return v, nil
}
