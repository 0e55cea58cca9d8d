package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios/lectures/exercises"
	"epsiloscope/scenarios/report"
)

type exerciseFlags struct {
	answer, from string
	hint         bool
}

func (a *app) exerciseCommand() *cobra.Command {
	var f exerciseFlags
	cmd := &cobra.Command{
		Use:   "exercise [N]",
		Short: "questions on the lectures; your answer is checked",
		Long: `Ask question N on the lectures, or list them. With --answer the reply is
checked by the engine. The explorer asks them too (X).

A lecturer's own questions are read from a file; in the explorer with
"epsiloscope --exercises FILE". Each has one way to ask:

  exercises:
    - deck: week 3
      question: What do the releases cost together?
      scenario: mine.yaml       # a file beside this one, or a bundled scenario
      ask: {bound: basic}       # ε by a method
      # or {best: true}         # the method with the smallest bound
      # or {order: true}        # the best Rényi order
      # or {error: 1}           # error of an entry at 95 %
      # or {plan: {solve: sigma, entry: 1, method: gdp}}
      tolerance: 0.01           # relative
      hint: Add them up.
      see: "screen:why"         # what explains it`,
		Args: arguments(0, 1, "at most one N"),
		Example: `  epsiloscope exercise
  epsiloscope exercise 8 --answer 1/812.4
  epsiloscope exercise 8 --hint`,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.answer, "answer", "", "your answer: a number `X` or the name of a method")
	flags.BoolVar(&f.hint, "hint", false, "show the hint")
	flags.StringVar(&f.from, "from", "", "read the questions from `FILE`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		list := exercises.Bundled()
		if f.from != "" {
			var err error
			if list, err = exercises.Load(f.from); err != nil {
				return wrong(err)
			}
		}
		if len(args) == 0 {
			if f.answer != "" || f.hint {
				return wrongf("--answer and --hint are about one question; give its number")
			}
			return a.listExercises(list)
		}
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 || n > len(list) {
			return wrongf("there is no question %q; they count from 1 to %d", args[0], len(list))
		}
		return a.exercise(cmd.Context(), list[n-1], &f)
	}
	return cmd
}

func (a *app) listExercises(list []exercises.Exercise) error {
	for i, e := range list {
		if _, err := fmt.Fprintf(a.stdout, "%-3d %-16s %s\n", i+1, report.Plain(e.Deck), report.Plain(e.Question)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) exercise(ctx context.Context, e exercises.Exercise, f *exerciseFlags) error {
	if f.answer == "" {
		if _, err := fmt.Fprintln(a.stdout, report.Plain(e.Question)); err != nil || !f.hint {
			return err
		}
		_, err := fmt.Fprintf(a.stdout, "hint: %s\nsee:  %s\n", report.Plain(e.Hint), report.Plain(string(e.See)))
		return err
	}
	v, err := e.Check(ctx, f.answer)
	if err != nil {
		return wrong(err)
	}
	if v.Right {
		_, err := fmt.Fprintf(a.stdout, "right: %s (%s)\n", report.ExerciseAnswer(v.Answer), v.Why)
		return err
	}
	if v.Answer.Method != "" {
		_, err = fmt.Fprintln(a.stdout, "not that one; --hint helps")
	} else {
		_, err = fmt.Fprintf(a.stdout, "%s; --hint helps\n", v.Why)
	}
	return err
}
