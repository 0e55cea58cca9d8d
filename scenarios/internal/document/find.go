package document

import (
	"strconv"
	"strings"
)

// Find is the node that a path such as "stack[2].sigma" means. If the path leads
// nowhere because a field is missing, it is the deepest node on the way.
func (n *Node) Find(path string) *Node {
	for path != "" {
		path = strings.TrimPrefix(path, ".")
		var next *Node
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
				if next.Style == Empty {
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
