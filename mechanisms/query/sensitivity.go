package query

import (
	"cmp"
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Sensitivity is the largest change of the answer by one person, in three norms.
type Sensitivity struct {
	L1, L2, Linf Delta
	// Cells is the number of cells that one person can move, by PerCell each, such that no other change of the answer
	// moves any cell further; 0 if the norms alone are known.
	Cells, PerCell float64
	// Assumed says what had to be assumed of one person's records because no bound is stated; "" if nothing.
	Assumed string
}

// Delta is a sensitivity in one norm, rounded up, and the reason for it in words.
type Delta struct {
	Value float64
	Why   string
}

// InNorm returns the sensitivity in a norm.
func (s Sensitivity) InNorm(norm mechanisms.Norm) Delta {
	switch norm {
	case mechanisms.L1:
		return s.L1
	case mechanisms.L2:
		return s.L2
	}
	return s.Linf
}

// changes says in words what neighbouring data sets differ in.
var changes = map[mechanisms.Adjacency]string{
	mechanisms.AddRemove: "one person added or removed",
	mechanisms.Replace:   "one person replaced",
	mechanisms.ZeroOut:   "one person zeroed out",
}

// Sensitivity derives Δ₁, Δ₂ and Δ∞. One person's part of the answer is a vector over the groups, and the answer is the
// sum of the parts of all people. The sensitivity is the largest norm of a part under add-remove and zero-out, and of
// the difference of two parts under replace. It is an error if the query is not complete, or if the answer has no
// sensitivity under the adjacency.
func (q Query) Sensitivity(a mechanisms.Adjacency) (Sensitivity, error) {
	a = cmp.Or(a, mechanisms.AddRemove)
	if err := q.checkNumbers(); err != nil {
		return Sensitivity{}, err
	}
	for _, p := range q.Check() {
		return Sensitivity{}, p
	}
	s, err := q.sensitivity(a)
	if err != nil {
		return Sensitivity{}, err
	}
	for _, d := range []*Delta{&s.L1, &s.L2, &s.Linf} {
		if d.Value > math.MaxFloat64 && d != &s.L1 { // Δ₁ of a vector is not known without its dimension
			return Sensitivity{}, param.Errorf("clip", "makes the sensitivity larger than a number can hold")
		}
		if d.Value == 0 {
			return Sensitivity{}, param.Errorf("clip", "makes the sensitivity 0: no person changes the answer. Leave the entry out, or state the range that the program uses")
		}
		d.Why += ", " + changes[a]
	}
	return s, nil
}

func (q Query) sensitivity(a mechanisms.Adjacency) (Sensitivity, error) {
	switch q.Kind {
	case People:
		return sameNorms(1, "a person counts once"), nil
	case Count, Sum:
		return q.oneNumber(a), nil
	case Mean:
		return q.mean(a)
	case Vector:
		return q.vector(a), nil
	}
	return q.byGroup(a), nil
}

// checkNumbers refuses bounds that are not whole numbers of at least 1; 0 is one that is not stated.
func (q Query) checkNumbers() error {
	for _, f := range []struct {
		name string
		x    float64
	}{{"max_groups", q.MaxGroups}, {"per_group", q.PerGroup}, {"total", q.Total}, {"of", q.Of}, {"people", q.People}, {"dimension", q.Dimension}} {
		if f.x != 0 && !(f.x >= 1 && f.x == math.Trunc(f.x) && f.x <= MaxBound) {
			return param.Errorf(f.name, "must be a whole number, at least 1 and at most %s, got %s", numeral.Format(MaxBound), numeral.Format(f.x))
		}
	}
	return nil
}

// sameNorms returns the sensitivity of an answer that is one number.
func sameNorms(x float64, why string) Sensitivity {
	d := Delta{x, why}
	return Sensitivity{L1: d, L2: d, Linf: d, Cells: 1, PerCell: x}
}

// ends returns what values are cut to: a counted record is 1, or 0 if it does not count.
func (q Query) ends() Clip {
	if q.counts() {
		return Clip{ClipRange, 0, 1}
	}
	return q.Clip
}

// spread returns S(k) = max(0, k·hi) − min(0, k·lo), the largest difference of two sums of at most k values.
func (c Clip) spread(k float64) upward {
	return exactly(k).times(exactly(math.Max(0, c.High)).plus(exactly(math.Max(0, -c.Low))))
}

// reach returns k·M, the largest size of a sum of at most k values.
func (c Clip) reach(k float64) upward { return exactly(k).times(exactly(c.largest())) }

// oneNumber derives the sensitivity of a count or a sum of at most N records per person.
func (q Query) oneNumber(a mechanisms.Adjacency) Sensitivity {
	n, why := 1.0, "one record per person"
	product := exactly(cmp.Or(q.MaxGroups, 1)).times(exactly(cmp.Or(q.PerGroup, 1))).float()
	both := q.MaxGroups != 0 && q.PerGroup != 0
	switch {
	case q.Total != 0 && !(both && product < q.Total):
		n, why = q.Total, "up to "+recordsText(q.Total)
	case q.HasBounds():
		n, why = product, groupsOf(cmp.Or(q.MaxGroups, 1), cmp.Or(q.PerGroup, 1))
	}
	change := q.ends().reach(n)
	if a == mechanisms.Replace {
		change = q.ends().spread(n)
	}
	s := sameNorms(change.float(), why+q.clipText())
	switch {
	case !q.HasBounds():
		s.Assumed = "one record per person"
	case q.Total == 0 && q.PerGroup == 0:
		s.Assumed = "one record per group"
	case q.Total == 0 && q.MaxGroups == 0:
		s.Assumed = "one group per person"
	}
	return s
}

func (q Query) mean(a mechanisms.Adjacency) (Sensitivity, error) {
	change, n := exactly(q.Clip.largest()), exactly(q.People)
	switch a {
	case mechanisms.AddRemove:
		return Sensitivity{}, param.Errorf("kind", "a mean has no sensitivity under add-remove, where the number of people it is divided by changes. "+
			"Use replace or zero-out if that number is public, or release a sum and a count")
	case mechanisms.Replace:
		low, high := newUpward().SetFloat64(q.Clip.Low), newUpward().SetFloat64(q.Clip.High)
		change = upward{high.Sub(high, low)}
	}
	return sameNorms(change.dividedBy(n).float(), "one value per person"+q.clipText()+", over "+numeral.Format(q.People)+" people"), nil
}

func (q Query) vector(a mechanisms.Adjacency) Sensitivity {
	norm := exactly(q.Clip.High)
	if a == mechanisms.Replace {
		norm = norm.plus(norm)
	}
	why := "one vector of norm at most " + numeral.Format(q.Clip.High) + " per person"
	s := sameNorms(norm.float(), why)
	s.Cells, s.PerCell = 0, 0
	s.L1 = Delta{math.Inf(1), why + ", of a dimension that is not stated"}
	if q.Dimension != 0 {
		s.L1 = Delta{norm.square().times(exactly(q.Dimension)).root(),
			fmt.Sprintf("%s, in %s dimensions", why, numeral.Format(q.Dimension))}
	}
	return s
}

// row is the sensitivity of a person who is in at most groups groups, with at most records records in each.
type row struct {
	groups, records float64
	l1, squares     upward // Δ₁, Δ₂²
	linf            upward
	why             string
}

// byGroup derives the sensitivity of one number per group. A cap on all records of a person acts like one group of
// that many: no split of them over groups moves the answer further. If both the cap and the groups are stated, each
// row is valid by itself, and the smaller one counts.
func (q Query) byGroup(a mechanisms.Adjacency) Sensitivity {
	rows, assumed := q.rows()
	for i := range rows {
		q.fill(&rows[i], a)
	}
	first, s := rows[0], Sensitivity{Assumed: assumed}
	l1, l2, linf := first, first, first
	for _, r := range rows[1:] {
		if !l1.l1.atMost(r.l1) {
			l1 = r
		}
		if !l2.squares.atMost(r.squares) {
			l2 = r
		}
		if !linf.linf.atMost(r.linf) {
			linf = r
		}
	}
	s.L1, s.L2, s.Linf = Delta{l1.l1.float(), l1.why}, Delta{l2.squares.root(), l2.why},
		Delta{linf.linf.float(), linf.why}
	s.Cells, s.PerCell = q.cells(l2, a)
	return s
}

// rows returns what bounds one person, row by row, and what was assumed.
func (q Query) rows() (rows []row, assumed string) {
	g, c, of := q.MaxGroups, q.PerGroup, ""
	if q.Of != 0 {
		of = fmt.Sprintf(" (of %s)", numeral.Format(q.Of))
	}
	if q.Kind == PeopleByGroup {
		switch {
		case g == 0 && q.Total == 0:
			g, assumed = 1, "one group per person"
		case g == 0 || q.Total != 0 && q.Total < g:
			g = q.Total
		}
		why := "up to " + groupsText(g)
		if g == 1 {
			why = "one group per person"
		}
		return []row{{groups: q.existing(g), records: 1, why: why + of}}, assumed
	}
	if q.Total != 0 {
		rows = append(rows, row{groups: 1, records: q.Total, why: "up to " + recordsText(q.Total) + q.clipText()})
	}
	if g == 0 && c != 0 && q.Of != 0 {
		g = q.Of // a person may be in every group
	}
	if q.Total == 0 || g != 0 && c != 0 {
		switch {
		case g == 0 && c == 0:
			assumed = "one record per person"
		case g == 0:
			assumed = "one group per person"
		case c == 0:
			assumed = "one record per group"
		}
		g, c = cmp.Or(g, 1), cmp.Or(c, 1)
		rows = append(rows, row{groups: q.existing(g), records: c, why: groupsOf(g, c) + of + q.clipText()})
	}
	return rows, assumed
}

// existing returns the number of groups that one person can be in, which is not above the number there are.
func (q Query) existing(g float64) float64 {
	if q.Of != 0 {
		return math.Min(g, q.Of)
	}
	return g
}

// minSharedGroups returns the smallest number of groups that two people who are in g groups each have in common.
func (q Query) minSharedGroups(g float64) float64 {
	if q.Of == 0 {
		return 0
	}
	return math.Max(0, 2*g-q.Of)
}

// fill computes the norms of a row. Under replace two people may share k of their groups: a shared group changes by the
// spread of its sums, one that only one of them is in by the reach. Both norms are convex in k, so that its
// ends decide.
func (q Query) fill(r *row, a mechanisms.Adjacency) {
	clip, g := q.ends(), r.groups
	reach, spread := clip.reach(r.records), clip.spread(r.records)
	if a != mechanisms.Replace {
		r.l1, r.squares, r.linf = exactly(g).times(reach), exactly(g).times(reach.square()), reach
		return
	}
	r.linf = spread
	for i, k := range []float64{q.minSharedGroups(g), g} {
		both, alone := exactly(k), exactly(2*(g-k))
		l1 := both.times(spread).plus(alone.times(reach))
		squares := both.times(spread.square()).plus(alone.times(reach.square()))
		if i == 0 {
			r.l1, r.squares = l1, squares
		} else {
			r.l1, r.squares = largestOf(r.l1, l1), largestOf(r.squares, squares)
		}
	}
}

// cells returns how many cells one person can move, and how far each, if every change of the answer is below
// that in each cell; 0 if a cell that two people share may move further than one that they do not, or if a cap on all
// records decides.
func (q Query) cells(r row, a mechanisms.Adjacency) (cells, perCell float64) {
	clip := q.ends()
	reach, spread := clip.reach(r.records), clip.spread(r.records)
	replaced := a == mechanisms.Replace
	switch {
	case q.Total != 0 && q.Kind != PeopleByGroup && r.groups == 1 && r.records == q.Total:
		return 0, 0
	case !replaced:
		return r.groups, reach.float()
	case spread.atMost(reach):
		return 2*r.groups - q.minSharedGroups(r.groups), reach.float()
	}
	return 0, 0
}

// The words of reasons.

func recordsText(n float64) string {
	if n == 1 {
		return "1 record"
	}
	return numeral.Format(n) + " records"
}

func groupsText(n float64) string {
	if n == 1 {
		return "1 group"
	}
	return numeral.Format(n) + " groups"
}

func groupsOf(g, c float64) string {
	if g == 1 && c == 1 {
		return "one record per person"
	}
	return "up to " + groupsText(g) + " of " + numeral.Format(c)
}

func (q Query) clipText() string {
	if q.Clip.Form != ClipRange {
		return ""
	}
	return ", values cut to " + q.Clip.String()
}
