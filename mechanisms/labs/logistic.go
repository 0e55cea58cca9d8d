package labs

import (
	"math"
	"math/rand/v2"
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
		norm := 0.0
		for j := range x {
			x[j] = r.NormFloat64()
			if j < 2 {
				x[j] += 1.2 * y
			}
			norm += x[j] * x[j]
		}
		for j := range x {
			x[j] /= math.Max(1, math.Sqrt(norm))
		}
		p.x, p.y = append(p.x, x), append(p.y, y)
	}
	return p
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// accuracy is the share of points classified right.
func (p points) accuracy(w []float64) float64 {
	right := 0.0
	for i := range p.x {
		if p.y[i]*dot(w, p.x[i]) > 0 {
			right++
		}
	}
	return right / float64(len(p.x))
}

// loss is the mean logistic loss.
func (p points) loss(w []float64) float64 {
	sum := 0.0
	for i := range p.x {
		sum += math.Log1p(math.Exp(-p.y[i] * dot(w, p.x[i])))
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
			s := 1 / (1 + math.Exp(p.y[i]*dot(w, x)))
			slope, bend := p.y[i]*s/n, s*(1-s)/n
			for j, v := range x {
				gradient[j] -= slope * v
				row := hessian[j*d:]
				for k, u := range x[:j+1] {
					row[k] += bend * v * u
				}
			}
		}
		step := solveSymmetric(hessian, gradient, d)
		size := 0.0
		for j := range w {
			w[j] -= step[j]
			size = math.Max(size, math.Abs(step[j]))
		}
		if size < 1e-12 {
			break
		}
	}
	return w
}

// solveSymmetric solves A x = b for the positive definite A given by its lower
// triangle, by Cholesky.
func solveSymmetric(a, b []float64, d int) []float64 {
	l := append([]float64(nil), a...)
	for j := range d {
		for k := range j {
			l[j*d+j] -= l[j*d+k] * l[j*d+k]
		}
		l[j*d+j] = math.Sqrt(l[j*d+j])
		for i := j + 1; i < d; i++ {
			for k := range j {
				l[i*d+j] -= l[i*d+k] * l[j*d+k]
			}
			l[i*d+j] /= l[j*d+j]
		}
	}
	x := append([]float64(nil), b...)
	for i := range d {
		for k := range i {
			x[i] -= l[i*d+k] * x[k]
		}
		x[i] /= l[i*d+i]
	}
	for i := d - 1; i >= 0; i-- {
		for k := i + 1; k < d; k++ {
			x[i] -= l[k*d+i] * x[k]
		}
		x[i] /= l[i*d+i]
	}
	return x
}

// direction is a random vector of the given length.
func direction(r *rand.Rand, d int, length float64) []float64 {
	v := make([]float64, d)
	norm := 0.0
	for j := range v {
		v[j] = r.NormFloat64()
		norm += v[j] * v[j]
	}
	for j := range v {
		v[j] *= length / math.Sqrt(norm)
	}
	return v
}
