package selfcheck

import (
	"context"
	"fmt"
	"testing"

	"epsiloscope/accounting"
)

func TestEveryFigureAgrees(t *testing.T) {
	outcomes, err := Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if !o.Pass {
			t.Errorf("%s: got %.17g, expected %.17g within %g (%v): %s", o.ID, o.Got, o.Expected, o.Tolerance, o.Err, o.How)
		}
	}
}

// A figure that is off by a little more than its tolerance is noticed.
func TestAWrongFigureFails(t *testing.T) {
	figures, err := Figures()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		for _, factor := range []float64{1 + 2.5*f.Tolerance + 1e-8, 1 - 2.5*f.Tolerance - 1e-8} {
			wrong := f
			wrong.Expected *= factor
			if o := check(context.Background(), wrong); o.Pass {
				t.Errorf("%s: %.17g passes for %.17g", f.ID, o.Got, wrong.Expected)
			}
		}
	}
}

// Every figure has a way to be computed, every way a figure, every figure a name of
// its own and a source.
func TestFiguresAndAsksMatch(t *testing.T) {
	figures, err := Figures()
	if err != nil {
		t.Fatal(err)
	}
	used, ids := map[string]bool{}, map[string]bool{}
	for _, f := range figures {
		used[f.Ask] = true
		if ids[f.ID] || f.How == "" || f.Tolerance <= 0 {
			t.Errorf("%s: a second of that name, or no source, or no tolerance", f.ID)
		}
		ids[f.ID] = true
	}
	for ask := range asks {
		if !used[ask] {
			t.Errorf("no figure is a %s", ask)
		}
		if _, method := accounting.TheoremOf(accounting.Method(ask)); method {
			t.Errorf("two ways to compute a %s", ask)
		}
	}
	for _, theorem := range accounting.Methods() {
		if !used[string(theorem.Method)] && theorem.Method != accounting.RDPPinned { // which needs a pinned order
			t.Errorf("no figure is the ε of %s", theorem.Method)
		}
	}
	f := figures[0]
	f.Ask = "horoscope"
	if o := check(context.Background(), f); o.Pass || o.Err == nil {
		t.Error("a figure of no known kind passes")
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx); err == nil {
		t.Error("a stopped run reports no error")
	}
}

func ExampleRun() {
	outcomes, err := Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	failed := 0
	for _, o := range outcomes {
		if !o.Pass {
			failed++
		}
	}
	fmt.Println(failed, "figures are off")
	// Output: 0 figures are off
}
