// Package yamltree reads the part of YAML 1.2 that a scenario file needs, and
// keeps every node's place in the text.
//
// Start with [Read]. The places serve two ends: an error can name line and
// column, and [Patch] can edit a file towards other nodes and leave every other byte,
// comments and spacing included, as its author wrote it. [Node.Emit] writes a new one.
//
// It is not a general YAML library. Tags, merge keys, explicit keys ("? "),
// directives and several documents in one file are refused with a plain message.
// What it gives in return: time and memory linear in the size of the text
// whatever its shape (a block mapping of 300,000 candidates, brackets nested
// without end, aliases of aliases), and spans that are exact to the byte.
package yamltree

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// Limits on what is read. Nesting is bounded because readers recurse; aliases
// because a short text could otherwise stand for an enormous one.
const (
	MaxSize     = 4 << 20 // bytes
	maxDepth    = 64
	maxExpanded = 100_000 // nodes that aliases may add
)

// Document is a text and its tree.
type Document struct {
	Text string // with line feeds only and without a byte-order mark
	Root *Node  // nil if the text holds no data

	BOM, CRLF bool // how the text was stored
	original  string
	lines     []int
}

// Error is a place in the text and what is wrong there.
type Error struct {
	Line, Column int
	Problem      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Problem)
}

// Read parses a text.
func Read(data []byte) (*Document, error) {
	if len(data) > MaxSize {
		return nil, &Error{Problem: fmt.Sprintf("the file is larger than %d MiB", MaxSize>>20)}
	}
	d := normalise(string(data))
	if err := d.checkCharacters(); err != nil {
		return nil, err
	}
	return d, (&parser{src: d.Text, doc: d, anchors: map[string]*Node{}}).parse()
}

// normalise takes a byte-order mark and carriage returns off, to be put back by
// [Document.Restore].
func normalise(text string) *Document {
	d := &Document{original: text}
	d.Text, d.BOM = strings.CutPrefix(text, "\ufeff")
	if returns := strings.Count(d.Text, "\r\n"); returns > 0 {
		d.CRLF = 2*returns > strings.Count(d.Text, "\n")
		d.Text = strings.ReplaceAll(d.Text, "\r\n", "\n")
	}
	d.lines = lineStarts(d.Text)
	return d
}

// Restore gives an edited text the line ends and the mark the original had: where both
// kinds of line ends were mixed, the more frequent one. A text that was not edited is
// the original, byte for byte.
func (d *Document) Restore(text string) []byte {
	if text == d.Text {
		return []byte(d.original)
	}
	if d.CRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if d.BOM {
		text = "\ufeff" + text
	}
	return []byte(text)
}

func lineStarts(text string) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// checkCharacters refuses control characters, which no scenario needs and a terminal might obey.
func (d *Document) checkCharacters() error {
	for i, r := range d.Text {
		switch {
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(d.Text[i:]); size == 1 {
				return d.errorAt(i, "the text is not valid UTF-8")
			}
		case IsControl(r) && r != '\n' && r != '\t':
			return d.errorAt(i, fmt.Sprintf("control character U+%04X is not allowed", r))
		}
	}
	return nil
}

// IsControl reports a control character (C0, DEL, C1), or one of the two Unicode
// line separators, which terminals and editors treat as line ends.
func IsControl(r rune) bool {
	return r < 0x20 || (r >= 0x7f && r <= 0x9f) || r == 0x2028 || r == 0x2029
}

// Position returns the line and column (both from 1; columns count characters) of an
// offset.
func (d *Document) Position(offset int) (line, column int) {
	line = sort.SearchInts(d.lines, offset+1)
	return line, utf8.RuneCountInString(d.Text[d.lines[line-1]:offset]) + 1
}

func (d *Document) errorAt(offset int, problem string) *Error {
	line, column := d.Position(offset)
	return &Error{Line: line, Column: column, Problem: problem}
}
