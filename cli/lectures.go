package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/report"
	"epsiloscope/report/share"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/teach/exercises"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
)

func (a *app) lecturesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lectures [DECK]",
		Short: "the lecture decks: topics and where each is seen",
		Long: `List the lecture decks, or the topics of DECK in the order of its slides with
what shows each: a scenario, a lab, a chart, a proof, exercises or a screen of
the explorer. "lectures export DECK" writes the deck as an HTML page.`,
		Args: arguments(0, 1, "at most one DECK"),
		Example: `  epsiloscope lectures
  epsiloscope lectures bassi
  epsiloscope lectures export bassi --to bassi.html`,
		ValidArgsFunction: complete(deckKeys, cobra.NoFileCompletions),
	}
	a.outputCommand(cmd, tables, func(c *call) (output, error) {
		if len(c.args) == 0 {
			return lectures.DeckSheet(lectures.Decks()), nil
		}
		d, err := findDeck(c.args[0])
		if err != nil {
			return nil, err
		}
		return lectures.TopicSheet(d), nil
	})
	cmd.AddCommand(a.lectureExportCommand())
	return cmd
}

func (a *app) lectureExportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export DECK",
		Short: "a deck as one HTML page for teaching",
		Long: `Write one deck as an HTML page: its topics with remarks and charts, what its
scenarios cost, proofs with numbers, and exercises whose hints and answers are
folded away. The page needs no network, has no script and prints well.`,
		Args:              arguments(1, 1, "one DECK"),
		Example:           "  epsiloscope lectures export gaboardi --to gaboardi.html",
		ValidArgsFunction: complete(deckKeys, cobra.NoFileCompletions),
	}
	return a.outputCommand(cmd, document, func(c *call) (output, error) {
		d, err := findDeck(c.args[0])
		if err != nil {
			return nil, err
		}
		return wholePage(func(w io.Writer, _ string) error {
			defer a.showProgress("lectures")()
			return share.LecturePage(c, w, d)
		}), nil
	})
}

// deckKeys returns the names of the decks for the command line.
func deckKeys() []string {
	return mapStrings(lectures.Decks(), func(d lectures.Deck) string { return d.Key + "\t" + d.Title })
}

func findDeck(key string) (lectures.Deck, error) {
	for _, d := range lectures.Decks() {
		if d.Key == key {
			return d, nil
		}
	}
	return lectures.Deck{}, fmt.Errorf("there is no deck %q; there are %s", printable(key),
		strings.Join(mapStrings(lectures.Decks(), func(d lectures.Deck) string { return d.Key }), ", "))
}

func (a *app) proofCommand() *cobra.Command {
	var target targetFlags
	cmd := &cobra.Command{
		Use:   "proof [NAME [FILE|NAME]]",
		Short: "a proof of the lectures, step by step, with your numbers",
		Long: `Walk through a proof of the lectures, one step per line, with the numbers of a
scenario in each; without one, with those of the lecture's own example. A step
with a constant of a slide is marked where it fails. Without a NAME, list the
proofs.`,
		Args: arguments(0, 2, "at most one proof and one FILE or NAME"),
		Example: `  epsiloscope proof
  epsiloscope proof advanced-composition bob-10000`,
		ValidArgsFunction: complete(func() []string {
			return mapStrings(proofs.All(), func(p proofs.Proof) string { return p.Name + "\t" + p.Title })
		}, completeScenarios),
	}
	target.add(cmd)
	return a.outputCommand(cmd, pages, func(c *call) (output, error) {
		if len(c.args) < 2 {
			if err := target.refuseWithoutScenario(cmd); err != nil {
				return nil, err
			}
		}
		if len(c.args) == 0 {
			return listing(c.format, proofs.All(), func(p proofs.Proof) string {
				return fmt.Sprintf("%-21s %s (%s)", p.Name, p.Title, report.UpperFirst(p.Deck))
			}, textColumn("name", func(p proofs.Proof) string { return p.Name }),
				textColumn("title", func(p proofs.Proof) string { return p.Title }),
				textColumn("deck", func(p proofs.Proof) string { return p.Deck })), nil
		}
		p, ok := proofs.Lookup(c.args[0])
		if !ok {
			return nil, fmt.Errorf("there is no proof %q; epsiloscope proof lists them", c.args[0])
		}
		var s *scenarios.Scenario
		if len(c.args) == 2 {
			var err error
			if s, err = a.open(c.args[1], &target); err != nil {
				return nil, err
			}
		}
		return p.Sheet(p.WithNumbers(s)), nil
	})
}

type exerciseFlags struct {
	answer, file string
	hint         bool
}

func (a *app) exerciseCommand() *cobra.Command {
	var f exerciseFlags
	cmd := &cobra.Command{
		Use:   "exercise [N]",
		Short: "questions on the lectures; your answer is checked",
		Long: `Ask question N on the lectures, or list them. With --answer the reply is
checked by the engine: status 0 if it is right, 1 if not, with -o json for
grading by a script. The explorer asks them too (X).

A lecturer's own questions are read from a file; in the explorer with
"epsiloscope --exercises FILE". Each has one way to ask:

  exercises:
    - deck: week 3
      title: The sum            # for the list; without it the question
      question: What do the releases cost together?
      scenario: mine.yaml       # a file beside this one, or a bundled scenario
      ask: {bound: basic}       # ε by a method
      # or {best: true}         # the method with the smallest bound
      # or {order: true}        # the best Rényi order
      # or {error: 1}           # error of an entry at 95 %
      # or {plan: {solve: sigma, entry: 1, method: gdp}}
      also: rdp-classic         # right too, by the deck's own theorem
      tolerance: 0.01           # relative; a plan: only towards the budget
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
	flags.StringVar(&f.file, "file", "", "read the questions from `FILE`")
	a.addOldName(cmd, "from", "file")
	return a.outputCommand(cmd, pages, func(c *call) (_ output, err error) {
		list := exercises.Library()
		if f.file != "" {
			if list, err = exercises.Load(f.file); err != nil {
				return nil, err
			}
		}
		if len(c.args) == 0 {
			if f.answer != "" || f.hint {
				return nil, errors.New("--answer and --hint are about one question; give its number")
			}
			return listExercises(c.format, list), nil
		}
		if f.answer != "" && f.hint {
			return nil, errors.New("--hint is for a question that is asked, --answer for one that is answered: give one of them")
		}
		if c.format != asTable && (c.format != asJSON || f.answer == "") {
			return nil, fmt.Errorf("-o %s is for the list of questions; leave the number out, or give -o json an --answer", c.format)
		}
		n, err := strconv.Atoi(c.args[0])
		if err != nil || n < 1 || n > len(list) {
			return nil, fmt.Errorf("there is no question %q; they count from 1 to %d", c.args[0], len(list))
		}
		return exercise(c, n, list[n-1], &f)
	})
}

// listExercises lists questions with their numbers.
func listExercises(format string, list []exercises.Exercise) output {
	type numbered struct {
		exercises.Exercise
		number int
	}
	all := make([]numbered, len(list))
	for i, e := range list {
		all[i] = numbered{e, i + 1}
	}
	return listing(format, all, func(e numbered) string {
		return fmt.Sprintf("%-3d %-16s %s", e.number, report.Plain(e.Deck), report.Plain(e.Question))
	}, sheet.Column[numbered]{Head: "number", Align: sheet.Right, Show: func(e numbered) string {
		return strconv.Itoa(e.number)
	}, Key: "number", Value: func(e numbered) any { return e.number }},
		textColumn("deck", func(e numbered) string { return e.Deck }),
		textColumn("question", func(e numbered) string { return e.Question }))
}

// gradedAnswer is the JSON of a checked answer, for grading by a script.
type gradedAnswer struct {
	Number   int    `json:"number"`
	Deck     string `json:"deck"`
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Right    bool   `json:"right"`
	Why      string `json:"why"`
}

// exercise asks a question or checks the answer given; a wrong answer is status 1.
func exercise(ctx context.Context, n int, e exercises.Exercise, f *exerciseFlags) (output, error) {
	if f.answer == "" {
		lines := []string{report.Plain(e.Question)}
		if f.hint {
			lines = append(lines, "hint: "+report.Plain(e.Hint), "see:  "+report.Plain(string(e.See)))
		}
		return textLines(lines), nil
	}
	v, err := e.Check(ctx, f.answer)
	if err != nil {
		return nil, err
	}
	says := fmt.Sprintf("right: %s (%s)", v.Answer.Text(), v.Why)
	if !v.Right {
		says, err = v.Why+"; --hint helps", &failure{statusExceeded, errors.New("the answer is wrong")}
	}
	return written(func(w io.Writer, format string) error {
		if format != asJSON {
			return textLines{says}.Write(w, format)
		}
		return json.NewEncoder(w).Encode(gradedAnswer{n, e.Deck, e.Question, f.answer, v.Right, v.Why})
	}), err
}
