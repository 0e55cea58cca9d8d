package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
)

// open loads what the user named, a path, "-" or a bundled scenario, and makes the
// changes that the flags ask for.
func (a *app) open(fileOrName string, target *targetFlags) (*scenarios.Scenario, error) {
	s, err := a.load(fileOrName)
	if err != nil {
		return nil, wrong(err)
	}
	return s, target.apply(s)
}

// question is a scenario as a command was called with it.
type question struct {
	*call
	*scenarios.Scenario
	target *targetFlags
}

func (q *question) evaluate() (*scenarios.Result, error) {
	return scenarios.Evaluate(q, q.Scenario, q.target.options())
}

// results completes a command about what a scenario costs.
func (a *app) results(cmd *cobra.Command, formats []string,
	answer func(q *question, r *scenarios.Result) (output, error)) *cobra.Command {
	return a.scenarioCommand(cmd, formats, func(q *question) (output, error) {
		r, err := q.evaluate()
		if err != nil {
			return nil, err
		}
		return answer(q, r)
	})
}

// scenarioCommand completes a command about a scenario, its first argument: the flags that change
// the scenario, and what is printed.
func (a *app) scenarioCommand(cmd *cobra.Command, formats []string,
	answer func(q *question) (output, error)) *cobra.Command {
	var target targetFlags
	target.add(cmd)
	if cmd.Args == nil {
		cmd.Args = arguments(1, 1, "one FILE or NAME")
	}
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = completeScenarios
	}
	return a.outputCommand(cmd, formats, func(c *call) (output, error) {
		s, err := a.open(c.args[0], &target)
		if err != nil {
			return nil, err
		}
		defer a.showProgress(cmd.Name())()
		return answer(&question{c, s, &target})
	})
}

// targetFlags are the overrides of a scenario's own target, for one call.
type targetFlags struct {
	epsilon, delta, alpha, rounds, group, precision numberFlag
	advantage, tpr, fpr, reconstruction, prior      numberFlag
	set                                             []string
}

// add declares the flags on a command that evaluates a scenario. What they allow is
// what the scenario's own fields allow.
func (t *targetFlags) add(cmd *cobra.Command) {
	for path, flag := range map[string]*numberFlag{
		"budget.epsilon": &t.epsilon, "budget.delta": &t.delta, "alpha": &t.alpha, "rounds": &t.rounds, "group": &t.group,
		"budget.advantage": &t.advantage, "budget.tpr": &t.tpr, "budget.fpr": &t.fpr, "budget.reconstruction": &t.reconstruction, "budget.prior": &t.prior,
	} {
		flag.check = func(x float64) string {
			p := scenarios.ScenarioField(path)
			return unless(p.CheckNumber(x) == "", p.Requirement())
		}
	}
	t.precision.check = func(x float64) string {
		return unless(x >= 1e-9 && x <= 1, "must be from 1e-9 to 1")
	}
	f := cmd.Flags()
	if harmBudgets[cmd.Name()] {
		f.Var(&t.advantage, "advantage", "budget instead of ε: the largest membership advantage `A`")
		f.Var(&t.tpr, "tpr", "budget instead of ε: the largest true-positive rate `T` at --fpr")
		f.Var(&t.fpr, "fpr", "false-positive rate `F` of --tpr")
		f.Var(&t.reconstruction, "reconstruction", "budget instead of ε: the largest success `R` of guessing a secret, at --prior")
		f.Var(&t.prior, "prior", "success `P` of the best guess without the output")
	}
	f.Var(&t.epsilon, "epsilon", "budget: the total `ε` the stack should stay within")
	f.Var(&t.delta, "delta", "total `δ`")
	f.Var(&t.alpha, "alpha", "pin the Rényi order at `α`")
	f.Var(&t.rounds, "rounds", "run the whole stack `K` times")
	f.Var(&t.group, "group", "records `G` one person may contribute")
	f.Var(&t.precision, "precision", "relative `WIDTH` asked of the numerical interval (default 1e-4)")
	f.StringArrayVar(&t.set, "set", nil, "override a field of the N-th entry: `N.FIELD=VALUE` (repeatable)")
}

// harmBudgets names the commands that take a budget in terms of harm.
var harmBudgets = map[string]bool{"compare": true, "plan": true}

// apply makes the changes on the scenario, the --set ones first, so that every
// command after it sees one scenario and no overrides beside it.
func (t *targetFlags) apply(s *scenarios.Scenario) error {
	before, paths := s.Clone(), make([]string, len(t.set))
	for i, change := range t.set {
		path, value, found := strings.Cut(change, "=")
		if !found {
			return wrongf("--set %s: must have the form N.FIELD=VALUE, as in 1.count=50", change)
		}
		paths[i] = strings.TrimSpace(path)
		if err := s.Set(paths[i], strings.TrimSpace(value)); err != nil {
			return wrongf("--set %w", err)
		}
	}
	if open := s.FirstImplicit(before, paths); open != "" {
		return wrongf("--set %s: is not given, and is needed beside %s", open, strings.Join(paths, ", "))
	}
	if t.epsilon.given { // one budget takes the place of another
		s.Budget.Harm = scenarios.HarmLimit{}
	}
	if t.advantage.given || t.tpr.given || t.reconstruction.given {
		s.Budget.Epsilon, s.Budget.Harm = 0, scenarios.HarmLimit{}
	}
	for field, flag := range map[*float64]numberFlag{
		&s.Budget.Harm.Advantage: t.advantage, &s.Budget.Harm.TPR: t.tpr, &s.Budget.Harm.FPR: t.fpr,
		&s.Budget.Harm.Reconstruction: t.reconstruction, &s.Budget.Harm.Prior: t.prior,
		&s.Budget.Epsilon: t.epsilon, &s.Budget.Delta: t.delta, &s.Alpha: t.alpha,
		&s.Rounds: t.rounds, &s.Group: t.group,
	} {
		if flag.given {
			*field = flag.value
		}
	}
	return nil
}

// refuseWithoutScenario returns an error if any of the flags is given to a call that is not about a scenario.
func (t *targetFlags) refuseWithoutScenario(cmd *cobra.Command) error {
	for _, name := range targetNames {
		if cmd.Flags().Changed(name) {
			return wrongf("--%s is about a scenario, and none is given", name)
		}
	}
	return nil
}

// refuseIdle returns an error if a flag that was given changes the scenario and nothing that the command prints: isSame
// reports whether another scenario prints the same as now.
func (t *targetFlags) refuseIdle(cmd *cobra.Command, before, now *scenarios.Scenario,
	isSame func(*scenarios.Scenario) bool) error {
	if cmd.Flags().Changed("precision") {
		return wrongf("--precision changes nothing that %s prints; leave it out", cmd.Name())
	}
	for _, name := range []string{"epsilon", "delta", "alpha", "rounds", "group"} {
		flag, _ := cmd.Flags().Lookup(name).Value.(*numberFlag)
		if !flag.given {
			continue
		}
		other := before.Clone()
		flag.given = false
		err := t.apply(other)
		flag.given = true
		if err == nil && !other.Equal(now) && isSame(other) {
			return wrongf("--%s changes nothing that %s prints; leave it out", name, cmd.Name())
		}
	}
	return nil
}

// targetNames are the flags of targetFlags.
var targetNames = []string{
	"advantage", "tpr", "fpr", "reconstruction", "prior", "epsilon", "delta", "alpha", "rounds", "group", "precision", "set",
}

// options returns what an evaluation takes beside the scenario.
func (t *targetFlags) options() scenarios.Options {
	return scenarios.Options{Precision: t.precision.value}
}

func unless(ok bool, problem string) string {
	if ok {
		return ""
	}
	return problem
}
