package scenarios

import (
	"fmt"
	"strings"
)

// Marshal writes the scenario as YAML. What was read from a text keeps its
// comments, order and formatting wherever it did not change.
func (s *Scenario) Marshal() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	t := s.tree()
	if s.origin == nil || s.origin.doc.Root == nil {
		return s.verified([]byte(t.emit(0) + "\n"))
	}
	doc := s.origin.doc
	for _, coarse := range []bool{false, true} {
		p := &patcher{doc: doc, coarse: coarse}
		p.node(doc.Root, t)
		if data, err := s.verified(doc.Restore(doc.Apply(p.edits))); err == nil {
			return data, nil
		}
	}
	// An edit that anchors and aliases carry elsewhere cannot be made in place. The
	// words above the first field are still the author's.
	return s.verified(doc.Restore(doc.Text[:leadingComments(doc.Text)] + t.emit(0) + "\n"))
}

// verified reads the text back: what is saved is what was meant, or nothing is.
func (s *Scenario) verified(data []byte) ([]byte, error) {
	back, err := Parse("the text to be saved", data)
	if err != nil {
		return nil, err
	}
	if !back.Equal(s) {
		return nil, fmt.Errorf("the scenario cannot be written so that it reads back the same")
	}
	return data, nil
}

// leadingComments is the length of the comments and blank lines a text starts with.
func leadingComments(text string) int {
	at := 0
	for at < len(text) {
		line, _, _ := strings.Cut(text[at:], "\n")
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' || at+len(line) >= len(text) {
			break
		}
		at += len(line) + 1
	}
	return at
}
