package kit

import (
	"context"

	"epsiloscope/scenarios"
)

// Certified is what the screen will say of a scenario once it stands there: the last and
// narrowest result, not the closed forms alone.
func Certified(ctx context.Context, account Accountant, s *scenarios.Scenario) (*scenarios.Result, error) {
	var last *scenarios.Result
	err := account.Refine(ctx, s, scenarios.Options{}, func(r *scenarios.Result) bool {
		last = r
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return last, err
}
