package sheet

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
func JSON(w io.Writer, r *scenarios.Result) error { return Encode(w, resultRecord(r)) }

func resultRecord(r *scenarios.Result) Record {
	target := jsonTarget{Delta: Number(r.Target.Delta)}
	if r.Target.Epsilon > 0 {
		target.Epsilon = Number(r.Target.Epsilon)
	}
	var best any // null: no valid bound
	if r.Best >= 0 {
		b := r.Bounds[r.Best]
		best = Record{{"method", b.Method}, {"epsilon", Number(b.Epsilon)}}
	}
	return Record{
		{"scenario", Record{{"name", r.Name}, {"adjacency", r.Adjacency}, {"rounds", Number(r.Rounds)}, {"entries", len(r.Entries)}}},
		{"target", target},
		{"bounds", recordsOf(boundColumns, boundRows(r))},
		{"best", best},
		{"entries", recordsOf(stackColumns, r.Entries)},
	}
}

// Number is x where JSON can carry it, else nil.
func Number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Encode writes v indented and leaves ε, δ, < and > as they are.
func Encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
