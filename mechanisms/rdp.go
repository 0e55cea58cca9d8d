package mechanisms

import (
	"cmp"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// RDP is any release known by points of its Rényi curve (Mironov 2017).
type RDP struct {
	Points []param.Item // Order > 1 and Value ≥ 0, by increasing order
}

var rdpSpec = Spec{
	Name: "rdp", Title: "Rényi DP",
	Summary: "any release known by points of its Rényi curve",
	Params: []param.Param{{
		Name: "points", Symbol: "(α, ε(α))", Help: "Rényi orders with the divergence at each", Type: param.Points,
		Required: true, Initial: param.PointsValue(param.Item{Order: 2, Value: 0.02}, param.Item{Order: 8, Value: 0.08}, param.Item{Order: 32, Value: 0.32}),
	}},
	build:   buildRDP,
	Source:  "Mironov 2017",
	NoError: onlyStated, NoAbsent: absentStated,
	Notes: []string{
		"Between the points the chord of (α − 1)·ε(α), which is convex, is an upper bound; above the largest order nothing is known.",
		"A slide has E[e^{(α−1)·Q(b₁)/Q(b₂)}]; the exponent needs the logarithm of the ratio.",
		"A slide restricts the divergence to [0, 1]; there is no upper limit.",
	},
}

func buildRDP(r reader) (Mechanism, error) {
	points := slices.Clone(r.items("points"))
	slices.SortFunc(points, func(a, b param.Item) int { return cmp.Compare(a.Order, b.Order) })
	return RDP{Points: points}, nil
}

func (RDP) Kind() string { return "rdp" }

func (r RDP) Releases() []accounting.Entry {
	points := make([]accounting.RenyiPoint, len(r.Points))
	for i, p := range r.Points {
		points[i] = accounting.RenyiPoint{Alpha: p.Order, Value: p.Value}
	}
	return once(accounting.RenyiPoints(points))
}
