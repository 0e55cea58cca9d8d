package chart

import (
	"context"
	"math"
	"testing"

	"epsiloscope/scenarios"
)

// A trade-off near the diagonal is shown as the advantage over guessing, with every value that the errors have; a
// wide one stays as it is.
func TestAboveGuessing(t *testing.T) {
	for name, want := range map[string]bool{"hair-colour": true, "adv-vs-basic-large": false} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Tradeoff.Build(context.Background(), s, Options{Points: 12})
		if err != nil {
			t.Fatal(err)
		}
		above, ok := c.AboveGuessing()
		if ok != want {
			t.Errorf("%s: %v, want %v", name, ok, want)
		}
		if shown := c.ForExport(s); shown.Square == want {
			t.Errorf("%s: the picture is square: %v", name, shown.Square)
		}
		if !ok {
			continue
		}
		if above.Square || !above.Y.Upper || above.Y.Lower {
			t.Errorf("%s: an upper bound on the advantage is drawn on %+v", name, above.Y)
		}
		for i, s := range c.Series {
			for k, x := range s.X {
				if got := above.Series[i].Y[k]; math.Abs(1-x-s.Y[k]-got) > 1e-12 {
					t.Errorf("%s, %s at %v: error %v and advantage %v", name, s.Name, x, s.Y[k], got)
				}
			}
		}
	}
}
