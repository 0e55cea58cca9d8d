package interop

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
)

// The sentences of TF-Privacy's statement, read after joining its wrapped lines.
var (
	tfSetup = regexp.MustCompile(`over ([\d,]+) examples with ([\d,]+) examples per iteration, noise multiplier (\S+) for (\S+) epochs (with|without) microbatching`)
	tfUser  = regexp.MustCompile(`at most (\d+) examples per user`)
	tfDelta = regexp.MustCompile(`Example-level DP [^:]*? at delta = (\S+) computed with (RDP|PLD) accounting:`)
	tfEpoch = regexp.MustCompile(`Epsilon with each example occurring once per epoch: +(\S+)`)
	tfPois  = regexp.MustCompile(`Epsilon assuming Poisson sampling(?: \(\*\))?: +(\S+)`)
)

// readStatement reads the paragraph that TF-Privacy prints about a DP-SGD run. The
// run is imported under Poisson sampling; both figures of the statement are kept as
// claims.
func readStatement(data []byte) (*Record, error) {
	text := strings.Join(strings.Fields(string(data)), " ")
	m := tfSetup.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("no sentence of the form \"DP-SGD performed over N examples with B examples per iteration, noise multiplier Z for E epochs …\"")
	}
	var x [4]float64
	for i, what := range []string{"examples", "batch size", "noise multiplier", "epochs"} {
		v, err := strconv.ParseFloat(strings.ReplaceAll(m[i+1], ",", ""), 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %q is not a number", what, m[i+1])
		}
		if err := positive("the statement", what, v); err != nil {
			return nil, err
		}
		x[i] = v
	}
	n, batch, noise, epochs := x[0], x[1], x[2], x[3]
	if batch > n {
		return nil, fmt.Errorf("the batch of %s is larger than the %s examples", mechanisms.FormatNumber(batch), mechanisms.FormatNumber(n))
	}
	rec := record("TF-Privacy")
	rec.Scenario.Records = n
	if m[5] == "with" {
		noise /= 2
		rec.remark("microbatching doubles the sensitivity, so the noise multiplier counts as %s", mechanisms.FormatNumber(noise))
	}
	rate := batch / n
	e, err := sgd("the statement", noise, rate, math.Ceil(epochs/rate))
	if err != nil {
		return nil, err
	}
	rec.add(e)
	if u := tfUser.FindStringSubmatch(text); u != nil {
		rec.remark("the statement bounds each user to %s examples; set group: %s for the user-level cost", u[1], u[1])
	}
	return rec, rec.statementClaims(text, noise, epochs)
}

func (r *Record) statementClaims(text string, noise, epochs float64) error {
	d := tfDelta.FindStringSubmatch(text)
	if d == nil {
		r.noDelta()
		return nil
	}
	delta, err := strconv.ParseFloat(d[1], 64)
	if err != nil || !(delta > 0 && delta < 1) {
		return fmt.Errorf("delta: must be above 0 and below 1, got %q", d[1])
	}
	r.Scenario.Budget.Delta = delta
	method := map[string]string{"RDP": "rdp", "PLD": "numerical"}[d[2]]
	if p := tfPois.FindStringSubmatch(text); p != nil {
		if epsilon, err := strconv.ParseFloat(p[1], 64); err == nil {
			r.Claims = append(r.Claims, Claim{epsilon, delta, d[2] + " accounting, Poisson sampling", method,
				"three decimals, and for RDP a fixed grid of orders: ours is searched over continuous α"})
		}
	}
	if p := tfEpoch.FindStringSubmatch(text); p != nil {
		if epsilon, err := strconv.ParseFloat(p[1], 64); err == nil {
			r.Claims = append(r.Claims, Claim{epsilon, delta, d[2] + " accounting, each example once per epoch", "",
				fmt.Sprintf("no sampling: replace the entry by gaussian, sigma %s, count %s to compute it", mechanisms.FormatNumber(noise), mechanisms.FormatNumber(math.Ceil(epochs)))})
		}
	}
	return nil
}
