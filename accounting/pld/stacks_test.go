package pld_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
)

// stack is a random stack, once as the accountant is told of it and once as an attacker
// sees it.
type stack struct {
	parts  []pairs.Part
	worlds []world // the truth is the worst of these, or above it if not tight
	tight  bool    // the pairs are attained: the interval must be narrow
	delta  float64
	option pld.Options
	text   string
	crowd  bool // an entry is about what many people send
}

// release is a line of a stack. The first attack is what the lower end may count on;
// of a tight release there is no other.
type release struct {
	pair    pairs.Pair
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
	pair  pairs.Pair
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
	out := release{adj.of(pairs.Subsample(rate, a.pair)), []noise{one.sampled(rate)}, times == 1,
		fmt.Sprintf("%s sampled at %.17g", a.text, rate)}
	switch {
	case adj.replace: // it moved the answer up, and another record moves it down
		out.attacks = append(out.attacks,
			a.noise(shifts{0: 1 - rate, a.step: rate}, shifts{0: 1 - rate, -a.step: rate}))
	case adj.group > 1:
		out.attacks = append(out.attacks, a.noise(chosen(adj.group, rate, a.step), still))
	}
	return out
}

// of returns the pair under an adjacency.
func (adj adjacency) of(p pairs.Pair) pairs.Pair {
	if adj.replace {
		return pairs.Replace(p)
	}
	return pairs.Group(p, adj.group)
}

// general is a promise without a noise of its own; times is the same promise for
// several steps, nil if none is known.
type general struct {
	pair  pairs.Pair
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
		return release{adj.of(pairs.Subsample(rate, g.pair)), []noise{g.noise.sampled(rate)}, steps == 1,
			fmt.Sprintf("%s sampled at %.17g", g.text, rate)}
	case steps > 1 && g.times != nil:
		return release{adj.of(g.pair), []noise{g.times(steps)}, true, g.text}
	}
	return release{adj.of(g.pair), []noise{g.noise}, steps == 1, g.text}
}

func gaussianLine(mu float64) additive {
	return additive{pairs.Gaussian(mu), mu, gaussianNoise, fmt.Sprintf("Gaussian(%.17g)", mu)}
}

func laplaceLine(epsilon float64) additive {
	return additive{pairs.Laplace(epsilon), epsilon, laplaceNoise, fmt.Sprintf("Laplace(%.17g)", epsilon)}
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
		return additive{pairs.DiscreteLaplace(1/e, d), float64(d), noise, fmt.Sprintf("DiscreteLaplace(%.17g, %d)", 1/e, d)}.under(adj, rate)
	case 3:
		d, sigma := 1+r.IntN(2), math.Min(1/e, 200)
		noise := func(a, b shifts) noise { return discreteGaussianNoise(sigma, a, b) }
		return additive{pairs.DiscreteGaussian(sigma, d), float64(d), noise, fmt.Sprintf("DiscreteGaussian(%.17g, %d)", sigma, d)}.under(adj, rate)
	case 4:
		times := func(k float64) noise { return promisedSteps(e, 0, int(k)) }
		return general{pairs.Pure(e), promised(e, 0), times, fmt.Sprintf("Pure(%.17g)", e)}.under(adj, rate)
	case 5:
		times := func(k float64) noise { return promisedSteps(e, fail, int(k)) }
		return general{pairs.Approximate(e, fail), promised(e, fail), times, fmt.Sprintf("Approximate(%.17g, %.17g)", e, fail)}.under(adj, rate)
	case 6:
		answers := 3 + r.IntN(18)
		return general{pairs.Response(e, answers), choiceNoise(e, answers), nil,
			fmt.Sprintf("Response(%.17g, %d)", e, answers)}.under(adj, rate)
	default:
		times := func(k float64) noise { return rangeNoise(k * e) }
		return general{pairs.BoundedRange(e), rangeNoise(e), times, fmt.Sprintf("BoundedRange(%.17g)", e)}.under(adj, rate)
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
	// beside the others, whose draws stay as they are
	if crowd := rand.New(rand.NewPCG(seed, 4)); crowd.IntN(5) == 0 && most <= 6 {
		l := drawCrowd(crowd, math.Exp(logBetween(crowd, 0.1, 2.5)))
		s.add(general{l.pair, l.attacks[0], nil, l.text}.alone(adj, l.attacks[1:]), 1+crowd.IntN(2))
		s.crowd = true
	}
	s.text += fmt.Sprintf("%+v", adj)
	return s
}

// drawCrowd draws a release on what many people send, or on how many there are: shuffled reports, a frequency oracle,
// the choice of groups to show. The first attack is the one behind the lower end.
func drawCrowd(r *rand.Rand, e float64) release {
	switch r.IntN(4) {
	case 0, 1:
		// reports, shuffled: the others hold one value, which the person has without the record or with it, or half of
		// them the other
		n, answers := 2+r.IntN(30), 2+r.IntN(3)
		all := math.Exp(e) + float64(answers) - 1
		own, other, weight := math.Exp(e)/all, 1/all, (math.Exp(e)+1)/all
		pair := pairs.Shuffle(pairs.Reports{Epsilon: e, Weight: math.Min(1, weight), Own: own,
			Other: other}, float64(n))
		count := func(ones int) noise { return countNoise(n-1, ones, own, other) }
		return release{pair, []noise{count(0), count(0).swapped(), count((n - 1) / 2)}, false,
			fmt.Sprintf("Shuffle(%.17g of %d, %d people)", e, answers, n)}
	case 2: // a frequency oracle: with probability w the report tells the two values apart
		w := 0.05 + 0.9*r.Float64()
		truth, lie := w/(1+math.Exp(-e)), w/(1+math.Exp(e))
		pair := pairs.RevealedMixture([]float64{1 - w, w}, []pairs.Pair{pairs.Pure(0), pairs.Pure(e)})
		return release{pair, []noise{{points: []outcome{unresolvedPoint(truth, lie), unresolvedPoint(lie, truth),
			unresolvedPoint(1-w, 1-w)}}}, true, fmt.Sprintf("Oracle(%.17g, %.17g)", e, w)}
	default: // a noisy number of people above a threshold: of a group of many, or of one that is new
		tau := math.Exp(logBetween(r, 1e-12, 1e-4))
		fresh := noise{points: []outcome{unresolvedPoint(tau, 0), unresolvedPoint(1-tau, 1)}}
		return release{pairs.NoisyThreshold(pairs.Laplace(e), tau), []noise{laplaceNoise(shifts{e: 1}, still), fresh},
			false, fmt.Sprintf("NoisyThreshold(Laplace(%.17g), %.17g)", e, tau)}
	}
}

// alone returns a release that is not sampled, with what other attacks on it there are.
func (g general) alone(adj adjacency, more []noise) release {
	l := g.under(adj, 1)
	l.attacks, l.tight = append(l.attacks, more...), false
	return l
}

// swapped returns the noise of discrete outcomes with both data sets exchanged.
func (n noise) swapped() (out noise) {
	for _, o := range n.points {
		out.points = append(out.points, unresolvedPoint(o.without, o.with))
	}
	return out
}

// countNoise returns how many of the reports support a value if a person holds it, or not, and some of the others do.
func countNoise(others, holders int, own, other float64) noise {
	counts := []float64{1}
	for i := range others {
		p := other
		if i < holders {
			p = own
		}
		next := make([]float64, len(counts)+1)
		for j, x := range counts {
			next[j] += x * (1 - p)
			next[j+1] += x * p
		}
		counts = next
	}
	counts = append(counts, 0)
	var n noise
	before := 0.0
	for _, x := range counts {
		n.points = append(n.points, unresolvedPoint(x*(1-own)+before*own, x*(1-other)+before*other))
		before = x
	}
	return n
}

// add puts a line on the stack. In the first world every release is attacked as its
// lower end may count on, in further ones as cleverly as is known.
func (s *stack) add(l release, count int) {
	s.parts = append(s.parts, pairs.Part{Pair: l.pair, Count: float64(count)})
	s.text += fmt.Sprintf("%s × %d, ", l.text, count)
	if len(s.worlds) == 0 {
		s.worlds, s.tight = make([]world, 1), true
	}
	for len(s.worlds) < len(l.attacks) {
		s.worlds = append(s.worlds, slices.Clone(s.worlds[len(s.worlds)-1]))
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
	branches := make([][]pairs.Part, 2+r.IntN(2))
	seen := make([]world, len(branches))
	for b := range branches {
		s.text += fmt.Sprintf("branch %d: ", b)
		for range 1 + r.IntN(2) {
			fail := math.Min(0.1, s.delta*math.Exp(logBetween(r, 1e-8, 0.5)))
			l := drawRelease(r, math.Exp(logBetween(r, 0.05, 2)), fail, adjacency{group: 1})
			branches[b] = append(branches[b], pairs.Part{Pair: l.pair, Count: 1})
			seen[b] = append(seen[b], line{l.attacks[0], rounds, false})
			s.text += l.text + ", "
		}
	}
	s.parts = []pairs.Part{{Pair: pairs.Parallel(branches, adj.replace), Count: float64(rounds)}}
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
