package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// Request is a scenario as far as its price depends on it. Any later version of the
// program can price it again.
type Request struct {
	Rounds  json.Number     `json:"rounds,omitempty"`
	Group   json.Number     `json:"group,omitempty"`
	Records json.Number     `json:"records,omitempty"`
	Stack   json.RawMessage `json:"stack,omitempty"`
}

// requestKey is equal for equal requests only.
type requestKey struct{ rounds, group, records, stack string }

func (r Request) key() requestKey {
	return requestKey{string(r.Rounds), string(r.Group), string(r.Records), string(r.Stack)}
}

// newRequest takes from a scenario what its price depends on. Scores and candidates
// stay behind: they come from the data.
func newRequest(s *scenarios.Scenario) (Request, error) {
	bare := scenarios.New()
	bare.Adjacency, bare.Rounds, bare.Group, bare.Records = s.Adjacency, s.Rounds, s.Group, s.Records
	for _, e := range s.Stack {
		if !e.Disabled {
			bare.Stack = append(bare.Stack, e.WithoutScores())
		}
	}
	line, err := bare.JSON()
	if err != nil {
		return Request{}, err
	}
	var r Request
	return r, json.Unmarshal(line, &r)
}

// Scenario returns the request as a scenario under the adjacency and unit of the ledger. It passes all checks of
// a scenario file.
func (r Request) Scenario(adjacency, unit string) (*scenarios.Scenario, error) {
	text, err := json.Marshal(struct {
		Version   int    `json:"version"`
		Unit      string `json:"unit,omitempty"`
		Adjacency string `json:"adjacency"`
		Request
	}{1, unit, adjacency, r})
	if err != nil {
		return nil, err
	}
	return scenarios.ParseRequest("stack", bytes.TrimSpace(text))
}

// Entries returns the releases of the request, from the same evaluation as everywhere.
func (l *Ledger) Entries(r Request) ([]accounting.Entry, error) {
	s, err := r.Scenario(l.Open.Adjacency, l.Open.Unit)
	if err != nil {
		return nil, err
	}
	return scenarios.Stack(s)
}

// checkSubject refuses a scenario whose unit or adjacency is not the ledger's, one that releases nothing, and one
// under replace with a sensitivity that is not stated.
func (l *Ledger) checkSubject(s *scenarios.Scenario) error {
	if s.Unit != l.Open.Unit {
		return fmt.Errorf("its unit is %s, and the ledger's is %q", orNone(s.Unit), l.Open.Unit)
	}
	if s.Adjacency != l.adjacency() {
		return fmt.Errorf("its adjacency is %s, and the ledger's is %s", s.Adjacency, l.Open.Adjacency)
	}
	if !s.Releases() {
		return errors.New("nothing is on its stack, so there is nothing to grant")
	}
	if open := s.OpenSensitivities(); len(open) > 0 { // a price by a default would be a guess
		return open[0]
	}
	return nil
}

func orNone(text string) string {
	if text == "" {
		return "not given"
	}
	return fmt.Sprintf("%q", text)
}
