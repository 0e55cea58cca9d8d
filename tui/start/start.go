// Package start is the guided way from nothing to a plan: a few questions on the left, for
// each release and for all of them, and the plan that they make on the right.
package start

import (
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/teach/guide"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// Dialog asks the questions and shows the plan.
type Dialog struct {
	*kit.Shell
	releases []answers
	whole    answers
	on       int // the release whose questions are shown
	at       int // index into questions

	job  jobs.Job
	plan *guide.Proposal
	err  error
	want bool // enter was pressed before the plan was there

	edited  bool   // something was answered
	because string // why the adjacency was set with another answer; "" if it was not

	done  func(*scenarios.Scenario) tea.Cmd
	empty func() tea.Cmd
}

// New makes the dialog, with nothing answered. done takes the plan that was accepted, with what was
// chosen as its description; empty starts without.
func New(s *kit.Shell, done func(*scenarios.Scenario) tea.Cmd, empty func() tea.Cmd) *Dialog {
	d := &Dialog{Shell: s, done: done, empty: empty}
	d.job.Then = d.ready
	d.clear()
	return d
}

// clear takes all answers back.
func (d *Dialog) clear() {
	d.releases, d.whole, d.on, d.at = []answers{newAnswers(false)}, newAnswers(true), 0, 0
	d.edited, d.because = false, ""
}

// Open puts the questions up, with the answers that were given before it was left.
func (d *Dialog) Open() tea.Cmd {
	d.selectRow(row{d.on, d.at})
	d.Push(d)
	return d.build()
}

// leave closes the dialog and keeps the answers; it asks first if there are several releases.
func (d *Dialog) leave() tea.Cmd {
	d.job.Stop()
	switch {
	case !d.edited:
		d.Pop()
	case len(d.releases) == 1:
		d.Pop()
		d.Say("the answers are kept: ctrl+n brings them back")
	default:
		return dialogs.Ask(d.Shell, "Leave the new scenario?", fmt.Sprintf("%d releases were described. The answers are kept until you quit: ctrl+n brings them back.", len(d.releases)),
			kit.Bind("y", "", "leave it", kit.NoCmd(d.Pop)),
			kit.Bind("esc", "", "go on with it", d.build),
		)
	}
	return nil
}

// row is a line of the dialog: a question of a release, or of all of them.
type row struct{ release, question int }

// rows returns the lines: every release by its kind, the one that is shown by all its questions,
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

// answersFor returns the answers that row r edits: of its release, or of the whole plan.
func (d *Dialog) answersFor(r row) answers {
	if questions[r.question].whole {
		return d.whole
	}
	return d.releases[r.release]
}

// move goes to the next line; the release it reaches shows its questions.
func (d *Dialog) move(by int) {
	rows := d.rows()
	at := slices.Index(rows, row{d.on, d.at}) + by
	next := rows[(at+len(rows))%len(rows)]
	if by < 0 && next.release != d.on && !questions[next.question].whole { // from below: its last question
		d.on = next.release
		rows = d.rows()
		after := func(r row) bool { return r.release > d.on || questions[r.question].whole }
		next = rows[slices.IndexFunc(rows, after)-1]
	}
	d.selectRow(next)
}

// selectRow goes to a line, whose answer the first letter typed replaces.
func (d *Dialog) selectRow(r row) {
	d.on, d.at = r.release, r.question
	d.answersFor(r)[questions[d.at].name].Fresh = true
}

// another adds a release after the one shown; drop takes that one away, or clears the only one.
func (d *Dialog) another() {
	d.on++
	d.releases = slices.Insert(d.releases, d.on, newAnswers(false))
	d.selectRow(row{d.on, 0})
}

func (d *Dialog) drop() {
	if len(d.releases) > 1 {
		d.releases = slices.Delete(d.releases, d.on, d.on+1)
		d.on, d.at = max(0, d.on-1), 0
		return
	}
	d.clear()
}

func (d *Dialog) HandleKey(msg tea.KeyMsg) tea.Cmd {
	key := msg.String()
	switch key {
	case "esc":
		return d.leave()
	case "ctrl+n":
		d.job.Stop()
		d.Pop()
		return d.empty()
	case "enter":
		return d.take()
	}
	d.want = false // another key takes the wish back
	switch key {
	case "tab", "down":
		d.move(+1)
		return nil
	case "shift+tab", "up":
		d.move(-1)
		return nil
	case "ctrl+a":
		d.edited = true
		d.another()
	case "ctrl+x":
		d.drop()
	case "ctrl+t":
		d.changeMechanism()
	default:
		d.answer(msg)
	}
	return d.build()
}

// answer edits the answer to the question that stands.
func (d *Dialog) answer(msg tea.KeyMsg) {
	q, a := questions[d.at], d.answersFor(row{d.on, d.at})
	if q.pick(a[q.name], msg.String()) || a[q.name].Take(msg) {
		d.edited = true
	}
	adjacency := d.whole["adjacency"]
	drawn := a["batches"]
	switch {
	case q.name == "adjacency":
		d.because = ""
	case q.name == "batches" && drawn.Value() == string(mechanisms.Shuffled) && adjacency.Value() == comings[0]:
		adjacency.Pick(comings[2])
		d.because = "Shuffled batches are not supported if people come and go: every later batch would shift. The answer to that question was set to “" + comings[2] + "”."
	case q.name == "kind" && a.kind() == guide.Survey && adjacency.Value() == comings[0]:
		adjacency.Pick(comings[1])
		d.because = "Who answers a survey is known: randomized response hides what a person answers, not that they did. The question whether people come and go was set to “" + comings[1] + "”."
	case q.name == "kind" && d.because != "" && a.kind() != guide.Survey,
		q.name == "batches" && d.because != "": // it was set for another answer
		adjacency.Pick(comings[0])
		d.because = ""
	}
	if q.name == "kind" { // one person is in one count; what they add to a total nobody can guess
		first := ""
		if a.kind() == guide.Counts {
			first = "1"
		}
		a["change"].Input.SetValue(first)
	}
}

// otherMechanism returns the mechanism that the key gives the release that is shown instead of the present one; "" if
// no other serves.
func (d *Dialog) otherMechanism() string {
	serves := guide.Mechanisms(d.releases[d.on].kind())
	if d.plan == nil || len(serves) < 2 || d.on >= len(d.plan.Scenario.Stack) {
		return ""
	}
	i := slices.Index(serves, d.plan.Scenario.Stack[d.on].Mechanism)
	return serves[(i+1)%len(serves)]
}

// changeMechanism takes the other mechanism for the release that is shown.
func (d *Dialog) changeMechanism() {
	if other := d.otherMechanism(); other != "" {
		d.releases[d.on][answerNoise].Input.SetValue(other)
		d.edited = true
	}
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

// ready accepts a plan for which enter was pressed before it was computed, unless it is over
// the budget: the user should see that first.
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
		d.selectRow(problem.at)
	case w.Missing() != "":
		d.move(+1)
	case d.plan != nil:
		d.Pop()
		s := d.plan.Scenario
		s.Description = w.Description(d.plan)
		return d.done(s)
	default:
		d.want = d.job.Busy
	}
	return nil
}
