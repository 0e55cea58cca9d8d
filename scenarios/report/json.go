package report

import (
	"encoding/json"
	"io"
	"math"

	"epsiloscope/scenarios"
)

type jsonTarget struct {
	Epsilon *float64 `json:"epsilon"`
	Delta   *float64 `json:"delta"`
}

// JSON writes the result as one JSON object: what scripts rely on. Numbers are full
// float64; what has no number is null, never NaN or infinity, which JSON lacks.
func JSON(w io.Writer, r *scenarios.Result) error { return encode(w, resultRecord(r)) }

func resultRecord(r *scenarios.Result) record {
	target := jsonTarget{Delta: number(r.Target.Delta)}
	if r.Target.Epsilon > 0 {
		target.Epsilon = number(r.Target.Epsilon)
	}
	var best any // null: no valid bound
	if r.Best >= 0 {
		b := r.Bounds[r.Best]
		best = record{{"method", b.Method}, {"epsilon", number(b.Epsilon)}}
	}
	return record{
		{"scenario", record{{"name", r.Name}, {"adjacency", r.Adjacency}, {"rounds", number(r.Rounds)}, {"entries", len(r.Entries)}}},
		{"target", target},
		{"bounds", recordsOf(boundColumns, boundRows(r))},
		{"best", best},
		{"entries", recordsOf(stackColumns, r.Entries)},
	}
}

// number is x where JSON can carry it, else nil.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// encode writes v indented and leaves ε, δ, < and > as they are.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
