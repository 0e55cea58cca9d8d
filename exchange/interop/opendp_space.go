package interop

import "epsiloscope/report"

// readDomain reports whether the domain is one of integers, and whether it is one of vectors.
func (w *odpWalker) readDomain(n node) (whole, vector bool) {
	function, module, kwargs, _ := odpCall(n)
	if module == "domains" && function == "vector_domain" {
		f := kwargs.fields(function, "atom_domain", "size")
		w.remarkOnIgnoredArguments(f, "size")
		n, vector = f.node("atom_domain"), true
		function, module, kwargs, _ = odpCall(n)
	}
	if module != "domains" || function != "atom_domain" {
		refuse(n.at, "the domain %s is not known", function)
	}
	f := kwargs.fields(function, "bounds", "nan", "T")
	w.remarkOnIgnoredArguments(f, "bounds")
	return atomType(f.node("T")), vector
}

// atomType reports whether a type is an integer type; it refuses unknown types.
func atomType(n node) (whole bool) {
	switch t := n.string("T"); t {
	case "f32", "f64", "float":
		return false
	case "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "usize", "isize", "int":
		return true
	default:
		refuse(n.at, "the type %q is not known", report.Plain(t))
		return false
	}
}

// checkMetric refuses any metric but the known one.
func (w *odpWalker) checkMetric(n node, known string) {
	function, module, kwargs, _ := odpCall(n)
	if module != "metrics" || function != known {
		refuse(n.at, "the metric must be %s, found %s", known, function)
	}
	f := kwargs.fields(function, "T", "monotonic")
	if w.remarkOnIgnoredArguments(f, "monotonic"); f.has("T") {
		atomType(f.node("T"))
	}
}
