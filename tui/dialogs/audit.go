package dialogs

import (
	"fmt"
	"slices"

	"epsiloscope/accounting/audit"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/tui/kit"
)

// AuditCounts are the counts of an attack as a form has them: one run, or independent runs if Members is given.
type AuditCounts struct {
	OneRun     audit.OneRun
	Runs       audit.TwoSample
	Confidence float64
}

// Attack returns the attack that was counted; nil if none was.
func (c AuditCounts) Attack() audit.Result {
	switch {
	case c.Runs != (audit.TwoSample{}):
		return c.Runs
	case c.OneRun != (audit.OneRun{}):
		return c.OneRun
	}
	return nil
}

// The kinds of attack in the form.
const (
	attackOneRun = "one run"
	attackRuns   = "independent runs"
)

// Audit asks for the counts of an attack, those that its kind has, and hands them on if they can be. The attack is
// about the scenario on the screen: its unit, adjacency and δ.
func Audit(sh *kit.Shell, c AuditCounts, done func(AuditCounts)) {
	count := func(name, help string, n int) *formField {
		return number(param.Param{Type: param.Whole, Max: 1e9}, name, "", help, float64(n))
	}
	kind := attackOneRun
	if c.Runs != (audit.TwoSample{}) {
		kind = attackRuns
	}
	s := sh.Doc.Scenario()
	attack := choice("attack", "one run with canaries, each put in by its own fair coin; or runs with and without a record, independent of each other",
		kind, attackOneRun, attackRuns)
	confidence := number(param.Param{Type: param.Number, Min: 0.5, Max: 1, OpenMax: true}, "confidence", "",
		"of the lower bound; at least 0.5, below 1", c.Confidence)
	counts := map[string][]*formField{
		attackOneRun: {
			count("canaries", "how many canaries there were, guessed or not", c.OneRun.Canaries),
			count("guesses", "how many guesses were made; fixed before the run, else the audit is not valid", c.OneRun.Guesses),
			count("correct", "how many of the guesses were right", c.OneRun.Correct),
		},
		attackRuns: {
			count("members", "how many runs had the record", c.Runs.Members),
			count("true_positives", "of those with the record, how many the test called in", c.Runs.TruePositives),
			count("non-members", "how many runs did not have the record", c.Runs.NonMembers),
			count("false_positives", "of those without the record, how many the test called in", c.Runs.FalsePositives),
		},
	}
	f := &form{Shell: sh, title: "Counts of an attack", what: "audit"}
	show := func() {
		f.fields = slices.Concat([]*formField{attack}, counts[attack.Value()], []*formField{confidence})
	}
	show()
	f.changed = func(edited *formField) {
		if edited == attack {
			show()
		}
	}
	f.note = func(out *kit.Writer) {
		out.Prose(out.Pen.Muted, fmt.Sprintf("A canary must be %s, in or out by %s.", report.OneUnit(s.Unit), s.Adjacency))
	}
	f.done = func() error {
		whole := func(name string) int { return int(f.number(name, 0)) }
		c := AuditCounts{Confidence: f.number("confidence", 0.95)}
		if attack.Value() == attackRuns {
			c.Runs = audit.TwoSample{
				Members: whole("members"), TruePositives: whole("true_positives"),
				NonMembers: whole("non-members"), FalsePositives: whole("false_positives"),
			}
		} else {
			c.OneRun = audit.OneRun{Canaries: whole("canaries"), Guesses: whole("guesses"), Correct: whole("correct")}
		}
		counted := c.Attack()
		if counted == nil {
			return fmt.Errorf("the counts of the %s are missing", attack.Value())
		}
		if err := counted.Validate(); err != nil {
			return err
		}
		done(c)
		return nil
	}
	f.open("attack")
}
