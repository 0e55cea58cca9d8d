package labs

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/mechanisms/param"
)

// sequenceOf runs a lab, short, and takes its steps.
func sequenceOf(t *testing.T, lab string, values param.Values) (Sequence, *Outcome) {
	t.Helper()
	out, err := Run(context.Background(), lab, Options{Seed: 1, Values: values})
	if err != nil {
		t.Fatal(err)
	}
	return out.Sequence, out
}

// The labs whose algorithm has an order of steps show it: each step has a value in every
// column and says what happened.
func TestLabsYieldSteps(t *testing.T) {
	whole := param.WholeValue
	for lab, values := range map[string]param.Values{
		"differencing": {"repeats": whole(50)}, "randomized-response": {"surveys": whole(10)}, "exponential": {"samples": whole(500)},
		"sparse-vector": nil, "median": {"queries": whole(300)}, "thresholdout": {"trials": whole(1)},
		"tuning": {"samples": whole(1000)}, "adaptive-gaussian": {"trials": whole(10)}, "composition": {"samples": whole(100)},
	} {
		q, _ := sequenceOf(t, lab, values)
		if len(q.Steps) < 30 || q.CurveCount < 1 || q.CurveCount > len(q.Columns) {
			t.Errorf("%s: %d steps, %d of %v drawn", lab, len(q.Steps), q.CurveCount, q.Columns)
		}
		for i, step := range q.Steps {
			if len(step.Values) != len(q.Columns) || step.Says == "" || math.IsNaN(step.Values[0]) ||
				step.Marked && q.Mark == "" {
				t.Fatalf("%s: step %d is %+v of %v", lab, i+1, step, q.Columns)
			}
		}
	}
}

// The steps are the run itself: as many marked as were paid for, and a decision is what
// the two noisy numbers beside it say.
func TestStepsAreTheRun(t *testing.T) {
	for _, thresholds := range []string{"one", "own"} {
		q, out := sequenceOf(t, "sparse-vector", param.Values{"thresholds": param.ChoiceValue(thresholds)})
		marked, own := 0, map[float64]bool{}
		for i, s := range q.Steps {
			noisy, level := s.Values[1], s.Values[2]
			if (noisy >= level) != s.Marked || strings.HasPrefix(s.Says, "⊤") != s.Marked {
				t.Fatalf("step %d compares %v with %v and says %q", i+1, noisy, level, s.Says)
			}
			own[level] = true
			if s.Marked {
				marked++
			}
			if want := 1 - float64(marked)/5; math.Abs(s.Values[3]-want) > 1e-12 {
				t.Fatalf("step %d: %v of ε is left after %d positives", i+1, s.Values[3], marked)
			}
		}
		if marked != 5 || float64(len(q.Steps)) != out.Figures[1].Value {
			t.Errorf("%d steps with %d positives, %v were answered", len(q.Steps), marked, out.Figures[1].Value)
		}
		if (len(own) > 5) != (thresholds == "own") { // one threshold has new noise after each of five positives
			t.Errorf("thresholds %s: %d different ones", thresholds, len(own))
		}
	}
	q, out := sequenceOf(t, "median", param.Values{"queries": param.WholeValue(300)})
	hard, databases := 0.0, math.Inf(1)
	for i, s := range q.Steps {
		if s.Values[2] > databases {
			t.Fatalf("step %d has more databases than the one before", i+1)
		}
		if databases = s.Values[2]; s.Marked {
			hard++
		}
	}
	if hard != out.Figures[1].Value || databases != out.Figures[2].Value {
		t.Errorf("%v hard steps, %v databases left; the run says %v and %v", hard, databases, out.Figures[1].Value, out.Figures[2].Value)
	}
}

// The choice of thresholds changes what is compared, not what is paid or how often it is
// wrong: q − T is a query of the same sensitivity.
func TestOwnThresholdsCostTheSame(t *testing.T) {
	_, one := sequenceOf(t, "sparse-vector", nil)
	_, own := sequenceOf(t, "sparse-vector", param.Values{"thresholds": param.ChoiceValue("own")})
	for i, f := range one.Figures {
		if own.Figures[i].Value != f.Value {
			t.Errorf("%s: %v with one threshold, %v with own ones", f.Name, f.Value, own.Figures[i].Value)
		}
	}
}
