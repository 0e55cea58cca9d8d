package text

import "strings"

// Rows collects lines put together from pieces, in one stretch of memory: a frame
// has dozens of lines, and a copy of each would be most of its cost.
type Rows struct {
	b    strings.Builder
	ends []int
}

// NewRows makes room for n lines of size bytes together.
func NewRows(n, size int) *Rows {
	r := &Rows{ends: make([]int, 0, n)}
	r.b.Grow(size)
	return r
}

// Add writes pieces, the last of which ends the line.
func (r *Rows) Add(pieces ...string) {
	for _, p := range pieces {
		r.b.WriteString(p)
	}
	r.End()
}

// Write adds a piece to the line under way.
func (r *Rows) Write(s string) { r.b.WriteString(s) }

// End ends the line under way.
func (r *Rows) End() { r.ends = append(r.ends, r.b.Len()) }

// Lines are the lines, without breaks.
func (r *Rows) Lines() []string {
	all, from := r.b.String(), 0
	out := make([]string, len(r.ends))
	for i, end := range r.ends {
		out[i] = all[from:end]
		from = end
	}
	return out
}
