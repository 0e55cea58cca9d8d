package labs

import (
	"context"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// A lab whose numerical figures end in a fault of the program fails with it: a table without its sharpest bound would
// be a wrong lesson.
func TestFaultsEndALab(t *testing.T) {
	asked := 0
	for _, l := range slices.Backward(All()) { // the later ones ask; the quick form looks at two that do
		if asked == 2 && !gauge.All() {
			break
		}
		broken := &gauge.Broken{Context: context.Background()}
		values := param.Values{}
		for _, p := range l.Params {
			if p.Name == "runs" {
				values[p.Name] = param.WholeValue(p.Min)
			}
		}
		out, err := Run(broken, l.Name, Options{Seed: 1, Values: values})
		if broken.Times.Load() == 0 {
			continue
		}
		asked++
		if fault := accounting.FaultOf(err); fault == nil || fault.Text != gauge.BrokenText || out != nil {
			t.Errorf("%s: %v, %v", l.Name, out, err)
		}
	}
	if asked < gauge.Cases(2, 3) {
		t.Errorf("%d labs ask the accountant: this test looks at too few", asked)
	}
}
