package oracle

import (
	"math"
	"slices"
)

// Kernel is a mechanism with finitely many outcomes: their probabilities given the
// sums that the data come to.
type Kernel func(sums []int) []Real

// powers are 1, r, r², … r^n.
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

// NormalKernel adds Gaussian noise that a sum of 1 moves by μ standard deviations and
// says in which of some cells the result lies. Its masses are good to float64 only.
func NormalKernel(mu float64, cells, low, high int) Kernel {
	reach := 4.0
	edges := make([]float64, cells-1)
	for i := range edges {
		edges[i] = mu*float64(low) - reach + (mu*float64(high-low)+2*reach)*float64(i)/float64(cells-2)
	}
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

// ReportsKernel is randomized response as it is run: every row that is there, 1 +
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

// SelectionKernel is the exponential mechanism: candidate o, of which there are copies
// [o], with probability ∝ e^{rate·(base[o] + sums[o])}.
func SelectionKernel(rate float64, copies []float64, base []int) Kernel {
	r := R(rate).Exp()
	return func(sums []int) []Real {
		least := base[0] + sums[0]
		for o := range sums {
			least = min(least, base[o]+sums[o])
		}
		out := make([]Real, len(sums))
		total := R(0)
		for o := range sums {
			out[o] = R(copies[o])
			for range base[o] + sums[o] - least {
				out[o] = out[o].Mul(r)
			}
			total = total.Add(out[o])
		}
		for o := range out {
			out[o] = out[o].Div(total)
		}
		return out
	}
}

// NoisyMaxKernel is report noisy max with exponential noise, which is permute-and-flip
// (McKenna & Sheldon 2020): candidates are asked in random order and taken with
// probability p_o = e^{rate·(score − best)}. At a uniform time each is asked by then or
// not, so o is taken with p_o·Σ_S (−1)^|S|/(|S|+1)·Π_{s∈S} p_s, S among the others.
func NoisyMaxKernel(rate float64, base []int) Kernel {
	return func(sums []int) []Real {
		best := base[0] + sums[0]
		for o := range base {
			best = max(best, base[o]+sums[o])
		}
		p := make([]Real, len(base))
		for o := range base {
			p[o] = R(rate).Mul(R(float64(base[o] + sums[o] - best))).Exp()
		}
		out := make([]Real, len(base))
		for o := range base {
			coefficients := []Real{R(1)} // of Π (1 − p_s·t)
			for s := range base {
				if s == o {
					continue
				}
				next := append(append([]Real(nil), coefficients...), R(0))
				for i, c := range coefficients {
					next[i+1] = next[i+1].Sub(c.Mul(p[s]))
				}
				coefficients = next
			}
			out[o] = R(0)
			for i, c := range coefficients {
				out[o] = out[o].Add(p[o].Mul(c).Div(R(float64(i + 1))))
			}
		}
		return out
	}
}

// LaplaceMaxKernel is report noisy max with Laplace noise of scale 1/rate on every score:
// o is the largest with probability ∫ f_o·Π F_s. Between two scores every factor is a sum of
// exponentials, and so is their product.
func LaplaceMaxKernel(rate float64, base []int) Kernel {
	return func(sums []int) []Real {
		scores, ends := make([]Real, len(base)), []int{}
		for o := range base {
			scores[o] = R(rate).Mul(R(float64(base[o] + sums[o])))
			ends = append(ends, base[o]+sums[o])
		}
		slices.Sort(ends)
		ends = slices.Compact(ends)
		out := make([]Real, len(base))
		for o := range out {
			out[o] = R(0)
			for i := range len(ends) + 1 { // below, between and above the scores
				inside := float64(ends[0]) - 1
				if i > 0 {
					inside = float64(ends[i-1])
				}
				product := map[int]Real{0: R(1)} // the coefficient of e^{kx} by k
				times := func(terms map[int]Real) {
					next := map[int]Real{}
					for k, c := range product {
						for l, e := range terms {
							if have, ok := next[k+l]; ok {
								next[k+l] = have.Add(c.Mul(e))
							} else {
								next[k+l] = c.Mul(e)
							}
						}
					}
					product = next
				}
				for s := range base {
					half, above := Ratio(1, 2), float64(base[s]+sums[s]) <= inside
					rise, fall := half.Mul(scores[s].Neg().Exp()), half.Mul(scores[s].Exp())
					switch {
					case s == o && above:
						times(map[int]Real{-1: fall})
					case s == o:
						times(map[int]Real{1: rise})
					case above:
						times(map[int]Real{0: R(1), -1: fall.Neg()})
					default:
						times(map[int]Real{1: rise})
					}
				}
				for k, c := range product {
					at := func(end int) Real { return R(rate).Mul(R(float64(end))) }
					power := func(end int) Real { return R(float64(k)).Mul(at(end)).Exp().Div(R(float64(k))) }
					switch {
					case k == 0 && i > 0 && i < len(ends):
						out[o] = out[o].Add(c.Mul(at(ends[i]).Sub(at(ends[i-1]))))
					case k == 0: // beyond the scores something always falls off
					case i == 0:
						out[o] = out[o].Add(c.Mul(power(ends[0])))
					case i == len(ends):
						out[o] = out[o].Sub(c.Mul(power(ends[i-1])))
					default:
						out[o] = out[o].Add(c.Mul(power(ends[i]).Sub(power(ends[i-1]))))
					}
				}
			}
		}
		return out
	}
}

// BestKernel is the best of a random number of runs, the last outcome being the best: with
// the generating function g of that number, P(best ≤ y) = g(P(outcome ≤ y)). No run at all is
// an outcome too.
func BestKernel(inner Kernel, g func(Real) Real) Kernel {
	return func(sums []int) (out []Real) {
		below, before := R(0), g(R(0))
		out = append(out, before)
		masses := inner(sums)
		for i, m := range masses {
			if below = below.Add(m); i == len(masses)-1 {
				below = R(1)
			}
			now := g(below)
			out = append(out, now.Sub(before))
			before = now
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
