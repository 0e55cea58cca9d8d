package pld

import (
	"context"
	"fmt"
	"testing"
)

// One epoch of random allocation, built and composed ten times.
func BenchmarkAllocation(b *testing.B) {
	for _, c := range []struct{ t, z float64 }{{100, 1}, {100, 0.3}, {100_000, 1}} {
		b.Run(fmt.Sprintf("t=%v,z=%v", c.t, c.z), func(b *testing.B) {
			for range b.N {
				if _, err := Epsilon(context.Background(), []Part{{Pair: Allocation(c.t, c.z), Count: 10}}, 1e-6, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
