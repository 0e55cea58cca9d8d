package tui

import (
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"epsiloscope/accounting"
	"epsiloscope/internal/stand"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/exercises"
	"epsiloscope/tui/document"
	"epsiloscope/tui/home"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/store"
	"epsiloscope/tui/theme"
)

// fake answers at once with figures that only have to look like bounds, so that
// screens can be compared byte by byte whatever the accountants learn.
type fake struct {
	refines int
	panics  bool
	block   bool // Refine waits for its context to end
}

func (f *fake) total(s *scenarios.Scenario) (sum, squares float64) {
	for _, e := range s.Stack {
		for _, branch := range e.Parallel {
			inner, sq := f.total(&scenarios.Scenario{Stack: branch, Rounds: 1})
			sum, squares = math.Max(sum, inner), math.Max(squares, sq)
		}
		if e.Disabled || len(e.Parallel) > 0 {
			continue
		}
		eps := 0.1
		if v, ok := e.Values["sigma"]; ok {
			eps = 2.5 / v.Number
		}
		if v, ok := e.Values["epsilon"]; ok {
			eps = v.Number
		}
		sum += e.Count * eps
		squares += e.Count * eps * eps
	}
	return sum * s.Rounds, squares * s.Rounds
}

func (f *fake) Evaluate(_ context.Context, s *scenarios.Scenario, opt scenarios.Options) (*scenarios.Result, error) {
	if f.panics {
		panic("a bug")
	}
	sum, sq := f.total(s)
	root := math.Sqrt(2 * math.Log(1/math.Max(s.Budget.Delta, 1e-300)) * sq)
	r := &scenarios.Result{Name: s.Name, Unit: s.Unit, Adjacency: s.Adjacency, Rounds: s.Rounds, Best: -1,
		Target: accounting.Target{Epsilon: s.Budget.Epsilon, Delta: s.Budget.Delta, Alpha: s.Alpha}}
	add := func(m accounting.Method, eps, alpha float64, note string) {
		b := accounting.Bound{
			Method: m, Status: accounting.Valid, Epsilon: eps, Delta: s.Budget.Delta, Alpha: alpha, Note: note,
		}
		if math.IsInf(eps, 1) {
			b.Status = accounting.NotApplicable
		}
		r.Bounds = append(r.Bounds, b)
	}
	add(accounting.Basic, sum, 0, "")
	add(accounting.Advanced, root+sq, 0, "δ′ takes all of δ")
	add(accounting.AdvancedKOV, root+sq/2, 0, "")
	add(accounting.Optimal, math.Inf(1), 0, "Gaussian entries have no pure ε")
	add(accounting.RDP, 0.9*root+sq/2, 11.7, "")
	if s.Alpha > 0 {
		add(accounting.RDPPinned, root+sq/2, s.Alpha, "")
	}
	add(accounting.RDPClassic, 0.95*root+sq/2, 11.7, "")
	add(accounting.ZCDP, 0.92*root+sq/2, 0, "")
	add(accounting.ZCDPClassic, 0.97*root+sq/2, 0, "")
	add(accounting.GDP, math.Inf(1), 0, "Laplace is not Gaussian")
	if !opt.ClosedFormsOnly {
		add(accounting.Numerical, 0.85*root+sq/2, 0, "")
		r.Bounds[len(r.Bounds)-1].Lower = 0.849*root + sq/2
	}
	r.Best = accounting.Best(r.Bounds)
	for i, e := range s.Stack {
		part, _ := f.total(&scenarios.Scenario{Stack: []scenarios.Entry{e}, Rounds: s.Rounds})
		share := 0.0
		if sum > 0 {
			share = part / sum
		}
		r.Entries = append(r.Entries, scenarios.EntryResult{
			Index: i + 1, Mechanism: e.Mechanism, Label: e.Label, Count: e.Count, Share: share, Disabled: e.Disabled,
		})
	}
	return r, nil
}

func (f *fake) Refine(
	ctx context.Context, s *scenarios.Scenario, opt scenarios.Options, yield func(*scenarios.Result) bool,
) error {
	f.refines++
	closed, err := f.Evaluate(ctx, s, scenarios.Options{ClosedFormsOnly: true})
	if err != nil || !yield(closed) {
		return err
	}
	if f.block {
		<-ctx.Done()
		return ctx.Err()
	}
	r, err := f.Evaluate(ctx, s, opt)
	if err == nil {
		yield(r)
	}
	return err
}

func (f *fake) QueriesLeft(_ context.Context, s *scenarios.Scenario, entry int, m accounting.Method) (float64, error) {
	r, _ := f.Evaluate(context.Background(), s, scenarios.Options{})
	b, ok := r.Bound(m)
	if !ok || !b.Finite() {
		return 0, io.EOF
	}
	return math.Max(0, math.Floor((s.Budget.Epsilon-b.Epsilon)*10)), nil
}

func (f *fake) Plan(_ context.Context, s *scenarios.Scenario, req plan.Request) (plan.Result, error) {
	return plan.Result{Solve: req.Solve, Entry: req.Entry, Value: 0.0132, Feasible: true}, nil
}

// fakeCharts returns curves of every kind that need no accountant.
func fakeCharts() []home.ChartKind {
	kinds := home.ChartKinds()
	for i := range kinds {
		kinds[i].Build = func(context.Context, home.ChartAsk) (chart.Chart, error) {
			nan := math.NaN()
			c := chart.Chart{
				X: chart.Axis{Label: "K", Log: true, Min: nan, Max: nan},
				Y: chart.Axis{Label: "ε", Log: true, Min: nan, Max: nan},
			}
			for _, name := range []string{"basic", "advanced", "RDP"} {
				s := chart.Series{Name: name}
				for k := 1.0; k <= 1000; k *= 1.3 {
					s.X = append(s.X, k)
					s.Y = append(s.Y, 0.1*math.Pow(k, 1-0.2*float64(len(c.Series))))
				}
				c.Series = append(c.Series, s)
			}
			c.Marks = []chart.Mark{{X: 29, Y: nan, Label: "K 29: advanced beats basic"}}
			return c, nil
		}
	}
	return kinds
}

// chartView is a chart of home with the keys that show it: a key that several charts share is pressed again.
type chartView struct {
	name, tab string
	keys      []string
	home.ChartKind
}

func chartViews() (all []chartView) {
	for i, c := range home.ChartKinds() {
		word, _, _ := strings.Cut(c.Name, " ") // a narrow line of tabs has no more of a name
		v := chartView{c.Key, "▸" + c.Key + " " + word, []string{c.Key}, c}
		if i > 0 && all[i-1].Key == c.Key {
			v.name, v.tab, v.keys = c.Key+"-"+c.Of.Name, all[i-1].tab, append(slices.Clone(all[i-1].keys), c.Key)
		}
		all = append(all, v)
	}
	return all
}

// city returns a scenario such as the explorer opens with.
func city() *scenarios.Scenario {
	return &scenarios.Scenario{
		Name: "City open data", Unit: "resident-year", Adjacency: mechanisms.AddRemove, Rounds: 1, Group: 1,
		Budget: scenarios.Budget{Epsilon: 6, Delta: 1e-6},
		Stack: []scenarios.Entry{
			{Mechanism: "laplace", Label: "districts", Count: 100, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1)}},
			{Mechanism: "gaussian", Label: "weekly totals", Count: 52, Sampling: 1, Values: param.Values{"sigma": param.NumberValue(25)}},
			{Mechanism: "exponential", Label: "complaint", Count: 4, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.2)}},
		},
	}
}

// setup is how a test's explorer looks and what it computes with.
type setup struct {
	scenario   *scenarios.Scenario
	theme      string
	noColor    bool
	ascii      bool
	store      *store.Store
	accountant kit.Evaluator
	charts     []home.ChartKind
	path       string
	bundle     string
	ledger     string // a file to begin with
	questions  []exercises.Exercise
	clock      func() time.Time // one that stands still if it is nil
}

// start opens an explorer of w×h whose computations have all arrived.
func start(t testing.TB, w, h int, s setup) *App {
	t.Helper()
	if s.scenario == nil {
		s.scenario = city()
	}
	if s.theme == "" {
		s.theme = "dark"
	}
	th, ok := theme.ByName(s.theme)
	if !ok {
		t.Fatal("no theme " + s.theme)
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	if s.noColor {
		r.SetColorProfile(termenv.Ascii)
	}
	if s.accountant == nil {
		s.accountant = &fake{}
	}
	if s.charts == nil {
		s.charts = fakeCharts()
	}
	if s.clock == nil {
		s.clock = func() time.Time { return time.Date(2026, 11, 12, 6, 15, 0, 0, time.UTC) }
	}
	doc := document.New(s.scenario)
	doc.Path, doc.Bundle = s.path, s.bundle
	from := ""
	if s.questions != nil {
		from = "testdata/questions.yaml"
	}
	a := newApp(accountants().Context(context.Background()), Options{
		ASCII: s.ascii, theme: th, renderer: r, store: s.store, accountant: s.accountant, charts: s.charts,
		eager: true, Ledger: s.ledger,
		Exercises: from, questions: s.questions, clock: s.clock,
	}, doc)
	t.Cleanup(a.Jobs.Close)
	drain(a, a.Init())
	send(a, tea.WindowSizeMsg{Width: w, Height: h})
	return a
}

// send gives the explorer a message and everything that follows from it.
func send(a *App, msg tea.Msg) {
	_, cmd := a.Update(msg)
	drain(a, cmd)
}

// drain runs commands one after the other until none is left.
func drain(a *App, cmd tea.Cmd) {
	queue := []tea.Cmd{cmd}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if next == nil {
			continue
		}
		switch msg := next().(type) {
		case nil, tea.QuitMsg:
		case tea.BatchMsg:
			queue = append(queue, msg...)
		default:
			_, cmd := a.Update(msg)
			queue = append(queue, cmd)
		}
	}
}

// press sends keys: names such as enter and tab, single characters, or, where no dialog is open, ids of actions, whose
// key it sends. Whatever a dialog gets is typed.
func press(a *App, keys ...string) {
	for _, k := range keys {
		drain(a, hit(a, k))
	}
}

// hit sends one key and returns what follows from it.
func hit(a *App, k string) tea.Cmd {
	if len(a.Dialogs) == 0 {
		k = stand.KeyOf(k, a.activeTables()...)
	}
	_, cmd := a.Update(stand.Key(k))
	return cmd
}

// typed sends a text letter by letter, so fast that each letter stops what the one before it made the explorer
// compute, and returns how many keys that took.
func typed(a *App, s string) int {
	var all []tea.Cmd
	for _, r := range s {
		all = append(all, hit(a, string(r)))
	}
	drain(a, tea.Batch(all...))
	return len(all)
}
