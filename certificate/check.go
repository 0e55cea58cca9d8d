package certificate

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// MaxPoints is the most lattice points that a check may need.
const MaxPoints = 300_000

// places is the largest number of decimals of a number in a certificate; losses are exact in
// units of 1e-45.
const places = 45

var (
	decimals = fromInt(power(places))
	nothing  = new(big.Int)
)

// Verdict is the result of a check. Upper and Lower are proved, whatever was claimed.
type Verdict struct {
	Proved bool
	Upper  string // the least ε for which δ is proved; empty if none
	Lower  string // an ε that the tight one is proved to reach; empty if it was not asked for
	Line   string // one sentence: "proved: ε ≤ X at δ = D and ε ≥ Y", or "not proved: …"
}

// unprovedError says why a check could not be done with the certificate's choices.
type unprovedError string

func (e unprovedError) Error() string { return string(e) }

// checker is a certificate whose numbers are read.
type checker struct {
	ctx                 context.Context
	cert                *Certificate
	pairs               []*pair
	upper, lower        *big.Rat
	delta, cut          *big.Float
	step, unit, cutUnit *big.Int // step in units of 1e-45
	tests               int64
	pure                bool // δ = 0
}

func (c *checker) checkContext() error {
	if c.ctx.Err() != nil {
		return unprovedError("it takes too long; take a larger h")
	}
	return nil
}

// newChecker reads the numbers of a certificate, and says which is wrong.
func newChecker(cert *Certificate) (*checker, error) {
	in := &reader{}
	a := cert.About
	for _, text := range []string{a.Scenario, a.Unit, a.Adjacency, a.Group, a.Rounds, a.Stack} {
		in.require(isFit(text), "about: must be texts of at most 200 characters, without control characters")
	}
	in.require(cert.Format == Format, "format: must be "+Format)
	in.require(cert.LowerWay == string(remove) || cert.LowerWay == string(insert), "lower_direction: must be remove or add")
	delta, cut := in.number("delta", cert.Delta, "0", "0.5"), in.number("cut", cert.Cut, "1e-36", "1e-6")
	step := in.number("h", cert.Step, "0.000001", "1")
	c := &checker{cert: cert, ctx: context.Background(), upper: in.number("eps_upper", cert.Upper, "0", "99999"),
		lower: in.number("eps_lower", cert.Lower, "0", "99999"), delta: toFloat(delta), cut: toFloat(cut), pure: delta.Sign() == 0}
	digits := in.whole("digits", cert.Digits, 12, 38)
	c.tests = in.whole("tests", cert.Tests, 1, 16)
	in.require(c.pure || delta.Cmp(rational("1e-30")) >= 0, "delta: must be 0 or at least 1e-30")
	in.require(c.lower.Cmp(c.upper) <= 0, "eps_lower: must be at most eps_upper")
	in.require(len(cert.Releases) >= 1 && len(cert.Releases) <= 50, "releases: must be a list of 1 to 50")
	c.step = units(step)
	c.unit = power(digits)
	cutUnits := new(big.Rat).Mul(cut, new(big.Rat).SetInt(c.unit))
	c.cutUnit = new(big.Int).Quo(cutUnits.Num(), cutUnits.Denom())
	for i := range cert.Releases {
		c.pairs = append(c.pairs, in.pair(&cert.Releases[i]))
	}
	return c, in.err
}

// units returns a decimal in units of 1e-45.
func units(r *big.Rat) *big.Int {
	scaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(power(places)))
	return new(big.Int).Quo(scaled.Num(), scaled.Denom())
}

// pair reads one release.
func (in *reader) pair(r *Release) *pair {
	names := parameters[r.Kind]
	in.require(names != nil, "kind: not one that this program knows")
	p := &pair{kind: r.Kind, count: in.whole("count", r.Count, 1, 1e7), sums: map[direction][]test{},
		ratios: map[direction][]*big.Float{}, within: zeroF, rest: zeroF}
	p.offset = units(in.number("offset", r.Offset, "-1", "1"))
	var sigma, eps *big.Rat
	for _, name := range names {
		switch name {
		case "sigma":
			sigma = in.number(name, r.Sigma, "0.3", "100000")
			p.scale, p.sigma = toFloat(sigma), toFloat(sigma)
		case "z":
			p.scale = toFloat(in.number(name, r.Z, "0.3", "1000"))
		case "eps":
			least := "0.00001"
			if slices.Contains(names, "delta") {
				least = "0"
			}
			eps = in.number(name, r.Epsilon, least, "50")
			p.eps, p.exactEps = toFloat(eps), eps
		case "delta":
			p.delta = toFloat(in.number(name, r.Delta, "0", "0.5"))
		case "q":
			p.q = toFloat(in.number(name, r.Q, "0.000001", "1"))
		case "share":
			p.share = toFloat(in.number(name, r.Share, "0.000001", "1"))
		case "shift":
			p.shift = in.whole(name, r.Shift, 1, 4096)
		}
	}
	p.sampled, p.batch = strings.HasPrefix(r.Kind, "sampled_"), r.Kind == "fixed_batch_gaussian"
	p.table = slices.Contains(tables, r.Kind)
	p.normal = p.scale != nil && !p.table
	if p.shift > 0 && in.err == nil {
		large := sigma != nil && sigma.Cmp(rational("1000")) > 0
		large = large || eps != nil && new(big.Rat).Mul(eps, new(big.Rat).SetInt64(p.shift)).Cmp(rational("50")) > 0
		in.require(!large, r.Kind+": too large")
	}
	if r.Kind == "finite" {
		in.outcomes(p, r)
	}
	return p
}

// outcomes reads an explicit finite pair.
func (in *reader) outcomes(p *pair, r *Release) {
	within, rest := in.number("within", r.Within, "0", "1e-9"), in.number("rest", r.Rest, "0", "1e-9")
	p.within, p.rest = toFloat(within), toFloat(rest)
	sums := [2]*big.Rat{new(big.Rat), new(big.Rat)}
	for _, row := range r.Outcomes {
		var v [2]*big.Float
		for side, text := range row {
			mass := in.number("mass", text, "0", "1")
			sums[side].Add(sums[side], mass)
			v[side] = toFloat(mass)
		}
		p.outcomes = append(p.outcomes, v)
	}
	allowed := new(big.Rat).Add(within, rest)
	for _, s := range sums {
		off := s.Sub(s, big.NewRat(1, 1))
		in.require(off.Abs(off).Cmp(allowed) <= 0, "outcomes: the masses do not add up to 1")
	}
}

// prove returns the upper or the lower end of ε for one order of the neighbours, in units of 1e-8, or nil if there is
// none. The copies of a release are composed by squaring.
func (c *checker) prove(way direction, upward bool) (*big.Int, error) {
	if c.pure {
		return c.largestLoss(way, upward)
	}
	if c.isLoneApprox() {
		return onGrid(new(big.Rat).Set(c.pairs[0].exactEps), upward), nil
	}
	var whole *lossList
	for _, r := range c.pairs {
		if r.table {
			r.tabulate(way)
		}
		single, err := c.single(r, way, upward)
		if err != nil {
			return nil, err
		}
		power, err := single.round(c.unit, upward).trim(c.cutUnit, upward)
		for count := r.count; count > 0 && err == nil; count /= 2 {
			if err := c.checkContext(); err != nil {
				return nil, err
			}
			if count%2 == 1 && whole == nil {
				whole = power
			} else if count%2 == 1 {
				whole, err = compose(whole, power, c.unit, upward).trim(c.cutUnit, upward)
			}
			if count > 1 && err == nil {
				power, err = compose(power, power, c.unit, upward).trim(c.cutUnit, upward)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return c.solve(whole, upward), nil
}

// single returns the list of losses of one release, without copies: its curve is above that of the release, or below.
func (c *checker) single(r *pair, way direction, upward bool) (*lossList, error) {
	if upward {
		return c.lossesAbove(r, way)
	}
	low, high, err := c.window(r, way)
	if err != nil {
		return nil, err
	}
	v, err := c.corners(r, way, low, high)
	if err != nil {
		return nil, err
	}
	return c.lossesBelow(v, low-1, high+1, r.offset), nil
}

// largestLoss returns, for δ = 0, the sum of the largest losses, in units of 1e-8. It is exact unless a release is
// sampled or a table.
func (c *checker) largestLoss(way direction, upward bool) (*big.Int, error) {
	exact, computed, off := new(big.Rat), newFloat(), newFloat()
	for _, r := range c.pairs {
		loss, ok := r.largestLoss(way, upward)
		switch {
		case ok:
			computed.Add(computed, mul(loss, newFloat().SetInt64(r.count)))
			off = mustFloat("1e-40")
		case r.isBoundedByEpsilon():
			exact.Add(exact, new(big.Rat).Mul(r.exactEps, new(big.Rat).SetInt64(r.count*max(1, r.shift))))
		default:
			return nil, unprovedError(r.kind + " has no largest loss that this program knows; delta must be above 0")
		}
	}
	if !upward {
		off.Neg(off)
	}
	computed.Add(computed, off)
	sum, _ := computed.Rat(nil)
	end := onGrid(sum.Add(sum, exact), upward)
	if end.Sign() < 0 {
		return new(big.Int), nil
	}
	return end, nil
}

// onGrid returns a number in units of 1e-8, rounded to its side.
func onGrid(x *big.Rat, upward bool) *big.Int {
	x.Mul(x, new(big.Rat).SetInt64(1e8))
	return divide(x.Num(), x.Denom(), upward)
}

// isLoneApprox reports whether the one release is an (ε, δ) at its own δ. Its curve is δ from e^ε on and larger below,
// so that ε is exact; a list of losses, rounded up, would exceed δ everywhere.
func (c *checker) isLoneApprox() bool {
	first := c.pairs[0]
	return len(c.pairs) == 1 && first.count == 1 && first.kind == "approx" && first.delta.Cmp(c.delta) == 0
}

// Check proves both ends anew and compares them with the claim. Its error is a [MalformedError]; a check that
// ctx ends, or that needs too many points, is a verdict "not proved".
func (c *Certificate) Check(ctx context.Context) (Verdict, error) {
	k, err := newChecker(c)
	if err != nil {
		return Verdict{}, err
	}
	k.ctx = ctx
	v, err := k.verdict()
	if reason, ok := err.(unprovedError); ok {
		return Verdict{Line: "not proved: " + string(reason)}, nil
	}
	return v, err
}

// upperOnlyKind returns the first kind of the releases that has no lower end, "" if there is none.
func (c *checker) upperOnlyKind() string {
	for _, r := range c.pairs {
		if slices.Contains(upperOnly, r.kind) {
			return r.kind
		}
	}
	return ""
}

// ends proves both ends, in units of 1e-8; the lower one if it is asked for and every kind has one.
func (c *checker) ends(withLower bool) (upper, lower *big.Int, err error) {
	ways := []direction{remove}
	if slices.ContainsFunc(c.pairs, func(r *pair) bool { return !slices.Contains(symmetric, r.kind) }) {
		ways = append(ways, insert) // the guarantee needs both orders; symmetric pairs are the same in both
	}
	for i, way := range ways {
		e, err := c.prove(way, true)
		if err != nil {
			return nil, nil, err
		}
		if i == 0 || e == nil || upper != nil && e.Cmp(upper) > 0 {
			upper = e
		}
	}
	proved := upper != nil && grains(upper).Cmp(c.upper) <= 0
	if (withLower || !proved) && c.upperOnlyKind() == "" {
		if lower, err = c.prove(direction(c.cert.LowerWay), false); err != nil {
			return nil, nil, err
		}
	}
	if lower != nil && upper != nil && lower.Cmp(upper) > 0 {
		err = fmt.Errorf("the lower end %s exceeds the upper end %s: the checker is wrong", text(lower), text(upper))
	}
	return upper, lower, err
}

// verdict proves both ends and compares them with the claim.
func (c *checker) verdict() (v Verdict, err error) {
	upper, lower, err := c.ends(c.lower.Sign() > 0)
	if err != nil {
		return v, err
	}
	v.Proved = upper != nil && grains(upper).Cmp(c.upper) <= 0
	result := "no finite ε at δ = " + c.cert.Delta
	if upper != nil {
		v.Upper = text(upper)
		result = "ε ≤ " + v.Upper + " at δ = " + c.cert.Delta
	}
	if lower != nil {
		v.Lower = text(lower)
		result += " and ε ≥ " + v.Lower
	}
	reached := c.lower.Sign() == 0 || lower != nil && grains(lower).Cmp(c.lower) >= 0
	if v.Proved && reached {
		v.Line = "proved: " + result
		return v, nil
	}
	missed := "ε ≤ " + c.cert.Upper
	if v.Proved {
		missed = "ε ≥ " + c.cert.Lower
	}
	v.Proved = false
	v.Line = "not proved: the claim " + missed + " " + c.reason(upper, lower) + "; proved instead: " + result
	return v, nil
}

// reason words why a claim is not proved, given the ends that are. A lower end is of the named pairs: a pair that only
// dominates its release costs more than the release, so that a claim about the release may be true.
func (c *checker) reason(upper, lower *big.Int) string {
	const isFalse = "is false of the named pairs"
	if lower != nil && grains(lower).Cmp(c.upper) > 0 || upper != nil && c.lower.Cmp(grains(upper)) > 0 {
		return isFalse
	}
	proved := upper != nil && grains(upper).Cmp(c.upper) <= 0
	if kind := c.upperOnlyKind(); proved && kind != "" {
		return "cannot be proved, as " + kind + " has no lower end"
	}
	return isFalse + ", or the choices are too coarse for it"
}

// grains returns a number in units of 1e-8.
func grains(n *big.Int) *big.Rat { return new(big.Rat).SetFrac(n, big.NewInt(1e8)) }

// text writes a number in units of 1e-8 as a plain decimal.
func text(n *big.Int) string {
	s := grains(n).FloatString(8)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
