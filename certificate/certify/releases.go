package certify

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/certificate"
	"epsiloscope/scenarios"
)

// UnsupportedError says which release cannot be certified, and why.
type UnsupportedError struct{ Name, Reason string }

func (e *UnsupportedError) Error() string { return e.Name + ": cannot be certified: " + e.Reason }

// namedRelease is an entry of the stack as a release of a certificate.
type namedRelease struct {
	certificate.Release
	count     float64
	deviation float64  // of its loss, about
	spacing   *big.Rat // its atoms lie at multiples of it; nil if it has no atoms, or they lie nowhere in particular
	// the pair is that of the release, so that a lower end of the pair is one of the release's worst case
	tight bool
}

// stackOf returns the releases of a scenario by the names of their dominating pairs, equal ones folded. tight
// is false if one of them is dominated by its pair but not equal to it.
func stackOf(s *scenarios.Scenario) (list []namedRelease, err error) {
	stack, err := scenarios.Stack(s)
	if err != nil {
		return nil, err
	}
	index := map[string]int{}
	for _, e := range stack {
		n, err := nameRelease(e)
		if err != nil {
			return nil, err
		}
		if n.Kind == "" {
			continue
		}
		key := fmt.Sprintf("%+v", n.Release)
		if i, ok := index[key]; ok {
			list[i].count += n.count
			list[i].tight = list[i].tight && n.tight
			continue
		}
		index[key] = len(list)
		list = append(list, n)
	}
	for i := range list {
		n := &list[i]
		if n.count != math.Trunc(n.count) || n.count > maxCount {
			return nil, &UnsupportedError{n.Kind, "a certificate counts whole releases, at most 10,000,000 of a kind"}
		}
		n.Count = strconv.FormatFloat(n.count, 'f', -1, 64)
	}
	return list, nil
}

// Limits of the format, which both checkers refuse to exceed.
const (
	maxCount    = 1e7
	minSigma    = 0.3
	maxSigma    = 1e5
	maxZ        = 1e3
	minEpsilon  = 1e-5
	maxEpsilon  = 50
	minRate     = 1e-6
	maxDiscrete = 1000
	maxShift    = 4096
)

// nameRelease returns one entry as a release of a certificate, by its dominating pair. Its kind is "" if it costs
// nothing.
func nameRelease(e accounting.Entry) (n namedRelease, err error) {
	refuse := func(reason string) error { return &UnsupportedError{e.Release.Name(), reason} }
	pair, err := e.Release.Pair()
	if err != nil {
		return n, refuse(err.Error())
	}
	f, exact, ok := pair.Form()
	switch {
	case !ok:
		return n, refuse(f.Reason)
	case f.Kind == "nothing":
		return n, nil
	}
	// Several selections of bounded range cost less than the composition of their pairs, and a selection that is
	// dominated by noise costs less than the noise: no lower end.
	n = namedRelease{count: e.Count, tight: exact && f.Kind != "bounded-range" && accounting.AttainsPair(e.Release)}
	n.Offset = "0"
	reason := n.fill(f)
	if reason != "" {
		return n, refuse(reason)
	}
	return n, nil
}

// fill writes the parameters of a form, each rounded to the side that costs more. It returns why the form is
// unsupported; "" if it is not.
func (n *namedRelease) fill(f pairs.Form) (reason string) {
	n.deviation = f.Size
	switch f.Kind {
	case "gaussian":
		n.Kind = "gaussian"
		if f.Scheme == "" {
			n.Sigma = roundDecimalDown(1 / f.Size)
		} else {
			n.Z = roundDecimalDown(1 / f.Size)
		}
		if s := 1 / f.Size; !(s >= minSigma) || s > maxSigma || f.Scheme != "" && s > maxZ {
			return fmt.Sprintf("σ/Δ must be from %v to %v, or %v if sampled; here it is %.4g", minSigma, maxSigma, maxZ, s)
		}
	case "laplace", "pure", "bounded-range", "approximate":
		n.Kind = strings.ReplaceAll(strings.Replace(f.Kind, "approximate", "approx", 1), "-", "_")
		n.Epsilon = roundDecimalUp(f.Size)
		if f.Kind == "approximate" {
			n.Delta = roundDecimalUp(f.Delta)
		}
		if f.Size > maxEpsilon || f.Size < minEpsilon && f.Kind != "approximate" || f.Delta > 0.5 {
			return fmt.Sprintf("ε of a release must be from %v to %v and its δ at most 0.5", minEpsilon, maxEpsilon)
		}
		if f.Kind != "bounded-range" && f.Scheme == "" && f.Size > 0 {
			n.spacing = rational(n.Epsilon)
		}
	case "response":
		n.Kind, n.Epsilon, n.Share = "response", roundDecimalUp(f.Size), roundDecimalUp(math.Min(1, f.Share))
		n.deviation *= math.Sqrt(f.Share)
		n.spacing = rational(n.Epsilon)
		if f.Size > maxEpsilon || f.Size < minEpsilon || f.Share < minRate {
			return fmt.Sprintf("ε of a release must be from %v to %v", minEpsilon, maxEpsilon)
		}
	case "discrete-laplace":
		n.Kind, n.Epsilon, n.Shift = "discrete_laplace", roundDecimalUp(f.Size), strconv.Itoa(f.Shift)
		n.deviation *= float64(f.Shift)
		n.spacing = rational(n.Epsilon)
		if f.Shift > maxShift || !(f.Size*float64(f.Shift) < maxEpsilon) || f.Size < minEpsilon {
			return "discrete Laplace noise with so large a sensitivity or ε is beyond the checker"
		}
	case "discrete-gaussian":
		n.Kind, n.Sigma, n.Shift = "discrete_gaussian", roundDecimalDown(f.Size), strconv.Itoa(f.Shift)
		n.deviation = float64(f.Shift) / f.Size
		sigma := rational(n.Sigma)
		n.spacing = new(big.Rat).Quo(new(big.Rat).SetInt64(int64(f.Shift)),
			new(big.Rat).Mul(big.NewRat(2, 1), new(big.Rat).Mul(sigma, sigma)))
		if f.Shift > maxShift || f.Size > maxDiscrete || f.Size < minSigma {
			return fmt.Sprintf("σ of discrete Gaussian noise must be from %v to %v", minSigma, maxDiscrete)
		}
	default:
		return "the checker has no pair called " + f.Kind
	}
	return n.addSampling(f)
}

// addSampling adds the scheme of sampling.
func (n *namedRelease) addSampling(f pairs.Form) (reason string) {
	if f.Scheme == "" {
		return ""
	}
	n.Q = roundDecimalUp(f.Rate)
	if f.Rate < minRate {
		return fmt.Sprintf("a sampling rate must be at least %v", minRate)
	}
	if n.deviation = f.Rate * 2 * math.Sinh(f.Size/2); n.Kind == "gaussian" {
		n.deviation = f.Rate * math.Sqrt(math.Expm1(math.Min(f.Size*f.Size, 20)))
	}
	switch {
	case f.Scheme == pairs.Mixed && n.Shift == "" && n.Share == "":
		n.Kind = "sampled_" + n.Kind
	case f.Scheme == pairs.Opposite && n.Kind == "gaussian":
		n.Kind, n.deviation = "replaced_gaussian", 2*n.deviation
	case f.Scheme == pairs.Mirrored && n.Kind == "gaussian":
		n.Kind = "fixed_batch_gaussian"
	default:
		return "the checker has no such pair under sampling (" + f.Kind + ", " + string(f.Scheme) + ")"
	}
	return ""
}

// shortDigits is the number of digits up to which a computed number is replaced by the decimal that it is within
// rounding of: 0.39999999999999997 by 0.4.
const shortDigits = 12

// roundDecimalUp returns x as a decimal that is not below it, short if x is within rounding of a
// short one.
func roundDecimalUp(x float64) string { return roundDecimal(x, numeral.Up) }

// roundDecimalDown returns x as a decimal that is not above it, short if x is within rounding of a
// short one.
func roundDecimalDown(x float64) string { return roundDecimal(x, numeral.Down) }

func roundDecimal(x float64, side numeral.Side) string {
	if x == 0 {
		return "0"
	}
	value := new(big.Rat).SetFloat64(x)
	size := new(big.Rat).Abs(value)
	short := rational(strconv.FormatFloat(x, 'e', shortDigits-1, 64))
	if away := new(big.Rat).Sub(short, value); away.Abs(away).Cmp(new(big.Rat).Mul(size, rational("4.5e-16"))) <= 0 {
		return plainDecimal(short)
	}
	// Four units of the 16th digit cover what computing the number may have lost.
	step := new(big.Rat).Mul(size, rational("4e-16"))
	if side == numeral.Down {
		step.Neg(step)
	}
	exact := new(big.Rat).Add(value, step)
	exponent := int(math.Floor(math.Log10(math.Abs(x))))
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(0, 16-exponent))), nil))
	exact.Mul(exact, scale)
	q, r := new(big.Int).DivMod(exact.Num(), exact.Denom(), new(big.Int))
	if r.Sign() != 0 && side == numeral.Up {
		q.Add(q, big.NewInt(1))
	}
	return plainDecimal(new(big.Rat).Quo(new(big.Rat).SetInt(q), scale))
}

// plainDecimal writes a decimal without exponent, or with a negative one if it is small.
func plainDecimal(r *big.Rat) string {
	text := r.FloatString(45)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	if digits, small := strings.CutPrefix(text, "0.0000"); small {
		rest := strings.TrimLeft(digits, "0")
		exponent := 4 + len(digits) - len(rest) + 1
		text = rest[:1]
		if len(rest) > 1 {
			text += "." + rest[1:]
		}
		text += "e-" + strconv.Itoa(exponent)
	}
	return text
}

func rational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("certify: " + text + " is not a number")
	}
	return r
}
