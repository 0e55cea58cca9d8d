package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"epsiloscope/mechanisms/numeral"
)

// Span is the window in words: in days where it is whole days; "" if there is none.
func (p Promise) Span() string {
	const day = 24 * time.Hour
	d, err := ParseWindow(p.Window)
	if err != nil || d%day != 0 {
		return p.Window
	}
	return numeral.Plural(int(d/day), "day", "days")
}

// ParseWindow reads the length of a sliding window: 12h, 7d, 4w.
func ParseWindow(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	for _, calendar := range []string{"month", "quarter", "year", "mo", "y"} {
		if strings.HasSuffix(strings.TrimSuffix(text, "s"), calendar) {
			return 0, errors.New("months, quarters and years of the calendar are not of equal length: a span of 30 days can touch three months, and then has three budgets. Name days, as in 30d")
		}
	}
	for suffix, unit := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if digits, ok := strings.CutSuffix(text, suffix); ok {
			n, err := strconv.Atoi(digits)
			if err != nil || n < 1 || n > 10000 {
				return 0, fmt.Errorf("%q is no number of days or weeks", text)
			}
			return time.Duration(n) * unit, nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second {
		return 0, fmt.Errorf("%q is no length of time: write 12h, 7d or 4w", text)
	}
	return d, nil
}
