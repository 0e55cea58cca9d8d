package plot_test

import (
	"fmt"
	"io"
	"math"
	"strings"

	"epsiloscope/report/chart"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/plot"
	"epsiloscope/tui/theme"

	"github.com/charmbracelet/lipgloss"
)

func Example() {
	unset := math.NaN()
	chart := chart.Chart{
		X:      chart.Axis{Label: "K", Min: unset, Max: unset},
		Y:      chart.Axis{Label: "eps", Min: unset, Max: unset},
		Series: []chart.Series{{Name: "basic", X: []float64{0, 10}, Y: []float64{0, 1}}},
	}
	mono, _ := theme.ByName("mono")
	p := plot.New()
	p.SetChart(chart)
	for _, line := range p.Draw(draw.NewPen(mono, lipgloss.NewRenderer(io.Discard), true), 30, 8) {
		fmt.Println(strings.TrimRight(line, " "))
	}
	p.SetCursor(5)
	fmt.Println(p.Readout()[0].Text)
	// Output:
	// eps                   * basic
	//   1 +                   ****
	//     |             ******
	// 0.5 +        ******
	//     |  ******
	//   0 +***
	//     ++----------+----------+-
	//      0          5            K
	// 0.5
}
