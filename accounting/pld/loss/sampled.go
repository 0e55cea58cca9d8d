package loss

import (
	"math"

	"epsiloscope/accounting/special"
)

// Distributions made of others.

// Subsample returns the loss of (1−q)Q + qP against Q, from that of P against Q: a record that
// is sampled with probability q against one that is absent. A loss L becomes ln(1 − q + q·e^L);
// if P has no mass and Q has Bottom, the loss is ln(1−q).
func Subsample(q float64, inner Distribution) Distribution {
	out := Distribution{Top: q * inner.Top, Feared: q * inner.Feared, Rounded: inner.Rounded, Slack: inner.Slack}
	for _, a := range inner.Atoms {
		l := special.LogMix(q, a.Loss)
		out.Atoms = append(out.Atoms, Atom{l, a.LogP - a.Loss + l})
		out.Rounded = math.Max(out.Rounded, inner.Rounded+math.Abs(a.LogP)+math.Abs(a.Loss))
	}
	if inner.Bottom > 0 {
		out.Atoms = append(out.Atoms, Atom{math.Log1p(-q), math.Log1p(-q) + math.Log(inner.Bottom)})
	} else { // an estimate may have more Q-mass than 1
		out.Slack -= inner.Bottom
	}
	for _, d := range inner.Densities {
		d = d.rebase()
		d.Num = mix(q, d.Den, d.Num)
		out.Densities = append(out.Densities, d)
	}
	return out
}

// SampledAdd returns the reverse, Q against (1−q)Q + qP, from the loss of Q against P.
func SampledAdd(q float64, inner Distribution) Distribution {
	return Subsample(q, inner.Reverse()).Reverse()
}

// rebase returns the density with Q as its base if Den is a single term: then the loss is ln
// Num, which is accurate however small it is. A normal base is moved to 0.
func (d Density) rebase() Density {
	if len(d.Den) != 1 {
		return d
	}
	den, move := d.Den[0], 0.0
	d.LogScale, d.Slope = d.LogScale+den.Shift, d.Slope+den.Rate
	if d.Sigma > 0 {
		square := d.Sigma * d.Sigma
		if move = d.Slope * square; d.Lattice { // integers stay integers
			move = math.Round(move)
		}
		d.LogScale, d.Slope = d.LogScale+move*(d.Slope-move/square/2), d.Slope-move/square
		d.Lo, d.Hi = d.Lo-move, d.Hi-move
	}
	num := make(Sum, len(d.Num))
	for i, t := range d.Num {
		rate := t.Rate - den.Rate
		num[i] = Term{t.Weight, rate, t.Shift - den.Shift + rate*move}
	}
	d.Num, d.Den = num, one
	return d
}

// RevealedMixture returns the loss of a release that is the i-th of several with probability
// weights[i] and reveals which: amplification by sampling if the sample is public.
func RevealedMixture(weights []float64, parts []Distribution) Distribution {
	var out Distribution
	for i, p := range parts {
		w := weights[i]
		if !(w > 0) {
			continue
		}
		for _, a := range p.Atoms {
			out.Atoms = append(out.Atoms, Atom{a.Loss, a.LogP + math.Log(w)})
		}
		for _, d := range p.Densities {
			d.LogScale += math.Log(w)
			out.Densities = append(out.Densities, d)
		}
		out.Top += w * p.Top
		out.Feared += w * p.Feared
		out.Rounded = math.Max(out.Rounded, p.Rounded+math.Abs(math.Log(w)))
		out.Bottom += w * p.Bottom
		out.Slack += w * p.Slack
	}
	return out
}

// Reverse returns the loss of Q against P: −L, with the Q-mass of L.
func (d Distribution) Reverse() Distribution {
	out := Distribution{Top: d.Bottom, Bottom: d.Top, Rounded: d.Rounded, Slack: d.Slack}
	for _, a := range d.Atoms {
		out.Atoms = append(out.Atoms, Atom{-a.Loss, a.LogP - a.Loss})
		out.Rounded = math.Max(out.Rounded, d.Rounded+math.Abs(a.LogP)+math.Abs(a.Loss))
	}
	turn := func(s Sum) Sum {
		t := make(Sum, len(s))
		for i, x := range s {
			t[i] = Term{x.Weight, -x.Rate, x.Shift}
		}
		return t
	}
	for _, e := range d.Densities {
		e.Slope, e.Lo, e.Hi = -e.Slope, -e.Hi, -e.Lo
		e.Num, e.Den = turn(e.Den), turn(e.Num)
		out.Densities = append(out.Densities, e)
	}
	return out
}

// Symmetrize returns the symmetric loss with d's losses above 0, their mirror images below 0 and the remaining
// mass at 0; d's P-mass at +∞ is kept. The P- and the Q-mass of the losses above 0 must not exceed 1 together,
// as those of a sampled release do not.
func (d Distribution) Symmetrize() Distribution {
	_, above := d.split(0, func(e *Density) float64 { return e.Reach(0) })
	below := above.Of.Reverse()
	out := Distribution{Top: d.Top, Bottom: d.Top, Feared: d.Feared,
		Rounded: math.Max(d.Rounded, below.Rounded), Slack: d.Slack}
	out.Atoms = append(append(out.Atoms, above.Of.Atoms...), below.Atoms...)
	out.Densities = append(append(out.Densities, above.Of.Densities...), below.Densities...)
	if zero := 1 - d.Top - above.P - above.Q; zero > 0 {
		out.Atoms = append(out.Atoms, Atom{0, math.Log(zero)})
		out.Rounded = math.Max(out.Rounded, above.Err/(zero*unit)) // it is what the others leave
	}
	return out
}
