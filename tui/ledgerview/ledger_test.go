package ledgerview

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/rogpeppe/go-internal/lockedfile"
	"go.uber.org/goleak"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/internal/gauge"
	"epsiloscope/internal/stand"
	"epsiloscope/ledger"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

func TestMain(m *testing.M) {
	remove := gauge.IsolateState()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { remove(); os.Exit(code) }))
}

func parsed(t testing.TB, stack string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("request", []byte("version: 1\nname: trips\nunit: person-day\nbudget: {epsilon: 3, delta: 1e-6}\nstack: ["+stack+"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const tables = "{mechanism: gaussian, sigma: 40, count: 12}"

// opened shows a ledger in a terminal of w×h, with a draft on the stack.
func opened(t testing.TB, path, draft string, w, h int) (*Screen, *stand.Stand, *kit.Shell) {
	t.Helper()
	sh := stand.Shell(t, parsed(t, draft))
	s := New(sh, Options{Now: time.Now})
	st := stand.New(t, sh, s, w, h)
	st.Run(s.Open(path))
	return s, st, sh
}

func created(t testing.TB, promise ledger.Promise) *ledger.Stored {
	t.Helper()
	f := ledger.NewFile(filepath.Join(t.TempDir(), "trips.ledger"))
	promise.Filter, promise.Epsilon, promise.Delta = adaptive.ZCDP, "3", "1e-6"
	open := ledger.Record{Data: "trips", Unit: "person-day", Adjacency: string(mechanisms.AddRemove), Promise: &promise}
	if _, err := f.Create(context.Background(), open, nil, 0); err != nil {
		t.Fatal(err)
	}
	return f
}

func reserve(t testing.TB, f *ledger.Stored, by, why string, blocks ...string) string {
	t.Helper()
	id, _, err := f.Reserve(parsed(t, tables), blocks, by, why)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func sees(t *testing.T, view string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not on the screen:\n%s", want, view)
		}
	}
}

// The figures are those that the command prints of the same file.
func TestWhatIsShown(t *testing.T) {
	_, st, _ := opened(t, "testdata/mobility.ledger", tables, 120, 33)
	sees(t, st.View(),
		"mobility · promise ε 3 at δ 1e-6 · zCDP filter · person-day", "chain, sums, prices and decisions of 51 lines hold", "ρ 0.07854 left of 0.18506",
		"✓ promise    ε 3", "✓ odometer   ε 2.565", "✗ fixed plan ε 2.046", "may not be quoted", "20 more  12 × Gaussian", "stats-team weekly table 2", "held")
	st.Press("ledger.filter", "t", "r", "a", "i", "n", "enter")
	sees(t, st.View(), "Records 1 of 1, newest first (27 in all)", "refused")
	st.Press("esc", "ledger.verify")
	sees(t, st.View(), "chain, sums, prices and decisions of 51 lines hold", "Records 1 of 27")
	st.Press("ledger.why")
	sees(t, st.View(), "Σρ ≤ ρ(ε, δ′)", "Whitehouse")
	st.Press("esc", "esc")
	if got := strings.Join(st.Left, " "); got != "esc" {
		t.Errorf("left to the explorer: %q", got)
	}
}

func TestOneRecordInEveryColumn(t *testing.T) {
	_, st, _ := opened(t, "testdata/mobility.ledger", tables, 140, 45)
	st.Press("down", "enter")
	sees(t, st.View(), "Line 49", "committed", "2026-11-11T15:12:00Z", "cost        0.00375 of ρ", "sha256:5f70bf18a0", "12 × Gaussian (σ 40",
		"zCDP            ε 0.3690   valid: it is the zCDP filter", "numerical       ε 0.3403   not valid")
}

// Asking writes nothing, follows the draft, and says the four numbers.
func TestAsk(t *testing.T) {
	before, err := os.ReadFile("testdata/mobility.ledger")
	if err != nil {
		t.Fatal(err)
	}
	s, st, sh := opened(t, "testdata/mobility.ledger", "{mechanism: gaussian, sigma: 4, count: 12}", 100, 33)
	st.Press("ledger.ask")
	st.Run(s.Refresh())
	sees(t, st.View(), "It does not fit", "spent      0.10277", "held       0.00375", "asked      0.375", "left       0.07854", "2 of its 12 releases", "Nothing was written")
	sh.Doc.Change("more noise", func(sc *scenarios.Scenario) { sc.Stack = parsed(t, tables).Stack })
	sees(t, st.View(), "It does not fit") // until it is asked again
	st.Run(s.Refresh())
	sees(t, st.View(), "It fits", "20 copies")
	if s.Refresh() != nil {
		t.Error("it asks again what was answered")
	}
	after, err := os.ReadFile("testdata/mobility.ledger")
	if err != nil || !bytes.Equal(before, after) {
		t.Error("the ledger was written to")
	}
}

// Where a window holds the budget, the answer changes with the clock alone, as the chart's does.
func TestAskAgainWhenTheWindowHasPassed(t *testing.T) {
	f := created(t, ledger.Promise{Window: "1h0m0s"})
	s, st, sh := opened(t, f.Path, "{mechanism: gaussian, sigma: 2}", 100, 33)
	now := time.Now()
	s.opt.Now = func() time.Time { return now }
	for range 25 { // committed: what is held stays in the window
		if _, err := f.Commit(reserve(t, f, "ads", "reach"), nil, ""); err != nil {
			t.Fatal(err)
		}
	}
	again := func() {
		st.Run(sh.Jobs.Start(&s.job, 0, func(ctx context.Context, tell func(func())) {
			s.read(ctx, f.Path, s.file, s.snapshot, now, tell)
		}))
		st.Run(s.Refresh())
	}
	st.Press("ledger.ask")
	again()
	sees(t, st.View(), "It does not fit")
	now = now.Add(2 * time.Hour)
	again() // as the screen does every minute
	sees(t, st.View(), "It fits")
	if s.Refresh() != nil {
		t.Error("it asks again what was answered")
	}
	if s.Ask(); s.Refresh() == nil {
		t.Error("it is asked again, and says what it said before")
	}
}

func TestBlocks(t *testing.T) {
	f := created(t, ledger.Promise{Blocks: "day"})
	reserve(t, f, "ads", "reach", "2026-11-16", "2026-11-17")
	reserve(t, f, "ads", "reach", "2026-11-17")
	s, st, _ := opened(t, f.Path, tables, 100, 33)
	sees(t, st.View(), "for each day", "left of 0.18506, 2026-11-17", "2026-11-17: reach")
	st.Press("ledger.blocks")
	view := st.View()
	if sees(t, view, "2026-11-16", "2026-11-17"); strings.Index(view, "2026-11-17") > strings.Index(view, "2026-11-16") {
		t.Error("the block with least left is not first")
	}
	st.Press("ledger.ask")
	st.Run(s.Refresh())
	sees(t, st.View(), "name every day", "e day") // nobody is asked who asks where there are no quotas
	st.Press("ledger.name", "enter")              // the block that binds is proposed
	st.Run(s.Refresh())
	sees(t, st.View(), "It fits", "It reads 2026-11-17")
}

// The statement is the ledger's own, not that of the scenario on the stack, and follows the file.
func TestLedgerStatement(t *testing.T) {
	f := created(t, ledger.Promise{})
	reserve(t, f, "stats", "weekly")
	spaced := filepath.Join(filepath.Dir(f.Path), "all trips.ledger")
	if err := os.Rename(f.Path, spaced); err != nil {
		t.Fatal(err)
	}
	f.Path = spaced
	s, st, sh := opened(t, f.Path, tables, 120, 60)
	sh.Out = io.Discard
	if st.Press("ledger.copy"); !strings.Contains(sh.Status.Text, "E shows") {
		t.Errorf("c says %q", sh.Status.Text)
	}
	st.Press("enter") // a reserve that is held says how it ends
	sees(t, st.View(), "epsiloscope ledger commit", "epsiloscope ledger cancel", `all trips.ledger" `, s.snapshot.records[1].ID)
	st.Press("esc", "ledger.statement")
	st.Run(s.Refresh())
	sees(t, st.View(), "What may be quoted of the ledger", "Everything released under the ledger", "1 is held", "Not covered", s.snapshot.head)
	if st.Press("ledger.copy"); !strings.Contains(sh.Status.Text, "the statement of the ledger was sent") {
		t.Errorf("c says %q", sh.Status.Text)
	}
	if of := s.Share(); !strings.Contains(of.Text, "Everything released under the ledger") || of.Chart == nil {
		t.Errorf("%+v", of)
	}
	if st.Press("esc"); s.Share().Text != "" { // the text of the screen
		t.Error("the statement is shared where it is not shown")
	}
}

// Ledgers that are not the usual one say so.
func TestOtherLedgers(t *testing.T) {
	window := created(t, ledger.Promise{Window: "168h0m0s"})
	reserve(t, window, "ads", "reach")
	_, st, _ := opened(t, window.Path, tables, 120, 33)
	sees(t, st.View(), "within any 7 days", "odometer   none", "releases outside the window", "older than 7 days comes back")

	fresh := created(t, ledger.Promise{Quotas: map[string]string{"ads": "0.1", "*": "1"}})
	_, st, _ = opened(t, fresh.Path, tables, 120, 33)
	sees(t, st.View(), "nothing was released yet", "nothing was granted yet", "Records 1 of 1")
	reserve(t, fresh, "ads", "reach")
	_, st, _ = opened(t, fresh.Path, tables, 120, 33)
	// A share beside a quota is one of the same thing: the budget.
	sees(t, st.View(), "By analyst, of the budget (a quota", "2.0 %  quota 10 %", "3 more  ads: ")

	full := created(t, ledger.Promise{})
	for range 45 { // an odometer holds at all times simultaneously, so its figure may pass the promise
		reserve(t, full, "stats", "many")
	}
	_, st, _ = opened(t, full.Path, tables, 120, 33)
	sees(t, st.View(), "simultaneously; the", "smaller, and holds as")
}

// After a release that was cancelled and made all the same, and does not fit any more, the promise is not ticked off.
func TestBrokenPromise(t *testing.T) {
	ours := created(t, ledger.Promise{})
	request := parsed(t, "{mechanism: gaussian, sigma: 2}")
	first, _, err := ours.Reserve(request, nil, "ads", "train")
	if err == nil {
		_, err = ours.Cancel(first, "it did not start", false)
	}
	if err == nil {
		_, _, err = ours.Reserve(request, nil, "ads", "train")
	}
	if err == nil {
		_, err = ours.Commit(first, nil, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	s, st, _ := opened(t, ours.Path, tables, 120, 33)
	sees(t, st.View(), "✗ the promise was broken on line", "✗ promise", "broken: a release did not fit", "breach", "−0.0", "left of")
	st.Press("ledger.ask")
	st.Run(s.Refresh())
	sees(t, st.View(), "Refused: the promise was broken")
}

// Who opens a ledger that another program holds is told which, and sees the records once it is given back.
func TestLockedLedgerNamesWhoHoldsIt(t *testing.T) {
	f := created(t, ledger.Promise{})
	held, err := lockedfile.OpenFile(f.Path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	s := New(stand.Shell(t, parsed(t, tables)), Options{Now: time.Now})
	st := stand.New(t, s.Shell, s, 120, 33)
	s.path, s.file = f.Path, &sharedLedger{}
	waited := ""
	s.read(t.Context(), f.Path, s.file, nil, time.Now(), func(change func()) {
		if change(); s.waiting != "" && waited == "" {
			waited = st.View()
			held.Close()
		}
	})
	sees(t, waited, "waiting for its lock, which", "holds; giving up after 30s")
	if runtime.GOOS == "linux" {
		sees(t, waited, fmt.Sprintf("process %d", os.Getpid()))
	}
	if view := st.View(); strings.Contains(view, "waiting") {
		t.Errorf("it still waits:\n%s", view)
	} else {
		sees(t, view, "promise made")
	}
}

// What others spend is taken over line by line; the cursor stays on its record.
func TestFollowsTheFile(t *testing.T) {
	f := created(t, ledger.Promise{})
	reserve(t, f, "stats", "first")
	second := reserve(t, f, "stats", "second")
	s, st, sh := opened(t, f.Path, tables, 100, 33)
	st.Press("down")
	sees(t, st.View(), "Records 2 of 3")
	seen := s.snapshot
	reserve(t, f, "ads", "third")
	if _, err := f.Commit(second, nil, ""); err != nil {
		t.Fatal(err)
	}
	again := func() {
		st.Run(sh.Jobs.Start(&s.job, 0, func(ctx context.Context, tell func(func())) {
			s.read(ctx, f.Path, s.file, s.snapshot, time.Now(), tell)
		}))
	}
	again()
	view := st.View()
	sees(t, view, "Records 3 of 4", "▸", "third")
	if at, _ := s.selectedRecord(); s.snapshot.records[at].Why != "first" {
		t.Errorf("the cursor went to %q", s.snapshot.records[at].Why)
	}
	if seen.states[2] != ledger.Held || len(seen.records) != 3 {
		t.Error("a snapshot that was drawn has changed")
	}
	if err := os.WriteFile(f.Path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	again()
	sees(t, st.View(), "✗ Nothing may be quoted", "this is not a ledger")
	if strings.Contains(st.View(), "✓") {
		t.Errorf("a file that does not hold is ticked:\n%s", st.View())
	}
}

// A file that was cut back to an older end is whole, and yet not the one that was there.
func TestCutBack(t *testing.T) {
	f := created(t, ledger.Promise{})
	reserve(t, f, "stats", "first")
	older, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	reserve(t, f, "stats", "second")
	newer, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	s, st, sh := opened(t, f.Path, tables, 120, 33)
	for _, c := range []struct {
		data []byte
		want string
	}{{older, "✗ Nothing may be quoted"}, {older, "it was cut back, or replaced"}, {newer, "✓ chain, sums"}} {
		if err := os.WriteFile(f.Path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		st.Run(sh.Jobs.Start(&s.job, 0, func(ctx context.Context, tell func(func())) {
			s.read(ctx, f.Path, s.file, s.snapshot, time.Now(), tell)
		}))
		sees(t, st.View(), c.want)
		if strings.Contains(st.View(), "✓") && strings.Contains(st.View(), "✗ Nothing") {
			t.Errorf("both:\n%s", st.View())
		}
	}
}

// A block that was never charged is asked about.
func TestNewBlock(t *testing.T) {
	f := created(t, ledger.Promise{Blocks: "city"})
	s, st, _ := opened(t, f.Path, tables, 120, 33)
	st.Press("ledger.ask", "ledger.name")
	st.Press("P", "a", "r", "i", "s", "enter")
	st.Run(s.Refresh())
	sees(t, st.View(), "was never charged", "B yes, it is new")
	st.Press("ledger.new-block")
	st.Run(s.Refresh())
	sees(t, st.View(), "It fits", "It reads Paris")
}

// A file that somebody spoilt grants nothing, and nothing may be quoted from it, whatever was
// answered before.
func TestSpoiltFileGrantsNothing(t *testing.T) {
	f := created(t, ledger.Promise{})
	reserve(t, f, "stats", "first")
	s, st, sh := opened(t, f.Path, "{mechanism: gaussian, sigma: 2}", 100, 33)
	st.Press("ledger.ask")
	st.Run(s.Refresh())
	sees(t, st.View(), "It fits", "1 copy of it")
	good, err := os.ReadFile(f.Path)
	write := func(data string) {
		if err != nil || os.WriteFile(f.Path, []byte(data), 0o600) != nil {
			t.Fatal(err)
		}
		st.Run(sh.Jobs.Start(&s.job, 0, func(ctx context.Context, tell func(func())) {
			s.read(ctx, f.Path, s.file, s.snapshot, time.Now(), tell)
		}))
		st.Run(s.Refresh())
	}
	write(string(good) + "spoilt\n")
	sees(t, st.View(), "nothing is granted")
	if view := st.View(); strings.Contains(view, "It fits") || strings.Contains(view, "left ") {
		t.Errorf("a file that cannot be read grants:\n%s", view)
	}
	st.Press("esc")
	if view := st.View(); strings.Contains(view, "✓") || strings.Contains(view, "Still fits") {
		t.Errorf("a file that cannot be read may be quoted:\n%s", view)
	}
	write(string(good))
	st.Press("ledger.ask")
	st.Run(s.Refresh())
	sees(t, st.View(), "It fits")
}

// The real thing: somebody else writes, and the screen hears of it.
func TestLive(t *testing.T) {
	f := created(t, ledger.Promise{})
	sh := stand.Shell(t, parsed(t, tables))
	s := New(sh, Options{Now: time.Now, Live: true})
	found := make(chan tea.Msg)
	ctx, end := context.WithCancel(context.Background())
	defer end()
	var run func(tea.Cmd)
	run = func(cmd tea.Cmd) {
		go func() {
			switch msg := cmd().(type) {
			case tea.BatchMsg:
				for _, c := range msg {
					run(c)
				}
			default:
				select {
				case found <- msg:
				case <-ctx.Done():
				}
			}
		}()
	}
	run(s.Open(f.Path))
	spent := false
	for s.snapshot == nil || len(s.snapshot.records) < 2 {
		msg, ok := (<-found).(jobs.Found)
		if !ok {
			continue
		}
		if next := msg(); next != nil {
			run(next)
		}
		if s.snapshot != nil && s.snapshot.summary != nil && !spent {
			spent = true
			reserve(t, f, "ads", "while it is shown")
		}
	}
	sh.Jobs.Close()
}

// What people wrote into the file stays text.
func TestHostileWords(t *testing.T) {
	f := created(t, ledger.Promise{})
	reserve(t, f, strings.Repeat("漢", 60), "👩‍👩‍👧‍👦🏳️‍🌈 e\u0301\u0302\u0303 ﷺ \u3000x")
	for _, size := range [][2]int{{40, 12}, {80, 20}, {140, 50}} {
		_, st, _ := opened(t, f.Path, tables, size[0], size[1])
		for _, keys := range [][]string{{}, {"enter"}, {"esc", "b"}, {"a"}} {
			st.Press(keys...)
			st.View() // checks its widths
		}
	}
}

func TestNoLedger(t *testing.T) {
	s, st, _ := opened(t, "testdata/missing.ledger", tables, 80, 20)
	st.Run(s.Refresh())
	sees(t, st.View(), "no such file", "choose a ledger", "epsiloscope ledger new trips.ledger --plan trips.yaml")
}

// long writes a ledger of n records without syncing each.
func long(t testing.TB, n int) string {
	t.Helper()
	f := created(t, ledger.Promise{})
	l, err := ledger.Read(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	cost := &ledger.Amounts{Quantity: "rho", Cost: adaptive.Cost{Parts: []*big.Int{big.NewInt(3125)}}}
	sum, head, at := new(big.Int), l.Head(), l.Open.Time()
	var data bytes.Buffer
	add := func(r ledger.Record, seq int) {
		r.V, r.Seq, r.At, r.Prev = ledger.Version, seq, at.Format("2006-01-02T15:04:05Z"), head
		r.Nonce = fmt.Sprintf("%032x", seq)
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		body := bytes.TrimSuffix(line.Bytes(), []byte(",\"hash\":\"\"}\n"))
		hash := sha256.Sum256(body)
		head = hex.EncodeToString(hash[:])
		fmt.Fprintf(&data, "%s,\"hash\":\"%s\"}\n", body, head)
	}
	for seq := 1; seq < n; seq += 2 {
		at = at.Add(time.Minute)
		sum = new(big.Int).Add(sum, cost.Parts[0])
		id := fmt.Sprintf("id%06d", seq)
		add(ledger.Record{
			Kind: ledger.KindReserve, ID: id, By: "stats", Why: fmt.Sprintf("table %d", seq), Cost: cost,
			After:   &ledger.Amounts{Quantity: "rho", Cost: adaptive.Cost{Parts: []*big.Int{sum}}},
			Request: ledger.Request{Stack: json.RawMessage(`[{"mechanism":"gaussian","sigma":400000}]`)},
		}, seq)
		add(ledger.Record{Kind: ledger.KindCommit, ID: id}, seq+1)
	}
	file, err := os.OpenFile(f.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(data.Bytes()); err != nil {
		t.Fatal(err)
	}
	return f.Path
}

// Of 20,000 records a frame draws those in sight, from memory: the file may be gone, and
// a frame costs as much as one of a hundred records.
func TestManyRecords(t *testing.T) {
	frame := func(n int) float64 {
		path := long(t, n)
		s, st, _ := opened(t, path, tables, 120, 33)
		if s.failure != nil {
			t.Fatal(s.failure)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		st.Press("end")
		sees(t, st.View(), "promise made", "table 1 ")
		st.Press("pgup", "home")
		sees(t, st.View(), fmt.Sprintf("table %d", n-1))
		down := stand.Key("down")
		return testing.AllocsPerRun(20, func() {
			s.HandleKey(down)
			s.View(true)
		})
	}
	all := gauge.Cases(5_000, 20_000)
	few, many := frame(100), frame(all)
	if many > few*1.2 {
		t.Errorf("a frame allocates %g times with %d records, %g with 100", many, all, few)
	}
}

// An amount is rounded to its side from all of its digits, not from those that a float has.
func TestAmountsStayOnTheirSide(t *testing.T) {
	for _, c := range []struct{ units, lower, upper string }{
		{"184999999999999999999999", "0.1849", "0.1850"}, {"185000000000000000000000", "0.1850", "0.1850"},
		{"185000000000000000000001", "0.1850", "0.1851"}, {"-185000000000000000000001", "−0.1851", "-0.1850"}, {"12345", "1.234e-20", "1.235e-20"},
	} {
		x, _ := new(big.Int).SetString(c.units, 10)
		if lo, hi := lower(x, 24), upper(x, 24); lo != c.lower || hi != c.upper {
			t.Errorf("%s units are %s and %s, want %s and %s", c.units, lo, hi, c.lower, c.upper)
		}
	}
}

// The commands to paste into a shell hand names and units over as they are, and run nothing in them.
func TestOfferedCommandsAreQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"a.yaml": `a.ledger --plan a.yaml`, "a b.yaml": `"a b.ledger" --plan "a b.yaml"`, "$(reboot).yaml": `'$(reboot).ledger' --plan '$(reboot).yaml'`, "one's.yaml": `'one'\''s.ledger' --plan 'one'\''s.yaml'`,
	} {
		o, err := ledger.OfferFor(t.Context(), parsed(t, tables), name, strings.TrimSuffix(name, ".yaml")+".ledger")
		if err != nil || o.NewCommand != "epsiloscope ledger new "+want {
			t.Errorf("%v: %s", err, o.NewCommand)
		}
	}
	// A selection that is fixed in advance cannot be spent one by one, and is granted by another filter.
	s := parsed(t, "{mechanism: exponential, epsilon: 0.1, outputs: 4, count: 3, queries: fixed}")
	s.Unit = "a `day` of one's"
	o, err := ledger.OfferFor(t.Context(), s, "a.yaml", "a.ledger")
	if err != nil || !strings.HasPrefix(o.NewCommand, "epsiloscope ledger new a.ledger --filter zcdp --epsilon 3 --delta 1e-6 --unit 'a `day` of one'\\''s'") {
		t.Errorf("%v, %+v", err, o)
	}
}

// A command is written whole: broken at blanks alone, with nothing left out, at any width.
func TestCommandsAreWhole(t *testing.T) {
	sh := stand.Shell(t, parsed(t, tables))
	for _, command := range []string{
		"epsiloscope ledger new a-release-of-counts-totals-and-a-choice.ledger --plan a-release-of-counts-totals-and-a-choice.yaml",
		"epsiloscope ledger spend " + strings.Repeat("long-", 40) + "name.ledger x.yaml --entry 1 --count 1",
	} {
		for w := 24; w < 140; w++ {
			out := kit.NewWriter(sh.Pen, w)
			writeCommand(out, command)
			got := ""
			for i, l := range out.Lines {
				if l = strings.TrimSpace(ansi.Strip(l)); i > 0 && !strings.Contains(command, got+l) {
					got += " "
				}
				got += l
				if len(l) > 0 && !strings.Contains(" "+command+" ", " "+l+" ") && len(strings.Fields(command)[3]) < w-4 {
					t.Errorf("%d cells: %q is not made of whole words", w, l)
				}
			}
			if got != command {
				t.Fatalf("%d cells: %q", w, got)
			}
		}
	}
}

// Without a ledger the screen offers the one that grants the plan: the command on one line, a key that
// copies it, and one that opens the ledger here, after a question.
func TestOfferOnTheScreen(t *testing.T) {
	t.Chdir(t.TempDir())
	sh := stand.Shell(t, parsed(t, tables))
	var clip bytes.Buffer
	sh.Out = &clip
	s := New(sh, Options{Now: time.Now})
	st := stand.New(t, sh, s, 80, 22)
	st.Run(s.Refresh())
	sees(t, st.View(), "grants every release of the", "The scenario is not in a file yet: s saves it", "s save the scenario")
	if st.Press("ledger.copy"); clip.Len() > 0 || !strings.Contains(sh.Status.Text, "s saves it first") {
		t.Errorf("a command that cannot be run was copied: %q", sh.Status.Text)
	}
	copied := sh.Doc.ForSaving()
	if err := copied.Save("trips.yaml"); err != nil {
		t.Fatal(err)
	}
	sh.Doc.MarkSaved(copied, "trips.yaml", sh.Doc.Version())
	st.Run(s.Refresh())
	sees(t, st.View(), "  epsiloscope ledger new trips.ledger --plan trips.yaml ", "  epsiloscope ledger spend trips.ledger trips.yaml --entry 1 --count 1 ", "c copy the command")
	st.Size(60, 17) // the blank lines give way, not the keys
	sees(t, st.View(), "--entry 1 --count 1 ", "enter open it  c copy the command  esc back")
	st.Size(80, 22)
	if st.Press("ledger.copy"); clip.Len() == 0 {
		t.Error("nothing was copied")
	}
	sh.Doc.Change("count", func(c *scenarios.Scenario) { c.Stack[0].Count++ })
	st.Run(s.Refresh())
	sees(t, st.View(), "has changes that are not in its file yet")
	sh.Doc.Undo()
	st.Run(s.Refresh())
	st.Press("enter")
	if _, err := os.Stat("trips.ledger"); err == nil || len(sh.Dialogs) != 1 {
		t.Fatalf("it wrote before it asked: %v", err)
	}
	st.Press("esc", "enter", "enter", "1", " ", "2") // none of these is a yes
	if _, err := os.Stat("trips.ledger"); err == nil || len(sh.Dialogs) != 1 {
		t.Fatalf("it took another key for a yes: %v", err)
	}
	st.Press("y")
	sees(t, st.View(), "12 more  Gaussian")
	st.Press("ledger.new")
	st.Run(s.Refresh())
	sees(t, st.View(), "trips.ledger is there already: enter opens it", "epsiloscope ledger spend trips.ledger trips.yaml --entry 1 --count 1")
	if strings.Contains(st.View(), "ledger new") {
		t.Error("a command is shown that would be refused, as the ledger is there")
	}
	st.Press("esc", "ledger.ask")
	st.Run(s.Refresh())
	sees(t, st.View(), "Every release of trips", "It fits", "epsiloscope ledger spend trips.ledger trips.yaml ", "1 one release")
	st.Press("ledger.one-release")
	st.Run(s.Refresh())
	sees(t, st.View(), "One release of trips", "It fits", "epsiloscope ledger spend trips.ledger trips.yaml --entry 1 --count 1", "1 the whole scenario")
	clip.Reset()
	if st.Press("ledger.copy"); clip.Len() == 0 {
		t.Error("the command that spends was not copied")
	}
	// With nothing on the stack, what is asked about is the plan that the ledger holds.
	sh.Doc.Change("nothing", func(sc *scenarios.Scenario) { sc.Stack = nil })
	st.Press("esc", "ledger.ask")
	st.Run(s.Refresh())
	sees(t, st.View(), "Every release of the plan of this ledger", "It fits")
}

// The whole scenario is asked for, as the command asks: of a plan of which one release was spent, the whole no longer
// fits, while one more release does. A screen that asked for one release said that the plan fits.
func TestAskForTheWholeScenario(t *testing.T) {
	plan := parsed(t, "{mechanism: gaussian, label: histograms, sigma: 40, count: 13}")
	f := ledger.NewFile(filepath.Join(t.TempDir(), "trips.ledger"))
	promise := &ledger.Promise{Filter: adaptive.Plan, Delta: "1e-6"}
	open := ledger.Record{Unit: plan.Unit, Adjacency: string(plan.Adjacency), Promise: promise}
	if _, err := f.Create(t.Context(), open, plan, 1); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Reserve(plan.OneEntry(1, 1), nil, "", ""); err != nil {
		t.Fatal(err)
	}
	sh := stand.Shell(t, plan.Clone())
	s := New(sh, Options{Now: time.Now})
	st := stand.New(t, sh, s, 100, 30)
	st.Run(s.Open(f.Path))
	st.Run(s.Ask()) // F
	st.Run(s.Refresh())
	sees(t, st.View(), "Every release of trips", "It does not fit", "12 of its 13 releases")
	if strings.Contains(st.View(), "It fits") {
		t.Error("a plan that does not fit is said to fit")
	}
	st.Press("ledger.one-release")
	st.Run(s.Refresh())
	sees(t, st.View(), "One release of trips", "It fits")
	st.Press("esc", "ledger.ask") // the whole is asked for again
	st.Run(s.Refresh())
	sees(t, st.View(), "It does not fit")
}

// A fixed plan is asked for release by release, as it is spent: after the first release the rest still fits, entry by
// entry.
func TestAskForOneReleaseOfAFixedPlan(t *testing.T) {
	plan := parsed(t, tables+", {mechanism: laplace, label: counts, epsilon: 0.05, count: 2}, {mechanism: laplace, epsilon: 1, disabled: true}")
	f := ledger.NewFile(filepath.Join(t.TempDir(), "trips.ledger"))
	promise := &ledger.Promise{Filter: adaptive.Plan, Delta: "1e-6"}
	open := ledger.Record{Unit: plan.Unit, Adjacency: string(plan.Adjacency), Promise: promise}
	if _, err := f.Create(t.Context(), open, plan, 1); err != nil {
		t.Fatal(err)
	}
	for _, n := range []float64{1, 2} { // one release of the first entry, all of the second
		if _, _, err := f.Reserve(plan.OneEntry(int(n), n), nil, "", ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, onStack := range []bool{true, false} {
		sh := stand.Shell(t, plan.Clone())
		if !onStack {
			sh = stand.Shell(t, scenarios.New())
		}
		s := New(sh, Options{Now: time.Now})
		st := stand.New(t, sh, s, 80, 22)
		st.Run(s.Open(f.Path))
		st.Press("ledger.ask", "ledger.one-release")
		st.Run(s.Refresh())
		sees(t, st.View(), "One release of entry 1, Gaussian", "It fits", "asked       1", "left after  10", "11 more  Gaussian", "0 more  Laplace", "←→ entry")
		if s.Refresh() != nil {
			t.Error("it asks again what was answered")
		}
		st.Press("right")
		st.Run(s.Refresh())
		sees(t, st.View(), "One release of entry 2", "It does not fit", "3 of the plan's 2 releases of kind 2")
		st.Press("right") // the third is disabled
		st.Run(s.Refresh())
		sees(t, st.View(), "One release of entry 1")
		st.Press("left")
		st.Run(s.Refresh())
		sees(t, st.View(), "One release of entry 2")
	}
}

// A ledger with a torn line is repaired; a new one in its place would spend the budget twice.
func TestTornIsNotReplaced(t *testing.T) {
	f := created(t, ledger.Promise{})
	reserve(t, f, "stats", "weekly")
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, data[:len(data)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	_, st, _ := opened(t, f.Path, tables, 200, 33)
	sees(t, st.View(), "the last line is torn", "epsiloscope ledger repair ")
	if strings.Contains(st.View(), "ledger new") {
		t.Error("a new ledger is offered")
	}
}

// What is left is drawn with one step for every record that changed it, each as wide as the others, and ends with the
// last of them.
func TestOneStepARecord(t *testing.T) {
	s, _, _ := opened(t, "testdata/mobility.ledger", tables, 120, 33)
	c := s.snapshot.summary.chart
	left, records := c.Series[0], 0
	for _, r := range s.snapshot.records {
		if r.Kind == ledger.KindReserve || r.Kind == ledger.KindCancel {
			records++
		}
	}
	if len(c.Series) != 1 || len(c.X.Names) != records || c.X.Max != float64(records)+0.5 {
		t.Fatalf("%d series and %d steps to %v for %d records", len(c.Series), len(c.X.Names), c.X.Max, records)
	}
	at := 0.0
	for k := 1; k < len(left.X); k++ {
		switch {
		case left.X[k] == left.X[k-1] && (left.X[k] != at+1 || left.Y[k] == left.Y[k-1]):
			t.Fatalf("a step at %v from %v to %v, after the one at %v", left.X[k], left.Y[k-1], left.Y[k], at)
		case left.X[k] == left.X[k-1]:
			at++
		case left.Y[k] != left.Y[k-1]:
			t.Fatalf("it changes between %v and %v without a record", left.X[k-1], left.X[k])
		}
	}
	if int(at) != records || c.X.Names[0] != "1 Nov" || c.X.Names[records-1] != "12 Nov" {
		t.Errorf("%v steps from %q to %q", at, c.X.Names[0], c.X.Names[records-1])
	}
}

// A ledger from which nothing was taken has a flat line and the tick "now"; records of one minute have different ticks.
// A record that does not say why is described by what it releases.
func TestAFreshLedger(t *testing.T) {
	f := created(t, ledger.Promise{})
	s, st, _ := opened(t, f.Path, tables, 120, 33)
	c := s.snapshot.summary.chart
	if left := c.Series[0]; len(c.X.Names) != 1 || c.X.Names[0] != "now" || slices.Min(left.Y) != slices.Max(left.Y) {
		t.Errorf("nothing was taken, and there are the ticks %q and the values %v", c.X.Names, left.Y)
	}
	reserve(t, f, "ann", "")
	reserve(t, f, "ann", "maps")
	st.Run(s.Open(f.Path))
	sees(t, st.View(), "12 × Gaussian (σ 40", "maps")

	at := time.Date(2026, 11, 18, 10, 42, 28, 0, time.UTC)
	points := []ledger.Point{{At: at}, {At: at.Add(3 * time.Second)}}
	if got := tickLayout(points, time.Hour); got != "15:04:05" {
		t.Errorf("two records of one minute are told apart by %q", got)
	}
	points[1].At = at.Add(time.Hour)
	if got := tickLayout(points, 2*time.Hour); got != "15:04" {
		t.Errorf("two records an hour apart are told apart by %q", got)
	}
	if got := tickLayout(points, 5*day); got != "2 Jan" {
		t.Errorf("records of several days are told apart by %q", got)
	}
}
