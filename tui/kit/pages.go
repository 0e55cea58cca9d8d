package kit

import "epsiloscope/tui/text"

// Pages is how prose is set into a box: one page or, where the box is wide, two side by
// side, read down and then across. Longer lines would be hard to follow.
type Pages struct{ across, W, h int }

// columnLeast is the width from which on a column of prose reads well; columnGap
// parts two of them.
const columnLeast, columnGap = 84, 4

// PagesIn divides a box of w×h cells.
func PagesIn(w, h int) Pages {
	if h = max(0, h); w >= 2*columnLeast+columnGap {
		return Pages{2, (w - columnGap) / 2, h}
	}
	return Pages{1, w, h}
}

// Lines is how many lines the pages hold.
func (p Pages) Lines() int { return p.across * p.h }

// Set puts the lines on the pages; w is the width of all of them.
func (p Pages) Set(lines []string, w int) []string {
	lines = text.Box(lines, p.W, p.Lines())
	if p.across == 1 {
		return lines
	}
	for i := range p.h {
		lines[i] += text.Space(w-2*p.W) + lines[p.h+i]
	}
	return lines[:p.h]
}
