package labs

import (
	"math"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/report/chart"
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

// rows is a counting query: how many are of a kind in the subset.
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
}

// closeness is the share of consistent databases that answer like the truth, each
// counted e^{−|difference|/α}. One row of n moves it by at most 1/(nα).
func (m *medianRun) closeness(truth float64, subset int) float64 {
	sum := 0.0
	for _, c := range m.consistent {
		sum += math.Exp(-math.Abs(truth-c.share(subset)) / m.alpha)
	}
	return sum / float64(len(m.consistent))
}

// middle is the median of the consistent databases' answers.
func (m *medianRun) middle(subset int) float64 {
	answers := make([]float64, len(m.consistent))
	for i, c := range m.consistent {
		answers[i] = c.share(subset)
	}
	slices.Sort(answers)
	return answers[len(answers)/2]
}

// shrink keeps the databases that agree with a released answer.
func (m *medianRun) shrink(subset int, answer float64) {
	slack := m.alpha/2 + m.answer.Noise().Quantile(0.999)
	kept := m.consistent[:0:0]
	for _, c := range m.consistent {
		if math.Abs(c.share(subset)-answer) <= slack {
			kept = append(kept, c)
		}
	}
	if len(kept) > 0 {
		m.consistent = kept
	}
}

func runMedian(s *trial) {
	epsilon, n, hard := s.number("epsilon"), s.number("rows"), s.number("hard")
	alpha := s.number("accuracy")
	exact := candidate{0.46, 0.27, 0.19, 0.08}.rows // of one
	run := &medianRun{
		consistent: candidates(), alpha: alpha,
		test:   mechanisms.AboveThreshold{Epsilon: epsilon / 2 / hard, Sensitivity: 1 / (n * alpha)},
		answer: mechanisms.Laplace{Epsilon: epsilon / 2 / hard, Sensitivity: 1 / n},
	}
	start := len(run.consistent)
	r, k := s.rand(0), s.whole("queries")
	const wanted = 0.6 // mean closeness of an easy query
	levelNoise := mechanisms.LaplaceNoise(run.test.ThresholdScale())
	queryNoise := mechanisms.LaplaceNoise(run.test.QueryScale())
	level := -wanted + levelNoise.Rand(r)
	var sizes, at, errs []float64
	used, worst, answered, ruledOut := 0, 0.0, 0, 0
	s.watch(Sequence{Columns: []string{"truth", "answer", "databases", "ε left"}, Drawn: 2, Window: 40, Mark: "hard, paid for"})
	for i := range k {
		s.step(i, k)
		subset := 1 + r.IntN(1<<medianTypes-2)
		var got float64
		was := len(run.consistent)
		if -run.closeness(exact(subset), subset)+queryNoise.Rand(r) >= level { // hard
			used++
			got = exact(subset) + run.answer.Noise().Rand(r)
			run.shrink(subset, got)
			if math.Abs(got-exact(subset)) > alpha/50 { // the slide's rule
				ruledOut++
			}
			level = -wanted + levelNoise.Rand(r)
			s.saw(true, []float64{exact(subset), got, float64(len(run.consistent)), epsilon * (1 - float64(used)/hard)},
				"Hard: the databases disagree with the truth. It is answered with noise and paid for; %d of %d databases agree with the answer.", len(run.consistent), was)
		} else {
			got = run.middle(subset)
			s.saw(false, []float64{exact(subset), got, float64(was), epsilon * (1 - float64(used)/hard)},
				"Easy: enough of the %d databases are close to the truth. Their median is the answer, and it is free.", was)
		}
		answered++
		worst = math.Max(worst, math.Abs(got-exact(subset)))
		sizes, at = append(sizes, float64(len(run.consistent))), append(at, float64(i+1))
		errs = append(errs, worst)
		if used == int(hard) {
			break // the c-th test is spent: asking one more query would start a test that is not paid for
		}
	}
	s.figure("queries answered", float64(answered), "of "+text(float64(k)))
	s.figure("hard ones", float64(used), "paid for; the others came free")
	s.figure("of which α/50 rules the truth out", float64(ruledOut), "the slide keeps databases within α/50 of the answer; here α/2 and the noise's 99.9 % quantile")
	s.figure("databases left", float64(len(run.consistent)), "of "+text(float64(start)))
	s.figure("largest error", worst, "wanted: "+text(alpha))
	fresh := mechanisms.Laplace{Epsilon: epsilon / float64(k), Sensitivity: 1 / n}
	s.figure("answering all afresh", fresh.Scale(), "expected error of each at ε/k")
	s.say("%d of %d queries were hard; the test that decides is noisy itself, and is paid for.", used, answered)
	s.say("Correlated queries come free: once the consistent databases agree, their median is the answer.")
	s.plot(chart.Chart{Title: "Consistent databases left", X: chart.Axis{Label: "query", Log: true}, Y: chart.Axis{Label: "databases", Log: true},
		Series: []chart.Series{{Name: "left", X: at, Y: sizes, Step: true}}})
	s.plot(chart.Chart{Title: "Largest error so far", X: chart.Axis{Label: "query", Log: true}, Y: chart.Axis{Label: "error"},
		Series: []chart.Series{{Name: "error", X: at, Y: errs, Step: true}}, Marks: []chart.Mark{chart.Horizontal(alpha, "α")}})
	s.spend("easy or hard", "sparse-vector", param.Values{"epsilon": param.NumberValue(epsilon / 2), "sensitivity": param.NumberValue(run.test.Sensitivity),
		"threshold": param.NumberValue(-wanted), "positives": param.WholeValue(hard), "queries": param.WholeValue(float64(k))}, 1)
	s.spendLaplace("hard answers", run.answer, hard)
}
