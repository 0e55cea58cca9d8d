package spectrum

import (
	"math"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"

	"pgregory.net/rapid"
)

// Moments of sampled releases at whole orders α = 1 + θ: with r = P/Q under Q,
// E(1−q+q·r)^α − 1 = Σ_k C(α,k)(1−q)^{α−k}q^k·(E r^k − 1), and no term is negative. At other
// orders, and for the reverse, the integral over the noise by the trapezoidal rule, which is
// exact but for e^{−2π²/h²} of an analytic integrand as wide as the step is short.
func TestLogMomentOfSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := math.Exp(rapid.Float64Range(-14, -0.01).Draw(t, "ln q"))
		size := math.Exp(rapid.Float64Range(-4, 1).Draw(t, "ln size"))
		alpha := rapid.IntRange(2, 12).Draw(t, "α")
		theta := float64(alpha - 1)
		check := func(name string, d loss.Distribution, theta, want, tolerance float64) {
			if log, err := LogMoment(&d, theta); math.Abs(log-want) > err+tolerance || err > 1e-9*log {
				t.Fatalf("%s(%v) at %v, θ = %v: %.15g ± %.2g, want %.15g", name, size, q, theta, log, err, want)
			}
		}
		for name, c := range map[string]struct {
			of    loss.Distribution
			renyi func(k float64) float64
		}{
			"Gaussian": {loss.Gaussian(size), func(k float64) float64 { return k * size * size / 2 }},
			"Laplace":  {loss.Laplace(size), func(k float64) float64 { return special.LaplaceRenyi(size, k) }},
		} {
			more := 0.0
			for k := 2.0; k <= float64(alpha); k++ {
				log := special.LogChoose(float64(alpha), k) + (float64(alpha)-k)*math.Log1p(-q) + k*math.Log(q)
				more += math.Exp(log) * math.Expm1((k-1)*c.renyi(k))
			}
			want := math.Log1p(more)
			check(name, loss.Subsample(q, c.of), theta, want, 1e-11*want)
		}
		theta *= rapid.Float64Range(0.1, 1).Draw(t, "share")
		for name, sign := range map[string]float64{"Gaussian, remove": 1, "Gaussian, add": -1} {
			// Of the second order in the loss L, so that nothing cancels.
			const h = 1.0 / 64
			reach := 12 + (2+theta)*size
			more := 0.0
			for x := -reach; x <= reach; x += h {
				l := sign * math.Log1p(q*math.Expm1(size*x-size*size/2))
				p := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
				if sign > 0 {
					p *= math.Exp(l)
				}
				more += h * p * (special.ExpRemainder(theta*l) + theta*special.ExpRemainder(-l))
			}
			d := loss.Subsample(q, loss.Gaussian(size))
			if sign < 0 {
				d = loss.SampledAdd(q, loss.Gaussian(size))
			}
			want := math.Log1p(more)
			check(name, d, theta, want, 1e-10*want)
		}
	})
}

// Moments in closed form: Gaussian noise (Mironov 2017, Corollary 3), Laplace noise (Table II
// there), and bounded range, whose density is an exponential. The error claimed covers what
// is off, and is small.
func TestLogMoment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := math.Exp(rapid.Float64Range(-6, 2).Draw(t, "ln size"))
		theta := math.Exp(rapid.Float64Range(-25, 6).Draw(t, "ln θ"))
		for name, c := range map[string]struct {
			of   loss.Distribution
			want float64
		}{
			"Gaussian": {loss.Gaussian(size), theta * (1 + theta) * size * size / 2},
			"Laplace":  {loss.Laplace(size), theta * special.LaplaceRenyi(size, 1+theta)},
			"range":    {loss.BoundedRange(size), math.Log(math.Sinh((theta+0.5)*size) / (theta + 0.5) * math.Exp(-size/2) / -math.Expm1(-size))},
		} {
			log, err := LogMoment(&c.of, theta)
			rounded := 1e-13 * (1 + math.Abs(c.want)) // of the closed form
			if name != "range" {
				rounded = 1e-12 * c.want
			}
			if name == "range" && theta*size > 600 {
				continue // its closed form overflows
			}
			if math.Abs(log-c.want) > err+rounded || err > 1e-9*log { // of the moment: the closed form may round to 0
				t.Fatalf("%s(%v) at %v: %.15g ± %.2g, want %.15g", name, size, theta, log, err, c.want)
			}
		}
	})
}

// Neither a far node of next to no weight nor the P-mass where the loss is all but 0, which is given
// few nodes, costs precision: moments of order 11 by the sum over k of [TestLogMomentOfSamples].
func TestLogMomentOfRareSamples(t *testing.T) {
	for _, c := range []struct{ q, size, want float64 }{
		{math.Exp(-14), 1.6551741833034281, 0.0354485425482152},
		{math.Exp(-11.9921875), 1.6487212707001282, 17.5914408690967},
	} {
		d := loss.Subsample(c.q, loss.Gaussian(c.size))
		if log, err := LogMoment(&d, 10); math.Abs(log-c.want) > err+1e-12 || err > 1e-11*(1+c.want) {
			t.Errorf("%.15g ± %.2g, want %.15g", log, err, c.want)
		}
	}
}

// A list whose Q-mass exceeds 1, as that of an estimate from below may, has moments; on a sample it
// has the same at its losses.
func TestLogMomentOfTooMuchQ(t *testing.T) {
	const q, p, low, high = 0.3, 0.4, -1.2, 0.7
	d := loss.Distribution{Atoms: []loss.Atom{{Loss: low, LogP: math.Log(1 - p)}, {Loss: high, LogP: math.Log(p)}}}
	d.Bottom = 1 - (1-p)*math.Exp(-low) - p*math.Exp(-high)
	s := loss.Subsample(q, d)
	for _, theta := range []float64{0.5, 4} {
		want := 0.0
		for _, a := range d.Atoms {
			mixed := 1 - q + q*math.Exp(a.Loss)
			want += math.Exp(a.LogP-a.Loss) * math.Pow(mixed, 1+theta)
		}
		if log, err := LogMoment(&s, theta); !(math.Abs(log-math.Log(want)) <= err+1e-14) {
			t.Errorf("θ %g: ln M %g ± %g, want %g", theta, log, err, math.Log(want))
		}
	}
}
