package audit

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"epsiloscope/accounting/special"
)

// Attack is a membership attack as far as its power depends on it: the corners of its ROC curve, from (0, 0) to (1, 1).
// Between two corners members and others have scores of the same shape, so that the order of all scores is known in
// distribution, whatever their scale.
type Attack []Corner

// Corner is a threshold of an attack: the probabilities that the score of a member and of another record exceed it.
type Corner struct{ FPR, TPR float64 }

// Certain is the attack on a mechanism without noise: its scores have two values, one for members and one for others.
var Certain = Attack{{0, 0}, {0, 1}, {1, 1}}

// NewAttack returns the attack with the concave hull of these corners, which exists if each of them does: the attacker
// may choose between two thresholds by lot.
func NewAttack(corners []Corner) Attack {
	all := append(slices.Clone(corners), Corner{0, 0}, Corner{1, 1})
	sort.Slice(all, func(i, j int) bool {
		return all[i].FPR < all[j].FPR || all[i].FPR == all[j].FPR && all[i].TPR < all[j].TPR
	})
	var hull Attack
	for _, c := range all {
		for n := len(hull); n >= 2; n = len(hull) {
			a, b := hull[n-2], hull[n-1]
			if (b.TPR-a.TPR)*(c.FPR-b.FPR) > (c.TPR-b.TPR)*(b.FPR-a.FPR) {
				break
			}
			hull = hull[:n-1]
		}
		hull = append(hull, c)
	}
	return hull
}

func (a Attack) validate() error {
	bad := len(a) < 2 || a[0] != Corner{0, 0} || a[len(a)-1] != Corner{1, 1}
	for i := 1; !bad && i < len(a); i++ {
		bad = !(a[i].FPR >= a[i-1].FPR && a[i].TPR >= a[i-1].TPR)
	}
	if bad {
		return errors.New("an attack needs the corners of a rising curve from (0, 0) to (1, 1)")
	}
	return nil
}

// truePositiveRate returns the rate at a false-positive rate, on the chord between two corners; at 0 that of the
// highest corner there.
func (a Attack) truePositiveRate(fpr float64) float64 {
	i := sort.Search(len(a), func(i int) bool { return a[i].FPR > fpr })
	if i == len(a) {
		return 1
	}
	low, high := a[i-1], a[i]
	return low.TPR + (high.TPR-low.TPR)*(fpr-low.FPR)/(high.FPR-low.FPR)
}

// newRandom returns random numbers that are the same for audits of every size, so that their powers compare, and others
// for each number of simulated audits: that a search was lucky says nothing of what is simulated afterwards.
func newRandom(audits int) *rand.Rand { return rand.New(rand.NewPCG(49, uint64(audits))) }

// oneRunPower returns how often one run has at least Correct right guesses by rank, in simulated audits, and whether
// that is at least the given power. Where it cannot be any more, the rest is not simulated, and the first number is 0.
func (a Attack) oneRunPower(o OneRun, audits int, power float64) (float64, bool) {
	if o.Correct > o.Guesses {
		return 0, false
	}
	random, refuted := newRandom(audits), 0
	cells := make([][2]int, len(a)-1) // members and others between two corners, by falling scores
	for done := range audits {
		if float64(refuted+audits-done)/float64(audits) < power {
			return 0, false
		}
		in := drawBinomial(random, o.Canaries, 0.5)
		a.fillCells(random, cells, 0, in)
		a.fillCells(random, cells, 1, o.Canaries-in)
		called := (o.Guesses + 1) / 2
		right := takeCells(random, cells, called, 0)
		slices.Reverse(cells)
		right += takeCells(random, cells, o.Guesses-called, 1)
		slices.Reverse(cells)
		if right >= o.Correct {
			refuted++
		}
	}
	share := float64(refuted) / float64(audits)
	return share, share >= power
}

// fillCells draws how many of n records, members if kind is 0, have their scores between which corners.
func (a Attack) fillCells(random *rand.Rand, cells [][2]int, kind, n int) {
	left := 1.0
	for i := range cells {
		share := a[i+1].FPR - a[i].FPR
		if kind == 0 {
			share = a[i+1].TPR - a[i].TPR
		}
		here := n
		if i < len(cells)-1 && share < left {
			here = drawBinomial(random, n, share/left)
		}
		cells[i][kind] = here
		n -= here
		left -= share
	}
}

// takeCells takes n records out of the first cells and returns how many are of a kind. Of a cell that is not needed as
// a whole it takes any.
func takeCells(random *rand.Rand, cells [][2]int, n, kind int) (found int) {
	for i := range cells {
		some := min(n, cells[i][0]+cells[i][1])
		of := drawHypergeometric(random, cells[i][kind], cells[i][1-kind], some)
		cells[i][kind] -= of
		cells[i][1-kind] -= some - of
		found += of
		if n -= some; n == 0 {
			break
		}
	}
	return found
}

// runsPower returns how often an audit of independent runs refutes the claim, in simulated audits.
func (a Attack) runsPower(p RunsPlan, claim Table, confidence float64, audits int) float64 {
	random, refuted, rates := newRandom(audits), 0, claim.Claim()
	most := map[int]int{} // by false positives, the most members that may be missed
	for range audits {
		fpr := 0.0
		if a[1].FPR > 0 || a[1].TPR < 1 { // else scores have two values, and none of the others exceeds another
			x, y := drawGamma(random, float64(p.Rank)), drawGamma(random, float64(p.Calibration-p.Rank+1))
			fpr = x / (x + y)
		}
		s := TwoSample{Members: p.Runs, NonMembers: p.Runs, FalsePositives: drawBinomial(random, p.Runs, fpr)}
		missed := p.Runs - drawBinomial(random, p.Runs, a.truePositiveRate(fpr))
		limit, known := most[s.FalsePositives]
		if !known {
			limit = sort.Search(p.Runs+1, func(k int) bool {
				s.TruePositives = p.Runs - k
				ok, err := s.refutes(rates, 1-confidence)
				return err != nil || !ok
			}) - 1
			most[s.FalsePositives] = limit
		}
		if missed <= limit {
			refuted++
		}
	}
	return float64(refuted) / float64(audits)
}

// drawBinomial draws the number of successes in n trials: by transformed rejection (BTRS, Hörmann 1993), or where few
// are expected by going through the probabilities.
func drawBinomial(random *rand.Rand, n int, p float64) int {
	size := float64(n)
	mean := size * p
	switch {
	case p <= 0 || n == 0:
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - drawBinomial(random, n, 1-p)
	case mean < 10:
		k, left, mass := 0.0, random.Float64(), math.Exp(size*math.Log1p(-p))
		for ; left > mass && k < size; k++ {
			left -= mass
			mass *= (size - k) / (k + 1) * p / (1 - p)
		}
		return int(k)
	}
	deviation := math.Sqrt(mean * (1 - p))
	b := 1.15 + 2.53*deviation
	a := -0.0873 + 0.0248*b + 0.01*p
	mode := special.LogBinomial(math.Floor((size+1)*p), size, p)
	for {
		u, v := random.Float64()-0.5, random.Float64()
		edge := 0.5 - math.Abs(u)
		k := math.Floor((2*a/edge+b)*u + mean + 0.5)
		if edge >= 0.07 && v <= 0.92-4.2/b {
			return int(k)
		}
		v *= (2.83 + 5.1/b) * deviation / (a/(edge*edge) + b)
		if k >= 0 && k <= size && math.Log(v) <= special.LogBinomial(k, size, p)-mode {
			return int(k)
		}
	}
}

// largeSample is the number of records from which on those of a kind are drawn as a rounded normal number.
const largeSample = 400

// drawHypergeometric draws how many of n records taken from good and bad ones are good.
func drawHypergeometric(random *rand.Rand, good, bad, n int) int {
	all := good + bad
	mean := float64(n) * float64(good) / math.Max(1, float64(all))
	switch {
	case n >= all:
		return good
	case good == 0 || n == 0:
		return 0
	case bad == 0:
		return n
	case n > all-n:
		return good - drawHypergeometric(random, good, bad, all-n)
	case n > largeSample:
		deviation := math.Sqrt(mean * float64(bad) / float64(all) * float64(all-n) / float64(all-1))
		return min(n, good, max(0, n-bad, int(math.Round(mean+deviation*random.NormFloat64()))))
	}
	found := 0
	for i := range n {
		if random.IntN(all-i) < good-found {
			found++
		}
	}
	return found
}

// drawGamma draws a gamma variable of shape at least 1 (Marsaglia, Tsang 2000).
func drawGamma(random *rand.Rand, shape float64) float64 {
	d := shape - 1.0/3
	for c := 1 / math.Sqrt(9*d); ; {
		x := random.NormFloat64()
		v := (1 + c*x) * (1 + c*x) * (1 + c*x)
		if v > 0 && special.Log(1-random.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}
