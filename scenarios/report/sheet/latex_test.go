package sheet

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"epsiloscope/scenarios"
)

// Every row has the columns of the head, braces are in pairs, and no sign is left
// that LaTeX cannot set.
func TestLaTeX(t *testing.T) {
	for _, name := range []string{"welcome", "hair-colour", "renyi-points", "my-first-release"} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Closed: true})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Result(r).Write(&b, "latex"); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, "%") {
				continue
			}
			for _, c := range line {
				if c > 0x17f { // accented letters are letters to LaTeX too
					t.Errorf("%s: %q in %s", name, c, line)
				}
			}
			if strings.Count(line, "{")-strings.Count(line, `\{`) != strings.Count(line, "}")-strings.Count(line, `\}`) {
				t.Errorf("%s: braces of %s", name, line)
			}
			if strings.HasSuffix(line, "\\\\\n") && strings.Count(line, " & ") != 3 {
				t.Errorf("%s: columns of %s", name, line)
			}
		}
	}
}
