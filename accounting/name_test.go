package accounting_test

import (
	"strings"
	"testing"

	"epsiloscope/accounting"
)

// TestMethodName keeps the names apart from each other and free of the hyphens of
// the file format.
func TestMethodName(t *testing.T) {
	seen := map[string]accounting.Method{}
	for _, m := range accounting.Methods() {
		name := m.Method.Name()
		if name == "" || strings.Contains(name, "-") {
			t.Errorf("%s is called %q", m.Method, name)
		}
		if other, twice := seen[name]; twice {
			t.Errorf("%s and %s are both called %q", m.Method, other, name)
		}
		seen[name] = m.Method
	}
}
