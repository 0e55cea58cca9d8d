package pld_test

import (
	"math"
	"math/rand/v2"
)

// sampler draws the noise of one release under the tilted law, whose density is that
// of the data set with the record times e^{θ·loss}/M: there, large losses are common.
// It is exact: a staircase above the density, and rejection under it.
type sampler struct {
	noise  noise
	add    bool
	theta  float64
	logM   float64
	stairs []stair
	alias  aliasTable
	broken bool // the staircase was found below the density
}

// stair is a range of outcomes with a height, or a single one of known loss.
type stair struct{ from, width, height, loss float64 }

func newSampler(n noise, add bool, theta float64) *sampler {
	s := &sampler{noise: n, add: add, theta: theta}
	var weights []float64
	points := n.points
	if add {
		points = reversed(points)
	}
	total := 0.0
	for _, o := range points {
		if o.with > 0 && !math.IsInf(o.hi, 1) { // infinite losses are added by hand
			w := o.with * math.Exp(theta*o.lo)
			s.stairs, weights, total = append(s.stairs, stair{loss: o.lo}), append(weights, w), total+w
		}
	}
	for i := 1; i < len(n.knots); i++ {
		const pieces = 3000
		from, width := n.knots[i-1], (n.knots[i]-n.knots[i-1])/pieces
		for k := range pieces {
			a := from + float64(k)*width
			height := 0.0
			for _, u := range [3]float64{0, 0.5, 1} {
				f, _ := s.density(a + u*width)
				height = math.Max(height, 1.01*f)
			}
			for _, g := range legendre {
				f, _ := s.density(a + width*(1+g[0])/2)
				total += f * g[1] * width / 2
			}
			s.stairs, weights = append(s.stairs, stair{a, width, height, 0}), append(weights, height*width)
		}
	}
	s.logM, s.alias = math.Log(total), newAlias(weights)
	return s
}

// density is that of the tilted law, not yet divided by M, and the loss.
func (s *sampler) density(x float64) (f, loss float64) {
	p, q := s.noise.with(x), s.noise.without(x)
	if s.add {
		p, q = q, p
	}
	loss = math.Log(p / q)
	return p * math.Exp(s.theta*loss), loss
}

func (s *sampler) draw(r *rand.Rand) (loss float64) {
	for {
		step := s.stairs[s.alias.draw(r)]
		if step.width == 0 {
			return step.loss
		}
		f, loss := s.density(step.from + step.width*r.Float64())
		s.broken = s.broken || f > step.height
		if r.Float64()*step.height < f {
			return loss
		}
	}
}

// aliasTable draws an index with given weights in constant time (Walker 1977).
type aliasTable struct {
	keep  []float64
	other []int
}

func newAlias(weights []float64) aliasTable {
	n, sum := len(weights), 0.0
	for _, w := range weights {
		sum += w
	}
	t := aliasTable{make([]float64, n), make([]int, n)}
	var small, large []int
	for i, w := range weights {
		t.keep[i], t.other[i] = w/sum*float64(n), i
		if t.keep[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		a, b := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		t.other[a] = b
		if t.keep[b] -= 1 - t.keep[a]; t.keep[b] < 1 {
			large, small = large[:len(large)-1], append(small, b)
		}
	}
	return t
}

func (t aliasTable) draw(r *rand.Rand) int {
	i := r.IntN(len(t.keep))
	if r.Float64() < t.keep[i] {
		return i
	}
	return t.other[i]
}

// experiment is a world played many times: the total loss of each play.
type experiment struct {
	theta, logM float64
	losses      []float64
	endless     float64 // probability of an infinite loss
	sound       bool
}

func (w world) play(add bool, delta float64, plays int, seed uint64) experiment {
	r := rand.New(rand.NewPCG(seed, 7))
	lists := make([]list, len(w))
	whole := 1.0 // probability that nothing fails
	for i, l := range w {
		all := l.noise.outcomes(1000)
		if add {
			all = reversed(all)
		}
		lists[i] = spread(all, true)
		whole *= math.Pow(1-lists[i].endless, float64(l.count))
	}
	e := experiment{theta: w.tilt(lists, delta), losses: make([]float64, plays), endless: 1 - whole, sound: true}
	for _, l := range w {
		s := newSampler(l.noise, add, e.theta)
		e.logM += float64(l.count) * s.logM
		for i := range e.losses {
			for range l.count {
				e.losses[i] += s.draw(r)
			}
		}
		e.sound = e.sound && !s.broken
	}
	return e
}

// limits returns confidence limits of δ(ε), each wrong with probability 1e-10 at most, by
// the empirical Bernstein bound (Maurer & Pontil 2009, Theorem 4).
//
// δ(ε) = E[(1 − e^{ε−L})₊] is the mean, under the tilted law, of
// M·e^{−θL}(1 − e^{ε−L})₊, which lies between 0 and M·e^{−θε}·max_x e^{−θx}(1 − e^{−x}).
func (e experiment) limits(epsilon float64) (lower, upper float64) {
	const chance = 1e-10
	n := float64(len(e.losses))
	scale := math.Exp(e.logM - e.theta*epsilon)
	most := math.Pow(e.theta/(1+e.theta), e.theta) / (1 + e.theta)
	var sum, square float64
	for _, loss := range e.losses {
		if x := loss - epsilon; x > 0 {
			y := math.Exp(-e.theta*x) * -math.Expm1(-x) / most // in [0, 1]
			sum, square = sum+y, square+y*y
		}
	}
	mean := sum / n
	variance := math.Max(0, square/n-mean*mean) * n / (n - 1)
	off := math.Sqrt(2*variance*math.Log(2/chance)/n) + 7*math.Log(2/chance)/(3*(n-1))
	return scale*most*math.Max(0, mean-off) + e.endless, scale*most*(mean+off) + e.endless
}
