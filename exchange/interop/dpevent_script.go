package interop

import (
	"slices"
	"strings"

	"epsiloscope/scenarios"
)

// eventScript is a script that builds events and accountants.
type eventScript struct {
	script
	rec         *Record
	accountants []*accountant
	loose       []node // events on a line of their own
	deltas      []float64
}

type accountant struct {
	class, relation string
	composed        []node // the calls of compose
}

// replaceReading is the value of the variable `reading` in a script whose noise is stated relative to the sensitivity
// under replace. Without it the noise is relative to the contribution of one record, as dp_accounting documents.
const replaceReading = "noise over what a changed record moves"

// composition is the name of the node for a call of compose; it cannot be a name in Python.
const composition = "compose()"

// dpModules are the places that names of dp_accounting are imported from.
var dpModules = []string{"", "dp_accounting.", "dp_accounting.dp_event.", "dp_accounting.privacy_accountant.",
	"dp_accounting.pld.", "dp_accounting.pld.pld_privacy_accountant.", "dp_accounting.rdp.", "dp_accounting.rdp.rdp_privacy_accountant."}

// amplifiedBands is the one function of jax_privacy that is read: it returns the event of amplified
// bands, by the parameters of the training.
const jaxModule, amplifiedBands = "jax_privacy.accounting.", "amplified_bandmf_event"

// stripModule returns a name of dp_accounting, or of jax_privacy's function, without its module. It refuses any other
// name.
func stripModule(at, full string) string {
	i := strings.LastIndexByte(full, '.') + 1
	if jax := full[:i] == jaxModule; jax && full[i:] == amplifiedBands {
		return amplifiedBands
	} else if jax || full[i:] == amplifiedBands || !slices.Contains(dpModules, full[:i]) {
		refuse(at, "the name %s is not known", full)
	}
	return full[i:]
}

// buildObject returns the accountant that a constructor call creates. A call of print must print texts, numbers or
// results; any other call is returned without its module.
func (s *eventScript) buildObject(n node) node {
	if n.text == "print" {
		for _, p := range n.parts {
			if p.name != "" || p.kind != text && p.kind != number && p.kind != resultKind {
				refuse(p.at, "only texts, numbers and what an accountant answers are printed")
			}
		}
		return node{at: n.at, kind: resultKind}
	}
	n.text = stripModule(n.at, n.text)
	names := map[string][]string{
		"RdpAccountant": {"orders", "neighboring_relation"}, "PLDAccountant": {"neighboring_relation", "value_discretization_interval"},
	}[n.text]
	if names == nil {
		return n
	}
	a := &accountant{class: n.text, relation: "ADD_OR_REMOVE_ONE"} // the default of both
	f := n.fields(n.text, names...)
	for _, of := range []string{"orders", "value_discretization_interval"} {
		if f.has(of) {
			if finer := f.node(of); finer.kind == list {
				for _, x := range finer.items {
					x.float("an item of " + of)
				}
			} else if finer.kind != null {
				finer.float(of)
			}
			s.rec.remark("%s has no effect here: every method is computed as finely as it needs", of)
		}
	}
	if f.has("neighboring_relation") {
		r := f.node("neighboring_relation")
		r.want(relation, "neighboring_relation")
		a.relation = r.text
	}
	if relations[a.relation] == "" {
		refuse(n.at, "the neighbouring relation %s is not known", a.relation)
	}
	for _, other := range s.accountants {
		if other.class == a.class {
			refuse(n.at, "a second %s: if it is about the same releases take it out, else import each by itself", a.class)
		}
		s.rec.remark("the %s and the %s are taken to be about the same releases, which are counted once", other.class, a.class)
	}
	s.accountants = append(s.accountants, a)
	return node{at: n.at, kind: accountantKind, object: a}
}

// callMethod evaluates a method of an accountant: compose, get_epsilon or get_delta.
func (s *eventScript) callMethod(on, n node) node {
	a := on.object.(*accountant)
	switch n.text {
	case "compose":
		f := n.fields("compose", "event", "count")
		f.numberOr("count", 1)
		f.node("event")
		n.text = composition
		a.composed = append(a.composed, n)
		return on
	case "get_epsilon":
		s.deltas = append(s.deltas, n.fields("get_epsilon", "target_delta").number("target_delta"))
	case "get_delta":
		n.fields("get_delta", "target_epsilon").number("target_epsilon")
		s.rec.remark("the target_epsilon of get_delta was not carried over")
	default:
		refuse(n.at, "the method %s of an accountant is not read", n.text)
	}
	return node{at: n.at, kind: resultKind}
}

// addStatement keeps an expression that is not assigned.
func (s *eventScript) addStatement(n node) {
	switch n.kind {
	case resultKind, accountantKind:
	case call, list:
		s.loose = append(s.loose, n)
	default:
		refuse(n.at, "%s alone on a line is not read", n.kind)
	}
}

// finish adds what the accountants composed or, without an accountant, the only event of the script. It refuses a
// script with unused events.
func (s *eventScript) finish() {
	reading := false
	for _, to := range s.order {
		b := s.names[to]
		switch {
		case to == "reading" && b.kind == text:
			if reading = b.text == replaceReading; !reading {
				refuse(b.at, "reading must be %q", replaceReading)
			}
			for _, a := range s.accountants {
				if a.class == "PLDAccountant" {
					refuse(b.at, "a PLDAccountant reads noise over what one record contributes: reading = %q would halve the price; take the line or the accountant out", replaceReading)
				}
			}
		case b.used || b.kind == resultKind || b.kind == accountantKind:
		case b.kind == call || b.kind == list:
			s.loose = append(s.loose, b.node)
		default:
			s.note("%s is assigned and never used, so it has no effect", to)
		}
	}
	for _, text := range s.notes {
		s.rec.remark("%s", text)
	}
	if len(s.accountants) > 0 {
		if len(s.loose) > 0 {
			refuse(s.loose[0].at, "this event is built and composed by no accountant")
		}
		s.readComposition(reading)
	} else {
		if len(s.loose) > 1 {
			refuse(s.loose[1].at, "a second event, and nothing composes it with the first")
		}
		s.rec.addEvents("", reading, s.loose)
	}
	if len(s.deltas) > 0 {
		s.rec.setDelta(slices.Min(s.deltas))
		if slices.Max(s.deltas) != slices.Min(s.deltas) {
			s.rec.remark("ε is asked for at several δ; the smallest was taken")
		}
	}
}

// readComposition reads the events composed by all accountants, which must agree.
func (s *eventScript) readComposition(reading bool) {
	for i, a := range s.accountants {
		rec := s.rec
		if i > 0 {
			rec = newRecord()
		}
		if len(a.composed) == 1 { // one call of compose: its count is the number of rounds
			f := a.composed[0].fields("compose", "event", "count")
			if rec.addEvents(a.relation, reading, []node{f.node("event")}); f.has("count") {
				rec.Scenario.Rounds = f.count("count")
			}
		} else {
			rec.addEvents(a.relation, reading, a.composed)
		}
		same := func(a, b scenarios.Entry) bool { return a.Equal(b) }
		if i > 0 && (!slices.EqualFunc(rec.Scenario.Stack, s.rec.Scenario.Stack, same) ||
			rec.Scenario.Rounds != s.rec.Scenario.Rounds || rec.Scenario.Adjacency != s.rec.Scenario.Adjacency) {
			refuse("", "the accountants have not composed the same events under the same relation: import each by itself")
		}
	}
}
