package ledgerview

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/ledger"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios/disk"
)

// sharedLedger is the ledger that jobs share. Only they touch it, one at a time: asking drops what has
// left the window.
type sharedLedger struct {
	mu   sync.Mutex
	held *ledger.Ledger
	seen string // the head of the last one that held

	refuted error // what v has found; only the screen touches it
}

// snapshot is the ledger as the screen draws it. It never changes but for
// stacks, which the screen fills: records are only appended, after the last one that it holds.
type snapshot struct {
	path    string
	open    ledger.Record
	promise ledger.Promise
	filter  adaptive.Filter
	about   adaptive.Description
	head    string
	records []ledger.Record
	rows    []int          // the requests among them, oldest first
	states  []ledger.State // of each record
	breach  *ledger.Record
	summary *summary
	stacks  map[int]string // what records release, in words, as far as it was asked for
}

// describe returns what a record releases, for a record that does not say why.
func (s *snapshot) describe(i int) string {
	text, known := s.stacks[i]
	if known || s.records[i].Stack == nil {
		return text
	}
	if what, err := s.records[i].Scenario(s.open.Adjacency, s.open.Unit); err == nil && len(what.Stack) > 0 {
		first := what.Stack[0]
		text = cmp.Or(first.Label, first.Describe())
		if more := len(what.Stack) - 1; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
	}
	s.stacks[i] = text
	return text
}

// summary holds the values that take longer to compute.
type summary struct {
	head     string // of the ledger when it was taken
	at       time.Time
	status   *ledger.Status
	chart    chart.Chart
	charges  []float64 // of the releases, oldest first
	pace     string    // how fast it was spent, in words
	analysts []ledger.Analyst
	blocks   []ledger.Balance
}

// chartPoints is the number of steps of the burn-down that are drawn.
const chartPoints = 400

// look copies what the screen shows of the ledger.
func look(l *ledger.Ledger) *snapshot {
	s := &snapshot{
		path: l.Path, open: l.Open, promise: l.Promise, filter: l.Filter, about: l.Filter.Describe(),
		head: l.Head(), records: l.Records, breach: l.Breach(), states: make([]ledger.State, len(l.Records)),
		stacks: map[int]string{},
	}
	for i, r := range s.records {
		s.states[i] = l.State(r.ID)
		if r.Kind != ledger.KindCommit && r.Kind != ledger.KindCancel {
			s.rows = append(s.rows, i)
		}
	}
	return s
}

func summarize(ctx context.Context, l *ledger.Ledger, now time.Time) *summary {
	if last := l.Records[len(l.Records)-1].Time(); now.Before(last) { // its writer's clock is ahead
		now = last
	}
	st := &summary{head: l.Head(), at: now, status: l.Status(ctx, now), analysts: l.Analysts(), blocks: l.Balances(now)}
	points, err := l.History(st.status.Block, chartPoints)
	if err != nil { // cannot be: the file was read a moment ago
		return st
	}
	for i := 1; i < len(points); i++ {
		unit := st.status.Filter.Unit
		if took := amount(points[i-1].Left, unit) - amount(points[i].Left, unit); took > 0 {
			st.charges = append(st.charges, took)
		}
	}
	st.pace = paceOf(l, st.status, now)
	st.chart = burnDown(st.status, points, now)
	return st
}

// Open reads a ledger in the background and, where the screen is live, follows its file.
func (s *Screen) Open(path string) tea.Cmd {
	s.path, s.snapshot, s.failure, s.waiting, s.newBlocks = path, nil, nil, "", ""
	s.page, s.at, s.top = list, 0, 0
	s.asked.Forget()
	s.setFilter("")
	b := &sharedLedger{}
	s.file = b
	now, live := s.opt.Now, s.opt.Live
	return s.Jobs.Start(&s.job, 0, func(ctx context.Context, tell func(func())) {
		var saves <-chan struct{}
		if live { // before it is read, so that nothing is missed
			saves = follow(ctx, path)
		}
		var seen *snapshot
		for {
			seen = s.read(ctx, path, b, seen, now(), tell)
			if !live {
				return
			}
			minute := time.NewTimer(time.Minute) // what a window holds depends on the clock
			select {
			case <-saves:
			case <-minute.C:
			case <-ctx.Done():
			}
			if minute.Stop(); ctx.Err() != nil {
				return
			}
		}
	})
}

// follow sends whenever a ledger may have changed: its file is watched, a server is asked every second.
func follow(ctx context.Context, path string) <-chan struct{} {
	file, err := ledger.Open(path, ledger.LockWait{})
	if err != nil {
		return nil
	}
	return file.Follow(ctx, func(ctx context.Context, path string) <-chan struct{} {
		saves, _ := disk.Follow(ctx, path)
		return saves
	})
}

// read brings the ledger up to its file and tells the screen, first the records and then
// what takes longer.
func (s *Screen) read(
	ctx context.Context, path string, b *sharedLedger, before *snapshot, now time.Time, tell func(func()),
) *snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	wait := ledger.LockWait{Notice: func(text string) { tell(func() { s.waiting = text }) }}
	file, err := ledger.Open(path, wait)
	var l *ledger.Ledger
	if err == nil {
		l, err = file.Read()
	}
	if err == nil {
		err = l.VerifyPlan(ctx)
	}
	if err == nil && l.CheckHead(b.seen) != nil {
		err = fmt.Errorf("%s: it was cut back, or replaced by another: its end of a moment ago, head %s, is not in it any more. What was granted since may be granted again; put the newer file back", path, b.seen[:16])
	}
	if err != nil {
		b.held = nil
		tell(func() { s.failure, s.waiting = err, "" })
		return nil
	}
	b.held, b.seen = l, l.Head()
	seen := look(l)
	if before != nil {
		seen.summary = before.summary
	}
	tell(func() { s.take(b, seen) })
	full := *seen
	full.summary = summarize(ctx, l, now)
	tell(func() { s.take(b, &full) })
	return &full
}

// take shows what was read, if the ledger it was read from is still open.
func (s *Screen) take(b *sharedLedger, seen *snapshot) {
	if b != s.file {
		return
	}
	was, selected := s.selectedRecord()
	s.snapshot, s.failure, s.waiting = seen, b.refuted, ""
	if seen.summary != nil {
		s.plot.SetChart(seen.summary.chart)
	}
	s.search()
	if k := slices.IndexFunc(s.found, func(i int) bool { return seen.rows[i] == was }); k >= 0 && selected && s.at > 0 {
		s.at = k // it stays on its record when others come
	}
	s.at = max(0, min(s.at, len(s.found)-1))
}
