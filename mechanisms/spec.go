package mechanisms

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"epsiloscope/mechanisms/param"
)

// Spec is a mechanism's declaration in the catalogue.
type Spec struct {
	Name         string // as in a scenario file: "laplace"
	Title        string // "Laplace"
	Summary      string // one line: what it is for
	Params       []param.Param
	Alternatives []param.Alternative
	// Source is the paper the mechanism and its guarantee come from.
	Source string
	// Notes say where lecture slides print something else than this program shows,
	// and why; and what the guarantee asks of the implementation.
	Notes []string
	// Local marks a mechanism that people can run on their own record; every other one
	// needs a curator who is trusted with the data.
	Local bool
	// Rate names the parameter that is the rate at which the mechanism samples records
	// itself; "" if it does not.
	Rate string
	// Records names the parameter that counts records of the data on which the price depends; "" if there is none.
	Records string
	// ZeroOutIsRemoval says that zeroing a record has the same effect as removing it: true for noise
	// on sums and histograms, and for selections by scores that are sums.
	ZeroOutIsRemoval bool
	// Norm is the norm that the parameter sensitivity is measured in. With "" an entry takes no query, also if there is
	// such a parameter: nothing says in which norm the query should give it.
	Norm Norm
	// SizePublic says that the guarantee is for replacing a record.
	SizePublic bool
	// Mappings are the fields that hold others: the parameter runs.mean is the field mean of the
	// mapping runs.
	Mappings []Mapping
	// Varies names the parameter that decides which other parameters there are: for a selection, the mechanism that is
	// run. [SpecOf] returns the declaration for its value.
	Varies string
	inner  []string // what it may run; nil for every mechanism that runs no other
	// Reports names an answer if it is not a number with noise: "category".
	Reports string
	// NoAddRemoveNumber is why an entry cannot state its own number for add-remove; "" if the values
	// decide.
	NoAddRemoveNumber string
	// NoError is why no error is stated, for a mechanism of which [ErrorOf] knows none.
	NoError string
	// build makes the mechanism from values already checked against Params and
	// Alternatives; it returns a *param.Error for conditions across parameters.
	build func(reader) (Mechanism, error)
}

// Norm is the norm in which a mechanism measures how far one person moves the answer.
type Norm string

const (
	L1   Norm = "l1"   // the sum over coordinates: Laplace and geometric noise
	L2   Norm = "l2"   // the length of the change: Gaussian noise
	Linf Norm = "linf" // the largest change of one coordinate: scores and queries of a stream
)

// Symbol returns the sensitivity in the norm as formulas write it: Δ₁, Δ₂, Δ∞.
func (n Norm) Symbol() string { return map[Norm]string{L1: "Δ₁", L2: "Δ₂", Linf: "Δ∞"}[n] }

// Mapping is a field of an entry that holds other fields.
type Mapping struct {
	Name    string // its path in the entry: "runs", "of.sampling"
	Help    string
	Example string // in YAML
	Entry   bool   // it holds an entry: a mechanism with its parameters
}

// Mapping returns the declaration of a mapping by its path.
func (s *Spec) Mapping(path string) (m Mapping, ok bool) {
	i := slices.IndexFunc(s.Mappings, func(m Mapping) bool { return m.Name == path })
	if i < 0 {
		return Mapping{}, false
	}
	return s.Mappings[i], true
}

// NestedEntry returns the mapping that holds the entry which the mechanism runs; ok is false if it runs none.
func (s *Spec) NestedEntry() (m Mapping, ok bool) {
	i := slices.IndexFunc(s.Mappings, func(m Mapping) bool { return m.Entry })
	if i < 0 {
		return Mapping{}, false
	}
	return s.Mappings[i], true
}

// ParamOrRun returns the parameter of that name, or the one of that name of the mechanism that is run.
func (s *Spec) ParamOrRun(name string) (param.Param, bool) {
	for _, p := range s.Params {
		if p.Name == name || p.Inner && p.Name == runPrefix+name {
			return p, true
		}
	}
	return param.Param{}, false
}

// Build makes the mechanism from values already checked against the declaration.
func (s *Spec) Build(v param.Values) (Mechanism, error) {
	m, err := s.build(reader{s, v})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Variant returns the mechanism that it runs, "" if none.
func (s Spec) Variant() string { p, _ := s.Param(s.Varies); return p.Initial.Text }

// SpecOf returns a mechanism's declaration for an entry with these values.
func SpecOf(kind string, v param.Values) (Spec, bool) {
	s, known := Lookup(kind)
	if s.Varies == "" {
		return s, known
	}
	if variant := catalogue().variants()[s.Name][v[s.Varies].Text]; variant != nil {
		return *variant, true
	}
	return *catalogue().variants()[s.Name][""], true
}

// Variants returns the declarations that [SpecOf] chooses from: one without a value and one for each value of Varies,
// or only s if nothing varies.
func (s Spec) Variants() []Spec {
	p, _ := s.Param(s.Varies)
	if s.Varies == "" {
		return []Spec{s}
	}
	list := []Spec{*catalogue().variants()[s.Name][""]}
	for _, kind := range p.Choices {
		list = append(list, *catalogue().variants()[s.Name][kind])
	}
	return list
}

func (s *Spec) Param(name string) (param.Param, bool) {
	for _, p := range s.Params {
		if p.Name == name {
			return p, true
		}
	}
	return param.Param{}, false
}

// Choice returns the parameters that go together with the named one, itself included, and those
// it excludes, if it is one of several ways to state the same.
func (s *Spec) Choice(name string) (beside, rivals []string) {
	for _, a := range s.Alternatives {
		for i, set := range a.Sets {
			if slices.Contains(set, name) {
				return set, slices.Concat(slices.Delete(slices.Clone(a.Sets), i, i+1)...)
			}
		}
	}
	return nil, nil
}

// Initials returns the values a new entry in an editor starts with: what is required,
// and of every choice that must be made its first set.
func (s *Spec) Initials() param.Values {
	v := param.Values{}
	for _, p := range s.Params {
		if p.Required {
			v[p.Name] = p.Initial
		}
	}
	for _, a := range s.Alternatives {
		if a.Optional {
			continue
		}
		for _, name := range a.Sets[0] {
			if p, ok := s.Param(name); ok {
				v[name] = p.Initial
			}
		}
	}
	return v
}

// Check compares values with a mechanism's declaration and lists every problem:
// first those of declared parameters, in their order, then unknown fields.
func Check(spec Spec, v param.Values) []*param.Error {
	var problems []*param.Error
	for _, p := range spec.Params {
		value, given := v[p.Name]
		if !given {
			if p.Required {
				problems = append(problems, param.Errorf(p.Name, "is missing; %s", p.Requirement()))
			}
			continue
		}
		if problem := p.Check(value); problem != "" {
			problems = append(problems, param.Errorf(p.Name, "%s", problem))
		}
	}
	for _, a := range spec.Alternatives {
		if e := a.Check(v); e != nil {
			problems = append(problems, e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if _, known := spec.Param(name); !known {
			problems = append(problems, param.Errorf(name, "%s", spec.UnknownField(name)))
		}
	}
	return problems
}

// UnknownField returns the problem with a field the mechanism does not have: it asks
// for the nearest one it has, or lists them. Further names, such as those of the
// fields every entry has, may be offered too.
func (s *Spec) UnknownField(name string, others ...string) string {
	known := make([]string, 0, len(s.Params)+len(others))
	for _, p := range s.Params {
		known = append(known, p.Name)
	}
	known = append(known, others...)
	if near := param.Nearest(name, known); near != "" {
		return fmt.Sprintf("unknown field of %s; did you mean %s?", s.Name, near)
	}
	return fmt.Sprintf("unknown field of %s; it has %s", s.Name, strings.Join(known, ", "))
}
