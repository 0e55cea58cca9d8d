package interop

import (
	"encoding/json"
	"fmt"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// readOpacus reads the state of an Opacus accountant: {"history": [[noise
// multiplier, sample rate, steps], …], "mechanism": "rdp"}. A whole checkpoint,
// where the state stands under privacy_accountant_state_dict, is understood too.
// Opacus assumes Poisson sampling and add/remove adjacency.
func readOpacus(data []byte) (*Record, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(data, &top); err != nil {
		return nil, jsonProblem(data, err)
	}
	if inner, ok := top["privacy_accountant_state_dict"]; ok {
		top = nil
		if err := json.Unmarshal(inner, &top); err != nil {
			return nil, fmt.Errorf("privacy_accountant_state_dict: must be an object with history and mechanism")
		}
	}
	raw, ok := top["history"]
	if !ok {
		return nil, fmt.Errorf("history is missing; expected {\"history\": [[noise multiplier, sample rate, steps], …], \"mechanism\": \"rdp\"}")
	}
	var history [][]float64
	if err := json.Unmarshal(raw, &history); err != nil {
		return nil, fmt.Errorf("history: must be a list of [noise multiplier, sample rate, steps]")
	}

	rec := record("Opacus")
	rec.noDelta()
	for i, h := range history {
		where := fmt.Sprintf("history[%d]", i)
		if len(h) != 3 {
			return nil, fmt.Errorf("%s: must hold 3 numbers (noise multiplier, sample rate, steps), got %d", where, len(h))
		}
		e, err := sgd(where, h[0], h[1], h[2])
		if err != nil {
			return nil, err
		}
		rec.add(e)
	}
	var mechanism string
	if json.Unmarshal(top["mechanism"], &mechanism) == nil && mechanism != "" {
		rec.remark("Opacus accounted with %q; here every method is computed", mechanism)
	}
	for _, k := range sortedKeys(top) {
		if k != "history" && k != "mechanism" {
			rec.remark("field %q was not carried over", k)
		}
	}
	return rec, nil
}

// sgd is steps of the Poisson-subsampled Gaussian; at rate 1 there is no sampling.
func sgd(where string, noise, rate, steps float64) (scenarios.Entry, error) {
	if err := positive(where, "the noise multiplier", noise); err != nil {
		return scenarios.Entry{}, err
	}
	if !(rate > 0 && rate <= 1) {
		return scenarios.Entry{}, fmt.Errorf("%s: the sampling rate must be above 0 and at most 1, got %s", where, mechanisms.FormatNumber(rate))
	}
	if err := wholeCount(where+": steps", steps); err != nil {
		return scenarios.Entry{}, err
	}
	if steps == 0 {
		return scenarios.Entry{}, nil
	}
	if rate == 1 {
		return entry("gaussian", steps, map[string]float64{"sigma": noise}), nil
	}
	return entry("dp-sgd", 1, map[string]float64{"noise_multiplier": noise, "sampling_rate": rate, "steps": steps}), nil
}

// writeOpacus writes the stack as an accountant state. Only Gaussians and DP-SGD
// have a place there.
func writeOpacus(s *scenarios.Scenario) ([]byte, error) {
	history := [][3]float64{}
	var refused []string
	for i, e := range s.Stack {
		if e.Disabled {
			continue
		}
		m, err := mechanism(s, e)
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case mechanisms.DPSGD:
			if e.Sampling != 1 && e.Sampling != 0 {
				refused = append(refused, fmt.Sprintf("entry %d: a sampled run of DP-SGD", i+1))
				continue
			}
			history = append(history, [3]float64{m.NoiseMultiplier, m.SamplingRate, m.Steps * e.Count * s.Rounds})
		case mechanisms.Gaussian:
			rate := e.Sampling
			if rate == 0 {
				rate = 1
			}
			history = append(history, [3]float64{1 / m.Mu(), rate, e.Count * s.Rounds})
		default:
			refused = append(refused, fmt.Sprintf("entry %d: %s", i+1, entryName(e)))
		}
	}
	if err := refusal("an Opacus history holds Gaussian steps only", refused); err != nil {
		return nil, err
	}
	out, err := json.MarshalIndent(map[string]any{"history": history, "mechanism": "rdp"}, "", "  ")
	return append(out, '\n'), err
}

// jsonProblem words a JSON error with its line, without Go's types.
func jsonProblem(data []byte, err error) error {
	switch e := err.(type) {
	case *json.SyntaxError:
		line := 1 + strings.Count(string(data[:min(int(e.Offset), len(data))]), "\n")
		return fmt.Errorf("line %d: this is not JSON", line)
	case *json.UnmarshalTypeError:
		line := 1 + strings.Count(string(data[:min(int(e.Offset), len(data))]), "\n")
		return fmt.Errorf("line %d: %s has the wrong type (%s)", line, strings.TrimPrefix(e.Field, "."), e.Value)
	}
	return fmt.Errorf("this is not JSON")
}
