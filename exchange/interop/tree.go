package interop

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
)

// A node is one value of a record, from JSON, YAML or Python. All readers but that of
// the TF-Privacy statement read this tree.
type node struct {
	at     string // where it stands: "line 3, column 7"
	kind   kind
	number float64
	text   string // of a text; the name that is called; the name itself
	items  []node // of a list
	parts  []part // of an object, or the arguments of a call, as written
	label  string // the comment above it
	object any    // an accountant, while a script is read
	size   int    // how many parts it has in all, names replaced by their values
}

type kind string

const (
	null           kind = "null"
	flag           kind = "true or false"
	number         kind = "a number"
	text           kind = "a text"
	list           kind = "a list"
	object         kind = "an object"
	call           kind = "a call"
	name           kind = "a name"
	resultKind     kind = "a result" // what an accountant answers
	accountantKind kind = "an accountant"
	relation       kind = "a neighbouring relation"
)

// part is a named value, or an argument without a name.
type part struct {
	name string
	node
}

const (
	maxDepth = 200
	maxParts = 1 << 20 // a list of two copies of the name above it doubles the size with every line
	maxText  = 500     // of a message: records may hold texts and numbers of any length
)

// addSize adds the size of a part to that of n, and refuses a node that becomes too large.
func (n *node) addSize(part node) {
	if n.size += 1 + part.size; n.size > maxParts {
		refuse(n.at, "with all names replaced by what they stand for this has more than %d parts", maxParts)
	}
}

// refusal stops a reader: it is thrown by refuse and caught by [Import], nowhere
// else, so that a reader can be written as if every record were well formed.
type refusal struct{ error }

func refuse(at, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if first, more := firstRunes(text, maxText); more {
		text = first + "…"
	}
	if at != "" {
		text = at + ": " + text
	}
	panic(refusal{fmt.Errorf("%s", text)})
}

func recoverRefusal(err *error) {
	switch r := recover().(type) {
	case nil:
	case refusal:
		*err = r.error
	default:
		panic(r)
	}
}

// fields are the parts of an object or a call, by name.
type fields struct {
	at, owner string
	part      map[string]node
}

// fields returns the parts of a node by name. Arguments without a name get those of names, in order. A
// repeated, unknown or surplus part is refused.
func (n node) fields(of string, names ...string) fields {
	f := fields{n.at, of, map[string]node{}}
	for i, p := range n.parts {
		if p.name == "" {
			if i >= len(names) {
				refuse(p.at, "%s takes no argument %d", of, i+1)
			}
			p.name = names[i]
		}
		if !slices.Contains(names, p.name) {
			takes := cmp.Or(strings.Join(names, ", "), "nothing")
			refuse(p.at, "%s has no %q: it takes %s", of, p.name, takes)
		}
		if _, twice := f.part[p.name]; twice {
			refuse(p.at, "%s is given twice in %s", p.name, of)
		}
		f.part[p.name] = p.node
	}
	return f
}

func (f fields) has(name string) bool { _, ok := f.part[name]; return ok }

func (f fields) node(name string) node {
	n, ok := f.part[name]
	if !ok {
		refuse(f.at, "%s lacks %s", f.owner, name)
	}
	return n
}

func (f fields) number(name string) float64 { return f.node(name).float(name) }

// identifier returns a text that is the name of something.
func (f fields) identifier(name string) string {
	n := f.node(name)
	if n.string(name) == "" || strings.Trim(n.text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != "" {
		refuse(n.at, "%s: %q is not a name", name, n.text)
	}
	return n.text
}

// numberOr returns a number that may be left out.
func (f fields) numberOr(name string, otherwise float64) float64 {
	if !f.has(name) {
		return otherwise
	}
	return f.number(name)
}

// positiveNumber returns a finite number above 0.
func (f fields) positiveNumber(name string) float64 {
	x := f.number(name)
	if !(x > 0) || math.IsInf(x, 0) {
		refuse(f.node(name).at, "%s must be a finite number above 0, got %s", name, numeral.Format(x))
	}
	return x
}

// count returns a whole number of at least 0.
func (f fields) count(name string) float64 {
	x := f.number(name)
	checkCount(f.node(name).at, name, x)
	return x
}

func checkCount(at, name string, x float64) {
	if !(x >= 0) || x != math.Trunc(x) || math.IsInf(x, 0) {
		refuse(at, "%s must be a whole number of at least 0, got %s", name, numeral.Format(x))
	}
}

func (n node) float(what string) float64 {
	n.want(number, what)
	return n.number
}

func (n node) string(what string) string {
	n.want(text, what)
	return n.text
}

func (n node) list(what string) []node {
	n.want(list, what)
	return n.items
}

func (n node) want(k kind, what string) {
	if n.kind != k {
		found := string(n.kind)
		if n.kind == name || n.kind == call {
			found += " (" + n.text + ")"
		}
		refuse(n.at, "%s must be %s, found %s", what, k, found)
	}
}
