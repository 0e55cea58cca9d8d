package labs

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// points is a classification problem: ‖x‖ ≤ 1, labels ±1.
type points struct {
	x [][]float64
	y []float64
}

// generate draws points of which the first coordinates tell the label, with noise.
func generate(r *rand.Rand, n, d int) points {
	p := points{}
	for range n {
		y := 1.0
		if r.IntN(2) == 0 {
			y = -1
		}
		x := make([]float64, d)
		for j := range x {
			x[j] = r.NormFloat64()
			if j < 2 {
				x[j] += 1.2 * y
			}
		}
		floats.Scale(1/math.Max(1, floats.Norm(x, 2)), x)
		p.x, p.y = append(p.x, x), append(p.y, y)
	}
	return p
}

// accuracy is the share of points classified right.
func (p points) accuracy(w []float64) float64 {
	right := 0.0
	for i := range p.x {
		if p.y[i]*floats.Dot(w, p.x[i]) > 0 {
			right++
		}
	}
	return right / float64(len(p.x))
}

func (p points) loss(w []float64) float64 {
	sum := 0.0
	for i := range p.x {
		sum += math.Log1p(math.Exp(-p.y[i] * floats.Dot(w, p.x[i])))
	}
	return sum / float64(len(p.x))
}

// minimise finds the exact minimiser of mean logistic loss + Λ/2‖w‖² + b·w/n by
// Newton's method; the objective is strongly convex, so it converges. Objective
// perturbation is private only for the exact minimiser.
func (p points) minimise(lambda float64, b []float64) []float64 {
	d, n := len(p.x[0]), float64(len(p.x))
	w := make([]float64, d)
	for range 50 {
		gradient, hessian := make([]float64, d), make([]float64, d*d)
		for j := range gradient {
			gradient[j] = lambda * w[j]
			if b != nil {
				gradient[j] += b[j] / n
			}
			hessian[j*d+j] = lambda
		}
		for i, x := range p.x {
			s := 1 / (1 + math.Exp(p.y[i]*floats.Dot(w, x)))
			slope, bend := p.y[i]*s/n, s*(1-s)/n
			for j, v := range x {
				gradient[j] -= slope * v
				for k := j; k < d; k++ {
					hessian[j*d+k] += bend * v * x[k]
				}
			}
		}
		var factors mat.Cholesky
		var step mat.VecDense
		factors.Factorize(mat.NewSymDense(d, hessian))
		must(0, factors.SolveVecTo(&step, mat.NewVecDense(d, gradient)))
		floats.Sub(w, step.RawVector().Data)
		if mat.Norm(&step, math.Inf(1)) < 1e-12 {
			break
		}
	}
	return w
}

// direction is a random vector of the given length.
func direction(r *rand.Rand, d int, length float64) []float64 {
	v := make([]float64, d)
	for j := range v {
		v[j] = r.NormFloat64()
	}
	floats.Scale(length/floats.Norm(v, 2), v)
	return v
}
