package labs

import (
	"math"
	"math/rand/v2"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// tuning: the best of several runs is released and the others are not. If the number of runs is
// fixed, that can cost as much as releasing all of them; if it is random and secret, it does
// not (Liu & Talwar 2019; Papernot & Steinke 2022).
var tuning = Lab{
	Name: "tuning", Title: "Tuning that leaks",
	Summary:   "the best of a fixed number of runs leaks as if all were released; the best of a random number costs two or three times one run",
	Adjacency: mechanisms.Replace, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "privacy loss of one run", 0.5, 0.05, 2),
		whole("tries", "K", "runs, on average where their number is random", 5, 2, 50),
		whole("samples", "", "simulated tunings in each world", 100_000, 1000, 1_000_000),
	},
	run: runTuning,
}

func runTuning(s *trial) {
	epsilon, tries, samples := s.number("epsilon"), s.whole("tries"), s.whole("samples")
	// One run says by randomized response whether the model is good: in one world it is bad,
	// in the other, with one record changed, it is good. The best run is bad only if all are.
	answer := mechanisms.RandomizedResponse{Epsilon: epsilon, Categories: 2}
	truth, noise := answer.Truth(), answer.Noise()
	geometric, logarithmic := 1/float64(tries), accounting.Runs{Mean: float64(tries)}.Gamma()
	ways := []struct {
		name  string
		most  float64 // proven
		count func(*rand.Rand) int
		bad   func(x float64) float64 // E[x^K]: all runs bad, each with probability x
	}{
		{"fixed", float64(tries) * epsilon, func(*rand.Rand) int { return tries }, func(x float64) float64 { return math.Pow(x, float64(tries)) }},
		{"geometric", bestOfPure(epsilon, float64(tries), 1), func(r *rand.Rand) int { return 1 + int(math.Log(1-r.Float64())/math.Log1p(-geometric)) },
			func(x float64) float64 { return geometric * x / (1 - (1-geometric)*x) }},
		{"logarithmic", bestOfPure(epsilon, float64(tries), 0), func(r *rand.Rand) int { return logarithmicDraw(r, logarithmic) },
			func(x float64) float64 { return math.Log1p(-(1-logarithmic)*x) / math.Log(logarithmic) }},
	}
	table := Table{Title: "Privacy loss of “even the best run was bad”", Columns: []string{"number of runs", "measured", "exactly", "at most"}, Costs: true}
	p := chart.Chart{Title: "Loss of the best run, by how their number is chosen", Y: chart.Axis{Label: "ε"},
		Marks: []chart.Mark{chart.Horizontal(epsilon, "one run"), chart.Horizontal(float64(tries)*epsilon, "all of them released")}}
	var first [2][]bool // whether the best of a fixed number was bad, in the first tunings of each world
	for i, way := range ways {
		seen := [2]float64{}
		for world := range seen {
			r := s.rand(uint64(2*i + world))
			for n := range samples {
				s.reportProgress((2*i+world)*samples+n, 2*len(ways)*samples)
				best := 0
				for range way.count(r) {
					lie := int(noise.Rand(r)) // 0 or 1
					best = max(best, lie^world)
				}
				if best == 0 {
					seen[world]++
				}
				if i == 0 && n < 400 {
					first[world] = append(first[world], best == 0)
				}
			}
		}
		measured := math.Log(math.Max(1, seen[0]) / math.Max(1, seen[1]))
		exact := math.Log(way.bad(truth) / way.bad(1-truth))
		s.addUpperBound(way.name+", exactly", exact, "loss of the outcome “the best run was bad”; measured "+upperText(measured)+", at most "+upperText(way.most))
		table.Rows = append(table.Rows, Row{way.name, []float64{measured, exact, way.most}})
		p.Bars = append(p.Bars, chart.Bar{Label: way.name, Value: exact})
	}
	s.watchTunings(first, tries, ways[0].bad(truth), ways[0].bad(1-truth))
	s.addTable(table)
	s.addChart(p)
	s.addSentence("A run is %s-DP. That even the best of %s fixed tries was bad says that all were: a loss of %s, as if every run had been released. If the number of tries is drawn at random and kept secret, few tries may be the reason, and the loss stays below %s (geometric) or %s (logarithmic), however many there are on average.",
		text(epsilon), text(float64(tries)), upperText(ways[0].most), upperText(ways[1].most), upperText(ways[2].most))
	bad, at := ways[0].bad, float64(tries)*epsilon/2
	s.addLeak(Leak{"“even the best run was bad”", at, bad(truth) - math.Exp(at)*bad(1-truth), 0})
	s.spend("all tries, as a fixed number costs", "randomized-response", epsilonValue(epsilon), float64(tries))
}

// watchTunings shows how often even the best run was bad, as tunings add up in the two
// worlds.
func (s *trial) watchTunings(first [2][]bool, tries int, here, there float64) {
	s.startSequence(Sequence{Columns: []string{"D", "D′", "exactly, D", "exactly, D′"}, CurveCount: 4})
	word := map[bool]string{true: "bad", false: "good"}
	bad := [2]float64{}
	for n := range first[0] {
		for world := range bad {
			if first[world][n] {
				bad[world]++
			}
		}
		done := float64(n + 1)
		s.addStep(false, []float64{bad[0] / done, bad[1] / done, here, there},
			"Tuning %d: the best of %d runs is %s on D, where the model is bad, and %s on D′. Bad so far: %s of them against %s.", n+1, tries,
			word[first[0][n]], word[first[1][n]], text(bad[0]/done), text(bad[1]/done))
	}
}

// bestOfPure returns the ε of the best of a random number of pure runs, (2+η)ε.
func bestOfPure(epsilon, mean, shape float64) float64 {
	most, _, err := accounting.BestOf(accounting.PureDP(epsilon),
		accounting.Runs{Mean: mean, Shape: shape}).Approximate()
	if err != nil {
		return math.Inf(1)
	}
	return most
}

// logarithmicDraw returns a number with P(k) ∝ (1−γ)^k/k.
func logarithmicDraw(r *rand.Rand, gamma float64) int {
	u, k := r.Float64()*math.Log(1/gamma), 1
	for term := 1 - gamma; k < 1e6; k++ {
		if u -= term / float64(k); u <= 0 {
			break
		}
		term *= 1 - gamma
	}
	return k
}
