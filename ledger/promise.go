package ledger

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report/sheet"
)

// Promise is the promise in the first record: everything that decides, fixed before the first release.
// Numbers are texts, as they were given. [Stored.Create] fills in the budget, and what
// follows from a plan: its request, the rungs, and ε if that is not given.
type Promise struct {
	Epsilon  string            `json:"epsilon"`
	Delta    string            `json:"delta"`
	Filter   adaptive.Kind     `json:"filter"`
	Budget   *Amounts          `json:"budget,omitempty"`
	Failures string            `json:"failures,omitempty"` // the part of δ for releases that have one
	Alpha    string            `json:"alpha,omitempty"`
	Orders   []string          `json:"orders,omitempty"`
	Weights  []string          `json:"weights,omitempty"`
	Odometer string            `json:"odometer,omitempty"`
	Plan     *Request          `json:"plan,omitempty"`
	Rungs    []string          `json:"rungs,omitempty"` // the ε of each rung
	Blocks   string            `json:"blocks,omitempty"`
	Window   string            `json:"window,omitempty"`
	Quotas   map[string]string `json:"quotas,omitempty"` // by analyst: a share of the budget; fairness, no guarantee

	window time.Duration
}

func formatNumbers(list []float64) []string {
	var out []string
	for _, x := range list {
		out = append(out, numeral.Format(x))
	}
	return out
}

// numberReader parses the numbers of a promise and keeps the first error.
type numberReader struct{ err error }

func (r *numberReader) number(field, text string) float64 {
	if text == "" {
		return 0
	}
	x, err := strconv.ParseFloat(text, 64)
	if (err != nil || !(x >= 0) || math.IsInf(x, 1)) && r.err == nil {
		r.err = fmt.Errorf("promise.%s is no number: %q", field, text)
	}
	return x
}

func (r *numberReader) numbers(field string, list []string) []float64 {
	var out []float64
	for _, text := range list {
		out = append(out, r.number(field, text))
	}
	return out
}

// terms returns the promise's numbers. The plan is left to the caller.
func (p *Promise) terms() (adaptive.Promise, error) {
	var r numberReader
	t := adaptive.Promise{
		Filter: p.Filter, Epsilon: r.number("epsilon", p.Epsilon), Delta: r.number("delta", p.Delta),
		Failures: r.number("failures", p.Failures),
		Alpha:    r.number("alpha", p.Alpha), Orders: r.numbers("orders", p.Orders), Weights: r.numbers("weights", p.Weights),
		Odometer: p.Odometer, Rungs: r.numbers("rungs", p.Rungs),
	}
	if p.Window != "" {
		var err error
		if p.window, err = time.ParseDuration(p.Window); err != nil || p.window <= 0 {
			return t, fmt.Errorf("promise.window is no duration: %q", p.Window)
		}
	}
	for analyst, share := range p.Quotas {
		if s, err := strconv.ParseFloat(share, 64); err != nil || !(s > 0 && s <= 1) {
			return t, fmt.Errorf("the quota of %q must be a share of the budget, above 0 and at most 1", analyst)
		}
	}
	return t, r.err
}

// filter returns the filter of a promise and the terms it was made from. It fails if the plan cannot be priced,
// or if the stated budget is missing or counts another quantity.
func (l *Ledger) filter(p *Promise) (f adaptive.Filter, t adaptive.Promise, err error) {
	if t, err = p.terms(); err != nil {
		return nil, t, err
	}
	if p.Plan != nil {
		if t.Plan, err = l.Entries(*p.Plan); err != nil {
			return nil, t, fmt.Errorf("the plan cannot be priced: %w", err)
		}
	}
	if p.Budget == nil || len(p.Budget.Parts) != 1 || p.Budget.Rounding != nil {
		return nil, t, errors.New("the promise states no budget in whole units")
	}
	t.Budget = p.Budget.Parts[0]
	if f, err = adaptive.New(t); err == nil && p.Budget.Quantity != f.Describe().Quantity {
		err = fmt.Errorf("the promise states its budget in %s, and the %s counts %s", p.Budget.Quantity, f.Describe().Title, f.Describe().Quantity)
	}
	return f, t, err
}

// WindowText returns the window in words: in days where it is whole days; "" if there is none.
func (p Promise) WindowText() string {
	d, err := ParseWindow(p.Window)
	if err != nil {
		return p.Window
	}
	return windowText(d)
}

// windowText writes a length of time, in days if it is whole days.
func windowText(d time.Duration) string {
	const day = 24 * time.Hour
	if d%day != 0 {
		return d.String()
	}
	return numeral.Plural(int(d/day), "day", "days")
}

// ShownEpsilon returns the promised ε for people: as it was given or, if that is long, rounded up.
func (p Promise) ShownEpsilon() string {
	x, err := strconv.ParseFloat(p.Epsilon, 64)
	if err != nil {
		return p.Epsilon
	}
	return numeral.FormatGiven(x)
}

// Scope returns the scope of the promise if there are blocks or a window, with a blank before
// it.
func (p Promise) Scope() (text string) {
	if p.Window != "" {
		text = " within any " + p.WindowText()
	}
	if p.Blocks != "" {
		text += fmt.Sprintf(", for data that lie in one %s", p.Blocks)
		if p.Filter != adaptive.Basic { // for a sum of pure ε it is proven
			text += " and do not arrive depending on earlier answers"
		}
	}
	return text
}

// scopeRecord returns the scope for other programs: null where the promise has no blocks or no window.
func (p Promise) scopeRecord() sheet.Record {
	orNull := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	return sheet.Record{{"blocks", orNull(p.Blocks)}, {"window", orNull(p.Window)}}
}

// ParseWindow reads the length of a sliding window: 12h, 7d, 4w.
func ParseWindow(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	unit := strings.TrimLeft(text, "0123456789. ")
	days := 1
	switch strings.TrimSuffix(unit, "s") {
	case "month", "quarter", "year", "mo", "y":
		return 0, errors.New("months, quarters and years of the calendar are not of equal length: a span of 30 days can touch three months, and then has three budgets. Name days, as in 30d")
	case "m":
		return 0, fmt.Errorf("%q may be minutes or months: write days, as in 30d, or hours, as in 0.5h", text)
	case "w", "week":
		days = 7
	case "d", "day":
	default:
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Second {
			return 0, fmt.Errorf("%q is no length of time: write 12h, 7d or 4w", text)
		}
		return d, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(text, unit)))
	if err != nil || n < 1 || n > 10000 {
		return 0, fmt.Errorf("%q is no number of days or weeks", text)
	}
	return time.Duration(n*days) * 24 * time.Hour, nil
}
