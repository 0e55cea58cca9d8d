package scenarios

import (
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// defaultTolerance is the relative difference allowed between an expected ε and the computed one.
const defaultTolerance = 1e-9

// CheckExpectations compares a scenario with its expect list; name is what the mistakes call the file. Bounds are taken
// from the result of the scenario, which may be nil, and computed if it does not decide.
func CheckExpectations(ctx context.Context, name string, s *Scenario, known *Result) (wrong Errors) {
	ev := NewEvaluator()
	for i, e := range s.Expect {
		b, decided := e.boundIn(known)
		if !decided {
			var err error
			if b, err = ev.Bound(ctx, s, e.Method, math.Max(1e-5, math.Min(1e-3, e.Tolerance/4))); err != nil {
				return Errors{{File: name, Problem: err.Error()}}
			}
		}
		if problem := e.compare(b); problem != "" {
			f := FieldError{File: name, Field: format.WithIndex("expect", i), Problem: problem}
			if s.origin != nil && s.origin.doc != nil {
				f.Line, f.Column = s.origin.doc.Position(s.origin.doc.Root.Find(f.Field + ".epsilon").Start)
			}
			wrong = append(wrong, f)
		}
	}
	return wrong
}

// boundIn returns the bound of a result that the expectation is about, and whether that decides: it is as expected, and
// so is the lower end of a numerical one, between which and the upper end a narrower one lies.
func (e Expectation) boundIn(r *Result) (b accounting.Bound, decided bool) {
	b, known := r.Bound(e.Method)
	lower := b
	if e.Method == accounting.Numerical {
		lower.Epsilon = b.Lower
	}
	return b, known && e.compare(b) == "" && e.compare(lower) == ""
}

// compare returns the difference between a bound and the expectation in words; "" if the bound meets it.
func (e Expectation) compare(b accounting.Bound) string {
	want := fmt.Sprintf("%s: expected ε = %s", e.Method, numeral.Format(e.Epsilon))
	if !b.Finite() {
		return fmt.Sprintf("%s, but the bound is %s: %s", want, b.Status, b.Note)
	}
	if off := math.Abs(b.Epsilon - e.Epsilon); off <= e.Tolerance*math.Max(e.Epsilon, math.SmallestNonzeroFloat64) {
		return ""
	}
	return fmt.Sprintf("%s within %s, got %s", want, numeral.Format(e.Tolerance), numeral.Format(b.Epsilon))
}

// expectations are the expect list as a field of the file.
type expectations []Expectation

// Clear removes the expectations.
func (l *expectations) Clear() { *l = nil }

func (l *expectations) Decode(d *format.Decoder, _ param.Param, n *yamltree.Node, path string) {
	if n.Kind != yamltree.Sequence && !n.IsNull() {
		d.Fail(n, path, "must be a list of expected values, got "+n.Describe())
	}
	for i, item := range n.Items {
		e, at, path := Expectation{Tolerance: defaultTolerance}, item.Deref(), format.WithIndex(path, i)
		if at.Kind == yamltree.Mapping {
			expectTable().DecodeStrict(d, &e, at, path+".", " of an expectation")
		} else {
			d.Fail(at, path, "must be a mapping such as {method: basic, epsilon: 2, tolerance: 1e-9}, got "+at.Describe())
		}
		*l = append(*l, e)
	}
}

func (l *expectations) Check(c *format.Checker, path string) {
	for i := range *l {
		c.Item(path, i, func() { expectTable().Check(c, &(*l)[i]) })
	}
}

func (l *expectations) Equal(other any) bool { return slices.Equal(*l, *other.(*expectations)) }

func (l *expectations) Tree(param.Param) (*yamltree.Node, bool) {
	t := &yamltree.Node{Kind: yamltree.Sequence, Counted: true}
	for i := range *l {
		t.Items, t.Style = append(t.Items, expectTable().Tree(&(*l)[i])), yamltree.Block
	}
	return t, len(*l) == 0
}

func (l *expectations) Schema(p param.Param) format.Object {
	return format.Object{"type": []string{"array", "null"}, "description": p.Help, "items": expectTable().Schema(new(Expectation))}
}
