package cli

import (
	"errors"
	"fmt"
	"os"
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
	remarks    []string // on how the scores were used
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
}

func (f *scoreFlags) areSet(cmd *cobra.Command) bool {
	return cmd.Flags().Changed("scores") || cmd.Flags().Changed("trials") || cmd.Flags().Changed("threshold")
}

// attack reads the scores. guesses is 0 if --guesses was not given.
func (f *scoreFlags) attack(cmd *cobra.Command, guesses int, delta, confidence float64) (audit.Result, error) {
	switch {
	case f.path == "":
		return nil, errors.New("--trials and --threshold belong to --scores FILE")
	case f.trials.value == "":
		return nil, errors.New("--scores needs --trials: canaries if each line is a canary of one run, runs if each line is a run by itself")
	case f.trials.value == trialsRuns && cmd.Flags().Changed("guesses"):
		return nil, errors.New("--guesses is about canaries; runs have thresholds")
	case f.trials.value == trialsCanaries && len(f.thresholds.values) > 0:
		return nil, errors.New("--threshold is about runs; canaries are guessed by rank, --guesses of them")
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
	if f.trials.value == trialsCanaries {
		return f.canaries(cmd, scores, guesses)
	}
	return f.runs(scores, delta, confidence)
}

// canaries audits one run: with the guesses fixed in advance, or with several numbers of them, corrected for.
func (f *scoreFlags) canaries(cmd *cobra.Command, scores []audit.Score, guesses int) (audit.Result, error) {
	note, err := audit.CheckCoins(scores)
	if err != nil {
		return nil, wrong(err)
	}
	if note != "" {
		f.remarks = append(f.remarks, note)
	}
	if cmd.Flags().Changed("guesses") {
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
	threshold, rest, err := audit.ChooseThreshold(scores, func(s audit.TwoSample) (float64, error) { return s.EpsilonLower(delta, confidence) })
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
