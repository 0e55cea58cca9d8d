package mechanisms

import (
	"strings"
	"testing"

	"epsiloscope/mechanisms/param"
)

func TestNearest(t *testing.T) {
	for typed, want := range map[string]string{
		"laplac": "laplace", "gausian": "gaussian", "dpsgd": "dp-sgd", "noisymax": "noisy-max", "random-response": "randomized-response",
		"zCDP": "zcdp", "banana": "", "": "",
	} {
		if got := param.Nearest(typed, Names()); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
	if got := param.Nearest(strings.Repeat("x", 1_000_000), Names()); got != "" {
		t.Errorf("a very long name is like %q", got)
	}
}
