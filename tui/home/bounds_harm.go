package home

import (
	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/tui/draw"
)

// limitsHarm reports whether the budget limits a harm that has been computed.
func (b *boundsPane) limitsHarm() bool { return b.Result.Harm != nil }

// harmText returns the harm that a bound implies: the numerical one through its curve, a theorem through its own (ε,
// δ).
func (b *boundsPane) harmText(x accounting.Bound) string {
	if x.Status != accounting.Valid {
		return ""
	}
	return report.Upper(report.ImpliedHarm(b.Result, x))
}

// harmMark says in a glyph whether the bound proves that the harm stays within the budget.
func (b *boundsPane) harmMark(l *draw.Line, x accounting.Bound) *draw.Line {
	p := b.Pen
	switch {
	case report.ImpliedHarm(b.Result, x) > b.Result.Harm.Limit.Limit():
		return l.Put(p.Over, p.Glyphs.OverMark)
	case b.Result.IsOpen():
		return l.Put(p.Warn, "?")
	}
	return l.Put(p.Good, p.Glyphs.Tick)
}
