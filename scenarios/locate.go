package scenarios

import (
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// locate finds the node a field's path means; where the path ends early (the field
// is missing), the deepest node that is there.
func locate(n *document.Node, path string) *document.Node {
	for path != "" {
		path = strings.TrimPrefix(path, ".")
		var next *document.Node
		if inside, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]"); ok && path[0] == '[' {
			path = rest
			if i, err := strconv.Atoi(inside); err == nil && i >= 1 && i <= len(n.Deref().Items) {
				next = n.Deref().Items[i-1].Value
			}
		} else {
			name := path
			if end := strings.IndexAny(path, ".["); end >= 0 {
				name = path[:end]
			}
			path = path[len(name):]
			if p, ok := n.Deref().Get(name); ok {
				next = p.Value
				if next.Style == document.Empty {
					next = p.Key
				}
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// unknownField words a mistyped name: the nearest known one, or all of them.
func unknownField(what, name string, known []string) string {
	if best := mechanisms.Nearest(name, known); best != "" {
		return what + "; did you mean " + best + "?"
	}
	return what + "; known: " + strings.Join(known, ", ")
}
