package tui

import "epsiloscope/tui/text"

// pages is how prose is set into a box: one page or, where the box is wide, two side by
// side, read down and then across. Longer lines would be hard to follow.
type pages struct{ across, w, h int }

// columnLeast is the width from which on a column of prose reads well; columnGap
// parts two of them.
const columnLeast, columnGap = 84, 4

func pagesIn(w, h int) pages {
	if h = max(0, h); w >= 2*columnLeast+columnGap {
		return pages{2, (w - columnGap) / 2, h}
	}
	return pages{1, w, h}
}

// lines is how many lines the pages hold.
func (p pages) lines() int { return p.across * p.h }

// set puts the lines on the pages; w is the width of all of them.
func (p pages) set(lines []string, w int) []string {
	lines = text.Box(lines, p.w, p.lines())
	if p.across == 1 {
		return lines
	}
	for i := range p.h {
		lines[i] += text.Space(w-2*p.w) + lines[p.h+i]
	}
	return lines[:p.h]
}
