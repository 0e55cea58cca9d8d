package spectrum

import (
	"context"
	"math"
	"math/cmplx"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPackageExample computes the figures of the package comment twice: by its formulas, written out here, and by the
// package. Every figure of the comment must be one of them, rounded.
func TestPackageExample(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "# An example in numbers")
	text, _, _ = strings.Cut(text, "# The inversion formula")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\n// ", " "), "−", "-")

	const theta, window, h, epsilon = 1, 8.0, 0.5, 1.0
	p := math.E / (1 + math.E)
	moment := func(z complex128) complex128 { return complex(p, 0)*cmplx.Exp(z) + complex(1-p, 0)*cmplx.Exp(-z) }
	delta := func(epsilon float64) (sum float64) {
		for loss, mass := range map[float64]float64{2: p * p, 0: 2 * p * (1 - p), -2: (1 - p) * (1 - p)} {
			sum += mass * math.Max(0, 1-math.Exp(epsilon-loss))
		}
		return sum
	}

	ctx := context.Background()
	short := Stack{Lines: []Line{{Loss: pure(1), Count: 2}}}.truncate(ctx, 0)
	plan := Inversion{Theta: theta, Window: window, Smoothing: h, Bandwidth: 16, Up: 1, Down: -theta, Tolerance: 1e-12,
		floor: negligibleLog, guess: epsilon, deviation: 1}
	s, ok, err := short.evaluate(ctx, plan)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}

	bump := math.Exp(h*h/8) * h * math.Sqrt(2*math.Pi) * math.Erf(h/(2*math.Sqrt2))
	rows := regexp.MustCompile(`\t(\d) +([\d.]+) +([\d.]+) +(-?[\d.]+) +([\d.]+)`).FindAllStringSubmatch(text, -1)
	if len(rows) != 9 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	var upper, lower float64
	for k := range 20 {
		omega := 2 * math.Pi * float64(k) / window
		zeta := complex(theta, omega)
		f := cmplx.Pow(moment(zeta), 2) * cmplx.Exp(complex(h*h/2, 0)*zeta*(zeta+1))
		twice := complex(2/window, 0)
		if k == 0 {
			twice /= 2
		}
		turned := f * cmplx.Exp(-zeta*epsilon) * twice
		term := real(turned / (zeta * (zeta + 1)))
		upper += term
		lower += real(turned * (1/(zeta*(zeta+1)) - complex(bump, 0)))
		if k >= len(rows) {
			if math.Abs(term) >= 1e-4 {
				t.Errorf("the term %d is %g", k, term)
			}
			continue
		}
		if got := math.Exp(s.terms[k].log + s.log); math.Abs(got/cmplx.Abs(f)-1) > 1e-7 {
			t.Errorf("|F| at frequency %d is %g in the package, %g by the formula", k, got, cmplx.Abs(f))
		}
		for i, want := range []float64{float64(k), omega, cmplx.Abs(f), term, upper} {
			if got, err := strconv.ParseFloat(rows[k][i+1], 64); err != nil || math.Abs(got-want) > 0.51e-4 {
				t.Errorf("row %d of the table has %s, want %.4f", k, rows[k][i+1], want)
			}
		}
	}

	aliases := math.Exp(-theta*window) * delta(epsilon-window)
	for phrase, value := range map[string]float64{
		"p = e/(1+e) = %":                  p,
		"M(1) = %":                         real(moment(theta)),
		"The sum, %,":                      upper,
		"e^{-8}·δ(-7) = %":                 aliases,
		"smaller kernel, %,":               lower,
		"minus the aliases: %.":            lower - aliases,
		"p² = %":                           p * p,
		"%·e^z":                            p,
		"%·e^{-z}":                         1 - p,
		"δ(1) = 0.5344·(1 - e^{1-2}) = %.": delta(epsilon),
	} {
		if want := strings.Replace(phrase, "%", strconv.FormatFloat(value, 'f', 4, 64),
			1); !strings.Contains(text, want) {
			t.Errorf("the comment lacks %q", want)
		}
	}
	low, high := s.LogDelta(epsilon)
	if math.Abs(math.Exp(high)-upper) > 1e-6 || math.Abs(math.Exp(low)-(lower-aliases)) > 2e-3 ||
		math.Exp(low) > lower-aliases {
		t.Errorf("the package has δ in [%g, %g], the formulas [%g, %g]", math.Exp(low), math.Exp(high), lower-aliases, upper)
	}
	i, err := Stack{Lines: []Line{{Loss: pure(1), Count: 2}}}.Epsilon(ctx, delta(epsilon), 1e-7)
	if err != nil || !(i.Lower <= epsilon && epsilon <= i.Upper && i.Narrow(1e-6)) {
		t.Errorf("ε is in [%v, %v], %v", i.Lower, i.Upper, err)
	}
}
