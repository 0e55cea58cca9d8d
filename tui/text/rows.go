package text

import "strings"

// Rows collects lines put together from pieces, in one stretch of memory: a screen
// has dozens of lines, and a copy of each would be most of its cost.
type Rows struct {
	b    strings.Builder
	ends []int // where each line ends; a break follows
}

// NewRows makes room for n lines of size bytes together.
func NewRows(n, size int) *Rows {
	r := &Rows{ends: make([]int, 0, n)}
	r.b.Grow(n + size)
	return r
}

// Add writes a line of pieces.
func (r *Rows) Add(pieces ...string) {
	for _, p := range pieces {
		r.b.WriteString(p)
	}
	r.End()
}

// Write adds a piece to the line under way.
func (r *Rows) Write(s string) { r.b.WriteString(s) }

// End ends the line under way.
func (r *Rows) End() {
	r.ends = append(r.ends, r.b.Len())
	r.b.WriteByte('\n')
}

// Lines are the lines, without breaks.
func (r *Rows) Lines() []string {
	all, from := r.b.String(), 0
	out := make([]string, len(r.ends))
	for i, end := range r.ends {
		out[i] = all[from:end]
		from = end + 1
	}
	return out
}

// String is the lines with a break between each two.
func (r *Rows) String() string { return strings.TrimSuffix(r.b.String(), "\n") }
