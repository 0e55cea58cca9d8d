package query

import (
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Derived is the sensitivity of an entry in the norm of its mechanism.
type Derived struct {
	Value  float64
	Norm   mechanisms.Norm
	Source Source
	// Why is the reason for the derived value: "up to 3 groups of 5, one person replaced"; "" without a query.
	Why string
	// Least is the value that follows from the query, if a larger one is stated.
	Least float64
	// Assumed says what had to be assumed of one person's records; "" if nothing.
	Assumed string

	cells, perCell float64
}

// Source says where a sensitivity comes from.
type Source string

const (
	FromQuery   Source = "query"
	FromStated  Source = "stated"
	FromDefault Source = "default"
)

// Sentence returns the sensitivity with its reason: "Δ₁ = 30: up to 3 groups of 5, one person replaced".
func (d Derived) Sentence() string {
	text := d.Norm.Symbol() + " = " + numeral.Short(d.Value, 6, numeral.Up)
	switch {
	case d.Source == FromQuery:
		return text + ": " + d.Why
	case d.Least > 0:
		return fmt.Sprintf("%s as stated; %s would do: %s", text, numeral.Short(d.Least, 6, numeral.Up), d.Why)
	case d.Source == FromStated:
		return text + ", as stated"
	}
	return text + ", the default"
}

// Setting holds the properties of a scenario and an entry on which a query depends.
type Setting struct {
	Adjacency mechanisms.Adjacency
	Group     float64 // records one person may contribute, as the scenario states it
	Sampling  float64 // Poisson rate; 1 or 0 means none
}

// roundingSlack is the relative difference by which a stated sensitivity may be below the derived one: that of a number
// typed with ten digits. The derived one is used then.
const roundingSlack = 1e-9

// NoQuery returns why a mechanism takes no query, and what to do.
func NoQuery(spec mechanisms.Spec) string {
	if spec.Variant() != "" {
		return spec.Name + " takes no query; state the sensitivity of what it runs, of.sensitivity"
	}
	return spec.Name + " takes no query: it has no sensitivity that could follow from one. Leave it out, or describe a release with Laplace, geometric or Gaussian noise, or one that selects by scores"
}

// Derive returns the sensitivity that an entry of the mechanism has, and refuses a query that contradicts the values
// or that no proof covers. The errors are [*param.Error] with the field's path in the entry: "query.clip".
func Derive(spec mechanisms.Spec, values param.Values, q Query, at Setting) (Derived, error) {
	p, has := spec.ParamOrRun("sensitivity")
	d := Derived{Norm: normOf(spec), Value: p.Default.Number, Source: FromDefault}
	if stated, given := values[p.Name]; has && given {
		d.Value, d.Source = stated.Number, FromStated
	}
	if !q.IsSet() {
		return d, nil
	}
	if spec.Norm == "" {
		return d, param.Errorf("query", "%s", NoQuery(spec))
	}
	s, err := q.Sensitivity(at.Adjacency)
	if err == nil {
		err = q.checkFor(spec, values, at, s)
	}
	if err != nil {
		return d, inQuery(err)
	}
	delta := s.InNorm(spec.Norm)
	d.Why, d.Assumed, d.cells, d.perCell = delta.Why, s.Assumed, s.Cells, s.PerCell
	switch {
	case d.Source == FromDefault || d.Value == delta.Value:
		d.Value, d.Source = delta.Value, FromQuery
	case d.Value < delta.Value*(1-roundingSlack):
		return d, param.Errorf(p.Name, "%s is below what the query allows: %s = %s (%s). Leave sensitivity out, or correct the query",
			numeral.Format(d.Value), spec.Norm.Symbol(), numeral.Short(delta.Value, 6, numeral.Up), delta.Why)
	case d.Value < delta.Value:
		d.Value, d.Source = delta.Value, FromQuery
	default:
		d.Least = delta.Value
		if d.cells != 1 { // how a larger Δ₂ divides over cells is not known
			d.cells, d.perCell = 0, 0
		}
	}
	if d.cells != 1 && d.perCell > maxLattice {
		d.cells, d.perCell = 0, 0
	}
	return d, nil
}

func normOf(spec mechanisms.Spec) mechanisms.Norm {
	if run, _ := mechanisms.Lookup(spec.Variant()); spec.Norm == "" {
		return run.Norm
	}
	return spec.Norm
}

// inQuery puts the name of the mapping before the field that an error names, unless it is a field of the entry.
func inQuery(err error) error {
	p := err.(*param.Error)
	switch p.Param {
	case "monotone", "group", "sampling":
		return p
	}
	return &param.Error{Param: "query." + p.Param, Problem: p.Problem}
}

// checkFor refuses what the mechanism or its setting does not allow.
func (q Query) checkFor(spec mechanisms.Spec, values param.Values, at Setting, s Sensitivity) error {
	lattice, _ := spec.Param("sensitivity")
	whole := lattice.Type == param.Whole
	switch {
	case at.Group > 1 && q.HasBounds():
		return param.Errorf(q.firstBound(), "and group (%s) are two ways to say what one person contributes; state one of them", numeral.Format(at.Group))
	case q.Kind == Mean && at.Group > 1:
		return param.Errorf("kind", "a mean has exactly one value per person, and group says %s; leave group out, or ask for sum", numeral.Format(at.Group))
	case q.Kind == Mean && at.Sampling > 0 && at.Sampling < 1:
		return param.Errorf("kind", "a mean over a sample is divided by the number sampled, which is not public; leave sampling out, or ask for sum")
	case whole && (q.Kind == Mean || q.Kind == Vector):
		return param.Errorf("kind", "%s noise needs whole answers, which a %s is not; use laplace or gaussian", spec.Name, q.Kind)
	case whole && !q.counts() && q.Values != WholeValues:
		return param.Errorf("values", "is missing; %s noise on sums of fractions hides nothing of their fractional part (δ = 1). "+
			"State values: whole if the program adds whole numbers, or use laplace or gaussian", spec.Name)
	case whole && !q.counts() && !(isWhole(q.Clip.Low) && isWhole(q.Clip.High)):
		return param.Errorf("clip", "must have whole ends, got %s: %s noise needs whole sums", q.Clip.String(), spec.Name)
	case spec.Norm == mechanisms.L1 && math.IsInf(s.L1.Value, 1):
		return param.Errorf("dimension", "is missing; %s noise needs Δ₁ = √dimension times the norm. State it, or use gaussian", spec.Name)
	case values["monotone"].Flag:
		return q.checkMonotone(at.Adjacency)
	}
	return nil
}

// checkMonotone refuses scores that one person may raise and lower.
func (q Query) checkMonotone(a mechanisms.Adjacency) error {
	clip := q.ends()
	switch {
	case a == mechanisms.Replace:
		return param.Errorf("monotone", "does not hold under replace: the person replaced may lower one score and the new one raise another. Leave it out, or use add-remove")
	case q.Kind == Vector:
		return param.Errorf("monotone", "does not hold for a vector, whose coordinates may have any sign. Leave it out")
	case clip.Low < 0 && clip.High > 0:
		return param.Errorf("monotone", "does not hold for values cut to %s: one person may raise one score and lower another. Leave it out, or cut values to one sign", clip)
	}
	return nil
}

// firstBound returns the name of the first field that bounds what one person contributes.
func (q Query) firstBound() string {
	switch {
	case q.MaxGroups != 0:
		return "max_groups"
	case q.PerGroup != 0:
		return "per_group"
	}
	return "total"
}

func isWhole(x float64) bool { return x == math.Trunc(x) }

// Apply returns the values of an entry with the derived sensitivity in them, so that they say the same without the
// query, except for discrete Gaussian noise on several cells, which [Derived.Build] makes.
func (d Derived) Apply(spec mechanisms.Spec, values param.Values) param.Values {
	p, has := spec.Param("sensitivity")
	if d.Why == "" || !has {
		return values
	}
	own := values.Clone()
	x := d.Value
	if d.needsCells(spec) {
		x = max(1, d.perCell)
	}
	own[p.Name] = param.Value{Type: p.Type, Number: x}
	return own
}

// needsCells reports whether the mechanism is discrete Gaussian noise on several cells of which one person can change
// more than one.
func (d Derived) needsCells(spec mechanisms.Spec) bool {
	return d.Why != "" && d.cells != 1 && spec.Name == (mechanisms.DiscreteGaussian{}).Kind()
}

// maxLattice is the largest step for which discrete noise is summed point by point.
const maxLattice = 1e6

// Build makes the mechanism of an entry with its derived sensitivity.
func (d Derived) Build(spec mechanisms.Spec, values param.Values) (mechanisms.Mechanism, error) {
	if !d.needsCells(spec) {
		return mechanisms.New(spec.Name, d.Apply(spec, values))
	}
	c := mechanisms.DiscreteGaussianCells{Cells: d.cells, Length: d.Value}
	m, err := mechanisms.New(spec.Name, d.Apply(spec, values))
	if err != nil {
		return nil, err
	}
	c.DiscreteGaussian = m.(mechanisms.DiscreteGaussian)
	return c, mechanisms.Validate(c)
}
