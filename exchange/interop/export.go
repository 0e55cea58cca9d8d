package interop

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

type writer func(*scenarios.Scenario, *export) []byte

var writers = []format[writer]{
	{"dp-accounting", "", "Python that rebuilds the stack as a DpEvent and prints its ε", writeDpEvent},
	{"opacus", "", "accountant state as JSON", writeOpacus},
	{"opendp", "", "serialized measurement as JSON", writeOpenDP},
	{"registry", "", "draft for opendp/deployments-registry-data, as YAML", writeRegistry},
}

// ExportFormats lists the export formats with one line on each.
func ExportFormats() (names, about []string) { return namesOf(writers) }

// Export writes the scenario in the named format, with remarks on what that format cannot
// express. It fails, naming every entry, if the other tool cannot express one: a record that
// leaves a release out would promise too much.
func Export(format string, s *scenarios.Scenario) (text []byte, remarks []string, err error) {
	to, err := lookup("export", writers, format)
	if err != nil {
		return nil, nil, err
	}
	if s.Group > 1 && format != "registry" { // the registry states the guarantee of the group
		return nil, nil, fmt.Errorf("%s: group %s has no place in the export; set group to 1 and convert the result", format, numeral.Format(s.Group))
	}
	if _, err := scenarios.Stack(s); err != nil {
		return nil, nil, err // unsupported: this reason is better than that of the export
	}
	asked := len(s.Reasons())
	if s, err = s.Explicit(); err != nil {
		return nil, nil, err
	}
	plain := s.Clone()
	plain.Stack = nil
	for _, e := range s.Stack {
		if e.Sampling == 0 {
			e.Sampling = 1
		}
		if !e.Disabled {
			plain.Stack = append(plain.Stack, e)
		}
	}
	x := &export{records: s.Records, adjacency: s.Adjacency}
	if asked > 0 {
		x.remark("queries are written as the sensitivities that follow from them; the bounds on what one person contributes have no place in the export")
	}
	if n := len(s.Stack) - len(plain.Stack); n > 0 {
		x.remark("disabled entries are left out: %d", n)
	}
	if len(plain.Stack) == 0 {
		return nil, nil, fmt.Errorf("%s: there is nothing to export: the stack is empty", format)
	}
	text = to.run(plain, x)
	if len(x.refused) > 0 {
		return nil, nil, fmt.Errorf("%s: %s; not expressible: %s", format, x.why, strings.Join(x.refused, "; "))
	}
	return text, x.remarks, x.err
}

// export collects the remarks and refusals of a writer.
type export struct {
	remarks, refused []string
	why              string // an entry is refused
	err              error
	records          float64 // of the scenario; 0 if not said
	adjacency        mechanisms.Adjacency
	schemes          []mechanisms.SamplingScheme // that the format can state beside Poisson sampling
}

func (x *export) remark(format string, args ...any) {
	x.remarks = withText(x.remarks, fmt.Sprintf(format, args...))
}

func (x *export) refuse(i int, e scenarios.Entry) {
	what := e.Mechanism
	switch {
	case e.Parallel != nil:
		what = "a parallel block"
	case e.Sampling != 1:
		what = "sampled " + what
	}
	if e.Label != "" {
		what += " (" + report.Plain(e.Label) + ")"
	}
	x.refused = append(x.refused, fmt.Sprintf("entry %d: %s", i+1, what))
}

// mechanism returns the entry's mechanism; nil if it cannot be exported. A training has its rate and its steps filled
// in; it is nil unless its batches are Poisson samples or the format states their sampling scheme. A matrix is the
// Gaussian release of the same cost, or Poisson training for amplified bands.
func (x *export) mechanism(e scenarios.Entry) mechanisms.Mechanism {
	if e.Parallel != nil {
		return nil
	}
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		return nil
	}
	switch of := m.(type) {
	case mechanisms.DPSGD:
		if of.Batches != mechanisms.Poisson && !slices.Contains(x.schemes, of.Batches) {
			return nil
		}
		m, _ = of.Resolve(x.records)
	case mechanisms.Matrix:
		if of.Cyclic {
			training, err := of.AsTraining(x.records)
			if err != nil {
				return nil
			}
			x.remark("amplified bands are written as the Poisson steps that they cost: the rate is that inside a group, the noise that of a column")
			return training
		}
		moves := of.Mu()
		if x.adjacency == mechanisms.Replace {
			moves *= 2
		}
		x.remark("a matrix is written as the one Gaussian release that it costs")
		return mechanisms.Gaussian{Sigma: 1, Sensitivity: moves}
	}
	return m
}

// remarkOmissions remarks on the fields of the scenario that a format cannot express; keeps lists
// those it can.
func (x *export) remarkOmissions(s *scenarios.Scenario, in string, keeps ...string) {
	labels := slices.ContainsFunc(s.Stack, func(e scenarios.Entry) bool { return e.Label != "" })
	also := slices.ContainsFunc(s.Stack, func(e scenarios.Entry) bool { return e.Also != mechanisms.Also{} })
	var what []string
	for _, part := range []struct {
		name string
		said bool
	}{
		{"name", s.Name != ""}, {"description", s.Description != ""}, {"unit", s.Unit != ""}, {"labels", labels}, {"also", also},
		{"budget δ", s.Budget.Delta != 0}, {"budget ε", s.Budget.Epsilon != 0}, {"alpha", s.Alpha != 0},
		{"records", s.Records != 0}, {"expected values", len(s.Expect) > 0},
	} {
		if part.said && !slices.Contains(keeps, part.name) {
			what = append(what, part.name)
		}
	}
	if len(what) > 0 {
		x.remark("%s cannot hold: %s", in, strings.Join(what, ", "))
	}
}

func (x *export) json(v any) []byte {
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		x.err = fmt.Errorf("a number of the stack is too large or too small to be written")
	}
	return append(out, '\n')
}
