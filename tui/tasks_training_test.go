package tui

import (
	"testing"

	"epsiloscope/accounting"
)

// Persona C, an engineer who trains a model.

func TestTaskC1DPSGDFromTheLibrary(t *testing.T) {
	// TensorFlow Privacy's tutorial prints 2.92 by the classic conversion on whole orders; the tight one says 2.52.
	s := newScript(t, "").press("open").typing("tfp").press("enter").within(6).sees("DP-SGD", "60 epochs")
	classic, _ := s.a.Result.Bound(accounting.RDPClassic)
	tight, _ := s.a.Result.Bound(accounting.RDP)
	if classic.Epsilon > 2.925 || tight.Epsilon > 2.53 || tight.Epsilon < 2.4 {
		t.Errorf("RDP %v, classic %v", tight.Epsilon, classic.Epsilon)
	}
}

// Typed from scratch it takes as many keys, without δ, which belongs to the whole.
func TestTaskC1DPSGDTyped(t *testing.T) {
	s := newScript(t, "adv-vs-basic-small").press("stack.drop") // a budget and a δ are there
	s.keys = 0
	s.press("stack.add", "d", "enter", "enter").typing("1.12").press("tab").typing("256/6e4").press("tab", "tab").typing("14063").press("enter").within(25)
	row, ok := s.a.Doc.SelectedRow()
	if !ok || row.Entry.Mechanism != "dp-sgd" || row.Entry.Values["steps"].Number != 14063 {
		t.Fatalf("%+v", row.Entry)
	}
	s.sees("DP-SGD", "z 1.12")
}

func TestTaskC2NoiseForANewTarget(t *testing.T) {
	s := newScript(t, "dpsgd-tfprivacy").press("target.edit", "2", "enter", "screen.plan").within(5)
	s.sees("Solve for ‹ z of “60 epochs” ›", "meets the budget, by the numerical accountant", "ε of the whole against z")
}

func TestTaskC3MoreEpochs(t *testing.T) {
	s := newScript(t, "dpsgd-tfprivacy")
	for range 3 { // the knob of the steps
		s.press("knob.next")
	}
	s.keys = 0
	before := s.a.Result.Bounds[s.a.Result.Best].Epsilon
	s.press("knob.up").within(1).sees("T 15000", "budget 3")
	if after := s.a.Result.Bounds[s.a.Result.Best].Epsilon; after <= before {
		t.Errorf("more steps cost %v after %v", after, before)
	}
}

func TestTaskC4TwentyTrialsTyped(t *testing.T) {
	s := newScript(t, "dpsgd-tfprivacy").press("stack.count").typing("20").press("enter").within(4).sees("×20", "over the budget of 3")
	if row, _ := s.a.Doc.SelectedRow(); row.Entry.Count != 20 {
		t.Errorf("K = %v", row.Entry.Count)
	}
}

func TestTaskC5FiveExamplesTyped(t *testing.T) {
	s := newScript(t, "dpsgd-tfprivacy")
	before := s.a.Result.Bounds[s.a.Result.Best].Epsilon
	s.press("target.group", "5", "enter").within(3).sees("groups of 5")
	if after := s.a.Result.Bounds[s.a.Result.Best].Epsilon; after <= before {
		t.Errorf("five records cost %v, one %v", after, before)
	}
}

func TestTaskC6Paragraph(t *testing.T) {
	s := newScript(t, "dpsgd-tfprivacy").press("screen.statement", "statement.copy").within(2)
	s.sees("adding or removing one record", "δ = 1e-5", "composed numerically", "(Poisson", "the statement as text was sent")
}

func TestTaskC7NotPoisson(t *testing.T) {
	s := newScript(t, "dpsgd-tfprivacy")
	sampled := s.a.Result.Bounds[s.a.Result.Best].Epsilon
	s.press("stack.sampling").sees("How are the batches drawn?", "Now poisson").press("f").within(2).sees("z 1.12 fixed", "batches: fixed; u takes it back")
	if fixed := s.a.Result.Bounds[s.a.Result.Best].Epsilon; fixed <= 2*sampled {
		t.Errorf("fixed batches cost %v, Poisson batches %v", fixed, sampled)
	}
	s.press("undo").press("stack.sampling", "s").sees("shuffled batches are not", "with the adjacency zero-out").press("z", "enter").sees("blank one record", "z 1.12 shuffled")
	s.press("undo").press("stack.sampling", "t").sees("truncated at", "p solves for the smallest")
	newScript(t, welcome).press("stack.sampling").sees("nothing is amplified here")
}

// Another batch keeps the epochs: the rate and the steps follow.
func TestTaskC8AnotherBatch(t *testing.T) {
	s := newChartScript(t, "dpsgd-tfprivacy", rememberedCharts()).press("knob.next", "knob.next").sees("▸ B", "256")
	before := s.a.Result.Bounds[s.a.Result.Best].Epsilon
	s.press("knob.type").typing("512").press("enter").within(8).sees("B 512", "T 7031", "60 epochs: ε = ", "ε against the epochs")
	if after := s.a.Result.Bounds[s.a.Result.Best].Epsilon; after <= before {
		t.Errorf("batches of 512 cost %v, of 256 %v", after, before)
	}
}
