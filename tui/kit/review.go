package kit

import (
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/draw"
)

// VerdictInk returns the ink of a verdict.
func VerdictInk(p *draw.Pen, v review.Verdict) draw.Ink {
	switch v {
	case review.HoldsWhatever, review.HoldsAsStated:
		return p.Good
	case review.NotDecided:
		return p.Warn
	}
	return p.Over
}

// SignInk returns the ink of a sign.
func SignInk(p *draw.Pen, s review.Sign) draw.Ink {
	switch s {
	case review.OK:
		return p.Good
	case review.Ask:
		return p.Warn
	}
	return p.Over
}

// SignMark returns the glyph of a sign.
func SignMark(p *draw.Pen, s review.Sign) string {
	switch s {
	case review.OK:
		return p.Glyphs.Tick
	case review.Ask:
		return "?"
	}
	return p.Glyphs.Cross
}
