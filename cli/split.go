package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios/plan"
)

// marginCommand is the old name of explain --margin, which help does not list.
func (a *app) marginCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "margin FILE|NAME", Short: "the old name of explain --margin", Hidden: true}
	method := addMethod(cmd, "the theorem to count by")
	return a.scenarioCommand(cmd, tables, func(q *question) (output, error) {
		fmt.Fprintln(a.stderr, "epsiloscope: note: margin is explain --margin now; the old name goes with the next version")
		return marginsOf(q, accounting.Method(method.value))
	})
}

// marginsOf returns what each entry adds, by a method or, if it is "", by the best.
func marginsOf(q *question, method accounting.Method) (output, error) {
	m, err := plan.New().Margins(q, q.Scenario, method, q.target.options(), 0)
	if err != nil {
		return nil, err
	}
	return sheet.Margins(q.Scenario, m), nil
}

func (a *app) splitCommand() *cobra.Command {
	var lock []int
	var show bool
	cmd := &cobra.Command{
		Use:   "split FILE|NAME",
		Short: "divide what locked entries leave of the budget over the others",
		Long: `Divide the budget so that every unlocked entry has the same relative error (95 %
error ÷ typical × weight, both fields of the entry). Without typical, errors are
measured in multiples of the sensitivity. With --error, the errors asked for are
scaled together until the budget is met.`,
		Example: `  epsiloscope split plan.yaml --lock 1 --weight 3=4
  epsiloscope split plan.yaml --error 1=100 --error 2=25 -o yaml > new.yaml`,
	}
	method := addMethod(cmd, "the theorem to divide by")
	weights, wishes := newEntriesFlag("weight"), newEntriesFlag("error")
	f := cmd.Flags()
	f.IntSliceVar(&lock, "lock", nil, "entry `N` keeps its noise (repeatable)")
	f.Var(weights, "weight", "weight of entry N, instead of its own: `N=W`; twice the weight, half the error (repeatable)")
	f.Var(wishes, "error", "requested error at 95 % of entry N: `N=E` (repeatable; instead of weights)")
	f.BoolVar(&show, "yaml", false, "the old spelling of -o yaml")
	_ = f.MarkHidden("yaml")
	return a.scenarioCommand(cmd, append(tables, asYAML), func(q *question) (output, error) {
		if show {
			fmt.Fprintln(a.stderr, "epsiloscope: note: --yaml is -o yaml now; the old spelling goes with the next version")
		}
		show = show || q.format == asYAML
		req := plan.RebalanceRequest{
			Locked: lock, Weights: map[int]float64{}, Errors: map[int]float64{},
			Method: accounting.Method(method.value), Precision: q.target.options().Precision,
		}
		if err := errors.Join(weights.put(req.Weights, q), wishes.put(req.Errors, q)); err != nil {
			return nil, err
		}
		r, err := plan.New().Rebalance(q, q.Scenario, req)
		if err != nil {
			return nil, err
		}
		a.noteOpen(q, q.OpenSensitivities())
		if show {
			if !r.Feasible {
				return nil, &failure{statusExceeded, errors.New("there is no scenario to print: " + r.Note)}
			}
			return scenarioFile(r.Scenario)
		}
		return sheet.Splits(q.Scenario, r, lock), statusOfSearch(r.Feasible)
	})
}

// entriesFlag takes values of the form N=X: a number for an entry.
type entriesFlag struct {
	listFlag[entryNumber]
	name string
}

type entryNumber struct {
	entry int
	value float64
}

func newEntriesFlag(name string) *entriesFlag {
	return &entriesFlag{name: name, listFlag: listFlag[entryNumber]{read: func(text string) (entryNumber, error) {
		entry, value, found := strings.Cut(text, "=")
		n, err := strconv.Atoi(strings.TrimSpace(entry))
		x, err2 := numeral.Parse(value)
		if !found || err != nil || err2 != nil || !(x > 0) {
			return entryNumber{}, errors.New("must have the form N=X, an entry and a number above 0")
		}
		return entryNumber{n, x}, nil
	}}}
}

// put takes the numbers over for the entries of a scenario.
func (f *entriesFlag) put(to map[int]float64, q *question) error {
	for _, x := range f.values {
		if x.entry < 1 || x.entry > len(q.Stack) {
			return fmt.Errorf("--%s: there is no entry %d; the stack has %s", f.name, x.entry, numeral.Plural(len(q.Stack), "entry", "entries"))
		}
		to[x.entry] = x.value
	}
	return nil
}
