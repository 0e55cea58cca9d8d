package risk

import (
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
)

// Summary says that a stack is no worse than one Gaussian release, except with probability
// Delta0: δ(ε) ≤ δ₀ + (1−δ₀)·δ_Gauss(μ, ε) for every real ε and in both directions.
//
// A μ without its δ₀ is not a summary. For DP-SGD with Poisson sampling the smallest μ that
// holds exactly is √T/z, with no amplification at all: the test that adds up all outputs finds
// the rare run in which the record is in every batch, and far enough out it beats every
// smaller μ. Summaries compose: the μ add up as √Σμ², the δ₀ as 1 − Π(1−δ₀).
type Summary struct {
	Mu, Delta0 float64
	// Regret is an upper end of the largest difference in an attacker's Bayes error, over all
	// priors, between the Gaussian release and the stack. Above 0.01 the curve says more than μ.
	Regret float64
}

// Summarise returns a certified (μ, δ₀) summary of the stack. It is false if no δ at any ε falls to
// delta0, as with a release that fails with a larger probability.
//
// The lines 1 − δ⁺(ε) − e^ε·α of both directions bound the trade-off function f from below. Their
// maximum is a convex polygon, and the trade-off function of the summary is convex, so it lies
// below the polygon everywhere if it does so at the polygon's vertices. Comparing δ at the same
// ε alone would prove nothing between them.
func (c *Curve) Summarise(ctx context.Context, delta0 float64) (Summary, bool, error) {
	if !(delta0 > 0 && delta0 < 1) {
		return Summary{}, false, openInterval("δ₀", delta0)
	}
	p, err := c.computedPoints(ctx)
	if err != nil {
		return Summary{}, false, err
	}
	rungs, top, err := c.rungs(ctx, delta0)
	if err != nil || len(rungs) == 0 {
		return Summary{}, false, err
	}
	grid := make([]float64, summaryPoints)
	for i := range grid {
		grid[i] = top * float64(i) / float64(len(grid)-1)
	}
	p = p.copy()
	grid = apartFrom(p.sides[pld.WithRecord].epsilon, grid)
	if err := c.extend(ctx, p, grid, grid, summaryWidth); err != nil {
		return Summary{}, false, err
	}
	for range summaryRounds {
		var closer []float64
		for _, rung := range rungs {
			_, open, _ := c.summary(p, rung)
			closer = append(closer, open...)
		}
		if len(closer) == 0 {
			break
		}
		slices.Sort(closer)
		closer = slices.CompactFunc(closer, nextTo) // several may cut the same gap
		if err := c.extend(ctx, p, apartFrom(p.sides[pld.WithRecord].epsilon, closer), nil, summaryWidth); err != nil {
			return Summary{}, false, err
		}
	}
	found, _, ok := c.summary(p, delta0)
	return found, ok, nil
}

// rungs returns the δ₀ whose summaries are narrowed, ascending, and an ε at which δ is down to the first; none if no δ
// falls to delta0. From 1e-10 on they do not depend on delta0, unless the stack fails with a probability above 1e-5:
// the same points then prove every summary, so that μ never rises with δ₀.
func (c *Curve) rungs(ctx context.Context, delta0 float64) (rungs []float64, top float64, err error) {
	tries := []float64{1e-10, 1e-5, math.Max(delta0, 1e-5)} // the last for a stack that fails more often
	if delta0 < tries[0] {
		tries = append([]float64{delta0}, tries...)
	}
	for i, rung := range tries {
		top = math.Inf(1)
		for _, parts := range c.stack.Alternatives {
			ends, err := pld.Epsilon(ctx, parts, rung/2, pld.Options{Width: 1e-3})
			if err != nil {
				return nil, 0, err
			}
			top = math.Min(top, ends.Upper)
		}
		if last := len(tries) - 1; top <= farthest/2 {
			return tries[i:max(i+1, last)], math.Max(top, 1e-9) * (1 + 1e-6), nil
		}
	}
	return nil, 0, nil
}

const (
	// summaryPoints is the number of ε at which a summary evaluates δ at first, in each direction.
	summaryPoints = 61
	// summaryRounds is how often it adds points, at most, and summaryParts the number of parts into which it cuts the
	// gaps between points that leave μ or the regret open.
	summaryRounds, summaryParts = 3, 4
	// openMu is the share of μ, and openRegret the regret, that may stay open.
	openMu, openRegret = 1e-4, 1e-5
)

// summary returns the summary that the points prove, false if they prove none, and the ε, in the direction with the
// record, at which further points may narrow it.
func (c *Curve) summary(p *points, delta0 float64) (found Summary, closer []float64, ok bool) {
	ofMu, ok := summaryMu(p.lines(c.sideOf(pld.WithoutRecord)), delta0)
	if !ok {
		return Summary{}, nil, false
	}
	mu := ofMu.most
	if c.stack.Gaussian > 0 { // whose own μ is a summary
		mu = math.Min(mu, c.stack.Gaussian*(1+1e-11))
	}
	ways := []pld.Direction{pld.WithRecord, pld.WithoutRecord}
	if c.symmetric {
		ways = ways[:1]
	}
	ofRegret := p.regret(mu, ways)
	closer = slices.Concat(ofMu.cutAbove(ofMu.least*(1+openMu)), ofRegret.cutAbove(ofRegret.least+openRegret))
	return Summary{mu, delta0, ofRegret.most}, closer, true
}

// enclosed is a largest value over all ε: an upper end, about what it is at least, and the gaps between points that
// decide the upper end.
type enclosed struct {
	most, least float64
	gaps        []gap
}

// gap is an interval of ε, in the direction with the record, between points of a curve, and an upper end of a value
// there.
type gap struct{ left, right, most float64 }

// cutAbove returns ε that cut the gaps whose upper end is above a limit.
func (e enclosed) cutAbove(limit float64) (epsilons []float64) {
	for _, g := range e.gaps {
		for k := 1.0; k < summaryParts && g.most > limit; k++ {
			epsilons = append(epsilons, g.left+(g.right-g.left)*k/summaryParts)
		}
	}
	return epsilons
}

// line is intercept − slope·α, a lower bound of the trade-off function.
type line struct{ intercept, slope float64 }

// lines returns the lower bounds of the trade-off function (type II error as a function of the type
// I error α) that the known upper ends imply, rounded down. A test and its complement give two per ε: of
// P against Q, 1 − δ_remove(ε) − e^ε·α; with both errors exchanged, e^{−ε}·(1 − δ_add(ε) − α).
func (p *points) lines(other pld.Direction) (out []line) {
	out = append(out, line{0, 0})
	remove, add := p.sides[pld.WithRecord], p.sides[other]
	const down, up = 1 - 4*0x1p-53, 1 + 4*0x1p-53
	for i, e := range remove.epsilon {
		out = append(out, line{(1 - remove.upper[i]) * down, math.Exp(e) * up})
	}
	for i, e := range add.epsilon {
		a := math.Exp(-e)
		out = append(out, line{a * (1 - add.upper[i]) * down, a * up})
	}
	return out
}

// summaryMu encloses the smallest μ whose trade-off function, with δ₀ set aside, lies below the maximum of the lines at
// every vertex: the upper end is rounded up, and the lines of ε inside the gap of a vertex cut the vertex off. The
// trade-off function of the stack touches each line somewhere between two vertices, which is about what μ is at least.
// It is false if the polygon meets an axis at a point that no μ reaches.
func summaryMu(lines []line, delta0 float64) (mu enclosed, ok bool) {
	hull := upperEnvelope(lines)
	rest := 1 - delta0
	at := func(alpha, beta float64) (needed float64, ok bool) {
		if alpha >= rest || beta >= rest {
			return 0, true // a point that every mechanism allows for
		}
		if alpha <= 0 || beta <= 0 {
			return 0, false
		}
		m := -special.NormalQuantile(alpha/rest) - special.NormalQuantile(beta/rest)
		return m + 1e-9*(1+math.Abs(m)), true
	}
	// The corner on the axis α = 0 and the one on β = 0, where the level line 0 begins.
	if _, ok := at(0, hull[0].intercept); !ok {
		return mu, false
	}
	before := 0.0 // the α of the last vertex
	for i := 1; i < len(hull); i++ {
		a, b := hull[i-1], hull[i] // b is less steep
		alpha := (a.intercept - b.intercept) / (a.slope - b.slope)
		beta := math.Max(0, b.intercept-b.slope*alpha)
		needed, ok := at(alpha, beta)
		if !ok {
			return mu, false
		}
		mu.most = math.Max(mu.most, needed)
		if needed > 0 && b.slope > 0 {
			mu.gaps = append(mu.gaps, gap{math.Log(b.slope), math.Log(a.slope), needed})
		}
		if middle := math.Sqrt(before * alpha); middle > 0 {
			touched, _ := at(middle, a.intercept-a.slope*middle)
			mu.least = math.Max(mu.least, touched)
		}
		before = alpha
	}
	return mu, true
}

// upperEnvelope returns the lines that are the largest somewhere on α ≥ 0, steepest first.
func upperEnvelope(lines []line) []line {
	slices.SortFunc(lines, func(a, b line) int {
		switch {
		case a.slope != b.slope && a.slope > b.slope, a.slope == b.slope && a.intercept > b.intercept:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	var hull []line
	for _, l := range lines {
		if len(hull) > 0 && hull[len(hull)-1].slope == l.slope {
			continue
		}
		for len(hull) > 0 {
			last := hull[len(hull)-1]
			if l.intercept >= last.intercept { // less steep and higher at 0: larger everywhere
				hull = hull[:len(hull)-1]
				continue
			}
			if len(hull) == 1 {
				break
			}
			before := hull[len(hull)-2]
			// last is nowhere the largest if l overtakes before no later than last does.
			overtakes := (before.intercept - l.intercept) * (before.slope - last.slope)
			if overtakes <= (before.intercept-last.intercept)*(before.slope-l.slope) {
				hull = hull[:len(hull)-1]
				continue
			}
			break
		}
		hull = append(hull, l)
	}
	return hull
}

// regretParts is into how many parts a gap is cut for the regret.
const regretParts = 16

// regret encloses max over ε ≥ 0 of (δ_Gauss(μ, ε) − δ(ε))/(1 + e^ε), in either direction, between known points too:
// both fall, so on a part of a gap δ_Gauss is largest at its left end and δ least at its right end.
func (p *points) regret(mu float64, ways []pld.Direction) (regret enclosed) {
	of := func(gaussAt, delta float64) float64 {
		return (math.Exp(special.LogGaussianProfile(mu, gaussAt)) - delta) / (1 + math.Exp(gaussAt)) * (1 + 1e-9)
	}
	for _, way := range ways {
		s := p.sides[way]
		for i, e := range s.epsilon {
			if e < 0 {
				continue
			}
			if i+1 == len(s.epsilon) {
				regret.most = math.Max(regret.most, of(e, 0))
				continue
			}
			regret.least = math.Max(regret.least, of(e, s.lower[i])) // points between do not raise the known ends
			g := gap{left: e, right: s.epsilon[i+1]}
			for k := range regretParts {
				left := e + (g.right-e)*float64(k)/regretParts
				right := e + (g.right-e)*float64(k+1)/regretParts
				g.most = math.Max(g.most, of(left, s.deltaFloor(i, right)))
			}
			regret.most = math.Max(regret.most, g.most)
			if way == pld.WithoutRecord {
				g.left, g.right = -g.right, -g.left
			}
			regret.gaps = append(regret.gaps, g)
		}
	}
	return regret
}

// deltaFloor returns a lower end of δ at an ε of the cell from known point i to the next, by convexity in e^ε.
func (s side) deltaFloor(i int, epsilon float64) float64 {
	floor := s.lower[i+1]
	for _, points := range [][2]int{{i - 1, i}, {i + 2, i + 1}} {
		if line, ok := s.extension(points[0], points[1]); ok {
			floor = math.Max(floor, line.lowerAt(math.Exp(epsilon)))
		}
	}
	return floor
}
