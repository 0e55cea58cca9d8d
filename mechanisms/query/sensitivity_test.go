package query

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
)

// A part is what one person adds to the answer, by group. allParts lists every part that the query's bounds
// allow in a world of so many groups, with values at the ends of the clip (and 0, which any linear norm is below).
// It knows nothing of the table of sensitivities: it tries every multiset of records.
func allParts(q Query, groups int) [][]float64 {
	values := []float64{1}
	if q.Clip.Form == ClipRange {
		values = []float64{q.Clip.Low, q.Clip.High}
	}
	g, c, total := q.MaxGroups, q.PerGroup, q.Total
	switch {
	case g == 0 && c == 0 && total == 0:
		g, c, total = 1, 1, 1
	case g == 0 && c == 0:
		g, c = math.Inf(1), math.Inf(1)
	}
	if total == 0 {
		total = math.Inf(1)
	}
	var parts [][]float64
	part, counts := make([]float64, groups), make([]float64, groups)
	var add func(group, value int, left float64)
	add = func(group, value int, left float64) {
		parts = append(parts, append([]float64(nil), part...))
		for i := group; i < groups; i++ {
			if counts[i] == 0 && float64(countPositive(counts)) >= g {
				continue
			}
			if counts[i] >= c || left < 1 {
				continue
			}
			for v := range values {
				if i == group && v < value {
					continue
				}
				before := part[i]
				counts[i]++
				part[i] += values[v]
				if q.Kind == People || q.Kind == PeopleByGroup {
					part[i] = 1
				}
				add(i, v, left-1)
				counts[i]--
				part[i] = before
			}
		}
	}
	add(0, 0, total)
	return parts
}

func countPositive(list []float64) (n int) {
	for _, x := range list {
		if x > 0 {
			n++
		}
	}
	return n
}

// collapse turns a part into that of an answer that is one number.
func collapse(q Query, part []float64) []float64 {
	if q.ByGroup() {
		return part
	}
	sum := 0.0
	for _, x := range part {
		sum += x
	}
	if q.Kind == People {
		sum = math.Min(1, sum)
	}
	return []float64{sum}
}

// found returns the largest norms over all parts, or over all pairs of parts under replace.
func found(q Query, a mechanisms.Adjacency, groups int) (l1, l2, linf float64) {
	var list [][]float64
	seen := map[string]bool{}
	for _, p := range allParts(q, groups) {
		p = collapse(q, p)
		if key := fmt.Sprint(p); !seen[key] {
			seen[key] = true
			list = append(list, p)
		}
	}
	others := [][]float64{make([]float64, len(list[0]))}
	if a == mechanisms.Replace {
		others = list
	}
	for _, x := range list {
		for _, y := range others {
			sum, squares, most := 0.0, 0.0, 0.0
			for i := range x {
				d := math.Abs(x[i] - y[i])
				sum, squares, most = sum+d, squares+d*d, math.Max(most, d)
			}
			l1, l2, linf = math.Max(l1, sum), math.Max(l2, math.Sqrt(squares)), math.Max(linf, most)
		}
	}
	return l1, l2, linf
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(a, b) }

// Every row of the table equals what an enumeration of all parts of one person finds: never below it, and where the
// row is tight not above it either.
func TestEveryRowByEnumeration(t *testing.T) {
	clips := []Clip{{}, {ClipRange, 0, 1}, {ClipRange, 0, 3}, {ClipRange, -2, 2}, {ClipRange, -1, 3}, {ClipRange, 2, 5},
		{ClipRange, -4, -1}, {ClipRange, -5, 0}}
	cases := 0
	for _, kind := range []string{Count, People, Histogram, PeopleByGroup, Sum, Sums} {
		for _, clip := range clips {
			for _, bound := range []struct{ g, c, t float64 }{
				{}, {1, 1, 0}, {1, 2, 0}, {1, 4, 0}, {2, 1, 0}, {2, 2, 0}, {2, 3, 0}, {3, 1, 0}, {3, 2, 0}, {4, 1, 0}, {5, 1, 0},
				{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {0, 0, 4}, {2, 2, 3}, {3, 1, 2}, {2, 3, 2}, {1, 3, 4}, {3, 2, 4},
			} {
				q := Query{Kind: kind, Clip: clip, MaxGroups: bound.g, PerGroup: bound.c, Total: bound.t}
				if len(q.Check()) > 0 {
					continue
				}
				for _, a := range []mechanisms.Adjacency{mechanisms.AddRemove, mechanisms.ZeroOut, mechanisms.Replace} {
					for groups := 1; groups <= gauge.Cases(4, 5); groups++ {
						for _, stated := range []bool{false, true} {
							q.Of = 0
							if stated && !q.ByGroup() {
								continue
							}
							if stated {
								q.Of = float64(groups)
							}
							if groups == 5 && (bound.g*bound.c > 4 || bound.t > 3) {
								continue // millions of pairs
							}
							checkRow(t, q, a, groups, stated)
							cases++
						}
					}
				}
			}
		}
	}
	if cases < gauge.Cases(2000, 3000) {
		t.Errorf("only %d cases", cases)
	}
}

func checkRow(t *testing.T, q Query, a mechanisms.Adjacency, groups int, stated bool) {
	t.Helper()
	s, err := q.Sensitivity(a)
	if err != nil {
		t.Fatalf("%+v under %s: %v", q, a, err)
	}
	l1, l2, linf := found(q, a, groups)
	for _, n := range []struct {
		name         string
		found, table float64
	}{{"Δ₁", l1, s.L1.Value}, {"Δ₂", l2, s.L2.Value}, {"Δ∞", linf, s.Linf.Value}} {
		if n.table < n.found*(1-1e-15) {
			t.Errorf("%+v under %s: %s = %v, but %v was found in %d groups", q, a, n.name, n.table, n.found, groups)
		}
		in := max(1, q.MaxGroups)
		if q.Kind == PeopleByGroup && q.Total > 0 && (q.Total < in || q.MaxGroups == 0) {
			in = q.Total
		}
		enough := float64(groups) >= 2*in // two people can be in different groups
		tight := q.Total == 0 || !q.HasGroups() && (groups >= 2 || stated)
		if (stated || enough || !q.ByGroup()) && tight && reachable(q, groups) && !near(n.found, n.table) {
			t.Errorf("%+v under %s: %s = %v, but no more than %v can be found in %d groups", q, a, n.name, n.table, n.found, groups)
		}
	}
	if s.Cells > 0 && s.L2.Value > math.Sqrt(s.Cells)*s.PerCell*(1+1e-12) {
		t.Errorf("%+v under %s: %v cells of %v are less than Δ₂ = %v", q, a, s.Cells, s.PerCell, s.L2.Value)
	}
}

// reachable reports whether one person can be in as many groups as allowed: with fewer groups the bounds are not used
// up.
func reachable(q Query, groups int) bool {
	if q.ByGroup() {
		return true
	}
	return float64(groups) >= max(1, q.MaxGroups)
}

// HasGroups reports whether groups or records per group are bounded.
func (q Query) HasGroups() bool { return q.MaxGroups != 0 || q.PerGroup != 0 }

// No two random parts within the bounds differ by more than the table says.
func TestNoRandomPartIsFurther(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		q := Query{Kind: rapid.SampledFrom([]string{Count, People, Histogram, PeopleByGroup, Sum, Sums}).Draw(rt, "kind")}
		if q.needsRange() {
			low := rapid.Float64Range(-10, 10).Draw(rt, "low")
			q.Clip = Clip{ClipRange, low, low + rapid.Float64Range(0.01, 20).Draw(rt, "width")}
		}
		groups := rapid.IntRange(1, 12).Draw(rt, "groups")
		if rapid.Bool().Draw(rt, "by groups") {
			q.MaxGroups, q.PerGroup = float64(rapid.IntRange(1, 8).Draw(rt, "g")),
				float64(rapid.IntRange(1, 5).Draw(rt, "c"))
		}
		if !q.HasGroups() || rapid.Bool().Draw(rt, "total") {
			q.Total = float64(rapid.IntRange(1, 20).Draw(rt, "t"))
		}
		if q.ByGroup() && rapid.Bool().Draw(rt, "of") {
			q.Of = float64(groups)
		}
		a := rapid.SampledFrom([]mechanisms.Adjacency{mechanisms.AddRemove, mechanisms.Replace,
			mechanisms.ZeroOut}).Draw(rt, "adjacency")
		s, err := q.Sensitivity(a)
		if err != nil {
			rt.Fatalf("%+v: %v", q, err)
		}
		x := randomPart(rt, q, groups)
		y := make([]float64, len(x))
		if a == mechanisms.Replace {
			y = randomPart(rt, q, groups)
		}
		sum, squares, most, moved := 0.0, 0.0, 0.0, 0.0
		for i := range x {
			d := math.Abs(x[i] - y[i])
			sum, squares, most = sum+d, squares+d*d, math.Max(most, d)
			if d > 0 {
				moved++
			}
		}
		const rounding = 1 + 1e-12
		if sum > s.L1.Value*rounding || math.Sqrt(squares) > s.L2.Value*rounding || most > s.Linf.Value*rounding {
			rt.Fatalf("%+v under %s: the parts %v and %v differ by %v, %v, %v, the table says %+v", q, a, x, y, sum, math.Sqrt(squares), most, s)
		}
		if s.Cells > 0 && (moved > s.Cells || most > s.PerCell*rounding) {
			rt.Fatalf("%+v under %s: the parts %v and %v move %v cells by up to %v, the table says %v by %v", q, a, x, y, moved, most, s.Cells, s.PerCell)
		}
	})
}

// randomPart draws one person's records within the bounds, often at an end of the clip.
func randomPart(rt *rapid.T, q Query, groups int) []float64 {
	part, counts := make([]float64, groups), make([]float64, groups)
	left := q.Total
	if left == 0 {
		left = math.Inf(1)
	}
	for range rapid.IntRange(0, 40).Draw(rt, "records") {
		i := rapid.IntRange(0, groups-1).Draw(rt, "group")
		if left < 1 || q.PerGroup > 0 && counts[i] >= q.PerGroup ||
			q.MaxGroups > 0 && counts[i] == 0 && float64(countPositive(counts)) >= q.MaxGroups {
			continue
		}
		v := 1.0
		if q.needsRange() {
			v = rapid.SampledFrom([]float64{q.Clip.Low, q.Clip.High,
				rapid.Float64Range(q.Clip.Low, q.Clip.High).Draw(rt, "inner")}).Draw(rt, "value")
		}
		counts[i]++
		left--
		part[i] += v
		if q.Kind == People || q.Kind == PeopleByGroup {
			part[i] = 1
		}
	}
	return collapse(q, part)
}

// A mean over n people moves by the range over n where one is replaced, by the largest value over n where one is zeroed
// out, and has no sensitivity where one comes or goes.
func TestMeanByEnumeration(t *testing.T) {
	for _, clip := range []Clip{{ClipRange, 18, 100}, {ClipRange, -3, 2}, {ClipRange, 0, 1}} {
		for n := 1; n <= 5; n++ {
			q := Query{Kind: Mean, Clip: clip, People: float64(n)}
			zero, replace := 0.0, 0.0
			for _, x := range []float64{clip.Low, clip.High} {
				zero = math.Max(zero, math.Abs(x)/float64(n))
				for _, y := range []float64{clip.Low, clip.High} {
					replace = math.Max(replace, math.Abs(x-y)/float64(n))
				}
			}
			for a, want := range map[mechanisms.Adjacency]float64{mechanisms.ZeroOut: zero,
				mechanisms.Replace: replace} {
				s, err := q.Sensitivity(a)
				if err != nil || !near(s.L1.Value, want) || s.L1.Value < want || s.L2.Value != s.L1.Value ||
					s.Linf.Value != s.L1.Value {
					t.Errorf("%+v under %s: %+v, %v, want %v", q, a, s, err, want)
				}
			}
			if _, err := q.Sensitivity(mechanisms.AddRemove); err == nil {
				t.Errorf("%+v has a sensitivity under add-remove", q)
			}
		}
	}
}

// A clipped vector moves by its norm, two by twice that; in ℓ1 by √d times as much, which a vector of equal
// coordinates attains.
func TestVector(t *testing.T) {
	for _, d := range []float64{0, 1, 4, 7, 100} {
		q := Query{Kind: Vector, Clip: Clip{Form: ClipNorm, High: 2.5}, Dimension: d}
		for a, factor := range map[mechanisms.Adjacency]float64{mechanisms.AddRemove: 1, mechanisms.ZeroOut: 1,
			mechanisms.Replace: 2} {
			s, err := q.Sensitivity(a)
			want := factor * 2.5 * math.Sqrt(d)
			if err != nil || s.L2.Value != factor*2.5 || s.Linf.Value != factor*2.5 ||
				d > 0 && (!near(s.L1.Value, want) || s.L1.Value < want) || d == 0 && !math.IsInf(s.L1.Value, 1) {
				t.Errorf("%+v under %s: %+v, %v", q, a, s, err)
			}
		}
	}
}

// The numbers of the table in the words that screens show.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		q     Query
		a     mechanisms.Adjacency
		norm  mechanisms.Norm
		value float64
		why   string
	}{
		{Query{Kind: Histogram, MaxGroups: 3, PerGroup: 5}, mechanisms.Replace, mechanisms.L1, 30, "up to 3 groups of 5, one person replaced"},
		{Query{Kind: Histogram, MaxGroups: 3, PerGroup: 5}, mechanisms.AddRemove, mechanisms.L1, 15, "up to 3 groups of 5, one person added or removed"},
		{Query{Kind: Histogram, MaxGroups: 12, PerGroup: 1, Of: 12}, mechanisms.Replace, mechanisms.L1, 12, "up to 12 groups of 1 (of 12), one person replaced"},
		{Query{Kind: Histogram, Total: 7, MaxGroups: 4, PerGroup: 5}, mechanisms.Replace, mechanisms.L1, 14, "up to 7 records, one person replaced"},
		{Query{Kind: Sums, Clip: Clip{ClipRange, 0, 100}, Total: 15}, mechanisms.Replace, mechanisms.L2, 2121.3203435596424, "up to 15 records, values cut to [0, 100], one person replaced"},
		{Query{Kind: Mean, Clip: Clip{ClipRange, 18, 100}, People: 2000}, mechanisms.Replace, mechanisms.L2, 0.041, "one value per person, values cut to [18, 100], over 2000 people, one person replaced"},
		{Query{Kind: People, MaxGroups: 9}, mechanisms.ZeroOut, mechanisms.Linf, 1, "a person counts once, one person zeroed out"},
	} {
		s, err := c.q.Sensitivity(c.a)
		if d := s.InNorm(c.norm); err != nil || !near(d.Value, c.value) || d.Why != c.why {
			t.Errorf("%+v under %s: %+v, %v", c.q, c.a, d, err)
		}
	}
}

// Roots and products are rounded up to the next float64, and exact ones stay.
func TestUpward(t *testing.T) {
	for _, x := range []float64{1, 4, 9, 1e12, 25e-4} {
		if r := exactly(x).root(); r*r < x || r > math.Sqrt(x)*(1+1e-15) {
			t.Errorf("√%v = %v", x, r)
		}
	}
	if exactly(4).root() != 2 || exactly(2).root() != math.Sqrt2 || exactly(0.25).root() != 0.5 ||
		exactly(0).root() != 0 {
		t.Error("a root that is a number is not itself")
	}
	rapid.Check(t, func(rt *rapid.T) {
		x := math.Abs(rapid.Float64().Draw(rt, "x"))
		if r := exactly(x).root(); exactly(r).square().x.Cmp(exactly(x).x) < 0 {
			rt.Fatalf("√%v is above %v", x, r)
		}
	})
}
