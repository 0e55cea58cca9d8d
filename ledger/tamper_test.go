package ledger

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// spent returns a ledger with a few records of every common kind.
func spent(t testing.TB) (*Stored, []byte) {
	t.Helper()
	f, _ := create(t, zcdp())
	s := gaussian(t)
	a, b := mustReserve(t, f, s), mustReserve(t, f, s)
	if _, err := f.Commit(a, nil, "sha256:0a"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Cancel(b, "never started", true); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Reserve(scenarioOf(t, "{mechanism: gaussian, sigma: 1}"), nil, "ads", "too much"); err == nil {
		t.Fatal("granted")
	}
	mustReserve(t, f, s)
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return f, data
}

func badLine(t testing.TB, f *Stored, data []byte) int {
	t.Helper()
	if err := os.WriteFile(f.Path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Verify(context.Background(), f.Path, "")
	if err == nil {
		return 0
	}
	var bad *BadLine
	if !errors.As(err, &bad) {
		t.Fatal(err)
	}
	return bad.Line
}

// A line that is dropped, swapped with the next, or repeated is found where it stands.
func TestLinesOutOfPlace(t *testing.T) {
	f, data := spent(t)
	lines := bytes.SplitAfter(bytes.TrimSuffix(data, nil), []byte("\n"))
	lines = lines[:len(lines)-1]
	join := func(parts ...[][]byte) []byte {
		var all []byte
		for _, p := range parts {
			all = append(all, bytes.Join(p, nil)...)
		}
		return all
	}
	for i := range lines {
		if i < len(lines)-1 {
			if got := badLine(t, f, join(lines[:i], lines[i+1:])); got != i+1 {
				t.Errorf("line %d dropped: found on %d", i+1, got)
			}
			swapped := join(lines[:i], [][]byte{lines[i+1], lines[i]}, lines[i+2:])
			if got := badLine(t, f, swapped); got != i+1 {
				t.Errorf("line %d swapped: found on %d", i+1, got)
			}
		}
		if got := badLine(t, f, join(lines[:i+1], lines[i:])); got != i+2 {
			t.Errorf("line %d repeated: found on %d", i+1, got)
		}
	}
	if got := badLine(t, f, data); got != 0 {
		t.Errorf("as it was: found on %d", got)
	}
}

// Any byte changed, to whatever, is found, on its line or the one that names its hash.
func TestAnyChangedByte(t *testing.T) {
	f, data := spent(t)
	rapid.Check(t, func(rt *rapid.T) {
		at := rapid.IntRange(0, len(data)-1).Draw(rt, "at")
		to := rapid.Byte().Draw(rt, "to")
		if data[at] == to {
			return
		}
		changed := bytes.Clone(data)
		changed[at] = to
		line := 1 + bytes.Count(data[:at], []byte("\n"))
		if got := badLine(t, f, changed); got == 0 || got > line+1 {
			rt.Fatalf("byte %d of line %d changed to %q: found on %d", at, line, to, got)
		}
	})
}

// Rolled back to an older end the chain is whole; a head kept elsewhere shows it.
func TestHeadKeptElsewhere(t *testing.T) {
	f, data := spent(t)
	l := mustRead(t, f)
	end := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	if got := badLine(t, f, data[:end]); got != 0 {
		t.Fatalf("found on line %d", got)
	}
	for head, want := range map[string]bool{l.Head(): false, l.Records[2].Hash[:16]: true, l.Records[2].Hash[:4]: false,
		"": true} {
		if _, err := Verify(context.Background(), f.Path, head); (err == nil) != want {
			t.Errorf("head %q: %v", head, err)
		}
	}
}

// reseal writes records as a forger would, who can hash: the chain holds again.
func reseal(t testing.TB, f *Stored, edit func(*Record)) []byte {
	t.Helper()
	l := mustRead(t, f)
	var data []byte
	prev := ""
	for _, r := range l.Records {
		edit(&r)
		r.Prev = prev
		line, err := r.seal()
		if err != nil {
			t.Fatal(err)
		}
		prev = r.Hash
		data = append(data, line...)
	}
	return data
}

// A forger who makes the chain anew is still found by what cannot be: a price below the
// stack's, a sum that is wrong, a budget above the promise, a time that runs back.
func TestForgeries(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*Record)
		want string
	}{
		"price": {func(r *Record) {
			if r.Kind == KindReserve {
				r.Stack = []byte(`[{"mechanism":"gaussian","sigma":4,"count":12}]`)
			}
		}, "below the price"},
		"sum": {func(r *Record) {
			if r.Kind == KindReserve {
				r.After.Parts[0].SetInt64(1)
			}
		}, "the sum after it"},
		"budget": {func(r *Record) {
			if r.Kind == KindOpen {
				r.Promise.Budget.Parts[0].SetInt64(1e18)
			}
		}, "is above what"},
		"version": {func(r *Record) { r.V = 2 }, "version 2"},
		"kind": {func(r *Record) {
			if r.Kind == KindRefuse {
				r.Kind = "refund"
			}
		}, `unknown kind "refund"`},
		"time": {func(r *Record) {
			if r.Seq == 3 {
				r.At = "2020-01-01T00:00:00Z"
			}
		}, "before that of the line above"},
		"filter": {func(r *Record) {
			if r.Kind == KindOpen {
				r.Promise.Filter = "numerical"
			}
		}, "3.16 times"},
		"adjacency": {func(r *Record) {
			if r.Kind == KindOpen {
				r.Adjacency = "nearby"
			}
		}, "adjacency"},
		"twice": {func(r *Record) {
			if r.Kind == KindCancel {
				r.Kind, r.Reason = KindReserve, ""
			}
		}, "without id or cost"},
		"terminal": {func(r *Record) { r.Why = "\x1b[2J" }, "control character"},
	} {
		f, _ := spent(t)
		if err := os.WriteFile(f.Path, reseal(t, f, c.edit), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(context.Background(), f.Path, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A forged line that grants too much is found wherever a figure would be quoted.
func TestForgeryIsNotRead(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	mustReserve(t, f, pureOf(t, "0.9"))
	whole, _ := os.ReadFile(f.Path)
	for name, c := range map[string]struct {
		cost int64
		want string
	}{"granted above the budget": {2e15, "it should have been refused"}, "priced at 1e-15": {1, "below the price of its stack, 0.9"}, "priced one unit too low": {9e14 - 1, "below the price"}} {
		forged := reseal(t, f, func(r *Record) {
			if r.Kind == KindReserve {
				r.Cost.Parts[0].SetInt64(c.cost)
				r.After.Parts[0].SetInt64(c.cost)
			}
		})
		if _, err := Parse(f.Path, forged); err == nil || !strings.Contains(err.Error(), ":2: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		writeFile(t, f.Path, forged)
		if _, err := f.Read(); err == nil {
			t.Errorf("%s: it is read", name)
		}
		writeFile(t, f.Path, whole)
	}
}

// A budget in a header that is above what its ε allows is refused, in a basic ledger by a
// single unit.
func TestForgedBudget(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	forged := reseal(t, f, func(r *Record) { r.Promise.Budget.Parts[0].SetInt64(1e15 + 1) })
	if _, err := Parse(f.Path, forged); err == nil || !strings.Contains(err.Error(), "above what ε 1") {
		t.Error(err)
	}
}

// Fields that are unknown, twice there, or of another type are refused, with the line.
func TestStrangeLines(t *testing.T) {
	f, data := spent(t)
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	body, _, _ := bytes.Cut(first, []byte(hashField))
	seal := func(body string) []byte {
		return append(append([]byte(body+hashField+hashOf([]byte(body))+"\"}\n"), rest...),
			0)[:len(body)+len(hashField)+64+3]
	}
	for name, c := range map[string]struct{ data, want string }{
		"field":   {string(seal(string(body) + `,"colour":"red"`)), "colour"},
		"twice":   {string(seal(string(body) + `,"unit":"person"`)), "repeated"},
		"type":    {string(seal(strings.Replace(string(body), `"seq":0`, `"seq":"0"`, 1))), "wrong type"},
		"nothing": {"", "empty"},
		"text":    {"hello\n", "this is not a ledger"},
		"later":   {`{"v":2,"seq":0,"kind":"open"}` + "\n", "version 2"},
		"torn":    {`{"v":1,"se`, "this is not a ledger"},
	} {
		if err := os.WriteFile(f.Path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(context.Background(), f.Path, ""); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), ":1: ") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
