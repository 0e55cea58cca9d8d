package pld_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"epsiloscope/accounting/pld"
)

// stack is a random stack, once as the accountant is told of it and once as an attacker
// sees it.
type stack struct {
	parts  []pld.Part
	worlds []world // the truth is the worst of these, or above it if not tight
	tight  bool    // the pairs are attained: the interval must be narrow
	delta  float64
	option pld.Options
	text   string
}

// release is a line of a stack. The first attack is what the lower end may count on;
// of a tight release there is no other.
type release struct {
	pair    pld.Pair
	attacks []noise
	tight   bool
	text    string
}

// adjacency is how two neighbouring data sets differ.
type adjacency struct {
	group   int // records of one person
	replace bool
}

// additive is noise added to a query whose answer moves by step.
type additive struct {
	pair  pld.Pair
	step  float64
	noise func(with, without shifts) noise
	text  string
}

// under returns the release when a record takes part with probability rate.
func (a additive) under(adj adjacency, rate float64) release {
	one := a.noise(shifts{a.step: 1}, still)
	times := float64(adj.group)
	if adj.replace {
		times = 2
	}
	if rate == 1 {
		return release{adj.of(a.pair), []noise{a.noise(shifts{times * a.step: 1}, still)}, true, a.text}
	}
	out := release{adj.of(pld.Subsample(rate, a.pair)), []noise{one.sampled(rate)}, times == 1, fmt.Sprintf("%s sampled at %.17g", a.text, rate)}
	switch {
	case adj.replace: // it moved the answer up, and another record moves it down
		out.attacks = append(out.attacks, a.noise(shifts{0: 1 - rate, a.step: rate}, shifts{0: 1 - rate, -a.step: rate}))
	case adj.group > 1:
		out.attacks = append(out.attacks, a.noise(chosen(adj.group, rate, a.step), still))
	}
	return out
}

// of returns the pair under an adjacency.
func (adj adjacency) of(p pld.Pair) pld.Pair {
	if adj.replace {
		return pld.Replace(p)
	}
	return pld.Group(p, adj.group)
}

// general is a promise without a noise of its own; times is the same promise for
// several steps, nil if none is known.
type general struct {
	pair  pld.Pair
	noise noise
	times func(k float64) noise
	text  string
}

func (g general) under(adj adjacency, rate float64) release {
	steps := float64(adj.group)
	if adj.replace {
		steps = 2
	}
	switch {
	case rate < 1:
		return release{adj.of(pld.Subsample(rate, g.pair)), []noise{g.noise.sampled(rate)}, steps == 1, fmt.Sprintf("%s sampled at %.17g", g.text, rate)}
	case steps > 1 && g.times != nil:
		return release{adj.of(g.pair), []noise{g.times(steps)}, true, g.text}
	}
	return release{adj.of(g.pair), []noise{g.noise}, steps == 1, g.text}
}

func gaussianLine(mu float64) additive {
	return additive{pld.Gaussian(mu), mu, gaussianNoise, fmt.Sprintf("Gaussian(%.17g)", mu)}
}

func laplaceLine(epsilon float64) additive {
	return additive{pld.Laplace(epsilon), epsilon, laplaceNoise, fmt.Sprintf("Laplace(%.17g)", epsilon)}
}

// drawRelease draws a release whose size is about e: its ε, or its μ. If it may fail,
// it does so with probability fail.
func drawRelease(r *rand.Rand, e, fail float64, adj adjacency) release {
	rate := 1.0
	if r.IntN(2) == 0 {
		rate = math.Exp(logBetween(r, 1e-3, 0.9))
	}
	switch r.IntN(8) {
	case 0:
		return gaussianLine(e).under(adj, rate)
	case 1:
		return laplaceLine(e).under(adj, rate)
	case 2:
		d := 1 + r.IntN(4)
		noise := func(a, b shifts) noise { return discreteLaplaceNoise(1/e, a, b) }
		return additive{pld.DiscreteLaplace(1/e, d), float64(d), noise, fmt.Sprintf("DiscreteLaplace(%.17g, %d)", 1/e, d)}.under(adj, rate)
	case 3:
		d, sigma := 1+r.IntN(2), math.Min(1/e, 200)
		noise := func(a, b shifts) noise { return discreteGaussianNoise(sigma, a, b) }
		return additive{pld.DiscreteGaussian(sigma, d), float64(d), noise, fmt.Sprintf("DiscreteGaussian(%.17g, %d)", sigma, d)}.under(adj, rate)
	case 4:
		times := func(k float64) noise { return promisedSteps(e, 0, int(k)) }
		return general{pld.Pure(e), promised(e, 0), times, fmt.Sprintf("Pure(%.17g)", e)}.under(adj, rate)
	case 5:
		times := func(k float64) noise { return promisedSteps(e, fail, int(k)) }
		return general{pld.Approximate(e, fail), promised(e, fail), times, fmt.Sprintf("Approximate(%.17g, %.17g)", e, fail)}.under(adj, rate)
	case 6:
		answers := 3 + r.IntN(18)
		return general{pld.Response(e, answers), choiceNoise(e, answers), nil, fmt.Sprintf("Response(%.17g, %d)", e, answers)}.under(adj, rate)
	default:
		times := func(k float64) noise { return rangeNoise(k * e) }
		return general{pld.BoundedRange(e), rangeNoise(e), times, fmt.Sprintf("BoundedRange(%.17g)", e)}.under(adj, rate)
	}
}

// logBetween returns the logarithm of a number between two others, uniform.
func logBetween(r *rand.Rand, from, to float64) float64 {
	return math.Log(from) + (math.Log(to)-math.Log(from))*r.Float64()
}

// drawStack draws stack number seed: always the same.
func drawStack(seed uint64) stack {
	r := rand.New(rand.NewPCG(seed, 3))
	adj := adjacency{group: 1}
	switch r.IntN(6) {
	case 0:
		adj.group = 2 + r.IntN(2)
	case 1:
		adj.replace = true
	}
	s := stack{delta: math.Exp(logBetween(r, 1e-30, 0.5))}
	s.option.NoForm = r.IntN(2) == 0
	if r.IntN(4) == 0 {
		s.option.Width = 1e-2
	}
	if r.IntN(8) == 0 {
		return s.blocks(r, adj)
	}
	lines, most := 1+r.IntN(4), 6.0
	switch r.IntN(10) {
	case 0:
		lines, most = 1+r.IntN(2), 1e6
	case 1, 2, 3:
		lines, most = 1+r.IntN(3), 3000
	}
	for range lines {
		count := math.Floor(math.Exp(logBetween(r, 1, most+1)))
		e := math.Exp(logBetween(r, 0.01, 5))
		if most > 6 { // many of them, so that ε stays below a few hundred
			e = math.Exp(logBetween(r, 0.1, 3)) / math.Sqrt(count)
		}
		fail := math.Min(0.1, s.delta/count*math.Exp(logBetween(r, 1e-8, 2))) // at times more than all of δ
		s.add(drawRelease(r, e, fail, adj), int(count))
	}
	s.text += fmt.Sprintf("%+v", adj)
	return s
}

// add puts a line on the stack. In the first world every release is attacked as its
// lower end may count on, in the second as cleverly as is known.
func (s *stack) add(l release, count int) {
	s.parts = append(s.parts, pld.Part{Pair: l.pair, Count: float64(count)})
	s.text += fmt.Sprintf("%s × %d, ", l.text, count)
	if len(s.worlds) == 0 {
		s.worlds, s.tight = make([]world, 1, 2), true
	}
	if len(l.attacks) > 1 && len(s.worlds) == 1 {
		s.worlds = append(s.worlds, slices.Clone(s.worlds[0]))
	}
	for i := range s.worlds {
		attack := l.attacks[min(i, len(l.attacks)-1)]
		s.worlds[i] = append(s.worlds[i], line{attack, count, false})
	}
	s.tight = s.tight && l.tight
}

// blocks draws rounds of a block whose branches see disjoint parts of the data. In
// every round an attacker may attack another branch; under replace the record leaves
// one and enters another.
func (s stack) blocks(r *rand.Rand, adj adjacency) stack {
	adj.group = 1
	rounds := 1 + r.IntN(4)
	branches := make([][]pld.Part, 2+r.IntN(2))
	seen := make([]world, len(branches))
	for b := range branches {
		s.text += fmt.Sprintf("branch %d: ", b)
		for range 1 + r.IntN(2) {
			fail := math.Min(0.1, s.delta*math.Exp(logBetween(r, 1e-8, 0.5)))
			l := drawRelease(r, math.Exp(logBetween(r, 0.05, 2)), fail, adjacency{group: 1})
			branches[b] = append(branches[b], pld.Part{Pair: l.pair, Count: 1})
			seen[b] = append(seen[b], line{l.attacks[0], rounds, false})
			s.text += l.text + ", "
		}
	}
	s.parts = []pld.Part{{Pair: pld.Parallel(branches, adj.replace), Count: float64(rounds)}}
	s.text += fmt.Sprintf("%d rounds, %+v", rounds, adj)
	for i, leaving := range seen {
		if !adj.replace {
			s.worlds = append(s.worlds, leaving)
			continue
		}
		for j, entering := range seen {
			if i == j {
				continue
			}
			w := append(world(nil), leaving...)
			for _, l := range entering {
				w = append(w, line{l.noise, l.count, true})
			}
			s.worlds = append(s.worlds, w)
		}
	}
	return s
}
