package scenarios

import (
	"errors"
	"strings"

	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/query"
)

func decodeEntry(d *format.Decoder, n *yamltree.Node, path string) Entry {
	e := Entry{Count: 1, Sampling: 1}
	if n.Kind != yamltree.Mapping {
		d.Fail(n, path, "must be a mapping such as {mechanism: laplace, epsilon: 0.1}, got "+n.Describe())
		return e
	}
	if _, ok := n.Get("parallel"); ok {
		e.Parallel = [][]Entry{}
		blockTable().Decode(d, &e, n, path+".", e.unknownFieldProblem)
		return e
	}
	e.Values = param.Values{}
	if p, ok := n.Get("mechanism"); ok {
		e.Mechanism = d.Text(p.Value.Deref(), path+".mechanism")
		if _, known := mechanisms.Lookup(e.Mechanism); !known {
			d.FailOnce(p.Value, path+".mechanism", mechanisms.UnknownMechanism(e.Mechanism))
		}
	}
	if spec := e.Spec(); spec.Varies != "" {
		decodeVariant(d, &e, spec, n, path)
	}
	e.table().Decode(d, &e, n, path+".", e.unknownFieldProblem)
	return e
}

// decodeVariant reads the name of the mechanism that the entry runs before its other fields, which depend on it.
func decodeVariant(d *format.Decoder, e *Entry, spec mechanisms.Spec, kind *yamltree.Node, path string) {
	for name := range strings.SplitSeq(spec.Varies, ".") {
		p, given := kind.Get(name)
		if !given {
			return // reported with the rest
		}
		kind = p.Value.Deref()
	}
	if kind.Kind != yamltree.Scalar {
		return
	}
	e.Values[spec.Varies] = param.ChoiceValue(kind.Text)
	if e.Spec().Variant() != "" {
		return
	}
	p, _ := spec.Param(spec.Varies)
	problem := mechanisms.UnknownMechanism(kind.Text)
	if inner, known := mechanisms.Lookup(kind.Text); kind.Text == e.Mechanism && p.Else == "" {
		problem = "a selection runs another mechanism, not a selection"
	} else if known {
		problem = p.Check(param.ChoiceValue(inner.Name))
	}
	d.FailOnce(kind, path+"."+spec.Varies, problem)
}

// unknownFieldProblem returns the message for a field that entries of this mechanism do not have; "" if the mechanism
// is unknown, which is reported itself.
func (e *Entry) unknownFieldProblem(name string) string {
	if e.Parallel == nil {
		spec, ok := mechanisms.SpecOf(e.Mechanism, e.Values)
		if !ok {
			return ""
		}
		if name == "query" || strings.HasPrefix(name, "query.") {
			return query.NoQuery(spec)
		}
		return spec.UnknownField(name, entryTable(mechanisms.Spec{}).Names()...)
	}
	if name == "mechanism" {
		return "a parallel block has no mechanism of its own; put it into a branch"
	}
	return format.UnknownName("unknown field of a parallel block", name, blockTable().Names())
}

func (e *Entry) check(c *format.Checker) {
	e.table().Check(c, e)
	if e.Parallel == nil {
		e.checkMechanism(c)
	}
}

func (e *Entry) checkMechanism(c *format.Checker) {
	spec, ok := mechanisms.SpecOf(e.Mechanism, e.Values)
	if !ok {
		c.Add("mechanism", mechanisms.UnknownMechanism(e.Mechanism))
		return
	}
	found := mechanisms.Check(spec, e.Values)
	for _, p := range found {
		c.Add(p.Param, p.Problem)
	}
	if len(found) > 0 {
		return
	}
	if _, err := spec.Build(e.Values); err != nil {
		if p, ok := errors.AsType[*param.Error](err); ok {
			c.Add(p.Param, p.Problem)
		} else {
			c.Add("mechanism", err.Error())
		}
	}
}

func (e *Entry) tree() *yamltree.Node {
	t := e.table().Tree(e)
	if e.source != nil {
		t.Origin = e.source.node
	}
	if e.Parallel != nil {
		t.Style = yamltree.Block
	}
	for _, v := range e.Values {
		if len(v.Items) > 0 {
			t.Style = yamltree.Block
		}
	}
	return t
}

// Run returns the entry that a selection runs; ok is false for any other entry. A claim of the
// selection about add-remove (also) holds for the run too.
func (e *Entry) Run() (run Entry, ok bool) {
	if e.Mechanism != (mechanisms.Select{}).Kind() {
		return Entry{}, false
	}
	kind, values, _ := mechanisms.RunOf(e.Mechanism, e.Values)
	run = Entry{Mechanism: kind, Values: values, Count: 1, Sampling: 1, Also: e.Also}
	if v, given := e.Values[mechanisms.RunCount]; given {
		run.Count = v.Number
	}
	if v, given := e.Values[mechanisms.RunSampling]; given {
		run.Sampling = v.Number
	}
	return run, true
}

// SetRun makes the entry a selection that runs another one.
func (e *Entry) SetRun(run Entry) {
	e.Mechanism = mechanisms.Select{}.Kind()
	e.Values = mechanisms.WithRun(e.Values, run.Values)
	e.Values[e.Spec().Varies] = param.ChoiceValue(run.Mechanism)
	for name, x := range map[string]float64{mechanisms.RunCount: run.Count, mechanisms.RunSampling: run.Sampling} {
		delete(e.Values, name)
		if spec := e.Spec(); x != 1 {
			p, _ := spec.Param(name)
			e.Values[name] = param.Value{Type: p.Type, Number: x}
		}
	}
}
