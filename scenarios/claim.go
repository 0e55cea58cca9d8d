package scenarios

import (
	"math"
	"strings"

	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Claim is a published statement about the releases: an ε, the δ it is stated at, by whom and in which words. A claim
// without an ε is none. No field changes a bound: a review judges the claim.
type Claim struct {
	Epsilon    float64
	Delta      float64
	DeltaGiven bool // without it the claim is at the budget's δ
	By, Text   string
}

// IsSet reports whether something is claimed.
func (c Claim) IsSet() bool { return c.Epsilon != 0 }

// claimFields are the fields under claim, in the order of a new file.
func claimFields() []format.Field[Scenario] {
	return []format.Field[Scenario]{
		{Param: param.Param{Name: "epsilon", Symbol: "ε", Help: "the claimed ε", Optional: true, OpenMin: true, Max: math.Inf(1),
			Initial: param.NumberValue(1)}, Aside: true, Missing: claimMissing,
			At: func(s *Scenario) any { return &s.Claim.Epsilon }},
		{Param: param.Param{Name: "delta", Symbol: "δ", Help: "the δ at which it is claimed; 0 for a pure claim, the budget's if not given",
			Optional: true, Max: 1, OpenMax: true, Initial: param.NumberValue(1e-6)}, Aside: true,
			At: func(s *Scenario) any { return claimDelta{&s.Claim} }},
		{Param: param.Param{Name: "by", Help: "who claims it", Type: freeText}, Aside: true,
			At: func(s *Scenario) any { return &s.Claim.By }},
		{Param: param.Param{Name: "text", Help: "the claim in its own words", Type: freeText}, Aside: true,
			At: func(s *Scenario) any { return &s.Claim.Text }},
	}
}

const claimMissing = "is missing; a claim needs an ε greater than 0, as in claim: {epsilon: 1, delta: 1e-6}"

// check adds a problem if words are given without the ε that they are about.
func (c Claim) check(to *format.Checker) {
	if !c.IsSet() && (c.DeltaGiven || c.By != "" || c.Text != "") {
		to.Add("claim.epsilon", claimMissing)
	}
}

// claimDelta is the δ of a claim as a field: 0 is a value, and so different from a δ that is not given.
type claimDelta struct{ *Claim }

// Clear makes the δ one that is not given.
func (f claimDelta) Clear() { f.Delta, f.DeltaGiven = 0, false }

func (f claimDelta) Decode(d *format.Decoder, p param.Param, n *yamltree.Node, path string) {
	f.Delta, f.DeltaGiven = d.Param(p, n, path).Number, true
}

func (f claimDelta) Check(c *format.Checker, path string) {
	if f.DeltaGiven {
		p := claimFields()[1].Param
		c.Add(path, p.CheckNumber(f.Delta))
	}
}

func (f claimDelta) Get() (param.Value, bool) { return param.NumberValue(f.Delta), f.DeltaGiven }

// Set reads a number; none takes it back.
func (f claimDelta) Set(p param.Param, text string) error {
	if strings.TrimSpace(text) == "none" {
		f.Delta, f.DeltaGiven = 0, false
		return nil
	}
	v, err := format.ParseValue(p, text)
	if err == nil {
		f.Delta, f.DeltaGiven = v.Number, true
	}
	return err
}

func (f claimDelta) Tree(p param.Param) (*yamltree.Node, bool) { return format.TreeOf(f, p) }

func (f claimDelta) Schema(p param.Param) format.Object { return format.ParamSchema(p) }

// HasStatedAdjacency reports whether the adjacency was chosen: it is in the file, it was set, or it is not the default.
func (s *Scenario) HasStatedAdjacency() bool {
	return s.adjacencyStated || s.Adjacency != mechanisms.AddRemove
}

// StateAdjacency sets the adjacency by choice, so that a file states it even if it is the default.
func (s *Scenario) StateAdjacency(a mechanisms.Adjacency) { s.Adjacency, s.adjacencyStated = a, true }

// adjacencyField is the adjacency as a field: one that was chosen is written even if it is the default.
type adjacencyField struct{ *Scenario }

func (f adjacencyField) Decode(d *format.Decoder, p param.Param, n *yamltree.Node, path string) {
	v := d.Param(p, n, path)
	if v.Text == "" {
		d.FailOnce(n, path, p.Check(v))
	}
	f.StateAdjacency(mechanisms.Adjacency(v.Text))
}

func (f adjacencyField) Check(c *format.Checker, path string) {
	p := ScenarioField("adjacency")
	c.Add(path, p.Check(param.ChoiceValue(string(f.Adjacency))))
}

func (f adjacencyField) Get() (param.Value, bool) {
	return param.ChoiceValue(string(f.Adjacency)), f.HasStatedAdjacency()
}

func (f adjacencyField) Set(p param.Param, text string) error {
	v, err := format.ParseValue(p, text)
	if err == nil {
		f.StateAdjacency(mechanisms.Adjacency(v.Text))
	}
	return err
}

func (f adjacencyField) Tree(p param.Param) (*yamltree.Node, bool) {
	return format.TreeOf(f, p)
}

func (f adjacencyField) Schema(p param.Param) format.Object { return format.ParamSchema(p) }
