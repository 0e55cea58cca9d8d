package plot

import (
	"slices"
	"testing"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/graph"
)

// Every line within a square of dots is the one ntcharts walks.
func TestWalkIsThatOfNtcharts(t *testing.T) {
	const n = 9
	var d dots
	for i := range n * n * n * n {
		from := canvas.Point{X: i % n, Y: i / n % n}
		to := canvas.Point{X: i / n / n % n, Y: i / n / n / n}
		d.walk(from, to)
		if want := graph.GetLinePoints(from, to); !slices.Equal(d.path, want) {
			t.Fatalf("from %v to %v: %v, ntcharts %v", from, to, d.path, want)
		}
	}
}
