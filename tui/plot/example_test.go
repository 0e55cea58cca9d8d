package plot_test

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/plot"
)

func Example() {
	unset := math.NaN()
	chart := chart.Chart{
		X:      chart.Axis{Label: "K", Min: unset, Max: unset},
		Y:      chart.Axis{Label: "eps", Min: unset, Max: unset},
		Series: []chart.Series{{Name: "basic", X: []float64{0, 10}, Y: []float64{0, 1}}},
	}
	p := plot.New()
	p.SetASCII(true)
	p.SetChart(chart)
	p.SetSize(30, 8)
	for line := range strings.Lines(p.View()) {
		fmt.Println(strings.TrimRight(line, " \n"))
	}
	p.SetCursor(5)
	fmt.Println(p.Readout()[0].Text)
	// Output:
	// eps                **** basic
	//   1 +                  *****
	//     |             *****
	// 0.5 +         *****
	//     |    *****
	//   0 +*****
	//     ++----------+----------+-
	//      0          5            K
	// 0.5
}
