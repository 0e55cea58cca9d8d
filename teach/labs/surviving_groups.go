package labs

import (
	"math"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// survivingGroups: the groups of a GROUP BY, of which only those with enough people are shown
// (Desfontaines, Voss, Gipson, Mandayam 2022).
var survivingGroups = Lab{
	Name: "surviving-groups", Title: "Which groups survive a threshold", Paper: "Desfontaines, Voss, Gipson, Mandayam 2022",
	Summary:   "a GROUP BY on generated people: which groups are shown by each strategy, and what a person alone in a group risks",
	Adjacency: mechanisms.AddRemove, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "of the whole selection", 1, 0.05, 20),
		number("delta", "δ", "of the whole selection", 1e-5, 1e-12, 0.1),
		whole("partitions", "k", "groups one person may be in", 2, 1, 20),
		choice("strategy", "how the groups of the run are selected", "optimal", "laplace", "gaussian", "geometric"),
		whole("people", "n", "people", 2000, 10, 100_000),
		whole("groups", "", "groups that they may be in; at least as many as partitions", 300, 20, 5000),
		whole("runs", "", "how often the selection is run", 200, 10, 10_000),
	},
	run: runSurvivingGroups,
}

func runSurvivingGroups(s *trial) {
	strategy := mechanisms.Strategy(s.choice("strategy"))
	values := param.Values{"epsilon": param.NumberValue(s.number("epsilon")), "delta": param.NumberValue(s.number("delta")),
		"partitions": param.WholeValue(s.number("partitions")), "strategy": param.ChoiceValue(string(strategy))}
	built := must(mechanisms.New("partition-selection", values))
	p := built.(mechanisms.PartitionSelection)
	sizes, runs := s.groupSizes(), s.whole("runs")
	shown, singles, single := make([]float64, len(sizes)), 0.0, 0.0
	r := s.rand(1)
	for run := range runs {
		s.reportProgress(run, runs)
		for g, n := range sizes {
			if s.randomizeAnswer(n, p.ShowsGroup(r, n), 1) {
				shown[g] += 1 / float64(runs)
				if n == 1 {
					singles++
				}
			}
		}
	}
	s.publish(shown...)
	expected, mean := 0.0, 0.0
	for g, n := range sizes {
		expected += p.KeepProbability(n)
		mean += shown[g]
		if n == 1 {
			single++
		}
	}
	kept := func(q mechanisms.PartitionSelection) float64 { // how many groups are shown on average
		sum := 0.0
		for _, n := range sizes {
			sum += q.KeepProbability(n)
		}
		return sum
	}
	table := Table{Title: "People for a group to be shown, by strategy", Columns: []string{"strategy", "50 %", "95 %", "99.9 %", "groups shown"}}
	curves := chart.Chart{Title: "Chance that a group is shown, by its people", X: chart.Axis{Label: "people in the group"}, Y: chart.Axis{Label: "probability", Min: 0, Max: 1}}
	for _, other := range mechanisms.Strategies() {
		q := must(p.WithStrategy(other))
		table.Rows = append(table.Rows, Row{string(other),
			[]float64{q.PeopleFor(0.5), q.PeopleFor(0.95), q.PeopleFor(0.999), kept(q)}})
		xs := spread(1, math.Max(2, math.Ceil(q.PeopleFor(0.999)*1.2)), 80)
		curves.Series = append(curves.Series,
			chart.Series{Name: string(other), X: xs, Y: mapEach(xs, q.KeepProbability)})
	}
	nonempty := float64(len(sizes))
	s.addFigure("groups with people", nonempty, "of "+text(s.number("groups")))
	s.addFigure("groups with one person", single, "each would give her away if it were shown as it is")
	s.addFigure("groups shown", mean, "by "+string(strategy)+", on average; exactly "+text(expected))
	s.addFigure("times a single person was shown", singles, "over "+text(float64(runs))+" runs")
	s.addUpperBound("chance that she is shown", p.KeepProbability(1), "per group and run; δ over all her groups")
	s.addSentence("Of %s groups %s are shown on average. Without a selection all of them would be, with the %s people who are alone in theirs.", text(nonempty), text(mean), text(single))
	s.addSentence("A group needs %s people to be shown every second time, and %s for 99.9 %%.", text(p.PeopleFor(0.5)), text(p.PeopleFor(0.999)))
	s.addTable(table)
	s.addChart(curves)
	order := slices.SortedFunc(slices.Values(sizes), func(a, b float64) int { return int(b - a) })
	rank := spread(1, nonempty, len(sizes))
	s.addChart(chart.Chart{Title: "Groups by size, and which are shown", X: chart.Axis{Label: "group, by rank", Log: true}, Y: chart.Axis{Label: "people", Log: true},
		Series: []chart.Series{{Name: "people", X: rank, Y: order, Step: true}},
		Marks:  []chart.Mark{chart.Horizontal(p.PeopleFor(0.5), "shown every second time")}})
	// A person alone in k groups: one of them is shown, which cannot be without her.
	lone := -math.Expm1(p.Partitions * math.Log1p(-p.KeepProbability(1)))
	s.addLeak(Leak{"a group shown in which the person is alone", p.Epsilon, lone, 0})
	s.spend("which groups are shown", p.Kind(), values, 1)
}

// groupSizes draws people, each in a number of different groups, and returns the sizes of the
// groups with people in them. Groups are as popular as 1/rank.
func (s *trial) groupSizes() (sizes []float64) {
	r, groups := s.rand(0), s.whole("groups")
	k := min(s.whole("partitions"), groups)
	cumulative := make([]float64, groups)
	sum := 0.0
	for g := range cumulative {
		sum += 1 / float64(g+1)
		cumulative[g] = sum
	}
	counts := make([]float64, groups)
	for person := range s.whole("people") {
		var mine []int
		for len(mine) < k {
			g, _ := slices.BinarySearch(cumulative, r.Float64()*sum)
			if g = min(g, groups-1); !slices.Contains(mine, g) {
				mine = append(mine, g)
				if !s.isNeighbour() || person > 0 {
					counts[g]++
				}
			}
		}
	}
	return slices.DeleteFunc(counts, func(n float64) bool { return n == 0 })
}
