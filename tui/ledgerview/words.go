package ledgerview

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/ledger"
	"epsiloscope/report"
	"epsiloscope/tui/kit"
)

// amount returns a number of units as a number to draw or to round.
func amount(x *big.Int, unit int) float64 {
	f, _ := new(big.Rat).SetFrac(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(unit)), nil)).Float64()
	return f
}

// lower and upper write an amount in four digits, on the side on which it stays true; what
// is counted in whole numbers in full.
func lower(x *big.Int, unit int) string {
	if unit > 0 && x.Sign() < 0 {
		return "−" + upper(new(big.Int).Neg(x), unit)
	}
	return formatDecimal(adaptive.Lower(x, unit), unit, report.Lower)
}

func upper(x *big.Int, unit int) string {
	return formatDecimal(adaptive.Upper(x, unit), unit, report.Upper)
}

// formatDecimal returns a decimal that was rounded already, as numbers are written.
func formatDecimal(decimal string, unit int, write func(float64) string) string {
	x, err := strconv.ParseFloat(decimal, 64)
	if unit == 0 || err != nil {
		return decimal
	}
	return write(x)
}

// plainSymbol returns what the filter adds up, without the sign of the sum.
func plainSymbol(a adaptive.Description) string { return strings.TrimPrefix(a.Symbol, "Σ") }

// scope returns "for each day, within any 7 days" as far as the promise has blocks and a window; else "".
func scope(q ledger.Promise) string {
	var parts []string
	if q.Blocks != "" {
		parts = append(parts, "for each "+q.Blocks)
	}
	if q.Window != "" {
		parts = append(parts, "within any "+q.WindowText())
	}
	return strings.Join(parts, ", ")
}

// count writes a whole number in groups of three.
func count(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// copies writes how many times something fits.
func copies(n *big.Int) string {
	switch {
	case n == nil:
		return "any"
	case len(n.String()) > 6:
		return kit.CompactFit(amount(n, 0))
	}
	return n.String()
}

// formatShare returns a part in per cent.
func formatShare(part, total *big.Int) string {
	if total.Sign() <= 0 {
		return "0 %"
	}
	return report.Percent(amount(part, 0) / amount(total, 0))
}

const day = 24 * time.Hour

// quota returns a share of the budget in per cent.
func quota(share string) string {
	x, err := strconv.ParseFloat(share, 64)
	if err != nil {
		return share
	}
	return report.StatedPercent(x)
}

// words joins what was said with commas.
func words(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), ", ")
}
