package start

import (
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/teach/guide"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/kit"
)

// question is a line of the dialog.
type question struct {
	name    string
	ask     map[string]string // by kind; "" for every kind
	help    string
	choices []string
	number  param.Type // of a number that is typed
	below   float64    // that it must stay below; 0 for no such limit
	first   string     // the answer it starts with
	whole   bool       // asked once, not of every release
	letters string     // of the choices, in their order: each chooses one, and the help names them
}

var kinds = []string{guide.Counts, guide.Totals, guide.Choice, guide.Training, guide.Survey}

// schemes are the answers to how batches are drawn, and what was not answered yet.
var schemes = []string{
	unanswered, string(mechanisms.Poisson), string(mechanisms.Shuffled), string(mechanisms.Fixed),
	string(mechanisms.Allocated),
}

const unanswered = "…"

// comings are the answers to whether people come and go.
var comings = []string{"yes", "no, only change", "no, blank at most"}

// adjacencyOf is the adjacency that an answer of comings stands for.
var adjacencyOf = map[string]mechanisms.Adjacency{
	comings[0]: mechanisms.AddRemove, comings[1]: mechanisms.Replace, comings[2]: mechanisms.ZeroOut,
}

var questions = []question{
	{name: "kind", ask: map[string]string{"": "What will be released?"}, choices: kinds, letters: "ctoms",
		help: "c counts · t totals of amounts · o a choice among options · m a trained model · s survey answers, randomized by those who give them"},
	{name: "times", number: param.Whole, ask: map[string]string{guide.Counts: "How often?", guide.Totals: "How often?", guide.Choice: "How often?", guide.Survey: "How often?"}, first: "1",
		help: "how many times it will be released in all: 52 for every week of a year"},
	{name: "exact", ask: map[string]string{guide.Counts: "How exact, at 95 %?", guide.Totals: "How exact, at 95 %?"},
		help: "± how much one number may err, 19 times in 20; empty for as exact as the budget allows"},
	{name: "change", ask: map[string]string{guide.Counts: "Counts one person is in?", guide.Totals: "Most one person adds?"}, first: "1",
		help: "in one release; clip what a person adds, or drop records, so that it holds"},
	{name: "options", number: param.Whole, ask: map[string]string{guide.Choice: "Among how many options?", guide.Survey: "How many answers?"},
		help: "what can be chosen from must not depend on the data"},
	{name: "epochs", ask: map[string]string{guide.Training: "How many epochs?"}, help: "passes over the data"},
	{name: "batch", number: param.Whole, ask: map[string]string{guide.Training: "How large a batch?"}, help: "examples in a step, on average if they are drawn by chance"},
	{name: "batches", ask: map[string]string{guide.Training: "How are batches drawn?"}, choices: schemes, letters: " psfa",
		help: "p poisson: each record on its own for every step · s shuffled: random order, cut · f fixed: a new sample per step · a allocated: each to one batch per pass"},
	{name: "noise", ask: map[string]string{guide.Training: "Noise, if it is known?"},
		help: "the noise multiplier of a step; empty for the smallest that fits the budget"},
	{name: "people", number: param.Whole, whole: true, ask: map[string]string{"": "How many people?", guide.Training: "How many examples?"}, help: "records in the data; δ is set below 1/n"},
	{name: "epsilon", whole: true, ask: map[string]string{"": "Total ε?"}, first: "1", help: "the budget for all of it together; 1 is a common start"},
	{name: "adjacency", whole: true, ask: map[string]string{"": "May people come and go?"}, choices: comings, letters: "ycb",
		help: "y hides who is in the data (add-remove) · c only change: what a record says (replace) · b blank: whether a record is a blank (zero-out)"},
	{name: "delta", below: 1, whole: true, ask: map[string]string{"": "δ, if it is set?"}, help: "empty for a hundredth of 1/n or less, by the number of people"},
	{name: "unit", whole: true, ask: map[string]string{"": "Whose data is a record?"}, choices: []string{"person", "person-year", "person-month", "person-day", "event"},
		help: "person: all records of a person count as one; person-day: only those of one day are hidden together"},
	{name: "name", whole: true, ask: map[string]string{"": "What is it called?"}, help: "the name of the scenario"},
}

// answers are the answers to one group of questions, by name.
type answers map[string]*kit.Blank

// answerNoise is the answer that no question asks for: a key changes the mechanism where several serve.
const answerNoise = "mechanism"

func newAnswers(whole bool) answers {
	a := answers{}
	for _, q := range questions {
		if q.whole == whole {
			a[q.name] = &kit.Blank{Choices: q.choices, Input: kit.NewInput(q.first)}
		}
	}
	if !whole {
		a[answerNoise] = &kit.Blank{Input: kit.NewInput("")}
	}
	return a
}

// pick chooses by a letter of the question, and reports whether it is one.
func (q question) pick(b *kit.Blank, key string) bool {
	i := slices.Index(strings.Split(q.letters, ""), key)
	if i < 0 || key == " " {
		return false
	}
	b.Pick(q.choices[i])
	return true
}

func (a answers) kind() string { return a["kind"].Value() }

// ask returns a question's words for a kind of release; "" if it is not asked.
func ask(q question, kind string) string {
	if words := q.ask[kind]; words != "" {
		return words
	}
	return q.ask[""]
}

// wrong is an answer that cannot be taken, and why.
type wrong struct {
	at  row
	why string
}

// read takes the numbers that answer questions about a kind of release, or says which is wrong.
func (a answers) read(release int, kind string, fields map[string]*float64) *wrong {
	for i, q := range questions {
		field := fields[q.name]
		if field == nil || ask(q, kind) == "" || a[q.name].Value() == "" {
			continue
		}
		allowed := param.Param{Type: q.number, OpenMin: true, Max: 1e12}
		if q.below > 0 {
			allowed.Max, allowed.OpenMax = q.below, true
		}
		if _, err := dialogs.Meaning(allowed, a[q.name].Value()); err != nil {
			return &wrong{row{release, i}, err.Error()}
		}
		*field, _ = numeral.Parse(a[q.name].Value())
	}
	return nil
}

// wish returns what was answered, or the first answer that is wrong.
func (d *Dialog) wish() (guide.Wish, *wrong) {
	w := guide.Wish{
		Name: d.whole["name"].Value(), Unit: d.whole["unit"].Value(),
		Adjacency: adjacencyOf[d.whole["adjacency"].Value()],
		Releases:  make([]guide.Release, len(d.releases)),
	}
	problem := d.whole.read(d.on, "", map[string]*float64{"people": &w.People, "epsilon": &w.Epsilon, "delta": &w.Delta})
	for k, a := range d.releases {
		r := &w.Releases[k]
		if drawn := a["batches"].Value(); drawn != unanswered {
			r.Batches = mechanisms.SamplingScheme(drawn)
		}
		if r.Kind = a.kind(); slices.Contains(guide.Mechanisms(r.Kind), a[answerNoise].Value()) {
			r.Mechanism = a[answerNoise].Value()
		}
		if problem == nil {
			problem = a.read(k, r.Kind, map[string]*float64{"times": &r.Times, "exact": &r.Exact, "change": &r.Change,
				"options": &r.Options, "epochs": &r.Epochs, "batch": &r.Batch, "noise": &r.Noise})
		}
	}
	return w, problem
}
