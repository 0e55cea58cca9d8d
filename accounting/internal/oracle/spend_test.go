package oracle

import "math"

// Offer is a release an attacker may pay for: the chances of its outcomes under either
// data set.
type Offer struct{ P, Q []float64 }

// Purse is how an attacker stands who chooses what to pay for, and how much, by what
// was seen: what can still be bought, and what stopping here is worth.
type Purse interface {
	// Open are the offers that may be taken at this privacy loss, and the purse after
	// each.
	Open(loss float64) ([]Offer, []Purse)
	// Stop returns what an end with the chances p and q is worth.
	Stop(p, q float64) float64
}

// Spend returns what the best strategy reaches, over all ways of choosing and stopping by
// looking.
func Spend(purse Purse) float64 { return spend(purse, 1, 1) }

func spend(purse Purse, p, q float64) float64 {
	best := purse.Stop(p, q)
	offers, after := purse.Open(math.Log(p / q))
	for i, o := range offers {
		sum := 0.0
		for j := range o.P {
			switch {
			case o.P[j] == 0 && o.Q[j] == 0:
			case o.P[j] == 0 || o.Q[j] == 0: // all is known
				sum += after[i].Stop(p*o.P[j], q*o.Q[j])
			default:
				sum += spend(after[i], p*o.P[j], q*o.Q[j])
			}
		}
		best = math.Max(best, sum)
	}
	return best
}

// Excess returns what an end is worth at ε = ln lift: its part of δ.
func Excess(p, q, lift float64) float64 { return math.Max(0, p-lift*q) }

// Coin returns randomized response.
func Coin(epsilon float64) Offer {
	truth, lie := 1/(1+math.Exp(-epsilon)), 1/(1+math.Exp(epsilon))
	return Offer{[]float64{truth, lie}, []float64{lie, truth}}
}

// Leak has the loss t with probability η, and next to none otherwise.
func Leak(t, eta float64) Offer {
	return Offer{[]float64{eta, 1 - eta}, []float64{eta * math.Exp(-t), 1 - eta*math.Exp(-t)}}
}

// Failing returns randomized response that gives everything away with probability δ.
func Failing(epsilon, delta float64) Offer {
	c := Coin(epsilon)
	for i := range 2 {
		c.P[i], c.Q[i] = c.P[i]*(1-delta), c.Q[i]*(1-delta)
	}
	return Offer{append(c.P, delta, 0), append(c.Q, 0, delta)}
}

// Turned returns the offer with the data sets changed about.
func (o Offer) Turned() Offer { return Offer{o.Q, o.P} }

// Renyi returns the divergence of order α, in the worse direction.
func (o Offer) Renyi(alpha float64) float64 {
	one := func(p, q []float64) float64 {
		more, top := 0.0, 0.0 // E_Q[(p/q)^α] − 1, as 1 would swallow what is left of a small one
		for i := range p {
			if p[i] > 0 || q[i] > 0 {
				r := math.Log(p[i]) - math.Log(q[i])
				more += q[i] * (math.Expm1(alpha*r) - alpha*(p[i]/q[i]-1))
				top = math.Max(top, alpha*r)
			}
		}
		if top < 300 {
			return math.Log1p(more) / (alpha - 1)
		}
		sum := 0.0 // relative to the largest, which float64 may not hold
		for i := range p {
			sum += math.Exp(alpha*math.Log(p[i]) + (1-alpha)*math.Log(q[i]) - top)
		}
		return (top + math.Log(sum)) / (alpha - 1)
	}
	return math.Max(one(o.P, o.Q), one(o.Q, o.P))
}

// Both returns the release of two offers together.
func Both(a, b Offer) (o Offer) {
	for i := range a.P {
		for j := range b.P {
			o.P, o.Q = append(o.P, a.P[i]*b.P[j]), append(o.Q, a.Q[i]*b.Q[j])
		}
	}
	return o
}

// Delta returns the δ of an offer at ε = ln lift, in the worse direction.
func (o Offer) Delta(lift float64) float64 {
	there, back := 0.0, 0.0
	for i := range o.P {
		there, back = there+Excess(o.P[i], o.Q[i], lift), back+Excess(o.Q[i], o.P[i], lift)
	}
	return math.Max(there, back)
}

// Largest returns the largest x in [0, 1] that is allowed, from below; smaller ones are.
func Largest(allowed func(x float64) bool, steps int) float64 {
	low, high := 0.0, 1.0
	if allowed(high) {
		return high
	}
	for range steps {
		if x := (low + high) / 2; allowed(x) {
			low = x
		} else {
			high = x
		}
	}
	return low
}
