package interop

import (
	"bytes"
	"fmt"
	"strconv"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// writeDpEvent writes Python that builds the stack as a DpEvent and asks both
// accountants of dp_accounting for ε.
func writeDpEvent(s *scenarios.Scenario) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n# pip install dp-accounting\nimport dp_accounting as dpa\nfrom dp_accounting import pld, rdp\n\n", oneLine(s.Name))
	if s.Adjacency == mechanisms.Replace {
		b.WriteString("# Stated under replace-one adjacency: pass dpa.NeighboringRelation.REPLACE_ONE where an accountant supports it.\n")
	}
	b.WriteString("event = dpa.ComposedDpEvent([\n")
	var refused []string
	for i, e := range s.Stack {
		if e.Disabled {
			continue
		}
		text, warn, ok := pythonEvent(e)
		if e.Sampling < 1 && s.Adjacency == mechanisms.Replace && e.Mechanism != "dp-sgd" {
			ok = false // a PoissonSampledDpEvent under REPLACE_ONE takes the noise for that of an absent record
		}
		if !ok {
			refused = append(refused, fmt.Sprintf("entry %d: %s", i+1, entryName(e)))
			continue
		}
		if e.Label != "" {
			fmt.Fprintf(&b, "    # %s\n", oneLine(e.Label))
		}
		if warn != "" && e.Count*s.Rounds > 1 {
			fmt.Fprintf(&b, "    # %s\n", warn)
		}
		fmt.Fprintf(&b, "    %s,\n", text)
	}
	if err := refusal("dp_accounting has no event for some entries", refused); err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "])\nrounds = %s\ndelta = %s\n\n", py(s.Rounds), py(s.Budget.Delta))
	b.WriteString("for accountant in (rdp.RdpAccountant(), pld.PLDAccountant()):\n" +
		"    try:\n        accountant.compose(event, rounds)\n" +
		"        print(type(accountant).__name__, accountant.get_epsilon(delta))\n" +
		"    except Exception as problem:\n        print(type(accountant).__name__, \"cannot:\", problem)\n")
	return b.Bytes(), nil
}

const (
	emBug = "dp_accounting 0.6.0 drops this event's repeat count in its RDP accountant"
	rrBug = "dp_accounting 0.6.0 drops this event's repeat count in its PLD accountant"
)

// pythonEvent is one entry as a Python expression, and a warning where the peer is
// known to miscount it.
func pythonEvent(e scenarios.Entry) (text, warn string, ok bool) {
	m, err := mechanism(e)
	if err != nil || m == nil {
		return "", "", false
	}
	count := e.Count
	switch m := m.(type) {
	case mechanisms.Gaussian:
		text = call("GaussianDpEvent", 1/m.Mu())
	case mechanisms.Laplace:
		text = call("LaplaceDpEvent", 1/m.Epsilon)
	case mechanisms.Geometric:
		text = call("DiscreteLaplaceDpEvent", 1/m.Scale(), m.Sensitivity)
	case mechanisms.DiscreteGaussian:
		text = call("DiscreteGaussianDpEvent", m.Sigma, m.Sensitivity)
	case mechanisms.RandomizedResponse:
		k := m.Categories
		text, warn = call("RandomizedResponseDpEvent", (1-m.Truth())*k/(k-1), k), rrBug
	case mechanisms.Exponential:
		text, warn = call("ExponentialMechanismDpEvent", m.Epsilon), emBug
	case mechanisms.NoisyMax:
		switch m.Shape {
		case "gumbel": // exactly the exponential mechanism
			text, warn = call("ExponentialMechanismDpEvent", m.Epsilon), emBug
		case "exponential":
			text = call("PermuteAndFlipDpEvent", m.Epsilon)
		default:
			text = call("EpsilonDeltaDpEvent", m.Epsilon, 0)
		}
	case mechanisms.Pure:
		text = call("EpsilonDeltaDpEvent", m.Epsilon, 0)
	case mechanisms.Approximate:
		text = call("EpsilonDeltaDpEvent", m.Epsilon, m.Delta)
	case mechanisms.ZCDP:
		text = call("ZCDpEvent", m.Rho)
	case mechanisms.DPSGD:
		if e.Sampling != 1 && e.Sampling != 0 {
			return "", "", false
		}
		text = "dpa.PoissonSampledDpEvent(" + py(m.SamplingRate) + ", " + call("GaussianDpEvent", m.NoiseMultiplier) + ")"
		count *= m.Steps
	default:
		return "", "", false
	}
	if e.Sampling != 1 && e.Sampling != 0 {
		text = "dpa.PoissonSampledDpEvent(" + py(e.Sampling) + ", " + text + ")"
	}
	if count != 1 {
		text = "dpa.SelfComposedDpEvent(" + text + ", " + py(count) + ")"
	}
	return text, warn, true
}

// call is dpa.Class(arguments).
func call(class string, args ...float64) string {
	text := "dpa." + class + "("
	for i, x := range args {
		if i > 0 {
			text += ", "
		}
		text += py(x)
	}
	return text + ")"
}

// py writes a number so that Python reads the same float; whole numbers stay whole.
func py(x float64) string {
	if x == float64(int64(x)) && x > -1e15 && x < 1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
