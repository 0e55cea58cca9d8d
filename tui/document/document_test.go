package document

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	_ "epsiloscope/internal/gauge" // the seed of property tests
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

func laplace(label string, epsilon float64) scenarios.Entry {
	return scenarios.Entry{Mechanism: "laplace", Label: label, Count: 1, Sampling: 1,
		Values: param.Values{"epsilon": param.NumberValue(epsilon)}}
}

func open(labels ...string) *Document {
	s := scenarios.New()
	for _, l := range labels {
		s.Stack = append(s.Stack, laplace(l, 0.1))
	}
	return New(s)
}

// order writes the stack as labels, blocks in brackets.
func order(stack []scenarios.Entry) string {
	out := ""
	for _, e := range stack {
		if len(e.Parallel) == 0 {
			out += e.Label
			continue
		}
		out += "["
		for i, b := range e.Parallel {
			if i > 0 {
				out += "|"
			}
			out += order(b)
		}
		out += "]"
	}
	return out
}

func TestEdits(t *testing.T) {
	mark := func(d *Document, rows ...int) {
		for _, r := range rows {
			d.Select(r)
			d.Mark()
		}
	}
	for _, c := range []struct {
		name string
		do   func(*Document) error
		want string
		row  int
	}{
		{"add", func(d *Document) error { d.Add(laplace("x", 1)); return nil }, "axbc", 1},
		{"duplicate", func(d *Document) error { d.Select(1); return d.Duplicate() }, "abbc", 2},
		{"drop", func(d *Document) error { d.Select(2); return d.Drop() }, "ab", 1},
		{"drop marked", func(d *Document) error { mark(d, 0, 2); return d.Drop() }, "b", 0},
		{"move down", func(d *Document) error { return d.Move(1) }, "bac", 1},
		{"move beyond", func(d *Document) error { return d.Move(-1) }, "abc", 0},
		{"group", func(d *Document) error { mark(d, 0, 2); return d.Group() }, "[a|c]b", 0},
		{"ungroup", func(d *Document) error {
			mark(d, 0, 1)
			if err := d.Group(); err != nil {
				return err
			}
			return d.Group()
		}, "abc", 0},
		{"edit inside a branch", func(d *Document) error {
			mark(d, 0, 1)
			if err := d.Group(); err != nil {
				return err
			}
			d.Select(2)
			return d.Edit("label", func(e *scenarios.Entry) { e.Label = "z" })
		}, "[a|z]c", 2},
		{"drop a branch", func(d *Document) error {
			mark(d, 0, 1, 2)
			if err := d.Group(); err != nil {
				return err
			}
			d.Select(2)
			return d.Drop()
		}, "[a|c]", 2},
	} {
		d := open("a", "b", "c")
		if err := c.do(d); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := order(d.Scenario().Stack); got != c.want || d.Cursor() != c.row {
			t.Errorf("%s: %s at %d, want %s at %d", c.name, got, d.Cursor(), c.want, c.row)
		}
	}
}

func TestEditsOfNothing(t *testing.T) {
	d := open()
	for name, do := range map[string]func() error{"drop": d.Drop, "duplicate": d.Duplicate, "group": d.Group, "toggle": d.Toggle,
		"move": func() error { return d.Move(1) }} {
		if err := do(); err != ErrEmpty {
			t.Errorf("%s of an empty stack: %v", name, err)
		}
	}
	if d := open("a"); d.Group() == nil {
		t.Error("one entry became a block")
	}
}

func TestDirtyFollowsUndo(t *testing.T) {
	d := open("a")
	if d.Dirty() {
		t.Error("dirty at once")
	}
	_ = d.Toggle()
	if !d.Dirty() {
		t.Error("clean after an edit")
	}
	d.Undo()
	if d.Dirty() {
		t.Error("dirty after undoing the only edit")
	}
	d.Redo()
	copied := d.ForSaving()
	d.MarkSaved(copied, "x.yaml", d.Version())
	if d.Dirty() || d.Path != "x.yaml" {
		t.Error("dirty after saving")
	}
	d.Undo()
	if !d.Dirty() {
		t.Error("clean although undo left what was saved")
	}
	d.Redo()
	if d.Dirty() {
		t.Error("dirty although redo came back to what was saved")
	}
}

// What a bundled scenario is checked by is not true of a changed copy of it: the copy is saved without.
func TestAChangedCopyOfTheLibraryExpectsNothing(t *testing.T) {
	for bundle, expects := range map[string]int{"welcome": 0, "": 1} {
		s := open("a").Scenario().Clone()
		s.Expect = []scenarios.Expectation{{Epsilon: 1}}
		d := New(s)
		d.Bundle = bundle
		if n := len(d.ForSaving().Expect); n != 1 {
			t.Errorf("bundle %q unchanged: %d values", bundle, n)
		}
		_ = d.Toggle()
		if n := len(d.ForSaving().Expect); n != expects {
			t.Errorf("bundle %q changed: %d values", bundle, n)
		}
	}
}

func TestSavedLateKeepsLaterEdits(t *testing.T) {
	d := open("a", "b")
	version, copied := d.Version(), d.ForSaving()
	_ = d.Drop()
	d.MarkSaved(copied, "x.yaml", version)
	if !d.Dirty() || order(d.Scenario().Stack) != "b" {
		t.Error("an edit made while saving was lost or counts as saved")
	}
}

// The memory that undo holds is bounded, however large the stack.
func TestHistoryIsBounded(t *testing.T) {
	if depth(3) != 1000 || depth(10_000) != 100 || depth(1_000_000) != 50 || depth(0) != 1000 {
		t.Errorf("depths %d %d %d %d", depth(3), depth(10_000), depth(1_000_000), depth(0))
	}
	d := open("a")
	for range 1500 {
		_ = d.Toggle()
	}
	n := 0
	for _, ok := d.Undo(); ok; _, ok = d.Undo() {
		n++
	}
	if n != 1000 {
		t.Errorf("%d edits can be undone", n)
	}
}

// Whatever is done, undoing all of it brings the start back, and the scenario that
// was opened is never written to.
func TestUndoAlwaysReturnsToTheStart(t *testing.T) {
	same := func(a, b *scenarios.Scenario) string {
		return cmp.Diff(a.Stack, b.Stack, cmpopts.IgnoreUnexported(scenarios.Entry{}), cmpopts.EquateEmpty())
	}
	rapid.Check(t, func(t *rapid.T) {
		d := open("a", "b", "c", "d")
		first := d.Scenario()
		kept := first.Clone()
		for range rapid.IntRange(0, 40).Draw(t, "edits") {
			d.Select(rapid.IntRange(-1, 9).Draw(t, "row"))
			switch rapid.IntRange(0, 8).Draw(t, "what") {
			case 0:
				d.Add(laplace("n", 1))
			case 1:
				_ = d.Duplicate()
			case 2:
				_ = d.Drop()
			case 3:
				_ = d.Move(1 - 2*rapid.IntRange(0, 1).Draw(t, "way"))
			case 4:
				_ = d.Toggle()
			case 5, 6:
				d.Mark()
			case 7:
				_ = d.Group()
			case 8:
				_ = d.Edit("ε", func(e *scenarios.Entry) {
					if e.Mechanism != "" {
						_ = e.SetNumber("scale", 5)
					}
				})
			}
			if len(d.Rows()) > 0 && d.Cursor() >= len(d.Rows()) {
				t.Fatal("the selection left the stack")
			}
		}
		last := d.Scenario()
		for len(d.past) > 0 {
			d.Undo()
		}
		if d.Scenario() != first || same(first, kept) != "" {
			t.Fatalf("undo did not return to the start, or the start was changed: %s", same(first, kept))
		}
		for len(d.future) > 0 {
			d.Redo()
		}
		if d.Scenario() != last {
			t.Fatal("redo did not return to the end")
		}
	})
}

func ExampleDocument_Undo() {
	d := open("counts")
	_ = d.Duplicate()
	what, _ := d.Undo()
	fmt.Println(what, len(d.Rows()), d.Dirty())
	// Output: duplicate 1 false
}

// Ungrouping takes back that branches are on parts of the data, not how often they run: the cost
// does not fall.
func TestUngroupKeepsTheCounts(t *testing.T) {
	twice := laplace("b", 0.1)
	twice.Count = 2
	s := scenarios.New()
	branches := [][]scenarios.Entry{{laplace("a", 0.1)}, {twice}}
	s.Stack = []scenarios.Entry{{Count: 10, Sampling: 1, Disabled: true, Parallel: branches}}
	d := New(s)
	if err := d.Group(); err != nil {
		t.Fatal(err)
	}
	got := d.Scenario().Stack
	if len(got) != 2 || got[0].Count != 10 || got[1].Count != 20 || !got[0].Disabled || !got[1].Disabled {
		t.Errorf("%+v", got)
	}
	if s.Stack[0].Parallel[1][0].Count != 2 {
		t.Error("the state before was changed")
	}
}

// A change of an entry's own field leaves the states before it as they were: it can be undone, and the document knows
// that it changed.
func TestChangeOfAnEntryIsItsOwn(t *testing.T) {
	s, err := scenarios.Parse("f.yaml", []byte("version: 1\nname: one\nstack:\n  - {mechanism: laplace, epsilon: 0.1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	d := New(s)
	d.MarkSaved(d.ForSaving(), "f.yaml", d.Version())
	d.Change("weight", func(c *scenarios.Scenario) { c.Stack[0].Weight = 2 })
	if !d.Dirty() || d.BaseState().Stack[0].Weight != 0 {
		t.Errorf("unsaved %t, the file has the weight %v", d.Dirty(), d.BaseState().Stack[0].Weight)
	}
	if d.Undo(); d.Dirty() || d.Scenario().Stack[0].Weight != 0 {
		t.Errorf("after undo: unsaved %t, weight %v", d.Dirty(), d.Scenario().Stack[0].Weight)
	}
}
