package ledger

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/report/sheet"
)

// Balance is the budget of a block, in the quantity of the filter: spent + held + left is the
// budget. What is left is below 0 after a breach.
type Balance struct {
	Filter                    adaptive.Description
	Block                     string // "" without blocks
	Budget, Spent, Held, Left *big.Int
	Head                      string // of the ledger
	promise                   Promise
}

func (l *Ledger) balance(block string) Balance {
	a := l.account(block)
	budget, spent, total := l.Filter.Budget(), l.Filter.Spent(a.spent), l.Filter.Spent(a.sum())
	return Balance{l.Filter.Describe(), block, budget, spent, new(big.Int).Sub(total, spent),
		new(big.Int).Sub(budget, total), l.Head(), l.Promise}
}

// Upper and Lower write an amount in four digits, on the side on which it stays true.
func (b Balance) Upper(x *big.Int) string { return adaptive.Upper(x, b.Filter.Unit) }
func (b Balance) Lower(x *big.Int) string { return adaptive.Lower(x, b.Filter.Unit) }

// PrintedAmounts writes the balance for people, so that spent, held and left add up to the budget in print. The
// budget has five digits and is rounded down, as is what is left; what is spent is rounded up. What is
// counted is written in full.
func (b Balance) PrintedAmounts() (budget, spent, held, left string) {
	unit, total := b.Filter.Unit, new(big.Int).Sub(b.Budget, b.Left)
	cut := max(0, min(unit, len(new(big.Int).Abs(b.Budget).String())-5))
	for ; ; cut-- {
		step := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(cut)), nil)
		down := func(x *big.Int) *big.Int { return new(big.Int).Div(x, step) }
		up := func(x *big.Int) *big.Int { y := down(new(big.Int).Neg(x)); return y.Neg(y) }
		all, s, t := down(b.Budget), up(b.Spent), up(total)
		l := new(big.Int).Sub(all, t)
		if l.Sign() < 0 && b.Left.Sign() >= 0 && cut > 0 {
			continue // rounded to these digits, what is left would be negative
		}
		texts := alignDecimals(unit-cut, all, s, new(big.Int).Sub(t, s), l)
		return texts[0], texts[1], texts[2], texts[3]
	}
}

// alignDecimals writes amounts in units of 10^-digits, all with the same number of decimals, as few as show all digits
// other than 0. A negative amount has the minus sign of print.
func alignDecimals(digits int, amounts ...*big.Int) []string {
	texts := make([]string, len(amounts))
	for i, x := range amounts {
		texts[i] = new(big.Rat).SetFrac(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)),
			nil)).FloatString(digits)
	}
	for ; digits > 0 && !slices.ContainsFunc(texts, func(t string) bool { return t[len(t)-1] != '0' }); digits-- {
		for i, t := range texts {
			texts[i] = strings.TrimSuffix(t[:len(t)-1], ".")
		}
	}
	for i, t := range texts {
		texts[i] = strings.Replace(t, "-", "−", 1)
	}
	return texts
}

// number returns an amount for other programs, null where there is none.
func (b Balance) number(x *big.Int) any {
	if x == nil {
		return nil
	}
	return json.Number(adaptive.Decimal(x, b.Filter.Unit))
}

// record returns the balance for other programs; what is left follows what is asked.
func (b Balance) record() sheet.Record {
	r := sheet.Record{{"filter", b.Filter.Kind}, {"quantity", b.Filter.Quantity}}
	if b.Block != "" {
		r = append(r, [2]any{"block", b.Block})
	}
	r = append(r, [2]any{"scope", b.promise.scopeRecord()})
	return append(r, sheet.Record{{"budget", b.number(b.Budget)}, {"spent", b.number(b.Spent)}, {"held", b.number(b.Held)}}...)
}

// MarshalJSON returns the form that other programs rely on.
func (a *Answer) MarshalJSON() ([]byte, error) {
	r := append(sheet.Record{{"fits", a.Fits}}, a.record()...)
	r = append(r, sheet.Record{{"asked", a.number(a.Asked)}, {"left", a.number(a.Left)},
		{"left_after", a.number(a.LeftAfter)}, {"largest", a.Largest}}...)
	if a.Refusal != "" {
		r = append(r, [2]any{"reason", a.Refusal})
	}
	if a.Advantage != nil {
		r = append(r, [2]any{"advantage", *a.Advantage})
	}
	return json.Marshal(append(r, [2]any{"head", a.Head}))
}

// MarshalJSON returns the form that other programs rely on.
func (s *Status) MarshalJSON() ([]byte, error) {
	fits := []sheet.Record{}
	for _, f := range s.Fits {
		fit := sheet.Record{{"request", f.Text}, {"copies", f.Copies}}
		if f.Releases != nil {
			fit = append(fit, [2]any{"releases", f.Releases})
		}
		fits = append(fits, fit)
	}
	r := append(s.record(), sheet.Record{
		{"left", s.number(s.Left)}, {"promise", sheet.Record{{"epsilon", json.Number(s.Epsilon)}, {"delta", json.Number(s.Delta)}}},
		{"records", s.Records}, {"head", s.Head}, {"odometer", s.Odometer}, {"plan", s.FixedPlan}, {"still_fits", fits},
	}...)
	if s.Broken != "" {
		r = append(r, sheet.Record{{"broken", true}, {"reason", s.Broken}}...)
	}
	if len(s.Cancelled) > 0 {
		r = append(r, [2]any{"cancelled", s.Cancelled})
	}
	return json.Marshal(r)
}

// Balances lists the blocks that were charged, the one with least left first.
func (l *Ledger) Balances(now time.Time) []Balance {
	l.expire(now)
	var list []Balance
	for _, block := range l.Blocks() {
		list = append(list, l.balance(block))
	}
	slices.SortStableFunc(list, func(a, b Balance) int { return a.Left.Cmp(b.Left) })
	return list
}

// Analyst is the amount an analyst has taken, and the quota as a share of the budget, "" for none.
type Analyst struct {
	By    string
	Spent *big.Int
	Quota string
}

// Analysts lists the analysts by what they have taken, most first. Releases that have left the window count too.
func (l *Ledger) Analysts() []Analyst {
	var list []Analyst
	for by, cost := range l.analysts {
		list = append(list, Analyst{by, l.Filter.Spent(cost), l.Promise.Quotas[by]})
	}
	slices.SortFunc(list, func(a, b Analyst) int { return cmp.Or(b.Spent.Cmp(a.Spent), cmp.Compare(a.By, b.By)) })
	return list
}
