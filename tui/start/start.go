// Package start is the guided way from nothing to a plan: a few questions on the left, the
// plan that they make on the right.
package start

import (
	"context"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
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
}

var kinds = []string{guide.Counts, guide.Totals, guide.Choice, guide.Training}

var questions = []question{
	{name: "kind", ask: map[string]string{"": "What will be released?"}, choices: kinds,
		help: "←→ or a letter chooses: counts of people, totals of amounts, the best of several options, or a model"},
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
	{name: "people", ask: map[string]string{"": "How many people?", guide.Training: "How many examples?"}, help: "records in the data; δ is set below 1/n"},
	{name: "epsilon", ask: map[string]string{"": "Total ε?"}, first: "1", help: "the budget for all of it together; 1 is a common start"},
	{name: "unit", ask: map[string]string{"": "Whose data is a record?"}, choices: []string{"person", "person-year", "person-month", "person-day", "event"},
		help: "person: all records of somebody count as one; person-day: only those of one day are hidden together"},
	{name: "name", ask: map[string]string{"": "What is it called?"}, help: "the name of the plan"},
}

// Dialog asks.
type Dialog struct {
	*kit.Shell
	at     int // index into questions
	answer map[string]*textinput.Model
	choice map[string]int
	fresh  bool // the first letter typed replaces the answer

	job    jobs.Job
	plan   *guide.Plan
	err    error
	accept bool // enter was pressed before the plan had come

	done  func(*guide.Plan) tea.Cmd
	empty func() tea.Cmd
}

// Open puts the questions up. done takes the plan that was accepted; empty starts without.
func Open(s *kit.Shell, done func(*guide.Plan) tea.Cmd, empty func() tea.Cmd) tea.Cmd {
	d := &Dialog{Shell: s, answer: map[string]*textinput.Model{}, choice: map[string]int{}, done: done, empty: empty}
	for _, q := range questions {
		if q.choices == nil {
			in := s.NewInput(q.first)
			d.answer[q.name] = &in
		}
	}
	s.Push(d)
	return d.build()
}

// asked is a question's words for the kind chosen; "" if it is not asked.
func (d *Dialog) asked(q question) string {
	if words := q.ask[d.kind()]; words != "" {
		return words
	}
	return q.ask[""]
}

func (d *Dialog) kind() string { return kinds[d.choice["kind"]] }

// move goes to the next question that is asked.
func (d *Dialog) move(by int) {
	for {
		d.at = (d.at + by + len(questions)) % len(questions)
		if d.asked(questions[d.at]) != "" {
			break
		}
	}
	d.fresh = true
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
	case "tab", "down":
		d.move(+1)
		return nil
	case "shift+tab", "up":
		d.move(-1)
		return nil
	case "enter":
		return d.take()
	}
	if q.choices != nil {
		d.choose(q, msg.String())
	} else {
		d.write(d.answer[q.name], kit.CleanKey(msg))
	}
	return d.build()
}

// choose steps through the choices; a letter goes to the next that has it at the start of a
// word.
func (d *Dialog) choose(q question, key string) {
	n, now := len(q.choices), d.choice[q.name]
	switch key {
	case "left":
		now = (now + n - 1) % n
	case "right", " ":
		now = (now + 1) % n
	default:
		for i := 1; i <= n; i++ {
			next := (now + i) % n
			if slices.ContainsFunc(strings.Fields(q.choices[next]), func(w string) bool { return w != "a" && strings.HasPrefix(w, key) }) {
				now = next
				break
			}
		}
	}
	d.choice[q.name] = now
	if q.name == "kind" { // one person is in one count; what they add to a total nobody can guess
		first := ""
		if d.kind() == guide.Counts {
			first = "1"
		}
		d.answer["change"].SetValue(first)
	}
}

func (d *Dialog) write(in *textinput.Model, msg tea.KeyMsg) {
	if d.fresh && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace || msg.Type == tea.KeyBackspace) {
		in.SetValue("")
	}
	d.fresh = false
	*in, _ = in.Update(msg)
}

// wish is what was answered, or what is wrong with an answer.
func (d *Dialog) wish() (w guide.Wish, name, problem string) {
	w = guide.Wish{Kind: d.kind(), Name: strings.TrimSpace(d.answer["name"].Value())}
	for _, q := range questions {
		if q.name == "unit" {
			w.Unit = q.choices[d.choice["unit"]]
		}
	}
	for name, field := range map[string]*float64{
		"times": &w.Times, "exact": &w.Exact, "change": &w.Change, "options": &w.Options, "epochs": &w.Epochs, "batch": &w.Batch,
		"people": &w.People, "epsilon": &w.Epsilon,
	} {
		i := slices.IndexFunc(questions, func(q question) bool { return q.name == name })
		text := strings.TrimSpace(d.answer[name].Value())
		if d.asked(questions[i]) == "" || text == "" {
			continue
		}
		x, err := mechanisms.ParseNumber(text)
		switch {
		case err != nil:
			return w, name, err.Error()
		case !(x > 0) || x > 1e12:
			return w, name, "must be greater than 0 and at most 1e12"
		case x != float64(int64(x)) && slices.Contains([]string{"times", "people", "options", "batch"}, name):
			return w, name, "must be a whole number"
		}
		*field = x
	}
	return w, "", ""
}

// build makes the plan of what was answered.
func (d *Dialog) build() tea.Cmd {
	d.plan, d.err, d.accept = nil, nil, false
	d.job.Stop()
	w, _, problem := d.wish()
	if problem != "" || w.Missing() != "" {
		return nil
	}
	account := d.Accountant
	return d.Jobs.Start(&d.job, jobs.PauseChart, func(ctx context.Context, emit func(tea.Msg)) {
		p, err := guide.Build(ctx, account, w)
		if ctx.Err() != nil {
			return
		}
		emit(jobs.Found(func() { d.plan, d.err = p, err }))
	})
}

// take accepts the plan, goes to what is missing, or says why there is none.
func (d *Dialog) take() tea.Cmd {
	w, name, problem := d.wish()
	switch {
	case problem != "":
		d.at, d.fresh = slices.IndexFunc(questions, func(q question) bool { return q.name == name }), true
	case w.Missing() != "" || d.plan == nil:
		d.move(+1)
	default:
		d.Pop()
		return d.done(d.plan)
	}
	return nil
}

// Scenario is the plan to be shown, with what was chosen as its description.
func Scenario(p *guide.Plan) *scenarios.Scenario {
	s := p.Scenario
	s.Description = "Chosen: " + strings.Join(p.Chose, ". Chosen: ") + "."
	return s
}
