package scenarios

import (
	"fmt"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// entries decodes a stack, or one branch of a parallel block.
func (d *decoder) entries(v *document.Node, path string) []Entry {
	if v.Null() {
		return nil
	}
	if v.Kind != document.Sequence {
		d.fail(v, path, "must be a list of mechanisms, got "+v.Describe())
		return nil
	}
	list := make([]Entry, 0, len(v.Items))
	for i, item := range v.Items {
		e := d.entry(item.Value.Deref(), fmt.Sprintf("%s[%d]", path, i+1))
		e.source = &entrySource{node: item.Value, list: v}
		list = append(list, e)
	}
	return list
}

func (d *decoder) entry(v *document.Node, path string) Entry {
	e := Entry{Count: 1, Sampling: 1}
	if v.Kind != document.Mapping {
		d.fail(v, path, "must be a mapping such as {mechanism: laplace, epsilon: 0.1}, got "+v.Describe())
		return e
	}
	if _, ok := v.Get("parallel"); ok {
		e.Parallel = [][]Entry{}
		decodeRows(d, &e, blockTable.rows, v, path+".", unknownOfBlock)
		return e
	}
	e.Values = mechanisms.Values{}
	if p, ok := v.Get("mechanism"); ok {
		e.Mechanism = d.text(p.Value.Deref(), path+".mechanism")
		if _, known := mechanisms.Lookup(e.Mechanism); !known {
			d.failOnce(p.Value, path+".mechanism", mechanisms.UnknownMechanism(e.Mechanism))
		}
	}
	if spec := e.Spec(); spec.Varies != "" {
		d.variant(&e, spec, v, path)
	}
	decodeRows(d, &e, e.table().rows, v, path+".", func(name string) string { return unknownOfMechanism(e.Mechanism, name) })
	return e
}

// variant reads ahead which mechanism the entry runs: what else it may say depends on it.
func (d *decoder) variant(e *Entry, spec mechanisms.Spec, v *document.Node, path string) {
	kind := v
	for name := range strings.SplitSeq(spec.Varies, ".") {
		p, given := kind.Get(name)
		if !given {
			return // reported with the rest
		}
		kind = p.Value.Deref()
	}
	if kind.Kind != document.Scalar {
		return
	}
	e.Values[spec.Varies] = mechanisms.ChoiceValue(kind.Text)
	if e.Spec().Variant() != "" {
		return
	}
	problem := mechanisms.UnknownMechanism(kind.Text)
	if kind.Text == e.Mechanism {
		problem = "a selection runs another mechanism, not a selection"
	}
	d.failOnce(kind, path+"."+spec.Varies, problem)
}

// unknownOfBlock is the problem with a field that no parallel block has.
func unknownOfBlock(name string) string {
	if name == "mechanism" {
		return "a parallel block has no mechanism of its own; put it into a branch"
	}
	return unknownField("unknown field of a parallel block", name, names(blockTable.rows))
}

// unknownOfMechanism is the problem with a field that the mechanism does not have; ""
// if the mechanism itself is not known.
func unknownOfMechanism(mechanism, name string) string {
	spec, ok := mechanisms.Lookup(mechanism)
	if !ok {
		return ""
	}
	return spec.UnknownField(name, names(entryTables()[""].rows)...)
}

func (d *decoder) branches(v *document.Node, field string) [][]Entry {
	branches := [][]Entry{}
	if v.Kind != document.Sequence {
		d.fail(v, field, "must be a list of branches, each a list of mechanisms, got "+v.Describe())
		return branches
	}
	for i, item := range v.Items {
		branches = append(branches, d.entries(item.Value.Deref(), fmt.Sprintf("%s[%d]", field, i+1)))
	}
	return branches
}
