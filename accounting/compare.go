package accounting

import (
	"context"
	"math"
)

// Compare evaluates every method on the stack, in the order of [Methods]. The
// numerical column takes part too; use [Closed] to leave it out. RDPPinned is
// listed only where the target pins an order.
func Compare(ctx context.Context, stack []Entry, target Target) []Bound {
	return newLedger(stack, target).askAll(ctx, true)
}

// Closed evaluates every method but the numerical one.
func Closed(stack []Entry, target Target) []Bound {
	return newLedger(stack, target).askAll(context.Background(), false)
}

// Evaluate asks one method.
func Evaluate(ctx context.Context, m Method, stack []Entry, target Target) Bound {
	t, ok := TheoremOf(m)
	if !ok {
		return refuse(m, "there is no method called "+string(m))
	}
	return newLedger(stack, target).ask(ctx, t)
}

func (l *ledger) askAll(ctx context.Context, numerical bool) []Bound {
	bounds := make([]Bound, 0, len(theorems))
	for _, t := range theorems {
		if t.Method == Numerical && !numerical || t.Method == RDPPinned && l.target.Alpha == 0 {
			continue
		}
		bounds = append(bounds, l.ask(ctx, t))
	}
	return bounds
}

// ask settles what holds for every theorem alike, and leaves the rest to it.
func (l *ledger) ask(ctx context.Context, t Theorem) Bound {
	if l.problem != "" {
		return refuse(t.Method, l.problem)
	}
	if t.Method == RDPPinned && !(l.target.Alpha > 1) {
		return refuse(t.Method, "no Rényi order above 1 is pinned")
	}
	if len(l.entries) == 0 {
		return Bound{Method: t.Method, Status: Valid, Note: "Nothing is released."}
	}
	if l.target.Delta >= 1 {
		return Bound{Method: t.Method, Status: Valid, Delta: l.target.Delta,
			Note: "With δ ≥ 1 the promise is empty: every mechanism keeps it at ε = 0."}
	}
	b := t.evaluate(ctx, l)
	b.Method = t.Method
	if b.Finite() && (math.IsInf(b.Epsilon, 0) || math.IsNaN(b.Epsilon)) {
		b.Status, b.Epsilon = Vacuous, math.Inf(1)
		b.Note = join("The formula gives no finite ε for this stack.", b.Note) // why comes first
	}
	if !b.Finite() {
		b.Epsilon = math.Inf(1)
	}
	return b
}

// refuse is a bound that does not apply, with the reason.
func refuse(m Method, reason string, conditions ...Condition) Bound {
	return Bound{Method: m, Status: NotApplicable, Epsilon: math.Inf(1), Note: Sentence(reason), Conditions: conditions}
}

// vacuous is a bound that applies and says nothing, with the reason.
func vacuous(reason string, conditions ...Condition) Bound {
	return Bound{Status: Vacuous, Epsilon: math.Inf(1), Note: Sentence(reason), Conditions: conditions}
}
