// Package start is the guided way from nothing to a plan: a few questions on the left, for
// each release and for all of them, and the plan that they make on the right.
package start

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/guide"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// question is one line of the dialog.
type question struct {
	name    string
	ask     map[string]string // by kind; "" for every kind
	help    string
	choices []string
	first   string // the answer it starts with
	whole   bool   // asked once, not of every release
}

var kinds = []string{guide.Counts, guide.Totals, guide.Choice, guide.Training}

var questions = []question{
	{name: "kind", ask: map[string]string{"": "What will be released?"}, choices: kinds,
		help: "←→ or a letter chooses: counts of people, totals of amounts, a choice among options, a trained model"},
	{name: "times", ask: map[string]string{guide.Counts: "How often?", guide.Totals: "How often?", guide.Choice: "How often?"}, first: "1",
		help: "how many times it will be released in all: 52 for every week of a year"},
	{name: "exact", ask: map[string]string{guide.Counts: "How exact, at 95 %?", guide.Totals: "How exact, at 95 %?"},
		help: "± how much one number may err, 19 times in 20; empty for as exact as the budget allows"},
	{name: "change", ask: map[string]string{guide.Counts: "Counts one person is in?", guide.Totals: "Most one person adds?"}, first: "1",
		help: "in one release; something must enforce it, by clipping or by dropping records"},
	{name: "options", ask: map[string]string{guide.Choice: "Among how many options?"},
		help: "the options must not depend on the data"},
	{name: "epochs", ask: map[string]string{guide.Training: "How many epochs?"}, help: "passes over the data"},
	{name: "batch", ask: map[string]string{guide.Training: "How large a batch?"}, help: "examples in a step on average: each joins by itself (Poisson sampling)"},
	{name: "people", whole: true, ask: map[string]string{"": "How many people?", guide.Training: "How many examples?"}, help: "records in the data; δ is set below 1/n"},
	{name: "epsilon", whole: true, ask: map[string]string{"": "Total ε?"}, first: "1", help: "the budget for all of it together; 1 is a common start"},
	{name: "unit", whole: true, ask: map[string]string{"": "Whose data is a record?"}, choices: []string{"person", "person-year", "person-month", "person-day", "event"},
		help: "person: all records of somebody count as one; person-day: only those of one day are hidden together"},
	{name: "name", whole: true, ask: map[string]string{"": "What is it called?"}, help: "the name of the plan"},
}

// answers are those to one group of questions, by name.
type answers map[string]*kit.Blank

func newAnswers(s *kit.Shell, whole bool) answers {
	a := answers{}
	for _, q := range questions {
		if q.whole == whole {
			a[q.name] = &kit.Blank{Choices: q.choices, Input: kit.NewInput(q.first)}
		}
	}
	return a
}

func (a answers) kind() string { return a["kind"].Value() }

// Dialog asks.
type Dialog struct {
	*kit.Shell
	releases []answers
	whole    answers
	on       int // the release whose questions are shown
	at       int // index into questions

	job  jobs.Job
	plan *guide.Plan
	err  error
	want bool // enter was pressed before the plan was there

	done  func(*guide.Plan) tea.Cmd
	empty func() tea.Cmd
}

// Open puts the questions up. done takes the plan that was accepted; empty starts without.
func Open(s *kit.Shell, done func(*guide.Plan) tea.Cmd, empty func() tea.Cmd) tea.Cmd {
	d := &Dialog{Shell: s, releases: []answers{newAnswers(s, false)}, whole: newAnswers(s, true), done: done, empty: empty}
	d.job.Then = d.ready
	s.Push(d)
	return d.build()
}

// row is a line of the dialog: a question of a release, or of all of them.
type row struct{ release, question int }

// rows are the lines: every release by its kind, the one that is shown by all its questions,
// then what is asked once.
func (d *Dialog) rows() []row {
	var list []row
	for r, a := range d.releases {
		for i, q := range questions {
			if !q.whole && ask(q, a.kind()) != "" && (q.name == "kind" || r == d.on) {
				list = append(list, row{r, i})
			}
		}
	}
	for i, q := range questions {
		if q.whole {
			list = append(list, row{d.on, i})
		}
	}
	return list
}

// ask is a question's words for a kind of release; "" if it is not asked.
func ask(q question, kind string) string {
	if words := q.ask[kind]; words != "" {
		return words
	}
	return q.ask[""]
}

// of are the answers that a question's is among.
func (d *Dialog) of(r row) answers {
	if questions[r.question].whole {
		return d.whole
	}
	return d.releases[r.release]
}

// move goes to the next line; a release that is come to shows its questions.
func (d *Dialog) move(by int) {
	rows := d.rows()
	at := slices.Index(rows, row{d.on, d.at}) + by
	next := rows[(at+len(rows))%len(rows)]
	if by < 0 && next.release != d.on && !questions[next.question].whole { // from below: its last question
		d.on = next.release
		rows = d.rows()
		next = rows[slices.IndexFunc(rows, func(r row) bool { return r.release > d.on || questions[r.question].whole })-1]
	}
	d.to(next)
}

// to goes to a line, whose answer the first letter typed replaces.
func (d *Dialog) to(r row) {
	d.on, d.at = r.release, r.question
	d.of(r)[questions[d.at].name].Fresh = true
}

// another adds a release after the one shown, drop takes that one away.
func (d *Dialog) another() {
	d.on++
	d.releases = slices.Insert(d.releases, d.on, newAnswers(d.Shell, false))
	d.to(row{d.on, 0})
}

func (d *Dialog) drop() {
	if len(d.releases) > 1 {
		d.releases = slices.Delete(d.releases, d.on, d.on+1)
		d.on, d.at = max(0, d.on-1), 0
	}
}

func (d *Dialog) HandleKey(msg tea.KeyMsg) tea.Cmd {
	q := questions[d.at]
	switch msg.String() {
	case "esc":
		d.job.Stop()
		d.Pop()
		return nil
	case "ctrl+n":
		d.job.Stop()
		d.Pop()
		return d.empty()
	case "enter":
		return d.take()
	}
	d.want = false // whoever goes on does not want it yet
	switch msg.String() {
	case "tab", "down":
		d.move(+1)
		return nil
	case "shift+tab", "up":
		d.move(-1)
		return nil
	case "ctrl+a":
		d.another()
		return d.build()
	case "ctrl+x":
		d.drop()
		return d.build()
	}
	a := d.of(row{d.on, d.at})
	if a[q.name].Take(msg); q.name == "kind" { // one person is in one count; what they add to a total nobody can guess
		first := ""
		if a.kind() == guide.Counts {
			first = "1"
		}
		a["change"].Input.SetValue(first)
	}
	return d.build()
}

// wrong is an answer that cannot be taken, and why.
type wrong struct {
	at  row
	why string
}

// wish is what was answered, or what is wrong with an answer.
func (d *Dialog) wish() (guide.Wish, *wrong) {
	w := guide.Wish{Name: d.whole["name"].Value(), Releases: make([]guide.Release, len(d.releases))}
	fields := map[string]*float64{"people": &w.People, "epsilon": &w.Epsilon}
	for i, q := range questions {
		if q.name == "unit" {
			w.Unit = d.whole["unit"].Value()
		}
		if field := fields[q.name]; field != nil {
			if why := read(d.whole, q, field); why != "" {
				return w, &wrong{row{d.on, i}, why}
			}
		}
	}
	for k, a := range d.releases {
		r := &w.Releases[k]
		r.Kind = a.kind()
		fields := map[string]*float64{"times": &r.Times, "exact": &r.Exact, "change": &r.Change, "options": &r.Options, "epochs": &r.Epochs, "batch": &r.Batch}
		for i, q := range questions {
			if field := fields[q.name]; field != nil && ask(q, r.Kind) != "" {
				if why := read(a, q, field); why != "" {
					return w, &wrong{row{k, i}, why}
				}
			}
		}
	}
	return w, nil
}

// read takes the number that answers a question, if there is one, or says what is wrong.
func read(a answers, q question, field *float64) (why string) {
	text := a[q.name].Value()
	if text == "" {
		return ""
	}
	x, err := numeral.Parse(text)
	switch {
	case err != nil:
		return err.Error()
	case !(x > 0) || x > 1e12:
		return "must be greater than 0 and at most 1e12"
	case x != float64(int64(x)) && slices.Contains([]string{"times", "people", "options", "batch"}, q.name):
		return "must be a whole number"
	}
	*field = x
	return ""
}

// build makes the plan of what was answered.
func (d *Dialog) build() tea.Cmd {
	d.plan, d.err, d.want = nil, nil, false
	d.job.Stop()
	w, problem := d.wish()
	if problem != nil || w.Missing() != "" {
		return nil
	}
	account := d.Accountant
	return d.Jobs.Start(&d.job, jobs.PauseChart, func(ctx context.Context, tell func(func())) {
		p, err := guide.Build(ctx, account, w)
		tell(func() { d.plan, d.err = p, err })
	})
}

// ready accepts a plan that was asked for before it was there, unless it is over the budget:
// that is to be seen first.
func (d *Dialog) ready() tea.Cmd {
	want := d.want
	if d.want = false; want && d.plan != nil && d.plan.Fits {
		return d.take()
	}
	return nil
}

// take accepts the plan, also one that is still being computed, or goes to what is missing.
func (d *Dialog) take() tea.Cmd {
	w, problem := d.wish()
	switch {
	case problem != nil:
		d.to(problem.at)
	case w.Missing() != "":
		d.move(+1)
	case d.plan != nil:
		d.Pop()
		return d.done(d.plan)
	default:
		d.want = d.job.Busy
	}
	return nil
}

// Scenario is the plan to be shown, with what was chosen as its description.
func Scenario(p *guide.Plan) *scenarios.Scenario {
	s := p.Scenario
	s.Description = "Chosen for it: " + strings.Join(p.Chose, ". ") + "."
	return s
}
