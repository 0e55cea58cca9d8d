package plain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/guide"
)

// command is an answer to "What next?" with what it does.
type command struct {
	name, help string
	run        func(*session) error
}

// commands lists them in the order in which they are offered.
func commands() []command {
	return []command{
		{"show", "the scenario: its entries, its budget, what it costs", (*session).show},
		{"compare", "every bound, one per line", (*session).compare},
		{"change", "one field of an entry", (*session).change},
		{"add", "an entry", (*session).add},
		{"drop", "an entry", (*session).drop},
		{"target", "budget, δ, adjacency, rounds, records per person", (*session).target},
		{"plan", "solve for what meets the budget", (*session).plan},
		{"explain", "a theorem, with the numbers of the scenario", (*session).explain},
		{"statement", "the paragraph to quote", (*session).statement},
		{"undo", "take the last change back", (*session).undo},
		{"open", "another scenario", (*session).open},
		{"save", "the scenario to a file", (*session).save},
		{"recover", "unsaved work of an earlier run", (*session).recover},
		{"help", "what each of these does", (*session).help},
		{"quit", "leave", (*session).quit},
	}
}

func commandNames() (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

func (s *session) help() error {
	for _, c := range commands() {
		s.say("%s: %s.", c.name, c.help)
	}
	s.say("cancel: leave a question, and change nothing.")
	return nil
}

// show says what the scenario is and what it costs.
func (s *session) show() error {
	now := s.doc.Scenario()
	s.say("Scenario: %s.", cmp.Or(now.Name, "without a name"))
	s.say("Privacy unit: %s; adjacency: %s.", cmp.Or(now.Unit, "not stated"), now.Adjacency)
	if now.Rounds != 1 || now.Group != 1 {
		s.say("Rounds: %s; records per person: %s.", numeral.Format(now.Rounds), numeral.Format(now.Group))
	}
	if len(now.Stack) == 0 {
		s.say("There are no entries yet: answer add.")
	}
	for i, e := range now.Stack {
		line := fmt.Sprintf("Entry %d: %s", i+1, e.Describe())
		if e.Label != "" {
			line += ", " + e.Label
		}
		if e.Disabled {
			line += ", switched off"
		}
		s.say("%s.", line)
	}
	r, err := s.evaluate()
	if err != nil {
		return err
	}
	s.answer(r)
	if s.doc.Dirty() {
		s.say("There are changes that are not saved.")
	}
	return nil
}

func (s *session) compare() error {
	r, err := s.evaluate()
	if err != nil {
		return err
	}
	for i, b := range r.Bounds {
		s.say("%s", boundLine(b, i == r.Best))
	}
	s.answer(r)
	return nil
}

// entry asks for the number of an entry, where there are several to choose from.
func (s *session) entry() (int, error) {
	n := len(s.doc.Scenario().Stack)
	switch n {
	case 0:
		return 0, errors.New("there are no entries")
	case 1:
		return 1, nil
	}
	for {
		answer, err := s.ask(fmt.Sprintf("Which entry, 1 to %d?", n), strconv.Itoa(n))
		if err != nil {
			return 0, err
		}
		if i, err := strconv.Atoi(answer); err == nil && i >= 1 && i <= n {
			return i, nil
		}
		s.say("Not understood: %q is not the number of an entry.", answer)
	}
}

// field asks for one value until it can be set; an empty answer leaves it as it is.
func (s *session) field(f scenarios.SetField, set func(text string) error) error {
	question := cmp.Or(f.Help, f.Path)
	if f.Path != f.Help {
		question = f.Path + ", " + question
	}
	if f.Type == param.Choice && len(f.Choices) > 0 {
		question += " (" + strings.Join(f.Choices, ", ") + ")"
	}
	for {
		text, err := s.ask(question, cmp.Or(f.Text, "none"))
		if err != nil || text == cmp.Or(f.Text, "none") {
			return err
		}
		if err = set(text); err == nil {
			return nil
		}
		s.complain(err)
	}
}

func (s *session) change() error {
	n, err := s.entry()
	if err != nil {
		return err
	}
	changed := s.doc.Scenario().Clone()
	e := &changed.Stack[n-1]
	fields := e.Fields()
	var names []string
	for _, f := range fields {
		if f.Path != "mechanism" {
			names = append(names, f.Path)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("entry %d has no field that can be changed here; edit its file", n)
	}
	name, err := s.choose("Which field?", names, names[0])
	if err != nil {
		return err
	}
	f := fields[slices.IndexFunc(fields, func(f scenarios.SetField) bool { return f.Path == name })]
	if err := s.field(f, func(text string) error { return e.Set(name, text) }); err != nil {
		return err
	}
	s.sayImplicitParameter(changed, fmt.Sprintf("%d.%s", n, name))
	return s.commit(changed, "change")
}

// sayImplicitParameter says which parameter was filled in beside the one that was set.
func (s *session) sayImplicitParameter(changed *scenarios.Scenario, path string) {
	if beside := changed.FirstImplicit(s.doc.Scenario(), []string{path}); beside != "" {
		s.say("Filled in beside it: %s. Look at it with show, and change it if it is not what you mean.", beside)
	}
}

func (s *session) add() error {
	var kinds []string
	for _, spec := range mechanisms.Catalogue() {
		kinds = append(kinds, spec.Name)
	}
	kind, err := s.choose("Which mechanism?", kinds, "laplace")
	if err != nil {
		return err
	}
	e, err := scenarios.NewEntry(kind)
	if err != nil {
		return err
	}
	asked := map[string]bool{"mechanism": true}
	for { // an answer may bring other fields
		fields := e.Fields()
		i := slices.IndexFunc(fields, func(f scenarios.SetField) bool {
			_, given := e.Values[f.Path]
			return !asked[f.Path] && (given || f.Path == "label" || f.Path == "count")
		})
		if i < 0 {
			break
		}
		f := fields[i]
		asked[f.Path] = true
		if err := s.field(f, func(text string) error { return e.Set(f.Path, text) }); err != nil {
			return err
		}
	}
	changed := s.doc.Scenario().Clone()
	changed.Stack = append(changed.Stack, e)
	return s.commit(changed, "add")
}

func (s *session) drop() error {
	n, err := s.entry()
	if err != nil {
		return err
	}
	changed := s.doc.Scenario().Clone()
	changed.Stack = slices.Delete(changed.Stack, n-1, n)
	return s.commit(changed, "drop")
}

// targetFields are the fields of a scenario that decide what is asked of it.
var targetFields = []string{"budget.epsilon", "budget.delta", "adjacency", "rounds", "group"}

func (s *session) target() error {
	changed := s.doc.Scenario().Clone()
	for _, f := range changed.Fields() {
		if !slices.Contains(targetFields, f.Path) {
			continue
		}
		if err := s.field(f, func(text string) error { return changed.Set(f.Path, text) }); err != nil {
			return err
		}
	}
	return s.commit(changed, "target")
}

func (s *session) plan() error {
	unknown, err := s.choose("Solve for what?", plan.Solvable, "scale")
	if err != nil {
		return err
	}
	req := plan.Request{Solve: unknown}
	ev := plan.Planner{Evaluator: s.ev}
	now := s.doc.Scenario()
	result, err := ev.Plan(s, now, req)
	if err != nil && len(now.Stack) > 1 { // several entries have such a field
		s.complain(err)
		if req.Entry, err = s.entry(); err == nil {
			result, err = ev.Plan(s, now, req)
		}
	}
	if err != nil {
		return err
	}
	if !result.Feasible {
		s.say("No %s meets the budget: %s", unknown, result.Note)
		if changes, err := guide.Changes(s, ev, now, ""); err == nil {
			if words := guide.ChangesText(changes); words != "" {
				s.say("What would help: %s.", words)
			}
		}
		return nil
	}
	if err := sheet.Plan(result).Write(s.Out, "table"); err != nil {
		return err
	}
	for _, open := range now.OpenSensitivities() {
		s.say("%s %s.", open.Field, open.Problem)
	}
	put, err := s.confirm("Put it into the scenario?")
	if err != nil || !put {
		return err
	}
	changed := now.Clone()
	if err := result.Apply(changed); err != nil {
		return err
	}
	return s.commit(changed, "plan")
}

func (s *session) explain() error {
	r, err := s.evaluate()
	if err != nil {
		return err
	}
	var names []string
	for _, t := range accounting.Methods() {
		names = append(names, string(t.Method))
	}
	name, err := s.choose("Which method?", names, string(cmp.Or(r.BestBound().Method, accounting.Basic)))
	if err != nil {
		return err
	}
	return sheet.Explain(s.doc.Scenario(), r, report.Explain(r, accounting.Method(name))).Write(s.Out, "table")
}

func (s *session) statement() error {
	r, err := s.evaluate()
	if err != nil {
		return err
	}
	st, err := report.NewStatement(s, s.doc.Scenario(), r)
	if err != nil {
		return err
	}
	return sheet.Statement(st).Write(s.Out, "table")
}

func (s *session) undo() error {
	what, ok := s.doc.Undo()
	if !ok {
		return errors.New("there is nothing to undo")
	}
	s.say("Taken back: %s.", what)
	return s.show()
}
