package spectrum

// What steers the plan of an evaluation: cumulants by coarse rules, which prove nothing.

import (
	"context"
	"math"
	"sync"

	"epsiloscope/accounting/pld/loss"
)

// outlined is a truncated loss, with a coarse rule and the cumulants it gave so far.
type outlined struct {
	loss.Distribution
	key     string
	coarse  loss.Rule  // none where it is not needed
	weights []float64  // of its nodes
	curve   float64    // Σ w·(e^{−ℓ} − 1 + ℓ), the part of S that is linear in the tilt
	reach   float64    // about the largest |loss|
	kappa   [5]float64 // the second, third and fourth cumulant of the untilted loss
	mu      sync.Mutex
	at      map[uint64]cumulants // by the bits of the tilt
	theta   float64              // of the patches
	patches []loss.Patch
}

func outline(d loss.Distribution, key string) (*outlined, int) {
	o := &outlined{Distribution: d, key: key}
	coarse := d.Coarse()
	var m [5]float64
	for _, n := range coarse.Nodes {
		o.reach = math.Max(o.reach, math.Abs(n.Loss))
		for k, p := 0, math.Exp(n.LogW); k < len(m); k, p = k+1, p*n.Loss {
			m[k] += p
		}
	}
	o.kappa = [5]float64{2: m[2] - m[1]*m[1], 3: m[3] - 3*m[1]*m[2], 4: m[4] - 3*m[2]*m[2]}
	bytes := 16*len(d.Atoms) + 1<<10
	if !o.small(usualTilt) {
		o.keep(coarse)
		bytes += 40*len(coarse.Nodes) + 8<<10 // and the cumulants at many tilts
	}
	return o, bytes
}

// usualTilt is the tilt up to which a loss must be small for its coarse rule not to be kept. The
// rules of many small losses would take most of the memory.
const usualTilt = 40

// small reports whether a series in θ gives the cumulants at a tilt to a hundredth.
func (o *outlined) small(theta float64) bool {
	return o.reach*(1+theta) < 0.5 && o.Top == 0 && o.Bottom == 0
}

// cumulants returns the cumulants of the coarse rule. For small losses they are a series in θ,
// with the linear term such that ln M(−1) = 0.
func (o *outlined) cumulants(theta float64) cumulants {
	if o.small(theta) {
		k, t := o.kappa, theta
		return cumulants{
			log:      k[2]*t*(t+1)/2 + k[3]*t*(t*t-1)/6 + k[4]*t*(t*t*t+1)/24,
			mean:     k[2]*(t+0.5) + k[3]*(3*t*t-1)/6 + k[4]*(4*t*t*t+1)/24,
			variance: k[2] + k[3]*t + k[4]*t*t/2,
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	c, ok := o.at[math.Float64bits(theta)]
	if !ok {
		if len(o.at)%256 == 0 {
			o.at = map[uint64]cumulants{}
		}
		if len(o.coarse.Nodes) == 0 {
			o.keep(o.Coarse())
		}
		if c, ok = o.near(theta); !ok {
			c = plainCumulants(context.Background(), o.coarse, theta)
		}
		o.at[math.Float64bits(theta)] = c
	}
	return c
}

func (o *outlined) keep(coarse loss.Rule) {
	o.coarse, o.weights, o.curve = coarse, make([]float64, len(coarse.Nodes)), 0
	for i, n := range coarse.Nodes {
		o.weights[i] = math.Exp(n.LogW)
		o.curve += o.weights[i] * expm2(-n.Loss, math.Expm1(-n.Loss))
	}
}

// near returns [cumulantsOf] of the coarse rule without its errors, with one exponential per
// node. ok is false if M is far from 1.
func (o *outlined) near(theta float64) (c cumulants, ok bool) {
	slope := o.curve + o.Bottom - o.Top
	excess, second := theta*slope-o.Top, 0.0
	for i, w := range o.weights {
		l := o.coarse.Nodes[i].Loss
		a := theta * l
		e1, e2 := 0.0, 0.0
		if math.Abs(a) < 0.3 {
			e2 = expm2(a, 0)
			e1 = a + e2
		} else {
			e1 = math.Exp(a) - 1
			e2 = e1 - a
		}
		excess += w * e2
		slope += w * l * e1
		second += w * (1 + e1) * l * l
		if !(excess < 0.5) {
			return c, false
		}
	}
	m := 1 + excess
	c = cumulants{log: math.Log1p(excess), mean: slope / m}
	c.variance = math.Max(0, second/m-c.mean*c.mean)
	return c, true
}

// spread returns the patches of the loss.
func (o *outlined) spread(theta float64) []loss.Patch {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.theta != theta {
		o.theta, o.patches = theta, o.Spread(theta)
	}
	return o.patches
}

// outline returns the cumulants of the composed loss by the coarse rules.
func (s *truncated) outline(theta float64) (log, mean, variance float64) {
	log, mean, variance = s.square*theta*(theta+1)/2, s.square*(theta+0.5), s.square
	for _, l := range s.lines {
		if s.ctx.Err() != nil {
			return math.NaN(), math.NaN(), math.NaN()
		}
		c := l.cumulants(theta)
		log += l.count * c.log
		mean += l.count * c.mean
		variance += l.count * c.variance
	}
	if s.apart {
		return s.outlineRare(theta, log, mean, variance)
	}
	return log, mean, variance
}
