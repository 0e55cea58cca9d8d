package oracle

import "math"

// Kernel is a mechanism with finitely many outcomes: their probabilities given the
// sums that the data come to.
type Kernel func(sums []int) []Real

// powers returns 1, r, r², … r^n.
func powers(r Real, n int) []Real {
	out := []Real{R(1)}
	for len(out) <= n {
		out = append(out, out[len(out)-1].Mul(r))
	}
	return out
}

func distance(a, b int) int {
	if a < b {
		return b - a
	}
	return a - b
}

// GeometricKernel adds two-sided geometric noise with loss ε per Δ to one sum and cuts
// the result to the sums that occur, low to high: beyond, the loss does not change.
func GeometricKernel(epsilon float64, sensitivity, low, high int) Kernel {
	r := R(epsilon).Div(R(float64(sensitivity))).Neg().Exp()
	power := powers(r, high-low)
	tail := R(1).Div(R(1).Add(r))
	peak := R(1).Sub(r).Mul(tail)
	return func(sums []int) []Real {
		s := sums[0]
		if low == high {
			return []Real{R(1)}
		}
		var out []Real
		for o := low; o <= high; o++ {
			factor := peak
			if o == low || o == high {
				factor = tail
			}
			out = append(out, factor.Mul(power[distance(o, s)]))
		}
		return out
	}
}

// LaplaceKernel adds Laplace noise with loss ε per 1 to one sum and says in which of
// the cells of width 1/parts the result lies, those at the ends unbounded.
func LaplaceKernel(epsilon float64, parts, low, high int) Kernel {
	power := powers(R(epsilon).Div(R(float64(parts))).Neg().Exp(), parts*(high-low)+1)
	half := Ratio(1, 2)
	return func(sums []int) []Real {
		s := (sums[0] - low) * parts
		last := (high - low) * parts
		out := []Real{half.Mul(power[s])}
		for edge := range last { // the cell from edge to edge+1 lies on one side of s
			near := min(distance(edge, s), distance(edge+1, s))
			out = append(out, half.Mul(power[near].Sub(power[near+1])))
		}
		return append(out, half.Mul(power[last-s]))
	}
}

// LaplaceSlopes returns, for each cell of LaplaceKernel, the densities at its two ends. Beyond the sums that occur the
// ratio of two of them does not change.
func LaplaceSlopes(epsilon float64, parts, low, high int) Kernel {
	power := powers(R(epsilon).Div(R(float64(parts))).Neg().Exp(), parts*(high-low)+1)
	return func(sums []int) (out []Real) {
		s := (sums[0] - low) * parts
		last := (high - low) * parts
		for cell := range last + 2 {
			for _, edge := range []int{cell - 1, cell} {
				out = append(out, power[distance(min(max(edge, 0), last), s)])
			}
		}
		return out
	}
}

// NormalKernel adds Gaussian noise that a sum of 1 moves by μ standard deviations and
// says in which of some cells the result lies. Its masses are good to float64 only.
func NormalKernel(mu float64, cells, low, high int) Kernel {
	edges := normalEdges(mu, cells, low, high)
	return func(sums []int) []Real {
		var out []Real
		for _, m := range cut(edges, mu*float64(sums[0]), func(x float64) (below, above float64) {
			return math.Erfc(-x/math.Sqrt2) / 2, math.Erfc(x/math.Sqrt2) / 2
		}) {
			out = append(out, R(m))
		}
		return out
	}
}

// normalEdges returns where the cells of NormalKernel meet: many cells reach further out.
func normalEdges(mu float64, cells, low, high int) []float64 {
	reach := 4.0
	if cells > 20 {
		reach = 7
	}
	edges := make([]float64, cells-1)
	for i := range edges {
		edges[i] = mu*float64(low) - reach + (mu*float64(high-low)+2*reach)*float64(i)/float64(cells-2)
	}
	return edges
}

// NormalSlopes returns, for each cell of NormalKernel, the densities at its two ends, 0 and 0 for the cells without an
// end.
func NormalSlopes(mu float64, cells, low, high int) Kernel {
	edges := normalEdges(mu, cells, low, high)
	return func(sums []int) []Real {
		out := []Real{R(0), R(0)}
		density := func(x float64) Real {
			away := R(x).Sub(R(mu).Mul(R(float64(sums[0]))))
			return away.Mul(away).Div(R(-2)).Exp()
		}
		for i := range edges[1:] {
			out = append(out, density(edges[i]), density(edges[i+1]))
		}
		return append(out, R(0), R(0))
	}
}

// DiscreteGaussianKernel adds noise ∝ e^{−x²/(2σ²)} on whole numbers to one sum; what
// lies more than reach beyond the sums that occur counts as lying just there, tails
// and all.
func DiscreteGaussianKernel(sigma float64, reach, low, high int) Kernel {
	far := int(25*sigma) + reach + high - low + 4
	mass := make([]Real, far+1) // at distance x
	base := R(-0.5).Div(R(sigma)).Div(R(sigma)).Exp()
	square := base.Mul(base)
	mass[0] = R(1)
	step := base // e^{−(2x+1)/(2σ²)}
	total := R(1)
	for x := 1; x <= far; x++ {
		mass[x] = mass[x-1].Mul(step)
		step = step.Mul(square)
		total = total.Add(mass[x].Add(mass[x]))
	}
	tail := make([]Real, far+1) // at a distance of x or more, on one side
	sum := R(0)
	for x := far; x >= 0; x-- {
		mass[x] = mass[x].Div(total)
		sum = sum.Add(mass[x])
		tail[x] = sum
	}
	low, high = low-reach, high+reach
	return func(sums []int) []Real {
		out := []Real{tail[sums[0]-low]}
		for o := low + 1; o < high; o++ {
			out = append(out, mass[distance(o, sums[0])])
		}
		return append(out, tail[high-sums[0]])
	}
}

// ResponseKernel answers truthfully, among the given categories, in which of them the
// sum lies modulo their number, or at random.
func ResponseKernel(epsilon float64, categories int) Kernel {
	e := R(epsilon).Exp()
	z := e.Add(R(float64(categories - 1)))
	truth, lie := e.Div(z), R(1).Div(z)
	return func(sums []int) []Real {
		out := make([]Real, categories)
		for i := range out {
			out[i] = lie
		}
		out[((sums[0]%categories)+categories)%categories] = truth
		return out
	}
}

// ReportsKernel returns randomized response as it is run: every row that is there, 1 +
// category in its place, sends a report of its own, and the others (0) send none.
func ReportsKernel(epsilon float64, categories int) Kernel {
	one := ResponseKernel(epsilon, categories)
	return func(rows []int) []Real {
		out := []Real{R(1)}
		for _, r := range rows {
			report := make([]Real, categories+1)
			report[0] = R(1)
			for i := range categories {
				report[i+1] = R(0)
			}
			if r > 0 {
				report[0] = R(0)
				copy(report[1:], one([]int{r - 1}))
			}
			var longer []Real
			for _, p := range out {
				for _, m := range report {
					longer = append(longer, p.Mul(m))
				}
			}
			out = longer
		}
		return out
	}
}

// TwiceKernel runs a kernel twice on the same sums.
func TwiceKernel(inner Kernel) Kernel {
	return func(sums []int) (out []Real) {
		masses := inner(sums)
		for _, a := range masses {
			for _, b := range masses {
				out = append(out, a.Mul(b))
			}
		}
		return out
	}
}

// FailingKernel shows its sum, of low to high, with probability δ, and is the inner
// kernel otherwise.
func FailingKernel(inner Kernel, delta float64, low, high int) Kernel {
	return func(sums []int) []Real {
		var out []Real
		for _, m := range inner(sums) {
			out = append(out, m.Mul(R(1).Sub(R(delta))))
		}
		for o := low; o <= high; o++ {
			if o == sums[0] {
				out = append(out, R(delta))
			} else {
				out = append(out, R(0))
			}
		}
		return out
	}
}
