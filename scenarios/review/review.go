// Package review judges a claim about a scenario as a referee would. One list of points is made by one function: each
// is stated and consistent, a question to the author, or wrong. Above it stands a verdict on the claim.
//
// Start with [New] for the whole review, or with [Quick] for its signs and its verdict alone, which cost no more than
// the comparison that they are made of. The file says what is done; whether the program that makes the releases does so
// is believed, not checked: see [Assumptions].
package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// Sign says what a point is: stated and consistent, a question to the author, or wrong.
type Sign string

// The signs, as JSON has them.
const (
	OK    Sign = "ok"
	Ask   Sign = "ask"
	Wrong Sign = "wrong"
)

// Mark returns the sign as people see it.
func (s Sign) Mark() string {
	switch s {
	case OK:
		return "✓"
	case Ask:
		return "?"
	}
	return "✗"
}

// Verdict says whether the claim holds.
type Verdict string

// The verdicts, as JSON has them.
const (
	HoldsWhatever   Verdict = "holds-whatever"
	HoldsAsStated   Verdict = "holds-as-stated"
	MustNotBeQuoted Verdict = "must-not-be-quoted"
	DoesNotHold     Verdict = "does-not-hold"
	NotDecided      Verdict = "not-decided"
)

// Holds reports whether the claim is proven, at least as the file stands.
func (v Verdict) Holds() bool { return v == HoldsWhatever || v == HoldsAsStated }

// Words returns the verdict as people read it, without the number of questions.
func (v Verdict) Words() string {
	switch v {
	case HoldsWhatever:
		return "holds whatever the answers"
	case HoldsAsStated:
		return "holds as stated"
	case MustNotBeQuoted:
		return "must not be quoted"
	case DoesNotHold:
		return "does not hold"
	}
	return "not decided"
}

// Claim holds the statement that is judged: an ε at a δ, or a limit on a harm.
type Claim struct {
	Epsilon, Delta float64
	Harm           scenarios.HarmLimit
	From           string // "--claim", "claim" or "budget"; "" if nothing is claimed
	By, Text       string // as the file has them
}

// IsSet reports whether something is claimed.
func (c Claim) IsSet() bool { return c.From != "" }

// String returns the claim: "ε ≤ 1 at δ = 1e-6".
func (c Claim) String() string {
	kind := c.Harm.Kind()
	switch {
	case !c.IsSet():
		return "no claim"
	case kind != "":
		return fmt.Sprintf("%s ≤ %s", kind, numeral.Format(c.Harm.Limit()))
	}
	return fmt.Sprintf("ε ≤ %s at δ = %s", numeral.Format(c.Epsilon), numeral.Format(c.Delta))
}

// Point is a matter that a referee looks at.
type Point struct {
	Name    scenarios.ReviewPoint
	Sign    Sign
	Entries []int  // of the stack that it is about, from 1
	Says    string // what the file says, in a few words
	Text    string // the point in sentences, which quote the file
	Field   string // the field that answers it, as --set has it: "1.batches", "answers.tuning"
	Answers []string
	Stated  string // the author's words that settle it, with their field; "" if the point rests on something else
	Other   *Other // what another answer costs; nil if it changes no number, or none that is known
	effect  effect
}

// Other is the cost if the answer were another one.
type Other struct {
	Answer  string  // in a few words: "shuffled"
	Now     string  // the present answer, as few: "Poisson"
	Epsilon float64 // upper end; +Inf if there is none, NaN if it was not computed
	Before  float64 // that of the present answer
	Lower   float64 // certified lower end, 0 if there is none
	Note    string  // what it was priced under, or why there is no number
	change  func(*scenarios.Scenario) error
}

// newOther returns another answer than the present one, whose cost is not computed yet, and the change that it makes.
func newOther(now, answer string, change func(*scenarios.Scenario) error) *Other {
	return &Other{Now: now, Answer: answer, Epsilon: math.NaN(), change: change}
}

// IsKnown reports whether the cost was computed.
func (o *Other) IsKnown() bool { return o != nil && !math.IsNaN(o.Epsilon) }

// effect says what the worst answer to a question does to the claim.
type effect int

const (
	breaks   effect = iota // it may break the claim, by how much is not known
	raises                 // it changes the number to that of Other
	harmless               // it changes no number
)

// Review is a reviewed scenario.
type Review struct {
	Name    string
	Verdict Verdict
	Claim   Claim
	Bound   accounting.Bound // the best valid one at the claim's δ; not applicable if there is none
	Lower   float64          // certified lower end at the claim's δ; 0 if there is none
	Worst   float64          // ε with every question answered in the worst way, jointly; NaN if that is not known
	Points  []Point          // wrong ones first, then questions by how much their answer changes ε, then the rest
	Proved  []string         // bounds, each with its theorem
	Stated  []string         // what the author says, quoted, with the field
	File    string           // SHA-256 of the file
	Result  *scenarios.Result
}

// Count returns how many points have a sign.
func (r *Review) Count(sign Sign) (n int) {
	for _, p := range r.Points {
		if p.Sign == sign {
			n++
		}
	}
	return n
}

// Point returns a point by its name; false if the review has none of it.
func (r *Review) Point(name scenarios.ReviewPoint) (Point, bool) {
	i := slices.IndexFunc(r.Points, func(p Point) bool { return p.Name == name })
	if i < 0 {
		return Point{}, false
	}
	return r.Points[i], true
}

// Questions returns the points that are not settled, wrong ones first; none of a review that was not made.
func (r *Review) Questions() []Point {
	if r == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Points), func(p Point) bool { return p.Sign == OK })
}

// Headline returns the verdict in one line, with the number of questions.
func (r *Review) Headline() string {
	text := r.Verdict.Words()
	if n := r.Count(Ask); n > 0 {
		text += "; " + numeral.Plural(n, "question", "questions")
	}
	return text
}

// Options steer a review.
type Options struct {
	Claim     *Claim  // instead of the file's own; its From says where it was given
	Precision float64 // width of the numerical interval; 0 means the usual one
	Changed   bool    // since it was read from its file: the values it expects are those of the file
}

// ClaimOf returns what a scenario claims: its claim, else its budget.
func ClaimOf(s *scenarios.Scenario) Claim {
	if c := s.Claim; c.IsSet() {
		delta := s.DeltaOfEpsilon()
		if c.DeltaGiven {
			delta = c.Delta
		}
		return Claim{Epsilon: c.Epsilon, Delta: delta, From: "claim", By: c.By, Text: c.Text}
	}
	if s.Budget.IsSet() {
		return Claim{Epsilon: s.Budget.Epsilon, Delta: s.DeltaOfEpsilon(), Harm: s.Budget.Harm, From: "budget"}
	}
	return Claim{Delta: s.DeltaOfEpsilon()}
}

// New reviews a scenario. What another answer would cost is computed beside each question, in parallel, by the same
// engine. The result must be that of the scenario; nil evaluates it. The error is that of a stack without a price, or
// the context's.
func New(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result, opt Options) (*Review, error) {
	f := newReferee(s, r, opt)
	f.whole = true
	return f.review(ctx)
}

// Quick reviews an evaluated scenario for its signs and its verdict: costs of other answers are computed only if the
// verdict depends on them. The result is as for [New].
func Quick(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result, opt Options) (*Review, error) {
	return newReferee(s, r, opt).review(ctx)
}

// referee reviews one scenario.
type referee struct {
	atClaim  *scenarios.Scenario // at the claim's δ
	own      *scenarios.Scenario // as it was given, with its own δ
	claim    Claim
	result   *scenarios.Result // of atClaim
	items    []item            // the enabled entries
	disabled []item
	ev       *scenarios.Evaluator
	opt      Options
	whole    bool // the costs of other answers too, and the hash of the file
}

func newReferee(s *scenarios.Scenario, r *scenarios.Result, opt Options) *referee {
	f := &referee{own: s, claim: ClaimOf(s), result: r, ev: scenarios.NewEvaluator(), opt: opt}
	if opt.Claim != nil {
		f.claim = *opt.Claim
	}
	at := s.Clone()
	at.Expect = nil
	if f.claim.Harm.Kind() == "" {
		at.Budget = scenarios.Budget{Epsilon: f.claim.Epsilon, Delta: f.claim.Delta}
	}
	f.atClaim = at
	f.items, f.disabled = itemsOf(s)
	// Bounds depend on δ and not on the ε that is claimed; under a budget of harm the best one is another.
	if r != nil && (r.Target.Delta != f.claim.Delta || r.Harm != nil && f.claim.Harm.Kind() == "") {
		f.result = nil
	}
	return f
}

// review makes the points, then the costs of other answers, then the verdict.
func (f *referee) review(ctx context.Context) (*Review, error) {
	if f.result == nil {
		r, err := f.ev.Evaluate(ctx, f.atClaim, scenarios.Options{Precision: f.opt.Precision})
		if err != nil {
			return nil, err
		}
		f.result = r
	}
	out := &Review{
		Name: f.own.Name, Claim: f.claim, Result: f.result,
		Bound: f.result.BestBound(), Lower: f.lowerEnd(), Worst: math.NaN(),
	}
	if f.whole {
		out.File = hashOf(f.own)
	}
	var err error
	if out.Points, err = f.points(ctx); err != nil {
		return nil, err
	}
	askInWords(out.Points)
	if err := f.priceOthers(ctx, out.Points); err != nil {
		return nil, err
	}
	if out.Verdict, out.Worst, err = f.verdict(ctx, out.Points); err != nil {
		return nil, err
	}
	rank(out.Points)
	out.Proved, out.Stated = f.provenBounds(), f.statements(out.Points)
	return out, ctx.Err()
}

// hashOf returns the SHA-256 of the scenario's file, as it was read or as it would be saved.
func hashOf(s *scenarios.Scenario) string {
	text, err := s.Marshal()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// priceOthers computes what other answers cost: all of them in a whole review, else those of points that are wrong.
func (f *referee) priceOthers(ctx context.Context, points []Point) error {
	var group sync.WaitGroup
	errs := make([]error, len(points))
	for i := range points {
		o := points[i].Other
		if o == nil || o.change == nil || !f.whole && points[i].Sign != Wrong {
			continue
		}
		group.Go(func() { errs[i] = f.price(ctx, o) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// price computes the cost of another answer: what a comparison of the scenario that says so would print. A stack whose
// cost cannot be computed then is not an error: the note says why.
func (f *referee) price(ctx context.Context, o *Other) error {
	other := f.atClaim.Clone()
	err := o.change(other)
	var bounds []accounting.Bound
	if err == nil {
		bounds, err = f.boundsOf(ctx, other)
	}
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if fault := accounting.FaultOf(err); fault != nil {
		return fault
	}
	if err != nil {
		o.Note = cmp.Or(o.Note, "no cost can be computed: "+problemOf(err))
		return nil
	}
	o.Epsilon, o.Before = math.Inf(1), f.upperEnd()
	for _, b := range bounds {
		if b.Status == accounting.Valid && b.Finite() {
			o.Epsilon = math.Min(o.Epsilon, b.Epsilon)
		}
		if b.Status == accounting.Valid && b.Method == accounting.Numerical {
			o.Lower = b.Lower
		}
	}
	return nil
}

// narrow is the relative width of a numerical interval from which on theorems on Rényi curves cannot change a printed
// digit: none of them is below the lower end.
const narrow = 1e-3

// boundsOf returns the bounds of a scenario among which its ε is. If the numerical accountant answers narrowly,
// theorems on Rényi curves are left out: such a curve can take longer than all the rest.
func (f *referee) boundsOf(ctx context.Context, s *scenarios.Scenario) ([]accounting.Bound, error) {
	numerical, err := f.ev.Bound(ctx, s, accounting.Numerical, f.opt.Precision)
	if err != nil {
		return nil, err
	}
	bounds := []accounting.Bound{numerical}
	settled := numerical.Status == accounting.Valid && numerical.Epsilon-numerical.Lower <= narrow*numerical.Epsilon
	for _, t := range accounting.Methods() {
		if t.Method == accounting.Numerical || settled && t.AtOrder {
			continue
		}
		b, err := f.ev.Bound(ctx, s, t.Method, 0)
		if err != nil {
			return nil, err
		}
		bounds = append(bounds, b)
	}
	return bounds, nil
}

// verdict judges the claim by the points, and computes the worst case of all questions together if it decides.
func (f *referee) verdict(ctx context.Context, points []Point) (Verdict, float64, error) {
	worst, verdict := math.NaN(), HoldsAsStated
	settled := true // every question has a worst answer whose cost is known
	var changes []func(*scenarios.Scenario) error
	for _, p := range points {
		switch {
		case p.Sign == Wrong && (p.Name == scenarios.PointClaim || f.exceeds(p)):
			return DoesNotHold, worst, nil
		case p.Sign == Wrong, p.Name == scenarios.PointClaim && p.Sign == Ask && f.roundsToClaim():
			verdict = MustNotBeQuoted
		case p.Name == scenarios.PointClaim && p.Sign == Ask && verdict != MustNotBeQuoted:
			verdict = NotDecided
		case p.Sign == Ask && p.effect == breaks:
			settled = false
		case p.Sign == Ask && p.effect == raises && p.Other != nil:
			changes = append(changes, p.Other.change)
		}
	}
	if verdict != HoldsAsStated || !settled {
		return verdict, worst, nil
	}
	if len(changes) == 0 {
		return HoldsWhatever, f.result.BestBound().Epsilon, nil
	}
	joint := &Other{Epsilon: math.NaN(), change: func(s *scenarios.Scenario) error {
		for _, change := range changes {
			if err := change(s); err != nil {
				return err
			}
		}
		return nil
	}}
	if err := f.price(ctx, joint); err != nil {
		return "", worst, err
	}
	if f.claim.Harm.Kind() == "" && joint.Epsilon <= accounting.BudgetLimit(f.claim.Epsilon) {
		verdict = HoldsWhatever
	}
	return verdict, joint.Epsilon, nil
}

// exceeds reports whether a wrong point, priced as it should be, costs more than the claim. At another δ it is another
// claim.
func (f *referee) exceeds(p Point) bool {
	return p.Name != scenarios.PointDelta && p.Other.IsKnown() && f.claim.Harm.Kind() == "" &&
		p.Other.Epsilon > accounting.BudgetLimit(f.claim.Epsilon)
}

// rank sorts points: wrong ones, then questions by what their answer changes, then the rest as they are listed.
func rank(points []Point) {
	weight := map[Sign]int{Wrong: 0, Ask: 1, OK: 2}
	number := func(p Point) float64 {
		if p.Sign != Ask || !p.Other.IsKnown() {
			return math.Inf(-1)
		}
		return p.Other.Epsilon
	}
	slices.SortStableFunc(points, func(a, b Point) int {
		return cmp.Or(cmp.Compare(weight[a.Sign], weight[b.Sign]), cmp.Compare(number(b), number(a)))
	})
}

// Assumptions lists what no review of a file can check, always in these words.
func Assumptions() []string { return slices.Clone(believed) }

var believed = []string{
	"values are cut and rows dropped as stated, before anything else, without looking at other people's rows",
	"the noise is what it says (sampler, floating point, order of summation, seed)",
	"the list of releases is complete, accuracy on private data and tuning included",
	"raw data, intermediate results and timing stay inside",
	"the curator or the devices are trusted as the model says",
	"preprocessing and joins keep one person's rows together",
	"people in one household are protected one by one",
}
