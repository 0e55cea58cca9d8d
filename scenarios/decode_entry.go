package scenarios

import (
	"fmt"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// entryFields are what an entry has beside its mechanism's own parameters.
var entryFields = []string{"mechanism", "label", "count", "sampling", "disabled"}

// blockFields are what a parallel block has.
var blockFields = []string{"parallel", "label", "count", "disabled"}

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
		return d.parallel(v, path)
	}
	spec, known := d.mechanism(v, path, &e)
	e.Values = mechanisms.Values{}
	for _, p := range d.pairs(v, path+".") {
		name, value, field := p.Key.Text, p.Value.Deref(), path+"."+p.Key.Text
		if d.common(&e, name, value, field) || !known {
			continue
		}
		if name == "sampling" {
			d.sampling(&e, value, field)
		} else if param, ok := spec.Param(name); ok {
			d.param(&e, param, value, field)
		} else {
			d.fail(p.Key, field, spec.UnknownField(name, entryFields...))
		}
	}
	return e
}

// mechanism finds which one an entry is of.
func (d *decoder) mechanism(v *document.Node, path string, e *Entry) (mechanisms.Spec, bool) {
	p, ok := v.Get("mechanism")
	if !ok {
		d.fail(v, path+".mechanism", "is missing; must be the name of a mechanism, such as laplace, or use parallel")
		return mechanisms.Spec{}, false
	}
	e.Mechanism = d.text(p.Value.Deref(), path+".mechanism")
	spec, ok := mechanisms.Lookup(e.Mechanism)
	if !ok {
		d.failOnce(p.Value, path+".mechanism", mechanisms.UnknownMechanism(e.Mechanism))
	}
	return spec, ok
}

// common decodes what entries and blocks share; it reports whether it did.
func (d *decoder) common(e *Entry, name string, v *document.Node, field string) bool {
	switch name {
	case "mechanism":
	case "label":
		e.Label = d.text(v, field)
	case "count":
		e.Count = d.number(v, field, 1)
	case "disabled":
		on, ok := v.Bool()
		if !ok {
			d.fail(v, field, "must be true or false, got "+v.Describe())
		}
		e.Disabled = on
	default:
		return false
	}
	return true
}

func (d *decoder) sampling(e *Entry, v *document.Node, field string) {
	if v.Kind != document.Mapping {
		d.fail(v, field, "must be a mapping such as {rate: 0.01}, got "+v.Describe())
		return
	}
	if _, ok := v.Get("rate"); !ok {
		d.fail(v, field+".rate", "is missing; "+samplingRate.Allowed())
	}
	for _, p := range d.pairs(v, field+".") {
		if p.Key.Text == "rate" {
			e.Sampling = d.number(p.Value, field+".rate", 1)
		} else {
			d.fail(p.Key, field+"."+p.Key.Text, unknownField("unknown field of sampling", p.Key.Text, []string{"rate"}))
		}
	}
}

// parallel decodes a block of branches on disjoint parts of the data.
func (d *decoder) parallel(v *document.Node, path string) Entry {
	e := Entry{Count: 1, Sampling: 1, Parallel: [][]Entry{}}
	for _, p := range d.pairs(v, path+".") {
		name, value, field := p.Key.Text, p.Value.Deref(), path+"."+p.Key.Text
		switch {
		case name == "parallel":
			e.Parallel = d.branches(value, field)
		case name == "mechanism":
			d.fail(p.Key, field, "a parallel block has no mechanism of its own; put it into a branch")
		case d.common(&e, name, value, field):
		default:
			d.fail(p.Key, field, unknownField("unknown field of a parallel block", name, blockFields))
		}
	}
	return e
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
