package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report/share"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

// asHTML is a page for a browser.
const asHTML = "html"

func (a *app) reviewCommand() *cobra.Command {
	claim := &claimFlag{}
	var strict, all bool
	cmd := &cobra.Command{
		Use:   "review FILE|NAME",
		Short: "a verdict on the claim, and every point a referee would raise",
		Long: `Judge the claim of a scenario as a referee would. Each point is stated and
consistent (✓), a question to the author (?) with what another answer would
cost, or wrong (✗). The claim is --claim, else the file's claim, else its
budget; it is judged at its own δ. The verdict, when, and the exit status:

  holds whatever the answers  proven, with every ? answered in the worst way  0
  holds as stated             proven as the file stands (with --strict: 1)    0
  must not be quoted          a ✗ that does not break the number              1
  does not hold               ε is certainly larger                           1
  not decided                 neither proven nor refuted                      1

A question is answered in the file, by a field of its own or under answers.`,
		Example: `  epsiloscope review welcome
  epsiloscope review plan.yaml --claim 1,1e-6
  epsiloscope review plan.yaml --strict -o markdown    # 1 if questions are open`,
	}
	f := cmd.Flags()
	f.Var(claim, "claim", "judge this claim, `E[,D]`, instead of the file's")
	f.BoolVar(&strict, "strict", false, "exit with status 1 if questions are open")
	f.BoolVar(&all, "all", false, "show all questions, not seven")
	return a.scenarioCommand(cmd, []string{asTable, asJSON, asMarkdown, asLaTeX, asHTML},
		func(q *question) (output, error) {
			if all && (q.format == asJSON || q.format == asHTML) {
				return nil, fmt.Errorf("--all: -o %s has all questions anyway; leave it out", q.format)
			}
			if err := openSensitivities(q.Scenario); err != nil {
				return nil, err
			}
			r, err := review.New(q, q.Scenario, nil,
				review.Options{Claim: claim.claimAbout(q.Scenario), Precision: q.target.precision.value})
			if err != nil {
				return nil, err
			}
			err = reviewStatus(r, strict)
			if q.format == asHTML {
				return wholePage(func(w io.Writer, _ string) error {
					return share.ReviewPage(w, r, currentVersion().String())
				}), err
			}
			return sheet.Review(r, currentVersion().String(), all), err
		})
}

// openSensitivities returns the sensitivities under replace that are not stated as an error: until they are, what the
// stack costs is not known.
func openSensitivities(s *scenarios.Scenario) error {
	if open := s.OpenSensitivities(); len(open) > 0 {
		return scenarios.Errors(open)
	}
	return nil
}

// reviewStatus returns the verdict as an error if the claim does not hold or, if strict, if questions are open.
func reviewStatus(r *review.Review, strict bool) error {
	if r.Verdict.Holds() && !(strict && r.Count(review.Ask) > 0) {
		return nil
	}
	return &failure{statusExceeded, fmt.Errorf("%s: %s", r.Claim, r.Headline())}
}

// claimFlag is a claim as a flag has it: an ε and, if it is not the file's own, a δ.
type claimFlag struct {
	epsilon, delta    float64
	given, deltaGiven bool
}

func (c *claimFlag) String() string { return "" }
func (c *claimFlag) Type() string   { return "CLAIM" }

func (c *claimFlag) Set(text string) error {
	epsilon, delta, both := strings.Cut(text, ",")
	read := func(text, path string) (float64, error) {
		x, err := numeral.Parse(strings.TrimSpace(text))
		if err != nil {
			return 0, err
		}
		p := scenarios.ScenarioField(path)
		if problem := p.CheckNumber(x); problem != "" {
			return 0, errors.New(problem)
		}
		return x, nil
	}
	var err error
	if c.epsilon, err = read(epsilon, "claim.epsilon"); err != nil {
		return fmt.Errorf("ε %w", err)
	}
	if both {
		if c.delta, err = read(delta, "claim.delta"); err != nil {
			return fmt.Errorf("δ %w", err)
		}
	}
	c.given, c.deltaGiven = true, both
	return nil
}

// claimAbout returns the claim that the flag makes about a scenario; nil if it was not given.
func (c *claimFlag) claimAbout(s *scenarios.Scenario) *review.Claim {
	if !c.given {
		return nil
	}
	claim := review.Claim{Epsilon: c.epsilon, Delta: review.ClaimOf(s).Delta, From: "--claim"}
	if c.deltaGiven {
		claim.Delta = c.delta
	}
	return &claim
}
