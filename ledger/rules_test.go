package ledger

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/gauge"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

func basicTerms(epsilon, delta float64) Promise {
	return Promise{Filter: adaptive.Basic, Epsilon: numeral.Format(epsilon), Delta: numeral.Format(delta)}
}

func pureOf(t testing.TB, epsilon string) *scenarios.Scenario {
	return scenarioOf(t, "{mechanism: pure, epsilon: "+epsilon+"}")
}

func factsOf(facts []report.Fact) string {
	var b strings.Builder
	for _, f := range facts {
		b.WriteString(f.Name + ": " + f.Text + "\n")
	}
	return b.String()
}

func refusedWith(t testing.TB, f *Stored, s *scenarios.Scenario, want string, blocks ...string) {
	t.Helper()
	_, _, err := f.Reserve(s, blocks, "", "")
	var refused *Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want a refusal with %q", err, want)
	}
}

// A ledger may have a block with a comma in its name. It is that block, and not several new ones
// with budgets of their own; a new one has none.
func TestBlockWithAComma(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Blocks = "city"
	f, _ := create(t, terms)
	mustReserve(t, f, pureOf(t, "0.9"), "Paris")
	if _, _, err := f.Reserve(pureOf(t, "0.9"), []string{"Paris, France"}, "", ""); err == nil || !strings.Contains(err.Error(), "may not contain a comma") {
		t.Error(err)
	}
	l, err := Read(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	l.accounts["Paris, France"] = l.accounts["Paris"]
	for text, want := range map[string]int{"Paris, France": 1, " Paris, Rome,": 2} {
		if names := l.BlocksIn(text); len(names) != want {
			t.Errorf("%q names %q", text, names)
		}
	}
}

// Any seven days stay within the budget, by when a release was committed. What is held
// never grows old.
func TestWindow(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Window = "168h"
	f, clock := create(t, terms)
	day := 24 * time.Hour
	commit := func(epsilon string) {
		t.Helper()
		if _, err := f.Commit(mustReserve(t, f, pureOf(t, epsilon)), nil, ""); err != nil {
			t.Fatal(err)
		}
	}
	commit("0.6")
	clock.add(3 * day)
	commit("0.4")
	refusedWith(t, f, pureOf(t, "0.1"), "above the budget")
	clock.add(4 * day) // exactly seven days after the first: it still counts
	refusedWith(t, f, pureOf(t, "0.1"), "above the budget")
	clock.add(time.Second)
	held := mustReserve(t, f, pureOf(t, "0.6")) // 0.4 and 0.6
	refusedWith(t, f, pureOf(t, "0.1"), "above the budget")
	clock.add(30 * day)
	refusedWith(t, f, pureOf(t, "0.5"), "above the budget") // the held 0.6 has not expired
	if _, err := f.Commit(held, nil, ""); err != nil {
		t.Fatal(err)
	}
	clock.add(6 * day)
	refusedWith(t, f, pureOf(t, "0.5"), "above the budget") // it was released six days ago at the latest
	clock.add(2 * day)
	commit("1")
	l, err := f.Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Status(context.Background(), clock.now); s.Odometer != nil {
		t.Error("a window has an odometer")
	}
	st, err := l.Statement(context.Background(), Period{}, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"within any 7 days", "Guarantee: ε-differential privacy with ε = 1 (pure, δ = 0) within any 7 days\n", "a person in the data for n spans has up to n·ε at n·δ, after 12 of them ε = 12.00 at δ = 0", "arbitrarily much"} {
		if text := st.Paragraph + factsOf(st.Facts); !strings.Contains(text, want) {
			t.Errorf("the statement lacks %q:\n%s", want, text)
		}
	}
}

// Two machines' clocks are apart. Times in the file never run back, so nothing leaves
// the window too early by the clock that is behind; and that one is refused, as it
// cannot tell.
func TestClocksApart(t *testing.T) {
	for _, window := range []time.Duration{0, 24 * time.Hour} {
		terms := basicTerms(1, 0)
		if window > 0 {
			terms.Window = window.String()
		}
		f, clock := create(t, terms)
		clock.add(time.Hour)
		mustReserve(t, f, pureOf(t, "0.1"))
		clock.add(-40 * time.Minute)
		_, l, err := f.Reserve(pureOf(t, "0.1"), nil, "", "")
		if err == nil || !strings.Contains(err.Error(), "40m0s ahead of this machine") {
			t.Errorf("window %v: %v", window, err)
		}
		times := l.Records
		if times[2].At != times[1].At {
			t.Errorf("the time runs from %s to %s", times[1].At, times[2].At)
		}
		if _, err := Verify(context.Background(), f.Path, ""); err != nil {
			t.Error(err)
		}
	}
}

// A clock that is a minute behind is near enough: what it grants is written at the time
// of the last record, and counts as long.
func TestClockAMinuteBehind(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Window = "1h"
	f, clock := create(t, terms)
	if _, err := f.Commit(mustReserve(t, f, pureOf(t, "0.5")), nil, ""); err != nil {
		t.Fatal(err)
	}
	clock.add(time.Hour + 30*time.Second)
	mustReserve(t, f, pureOf(t, "0.4")) // the first has just left the window
	clock.add(-time.Minute)
	mustReserve(t, f, pureOf(t, "0.4"))
	refusedWith(t, f, pureOf(t, "0.4"), "above the budget")
	if _, err := Verify(context.Background(), f.Path, ""); err != nil {
		t.Error(err)
	}
}

// Twelve spans add up their ρ, and δ is shared with releases that have one: ρ(1, 5e-7), which
// a part of 5e-7 of δ = 1e-6 leaves, twelve times, back at 5e-7.
func TestTwelveSpans(t *testing.T) {
	terms := zcdp()
	terms.Epsilon, terms.Window, terms.Failures = "1", "24h", "5e-7"
	f, _ := create(t, terms)
	l := mustRead(t, f)
	rho, _ := strconv.ParseFloat(string(number(l.Filter, l.Filter.Budget())), 64)
	want, _ := accounting.ConcentratedToEpsilon(12*rho, 5e-7)
	text := l.windowFact(l.terms.Epsilon, l.terms.Delta)
	if !strings.Contains(text, "ε = "+report.Upper(want)+" at δ = 1e-6 by adding up ρ") || !strings.Contains(text, "ε = 12.00 at δ = 1.2e-5") {
		t.Errorf("want ε = %v:\n%s", want, text)
	}
}

// The clock goes on while a request is priced. What is decided and what is written are of
// one instant, also where a release leaves the window between the two.
func TestWindowWhileTheClockGoesOn(t *testing.T) {
	terms := zcdp()
	terms.Window = "24h"
	f, clock := create(t, terms)
	f.now = func() time.Time { clock.add(time.Second); return clock.now }
	id := mustReserve(t, f, gaussian(t))
	if _, err := f.Commit(id, nil, ""); err != nil {
		t.Fatal(err)
	}
	clock.now = mustRead(t, f).lastTime().Add(24*time.Hour - time.Second)
	mustReserve(t, f, gaussian(t))
}

// A 30-day span can touch three calendar months: figure window_fixed_worst.
func TestCalendarMonthsAreNoWindow(t *testing.T) {
	months := map[time.Month]bool{}
	for day := time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC); day.Before(time.Date(2027, 3, 2, 0, 0, 0, 0,
		time.UTC)); day = day.AddDate(0, 0, 1) {
		months[day.Month()] = true
	}
	if len(months) != 3 {
		t.Errorf("30 days touch %d months", len(months))
	}
	for _, text := range []string{"month", "1 month", "3months", "1mo", "1y", "2 years", "quarter"} {
		if _, err := ParseWindow(text); err == nil || !strings.Contains(err.Error(), "not of equal length") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]time.Duration{"30d": 720 * time.Hour, "2w": 336 * time.Hour,
		"1 week": 168 * time.Hour, "7days": 168 * time.Hour, "1h30m": 90 * time.Minute} {
		if got, err := ParseWindow(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "d", "-3d", "soon", "1ms", "12m"} { // twelve minutes, and months are meant
		if _, err := ParseWindow(text); err == nil {
			t.Errorf("%q is a window", text)
		}
	}
}

// A request is charged to every block it reads; each has the whole budget; the δ of
// releases is added up over all of them.
func TestBlocks(t *testing.T) {
	terms := basicTerms(1, 1e-6)
	terms.Blocks = "day"
	f, _ := create(t, terms)
	mustReserve(t, f, pureOf(t, "0.7"), "2026-11-13")
	mustReserve(t, f, pureOf(t, "0.3"), "2026-11-13", "2026-11-14")
	refusedWith(t, f, pureOf(t, "0.1"), "in the block 2026-11-13", "2026-11-14", "2026-11-13")
	mustReserve(t, f, pureOf(t, "0.7"), "2026-11-14")
	leak := scenarioOf(t, "{mechanism: approximate, epsilon: 0.01, delta: 4e-7}")
	mustReserve(t, f, leak, "2026-11-01", "2026-11-02")
	refusedWith(t, f, leak, "δ would come to 1.2e-06", "2026-11-03")
	for _, blocks := range [][]string{nil, {"2026-11-01", "2026-11-01"}, {""}, {"monday"}, {"2026-11-31"}, {"2026-11"}} {
		var refused *Refused
		if _, _, err := f.Reserve(pureOf(t, "0.1"), blocks, "", ""); err == nil || errors.As(err, &refused) {
			t.Errorf("blocks %q: %v", blocks, err)
		}
	}
	l, err := Verify(context.Background(), f.Path, "")
	if err != nil {
		t.Fatal(err)
	}
	s := l.Status(context.Background(), start)
	if s.Block != "2026-11-13" || s.Left.Sign() != 0 {
		t.Errorf("block %s, left %s", s.Block, s.Left)
	}
	all, err := l.SpentScenario("2026-11-14")
	if err != nil || len(all.Stack) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	st, _ := l.Statement(context.Background(), Period{}, start)
	if text := factsOf(st.Facts); !strings.Contains(text, "for data that lie in one day") || !strings.Contains(text, "added up over all blocks") {
		t.Error(text)
	}
}

// A block that only looks like another has the same budget; one with a character that is not
// seen is refused.
func TestBlocksThatLookAlike(t *testing.T) {
	for key, c := range map[string]struct {
		name  string
		alike []string
	}{
		"city": {"Saint-Cloud é", []string{" Saint-Cloud é", "Saint-Cloud\u00a0é ", "Saint\u2010Cloud é", "Saint\u2011Cloud  é", "Saint\u2013Cloud\té", "Saint\u2212Cloud e\u0301", "Saint-Clo\u200bud é", "\u202eSaint-Cloud é"}},
		"day":  {"2026-11-14", []string{"2026\u201111\u201114", " 2026-11-14 ", "２０２６-11-14"}},
		"week": {"2026-W46", []string{"2026\u2013W46"}},
	} {
		terms := basicTerms(1, 0)
		terms.Blocks = key
		f, _ := create(t, terms)
		mustReserve(t, f, pureOf(t, "0.9"), c.name)
		for _, block := range c.alike {
			if id, _, err := f.Reserve(pureOf(t, "0.9"), []string{block}, "", ""); err == nil {
				t.Errorf("%+q is granted as %s", block, id)
			}
		}
		if got := mustRead(t, f).Blocks(); len(got) != 1 {
			t.Errorf("blocks %q", got)
		}
	}
}

// A name that was never charged has a whole budget: a mistyped one would spend twice. A date
// must be one.
func TestNewBlocks(t *testing.T) {
	for key, c := range map[string]struct{ good, bad []string }{
		"city":  {[]string{"Paris"}, nil},
		"day":   {[]string{"2028-02-29"}, []string{"2026-02-29", "14.11.2026", "2026-1-1", "2026-11", "2026-11-14T00:00:00Z"}},
		"week":  {[]string{"2026-W01", "2026-W53"}, []string{"2027-W53", "2026-W00", "2026-W1", "2026-11-14", "2026-w05"}},
		"month": {[]string{"2026-12"}, []string{"2026-13", "Nov 2026"}},
		"year":  {[]string{"2026"}, []string{"26", "2026-01"}},
	} {
		terms := basicTerms(1, 0)
		terms.Blocks = key
		f, _ := create(t, terms)
		f.NewBlocks = key != "city"
		for _, block := range c.bad {
			if _, _, err := f.Reserve(pureOf(t, "0.1"), []string{block}, "", ""); err == nil ||
				!strings.Contains(err.Error(), "is not a "+key) {
				t.Errorf("%s %q: %v", key, block, err)
			}
		}
		f.NewBlocks = false
		for _, block := range c.good {
			_, _, err := f.Reserve(pureOf(t, "0.1"), []string{block}, "", "")
			if key == "city" {
				if _, ok := errors.AsType[*NewBlockError](err); !ok {
					t.Errorf("%v", err)
				}
				f.NewBlocks = true
				mustReserve(t, f, pureOf(t, "0.1"), block)
				f.NewBlocks = false
				mustReserve(t, f, pureOf(t, "0.1"), block)
			} else if err != nil {
				t.Error(err)
			}
		}
	}
}

// Under the mixture of orders releases must not be under way at the same time.
func TestInterleavedSessionsAreRefused(t *testing.T) {
	f, _ := create(t, Promise{Filter: adaptive.Mixture, Epsilon: "6.751", Delta: "1e-5", Alpha: "4",
		Orders: formatNumbers(adaptive.DefaultOrders)})
	steps := scenarioOf(t, "{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 5000}")
	id := mustReserve(t, f, steps)
	refusedWith(t, f, steps, "the mixture of orders is not proven for concurrent releases")
	if _, err := f.Commit(id, nil, ""); err != nil {
		t.Fatal(err)
	}
	mustReserve(t, f, steps) // 10,000 steps cost 6.75082
	if _, err := Verify(context.Background(), f.Path, ""); err != nil {
		t.Error(err)
	}
}

// A quota refuses, and says what it is not.
func TestQuota(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Quotas = map[string]string{"ads": "0.25"}
	f, _ := create(t, terms)
	if _, _, err := f.Reserve(pureOf(t, "0.3"), nil, "ads", ""); err == nil || !strings.Contains(err.Error(), "guarantees nothing") {
		t.Error(err)
	}
	if _, _, err := f.Reserve(pureOf(t, "0.25"), nil, "ads", ""); err != nil {
		t.Error(err)
	}
	for _, by := range []string{"stats", "", "*"} {
		if _, _, err := f.Reserve(pureOf(t, "0.01"), nil, by, ""); err == nil || !strings.Contains(err.Error(), "has no quota") {
			t.Errorf("%q: %v", by, err)
		}
	}
	terms.Quotas = map[string]string{"ads": "0.25", "*": "0.5"}
	f, _ = create(t, terms)
	for _, c := range []struct {
		by, epsilon string
		fits        bool
	}{{"ads", "0.3", false}, {"stats", "0.3", true}, {"ci", "0.3", false}, {"*", "0.3", false}, {"ci", "0.2", true},
		{"", "0.01", false}, {"ads", "0.2", true}} {
		if _, _, err := f.Reserve(pureOf(t, c.epsilon), nil, c.by, ""); (err == nil) != c.fits {
			t.Errorf("%s for %q: %v", c.epsilon, c.by, err)
		}
	}
	if _, err := Verify(context.Background(), f.Path, ""); err != nil {
		t.Error(err)
	}
}

// Training with restarts: the plan promises what its numerical bound says, tickets are
// spent in any order, and a ladder may be quoted where it was left.
func TestPlan(t *testing.T) {
	steps := func(n string) *scenarios.Scenario {
		return scenarioOf(t, "{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: "+n+"}")
	}
	clock := &tick{start}
	for _, c := range []struct {
		rungs    int
		promise  float64
		odometer float64
	}{{1, 6.1906, 0}, {10, 6.9097, 4.7369}} {
		f := NewFile(t.TempDir() + "/training.ledger")
		f.now = func() time.Time { return clock.now }
		open := opening(Promise{Filter: adaptive.Plan, Delta: "1e-5"})
		if _, err := f.Create(context.Background(), open, steps("10000"), c.rungs); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			mustReserve(t, f, steps("400"))
		}
		mustReserve(t, f, steps("200"))
		refusedWith(t, f, steps("5001"), "10001 of the plan's 10000 releases")
		l, err := Verify(context.Background(), f.Path, "")
		if err != nil {
			t.Fatal(err)
		}
		s := l.Status(context.Background(), start)
		if got := l.Filter.Budget().Int64(); got != 10000 || s.Left.Int64() != 5000 {
			t.Errorf("budget %d, left %s", got, s.Left)
		}
		if terms, _ := l.Promise.terms(); math.Abs(terms.Epsilon-c.promise) > 1e-3*c.promise {
			t.Errorf("promised %v, want %v", terms.Epsilon, c.promise)
		}
		switch {
		case c.odometer == 0 && s.Odometer != nil:
			t.Errorf("a plan of which a part was spent may be quoted at %v", *s.Odometer)
		case c.odometer > 0 && math.Abs(*s.Odometer-c.odometer) > 1e-3*c.odometer:
			t.Errorf("the ladder may be quoted at %v, want %v", *s.Odometer, c.odometer)
		}
		if math.Abs(*s.FixedPlan-4.2033) > 1e-3*4.2033 {
			t.Errorf("the fixed plan is %v", *s.FixedPlan)
		}
	}
}

// A statement for a period tells what was spent in it.
func TestStatementOfAPeriod(t *testing.T) {
	f, clock := create(t, zcdp())
	for range 3 {
		if _, err := f.Commit(mustReserve(t, f, gaussian(t)), nil, ""); err != nil {
			t.Fatal(err)
		}
		clock.add(24 * time.Hour)
	}
	l := mustRead(t, f)
	st, err := l.Statement(context.Background(), Period{From: start.Add(time.Hour), To: start.Add(25 * time.Hour)},
		clock.now)
	if err != nil {
		t.Fatal(err)
	}
	text := factsOf(st.Facts)
	for _, want := range []string{"1 request: rho, Σρ 0.00375", "if the period was fixed in advance", "not about a period", "0.01125 spent", l.Head()} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// A request for a group is another one than that for a record.
func TestStillFitsByGroup(t *testing.T) {
	f, clock := create(t, basicTerms(1, 0))
	one, two := pureOf(t, "0.1"), pureOf(t, "0.1")
	two.Group = 2
	mustCommit(t, f, two)
	mustCommit(t, f, one)
	fits := mustRead(t, f).Status(context.Background(), clock.now).Fits
	if len(fits) != 2 || fits[0].Copies.String() != "7" || fits[1].Copies.String() != "3" ||
		!strings.HasSuffix(fits[1].Text, ", for 2 records of one person") {
		t.Errorf("%+v", fits)
	}
}

// What still fits is said of the blocks that were asked for last, and they are named: another block has another budget.
func TestStillFitsNamesItsBlocks(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Blocks = "day"
	f, clock := create(t, terms)
	for _, day := range []string{"2026-11-01", "2026-11-01", "2026-11-02"} {
		if _, _, err := f.Reserve(pureOf(t, "0.3"), []string{day}, "", ""); err != nil {
			t.Fatal(err)
		}
	}
	s := mustRead(t, f).Status(context.Background(), clock.now)
	if s.Block != "2026-11-01" || len(s.Fits) != 1 || s.Fits[0].Copies.String() != "2" || !strings.HasSuffix(s.Fits[0].Text, ", day 2026-11-02") {
		t.Errorf("%q has least left; %+v", s.Block, s.Fits)
	}
}

// Three answers with Laplace noise of scale 3 cost 1, and fit a promise of 1; not a fourth, nor three of a scale a
// last digit smaller. A refusal by a last digit shows it.
func TestQuotientsAreRoundedOnce(t *testing.T) {
	for stack, want := range map[string]string{
		"{mechanism: laplace, scale: 3, count: 3}":                    "",
		"{mechanism: geometric, scale: 3, count: 3}":                  "",
		"{mechanism: geometric, scale: 6, sensitivity: 2, count: 3}":  "",
		"{mechanism: laplace, scale: 3, count: 4}":                    "Σε would come to 1.334",
		"{mechanism: laplace, scale: 2.9999999999999996, count: 3}":   "Σε would come to 1.000000000000002",
		"{mechanism: laplace, epsilon: 0.3333333333333334, count: 3}": "Σε would come to 1.000000000000002",
	} {
		f, clock := create(t, basicTerms(1, 0))
		a, err := mustRead(t, f).Ask(scenarioOf(t, stack), nil, "", clock.now)
		switch {
		case err != nil:
			t.Errorf("%s: %v", stack, err)
		case a.Fits != (want == "") || !strings.HasPrefix(a.Refusal, want):
			t.Errorf("%s: fits %v, %s", stack, a.Fits, a.Refusal)
		}
		if a.FittingReleases != nil && strings.HasSuffix(stack, "scale: 3, count: 4}") && a.FittingReleases.Int64() != 3 {
			t.Errorf("%s: %s would fit", stack, a.FittingReleases)
		}
		if _, _, err := f.Reserve(scenarioOf(t, stack), nil, "", ""); (err == nil) != (want == "") {
			t.Errorf("%s: %v", stack, err)
		}
		if _, err := Verify(t.Context(), f.Path, ""); err != nil {
			t.Errorf("%s: %v", stack, err)
		}
	}
}

// Three answers with Laplace noise of scale 3 fit a promise of 1 one after the other as well as at once, also those
// of other scales that add up to 1: what is summed is what was written, not what each was rounded up to.
func TestQuotientsAddUpAcrossRequests(t *testing.T) {
	for _, stacks := range [][]string{
		{"{mechanism: laplace, scale: 3}", "{mechanism: laplace, scale: 3}", "{mechanism: laplace, scale: 3}"},
		{"{mechanism: laplace, scale: 6}", "{mechanism: laplace, scale: 7, count: 2}", "{mechanism: laplace, scale: 42, count: 23}"},
		{"{mechanism: laplace, scale: 3}", "{mechanism: laplace, epsilon: 0.5}", "{mechanism: geometric, scale: 12, sensitivity: 2}"},
	} {
		f, _ := create(t, basicTerms(1, 0))
		for _, stack := range stacks {
			mustCommit(t, f, scenarioOf(t, stack))
		}
		refusedWith(t, f, scenarioOf(t, "{mechanism: laplace, scale: 1e12}"), "Σε would come to 1.000000000001")
		if b := must(Verify(t.Context(), f.Path, "")).balance(""); b.Left.Sign() != 0 || b.Held.Sign() != 0 {
			t.Errorf("%v: %s left, %s held", stacks, b.Left, b.Held)
		}
	}
}

// A line that claims a larger rounding than its price has is refused, and so is a promise whose budget is rounded.
func TestForgedRounding(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	third := scenarioOf(t, "{mechanism: laplace, scale: 3}")
	mustCommit(t, f, third)
	for rounding, refused := range map[string]bool{"2/3": false, "1/3": false, "2/4": true, "3/4": true, "99/100": true} {
		l := mustRead(t, f)
		r := Record{Kind: KindReserve, ID: "forged", Request: must(newRequest(third))}
		cost := must(l.price(r.Request)).Plus(adaptive.Cost{})
		cost.Rounding, _ = new(big.Rat).SetString(rounding)
		if refused && rounding == "2/4" {
			cost.Parts[0].Sub(cost.Parts[0], big.NewInt(1))
		}
		r.Cost, r.After = amounts(l.Filter, cost), amounts(l.Filter, l.sumWith([]string{""}, cost))
		if _, err := f.sealNext(l, r); (err != nil) != refused || refused && !strings.Contains(err.Error(), "below the price") {
			t.Errorf("rounding %s: %v", rounding, err)
		}
	}
	l := mustRead(t, f)
	promise := l.Promise
	promise.Budget = &Amounts{"epsilon", adaptive.Cost{Parts: promise.Budget.Parts, Rounding: big.NewRat(1, 3)}}
	if _, _, err := l.filter(&promise); err == nil {
		t.Error("a budget with a rounding is taken")
	}
}

// What is granted one request at a time, of whatever scales that people write, adds up to the promise at most,
// exactly, and a request is refused only if it truly exceeds it: the adversary picks scales, cancels and commits, and
// the ledger is read anew at every step.
func TestGrantsByTheExactSum(t *testing.T) {
	gauge.Check(t, gauge.Cases(10, 60), func(rt *rapid.T) {
		f, _ := create(t, basicTerms(1, 0))
		sum, held := new(big.Rat), map[string]*big.Rat{}
		var ids []string
		scales := rapid.SliceOfN(rapid.IntRange(2, 120), 1, 4).Draw(rt, "scales")
		for range rapid.IntRange(3, 15).Draw(rt, "requests") {
			tenths, n := rapid.SampledFrom(scales).Draw(rt, "scale"), rapid.IntRange(1, 9).Draw(rt, "count")
			value := big.NewRat(int64(10*n), int64(tenths))
			if rapid.Bool().Draw(rt, "all that is left") { // as many as fit
				left := new(big.Rat).Mul(new(big.Rat).Sub(big.NewRat(1, 1), sum), big.NewRat(int64(tenths), 10))
				if n = int(new(big.Int).Quo(left.Num(), left.Denom()).Int64()); n == 0 {
					continue
				}
				value = big.NewRat(int64(10*n), int64(tenths))
			}
			fits := new(big.Rat).Add(sum, value).Cmp(big.NewRat(1, 1)) <= 0
			stack := fmt.Sprintf("{mechanism: laplace, scale: %d.%d, count: %d}", tenths/10, tenths%10, n)
			id, l, err := f.Reserve(scenarioOf(t, stack), nil, "", "")
			if granted := err == nil; granted != fits {
				rt.Fatalf("%s after %s: granted %v, %v", stack, sum, granted, err)
			}
			if err == nil {
				sum.Add(sum, value)
				held[id], ids = value, append(ids, id)
			}
			if len(ids) > 0 && rapid.Bool().Draw(rt, "settle") {
				i := rapid.IntRange(0, len(ids)-1).Draw(rt, "which")
				id := ids[i]
				ids = append(ids[:i:i], ids[i+1:]...)
				if rapid.Bool().Draw(rt, "cancel") {
					l, err = f.Cancel(id, "never read", false)
					sum.Sub(sum, held[id])
				} else {
					l, err = f.Commit(id, nil, "")
				}
				if err != nil {
					rt.Fatal(err)
				}
			}
			charged := l.account("").sum()
			exact := new(big.Rat).SetInt(l.Filter.Spent(charged))
			if charged.Rounding != nil {
				exact.Sub(exact, charged.Rounding)
			}
			if exact.Quo(exact, big.NewRat(1e15, 1)).Cmp(sum) != 0 {
				rt.Fatalf("%s is charged of %s", exact, sum)
			}
		}
	})
}

// A refusal that is not about the budget does not say that the request does not fit.
func TestRefusalThatIsNotAboutTheBudget(t *testing.T) {
	f, clock := create(t, basicTerms(1, 0))
	mustReserve(t, f, pureOf(t, "0.1"))
	l := mustRead(t, f)
	for _, c := range []struct {
		request string
		at      time.Time
		want    string
	}{
		{"0.1", clock.now, "it fits"},
		{"0.95", clock.now, "it does not fit: Σε would come to 1.05"},
		{"0.1", clock.now.Add(-time.Hour), "refused: the last record is dated"},
		{"0.95", clock.now.Add(-time.Hour), "refused: the last record is dated"},
	} {
		a, err := l.Ask(pureOf(t, c.request), nil, "", c.at)
		if err != nil || !strings.HasPrefix(a.Verdict(), c.want) {
			t.Errorf("%s at %s: %v %q", c.request, c.at, err, a.Verdict())
		}
	}
	a, err := l.Ask(scenarioOf(t, "{mechanism: gaussian, sigma: 4}"), nil, "", clock.now)
	if err != nil || !strings.HasPrefix(a.Verdict(), "refused: the basic filter cannot take") {
		t.Errorf("%v %q", err, a.Verdict())
	}
}

// A training with sampled batches is refused by zCDP, and the refusal names the filter that grants it.
func TestRefusalNamesTheMixture(t *testing.T) {
	f, clock := create(t, Promise{Filter: adaptive.ZCDP, Epsilon: "3", Delta: "1e-5"})
	a, err := mustRead(t, f).Ask(scenarioOf(t, "{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 500}"), nil, "", clock.now)
	if err != nil || a.Fits || !strings.Contains(a.OtherFilter, "grant 3 of it with --filter mixture") {
		t.Errorf("%v %q", err, a.OtherFilter)
	}
}
