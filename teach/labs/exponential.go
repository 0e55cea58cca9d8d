package labs

import (
	"math"
	"math/rand/v2"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
	"epsiloscope/report/chart"
)

// example is a selection problem of a deck.
type example struct {
	name, says  string
	sensitivity float64
	epsilon     float64              // at which its probabilities are worth a look
	adjacency   mechanisms.Adjacency // of the deck
	items       []param.Item
}

// examples are the decks' selection problems, with the sensitivity that makes them
// private: prices move revenue by up to the highest price.
var examples = []example{
	{"hair-colour", "Bellet: dark 500, the others 400", 1, 0.1, mechanisms.AddRemove, []param.Item{
		{Name: "dark", Value: 500}, {Name: "brown", Value: 400}, {Name: "blond", Value: 400}, {Name: "red", Value: 400},
	}},
	{"nationality", "Machanavajjhala: four nationalities", 1, 1, mechanisms.Replace, []param.Item{
		{Name: "Chinese", Value: 40}, {Name: "Indian", Value: 34}, {Name: "American", Value: 28}, {Name: "Greek", Value: 12},
	}},
	{"price-bellet", "Bellet: offers of 3 € and 4 €; with enough to sell both buy at 3 €, for 6 €", 4.01, 5, mechanisms.AddRemove, []param.Item{
		{Name: "3 €", Value: 6}, {Name: "3.01 €", Value: 3.01}, {Name: "4 €", Value: 4}, {Name: "4.01 €", Value: 0},
	}},
	{"price-bellet-one-item", "Bellet: offers of 3 € and 4 € for one item, the profits of the slide", 4.01, 5, mechanisms.AddRemove, []param.Item{
		{Name: "3 €", Value: 3}, {Name: "3.01 €", Value: 3.01}, {Name: "4 €", Value: 4}, {Name: "4.01 €", Value: 0},
	}},
	{"price-machanavajjhala", "Machanavajjhala: three bids of $100, one of $401", 402, 20, mechanisms.Replace, []param.Item{
		{Name: "$100", Value: 400}, {Name: "$101", Value: 101}, {Name: "$401", Value: 401}, {Name: "$402", Value: 0},
	}},
	{"from-data", "candidates taken from the data: not private", 1, 1, mechanisms.AddRemove, []param.Item{
		{Name: "dark", Value: 4}, {Name: "brown", Value: 3}, {Name: "red", Value: 1},
	}},
}

// exponential: sampled frequencies beside the exact probabilities and the theorem.
var exponential = Lab{
	Name: "exponential", Title: "The exponential mechanism", Decks: "Bellet, Machanavajjhala",
	Summary:   "hair colour, nationality and prices: sampled frequencies, exact probabilities and what the theorem promises",
	Adjacency: mechanisms.AddRemove, Unit: "person",
	Params: []param.Param{
		choice("example", "which selection problem; from-data is not private", exampleNames()...),
		number("epsilon", "ε", "privacy loss of one selection; 0 takes the example's own", 0, 0, 1000),
		number("t", "t", "the theorem's failure probability is e^−t", 3, 0.01, 50),
		whole("samples", "", "how many selections are drawn", 20_000, 100, 5_000_000),
	},
	run: runExponential,
}

func exampleNames() (names []string) {
	for _, e := range examples {
		names = append(names, e.name)
	}
	return names
}

func runExponential(s *trial) {
	ex := examples[slices.Index(exampleNames(), s.choice("example"))]
	if e := s.number("epsilon"); e > 0 {
		ex.epsilon = e
	}
	s.recordDerivedValue("epsilon", ex.epsilon)
	s.out.Adjacency = ex.adjacency
	if s.isNeighbour() {
		ex.items = changedScores(ex.items, ex.sensitivity)
	}
	m := mechanisms.Exponential{Epsilon: ex.epsilon, Sensitivity: ex.sensitivity, Candidates: ex.items}
	sel := must(m.Selection())
	s.startSequence(Sequence{Columns: []string{"best so far", "exact", "score drawn"}, CurveCount: 2})
	counts := s.drawSelections(sel, s.whole("samples"), ex.sensitivity)
	s.publish(counts...)
	table := Table{Title: ex.says, Columns: []string{"candidate", "score", "probability", "sampled", "difference in sd"}}
	plot := chart.Chart{Title: "Probability of each candidate", Y: chart.Axis{Label: "probability"}}
	n := s.number("samples")
	for i, item := range ex.items {
		p := sel.Probabilities[i]
		z := (counts[i] - n*p) / math.Sqrt(math.Max(n*p*(1-p), 1e-300))
		table.Rows = append(table.Rows, Row{item.Name, []float64{item.Value, p, counts[i] / n, z}})
		plot.Bars = append(plot.Bars, chart.Bar{Label: item.Name, Value: p, Best: item.Value == sel.Best})
	}
	s.addTable(table)
	s.addChart(plot)
	gap := sel.Gap(s.number("t"))
	s.addFigure("P(not the best)", 1-sel.Right(), "exact")
	s.addFigure("theorem's shortfall", gap, "with probability at least 1−e^−t the score is within this of the best")
	s.addFigure("exact P(worse than that)", sel.Tail(gap), "theorem: at most "+text(math.Exp(-s.number("t"))))
	s.addFigure("expected score", sel.MeanScore(), "best: "+text(sel.Best))
	s.addExponentialNotes(ex, sel)

	ts := spread(0.05, 8, 100)
	s.addChart(chart.Chart{
		Title: "Falling short by the theorem's gap", X: chart.Axis{Label: "t"}, Y: chart.Axis{Label: "probability", Log: true},
		Series: []chart.Series{
			{Name: "exact", X: ts, Y: mapEach(ts, func(t float64) float64 { return sel.Tail(sel.Gap(t)) })},
			{Name: "theorem e^−t", X: ts, Y: mapEach(ts, func(t float64) float64 { return math.Exp(-t) })},
		},
	})
	if ex.name == "from-data" {
		s.refuseGuarantee("the candidates were taken from the data, so an output that is possible here (%q, probability %s) is impossible without one person",
			ex.items[2].Name, text(sel.Probabilities[2]))
		s.addLeak(Leak{"the output \"red\", which cannot occur once the only red-haired person left", ex.epsilon, sel.Probabilities[2], 0})
		return
	}
	s.addLeak(s.attackFallingBest(m, sel))
	s.spendExponential(ex.name, m)
}

// attackFallingBest returns the δ at ε/4 between the data and a neighbour on which the score of the best candidate is
// lower by the sensitivity. The event is all candidates that are more than e^(ε/4) times as likely on one of the two;
// of the two directions it takes the one with the larger δ.
func (s *trial) attackFallingBest(m mechanisms.Exponential, sel *selection.Distribution) Leak {
	items := slices.Clone(m.Candidates)
	best := slices.IndexFunc(items, func(i param.Item) bool { return i.Value == sel.Best })
	items[best].Value -= m.Sensitivity
	m.Candidates = items
	at, here, there := m.Epsilon/4, 0.0, 0.0
	for i, q := range must(m.Selection()).Probabilities {
		p := sel.Probabilities[i]
		here += math.Max(0, p-math.Exp(at)*q)
		there += math.Max(0, q-math.Exp(at)*p)
	}
	return Leak{"the candidates that tell D from a neighbour on which the best score is lower by Δ", at, math.Max(here, there), 0}
}

// spendExponential adds one selection to what the run costs.
func (s *trial) spendExponential(label string, m mechanisms.Exponential) {
	values := epsilonValue(m.Epsilon)
	values["sensitivity"] = param.NumberValue(m.Sensitivity)
	if len(m.Candidates) > 0 {
		values["candidates"] = param.CandidatesValue(m.Candidates...)
	} else {
		values["outputs"] = param.WholeValue(m.Outputs)
	}
	s.spend(label, "exponential", values, 1)
}

// addExponentialNotes adds sentences on where the slides differ.
func (s *trial) addExponentialNotes(ex example, sel *selection.Distribution) {
	switch ex.name {
	case "hair-colour":
		s.addSentence("A gap of 100 at ε = %s: the theorem bounds a wrong answer by %s; the exact probability is %s.",
			text(ex.epsilon), text(sel.Bound(100)), text(1-sel.Right()))
	case "nationality":
		s.addSentence("2(ln 4 + t)/ε with t = 3 is 8.77/ε. The slide's 6.8 is t = 2.")
	case "from-data":
		s.addSentence("If the only red-haired person leaves, %q is no candidate any more: its probability falls from %s to exactly 0.",
			"red", text(sel.Probabilities[2]))
		s.addFigure("δ of the violation", sel.Probabilities[2], "no ε covers an output that one neighbour cannot give")
		s.addSentence("With %d candidates named in advance, present in the data or not, the mechanism is private.", len(ex.items))
	default:
		s.addSentence("Expected revenue %s of at most %s.", text(sel.MeanScore()), text(sel.Best))
	}
}

// changedScores returns the scores on a neighbour: every other one is lower by the sensitivity.
func changedScores(items []param.Item, sensitivity float64) []param.Item {
	items = slices.Clone(items)
	for i := 0; i < len(items); i += 2 {
		items[i].Value -= sensitivity
	}
	return items
}

// drawSelections samples a selection n times and counts.
func (s *trial) drawSelections(sel *selection.Distribution, n int, sensitivity float64) []float64 {
	r := s.rand(1)
	counts := make([]float64, len(sel.Items))
	best := 0.0
	for i := range n {
		s.reportProgress(i, n)
		at := s.choose(pick(r, sel.Probabilities), sel.Items, sensitivity)
		counts[at]++
		if item := sel.Items[at]; i < 400 {
			said := "not the best"
			if item.Value == sel.Best {
				best++
				said = "the best"
			}
			s.addStep(false, []float64{best / float64(i+1), sel.Right(), item.Value},
				"Drawn: %s, %s. It had probability %s.", item.Name, said, text(sel.Probabilities[at]))
		}
	}
	return counts
}

// pick draws an index with the given probabilities.
func pick(r *rand.Rand, probabilities []float64) int {
	u := r.Float64()
	for i, p := range probabilities {
		if u -= p; u < 0 {
			return i
		}
	}
	return len(probabilities) - 1
}
