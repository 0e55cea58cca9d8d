package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"epsiloscope/accounting/adaptive"
)

// A line with a repeated field is refused by everything that reads it, not by verify alone.
func TestRepeatedFieldIsNotRead(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	mustReserve(t, f, pureOf(t, "0.6"))
	data, _ := os.ReadFile(f.Path)
	lines := bytes.SplitAfter(data, []byte("\n"))
	body, _, _ := bytes.Cut(lines[1], []byte(hashField))
	body = bytes.Replace(body, []byte(`"by":`), []byte(`"by":"nobody","by":`), 1)
	forged := append(bytes.Clone(body), []byte(hashField+hashOf(body)+"\"}\n")...)
	writeFile(t, f.Path, append(bytes.Clone(lines[0]), forged...))
	if _, err := Read(f.Path); err == nil || !strings.Contains(err.Error(), "repeated") {
		t.Error(err)
	}
}

// Names that differ from a known block by what people do not see get no second budget.
func TestLookAlikeBlocks(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Blocks = "region"
	f, _ := create(t, terms)
	mustCommit(t, f, pureOf(t, "0.9"), "North")
	for _, name := range []string{"north", "NORTH", "N\u043erth", "No rth", "Ν\u03bfrth", "North_"} {
		if _, _, err := f.Reserve(pureOf(t, "0.9"), []string{name}, "", ""); err == nil ||
			!strings.Contains(err.Error(), `"North"`) {
			t.Errorf("%q: %v", name, err)
		}
	}
	mustReserve(t, f, pureOf(t, "0.9"), "South")
	refusedWith(t, f, pureOf(t, "0.9"), "above the budget", " North ")
}

// The scope of a promise stands in every sentence that may be quoted, and in every JSON.
func TestScopeEverywhere(t *testing.T) {
	terms := zcdp()
	terms.Blocks, terms.Window = "day", "168h"
	f, clock := create(t, terms)
	mustCommit(t, f, gaussian(t), "2026-11-14")
	l := mustRead(t, f)
	want := "within any 7 days, for data that lie in one day and do not arrive depending on earlier answers"
	st, err := l.Statement(context.Background(), Period{}, clock.now)
	if err != nil || !strings.Contains(st.Paragraph, want) {
		t.Fatal(st, err)
	}
	status := l.Status(context.Background(), clock.now)
	for name, text := range map[string]string{"guarantee": l.guarantee(), "quotable": l.quotableFact(status),
		"show": l.StatusLines(status)[2].Text} {
		if !strings.Contains(text, want) {
			t.Errorf("%s: %s", name, text)
		}
	}
	terms.Window = ""
	f, _ = create(t, terms)
	mustCommit(t, f, gaussian(t), "2026-11-14")
	status = mustRead(t, f).Status(context.Background(), clock.now)
	if q := terms.Quotes(status, false)[1]; !q.Quotable || !strings.Contains(q.Words, "for data that lie in one day") {
		t.Errorf("odometer: %+v", q)
	}
	a, err := mustRead(t, f).Ask(gaussian(t), []string{"2026-11-14"}, "", clock.now)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{"show": status, "ask": a} {
		if text, err := json.Marshal(v); err != nil || !strings.Contains(string(text), `"scope":{"blocks":"day","window":null}`) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

// What would be left is what is left without what is asked for.
func TestLeftAfter(t *testing.T) {
	f, clock := create(t, basicTerms(1, 0))
	mustReserve(t, f, pureOf(t, "0.3"))
	a, err := mustRead(t, f).Ask(pureOf(t, "0.5"), nil, "", clock.now)
	if err != nil || a.LeftAfter.String() != "200000000000000" {
		t.Fatal(a.LeftAfter, err)
	}
	if text, _ := json.Marshal(a); !strings.Contains(string(text), `"left":0.7,"left_after":0.2`) {
		t.Error(string(text))
	}
	if a, err = mustRead(t, f).Ask(pureOf(t, "0.8"), nil, "", clock.now); err != nil || a.LeftAfter != nil {
		t.Error("something would be left after what does not fit")
	}
}

// Of a training that does not fit as a whole the steps that do are named.
func TestStillFitsInSteps(t *testing.T) {
	plan := scenarioOf(t, "{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 10000}")
	f, _ := create(t, basicTerms(1, 0))
	os.Remove(f.Path)
	if _, err := f.Create(context.Background(), opening(Promise{Filter: adaptive.Plan, Delta: "1e-5"}), plan,
		1); err != nil {
		t.Fatal(err)
	}
	mustCommit(t, f, scenarioOf(t, "{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 400}"))
	fits := mustRead(t, f).Status(context.Background(), start).Fits
	if len(fits) != 1 || !strings.HasPrefix(fits[0].String(), "9600 of the 10000 releases of ") {
		t.Errorf("%v", fits)
	}
}

// One release of Laplace noise is dear to a ledger that adds up ρ: the refusal names the filter that would grant it.
func TestRefusalNamesTheFilter(t *testing.T) {
	terms := zcdp()
	terms.Epsilon = "1"
	f, clock := create(t, terms)
	a, err := mustRead(t, f).Ask(pureOf(t, "0.3"), nil, "", clock.now)
	if err != nil || a.Fits || !strings.Contains(a.Numbers(), "would grant 3 of it with --filter basic, and 0 with --filter zcdp") {
		t.Error(a.Numbers(), err)
	}
	if a, err = mustRead(t, f).Ask(scenarioOf(t, "{mechanism: gaussian, sigma: 40, count: 12000}"), nil, "", clock.now); err != nil || a.OtherFilter != "" {
		t.Error(a.OtherFilter, err)
	}
}

// Something else is not told to be removed, or to be run through a program: it is not a ledger.
func TestNotALedger(t *testing.T) {
	for _, text := range []string{"hello", "hello\r\n", "\n", "name: x\nstack: []\n", `{"version":1}`} {
		if _, err := Parse("x.ledger", []byte(text)); err == nil || !strings.Contains(err.Error(), "this is not a ledger") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The first record is read while another process holds the lock: the explorer opens, and says who does.
func TestFirstRecordOfALockedLedger(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	held, err := openLocked(f.Path, os.O_RDWR, LockWait{})
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if r, err := ReadFirstRecord(f.Path); err != nil || r.Unit != "person-day" {
		t.Error(r, err)
	}
}

// A cancelled release that was made is charged once, however often that is said.
func TestCommitAfterCancelTwice(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	id := mustReserve(t, f, pureOf(t, "0.6"))
	mustCancel(t, f, id)
	for range 3 {
		l, err := f.Commit(id, nil, "")
		if err != nil || l.Breach() != nil {
			t.Fatal(l.Breach(), err)
		}
		if s := l.Status(context.Background(), start); s.Spent.String() != "600000000000000" {
			t.Errorf("spent %s", s.Spent)
		}
	}
}

// Files of filters and records that are gone are refused with what to do.
func TestGoneFiltersAndRecords(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	for want, edit := range map[string]func(*Record){
		"advanced is not offered":    func(r *Record) { r.Promise.Filter = "advanced" },
		"rdp is a mixture of one":    func(r *Record) { r.Promise.Filter = "rdp" },
		"it has no nonce":            func(r *Record) { r.Nonce = "" },
		"names no home":              func(r *Record) { r.Home = "" },
		"starts with its open recor": func(r *Record) { r.Kind = "amend" },
	} {
		if _, err := Parse(f.Path, reseal(t, f, edit)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
