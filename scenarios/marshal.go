package scenarios

import (
	"errors"

	"epsiloscope/scenarios/internal/document"
)

// Marshal writes the scenario as YAML. What was read from a text keeps its
// comments, order and formatting wherever it did not change.
func (s *Scenario) Marshal() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	t := s.tree()
	if s.origin == nil || s.origin.doc.Root == nil {
		return s.verified([]byte(t.Emit(0) + "\n"))
	}
	doc := s.origin.doc
	for _, coarse := range []bool{false, true} {
		if data, err := s.verified(document.Patched(doc, t, coarse)); err == nil {
			return data, nil
		}
	}
	// An edit that anchors and aliases carry elsewhere cannot be made in place. The
	// words above the first field are still the author's.
	return s.verified(document.Rewritten(doc, t))
}

// JSON is the scenario on one line of JSON, which is YAML too: [Parse] reads it back.
func (s *Scenario) JSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.verified([]byte(s.tree().Json()))
}

// verified reads the text back: what is saved is what was meant, or nothing is.
func (s *Scenario) verified(data []byte) ([]byte, error) {
	back, err := Parse("the text to be saved", data)
	if err != nil {
		return nil, err
	}
	if !back.Equal(s) {
		return nil, errors.New("the scenario cannot be written so that it reads back the same")
	}
	return data, nil
}

// tree is the whole scenario, in the order of a new file.
func (s *Scenario) tree() *document.Node {
	t := scenarioTable.Tree(s)
	t.Style = document.Block
	return t
}
