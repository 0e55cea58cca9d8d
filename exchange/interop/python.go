package interop

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"epsiloscope/report"
)

// Python is read with the grammar of Starlark, which is a part of Python's: what it
// accepts means the same in both. Import statements, which Starlark lacks, are taken
// out first. Nothing is run. A script is a list of assignments and calls, each of
// which is understood or refused; loops, conditions and functions are refused.

// binding is the value of a name.
type binding struct {
	node
	used bool
}

type script struct {
	names      map[string]*binding
	order      []string                     // of assignment
	notes      []string                     // what has no effect
	evalCall   func(call node) node         // what a call stands for
	evalLine   func(n node)                 // an expression on a line of its own
	evalMethod func(object, call node) node // a method
}

var (
	importLine = lazyPattern(`^import ([\w.]+)(?: as (\w+))?\s*(?:#.*)?$`)
	fromLine   = lazyPattern(`^from ([\w.]+) import (\w+(?: as \w+)?(?:, *\w+(?: as \w+)?)*)\s*(?:#.*)?$`)
	asideLine  = lazyPattern(`#.*?(\w+\(|\([-+.\w ]+, *[-+.\w ]+\))`)
	codingLine = lazyPattern(`^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)`)
)

// lazyPattern returns a regular expression that is compiled when it is first asked for, which most commands never do.
func lazyPattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// parse reads the grammar of the text, and binds the names it imports.
func (s *script) parse(data []byte) *syntax.File {
	src := strings.TrimPrefix(string(data), "\ufeff")
	src = strings.ReplaceAll(src, "\r\n", "\n")
	lines := strings.Split(src, "\n")
	for i, line := range lines {
		at := fmt.Sprintf("line %d", i+1)
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool {
			return r < ' ' && r != '\t' || r == 0x7f
		}) {
			refuse(at, "holds a control character, or is not UTF-8")
		}
		if m := codingLine().FindStringSubmatch(line); i < 2 && m != nil &&
			!strings.EqualFold(strings.ReplaceAll(m[1], "_", "-"), "utf-8") {
			refuse(at, "the coding %s is not read: save the file as UTF-8", m[1])
		}
		if slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return r < '0' || r > '9' }),
			func(digits string) bool { return len(digits) > maxDigits }) {
			refuse(at, "a number of more than %d digits is not read", maxDigits) // it would take long
		}
		if m := asideLine().FindStringSubmatch(line); m != nil {
			s.note("%s: %s stands in a comment and is not counted", at, strings.TrimSuffix(m[1], "("))
		}
	}
	s.names = map[string]*binding{}
	for imports := 0; ; imports++ {
		text := strings.Join(lines, "\n") + "\n"
		f, err := new(syntax.FileOptions).Parse("", text, 0)
		if err == nil {
			checkNesting(f) // attaching comments to deep nesting takes long
			f, _ = new(syntax.FileOptions).Parse("", text, syntax.RetainComments)
			return f
		}
		var wrong syntax.Error
		if !errors.As(err, &wrong) {
			refuse("", "this is not Python that can be read")
		}
		line := int(wrong.Pos.Line) - 1
		if wrong.Pos.Col == 1 && line < len(lines) && imports < maxNotes &&
			s.bindImport(positionText(wrong.Pos), lines[line]) {
			lines[line] = "pass" // a statement too, so an import inside brackets stays an error
			continue
		}
		what := grammar.Replace(wrong.Msg)
		if line < len(lines) {
			before, _ := firstRunes(lines[line], int(wrong.Pos.Col)-1)
			if strings.HasPrefix(strings.TrimLeft(lines[line][len(before):], " "), "...") {
				what = "the list is shortened with ...; save the whole list instead"
			}
		}
		refuse(positionText(wrong.Pos), "%s", report.Plain(what))
	}
}

// checkNesting refuses deep nesting, and names with letters beyond ASCII: Python treats some different spellings as
// the same name.
func checkNesting(f *syntax.File) {
	depth, line := 0, int32(0)
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return false
		}
		if depth++; depth > maxDepth {
			refuse(fmt.Sprintf("line %d", line), "nested more than %d deep", maxDepth)
		}
		if st, ok := n.(syntax.Stmt); ok {
			line = syntax.Start(st).Line
		}
		if id, ok := n.(*syntax.Ident); ok && strings.ContainsFunc(id.Name, func(r rune) bool { return r > 0x7e }) {
			refuse(positionText(id.NamePos), "%s: only names of plain letters are read", report.Plain(id.Name))
		}
		return true
	})
}

// maxDigits is the largest length of a number.
const maxDigits = 1000

// maxNotes is the largest number of notes of a kind that are made one by one.
const maxNotes = 50

func (s *script) note(format string, args ...any) {
	if len(s.notes) < maxNotes {
		s.notes = append(s.notes, fmt.Sprintf(format, args...))
	} else if len(s.notes) == maxNotes {
		s.notes = append(s.notes, "there are more comments, imports and names that have no effect")
	}
}

// grammar rewords the parser's messages.
var grammar = strings.NewReplacer("got ", "found ", ", want ", ", expected ", "primary expression", "a value")

// firstRunes returns the first runes of a text, and whether there are more.
func firstRunes(text string, runes int) (first string, more bool) {
	r := []rune(text)
	return string(r[:min(runes, len(r))]), len(r) > runes
}

func positionText(p syntax.Position) string { return fmt.Sprintf("line %d, column %d", p.Line, p.Col) }

// bindImport binds the names of an import statement.
func (s *script) bindImport(at, line string) bool {
	bind := func(as, path string) {
		if _, twice := s.names[as]; twice {
			refuse(at, "the name %s is imported twice", as)
		}
		s.names[as] = &binding{node{at: at, kind: name, text: path}, true}
		if top, _, _ := strings.Cut(path, "."); top != "dp_accounting" {
			s.note("the import of %s has no effect on the cost", path)
		}
	}
	if m := importLine().FindStringSubmatch(line); m != nil {
		if m[2] == "" { // import a.b binds a
			m[1], _, _ = strings.Cut(m[1], ".")
			if b, again := s.names[m[1]]; again && b.text == m[1] {
				return true
			}
			m[2] = m[1]
		}
		bind(m[2], m[1])
		return true
	}
	m := fromLine().FindStringSubmatch(line)
	if m == nil {
		return false
	}
	for _, item := range strings.Split(m[2], ",") {
		what, as, renamed := strings.Cut(strings.TrimSpace(item), " as ")
		if !renamed {
			as = what
		}
		bind(as, m[1]+"."+what)
	}
	return true
}
