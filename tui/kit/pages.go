package kit

import (
	"slices"
	"strings"

	"epsiloscope/tui/text"
)

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

// Set puts the lines on the pages; w is the width of all of them. Where the first page
// cannot hold all that there is but both can, they are parted at a gap about half way.
func (p Pages) Set(lines []string, w int, all bool) []string {
	if p.across == 1 {
		return text.Box(lines, p.W, p.h)
	}
	left, right := lines[:min(p.h, len(lines))], lines[min(p.h, len(lines)):]
	blank := func(l string) bool { return strings.TrimSpace(text.Strip(l)) == "" }
	n := len(lines)
	for n > 0 && blank(lines[n-1]) {
		n--
	}
	if at := slices.IndexFunc(lines[n/2:n], blank); all && n > p.h && at >= 0 && n/2+at <= p.h {
		left, right = lines[:n/2+at], lines[n/2+at+1:n]
	}
	left, right = text.Box(left, p.W, p.h), text.Box(right, p.W, p.h)
	for i := range left {
		left[i] += text.Space(w-2*p.W) + right[i]
	}
	return left
}
