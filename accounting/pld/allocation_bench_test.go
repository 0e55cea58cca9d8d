package pld

import (
	"context"
	"fmt"
	"testing"
)

// One epoch of random allocation, built anew and composed ten times, to three digits; and how
// far apart the ends are.
func BenchmarkAllocation(b *testing.B) {
	for _, c := range []struct{ t, z float64 }{{100, 1}, {100, 0.3}, {1000, 1}, {100_000, 1}, {100_000, 0.3}} {
		b.Run(fmt.Sprintf("t=%v,z=%v", c.t, c.z), func(b *testing.B) {
			var i Interval
			for b.Loop() {
				games = pairCache{most: games.most}
				var err error
				if i, err = Epsilon(context.Background(), []Part{{Pair: Allocation(c.t, c.z), Count: 10}}, 1e-6, Options{Width: 1e-3}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(i.Upper/i.Lower-1, "width")
		})
	}
}
