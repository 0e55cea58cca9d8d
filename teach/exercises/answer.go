package exercises

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// Answer is the engine's answer: a number, or the name of a method.
type Answer struct {
	Number float64
	Whole  bool // the number counts something
	Method accounting.Method
	By     accounting.Method // the theorem that gives the number, if the question is about one
	Bound  bool              // Number is an upper bound on ε: it is rounded up
	Also   []Answer          // the answers by the deck's own theorem, which are right too
	// Overspends is +1 if a larger number would exceed the budget, −1 if a smaller one would, 0 if no budget is at
	// stake.
	Overspends int
}

// Text returns the answer for people.
func (a Answer) Text() string {
	switch {
	case a.Method != "":
		return string(a.Method)
	case a.Whole:
		return strconv.FormatFloat(a.Number, 'f', -1, 64)
	case a.Overspends > 0:
		return report.Lower(a.Number)
	case a.Bound, a.Overspends < 0:
		return report.Upper(a.Number)
	}
	return report.Nearest(a.Number)
}

// Verdict is the judgement of a reply.
type Verdict struct {
	Right  bool
	Answer Answer
	Why    string // one line: how far off, or by which theorem
}

// Answer computes the answer from the scenario of the question: a bound, the best method, an order, the solution
// of a plan, or an error at 95 %.
func (e Exercise) Answer(ctx context.Context) (Answer, error) {
	s, err := e.LoadScenario()
	if err != nil {
		return Answer{}, err
	}
	switch {
	case e.Ask.Plan != nil:
		return e.solvePlan(ctx, s)
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
		return Answer{Method: r.BestBound().Method}, nil
	}
	a, err := e.answerBy(r, e.method())
	if err == nil && e.Also != "" {
		var also Answer
		if also, err = e.answerBy(r, accounting.Method(e.Also)); err == nil {
			a.Also = []Answer{also}
		}
	}
	return a, err
}

// method returns the theorem that the question asks for a bound or an order by.
func (e Exercise) method() accounting.Method {
	if e.Ask.Order {
		return accounting.RDP
	}
	return accounting.Method(e.Ask.Bound)
}

// answerBy returns the bound, or the best Rényi order, by one theorem.
func (e Exercise) answerBy(r *scenarios.Result, method accounting.Method) (Answer, error) {
	b, asked := r.Bound(method)
	switch {
	case !asked:
		return Answer{}, fmt.Errorf("there is no method called %q", method)
	case b.Status != accounting.Valid:
		return Answer{}, errors.New(b.Note)
	case e.Ask.Order:
		return Answer{Number: b.Alpha, By: method}, nil
	}
	return Answer{Number: b.Epsilon, By: method, Bound: true}, nil
}

func (e Exercise) solvePlan(ctx context.Context, s *scenarios.Scenario) (Answer, error) {
	p := e.Ask.Plan
	r, err := plan.New().Plan(ctx, s, plan.Request{Solve: p.Solve, Entry: p.Entry, Method: accounting.Method(p.Method)})
	switch {
	case err != nil:
		return Answer{}, err
	case !r.Feasible:
		return Answer{}, errors.New(r.Note)
	}
	a := Answer{Number: r.Value, Whole: r.Value == math.Trunc(r.Value) && r.LargerIsBetter(), Overspends: -1}
	if r.LargerIsBetter() {
		a.Overspends = +1
	}
	return a, nil
}

func (e Exercise) accuracy(s *scenarios.Scenario) (Answer, error) {
	if e.Ask.Error < 1 || e.Ask.Error > len(s.Stack) {
		return Answer{}, fmt.Errorf("ask: the stack has no entry %d", e.Ask.Error)
	}
	a, err := s.WithSensitivity(&s.Stack[e.Ask.Error-1]).Accuracy(s.Rounds)
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
	v, write := e.judge(a, x), numeral.Upper
	if e.Ask.Order {
		write = numeral.Nearest // an order is no bound
	}
	for _, also := range a.Also {
		own := e.judge(also, x)
		switch {
		case own.Right && !v.Right:
			v = Verdict{true, also, fmt.Sprintf("%s, by %s as in the deck; %s gives %s", own.Why, also.By.Name(), a.By.Name(), write(a.Number))}
		case v.Right:
			v.Why += fmt.Sprintf(", by %s; %s, as in the deck, gives %s", a.By.Name(), also.By.Name(), write(also.Number))
		}
	}
	return v, nil
}

// judge compares a number with an answer. Where a budget is at stake no reply that would exceed it is right, however
// near it is.
func (e Exercise) judge(a Answer, x float64) Verdict {
	within := e.Tolerance
	if within == 0 && !a.Whole {
		within = 0.01
	}
	off := math.Abs(x-a.Number) / math.Max(math.Abs(a.Number), math.SmallestNonzeroFloat64)
	v := Verdict{Right: off <= within, Answer: a, Why: "exactly"}
	switch {
	case off == 0:
	case a.Overspends > 0 && x > a.Number:
		v.Right, v.Why = false, "too large: it exceeds the budget; round down"
	case a.Overspends < 0 && x < a.Number:
		v.Right, v.Why = false, "too small: it exceeds the budget; round up"
	case v.Right:
		v.Why = fmt.Sprintf("within %.2g %%", 100*off)
	case x > a.Number:
		v.Why = "too large"
	default:
		v.Why = "too small"
	}
	return v
}
