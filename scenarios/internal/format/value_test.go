package format

import (
	"testing"

	"epsiloscope/mechanisms"
)

func TestParseValue(t *testing.T) {
	number := mechanisms.Param{Name: "epsilon", Type: mechanisms.Number, Max: 2, OpenMin: true}
	word := mechanisms.Param{Name: "noise", Type: mechanisms.Choice, Choices: []string{"laplace", "gumbel"}}
	for _, c := range []struct {
		p             mechanisms.Param
		text, problem string
	}{
		{number, "1/800", ""},
		{number, "3", "epsilon: must be greater than 0 and at most 2, got 3"},
		{number, "much", `epsilon: is not a number: "much" is unknown; must be greater than 0 and at most 2`},
		{word, " gumbel ", ""},
		{word, "gumball", `noise: must be one of laplace, gumbel, got "gumball"`},
	} {
		_, err := ParseValue(c.p, c.text)
		if got := message(err); got != c.problem {
			t.Errorf("%q: %q, want %q", c.text, got, c.problem)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
