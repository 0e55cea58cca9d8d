package interop

import (
	"bytes"
	"fmt"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// dpaVersion is the dp_accounting that exports are written for and were run with.
const dpaVersion = "0.6.0"

// A dpaAccountant is one of the two accountants of dp_accounting. They accept different
// events, and under REPLACE_ONE they interpret noise differently. A stack is written for
// both if one file serves both, else for the one that has an event for every entry.
type dpaAccountant struct{ class, drops, droppedBy string }

var (
	dpaPLD = dpaAccountant{"pld.PLDAccountant", "RandomizedResponseDpEvent", "PLD"}
	dpaRDP = dpaAccountant{"rdp.RdpAccountant", "ExponentialMechanismDpEvent", "RDP"}
)

// dpaStack is a stack as one accountant takes it.
type dpaStack struct {
	accountant dpaAccountant
	events     []string // "" if an entry has none
	whole      bool     // every entry has an event
	exact      bool     // and no event costs more than its entry
}

// writeDpEvent writes Python that builds the stack as a DpEvent and asks the
// accountants of dp_accounting that take it for ε.
func writeDpEvent(s *scenarios.Scenario, x *export) []byte {
	relation := ""
	for name, adjacency := range relations {
		if adjacency == s.Adjacency {
			relation = name
		}
	}
	x.schemes = []mechanisms.SamplingScheme{mechanisms.Fixed, mechanisms.Truncated}
	rdp, pld := dpaEvents(dpaRDP, s, x), dpaEvents(dpaPLD, s, x)
	best, accountants := rdp, []dpaAccountant{}
	if pld.whole && (pld.exact || !rdp.whole || !rdp.exact) {
		best = pld
	}
	for _, d := range []dpaStack{rdp, pld} {
		if d.whole && strings.Join(d.events, ",") == strings.Join(best.events, ",") {
			accountants = append(accountants, d.accountant)
		}
	}
	if !best.whole {
		x.why = "no accountant of dp_accounting takes the whole stack"
		for i, e := range s.Stack {
			if rdp.events[i] == "" && pld.events[i] == "" {
				x.refuse(i, e)
			}
		}
		if len(x.refused) == 0 {
			x.refused = []string{"what one of them takes, the other does not"}
		}
		return nil
	}
	if !best.exact {
		x.remark("some entries are written as (ε, δ)-DP, which costs more, because the accountants of dp_accounting do not take them under %s", relation)
	}
	x.remarkOmissions(s, "the Python file", "name", "unit", "labels", "budget δ")
	var b bytes.Buffer
	// Python takes a comment on the first two lines that says "coding: …" for the encoding of the
	// file, whatever else it says. What the author wrote starts on the third.
	fmt.Fprintf(&b, "# -*- coding: utf-8 -*-\n# pip install dp-accounting==%s\n# scenario: %s\n", dpaVersion, report.Plain(s.Name))
	if s.Unit != "" {
		fmt.Fprintf(&b, "# unit: %s\n", report.Plain(s.Unit))
	}
	if strings.Contains(strings.Join(best.events, ""), "math.inf") {
		b.WriteString("import math\n\n")
	}
	fmt.Fprintf(&b, "import dp_accounting as dpa\nfrom dp_accounting import dp_event, pld, rdp\n\n")
	fmt.Fprintf(&b, "relation = dpa.NeighboringRelation.%s\n", relation)
	reading := ""
	if s.Adjacency == mechanisms.Replace && best.accountant == dpaRDP && len(accountants) == 1 {
		reading = "reading, "
		fmt.Fprintf(&b, "reading = %q\n", replaceReading)
	}
	b.WriteString("event = dpa.ComposedDpEvent([\n")
	for i, e := range s.Stack {
		if e.Label != "" {
			fmt.Fprintf(&b, "    # %s\n", report.Plain(e.Label))
		}
		fmt.Fprintf(&b, "    %s,\n", best.events[i])
	}
	fmt.Fprintf(&b, "])\nrounds = %s\ndelta = %s\n\n", py(s.Rounds), py(s.Budget.Delta))
	if s.Budget.Delta == 0 {
		b.WriteString("# At a delta of 0 these accountants may answer inf: they round losses, or need a delta to convert.\n")
	}
	for _, a := range accountants {
		figure := a.class + ":"
		if a.miscounts(s.Rounds, best.events) {
			figure = fmt.Sprintf("%s, too small (%s drops the repeat count of %s):", a.class, dpaVersion, a.drops)
			x.remark("dp_accounting %s drops the repeat count of %s in its %s accountant: that ε will look too small", dpaVersion, a.drops, a.droppedBy)
		}
		fmt.Fprintf(&b, "print(%q, %s%s(neighboring_relation=relation).compose(event, rounds).get_epsilon(delta))\n", figure, reading, a.class)
	}
	if len(accountants) == 1 && s.Adjacency == mechanisms.Replace {
		b.WriteString("# The other accountant reads noise differently under REPLACE_ONE: do not ask it about these events.\n")
	}
	return b.Bytes()
}

// miscounts reports whether the accountant ignores the repeat count of one of the events.
func (a dpaAccountant) miscounts(rounds float64, events []string) bool {
	for _, text := range events {
		if strings.Contains(text, a.drops) && (rounds > 1 || strings.Contains(text, "SelfComposed")) {
			return true
		}
	}
	return false
}

// dpaEvents writes every entry as an accountant takes it.
func dpaEvents(a dpaAccountant, s *scenarios.Scenario, x *export) dpaStack {
	d := dpaStack{accountant: a, whole: true, exact: true}
	for _, e := range s.Stack {
		text, exact := a.entry(s.Adjacency, e, x)
		d.whole = d.whole && text != ""
		d.exact = d.exact && exact
		d.events = append(d.events, text)
	}
	return d
}

// entry returns all runs of an entry as a Python expression, "" if the accountant takes none.
func (a dpaAccountant) entry(adjacency mechanisms.Adjacency, e scenarios.Entry, x *export) (text string, exact bool) {
	m, count := x.mechanism(e), e.Count
	if training, ok := m.(mechanisms.DPSGD); ok {
		count *= training.Steps
	}
	if best, ok := m.(mechanisms.Select); ok {
		text, exact = a.selection(adjacency, e, best, x)
	} else {
		text, exact = a.event(adjacency, e, m)
	}
	if noisy, ok := m.(mechanisms.NoisyMax); ok && noisy.Shape == "laplace" && text != "" {
		x.remark("report noisy max with Laplace noise is written as permute-and-flip or as (ε, δ)-DP, which costs more: dp_accounting has no event for it")
	}
	if text != "" && count != 1 {
		text = "dpa.SelfComposedDpEvent(" + text + ", " + py(count) + ")"
	}
	return text, exact
}

// selection returns the best of several runs, which the RDP accountant takes.
func (a dpaAccountant) selection(adjacency mechanisms.Adjacency, e scenarios.Entry, best mechanisms.Select,
	x *export) (text string, exact bool) {
	run, _ := e.Run()
	inner, exact := a.entry(adjacency, run, x)
	if inner == "" || a != dpaRDP || e.Sampling != 1 || best.Shape < 0 {
		return "", false
	}
	shape := map[mechanisms.Distribution]string{
		mechanisms.Logarithmic: "0", mechanisms.GeometricRuns: "1", mechanisms.NegativeBinomial: py(best.Shape),
		mechanisms.PoissonRuns: "math.inf",
	}[best.Distribution]
	x.remark("dp_accounting looks for the best order of a selection among its own orders only: its ε can be larger")
	return "dp_event.RepeatAndSelectDpEvent(" + inner + ", " + py(best.Mean) + ", " + shape + ")", exact
}
