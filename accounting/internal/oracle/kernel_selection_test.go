package oracle

import "slices"

// SelectionChances are those of the exponential mechanism, ∝ e^{ε·s/(2Δ)} (McSherry &
// Talwar 2007), or e^{ε·s/Δ} where the scores are monotone.
func SelectionChances(epsilon, sensitivity float64, monotone bool, scores []float64) []float64 {
	rate := R(epsilon).Div(R(sensitivity))
	if !monotone {
		rate = rate.Div(R(2))
	}
	best := R(scores[0])
	for _, s := range scores {
		if R(s).Cmp(best) > 0 {
			best = R(s)
		}
	}
	weights := make([]Real, len(scores))
	total := R(0)
	for i, s := range scores {
		weights[i] = R(0)
		if x := R(s).Sub(best).Mul(rate); x.Cmp(R(-1e6)) > 0 { // below, nothing is left in float64
			weights[i] = x.Exp()
		}
		total = total.Add(weights[i])
	}
	out := make([]float64, len(scores))
	for i, w := range weights {
		out[i] = w.Div(total).Float()
	}
	return out
}

// SelectionKernel returns the exponential mechanism: candidate o, of which there are copies
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

// NoisyMaxKernel returns report noisy max with exponential noise, which is permute-and-flip
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

// LaplaceMaxKernel returns report noisy max with Laplace noise of scale 1/rate on every score:
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

// BestKernel returns the best of a random number of runs, the last outcome being the best: with
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
