package adaptive

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Amounts are whole multiples of 1e-15, those of δ of 1e-40.
const (
	unit        = 15
	failureUnit = 40
)

// Cost is the cost of a request under a filter, or a sum of such costs. Each release is rounded
// up to a whole number of units, so that sums are exact and two halves of a request cost as much
// as the whole. Where the ε of releases is an exact quotient, the sum is rounded up and not each of them:
// three times a third is 1.
type Cost struct {
	Parts    []*big.Int // what the filter adds up: one number, one per order, or one per kind of planned release
	Failures *big.Int   // Σδ of the releases that state one
	// Rounding is the part of a unit that rounding up has added to the first part, at least 0 and below 1; nil for
	// nothing. A reader that ignores it counts too much, never too little.
	Rounding *big.Rat
}

// roundingBits is the largest number of bits in the denominator of Cost.Rounding. Denominators grow with every new
// scale in a ledger; a cost that would exceed this size stays rounded up. Another value would change the sums of
// ledgers that exist, which record them.
const roundingBits = 512

func newCost(parts int) Cost {
	numbers := make([]big.Int, parts+1) // at once: a long ledger adds up a million of them
	c := Cost{Parts: make([]*big.Int, parts), Failures: &numbers[parts]}
	for i := range c.Parts {
		c.Parts[i] = &numbers[i]
	}
	return c
}

// Plus returns the sum of two costs. The zero Cost may stand on either side.
func (c Cost) Plus(d Cost) Cost {
	sum := c.combine(d, (*big.Int).Add)
	if !c.hasRounding() && !d.hasRounding() {
		return sum
	}
	r := new(big.Rat).Add(c.rounding(), d.rounding())
	if r.Denom().BitLen() > roundingBits {
		r.Set(c.rounding()) // d stays rounded up
	}
	return sum.withRounding(r)
}

// Minus returns the sum without d, as after a cancelled reservation.
func (c Cost) Minus(d Cost) Cost {
	sum := c.combine(d, (*big.Int).Sub)
	if !c.hasRounding() && !d.hasRounding() {
		return sum
	}
	r := new(big.Rat).Sub(c.rounding(), d.rounding())
	if r.Denom().BitLen() > roundingBits {
		r.Sub(c.rounding(), big.NewRat(1, 1)) // d is rounded down: what is left is not less than it is
	}
	return sum.withRounding(r)
}

func (c Cost) combine(d Cost, op func(z, x, y *big.Int) *big.Int) Cost {
	sum := newCost(max(len(c.Parts), len(d.Parts)))
	for i := range sum.Parts {
		op(sum.Parts[i], c.part(i), d.part(i))
	}
	op(sum.Failures, c.failures(), d.failures())
	return sum
}

// withRounding takes away whole units that a sum of roundings amounts to, and gives one back where it is negative.
func (c Cost) withRounding(r *big.Rat) Cost {
	whole := new(big.Int).Div(r.Num(), r.Denom()) // towards −∞
	c.Parts[0].Sub(c.Parts[0], whole)
	if r.Sub(r, new(big.Rat).SetInt(whole)); r.Sign() > 0 {
		c.Rounding = r
	}
	return c
}

// hasRounding reports whether rounding has added something.
func (c Cost) hasRounding() bool { return c.Rounding != nil && c.Rounding.Sign() != 0 }

func (c Cost) rounding() *big.Rat {
	if c.Rounding == nil {
		return zeroRounding
	}
	return c.Rounding
}

var zeroRounding = new(big.Rat)

// Times returns the cost of n copies.
func (c Cost) Times(n *big.Int) Cost {
	if n.IsInt64() && n.Int64() == 1 {
		return c
	}
	product := newCost(len(c.Parts))
	for i := range product.Parts {
		product.Parts[i].Mul(c.Parts[i], n)
	}
	product.Failures.Mul(c.failures(), n)
	if c.hasRounding() {
		return product.withRounding(new(big.Rat).Mul(c.Rounding, new(big.Rat).SetInt(n)))
	}
	return product
}

// Equal reports whether two costs are the same numbers.
func (c Cost) Equal(d Cost) bool {
	for i := range max(len(c.Parts), len(d.Parts)) {
		if c.part(i).Cmp(d.part(i)) != 0 {
			return false
		}
	}
	return c.failures().Cmp(d.failures()) == 0 && c.rounding().Cmp(d.rounding()) == 0
}

// check refuses a sum that no releases can have: a part is negative or missing, or it is that of another filter. The
// zero Cost is that of nothing.
func (c Cost) check(parts int) error {
	if len(c.Parts) != parts && len(c.Parts) != 0 {
		return fmt.Errorf("it is a sum of %d parts, and this filter adds up %d", len(c.Parts), parts)
	}
	wrong := func(x *big.Int) bool { return x == nil || x.Sign() < 0 }
	if slices.ContainsFunc(c.Parts, wrong) || wrong(c.failures()) {
		return errors.New("a part of the sum is negative or missing, and no release has such a cost")
	}
	r := c.Rounding
	outside := r != nil && (r.Sign() < 0 || r.Num().Cmp(r.Denom()) >= 0)
	if rounded := r != nil && r.Sign() > 0; outside || rounded && (len(c.Parts) != 1 || c.Parts[0].Sign() == 0) {
		return errors.New("rounding has added a unit or more to the sum, or to one that is not rounded, and no release has such a cost")
	}
	return nil
}

// checkedFilter grants nothing, and quotes nothing, for a sum that no releases can have.
type checkedFilter struct {
	Filter
	parts int
}

func (f checkedFilter) Fits(sum Cost) error {
	if err := sum.check(f.parts); err != nil {
		return err
	}
	return f.Filter.Fits(sum)
}

func (f checkedFilter) Odometer() (Odometer, bool) {
	o, ok := f.Filter.Odometer()
	if at := o.At; ok {
		o.At = func(sum Cost) float64 {
			if sum.check(f.parts) != nil {
				return math.Inf(1)
			}
			return at(sum)
		}
	}
	return o, ok
}

// Covers reports whether a cost is at least another in everything that a filter adds up. What a filter grants
// beside the larger one it grants beside the smaller.
func (c Cost) Covers(d Cost) bool {
	for i := range max(len(c.Parts), len(d.Parts)) {
		if c.part(i).Cmp(d.part(i)) < 0 {
			return false
		}
	}
	return c.failures().Cmp(d.failures()) >= 0 && (c.part(0).Cmp(d.part(0)) > 0 || c.rounding().Cmp(d.rounding()) <= 0)
}

var zero = new(big.Int)

func (c Cost) part(i int) *big.Int {
	if i < len(c.Parts) {
		return c.Parts[i]
	}
	return zero
}

func (c Cost) failures() *big.Int {
	if c.Failures == nil {
		return zero
	}
	return c.Failures
}

// floats returns the first parts as numbers, rounded up.
func (c Cost) floats(parts int) []float64 {
	list := make([]float64, parts)
	for i := range list {
		list[i] = float(c.part(i), unit)
	}
	return list
}

// charge adds count times x, each in whole multiples of 10^-digits.
func charge(to *big.Int, x float64, digits int, count float64) error {
	each, err := roundUp(x, digits)
	if err != nil {
		return err
	}
	n, err := roundUp(count, 0)
	if err != nil {
		return err
	}
	to.Add(to, n.Mul(n, each))
	return nil
}

// roundUp returns x in whole multiples of 10^-digits. x is read as the shortest decimal
// that stands for it: a person who writes 0.1 ten times has spent 1.
func roundUp(x float64, digits int) (*big.Int, error) {
	q, r, err := decimalQuoRem(x, digits)
	if err == nil && r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q, err
}

// roundDown returns the largest whole multiple of 10^-digits that is at most x, for a budget.
func roundDown(x float64, digits int) (*big.Int, error) {
	q, _, err := decimalQuoRem(x, digits)
	return q, err
}

// decimalQuoRem returns x·10^digits, x read as the shortest decimal, as a whole number and a
// rest.
func decimalQuoRem(x float64, digits int) (quotient, rest *big.Int, err error) {
	if !(x >= 0) || math.IsInf(x, 1) {
		return nil, nil, errors.New("it has no finite cost")
	}
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'e', -1, 64))
	exact.Mul(exact, new(big.Rat).SetInt(power(digits)))
	quotient, rest = new(big.Int).QuoRem(exact.Num(), exact.Denom(), new(big.Int))
	return quotient, rest, nil
}

func power(digits int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
}

// Decimal writes an amount in full: 3750000000000 in units of 1e-15 is 0.00375.
func Decimal(amount *big.Int, digits int) string {
	text := new(big.Rat).SetFrac(amount, power(digits)).FloatString(digits)
	if digits == 0 {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Upper writes an amount for people: four digits, rounded up; what is counted in full.
func Upper(amount *big.Int, digits int) string {
	return Decimal(new(big.Int).Neg(floor(new(big.Int).Neg(amount), digits)), digits)
}

// Lower returns [Upper] rounded down.
func Lower(amount *big.Int, digits int) string { return Decimal(floor(amount, digits), digits) }

// Lower returns [Lower] with its quantity: "0.185 rho", "1 release".
func (a Description) Lower(amount *big.Int) string { return a.WithQuantity(Lower(amount, a.Unit)) }

// WithQuantity puts the quantity behind an amount in print.
func (a Description) WithQuantity(text string) string {
	switch {
	case a.Unit != 0:
		return text + " " + a.Quantity
	case text == "1":
		return text + " " + strings.TrimSuffix(a.Symbol, "s")
	default:
		return text + " " + a.Symbol
	}
}

// Sum returns the name and the symbol of what the filter adds up: "rho, Σρ", "releases".
func (a Description) Sum() string {
	if a.Unit == 0 {
		return a.Symbol
	}
	return a.Quantity + ", " + a.Symbol
}

func floor(amount *big.Int, digits int) *big.Int {
	cut := len(new(big.Int).Abs(amount).String()) - 4
	if digits == 0 || cut <= 0 {
		return amount
	}
	return new(big.Int).Mul(new(big.Int).Div(amount, power(cut)), power(cut))
}

// LargestFitting returns the largest n with fits(n), 0 if fits(1) is false. bounded is false if every n fits,
// as for a request that costs nothing.
func LargestFitting(fits func(n *big.Int) bool) (n *big.Int, bounded bool) {
	low, high := new(big.Int), big.NewInt(1)
	for fits(high) {
		if high.BitLen() > 300 { // beyond every budget in units of the smallest cost
			return nil, false
		}
		low, high = high, new(big.Int).Lsh(high, 1)
	}
	for {
		middle := new(big.Int).Add(low, high)
		if middle.Rsh(middle, 1); middle.Cmp(low) == 0 {
			return low, true
		}
		if fits(middle) {
			low = middle
		} else {
			high = middle
		}
	}
}

// float returns an amount as a number, rounded up.
func float(amount *big.Int, digits int) float64 {
	x, exact := new(big.Rat).SetFrac(amount, power(digits)).Float64()
	if !exact {
		x = math.Nextafter(x, math.Inf(1))
	}
	return x
}
