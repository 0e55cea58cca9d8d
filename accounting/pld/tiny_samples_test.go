package pld

import (
	"context"
	"testing"

	"epsiloscope/internal/gauge"
)

// A few steps on samples of a millionth with little noise: nearly all of the mass lies next to 0, and ε is small. The first of these
// was left 17 times as wide as asked for, after seconds of vain attempts at too many frequencies; each must now be as narrow as asked, and
// within what was certified before. The last column is what the characteristic functions may cost, in values: the first took 750,000 while
// attempts that need many frequencies came before others, and the direction with the smaller losses was evaluated for nothing; the last took
// 1,300,000.
func TestTinySamplesAreNarrow(t *testing.T) {
	for _, c := range gauge.Some(3, []struct {
		q, z, steps, delta, lower, upper float64
		values                           int64
	}{
		{1e-6, 0.3, 100, 3e-5, 0.00056683958, 0.00056780779, 250e3},
		{1e-6, 0.4, 100, 1e-5, 0.00024868220, 0.00024868246, 250e3},
		{1e-6, 0.5, 10, 1e-6, 4.3901922e-5, 4.3904423e-5, 250e3},
		{1.29e-5, 0.754, 3, 1.33e-5, 7.65115813e-7, 7.65135238e-7, 300e3},
	}) {
		var a Accountant
		i, err := Epsilon(NewContext(context.Background(), &a), []Part{{Pair: Subsample(c.q, Gaussian(1/c.z)), Count: c.steps}}, c.delta, Options{})
		if err != nil || i.Note != "" || i.Upper-i.Lower > DefaultWidth*i.Upper {
			t.Errorf("q %g, z %g, %g steps at δ %g: [%.9g, %.9g] %s %v", c.q, c.z, c.steps, c.delta, i.Lower, i.Upper, i.Note, err)
		}
		if i.Upper < c.lower || i.Lower > c.upper {
			t.Errorf("q %g, z %g, %g steps at δ %g: [%.9g, %.9g] contradicts [%.9g, %.9g]", c.q, c.z, c.steps, c.delta, i.Lower, i.Upper, c.lower, c.upper)
		}
		if a.Computed() > c.values {
			t.Errorf("q %g, z %g, %g steps at δ %g: %d values of characteristic functions", c.q, c.z, c.steps, c.delta, a.Computed())
		}
	}
}
