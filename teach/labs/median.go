package labs

import (
	"math"
	"math/rand/v2"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// median: the median mechanism on a universe so small that all candidate data sets
// fit in memory.
var median = Lab{
	Name: "median", Title: "The median mechanism", Decks: "Machanavajjhala",
	Summary:   "run whole on a tiny universe: easy queries come free, hard ones shrink the set of consistent databases",
	Adjacency: mechanisms.Replace, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "total privacy loss", 1, 1e-2, 100),
		whole("rows", "n", "rows of the data set", 50_000, 100, 100_000_000),
		whole("queries", "k", "counting queries asked", 10_000, 1, 10_000),
		whole("hard", "c", "hard queries the budget allows", 12, 1, 200),
		number("accuracy", "α", "accuracy wanted, in shares (not the privacy ε)", 0.1, 0.02, 0.5),
	},
	run: runMedian,
}

const (
	medianTypes = 4  // kinds of people in the universe
	medianSize  = 20 // rows of a candidate database: they only have to be accurate to α
)

// candidate is a small database: how many rows of each kind.
type candidate [medianTypes]float64

// rows returns a counting query: how many are of a kind in the subset.
func (c candidate) rows(subset int) (total float64) {
	for k, rows := range c {
		if subset>>k&1 == 1 {
			total += rows
		}
	}
	return total
}

func (c candidate) share(subset int) float64 { return c.rows(subset) / medianSize }

// candidates lists every database of the small size.
func candidates() []candidate {
	var all []candidate
	for a := 0.0; a <= medianSize; a++ {
		for b := 0.0; a+b <= medianSize; b++ {
			for c := 0.0; a+b+c <= medianSize; c++ {
				all = append(all, candidate{a, b, c, medianSize - a - b - c})
			}
		}
	}
	return all
}

// medianRun is the mechanism's state.
type medianRun struct {
	consistent []candidate
	test       mechanisms.AboveThreshold // noise of the easy/hard test
	answer     mechanisms.Laplace        // noise of a hard answer
	alpha      float64
	within     float64 // databases that answer farther from a released answer are dropped
}

// closeness returns the share of consistent databases that answer like the truth, each
// counted e^{−|difference|/α}. One row of n moves it by at most 1/(nα).
func (m *medianRun) closeness(truth float64, subset int) float64 {
	sum := 0.0
	for _, c := range m.consistent {
		sum += math.Exp(-math.Abs(truth-c.share(subset)) / m.alpha)
	}
	return sum / float64(len(m.consistent))
}

// medianAnswer returns the median of the consistent databases' answers.
func (m *medianRun) medianAnswer(subset int) float64 {
	answers := make([]float64, len(m.consistent))
	for i, c := range m.consistent {
		answers[i] = c.share(subset)
	}
	slices.Sort(answers)
	return answers[len(answers)/2]
}

// shrink keeps the databases whose answer is within reach of a released one, and reports whether there are any.
func (m *medianRun) shrink(subset int, answer float64) bool {
	kept := m.consistent[:0:0]
	for _, c := range m.consistent {
		if math.Abs(c.share(subset)-answer) <= m.within {
			kept = append(kept, c)
		}
	}
	if len(kept) > 0 {
		m.consistent = kept
	}
	return len(kept) > 0
}

// isEasy applies the definition of the slide: more than half of the consistent databases answer
// within α of the truth.
func (m *medianRun) isEasy(truth float64, subset int) bool {
	near := 0
	for _, c := range m.consistent {
		if math.Abs(c.share(subset)-truth) < m.alpha {
			near++
		}
	}
	return 2*near > len(m.consistent)
}

// medianResult is the result of a session of queries.
type medianResult struct {
	answered, hard, agreed int     // agreed: the noisy test said what the definition says
	worst                  float64 // largest error
	emptied                bool    // no database was left after the last hard answer
	at, sizes, errs        []float64
}

// wantedCloseness is the mean closeness from which on the noisy test calls a query easy.
const wantedCloseness = 0.6

// ask puts random queries to the mechanism until the hard ones it can pay for, or the queries, are used up. seen, if
// not nil, is called for each answer.
func (m *medianRun) ask(s *trial, r *rand.Rand,
	seen func(isHard bool, truth, got float64, was, used int)) (out medianResult) {
	people := candidate{0.46, 0.27, 0.19, 0.08} // shares of the data set
	if s.isNeighbour() {                        // one row of another kind
		people[0], people[1] = people[0]-m.answer.Sensitivity, people[1]+m.answer.Sensitivity
	}
	exact := people.rows
	levelNoise, queryNoise := mechanisms.LaplaceNoise(m.test.ThresholdScale()),
		mechanisms.LaplaceNoise(m.test.QueryScale())
	level := -wantedCloseness + levelNoise.Rand(r)
	k := s.whole("queries")
	for i := range k {
		s.reportProgress(i, k)
		subset := 1 + r.IntN(1<<medianTypes-2)
		truth, got, was := exact(subset), m.medianAnswer(subset), len(m.consistent)
		gap := -m.closeness(truth, subset)
		isHard := s.randomizeAnswer(gap, gap+queryNoise.Rand(r) >= level, m.test.Sensitivity)
		if isHard != m.isEasy(truth, subset) {
			out.agreed++
		}
		if isHard {
			out.hard++
			got = s.randomizeOne(truth, truth+m.answer.Noise().Rand(r), m.answer.Sensitivity)
			out.emptied = !m.shrink(subset, got)
			level = -wantedCloseness + levelNoise.Rand(r)
		}
		s.publish(got)
		out.answered++
		out.worst = math.Max(out.worst, math.Abs(got-truth))
		out.at, out.sizes, out.errs = append(out.at, float64(i+1)), append(out.sizes, float64(len(m.consistent))),
			append(out.errs, out.worst)
		if seen != nil {
			seen(isHard, truth, got, was, out.hard)
		}
		// The c-th test is spent: asking one more query would start a test that is not paid for.
		if out.emptied || out.hard == s.whole("hard") {
			break
		}
	}
	return out
}

func runMedian(s *trial) {
	epsilon, n, hard := s.number("epsilon"), s.number("rows"), s.number("hard")
	alpha := s.number("accuracy")
	answer := mechanisms.Laplace{Epsilon: epsilon / 2 / hard, Sensitivity: 1 / n}
	fresh := func(within float64) *medianRun {
		return &medianRun{consistent: candidates(), alpha: alpha, within: within, answer: answer,
			test: mechanisms.AboveThreshold{Epsilon: epsilon / 2 / hard, Sensitivity: 1 / (n * alpha)}}
	}
	run := fresh(alpha/2 + answer.Noise().Quantile(0.999))
	start := len(run.consistent)
	s.startSequence(Sequence{Columns: []string{"truth", "answer", "databases", "ε left"}, CurveCount: 2, Window: 40, Mark: "hard, paid for"})
	out := run.ask(s, s.rand(0), func(isHard bool, truth, got float64, was, used int) {
		values := []float64{truth, got, float64(len(run.consistent)), epsilon * (1 - float64(used)/hard)}
		if isHard {
			s.addStep(true, values, "Hard: the databases disagree with the truth. It is answered with noise and paid for; %d of %d databases agree with the answer.", len(run.consistent), was)
		} else {
			s.addStep(false, values, "Easy: enough of the %d databases are close to the truth. Their median is the answer, and it is free.", was)
		}
	})
	slide := fresh(alpha/50).ask(s, s.rand(1), nil)
	s.addFigure("queries answered", float64(out.answered), "of "+text(s.number("queries")))
	s.addFigure("hard ones", float64(out.hard), "paid for; the others came free")
	s.addFigure("databases left", float64(len(run.consistent)), "of "+text(float64(start)))
	s.addFigure("largest error", out.worst, "wanted: "+text(alpha))
	s.addFigure("test and definition agree", float64(out.agreed)/float64(out.answered), "share of queries; by the slide easy means that more than half of the databases are within α")
	left := "some were left at the end"
	if slide.emptied {
		left = "none was left then"
	}
	s.addFigure("hard answers run with α/50", float64(slide.hard), "the slide keeps the databases within α/50 = "+text(alpha/50)+", and those here answer in steps of "+text(1.0/medianSize)+": "+left)
	s.addFigure("answering all anew", mechanisms.Laplace{Epsilon: epsilon / s.number("queries"), Sensitivity: 1 / n}.Scale(), "expected error of each at ε/k")
	s.addSentence("%d of %d queries were hard; the test that decides is noisy itself, and is paid for.", out.hard, out.answered)
	s.addSentence("Correlated queries come free: once the consistent databases agree, their median is the answer.")
	s.addChart(chart.Chart{Title: "Consistent databases left", X: chart.Axis{Label: "query", Log: true}, Y: chart.Axis{Label: "databases", Log: true},
		Series: []chart.Series{{Name: "left", X: out.at, Y: out.sizes, Step: true}}})
	s.addChart(chart.Chart{Title: "Largest error so far", X: chart.Axis{Label: "query", Log: true}, Y: chart.Axis{Label: "error"},
		Series: []chart.Series{{Name: "error", X: out.at, Y: out.errs, Step: true}},
		Marks:  []chart.Mark{chart.Horizontal(alpha, "α")}})
	s.spend("easy or hard", "sparse-vector", param.Values{"epsilon": param.NumberValue(epsilon / 2), "sensitivity": param.NumberValue(run.test.Sensitivity),
		"threshold": param.NumberValue(-wantedCloseness), "positives": param.WholeValue(hard), "queries": s.values["queries"]}, 1)
	s.spendLaplace("hard answers", run.answer, hard)
	s.addLeak(attackNoisyValue("one noisy hard answer above the middle of its values on two neighbours", run.answer.Noise(), run.answer.Sensitivity))
}
