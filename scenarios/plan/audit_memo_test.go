package plan

import (
	"reflect"
	"testing"

	"epsiloscope/accounting/audit"
)

// A remembered size is the one that is simulated, and of the same claim, attack, power and confidence only.
func TestRememberedSizesAreThoseSimulated(t *testing.T) {
	type question struct {
		claim             audit.Table
		attack            audit.Attack
		power, confidence float64
	}
	table := func(delta float64) audit.Table {
		return audit.Table{Epsilon: []float64{0.5}, Remove: []float64{delta}, Add: []float64{delta}}
	}
	noisy := audit.NewAttack([]audit.Corner{{FPR: 0.01, TPR: 0.9}, {FPR: 0.1, TPR: 0.99}})
	questions := []question{
		{table(0.01), audit.Certain, 0.8, 0.95}, {table(0.3), audit.Certain, 0.8, 0.95}, {table(0.01), noisy, 0.8, 0.95},
		{table(0.01), audit.Certain, 0.99, 0.95}, {table(0.01), audit.Certain, 0.8, 0.999},
	}
	ask := func(q question) (p AuditPlan) {
		p.findSizes(q.claim, q.attack, q.power, q.confidence)
		return p
	}
	known := knownSizes.plans
	defer func() { knownSizes.plans = known }()
	var alone []AuditPlan
	for _, q := range questions {
		knownSizes.plans = nil
		p := ask(q)
		for _, other := range alone {
			if reflect.DeepEqual(p, other) {
				t.Fatalf("%+v has the same sizes as another question, %+v: this test needs them to differ", q, p)
			}
		}
		alone = append(alone, p)
	}
	knownSizes.plans = nil
	for range 2 {
		for i, q := range questions {
			if p := ask(q); !reflect.DeepEqual(p, alone[i]) {
				t.Errorf("%+v: %+v, alone %+v", q, p, alone[i])
			}
		}
		if len(knownSizes.plans) != len(questions) {
			t.Errorf("%d sizes are remembered, want %d", len(knownSizes.plans), len(questions))
		}
	}
}
