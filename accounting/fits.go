package accounting

// roundingSlack is how far above a budget a bound may come out and still be within
// it, relative to the budget. A budget is a number a person wrote, and a sum of
// such numbers, 0.168 + 0.37 + 1.1 + 0.042 in a budget of 1.68, is rounded up in
// its sixteenth digit. No theorem tells budgets apart that differ in the tenth.
const roundingSlack = 1e-9

// Ceiling is the largest ε that still counts as within the budget. It is for the
// question whether something fits; no figure is reported with it.
func Ceiling(budget float64) float64 { return budget * (1 + roundingSlack) }

// Fits reports whether the bound is proven and stays within the budget.
func (b Bound) Fits(budget float64) bool {
	return b.Status == Valid && b.Epsilon <= Ceiling(budget)
}
