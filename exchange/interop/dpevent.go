package interop

import (
	"bytes"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/report"
)

// relations are the neighbouring relations of dp_accounting as adjacencies.
var relations = map[string]mechanisms.Adjacency{
	"ADD_OR_REMOVE_ONE": mechanisms.AddRemove, "REPLACE_ONE": mechanisms.Replace, "REPLACE_SPECIAL": mechanisms.ZeroOut,
}

// readDpEvent reads a DpEvent tree of dp_accounting: as JSON of its named tuples
// ({"module_name": …, "class_name": …, fields}), as repr prints it, or as Python that
// builds events and composes them, such as [Export] writes.
func readDpEvent(rec *Record, data []byte) {
	if t := bytes.TrimSpace(data); len(t) > 0 && (t[0] == '{' || t[0] == '[' && bytes.ContainsRune(t, '{')) {
		rec.addEvents("", false, []node{eventCall(parseJSON(data))})
		return
	}
	s := &eventScript{rec: rec}
	s.script = script{evalCall: s.buildObject, evalLine: s.addStatement, evalMethod: s.callMethod}
	f := s.parse(data)
	if len(f.Stmts) > 0 {
		if c := f.Stmts[0].Comments(); c != nil {
			for _, line := range c.Before {
				rec.readHeadline(line.Text)
			}
		}
	}
	s.run(f)
	s.finish()
}

// readHeadline takes name and unit from the comments that [Export] puts first.
func (r *Record) readHeadline(comment string) {
	if name, ok := strings.CutPrefix(comment, "# scenario: "); ok {
		r.Scenario.Name = report.Plain(name)
	}
	if unit, ok := strings.CutPrefix(comment, "# unit: "); ok {
		r.Scenario.Unit = report.Plain(unit)
	}
}

// eventCall converts JSON of named tuples into the calls that repr prints.
func eventCall(n node) node {
	for i := range n.items {
		n.items[i] = eventCall(n.items[i])
	}
	if n.kind != object {
		return n
	}
	tuple := node{at: n.at, kind: call}
	names := fields{n.at, "an event", map[string]node{}}
	for _, p := range n.parts {
		if p.name == "class_name" || p.name == "module_name" {
			names.part[p.name] = p.node
		} else {
			tuple.parts = append(tuple.parts, part{p.name, eventCall(p.node)})
		}
	}
	tuple.text = names.identifier("class_name")
	if names.has("module_name") && names.identifier("module_name") != "dp_accounting.dp_event" {
		refuse(n.at, "events of the module %s are not known", names.identifier("module_name"))
	}
	return tuple
}

// inferRelation sets the neighbouring relation that dp_accounting requires for the events, if none is
// stated.
func (w *eventWalker) inferRelation(trees []node) {
	has := map[string]bool{}
	var look func(n node)
	look = func(n node) {
		has[n.text] = n.kind == call || has[n.text]
		for _, x := range n.items {
			look(x)
		}
		for _, p := range n.parts {
			look(p.node)
		}
	}
	for _, n := range trees {
		look(n)
	}
	switch {
	case has["SingleEpochTreeAggregationDpEvent"]:
		w.adjacent = mechanisms.ZeroOut
	case has["RandomizedResponseDpEvent"], has["SampledWithoutReplacementDpEvent"]:
		w.adjacent = mechanisms.Replace
	default:
		w.adjacent = mechanisms.AddRemove
	}
	w.rec.remark("the record names no neighbouring relation; adjacency %s was taken", w.adjacent)
}
