package text

import (
	"fmt"
	"testing"
)

func ExampleRows() {
	r := NewRows(3, 10)
	r.Add("ab", "c")
	r.Write("d")
	r.Write("e")
	r.End()
	r.Add()
	fmt.Printf("%q %q", r.Lines(), r.String())
	// Output: ["abc" "de" ""] "abc\nde\n"
}

func TestRowsOfNothing(t *testing.T) {
	if r := NewRows(0, 0); len(r.Lines()) != 0 || r.String() != "" {
		t.Errorf("%q %q", r.Lines(), r.String())
	}
}
