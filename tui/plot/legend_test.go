package plot

import (
	"slices"
	"strings"
	"testing"

	"epsiloscope/report/chart"
)

// Curves that share a chart are all named, on a second row where one is too narrow.
func TestEveryCurveIsNamed(t *testing.T) {
	var c chart.Chart
	names := []string{"attack, measured", "attack, exactly", "Poisson batches", "without amplification"}
	for i, name := range names {
		c.Series = append(c.Series, chart.Series{Name: name, Look: i + 1, X: []float64{0, 2},
			Y: []float64{0.4, float64(i)}})
	}
	for _, size := range [][2]int{{46, 8}, {46, 9}, {46, 10}, {68, 16}, {70, 9}, {120, 20}, {120, 6}, {230, 7}} {
		view := shown(t, c, size[0], size[1]).View()
		for _, name := range names {
			if !strings.Contains(view, name) {
				t.Errorf("%v: no %q in\n%s", size, name, view)
			}
		}
	}
}

// Ticks on both sides of zero stand at zero, or as far from it on either side.
func TestTicksAroundZero(t *testing.T) {
	c := chart.Chart{Series: []chart.Series{{Name: "a", X: []float64{0, 1}, Y: []float64{-17.4, 25.2}}}}
	for h := 10; h < 40; h++ {
		var labels []string
		for _, tick := range shown(t, c, 70, h).geo.yTicks {
			labels = append(labels, tick.label)
		}
		if !slices.Contains(labels, "0") && !slices.Equal(labels, []string{"-20", "20"}) {
			t.Errorf("%d rows: %q", h, labels)
		}
	}
}
