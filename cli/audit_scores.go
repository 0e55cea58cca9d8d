package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/audit"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
)

// scoreFlags say where the scores of an attack are and how they are read.
type scoreFlags struct {
	path       string
	trials     *choiceFlag
	thresholds *listFlag[float64]
	set, rank  int    // runs without the record that set the threshold, and which of their scores it is
	planned    string // the plan by which the scores are tested
	fault      string // and its row
	plan       *auditSizes

	remarks, warnings []string // on how the scores were used, and on what may be wrong with them
	summary           *audit.Summary
}

// The two things that a line of scores may be.
const (
	trialsCanaries = "canaries"
	trialsRuns     = "runs"
)

func (f *scoreFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "scores", "", "a CSV `FILE` with the columns score and member")
	f.trials = addChoice(cmd, &choiceFlag{choices: []string{trialsCanaries, trialsRuns}}, "trials", "", "what a line of --scores is")
	f.thresholds = &listFlag[float64]{read: numeral.Parse}
	cmd.Flags().Var(f.thresholds, "threshold", "runs with a score above `X` are called in (repeatable; fixed before the scores were seen)")
	cmd.Flags().IntVar(&f.set, "calibrate", 0, "`C` runs without the record set the threshold, the others count")
	cmd.Flags().IntVar(&f.rank, "rank", 1, "with --calibrate: the threshold is their `J`-th largest score")
	cmd.Flags().StringVar(&f.planned, "planned", "", "test the scores as the `PLAN` says, the JSON output of --plan")
	cmd.Flags().StringVar(&f.fault, "fault", "", "with --planned: the fault `TEXT` whose row is taken")
}

func (f *scoreFlags) areSet(cmd *cobra.Command) bool {
	return slices.ContainsFunc([]string{"scores", "trials", "threshold", "calibrate", "rank", "planned", "fault"}, cmd.Flags().Changed)
}

// attack reads the scores. guesses is 0 if --guesses was not given.
func (f *scoreFlags) attack(cmd *cobra.Command, guesses int, delta float64,
	confidence numberFlag) (audit.Result, error) {
	given := cmd.Flags().Changed
	switch {
	case f.path == "":
		return nil, errors.New("--trials, --threshold, --calibrate, --rank, --planned and --fault belong to --scores FILE")
	case given("fault") != given("planned"):
		return nil, errors.New("--planned and --fault go together: the plan, and the fault whose test is made")
	case given("rank") && !given("calibrate"):
		return nil, errors.New("--rank belongs to --calibrate")
	case given("calibrate") && len(f.thresholds.values) > 0:
		return nil, errors.New("--calibrate sets the threshold: --threshold cannot stand beside it")
	case given("planned") && (given("guesses") || given("calibrate") || len(f.thresholds.values) > 0):
		return nil, errors.New("--planned says how the scores are tested: it takes no --guesses, --calibrate or --threshold")
	case f.trials.value == "":
		return nil, errors.New("--scores needs --trials: canaries if each line is a canary of one run, runs if each line is a run by itself")
	case f.trials.value == trialsRuns && cmd.Flags().Changed("guesses"):
		return nil, errors.New("--guesses is about canaries; runs have thresholds")
	case f.trials.value == trialsCanaries && (len(f.thresholds.values) > 0 || given("calibrate")):
		return nil, errors.New("--threshold and --calibrate are about runs; canaries are guessed by rank, --guesses of them")
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil, wrongf("%s: %s", f.path, disk.Reason(err))
	}
	defer file.Close()
	scores, err := audit.ReadScores(file)
	if err != nil {
		return nil, wrong(fmt.Errorf("%s: %w", f.path, err))
	}
	f.summary, err = audit.Summarise(scores, confidence.value)
	if err != nil {
		return nil, err
	}
	f.warnings = audit.ScoreWarnings(scores, f.summary)
	if f.planned != "" {
		return f.testByPlan(scores, confidence)
	}
	if f.trials.value == trialsCanaries {
		return f.canaries(scores, guesses)
	}
	return f.runs(scores, delta, confidence.value)
}

// testByPlan makes the test that a plan names, on scores of the planned size.
func (f *scoreFlags) testByPlan(scores []audit.Score, confidence numberFlag) (audit.Result, error) {
	data, err := disk.Read(f.planned)
	if err != nil {
		return nil, wrongf("%s: %s", f.planned, disk.Reason(err))
	}
	var p auditSizes
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err := in.Decode(&p); err != nil || in.More() || len(p.Rows) == 0 {
		return nil, wrongf("%s: this is not a plan: write it with audit FILE --plan -o json", f.planned)
	}
	if hash, err := p.ownHash(); err != nil || hash != p.Hash {
		return nil, wrongf("%s: the plan was changed after it was made: its fields do not have the hash that it states; plan the audit again", f.planned)
	}
	f.plan = &p
	i := slices.IndexFunc(p.Rows, func(r auditSizesRow) bool { return r.Fault == f.fault })
	if i < 0 {
		var names []string
		for _, r := range p.Rows {
			names = append(names, strconv.Quote(r.Fault))
		}
		return nil, wrongf("--fault: the plan has no %q; it has %s", f.fault, strings.Join(names, ", "))
	}
	if confidence.value != p.Confidence {
		return nil, wrongf("--confidence: the plan is for %s, the audit for %s: its test has another power then", numeral.Format(p.Confidence), numeral.Format(confidence.value))
	}
	row, kinds := p.Rows[i], audit.TwoSampleScores(scores, 0)
	said := func(power float64) string { return fmt.Sprintf("%.0f %%", 100*power) }
	switch {
	case f.trials.value == trialsCanaries && row.Canaries == 0, f.trials.value == trialsRuns && row.Runs == 0:
		return nil, wrongf("the plan has no audit of this kind against %q: %s", f.fault, row.Note)
	case f.trials.value == trialsCanaries && len(scores) != row.Canaries:
		return nil, wrongf("the plan has %d canaries, the file %d: plan the audit that is made", row.Canaries, len(scores))
	case f.trials.value == trialsCanaries:
		f.remarks = append(f.remarks, fmt.Sprintf("tested as planned against %q: %d guesses, power %s", f.fault, row.Guesses, said(row.OneRunPower)))
		return f.canaries(scores, row.Guesses)
	case kinds.Members != row.Runs || kinds.NonMembers != row.Runs+row.Calibration:
		return nil, wrongf("the plan has %d runs with the record and %d without it, the file %d and %d: plan the audit that is made",
			row.Runs, row.Runs+row.Calibration, kinds.Members, kinds.NonMembers)
	}
	f.remarks = append(f.remarks, fmt.Sprintf("tested as planned against %q, power %s", f.fault, said(row.RunsPower)))
	f.set, f.rank = row.Calibration, row.Rank
	return f.calibrateRuns(scores)
}

// calibrateRuns audits independent runs at a threshold that some of those without the record set.
func (f *scoreFlags) calibrateRuns(scores []audit.Score) (audit.Result, error) {
	threshold, rest, err := audit.CalibrateThreshold(scores, f.set, f.rank)
	if err != nil {
		return nil, wrong(err)
	}
	f.remarks = append(f.remarks, fmt.Sprintf("%d runs without the record set the threshold %s; the other %d are counted", f.set, numeral.Format(threshold), len(rest)))
	s := audit.TwoSampleScores(rest, threshold)
	return s, s.Validate()
}

// canaries audits one run: with the guesses fixed in advance, or with several numbers of them, corrected for.
func (f *scoreFlags) canaries(scores []audit.Score, guesses int) (audit.Result, error) {
	note, err := audit.CheckCoins(scores)
	if err != nil {
		return nil, wrong(err)
	}
	if note != "" {
		f.remarks = append(f.remarks, note)
	}
	if guesses != 0 {
		return audit.OneRunScores(scores, guesses)
	}
	var all audit.Corrected
	var tried []string
	for r := len(scores); r >= 1 && len(all) < 6; r /= 2 {
		o, err := audit.OneRunScores(scores, r)
		if err != nil {
			return nil, err
		}
		all, tried = append(all, o), append(tried, fmt.Sprint(r))
	}
	f.remarks = append(f.remarks, fmt.Sprintf("guesses were not fixed in advance: %s were tried, and the level is divided by %d", strings.Join(tried, ", "), len(all)))
	return all, nil
}

// runs audits independent runs: at the thresholds given, corrected for, or at one that half of the runs choose.
func (f *scoreFlags) runs(scores []audit.Score, delta, confidence float64) (audit.Result, error) {
	if f.set != 0 {
		return f.calibrateRuns(scores)
	}
	if n := len(f.thresholds.values); n > 0 {
		var all audit.Corrected
		for _, t := range f.thresholds.values {
			all = append(all, audit.TwoSampleScores(scores, t))
		}
		if n == 1 {
			return all[0], all[0].Validate()
		}
		f.remarks = append(f.remarks, fmt.Sprintf("valid if the thresholds were fixed before the scores were seen; %d were tried, and the level is divided by %d", n, n))
		return all, all.Validate()
	}
	threshold, rest, err := audit.ChooseThreshold(scores, func(s audit.TwoSample) (float64, error) {
		return s.EpsilonLower(delta, confidence)
	})
	if err != nil {
		return nil, err
	}
	f.remarks = append(f.remarks, fmt.Sprintf("half of the runs chose the threshold %s; the other %d are counted", numeral.Format(threshold), len(rest)))
	s := audit.TwoSampleScores(rest, threshold)
	return s, s.Validate()
}

// suits refuses an audit that is about another unit or adjacency than the scenario's.
func (f *auditFlags) suits(s *scenarios.Scenario) error {
	if f.unit != "" && f.unit != s.Unit {
		return wrongf("--unit: the attack is about %q and the scenario about %q; a canary must be one of the scenario's units", f.unit, s.Unit)
	}
	if f.adjacency != "" && f.adjacency != string(s.Adjacency) {
		return wrongf("--adjacency: the attack is about %s and the scenario about %s; an audit of one says nothing about the other", f.adjacency, s.Adjacency)
	}
	return nil
}
