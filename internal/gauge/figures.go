package gauge

import (
	"encoding/json"
	"os"
	"testing"
)

// ReadFigures reads a file of reference values, or of other facts for tests, which are JSON. The values of the
// accountants' tests are in accounting/testdata/figures.json, in the one copy that every package reads.
func ReadFigures[T any](t testing.TB, path string) (facts T) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &facts); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return facts
}
