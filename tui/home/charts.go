package home

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// ChartKind is a chart of the home screen.
type ChartKind struct {
	Key   string     // of the keyboard
	Of    chart.Kind // what names it in files and links
	Name  string     // short, for tabs
	Title string     // the heading of Of, or of what it shows of it
	Entry bool       // it is about the selected entry alone
	Needs string     // what the stack must have for it, in words; "" for nothing
	// Fits reports whether a mechanism is what Needs says; nil if nothing is needed.
	Fits func(mechanisms.Mechanism, mechanisms.Adjacency) bool
	// Has reports whether it differs from the chart before it, with which it shares its key; nil if it always does.
	Has   func(*scenarios.Scenario, *scenarios.Entry) bool
	Build func(context.Context, ChartAsk) (chart.Chart, error)
}

// ChartAsk is the subject of a chart.
type ChartAsk struct {
	Scenario *scenarios.Scenario
	Row      *scenarios.Entry // the selected row, perhaps inside a parallel block; nil if there is none
	Fine     bool             // with the numerical accountant
	variance bool             // noise of another shape at equal variance instead of at equal cost
	shared   *accounting.Shared
}

// ChartKinds returns the charts in the order of their keys. Pressing a key again shows the next of several charts that
// share it.
func ChartKinds() []ChartKind {
	const (
		noise  = "a mechanism that adds noise to a number (laplace, gaussian, geometric)"
		useful = "a choice among candidates (exponential, noisy-max), running sums or a training"
		scores = "a choice among candidates with scores (exponential, noisy-max)"
	)
	kinds := []ChartKind{
		{Key: "1", Of: chart.EpsilonK, Name: "ε–K", Build: againstK},
		{Key: "2", Of: chart.Renyi, Name: "α", Build: ofStack(chart.Renyi)},
		{Key: "3", Of: chart.Profile, Name: "δ(ε)", Build: ofStack(chart.Profile)},
		{Key: "4", Of: chart.Noise, Name: "noise", Entry: true, Needs: noise, Fits: addsNoise, Build: ofEntry(chart.Noise)},
		{Key: "4", Of: chart.Noise, Name: "variance", Title: "Noise at equal variance",
			Entry: true, Needs: noise, Fits: addsNoise, Has: hasEqualVariance, Build: equalVariance},
		{Key: "5", Of: chart.Utility, Name: "utility", Title: "Utility of a choice, error of sums",
			Entry: true, Needs: useful, Fits: isUseful, Build: utilityOrError},
		{Key: "6", Of: chart.Tradeoff, Name: "trade-off", Build: ofStack(chart.Tradeoff)},
		{Key: "6", Of: chart.TPR, Name: "TPR", Build: ofStack(chart.TPR)},
		{Key: "6", Of: chart.Bayes, Name: "guesses", Build: ofStack(chart.Bayes)},
		{Key: "7", Of: chart.Cumulative, Name: "so far", Build: ofStack(chart.Cumulative)},
		{Key: "8", Of: chart.Tail, Name: "bad choice",
			Entry: true, Needs: scores, Fits: hasScores, Build: ofEntry(chart.Tail)},
		{Key: "9", Of: chart.Loss, Name: "loss", Build: ofStack(chart.Loss)},
	}
	for i, k := range kinds {
		kinds[i].Title = cmp.Or(k.Title, k.Of.Heading())
	}
	return kinds
}

// addsNoise reports whether a mechanism adds noise to a number.
func addsNoise(m mechanisms.Mechanism, a mechanisms.Adjacency) bool {
	_, _, ok := mechanisms.Answers(m, a)
	return ok
}

// isUseful reports whether there is a chart of what a mechanism is good for: see [utilityOrError].
func isUseful(m mechanisms.Mechanism, _ mechanisms.Adjacency) bool {
	switch m.(type) {
	case mechanisms.Selector, mechanisms.Batched,
		mechanisms.Matrix, mechanisms.PartitionSelection, mechanisms.Frequency:
		return true
	}
	return false
}

// hasScores reports whether a mechanism chooses among candidates whose scores are given.
func hasScores(m mechanisms.Mechanism, _ mechanisms.Adjacency) bool {
	if e, ok := m.(mechanisms.Exponential); ok {
		return len(e.Candidates) > 0
	}
	_, ok := m.(mechanisms.Selector)
	return ok
}

var (
	errNothing = errors.New("nothing to draw yet: a adds the first mechanism")
	errNoCurve = errors.New("no theorem gives a finite ε here, so there is no curve; the table says why")
	errBlock   = errors.New("a parallel block has no noise of its own: select an entry of a branch")
)

// options returns how a curve of the stack is computed. It is read to a per cent, and a numerical
// point is expensive: a long stack has fewer. With and without them the points are the same, so
// that nothing moves when the numerical curve joins.
func (ask ChartAsk) options() chart.Options {
	opt := chart.Options{Numerical: ask.Fine, Points: 30, Precision: 1e-2, Shared: ask.shared}
	switch {
	case slices.ContainsFunc(ask.Scenario.Stack, hasOwnMesh):
		opt.Points = 8
	case len(ask.Scenario.Stack) > 200:
		opt.Points = 10
	}
	return opt
}

// hasOwnMesh reports whether an entry is computed on a mesh of its own at every count of its steps: allocated batches,
// whose chart would else take seconds at every turn of a knob.
func hasOwnMesh(e scenarios.Entry) bool {
	m, err := mechanisms.New(e.Mechanism, e.Values)
	training, ok := m.(mechanisms.Batched)
	return err == nil && ok && training.Scheme() == mechanisms.Allocated
}

// ofStack draws the whole stack.
func ofStack(kind chart.Kind) func(context.Context, ChartAsk) (chart.Chart, error) {
	return func(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
		if len(ask.Scenario.Stack) == 0 {
			return chart.Chart{}, errNothing
		}
		c, err := kind.Build(ctx, ask.Scenario, ask.options())
		ask.Fine = ask.Fine || !kind.Tight // nothing better comes
		return ask.finish(c, "", err)
	}
}

// finish gives a chart its title and the words of the screen. While the numerical curve is computed no bound is the
// answer; against a count a name is kept for it, so that nothing moves when it joins.
func (ask ChartAsk) finish(c chart.Chart, title string, err error) (chart.Chart, error) {
	if c.Title = title; err == nil && len(c.Series) == 0 {
		err = errNoCurve
	}
	if above, ok := c.AboveGuessing(); ok && err == nil {
		c = above
		c.Title = chart.Tradeoff.Heading() + ", as advantage over guessing"
	}
	if c.Rivals && !ask.Fine && err == nil {
		c = c.WithoutAnswer()
		c.Pending = true
		if _, ok := c.LogAxes(); ok {
			xs := c.Series[0].X
			gaps := slices.Repeat([]float64{math.NaN()}, len(xs))
			c.Series = append(c.Series, chart.Series{Name: string(accounting.Numerical), X: xs, Y: gaps})
		}
	}
	return kit.Dress(c.FoundOnly()), err
}

// againstK draws against the epochs of a stack's only entry, where that is a training, else against its K; of several
// entries against the rounds of all of them.
func againstK(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
	s, opt := ask.Scenario, ask.options()
	if len(s.Stack) == 0 {
		return chart.Chart{}, errNothing
	}
	if len(s.Stack) == 1 {
		opt.Entry = 1
		if c, err := chart.Epochs.Build(ctx, s, opt); err == nil || ctx.Err() != nil {
			return ask.finish(c, "ε against the "+c.X.Label, err)
		}
	}
	c, err := chart.EpsilonK.Build(ctx, s, opt)
	return ask.finish(c, c.Title, err)
}

// hasEqualVariance reports whether the noise that is drawn has another shape to compare with at equal variance: that of
// the row or, where it has none, of the first entry that has some.
func hasEqualVariance(s *scenarios.Scenario, row *scenarios.Entry) bool {
	for _, e := range slices.Concat([]scenarios.Entry{*row}, s.Stack) {
		m, err := mechanisms.New(e.Mechanism, e.Values)
		if err != nil {
			continue
		}
		if addsNoise(m, s.Adjacency) {
			return chart.HasEqualVariance(m)
		}
	}
	return false
}

// equalVariance draws the noise of an entry beside that of another shape with the same standard deviation.
func equalVariance(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
	ask.variance = true
	return ofEntry(chart.Noise)(ctx, ask)
}

// utilityOrError draws what an entry is good for. A matrix that samples its groups has two charts of its
// error: against ε, which says where it is better than independent noise, comes first.
func utilityOrError(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
	kinds := []chart.Kind{chart.Utility, chart.RunningSums, chart.Bands, chart.KeepProbability, chart.Oracles}
	if ask.Row != nil && ask.Row.Mechanism == (mechanisms.Matrix{}).Kind() {
		kinds = slices.Insert(kinds, 0, chart.BandsCost)
	}
	return ofEntry(kinds...)(ctx, ask)
}

// instead ends the title of a chart that is not of the selected entry; the notes say the same.
const instead = " instead"

// ofEntry draws the first of several charts that an entry by itself has, wherever in the stack
// it stands; where it has none, that of the first entry that has one, which the title names.
func ofEntry(kinds ...chart.Kind) func(context.Context, ChartAsk) (chart.Chart, error) {
	return func(ctx context.Context, ask ChartAsk) (chart.Chart, error) {
		switch {
		case ask.Row == nil:
			return chart.Chart{}, errNothing
		case len(ask.Row.Parallel) > 0:
			return chart.Chart{}, errBlock
		}
		var missing error // what is said of the first
		for i, e := range slices.Concat([]scenarios.Entry{*ask.Row}, ask.Scenario.Stack) {
			one := *ask.Scenario
			one.Stack, one.Expect = []scenarios.Entry{e}, nil
			for _, kind := range kinds {
				c, err := kind.Build(ctx, &one, chart.Options{Entry: 1, MaxBars: 40, EqualVariance: ask.variance})
				if err == nil || ctx.Err() != nil {
					if c.Title = kit.EntryName(&e); i > 0 {
						c.Notes = slices.Concat([]string{"“" + kit.EntryName(ask.Row) + "” has no such chart: this is “" + c.Title + "”"}, c.Notes)
						c.Title += instead
					}
					return kit.Dress(c), err
				}
				missing = cmp.Or(missing, err)
			}
		}
		return chart.Chart{}, missing
	}
}
