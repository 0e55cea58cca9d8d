package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/audit"
	"epsiloscope/accounting/numeral"
	"epsiloscope/certificate"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// auditDelta is the δ at which ε is bounded if nothing else is said.
const auditDelta = 1e-6

// auditFlags are the counts of an attack and what it is held against.
type auditFlags struct {
	one                               audit.OneRun
	two                               audit.TwoSample
	scores                            scoreFlags
	delta, confidence, epsilon, power numberFlag
	unit, adjacency                   string
	check, plan                       bool
}

func (a *app) auditCommand() *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use:   "audit [FILE|NAME]",
		Short: "what an attack shows about ε, and whether it refutes a claim",
		Long: `Turn the result of a membership attack into a lower bound on ε with a
confidence, and hold it against a claim: a scenario's certified curve, or
--epsilon.

One run: M canaries, each put in by its own fair coin; exactly R guesses, fixed
before the run; V of them right. Independent runs: N runs with the record and M
without it, and how often the test said "in".

--scores FILE reads a CSV file with the columns score and member instead of
counts; --trials says what a line is. Canaries with the highest scores are
guessed in, those with the lowest out: --guesses of them in total. Without
--guesses several totals are tried, and the bound is corrected for that. For
runs, each --threshold is tried, and corrected for; with --calibrate, some runs
without the record set the threshold and the others count; with neither, half
of the runs choose a threshold. The area under the ROC curve and true-positive
rates are printed with exact intervals.

--plan needs no attack: it says how large an audit must be to refute the
scenario's claim with --power if the code adds no noise, half the noise, or
shuffles where Poisson sampling was priced, and by which test. Keep the plan
with -o json: --scores with --planned PLAN --fault FAULT makes that test. A plan
that was made for another guarantee, or was changed, is refused.

A claim is refuted or not refuted, never confirmed: a weak attack shows little.
The audit must use the scenario's own unit, adjacency and δ; --unit and
--adjacency state the attack's, and must agree with the scenario's.`,
		Args: arguments(0, 1, "at most one FILE or NAME"),
		Example: `  epsiloscope audit --canaries 1000 --guesses 200 --correct 150 --delta 1e-4
  epsiloscope audit dp-sgd --canaries 1000 --guesses 200 --correct 190
  epsiloscope audit --members 1000 --true-positives 600 \
    --non-members 1000 --false-positives 5 --epsilon 3 --check
  epsiloscope audit dp-sgd --scores canaries.csv --trials canaries --guesses 200
  epsiloscope audit dp-sgd --plan
  epsiloscope audit dp-sgd --plan -o json > plan.json
  epsiloscope audit dp-sgd --scores canaries.csv --trials canaries \
    --planned plan.json --fault "half the noise"`,
		ValidArgsFunction: completeScenarios,
	}
	flags := cmd.Flags()
	flags.IntVar(&f.one.Canaries, "canaries", 0, "one run: `M` canaries, each in by its own fair coin")
	flags.IntVar(&f.one.Guesses, "guesses", 0, "one run: `R` guesses, fixed before the run")
	flags.IntVar(&f.one.Correct, "correct", 0, "one run: `V` of the guesses were right")
	flags.IntVar(&f.two.Members, "members", 0, "independent runs: `N` with the record")
	flags.IntVar(&f.two.TruePositives, "true-positives", 0, "independent runs: `TP` of those with the record were called in")
	flags.IntVar(&f.two.NonMembers, "non-members", 0, "independent runs: `M` without the record")
	flags.IntVar(&f.two.FalsePositives, "false-positives", 0, "independent runs: `FP` of those without the record were called in")
	f.delta.check = func(x float64) string { return unless(x >= 0 && x < 1, "must be at least 0 and below 1") }
	f.confidence = numberFlag{value: 0.95, check: func(x float64) string { return unless(x >= 0.5 && x < 1, "must be at least 0.5 and below 1") }}
	f.epsilon.check = func(x float64) string { return unless(x >= 0 && !math.IsInf(x, 1), "must be a number of at least 0") }
	flags.Var(&f.delta, "delta", "the `δ` at which ε is bounded (default: the scenario's, else 1e-6)")
	flags.Var(&f.confidence, "confidence", "confidence `C` of the lower bound (default 0.95)")
	flags.Var(&f.epsilon, "epsilon", "the claimed `ε`, if no scenario is given")
	f.power = numberFlag{value: 0.8, check: func(x float64) string { return unless(x > 0 && x < 1, "must lie strictly between 0 and 1") }}
	flags.Var(&f.power, "power", "with --plan: the probability `P` of refuting a faulty mechanism (default 0.8)")
	flags.BoolVar(&f.plan, "plan", false, "say how large an audit of the scenario must be")
	flags.StringVar(&f.unit, "unit", "", "whose data a canary is, if a scenario is given: must be the scenario's `TEXT`")
	flags.StringVar(&f.adjacency, "adjacency", "", "how canaries differ, if a scenario is given: must be the scenario's `A`")
	f.scores.add(cmd)
	flags.BoolVar(&f.check, "check", false, "exit with status 1 if the claim is refuted")
	return a.outputCommand(cmd, []string{asTable, asJSON}, func(c *call) (output, error) {
		defer a.showProgress("audit")()
		if f.plan {
			return a.planAudit(c, cmd, &f)
		}
		if f.power.given {
			return nil, errors.New("--power belongs to --plan")
		}
		attack, err := f.attack(cmd)
		if err != nil {
			return nil, err
		}
		finding, err := a.audit(c, attack, &f)
		if err != nil {
			return nil, err
		}
		if f.check && finding.Verdict == report.AuditRefuted {
			err = &failure{statusExceeded, errors.New(finding.Sentence())}
		}
		return finding, err
	})
}

// countFlags are the flags that take the counts of an attack.
var countFlags = []string{"canaries", "guesses", "correct", "members", "true-positives", "non-members", "false-positives"}

// attack returns the attack that the flags describe: one kind, with all of its counts.
func (f *auditFlags) attack(cmd *cobra.Command) (audit.Result, error) {
	count := func(names ...string) (given int) {
		for _, n := range names {
			if cmd.Flags().Changed(n) {
				given++
			}
		}
		return given
	}
	if f.scores.areSet(cmd) {
		if count(countFlags...) > count("guesses") {
			return nil, errors.New("--scores has the counts: of their flags only --guesses may stand beside it")
		}
		return f.scores.attack(cmd, f.one.Guesses, f.delta.value, f.confidence)
	}
	one := count("canaries", "guesses", "correct")
	two := count("members", "true-positives", "non-members", "false-positives")
	var attack audit.Result
	switch {
	case one > 0 && two > 0:
		return nil, errors.New("audit takes one run or independent runs, not both")
	case one == 3:
		attack = f.one
	case two == 4:
		attack = f.two
	case one > 0:
		return nil, errors.New("an audit of one run needs --canaries, --guesses and --correct")
	case two > 0:
		return nil, errors.New("an audit of independent runs needs --members, --true-positives, --non-members and --false-positives")
	default:
		return nil, errors.New("audit needs the counts of an attack: --canaries, --guesses and --correct, or --members, --true-positives, --non-members and --false-positives")
	}
	return attack, attack.Validate()
}

// finding is the result of an audit as the command prints it.
type finding struct {
	*report.Audit
	remarks []string // on how the scores were used
}

// audit evaluates an attack, against a scenario or a claimed ε if one is given.
func (a *app) audit(c *call, attack audit.Result, f *auditFlags) (*finding, error) {
	delta := auditDelta
	var s *scenarios.Scenario
	switch {
	case len(c.args) == 0 && f.scores.plan != nil:
		return nil, errors.New("--planned needs the scenario that the audit was planned for")
	case len(c.args) == 1 && f.epsilon.given:
		return nil, errors.New("--epsilon is the claim where no scenario is given; the scenario's own bound is the claim here")
	case len(c.args) == 1:
		var err error
		if s, err = a.load(c.args[0]); err != nil {
			return nil, wrong(err)
		}
		if err := f.suits(s); err != nil {
			return nil, err
		}
		if f.scores.plan != nil {
			if err := f.scores.plan.suits(s); err != nil {
				return nil, err
			}
		}
		if s.Budget.Delta > 0 {
			delta = s.Budget.Delta
		}
		if f.delta.given && f.delta.value != delta {
			return nil, fmt.Errorf("--delta: the scenario's guarantee is for δ = %s; an audit at another δ does not speak of it", numeral.Format(delta))
		}
		s.Budget.Delta = delta
	case f.unit != "" || f.adjacency != "":
		return nil, errors.New("--unit and --adjacency are held against a scenario, and none is given")
	case f.delta.given:
		delta = f.delta.value
	}
	found, err := report.NewAudit(attack, delta, f.confidence.value)
	if err != nil {
		return nil, err
	}
	switch {
	case s != nil:
		r, err := scenarios.Evaluate(c, s, scenarios.Options{})
		if err != nil {
			return nil, err
		}
		if err := found.TestScenario(c, s, r); err != nil {
			return nil, err
		}
	case f.epsilon.given:
		if err := found.TestClaim(f.epsilon.value, delta); err != nil {
			return nil, err
		}
	}
	if f.check && found.Claim == nil {
		return nil, errors.New("--check needs a claim: a scenario with a finite bound, or --epsilon")
	}
	found.Scores, found.Warnings = f.scores.summary, f.scores.warnings
	return &finding{found, f.scores.remarks}, nil
}

// Write prints the finding as text or JSON.
func (f *finding) Write(w io.Writer, format string) error {
	if format == asJSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(f.Audit)
	}
	return textLines(append(append(f.Lines(), f.ScoreLines()...), f.remarks...)).Write(w, format)
}

// auditSizes is the size an audit of a scenario must have.
type auditSizes struct {
	Scenario   string          `json:"scenario"`
	Guarantee  string          `json:"guarantee_sha256"` // of what the claim depends on: see [guaranteeHash]
	Power      float64         `json:"power"`
	Confidence float64         `json:"confidence"`
	Rows       []auditSizesRow `json:"faults"`
	Hash       string          `json:"plan_sha256"` // of all the other fields

	plans []plan.AuditPlan
}

type auditSizesRow struct {
	Fault       string  `json:"fault"`
	Canaries    int     `json:"canaries"`
	Guesses     int     `json:"guesses"`
	Correct     int     `json:"correct"`
	OneRunPower float64 `json:"one_run_power"`
	Runs        int     `json:"runs"`
	Calibration int     `json:"calibration"` // further runs without the record, of which the rank-th largest score is the threshold
	Rank        int     `json:"rank"`
	RunsPower   float64 `json:"runs_power"`
	Note        string  `json:"note"`
}

// planAudit says how large an audit of the scenario must be.
func (a *app) planAudit(c *call, cmd *cobra.Command, f *auditFlags) (output, error) {
	for _, name := range append([]string{"scores", "trials", "threshold", "calibrate", "rank", "planned", "fault", "epsilon", "delta", "check"}, countFlags...) {
		if cmd.Flags().Changed(name) {
			return nil, fmt.Errorf("--plan comes before the attack: it takes no --%s", name)
		}
	}
	if len(c.args) == 0 {
		return nil, errors.New("--plan needs the scenario that is to be audited")
	}
	s, err := a.load(c.args[0])
	if err != nil {
		return nil, wrong(err)
	}
	if err := f.suits(s); err != nil {
		return nil, err
	}
	plans, err := plan.PlanAudits(c, s, f.power.value, f.confidence.value)
	if err != nil {
		return nil, err
	}
	out := &auditSizes{Scenario: s.Name, Power: f.power.value, Confidence: f.confidence.value, plans: plans}
	if out.Guarantee, err = guaranteeHash(s); err != nil {
		return nil, err
	}
	for _, p := range plans {
		out.Rows = append(out.Rows, auditSizesRow{p.Fault, p.OneRun.Canaries, p.OneRun.Guesses,
			p.OneRun.Correct, p.OneRun.Power,
			p.Runs.Runs, p.Runs.Calibration, p.Runs.Rank, p.Runs.Power, p.Problem})
	}
	out.Hash, err = out.ownHash()
	return out, err
}

// guaranteeHash returns the SHA-256 of what a scenario claims: its releases, unit, adjacency, group and rounds, and δ.
func guaranteeHash(s *scenarios.Scenario) (string, error) {
	data, err := s.GuaranteeJSON()
	return certificate.Hash(fmt.Appendf(data, "\nδ %v", cmp.Or(s.Budget.Delta, auditDelta))), err
}

// ownHash returns the SHA-256 of every field of the plan but the hash itself.
func (p *auditSizes) ownHash() (string, error) {
	bare := *p
	bare.Hash = ""
	data, err := json.Marshal(bare)
	return certificate.Hash(data), err
}

// suits refuses a plan that was made for another claim than the scenario's.
func (p *auditSizes) suits(s *scenarios.Scenario) error {
	hash, err := guaranteeHash(s)
	switch {
	case err != nil:
		return err
	case hash != p.Guarantee:
		return wrongf("--planned: the plan was made for another guarantee than this scenario has: releases, unit, adjacency, group, rounds or δ differ; plan the audit of this one")
	}
	return nil
}

// Write prints the sizes as text or JSON.
func (p *auditSizes) Write(w io.Writer, format string) error {
	if format == asJSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(p)
	}
	return textLines(report.AuditSizes(p.plans, p.Power, p.Confidence)).Write(w, format)
}
