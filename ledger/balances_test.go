package ledger

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/adaptive"
)

// In print spent, held and left add up to the budget; what is spent is not less than it is, the budget and what
// is left are not more.
func TestPrintedBalanceAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]int{0, 15, 24}).Draw(t, "unit")
		amount := func(name string, most *big.Int) *big.Int {
			part := rapid.Float64Range(0, 1).Draw(t, name)
			x, _ := new(big.Float).Mul(big.NewFloat(part), new(big.Float).SetInt(most)).Int(nil)
			return x
		}
		budget := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(rapid.IntRange(0, 30).Draw(t, "size"))), nil)
		budget.Add(budget, amount("more", new(big.Int).Mul(budget, big.NewInt(9))))
		spent := amount("spent", budget)
		rest := new(big.Int).Sub(budget, spent)
		held := amount("held", rest)
		if rapid.Bool().Draw(t, "empty") {
			held = rest
		}
		left := new(big.Int).Sub(rest, held)
		b := Balance{Filter: adaptive.Description{Unit: unit}, Budget: budget, Spent: spent, Held: held, Left: left}
		var printed, exact [4]*big.Rat
		texts := [4]string{}
		texts[0], texts[1], texts[2], texts[3] = b.PrintedAmounts()
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(unit)), nil)
		for i, x := range []*big.Int{budget, spent, held, left} {
			var ok bool
			if printed[i], ok = new(big.Rat).SetString(texts[i]); !ok {
				t.Fatalf("%q is no number", texts[i])
			}
			exact[i] = new(big.Rat).SetFrac(x, scale)
		}
		sum := new(big.Rat).Add(printed[1], printed[2])
		if sum.Add(sum, printed[3]).Cmp(printed[0]) != 0 {
			t.Fatalf("%v do not add up", texts)
		}
		if printed[0].Cmp(exact[0]) > 0 || printed[1].Cmp(exact[1]) < 0 || printed[3].Cmp(exact[3]) > 0 ||
			printed[2].Sign() < 0 || printed[3].Sign() < 0 {
			t.Fatalf("%v are on the wrong side of %v", texts, exact)
		}
		if unit == 0 && (texts[1] != spent.String() || texts[3] != left.String()) {
			t.Fatalf("%v are not in full", texts)
		}
	})
}

// What is asked stands before what is left, and a request without a price says so.
func TestAnswerLines(t *testing.T) {
	b := Balance{Filter: adaptive.Description{Quantity: "rho", Unit: 3}, Budget: big.NewInt(500),
		Spent: big.NewInt(120), Held: big.NewInt(30), Left: big.NewInt(350)}
	for asked, a := range map[string]*Answer{"no price": {Balance: b}, "0.02": {Balance: b, Asked: big.NewInt(20)}} {
		want := fields("budget", "0.50 rho", "spent", "0.12", "held", "0.03", "asked", asked, "left", "0.35")
		if got := a.Lines(); !slices.Equal(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// What is left after a breach has the sign of print, on the screen as on the command line.
func TestPrintedBreach(t *testing.T) {
	b := Balance{Filter: adaptive.Description{Quantity: "rho", Unit: 3}, Budget: big.NewInt(185),
		Spent: big.NewInt(250), Held: new(big.Int), Left: big.NewInt(-65)}
	if got := b.Lines()[3].Text; got != "−0.065" {
		t.Errorf("left %s", got)
	}
}
