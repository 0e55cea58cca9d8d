package document

import (
	"strconv"
	"strings"
)

// Find is the node that a path such as "stack[2].sigma" means. If the path leads
// nowhere because a field is missing, it is the deepest node on the way.
func (n *Node) Find(path string) *Node {
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		at := n.Deref()
		if p, ok := at.Get(step); ok {
			if n = p.Value; n.Style == Empty {
				n = p.Key
			}
		} else if i, err := strconv.Atoi(step); err == nil && i >= 1 && i <= len(at.Items) {
			n = at.Items[i-1].Value
		} else {
			return n
		}
	}
	return n
}
