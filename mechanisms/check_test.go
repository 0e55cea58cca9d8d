package mechanisms

import (
	"errors"
	"math"
	"strings"
	"testing"

	"epsiloscope/mechanisms/param"
)

func TestCheckMessages(t *testing.T) {
	number := param.NumberValue
	cases := []struct {
		kind   string
		values param.Values
		want   []string
	}{
		{"gaussian", param.Values{"sigma": number(-1)}, []string{"sigma: must be greater than 0, got -1"}},
		{"gaussian", param.Values{"sigma": number(math.NaN())}, []string{"sigma: must be a number, got NaN"}},
		{"gaussian", param.Values{"sigma": number(math.Inf(1))}, []string{"sigma: must be finite, got ∞"}},
		{"gaussian", param.Values{"sigm": number(1)}, []string{
			"sigma: is missing; give sigma, or epsilon and delta", "sigm: unknown field of gaussian; did you mean sigma?"}},
		{"gaussian", param.Values{"epsilon": number(1)}, []string{"delta: is missing; give sigma, or epsilon and delta"}},
		{"gaussian", param.Values{"sigma": number(1), "delta": number(1e-6)}, []string{"delta: give only one of sigma, or epsilon and delta"}},
		{"gaussian", param.Values{"sigma": number(1), "calibration": param.ChoiceValue("magic")}, []string{`calibration: must be one of analytic, classic, got "magic"`}},
		{"gaussian", param.Values{"sigma": param.ChoiceValue("wide")}, []string{`sigma: must be greater than 0, got "wide"`}},
		{"laplace", param.Values{}, []string{"epsilon: is missing; give epsilon or scale"}},
		{"laplace", param.Values{"epsilon": number(1), "scale": number(2)}, []string{"scale: give only one of epsilon or scale"}},
		{"laplace", param.Values{"epsilon": number(0), "sensitivity": number(-2)}, []string{
			"epsilon: must be greater than 0, got 0", "sensitivity: must be greater than 0, got -2"}},
		{"geometric", param.Values{"epsilon": number(1), "sensitivity": number(1.5)}, []string{"sensitivity: must be a whole number, got 1.5"}},
		{"randomized-response", param.Values{}, []string{"epsilon: is missing; give epsilon, gamma or truth"}},
		{"dp-sgd", param.Values{"noise_multiplier": number(1), "sampling_rate": number(2)}, []string{
			"sampling_rate: must be greater than 0 and at most 1, got 2", "steps: is missing; give steps or epochs"}},
		{"exponential", param.Values{"epsilon": number(1), "monotone": number(1)}, []string{"monotone: must be true or false, got 1"}},
		{"exponential", param.Values{"epsilon": number(1), "scores": param.ScoresValue(1, math.NaN())}, []string{"scores: the score of number 2 must be finite, got NaN"}},
		{"exponential", param.Values{"epsilon": number(1), "candidates": param.CandidatesValue(param.Item{Name: "a"}, param.Item{Name: "a"})}, []string{`candidates: the candidate "a" is listed twice`}},
		{"exponential", param.Values{"epsilon": number(1), "scores": param.ScoresValue()}, []string{"scores: needs at least one score"}},
		{"exponential", param.Values{"epsilon": number(1), "scores": number(3)}, []string{"scores: must be a list of scores, such as [3, 5], got 3"}},
		{"rdp", param.Values{"points": param.PointsValue(param.Item{Order: 1, Value: 1})}, []string{"points: an order must be a finite number greater than 1, got 1"}},
		{"rdp", param.Values{"points": param.PointsValue(param.Item{Order: 2, Value: -1})}, []string{"points: the value at order 2 must be at least 0 and finite, got -1"}},
		{"pure", param.Values{"epsilon": number(1), "colour": number(1)}, []string{"colour: unknown field of pure; it has epsilon"}},
		{"approximate", param.Values{"epsilon": number(1), "delta": number(1)}, []string{"delta: must be at least 0 and less than 1, got 1"}},
	}
	for _, c := range cases {
		spec, _ := Lookup(c.kind)
		var got []string
		for _, e := range Check(spec, c.values) {
			got = append(got, e.Error())
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s %v:\n got %q\nwant %q", c.kind, c.values, got, c.want)
		}
		if _, err := New(c.kind, c.values); err == nil {
			t.Errorf("%s %v: New accepts what Check refuses", c.kind, c.values)
		}
	}
}

func TestNewRefusesAcrossParameters(t *testing.T) {
	cases := []struct {
		kind   string
		values param.Values
		want   string
	}{
		{"gaussian", param.Values{"epsilon": param.NumberValue(1), "delta": param.NumberValue(1e-5), "calibration": param.ChoiceValue("classic")},
			"epsilon: must be less than 1 with the classic calibration, which is proven only there, got 1; use calibration: analytic"},
		{"randomized-response", param.Values{"truth": param.NumberValue(0.2), "categories": param.WholeValue(4)},
			"truth: must be greater than 1/categories = 0.25, got 0.2: a lie would be likelier than the truth"},
		{"randomized-response", param.Values{"gamma": param.NumberValue(0.2), "categories": param.WholeValue(4)},
			"gamma: is for two categories; give epsilon or truth"},
		{"laplace", param.Values{"scale": param.NumberValue(1e300), "sensitivity": param.NumberValue(1e-300)},
			"scale: gives a privacy loss of 0; only 1e-100 to 1e100 can be computed with"},
	}
	for _, c := range cases {
		_, err := New(c.kind, c.values)
		var problem *param.Error
		if !errors.As(err, &problem) || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.kind, err, c.want)
		}
	}
	if _, err := New("laplac", nil); err == nil || err.Error() != `unknown mechanism "laplac"; did you mean laplace?` {
		t.Errorf("unknown mechanism: %v", err)
	}
}
