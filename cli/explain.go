package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"epsiloscope/report"
	"epsiloscope/report/share"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

func (a *app) explainCommand() *cobra.Command {
	var margin bool
	cmd := &cobra.Command{
		Use:   "explain FILE|NAME",
		Short: "each bound's theorem, with the scenario's numbers put in",
		Long: `Explain each bound: its theorem, with the scenario's numbers put in. With
--margin, what each entry adds instead: its ε alone, what dropping it saves, and
what one more release of it costs.`,
		Example: `  epsiloscope explain welcome --method advanced
  epsiloscope explain welcome --margin`,
	}
	methods := addMethods(cmd)
	cmd.Flags().BoolVar(&margin, "margin", false, "what each entry adds, by the best theorem or one --method")
	return a.scenarioCommand(cmd, tables, func(q *question) (output, error) {
		switch {
		case margin && len(methods.values) > 1:
			return nil, errors.New("--margin is by one theorem: give one --method, or none for the best")
		case margin:
			return marginsOf(q, append(methods.values, "")[0])
		case q.format == asLaTeX:
			return nil, errors.New("-o latex is for the table of --margin")
		}
		r, err := q.evaluate()
		if err != nil {
			return nil, err
		}
		var harm []string
		if len(methods.values) == 0 {
			var err error
			if harm, err = report.HarmExplanation(q, q.Scenario, r); err != nil {
				return nil, err
			}
		}
		return sheet.Explain(q.Scenario, r, report.Explain(r, methods.values...), harm...), nil
	})
}

func (a *app) statementCommand() *cobra.Command {
	var cert certificateFlag
	cmd := &cobra.Command{
		Use:   "statement FILE|NAME",
		Short: "the paragraph to quote: guarantee, unit, theorem, assumptions",
		Long: `Write what may be quoted: a paragraph and a fact sheet with the guarantee, the
theorem, the unit, the adjacency, the sampling assumption, δ, the composition
and what is not covered, as NIST SP 800-226 asks.

  table      plain text (the default)
  latex      a paragraph with \cite and the BibTeX entries as a comment
  bibtex     the entries alone`,
		Example: `  epsiloscope statement welcome
  epsiloscope statement plan.yaml -o latex
  epsiloscope statement plan.yaml --certificate plan.cert.json`,
	}
	cert.add(cmd)
	return a.results(cmd, append(tables, asBibTeX), func(q *question, r *scenarios.Result) (output, error) {
		q.to.inputs = append(q.to.inputs, a.inputs(cert.path)...)
		quote, err := cert.verify(q) // takes less time than the statement, which it may refuse
		if err != nil {
			return nil, err
		}
		st, err := report.NewStatement(q, q.Scenario, r)
		if err != nil {
			return nil, err
		}
		if cert.path != "" {
			quote.AddTo(st, cert.path)
		}
		return sheet.Statement(st), nil
	})
}

func (a *app) personCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "person FILE|NAME",
		Short: "what it means for a person: odds, attacks, real deployments",
		Long: `Explain what the release means for one unit: how often the best attacker is
right, the true-positive rate at a given false-positive rate, how far a prior
belief can rise, and where ε lies among deployments with the same unit.`,
		Example: `  epsiloscope person welcome
  epsiloscope person welcome --prior 1/50`,
	}
	priors := &listFlag[float64]{read: report.ParsePrior}
	cmd.Flags().Var(priors, "prior", "prior belief `P` before the release (repeatable; default 1 %, 10 % and 50 %)")
	return a.results(cmd, tables, func(q *question, r *scenarios.Result) (output, error) {
		p, err := report.NewPerson(q, q.Scenario, r, priors.values...)
		if err != nil {
			return nil, err
		}
		return sheet.Person(p), nil
	})
}

func (a *app) shareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "share FILE|NAME",
		Short: "one HTML page to pass on: statement, table, charts, scenario",
		Long: `Write one HTML page with what may be quoted, every bound, the charts, the
scenario and the command that reproduces it. The page needs no network and has
no script. The scores of candidates, which come from the data, are left out.`,
		Example: `  epsiloscope share welcome --to page.html
  epsiloscope share plan.yaml --epsilon 2 > page.html`,
	}
	var cert certificateFlag
	cert.add(cmd)
	return a.results(cmd, document, func(q *question, r *scenarios.Result) (output, error) {
		data, err := cert.read()
		if err != nil {
			return nil, err
		}
		q.to.inputs = append(q.to.inputs, a.inputs(cert.path)...)
		return wholePage(func(w io.Writer, _ string) error {
			return share.PageWithCertificate(q, w, q.Scenario, r, data)
		}), nil
	})
}
