package accounting

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// Release is the guarantee of one run of a mechanism, as theorems see it. A method that has no answer returns an
// error whose text tells the user why: "Gaussian noise has no pure ε".
type Release interface {
	// Name is the word used in notes: "Laplace".
	Name() string
	// Key identifies the guarantee: releases with equal keys are interchangeable,
	// and the accountants fold them into one.
	Key() string
	// Approximate is the (ε, δ) the release states; δ = 0 means pure.
	Approximate() (epsilon, delta float64, err error)
	// Renyi bounds the Rényi divergence of order α, for α in [1, +Inf].
	// It is +Inf where no finite bound holds at that order.
	Renyi(alpha float64) (float64, error)
	// Concentrated is a ρ with D_α ≤ αρ for every α > 1 (zCDP).
	Concentrated() (rho float64, err error)
	// Gaussian is the μ of a release that is exactly μ-GDP.
	Gaussian() (mu float64, err error)
	// Profile is δ(ε) in the worse direction.
	Profile(epsilon float64) (delta float64, err error)
	// Pair is a dominating pair, for the numerical accountant.
	Pair() (pairs.Pair, error)
}

// Entry is an entry of a stack: a release and its count. Counts reach 1e24 (1e12 copies in 1e12
// rounds), hence float64.
type Entry struct {
	Release Release
	Count   float64
}

// Target holds the parameters of a comparison: budget ε, δ, Rényi order and interval width.
type Target struct {
	Epsilon   float64 // budget; 0 means none
	Delta     float64 // total δ; 0 leaves only the pure columns
	Alpha     float64 // pinned Rényi order; 0 means none
	Precision float64 // relative width asked of the numerical interval; 0 means [pld.DefaultWidth]
}

// Method names a theorem, by the word of the file format: one column of a comparison.
// Each is declared beside its theorem; [Methods] lists them.
type Method string

// Status says how far a bound may be trusted.
type Status string

const (
	Valid         Status = "valid"          // a proven upper bound
	Unproven      Status = "approximate"    // a number that is no bound: shown, never best
	NotApplicable Status = "not-applicable" // the theorem does not cover the stack
	Vacuous       Status = "vacuous"        // it does, but gives no finite ε
)

// Quantity is a number a bound was computed from, kept so that the bound can be explained
// afterwards.
type Quantity struct {
	Symbol  string // "δ′"
	Value   float64
	Meaning string // "what the theorem keeps of δ"
	Role    Role
	// which selection it is about, from 1, if a stack keeps the best of several runs more than once; else 0
	Selection int
}

// Role says what a quantity is in its statement; whoever writes it for a reader rounds it to the side on which the
// statement stays true.
type Role int

// The roles of quantities.
const (
	Stated       Role = iota // the stack states it, or the caller
	Cost                     // a part of what the stack costs
	LowerEnd                 // the stack costs no less
	Remainder                // what is left of δ
	Intermediate             // an order, or a term of a sum that is rounded itself
)

func quantity(symbol string, value float64, meaning string) Quantity {
	return Quantity{Symbol: symbol, Value: value, Meaning: meaning}
}

func (q Quantity) as(r Role) Quantity {
	q.Role = r
	return q
}

// Name returns the symbol, with the number of the selection if there are several.
func (q Quantity) Name() string {
	if q.Selection == 0 {
		return q.Symbol
	}
	return fmt.Sprintf("%s #%d", q.Symbol, q.Selection)
}

// Condition is a requirement of a theorem and whether this stack meets it.
type Condition struct {
	Text  string
	Holds bool
}

// Bound is the ε that a theorem gives for a stack, with its status.
type Bound struct {
	Method  Method
	Status  Status
	Epsilon float64 // meaningful when Status is Valid or Unproven, else +Inf
	Lower   float64 // numerical only: certified lower end
	Delta   float64 // the δ it holds at; 0 for a pure bound
	Alpha   float64 // Rényi methods: the order used, +Inf included; else 0
	// By is the theorem whose formula or conversion gave ε, if that is not the method's own: basic composition of one
	// ρ-zCDP release is the conversion of ρ, an order α = ∞ the plain sum. "" means the method itself.
	By Method

	Note       string
	Inputs     []Quantity
	Conditions []Condition
	Interval   *pld.Interval // numerical only
	// Fault is set if the computation ended in a fault of the program; the bound is then not applicable,
	// for no reason of the stack's.
	Fault *InternalError
}

// Finite reports whether the bound carries a number.
func (b Bound) Finite() bool { return b.Status == Valid || b.Status == Unproven }

// tightShare is the share of ε from which on a lower end counts as tight.
const tightShare = 0.9

// LowerByAttack reports whether the lower end is what the best attack known reaches, far below ε. The distance then
// says what is not known of the mechanism, and nothing about the theorem.
func (b Bound) LowerByAttack() bool {
	return b.Interval != nil && b.Interval.Bracketed && b.Lower > 0 && b.Lower < tightShare*b.Epsilon
}

// Best returns the index of the smallest valid bound, −1 if there is none. Of equal ones the stronger wins, which needs
// less δ; then the one whose own theorem gave ε, and of these the one native to the releases: Gaussian DP, then zCDP,
// then the order of [Methods].
func Best(bounds []Bound) int {
	best := -1
	for i, b := range bounds {
		if b.Status == Valid && (best < 0 || b.precedes(bounds[best])) {
			best = i
		}
	}
	return best
}

// precedes reports whether b is to be preferred to a bound that is listed before it.
func (b Bound) precedes(o Bound) bool {
	switch {
	case b.Epsilon != o.Epsilon:
		return b.Epsilon < o.Epsilon
	case b.Delta != o.Delta:
		return b.Delta < o.Delta
	}
	return b.NativeRank() < o.NativeRank()
}

// NativeRank orders equal bounds: the least is closest to what is known of the releases.
func (b Bound) NativeRank() int {
	switch {
	case b.By != "" && b.By != b.Method:
		return 3
	case b.Method == GDP:
		return 0
	case b.Method == ZCDP:
		return 1
	}
	return 2
}

// TieWidth is the relative difference up to which two bounds are the same number, found by two searches.
const TieWidth = 1e-12

// SettleTies gives bounds that differ from the smallest by the round-off of their searches the smallest ε, so that
// equal bounds are equal to the last digit. The smallest holds for each of them, as it needs no more δ.
func SettleTies(bounds []Bound) {
	best := Best(bounds)
	if best < 0 {
		return
	}
	least := bounds[best]
	for i := range bounds {
		b := &bounds[i]
		if b.Status == Valid && b.Delta >= least.Delta && b.Epsilon > least.Epsilon &&
			b.Epsilon <= least.Epsilon*(1+TieWidth) {
			b.Epsilon, b.Lower = least.Epsilon, math.Min(b.Lower, least.Epsilon)
		}
	}
}

// roundingMargin is the relative amount by which a bound may exceed a budget and still count as
// within it. A budget is a number a person wrote, and a sum of such numbers, 0.168 + 0.37 + 1.1
// + 0.042 in a budget of 1.68, is rounded up in its sixteenth digit. Budgets that differ in the
// tenth digit make no difference to any theorem.
const roundingMargin = 1e-9

// BudgetLimit returns the largest ε that still counts as within the budget. It is for the
// question whether something fits; no number is reported with it.
func BudgetLimit(budget float64) float64 { return budget * (1 + roundingMargin) }

// Fits reports whether the bound is proven and stays within the budget.
func (b Bound) Fits(budget float64) bool {
	return b.Status == Valid && b.Epsilon <= BudgetLimit(budget)
}

// Compare evaluates every method on the stack, in the order of [Methods]. The
// numerical accountant takes part too; use [ClosedForms] to leave it out. RDPPinned is
// listed only where the target pins an order.
func Compare(ctx context.Context, stack []Entry, target Target) []Bound {
	return prepareStack(stack, target).askAll(ctx, true)
}

// ClosedForms evaluates every method but the numerical one.
func ClosedForms(ctx context.Context, stack []Entry, target Target) []Bound {
	return prepareStack(stack, target).askAll(ctx, false)
}

// Evaluate asks one method. The numerical one is answered by the accountant alone, as a search asks it hundreds of
// times: its upper end holds, and may lie within its width above a closed form that [Compare] would cap it with; see
// [CapNumerical].
func Evaluate(ctx context.Context, m Method, stack []Entry, target Target) Bound {
	t, ok := TheoremOf(m)
	if !ok {
		return refuse(m, "there is no method called "+string(m))
	}
	return prepareStack(stack, target).evaluate(ctx, t)
}

func (l *preparedStack) askAll(ctx context.Context, numerical bool) []Bound {
	bounds := make([]Bound, 0, len(theorems))
	for _, t := range theorems {
		if t.Method == Numerical && !numerical || t.Method == RDPPinned && l.target.Alpha == 0 {
			continue
		}
		b := l.evaluate(ctx, t)
		if t.Method == Numerical {
			b = CapNumerical(ctx, b, bounds, l.entries)
		}
		bounds = append(bounds, b)
	}
	SettleTies(bounds)
	return bounds
}

// CapNumerical returns the numerical bound of a stack with no larger an upper end than any of the valid bounds by
// other methods, for the same stack and target. Within the width of a certified interval a closed form can
// be smaller. A bound below the certified lower end contradicts it: one of the two is wrong, and the numerical bound
// is refused with an [InternalError].
func CapNumerical(ctx context.Context, b Bound, others []Bound, stack []Entry) Bound {
	for _, o := range others {
		if o.Method != Numerical && o.Status == Valid && b.Status == Valid && o.Epsilon < b.Epsilon {
			b = b.capBy(ctx, o.Epsilon, cmp.Or(o.By, o.Method), stack)
		}
	}
	return b
}

// capBy returns the numerical bound of a stack with the upper end that a theorem has for it; if that is below the
// certified lower end by more than rounding, it is refused with an [InternalError].
func (b Bound) capBy(ctx context.Context, epsilon float64, by Method, stack []Entry) Bound {
	_, _, err := spectrum.Meet([2]float64{b.Lower, b.Epsilon}, [2]float64{0, epsilon}, spectrum.SmallestEpsilon)
	if err != nil {
		parts, _ := partsOf(stack)
		err = recoverPanic(ctx, func() error { return pld.NameStack(err, parts) })
		refused, _ := refuseInternal(err)
		return refused
	}
	b.Epsilon, b.Lower, b.By = epsilon, math.Min(b.Lower, epsilon), by
	return b
}

// evaluate handles the cases common to all theorems, then calls t.
func (l *preparedStack) evaluate(ctx context.Context, t Theorem) Bound {
	if l.problem != "" {
		return refuse(t.Method, l.problem)
	}
	if t.Method == RDPPinned && !(l.target.Alpha > 1) {
		return refuse(t.Method, "no Rényi order above 1 is pinned")
	}
	if len(l.entries) == 0 {
		return Bound{Method: t.Method, Status: Valid, By: Basic, Note: "Nothing is released."}
	}
	if l.target.Delta >= 1 {
		return Bound{Method: t.Method, Status: Valid, Delta: l.target.Delta, By: Basic,
			Note: "With δ ≥ 1 the guarantee is vacuous: every mechanism satisfies it with ε = 0."}
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
	return l.roundOutwards(b)
}

// outwards is by how much, relative, an end is moved so that the rounding of a formula's last steps cannot put it on
// the wrong side of the truth: four units in the last place.
const outwards = 0x1p-50

// roundOutwards returns a bound whose ends hold in every digit: the upper end is moved up and the lower end down, each
// by more than the rounding of its last steps. The plain sum of what a user typed stays as it is ([entryCosts.sums]),
// and no upper end passes it.
func (l *preparedStack) roundOutwards(b Bound) Bound {
	plain := b.Method == Basic || b.By == Basic
	if !b.Finite() || plain && b.Lower == b.Epsilon {
		return b
	}
	if b.Lower *= 1 - outwards; plain {
		return b
	}
	up := b.Epsilon * (1 + outwards)
	if sum, _, stated := l.statedSums(); stated && b.Epsilon <= sum {
		up = math.Min(up, sum)
	}
	b.Epsilon = up
	return b
}
