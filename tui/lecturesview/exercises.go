package lecturesview

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/teach/exercises"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// Exercises asks the questions on the lectures, one at a time, and has the engine check
// the answers.
type Exercises struct {
	kit.Base
	list []question
	from string // the file they are from; "" for the bundled ones
	at   int

	answer kit.Blank // what is typed into the question
	typing bool      // every letter is one of the answer

	about kit.Cached // the scenario of the question
}

// question is an exercise with the last reply and its verdict.
type question struct {
	exercises.Exercise
	hint    bool
	reply   string // the last one; "" before
	verdict exercises.Verdict
	err     error
	checked bool // verdict and err belong to reply
	job     jobs.Job
}

// NewExercises returns the screen of the questions on the decks.
func NewExercises(s *kit.Shell) *Exercises {
	x := &Exercises{Base: kit.Base{Shell: s}}
	x.Set("", exercises.Library())
	return x
}

// Set asks other questions, from a file.
func (x *Exercises) Set(from string, list []exercises.Exercise) {
	for i := range x.list {
		x.list[i].job.Stop()
	}
	x.from, x.at, x.list, x.typing = from, 0, nil, false
	for _, e := range list {
		x.list = append(x.list, question{Exercise: e})
	}
}

func (x *Exercises) Keys() kit.Table {
	turn := func(by int) func() tea.Cmd {
		return kit.NoCmd(func() { x.at = (x.at + by + len(x.list)) % len(x.list) })
	}
	return kit.NewTable("Exercises screen",
		kit.Action("exercises.answer", "enter", "answer", "Type your answer", x.ask),
		kit.Action("exercises.hint", "h", "hint", "Show the hint, or hide it", kit.NoCmd(func() { x.currentQuestion().hint = !x.currentQuestion().hint })),
		kit.Action("exercises.explain", "e", "explain", "Go to what explains the answer; esc comes back", x.explain),
		kit.Action("exercises.file", "f", "file", "Questions from a file of your own, or the bundled ones again", x.AskFile),
		kit.Action("exercises.next", "right l down j tab", "←→|question", "Next question", turn(+1)),
		kit.Action("exercises.previous", "left up k shift+tab", "", "Previous question", turn(-1)),
	)
}

func (x *Exercises) currentQuestion() *question { return &x.list[x.at] }

// AskFile asks for a file of questions; the dialog says what is wrong with it.
func (x *Exercises) AskFile() tea.Cmd {
	return dialogs.Prompt{
		Title: "Questions from a file",
		Help:  "A file of the form that “epsiloscope exercise --help” describes. Empty: the questions that come with the program.",
		Done: func(path string) (tea.Cmd, error) {
			list := exercises.Library()
			if path = strings.TrimSpace(path); path != "" {
				var err error
				if list, err = exercises.Load(path); err != nil {
					return nil, err
				}
			}
			x.Set(path, list)
			return nil, nil
		},
	}.Open(x.Shell, x.from)
}

// Choose goes to the first question on a deck, of the bundled ones if a lecturer's have
// none.
func (x *Exercises) Choose(deck string) {
	first := func() int { return slices.IndexFunc(x.list, func(q question) bool { return q.Deck == deck }) }
	if first() < 0 && x.from != "" {
		x.Set("", exercises.Library())
	}
	if i := first(); i >= 0 {
		x.at = i
	}
}

func (x *Exercises) explain() tea.Cmd {
	q := x.currentQuestion()
	if q.See == "" {
		return x.Say("this question names nothing that explains it")
	}
	return x.Explorer.Follow(string(q.See), q.ScenarioPath(), accounting.Method(q.Ask.Bound), accounting.Method(q.Also))
}

// ask starts the answer, which is typed below the question.
func (x *Exercises) ask() tea.Cmd {
	x.answer, x.typing = kit.Blank{Input: kit.NewInput("")}, true
	return nil
}

// HandleKey takes every key as a letter of the answer while one is typed: none of them is a command then.
func (x *Exercises) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if !x.typing {
		return nil, false
	}
	switch msg.String() {
	case "enter":
		if x.answer.Value() == "" {
			return x.Say("an answer is a number such as 1/20, or the name of a method; esc leaves it"), true
		}
		x.typing = false
		return x.check(x.answer.Value()), true
	case "esc":
		x.typing = false
	case "ctrl+c": // quits everywhere
		return nil, false
	default:
		x.answer.Take(msg)
	}
	return nil, true
}

// TypingKeys returns the keys that are no letters of the answer while it is typed.
func (x *Exercises) TypingKeys() []kit.Binding {
	if !x.typing {
		return nil
	}
	return []kit.Binding{kit.Hint("enter", "check the answer"), kit.Hint("esc", "leave the answer")}
}

// check starts the check of a reply in the background, while others may be asked.
func (x *Exercises) check(reply string) tea.Cmd {
	q := x.currentQuestion()
	q.reply, q.checked = reply, false
	return x.Jobs.Start(&q.job, 0, func(ctx context.Context, tell func(func())) {
		v, err := q.Check(ctx, reply)
		tell(func() { q.verdict, q.err, q.checked = v, err, true })
	})
}

func (x *Exercises) View(focused bool) []string {
	p, q := x.Pen, x.currentQuestion()
	list := x.chooser()
	w, full := x.TextSize(list)
	inner, h := draw.Inner(w, full)
	var lines []string
	if x.Projector {
		lines = x.Project(kit.Measure, inner, h-1, x.write)
	} else {
		lines = x.Prose(inner, 96, x.write)
	}
	title := fmt.Sprintf("Exercise %d of %d", x.at+1, len(x.list))
	if x.from != "" {
		title += " from " + filepath.Base(x.from)
	} else {
		title += ", on the lecture of " + author(q.Deck)
	}
	keys := append(x.Keys().Bindings, kit.Hint("esc", "back"))
	if x.typing {
		keys = x.TypingKeys()
	}
	text := p.Frame(draw.Frame{Title: title, Focus: focused}, lines, w, full, x.Foot(inner, keys...))
	return x.DrawSplit(list, text, "What it is about", x.aside())
}

// aside shows the scenario of the question, where there is room for a further column: what a reader computes from.
func (x *Exercises) aside() []string {
	w := x.AsideWidth()
	if w == 0 {
		return nil
	}
	key := [...]any{w, x.Themes, x.from, x.at, x.currentQuestion().isSolved()}
	return x.about.Get(key, func() []string { return x.Prose(w, 96, x.writeScenario) })
}

// writeScenario sets out the releases of the question and what they are held against. What may give the answer away
// (the description, the parameter that is asked for) follows once the reply is right.
func (x *Exercises) writeScenario(out *kit.Writer) {
	p, q := out.Pen, x.currentQuestion()
	s, err := q.LoadScenario()
	if err != nil {
		out.Prose(p.Warn, err.Error())
		return
	}
	out.Prose(p.Strong, cmp.Or(draw.Clean(s.Name), q.Scenario))
	out.Gap()
	out.Heading(p.Title, "Releases")
	for i, e := range s.Stack {
		words := e.Describe()
		if plan := q.Ask.Plan; plan != nil && plan.Entry == i+1 && !q.isSolved() {
			words = report.EntryName(e) + ", of which " + plan.Solve + " is asked for"
		}
		out.Bullet(draw.Clean(words))
	}
	if s.Rounds > 1 {
		out.Prose(p.Text, "All of it "+report.FormatGiven(s.Rounds)+" times.")
	}
	out.Gap()
	if b := s.Budget; b.Epsilon > 0 {
		out.Prose(p.Text, "Budget: ε = "+report.FormatGiven(b.Epsilon)+" at δ = "+report.FormatGiven(b.Delta)+".")
	} else if b.Delta > 0 {
		out.Prose(p.Text, "δ = "+report.FormatGiven(b.Delta)+".")
	}
	if s.Unit != "" {
		out.Prose(p.Text, "Unit: "+draw.Clean(s.Unit)+"; adjacency: "+string(s.Adjacency)+".")
	}
	if q.isSolved() && s.Description != "" {
		out.Gap()
		out.Prose(p.Muted, draw.Clean(s.Description))
	}
}

// isSolved reports that the last reply is right.
func (q *question) isSolved() bool { return q.checked && q.err == nil && q.verdict.Right }

// chooser lists the questions, each with the verdict on the last reply.
func (x *Exercises) chooser() kit.Chooser {
	p, c, right := x.Pen, kit.Chooser{At: x.at, Marked: true, Words: true}, 0
	for _, q := range x.list {
		item := kit.Item{Text: cmp.Or(q.Title, q.Question)}
		switch {
		case !q.checked || q.err != nil:
		case q.verdict.Right:
			item.Mark, item.Ink = p.Glyphs.Tick, p.Good
			right++
		default:
			item.Mark, item.Ink = p.Glyphs.Cross, p.Over
		}
		c.Items = append(c.Items, item)
	}
	c.Title = fmt.Sprintf("Exercises, %d right so far", right)
	return c
}

// HandleMouse chooses a question of the list, and turns to the next by the wheel.
func (x *Exercises) HandleMouse(column, row int, m tea.MouseMsg) tea.Cmd {
	at, ok := x.ClickedItem(x.chooser(), column, row, m)
	by := kit.Wheel(m)
	switch {
	case ok:
		x.at, x.typing = at, false
	case by != 0 && !x.typing:
		x.at = (x.at + by + len(x.list)) % len(x.list)
	}
	return nil
}

// write sets out the question, the verdict on the reply, and the hint.
func (x *Exercises) write(out *kit.Writer) {
	p, q := out.Pen, x.currentQuestion()
	out.Gap()
	out.Prose(p.Strong, q.Question)
	out.Gap()
	if x.typing {
		out.Add(kit.Field(p.Line(out.W).Put(p.Muted, "Your answer: "), p, x.answer.Input, max(8, out.W-14), true, false))
		out.Gap()
	}
	x.writeVerdict(out)
	if q.hint {
		out.Gap()
		out.Prose(p.Text, "Hint: "+cmp.Or(q.Hint, "none is given."))
		if about := x.Explorer.LinkText(string(q.See)); about != "" {
			out.Prose(p.Muted, "e opens an explanation ("+about+").")
		}
	}
}

// writeVerdict sets out the verdict on the reply. The answer is shown only if the reply is right.
func (x *Exercises) writeVerdict(out *kit.Writer) {
	p, q := out.Pen, x.currentQuestion()
	switch {
	case q.reply == "" && x.typing:
	case q.reply == "":
		out.Prose(p.Muted, "Enter takes your answer: a number such as 1/20 or 1e-5, or the name of a method such as advanced.")
	case !q.checked:
		out.Prose(p.Muted, q.reply+": being checked …")
	case q.err != nil:
		out.Prose(p.Warn, q.err.Error())
	case q.verdict.Right:
		out.Prose(p.Good, fmt.Sprintf("%s %s is right: %s (%s)", p.Glyphs.Tick, q.reply, q.verdict.Answer.Text(), q.verdict.Why))
	default:
		help := "; h shows the hint"
		if q.hint || q.Hint == "" {
			help = ""
		}
		out.Prose(p.Over, p.Glyphs.Cross+" "+q.reply+" is "+q.verdict.Why+help)
	}
}
