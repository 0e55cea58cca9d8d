package scenarios

import (
	"encoding/json"
	"testing"
)

// Every bundled scenario is written as JSON that reads back the same.
func TestJSONReadsBack(t *testing.T) {
	for _, info := range LibraryInfos() {
		name := info.Name
		s, err := LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		line, err := s.JSON()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !json.Valid(line) {
			t.Errorf("%s: not JSON: %s", name, line)
		}
	}
}
