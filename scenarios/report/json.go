package report

import (
	"encoding/json"
	"io"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// comparison is the JSON form of a result: what scripts rely on. Numbers are full
// float64; what has no number is null, never NaN or infinity, which JSON lacks.
type comparison struct {
	Scenario struct {
		Name      string   `json:"name"`
		Adjacency string   `json:"adjacency"`
		Rounds    *float64 `json:"rounds"`
		Entries   int      `json:"entries"`
	} `json:"scenario"`
	Target  jsonTarget  `json:"target"`
	Bounds  []jsonBound `json:"bounds"`
	Best    *jsonBest   `json:"best"` // null: no valid bound
	Entries []jsonEntry `json:"entries"`
}

type jsonBound struct {
	Method  string   `json:"method"`
	Status  string   `json:"status"`
	Epsilon *float64 `json:"epsilon"`
	Lower   *float64 `json:"epsilon_lower,omitempty"`
	Delta   *float64 `json:"delta"`
	Alpha   *float64 `json:"alpha,omitempty"`
	Note    string   `json:"note"`
}

type jsonBest struct {
	Method  string   `json:"method"`
	Epsilon *float64 `json:"epsilon"`
}

type jsonEntry struct {
	Index     int      `json:"index"`
	Mechanism string   `json:"mechanism"`
	Count     *float64 `json:"count"`
	Share     *float64 `json:"share"`
}

// JSON writes the result as one JSON object.
func JSON(w io.Writer, r *scenarios.Result) error {
	var c comparison
	c.Scenario.Name = r.Name
	c.Scenario.Adjacency = string(r.Adjacency)
	c.Scenario.Rounds = number(r.Rounds)
	c.Scenario.Entries = len(r.Entries)
	if r.Target.Epsilon > 0 {
		c.Target.Epsilon = number(r.Target.Epsilon)
	}
	c.Target.Delta = number(r.Target.Delta)
	c.Bounds = make([]jsonBound, 0, len(r.Bounds))
	for _, b := range r.Bounds {
		c.Bounds = append(c.Bounds, boundJSON(b))
	}
	if r.Best >= 0 {
		b := r.Bounds[r.Best]
		c.Best = &jsonBest{string(b.Method), number(b.Epsilon)}
	}
	c.Entries = make([]jsonEntry, 0, len(r.Entries))
	for _, e := range r.Entries {
		c.Entries = append(c.Entries, jsonEntry{e.Index, e.Mechanism, number(e.Count), number(e.Share)})
	}
	return encode(w, c)
}

func boundJSON(b accounting.Bound) jsonBound {
	j := jsonBound{Method: string(b.Method), Status: string(b.Status), Delta: number(b.Delta), Note: note(b)}
	if !b.Finite() {
		return j
	}
	j.Epsilon = number(b.Epsilon)
	if b.Method == accounting.Numerical {
		j.Lower = number(b.Lower)
	}
	if renyi(b.Method) && b.Alpha != 0 {
		j.Alpha = number(b.Alpha)
	}
	return j
}

// note is a bound's remark; it says what JSON and CSV cannot: that the order of
// the Rényi divergence is infinite.
func note(b accounting.Bound) string {
	const infinite = "the best order is α = ∞: the sum of the pure ε"
	if !b.Finite() || !renyi(b.Method) || !math.IsInf(b.Alpha, 1) || strings.Contains(b.Note, "α = ∞") {
		return b.Note
	}
	if b.Note == "" {
		return infinite
	}
	return infinite + "; " + b.Note
}

// renyi reports whether a method converts at one Rényi order, worth stating.
func renyi(m accounting.Method) bool {
	t, _ := accounting.TheoremOf(m)
	return t.AtOrder
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
