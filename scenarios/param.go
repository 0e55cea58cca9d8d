package scenarios

import (
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/internal/document"
	"epsiloscope/scenarios/internal/format"
)

// ParseValue reads a parameter's value as people type it: an expression such as
// 1/800, a word, or a list as it would stand in a file. The value is of the
// parameter's type and within its range.
func ParseValue(p param.Param, text string) (param.Value, error) {
	return format.ParseValue(p, text)
}

// entryParam is a parameter of an entry's mechanism as a field: it is written as it was given,
// and the mechanism checks its parameters together.
type entryParam struct {
	*Entry
	name string
}

func (p entryParam) Decode(d *format.Decoder, declared param.Param, n *document.Node, path string) {
	declared.Name = p.name
	p.Values[p.name] = d.Param(declared, n, path)
}

func (p entryParam) Check(*format.Checker, string) {}

func (p entryParam) Same(other any) bool {
	a, inA := p.Get()
	b, inB := other.(entryParam).Get()
	return inA == inB && format.Equal(a, b)
}

func (p entryParam) Get() (param.Value, bool) { v, given := p.Values[p.name]; return v, given }

func (p entryParam) Set(declared param.Param, text string) error {
	declared.Name = p.name
	return p.setParam(declared, text)
}

func (p entryParam) Tree(declared param.Param) (*document.Node, bool) {
	if v, given := p.Get(); given {
		return format.ValueTree(declared, v), false
	}
	if word := declared.Default.Text; word != "" {
		return document.TextOf(word), true
	}
	return nil, true
}

func (p entryParam) Schema(declared param.Param) format.Object { return format.ParamSchema(declared) }
