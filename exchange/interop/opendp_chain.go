package interop

import (
	"fmt"
	"slices"
)

// odpSpace is the input space of a transformation or measurement of OpenDP, or the output space
// of a transformation: a domain with its metric. OpenDP builds a chain only if the two are the
// same.
type odpSpace struct{ shape, atom, metric string }

const (
	oneNumber = "one number"
	rows      = "a vector"
	dataFrame = "a data frame"
)

func (s odpSpace) String() string { return fmt.Sprintf("%s of %s under %s", s.shape, s.atom, s.metric) }

// checkInput refuses a measurement or transformation whose input space is not s, the output space of the one before it;
// a nil s accepts all.
func (s *odpSpace) checkInput(at string, input odpSpace) {
	if s != nil && *s != input {
		refuse(at, "the chain does not fit: what comes before gives %s, and this takes %s", *s, input)
	}
}

// spaceOf reads the input of a constructor from its arguments.
func spaceOf(f fields) odpSpace {
	metric, module, _, _ := odpCall(f.node("input_metric"))
	if module != "metrics" {
		refuse(f.node("input_metric").at, "%s of the module %q is not a metric", metric, module)
	}
	s := odpSpace{shape: oneNumber, metric: metric}
	domain, module, kwargs, _ := odpCall(f.node("input_domain"))
	if module == "domains" && domain == "vector_domain" {
		s.shape = rows
		domain, module, kwargs, _ = odpCall(kwargs.fields(domain, "atom_domain", "size").node("atom_domain"))
	}
	if module != "domains" || domain != "atom_domain" {
		refuse(f.node("input_domain").at, "the domain %s is not known", domain)
	}
	s.atom = atomName(kwargs.fields(domain, "bounds", "nan", "T").node("T"))
	return s
}

// atomName returns the name of a type; a Python name such as int is replaced by the type that OpenDP takes it for.
func atomName(n node) string {
	switch name := n.string("T"); name {
	case "int":
		return "i32"
	case "float":
		return "f64"
	case "bool", "String", "str":
		return name
	default:
		atomType(n) // refuses what is not known
		return name
	}
}

// transformations are the constructors that are known, with their arguments beside input_domain
// and input_metric. A count moves by at most one per inserted or deleted record; the others
// change records one by one, and leave as many as there were.
var transformations = map[string]struct {
	takes []string
	count bool
}{
	"make_count": {[]string{"TO"}, true}, "make_count_distinct": {[]string{"TO"}, true},
	"make_clamp": {[]string{"bounds"}, false}, "make_cast_default": {[]string{"TOA"}, false},
	"make_impute_constant": {[]string{"constant"}, false}, "make_select_column": {[]string{"key", "K", "TOA"}, false},
}

// readTransformation returns the input and output space of a transformation. It refuses one whose output can change by
// more than the number of inserted and deleted records.
func (w *odpWalker) readTransformation(n node) (in, out odpSpace) {
	function, module, kwargs, _ := odpCall(n)
	if module == "combinators" && function == "make_chain_tt" {
		f := kwargs.fields(function, "transformation1", "transformation0")
		in, middle := w.readTransformation(f.node("transformation0"))
		next, out := w.readTransformation(f.node("transformation1"))
		middle.checkInput(n.at, next)
		return in, out
	}
	known, ok := transformations[function]
	if !ok || module != "transformations" {
		refuse(n.at, "the transformation %s may change the sensitivity: import the measurement alone, its scale divided by the sensitivity", function)
	}
	f := kwargs.fields(function, append(slices.Clone(known.takes), "input_domain", "input_metric")...)
	if function == "make_select_column" { // its input is a data frame, by definition
		in = odpSpace{dataFrame, "columns", "symmetric_distance"}
	} else {
		in = spaceOf(f)
		distances := []string{"symmetric_distance"}
		if !known.count {
			distances = append(distances, "insert_delete_distance")
		}
		if in.shape != rows || !slices.Contains(distances, in.metric) {
			refuse(n.at, "%s takes a vector of records under %s, not %s", function, distances[0], in)
		}
	}
	out = in
	switch {
	case known.count:
		out = odpSpace{oneNumber, "i32", "absolute_distance"} // OpenDP's default
		if f.has("TO") {
			out.atom = atomName(f.node("TO"))
		}
	case f.has("TOA"):
		out = odpSpace{rows, atomName(f.node("TOA")), in.metric}
	case function == "make_select_column":
		refuse(n.at, "%s lacks TOA", function)
	}
	w.rec.remark("the transformation %s does not raise the sensitivity and was not carried over", function)
	return in, out
}
