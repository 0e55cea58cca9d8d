package oracle

// Seen is what an attacker may see of one release: the probability of each outcome
// under either of two data sets, in 320 bits.
type Seen struct {
	P, Q []Real
	p, q []float64 // the same, to search with
}

// NewSeen drops outcomes that neither data set shows.
func NewSeen(p, q []Real) Seen {
	var s Seen
	for i := range p {
		if p[i].Sign() > 0 || q[i].Sign() > 0 {
			s.P, s.Q = append(s.P, p[i]), append(s.Q, q[i])
			s.p, s.q = append(s.p, p[i].Float()), append(s.q, q[i].Float())
		}
	}
	return s
}

// Move is a thing an attacker may choose at a stage: a release to look at, or, where
// Inside is given, a way of cutting the data into parts and the stages that follow.
type Move struct {
	Seen
	Inside []Stage
}

// Stage is a point at which the attacker chooses, knowing all outcomes so far.
type Stage []Move

// Size returns how many ends the tree of choices and outcomes has.
func Size(stages []Stage) int {
	size := 1
	for _, s := range stages {
		sum := 0
		for _, m := range s {
			if m.Inside != nil {
				sum += Size(m.Inside)
			} else {
				sum += len(m.P)
			}
		}
		if size *= max(sum, 1); size > 1<<30 {
			return 1 << 30
		}
	}
	return size
}

// Turned is the same attack with the two data sets changed about.
func Turned(stages []Stage) []Stage {
	out := make([]Stage, len(stages))
	for i, s := range stages {
		for _, m := range s {
			m.P, m.Q, m.p, m.q = m.Q, m.P, m.q, m.p
			if m.Inside != nil {
				m.Inside = Turned(m.Inside)
			}
			out[i] = append(out[i], m)
		}
	}
	return out
}

// Search returns the largest δ at e^ε = lift that choosing well at every stage reaches:
// over all ways through the tree Σ (p − e^ε·q)₊ at its ends, which is the hockey-stick
// curve of the composed releases. In float64, to find out which attack is worth Exactly.
func Search(stages []Stage, lift float64) float64 { return search(stages, lift, 1, 1) }

func search(stages []Stage, lift, p, q float64) float64 {
	if len(stages) == 0 {
		return max(0, p-lift*q)
	}
	best := 0.0
	for _, m := range stages[0] {
		sum := 0.0
		switch {
		case m.Inside != nil:
			sum = search(join(m.Inside, stages[1:]), lift, p, q)
		case len(stages) == 1:
			for i, x := range m.p {
				sum += max(0, p*x-lift*q*m.q[i])
			}
		default:
			for i, x := range m.p {
				sum += search(stages[1:], lift, p*x, q*m.q[i])
			}
		}
		best = max(best, sum)
	}
	return best
}

// Ends returns the probabilities, under either data set, of every way through the tree if the attacker chooses at every
// stage what is best at lift.
func Ends(stages []Stage, lift float64) (p, q []float64) { return ends(stages, lift, 1, 1) }

func ends(stages []Stage, lift, p, q float64) (ps, qs []float64) {
	if len(stages) == 0 {
		return []float64{p}, []float64{q}
	}
	best, most := 0, -1.0
	for i := range stages[0] {
		if d := search(append([]Stage{stages[0][i : i+1]}, stages[1:]...), lift, p, q); d > most {
			best, most = i, d
		}
	}
	m := stages[0][best]
	if m.Inside != nil {
		return ends(join(m.Inside, stages[1:]), lift, p, q)
	}
	for i, x := range m.p {
		a, b := ends(stages[1:], lift, p*x, q*m.q[i])
		ps, qs = append(ps, a...), append(qs, b...)
	}
	return ps, qs
}

// Exactly returns Search in 320 bits.
func Exactly(stages []Stage, lift Real) Real { return exactly(stages, lift, R(1), R(1)) }

func exactly(stages []Stage, lift, p, q Real) Real {
	if len(stages) == 0 {
		if d := p.Sub(lift.Mul(q)); d.Sign() > 0 {
			return d
		}
		return R(0)
	}
	best := R(0)
	for _, m := range stages[0] {
		sum := R(0)
		if m.Inside != nil {
			sum = exactly(join(m.Inside, stages[1:]), lift, p, q)
		} else {
			for i := range m.P {
				sum = sum.Add(exactly(stages[1:], lift, p.Mul(m.P[i]), q.Mul(m.Q[i])))
			}
		}
		if sum.Cmp(best) > 0 {
			best = sum
		}
	}
	return best
}

func join(a, b []Stage) []Stage { return append(append(make([]Stage, 0, len(a)+len(b)), a...), b...) }

// Power returns what is seen of n equal releases that do not react to each other, outcomes
// of equal probability as one: how often each of the outcomes came.
func (s Seen) Power(n int) Seen {
	var p, q []Real
	var choose func(outcome, left int, a, b Real)
	choose = func(outcome, left int, a, b Real) {
		if outcome == len(s.P)-1 {
			for range left {
				a, b = a.Mul(s.P[outcome]), b.Mul(s.Q[outcome])
			}
			p, q = append(p, a), append(q, b)
			return
		}
		ways := 1.0 // of placing k of the left among them
		for k := 0; k <= left; k++ {
			choose(outcome+1, left-k, a.Mul(R(ways)), b.Mul(R(ways)))
			ways = ways * float64(left-k) / float64(k+1)
			a, b = a.Mul(s.P[outcome]), b.Mul(s.Q[outcome])
		}
	}
	choose(0, n, R(1), R(1))
	return NewSeen(p, q)
}
