package format

import (
	"testing"

	"epsiloscope/mechanisms/param"
)

func TestParseValue(t *testing.T) {
	number := param.Param{Name: "epsilon", Type: param.Number, Max: 2, OpenMin: true}
	word := param.Param{Name: "noise", Type: param.Choice, Choices: []string{"laplace", "gumbel"}}
	for _, c := range []struct {
		p             param.Param
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
