package oracle_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
)

// plan is a random stack of mechanisms with the order its columns must keep.
type plan struct {
	stack  []accounting.Entry
	target accounting.Target
	ranges bool // bounded range: Rényi and ρ know more of it than any pair does
	loose  bool // steps are chained: the interval is valid, but not tight
	text   string
}

func between(r *rand.Rand, from, to float64) float64 {
	return from * math.Exp(r.Float64()*math.Log(to/from))
}

// release draws a mechanism whose size is about e: its ε, or its μ.
func (p *plan) release(r *rand.Rand, e float64) accounting.Release {
	switch r.IntN(8) {
	case 0:
		return mechanisms.Gaussian{Sigma: 1 / e, Sensitivity: 1}.Releases(1)[0].Release
	case 1:
		return mechanisms.Laplace{Epsilon: e, Sensitivity: 1}.Releases(1)[0].Release
	case 2:
		return mechanisms.Geometric{Epsilon: e, Sensitivity: float64(1 + r.IntN(4))}.Releases(1)[0].Release
	case 3:
		return mechanisms.DiscreteGaussian{Sigma: math.Min(1/e, 200),
			Sensitivity: float64(1 + r.IntN(2))}.Releases(1)[0].Release
	case 4:
		return mechanisms.RandomizedResponse{Epsilon: e, Categories: float64(2 + r.IntN(20))}.Releases(1)[0].Release
	case 5:
		return accounting.PureDP(e)
	case 6:
		return accounting.ApproximateDP(e, p.target.Delta*between(r, 1e-12, 1e-8))
	default:
		p.ranges = true
		return mechanisms.Exponential{Epsilon: e, Sensitivity: 1}.Releases(1)[0].Release
	}
}

// drawPlan draws plan number seed: always the same.
func drawPlan(seed uint64) *plan {
	r := rand.New(rand.NewPCG(seed, 5))
	p := &plan{target: accounting.Target{Delta: between(r, 1e-30, 0.5)}}
	lines, most := 1+r.IntN(4), 6.0
	if r.IntN(3) == 0 {
		most = 1e5
	}
	around := func(x accounting.Release) accounting.Release { return x }
	switch r.IntN(8) {
	case 0:
		k := float64(2 + r.IntN(2))
		around = func(x accounting.Release) accounting.Release { return accounting.GroupPrivacy(x, k) }
		p.loose = true
	case 1:
		around = accounting.AddRemoveToReplace
		p.loose = true
	}
	for range lines {
		count := math.Floor(between(r, 1, most+1))
		e := between(r, 0.01, 4)
		if most > 6 {
			e = between(r, 0.1, 3) / math.Sqrt(count)
		}
		x := p.release(r, e)
		if r.IntN(2) == 0 {
			x = accounting.Subsample(x, between(r, 1e-3, 0.9))
		}
		if r.IntN(12) == 0 {
			other := p.release(r, e)
			x, p.loose = accounting.Parallel(
				[][]accounting.Entry{{{Release: x, Count: 1}}, {{Release: other, Count: 1}}}, false), true
		}
		x = around(x)
		p.stack = append(p.stack, accounting.Entry{Release: x, Count: count})
		p.text += fmt.Sprintf("%s × %g, ", x.Key(), count)
	}
	p.text += fmt.Sprintf("δ = %g", p.target.Delta)
	return p
}

// knowsMore are the columns that may lie below the numerical one: what Rényi orders
// and ρ know of bounded range holds for every place of the range apart, and no pair
// does.
func (p *plan) knowsMore(m accounting.Method) bool {
	name := string(m)
	return p.ranges && (strings.HasPrefix(name, "rdp") || strings.HasPrefix(name, "zcdp"))
}

// judge returns what is out of order.
func (p *plan) judge() (wrong []string) {
	const width, nothing = 1e-3, 1e-9 // asked of the interval by default; as good as 0
	bounds := accounting.Compare(context.Background(), p.stack, p.target)
	n := bounds[len(bounds)-1]
	if n.Method != accounting.Numerical {
		return []string{"the numerical bound is not the last"}
	}
	for _, b := range bounds[:len(bounds)-1] {
		if b.Status != accounting.Valid || p.knowsMore(b.Method) {
			continue
		}
		if n.Status != accounting.Valid {
			wrong = append(wrong, fmt.Sprintf("numerical is %s, %s %g: %s", n.Status, b.Method, b.Epsilon, n.Note))
			break
		}
		if n.Lower > b.Epsilon*(1+1e-9)+nothing {
			wrong = append(wrong, fmt.Sprintf("lower end %.12g above %s %.12g", n.Lower, b.Method, b.Epsilon))
		}
		if n.Epsilon > b.Epsilon*(1+width)+nothing {
			wrong = append(wrong, fmt.Sprintf("upper end %.9g above %s %.9g: %s", n.Epsilon, b.Method, b.Epsilon, n.Note))
		}
	}
	return wrong
}

func judgePlans(t *testing.T, from, to uint64) {
	loose, ranges, bad := 0, 0, 0
	for seed := from; seed < to; seed++ {
		p := drawPlan(seed)
		if p.loose {
			loose++
		}
		if p.ranges {
			ranges++
		}
		if wrong := p.judge(); len(wrong) > 0 {
			bad++
			t.Errorf("plan %d (loose %v): %s\n\t%s", seed, p.loose, strings.Join(wrong, "\n\t"), p.text)
		}
	}
	t.Logf("%d plans, %d with chained steps, %d with bounded range, %d out of order", to-from, loose, ranges, bad)
}

// No valid column lies below the numerical one, by more than the width asked for,
// except where it knows more of a mechanism than any pair does.
func TestNumericalIsTheSmallestColumn(t *testing.T) {
	gauge.Sequential(t)
	judgePlans(t, 0, uint64(gauge.Cases(6, 15)))
}

func TestNumericalIsTheSmallestColumnLong(t *testing.T) {
	if !gauge.Long() {
		t.Skip("set EPSILOSCOPE_LONG to run")
	}
	judgePlans(t, 15, 2515)
}
