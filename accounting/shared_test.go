package accounting

import "testing"

// counted counts how often its Rényi curve is asked.
type counted struct {
	Release
	asked *int
}

func (c counted) Renyi(alpha float64) (float64, error) { *c.asked++; return c.Release.Renyi(alpha) }

// Equal releases of two stacks become one, and different ones stay apart.
func TestSharedUnifiesEqualReleases(t *testing.T) {
	var s Shared
	one := s.Unify([]Entry{{Subsample(GaussianDP(1.1), 0.01), 10}, {PureDP(0.1), 1}})
	two := s.Unify([]Entry{{PureDP(0.2), 3}, {Subsample(GaussianDP(1.1), 0.01), 20},
		{Subsample(GaussianDP(1.2), 0.01), 20}})
	made := func(e Entry) *derived { return e.Release.(sampled).derived }
	if made(two[1]) != made(one[0]) || two[1].Count != 20 || one[0].Count != 10 {
		t.Error("equal releases are two, or lost their counts")
	}
	if KeyOf(two[0].Release) == KeyOf(one[1].Release) || made(two[2]) == made(one[0]) {
		t.Error("different releases are one")
	}
	a, b := 0, 0
	foreign := s.Unify([]Entry{{counted{PureDP(0.1), &a}, 1}, {counted{PureDP(0.1), &b}, 1}})
	for _, e := range foreign {
		if _, err := e.Release.Renyi(2); err != nil {
			t.Fatal(err)
		}
	}
	if a != 1 || b != 1 {
		t.Error("a release declared elsewhere is taken for another")
	}
}
