package chart

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// Options steer a chart. The zero value asks for closed forms on about sixty
// points, which is cheap enough for every change of a knob.
type Options struct {
	Entry   int                 // from 1; 0: the whole stack, or the first entry that has such a chart
	Methods []accounting.Method // nil: every one that applies
	Rounds  bool                // [EpsilonK] against the rounds of the whole stack, also if it has one entry
	// EqualVariance compares [Noise] with noise of the other shape at the same standard deviation instead of at the
	// same cost.
	EqualVariance bool
	MaxK          float64            // right end of [EpsilonK]; 0: far enough for the scenario
	Points        int                // 0: sixty
	Numerical     bool               // ask the numerical accountant too
	Precision     float64            // relative width asked of it; 0: [pld.DefaultWidth]
	MaxBars       int                // largest number of bars, the rest as one; 0: all
	Shared        *accounting.Shared // what charts of the same scenario computed before; nil: nothing
}

// Kind is a kind of chart.
type Kind struct {
	Name  string // "epsilon-k"
	Title string // one line: the name of the chart, perhaps with a colon and what it shows
	takes string // which of the options entry, max-k, method and numerical it depends on
	Tight bool   // worth the numerical accountant: without it only bounds are shown
	build func(*view) (Chart, error)
}

// Heading returns the name of the chart, as screens and files show it above the chart.
func (k Kind) Heading() string {
	name, _, _ := strings.Cut(k.Title, ": ")
	return report.UpperFirst(name)
}

// Kinds lists every kind of chart, in the order in which menus show them.
func Kinds() []Kind {
	return []Kind{
		EpsilonK,
		Epochs,
		Profile,
		Renyi,
		Loss,
		Tradeoff,
		TPR,
		Bayes,
		Noise,
		Utility,
		Tail,
		RunningSums,
		Bands,
		BandsCost,
		KeepProbability,
		Oracles,
		Cumulative,
	}
}

// FindKind finds a kind of chart by name.
func FindKind(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if k.Name == name || k.Name == Cumulative.Name && name == "ledger" { // its name in earlier versions
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Kind{}, fmt.Errorf("there is no curve %q; known: %s", name, strings.Join(names, ", "))
}

// Takes reports whether the chart depends on an option: entry, max-k, method or numerical.
func (k Kind) Takes(option string) bool { return slices.Contains(strings.Fields(k.takes), option) }

// Build makes the chart of a scenario. It ends with its context, and then with that error. A fault of the accountant is
// an [accounting.InternalError], and never a note.
func (k Kind) Build(ctx context.Context, s *scenarios.Scenario, opt Options) (Chart, error) {
	var c Chart
	err := accounting.Recover(ctx, func(ctx context.Context) (err error) {
		c, err = k.build(&view{ctx, s, opt, nil})
		return err
	})
	switch {
	case ctx.Err() != nil:
		return Chart{}, ctx.Err()
	case accounting.FaultOf(err) != nil:
		return Chart{}, err // no chart: a curve that is missing would look unsupported
	}
	return c, err
}

// view is a scenario as a chart is asked to show it.
type view struct {
	context.Context
	*scenarios.Scenario
	Options
	profile *accounting.Profile // once it was asked for
}

func (v *view) points() int { return cmp.Or(max(0, v.Points), 60) }

func (v *view) wants(m accounting.Method) bool {
	return len(v.Methods) == 0 || slices.Contains(v.Methods, m)
}

func (v *view) target() accounting.Target {
	t, _ := v.Target(v.Precision)
	return t
}

// releases returns the releases that the accountants compose for the scenario.
func (v *view) releases() ([]accounting.Entry, error) { return scenarios.Stack(v.Scenario) }

// untilDone iterates over a list until the context of the chart ends.
func untilDone[T any](v *view, list []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, x := range list {
			if v.Err() != nil || !yield(i, x) {
				return
			}
		}
	}
}

// valuesOver returns a function at every point, with gaps after the context of the chart has
// ended.
func (v *view) valuesOver(xs []float64, f func(x float64) float64) []float64 {
	ys := gaps(len(xs))
	for i, x := range untilDone(v, xs) {
		ys[i] = f(x)
	}
	return ys
}

// withFinePrecision returns the target with the precision of the bounds table, for the point at the present values:
// the two are read side by side.
func withFinePrecision(t accounting.Target) accounting.Target {
	t.Precision = min(t.Precision, pld.DefaultWidth)
	return t
}

// sortMethods sorts methods as a comparison lists them.
func sortMethods(list []accounting.Method) []accounting.Method {
	rank := map[accounting.Method]int{}
	for i, m := range accounting.Methods() {
		rank[m.Method] = i
	}
	slices.SortStableFunc(list, func(a, b accounting.Method) int { return rank[a] - rank[b] })
	return list
}
