// Package query derives a sensitivity from what is asked: counts, sums, a mean or a vector, and how much one
// person can contribute to it.
//
// A [Query] states what the releasing program does: which range it cuts values to, how many groups and records of
// one person it keeps. Nothing here clips or drops a record. [Query.Sensitivity] turns it into Δ₁, Δ₂ and Δ∞ for an
// adjacency, with the reason in words. [Derive] picks the norm that a mechanism needs and refuses what no
// proof covers.
package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Kinds of answers.
const (
	Count         = "count"           // records that satisfy a condition, one number
	People        = "people"          // distinct people, one number
	Histogram     = "histogram"       // records by group
	PeopleByGroup = "people-by-group" // distinct people by group
	Sum           = "sum"             // clipped values added up, one number
	Sums          = "sums"            // clipped values added up by group
	Mean          = "mean"            // clipped values, one per person, divided by a public number of people
	Vector        = "vector"          // one vector per person, its ℓ2 norm clipped
)

// Kinds lists the kinds of answers in the order of menus.
func Kinds() []string {
	return []string{Count, People, Histogram, PeopleByGroup, Sum, Sums, Mean, Vector}
}

// MaxBound is the largest number that a bound, a number of people or a dimension can be.
const MaxBound = 1e12

// WholeValues is the only value of the field values: every value is a whole number.
const WholeValues = "whole"

// Query says what an entry asks of the data. A number that is 0 is not stated.
type Query struct {
	Kind      string
	Clip      Clip
	MaxGroups float64 // groups that one person can be in
	PerGroup  float64 // records of one person in one group
	Total     float64 // records of one person in all
	Of        float64 // how many groups there are
	People    float64 // the divisor of a mean
	Dimension float64 // coordinates of a vector
	Values    string  // [WholeValues] or ""
}

// Clip holds the limits that values are cut to: a range or, for a vector, a norm.
type Clip struct {
	Form      ClipForm
	Low, High float64 // the ends of a range; a norm is High
}

// ClipForm tells a range from a norm.
type ClipForm int

const (
	NoClip    ClipForm = iota
	ClipRange          // [Low, High]
	ClipNorm           // one number
)

// String returns the clip as a scenario file has it: "[0, 100]", "2.5"; "" if there is none.
func (c Clip) String() string {
	switch c.Form {
	case ClipRange:
		return "[" + numeral.Format(c.Low) + ", " + numeral.Format(c.High) + "]"
	case ClipNorm:
		return numeral.Format(c.High)
	}
	return ""
}

// largest returns max(|lo|, |hi|).
func (c Clip) largest() float64 { return math.Max(math.Abs(c.Low), math.Abs(c.High)) }

// IsSet reports whether anything is asked.
func (q Query) IsSet() bool { return q != Query{} }

// String returns the query in a few words: "histogram, groups ≤ 3, per group ≤ 5"; "" if nothing is asked.
func (q Query) String() string {
	parts := []string{q.Kind}
	add := func(x float64, text string) {
		if x != 0 {
			parts = append(parts, fmt.Sprintf(text, numeral.Format(x)))
		}
	}
	if clip := q.Clip.String(); clip != "" {
		parts = append(parts, "clipped to "+clip)
	}
	add(q.MaxGroups, "groups ≤ %s")
	add(q.PerGroup, "per group ≤ %s")
	add(q.Total, "records ≤ %s")
	add(q.Of, "of %s groups")
	add(q.People, "over %s people")
	add(q.Dimension, "in %s dimensions")
	if q.Values != "" {
		parts = append(parts, "whole values")
	}
	return strings.Join(parts, ", ")
}

// HasBounds reports whether the query bounds what one person contributes.
func (q Query) HasBounds() bool { return q.MaxGroups != 0 || q.PerGroup != 0 || q.Total != 0 }

// AllowsSeveral reports whether one person may have several records. People are counted once, however many records they
// have.
func (q Query) AllowsSeveral() bool {
	switch {
	case q.Kind == People || q.Kind == PeopleByGroup:
		return true
	case q.Total == 1:
		return false
	}
	return max(q.MaxGroups, q.PerGroup, q.Total) > 1
}

// ByGroup reports whether the answer has a number for each group.
func (q Query) ByGroup() bool {
	return slices.Contains([]string{Histogram, PeopleByGroup, Sums}, q.Kind)
}

// needsRange reports whether the kind needs a range that values are cut to.
func (q Query) needsRange() bool { return slices.Contains([]string{Sum, Sums, Mean}, q.Kind) }

// counts reports whether every number of the answer is a count, which is whole.
func (q Query) counts() bool {
	return slices.Contains([]string{Count, People, Histogram, PeopleByGroup}, q.Kind)
}

// Check returns every problem with the fields of the query, whichever mechanism and adjacency it is for. The fields are
// named without the name of the mapping: "clip".
func (q Query) Check() (problems []*param.Error) {
	add := func(when bool, field, problem string) {
		if when {
			problems = append(problems, param.Errorf(field, "%s", problem))
		}
	}
	if q.Kind == "" {
		add(true, "kind", "is missing; say what is asked: "+strings.Join(Kinds(), ", "))
		return problems
	}
	if !slices.Contains(Kinds(), q.Kind) {
		add(true, "kind", unknownKind(q.Kind))
		return problems
	}
	add(q.Clip.Form == NoClip && q.needsRange(), "clip", "is missing; without a range there is no limit to what one "+
		"value adds: state the one that the program cuts values to, such as [0, 100]")
	add(q.Clip.Form == NoClip && q.Kind == Vector, "clip", "is missing; state the ℓ2 norm that the program cuts a person's "+
		"whole vector to, such as 1")
	add(q.Clip.Form != NoClip && q.counts(), "clip", q.Kind+" adds 1 per "+cmp.Or(map[string]string{
		People: "person", PeopleByGroup: "person"}[q.Kind], "record")+" and has no values to cut; leave it out, or ask for "+
		cmp.Or(map[string]string{Histogram: Sums, PeopleByGroup: Sums}[q.Kind], Sum))
	add(q.Clip.Form == ClipNorm && q.needsRange(), "clip", "must be a range such as [0, 100]: one number leaves open whether values can be negative")
	add(q.Clip.Form == ClipRange && q.Kind == Vector, "clip", "must be one number, the largest ℓ2 norm of a person's whole vector")
	add(q.Clip.Form != NoClip, "clip", q.Clip.problem())
	add(q.Of != 0 && !q.ByGroup(), "of", q.Kind+" is not asked by group; leave it out, or ask for histogram, people-by-group or sums")
	add(q.People == 0 && q.Kind == Mean, "people", "is missing; a mean is divided by a number of people that is public and fixed: state it, or ask for sum")
	add(q.People != 0 && q.Kind != Mean, "people", q.Kind+" is not divided by a number of people; leave it out")
	add(q.Dimension != 0 && q.Kind != Vector, "dimension", q.Kind+" has no dimension; leave it out")
	add(q.Values != "" && (q.Kind == Mean || q.Kind == Vector), "values", "a "+q.Kind+" is not a whole number; leave it out")
	problems = append(problems, q.single(Mean, "has exactly one value per person; leave it out, or ask for sum")...)
	problems = append(problems, q.single(Vector, "is one vector per person, whose whole norm is clipped; leave it out")...)
	return slices.DeleteFunc(problems, func(p *param.Error) bool { return p.Problem == "" })
}

// single returns the problems of bounds above one for a kind to which a person contributes once.
func (q Query) single(kind, problem string) (problems []*param.Error) {
	if q.Kind != kind {
		return nil
	}
	for _, f := range []struct {
		name  string
		bound float64
	}{{"max_groups", q.MaxGroups}, {"per_group", q.PerGroup}, {"total", q.Total}} {
		if f.bound > 1 {
			problems = append(problems, param.Errorf(f.name, "a %s %s", kind, problem))
		}
	}
	return problems
}

// unknownKind returns the problem with a kind that does not exist.
func unknownKind(kind string) string {
	if near := param.Nearest(kind, Kinds()); near != "" {
		return "unknown kind " + numeral.Quote(kind) + "; did you mean " + near + "?"
	}
	return "unknown kind " + numeral.Quote(kind) + "; known: " + strings.Join(Kinds(), ", ")
}

// problem returns what is wrong with the numbers of a clip, "" if nothing is.
func (c Clip) problem() string {
	switch {
	case math.IsNaN(c.Low) || math.IsNaN(c.High):
		return "must be numbers, as in [0, 100], got NaN"
	case math.IsInf(c.Low, 0) || math.IsInf(c.High, 0):
		return "must be finite: values without a limit have no sensitivity"
	case c.Form == ClipNorm && c.High <= 0:
		return "must be greater than 0, got " + numeral.Format(c.High)
	case c.Low > c.High:
		return "starts above its end: " + c.String() + "; write the lower number first"
	case c.Form == ClipRange && c.Low == 0 && c.High == 0:
		return "cuts every value to 0, so nothing is asked; state the range that the program uses"
	}
	return ""
}
