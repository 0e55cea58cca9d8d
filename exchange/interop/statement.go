package interop

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
)

// The sentences of TF-Privacy's statement in their order, read after joining its
// wrapped lines. Every sentence may be left out but the first, none may come twice,
// and nothing else may stand between them.
var (
	tfSetup = lazyPattern(`^DP-SGD performed over (\S+) examples with (\S+) examples per iteration, noise multiplier (\S+) for (\S+) epochs (with|without) microbatching, and (?:no bound on number of|at most ([1-9]\d*)) examples per user\.`)
	tfRest  = []func() *regexp.Regexp{
		lazyPattern(`^This privacy guarantee protects the release of all model checkpoints in addition to the final model\.`),
		lazyPattern(`^(Example)-level DP with add-or-remove-one adjacency at delta = (\S+) computed with (RDP|PLD) accounting:` + tfValues),
		lazyPattern(`^No user-level privacy guarantee is possible without a bound on the number of examples per user\.`),
		lazyPattern(`^(User)-level DP with add-or-remove-one adjacency at delta = (\S+) computed using (RDP|PLD) accounting and group privacy:` + tfValues),
		lazyPattern(`^\(\*\) Poisson sampling is not usually done in training pipelines, but assuming that the data was randomly shuffled, it is believed that the actual epsilon should be closer to this value than the conservative assumption of an arbitrary data order\.`),
		lazyPattern("^\\(\\*\\*\\) A finite example-level epsilon implies a finite user-level epsilon at any `max_examples_per_user`, but because conversion from example-level to user-level DP is not exact, it is possible for the upper bound on the user-level epsilon to still be infinite\\."),
	}
)

// tfPlain is a number as it is printed there.
var tfPlain = lazyPattern(`^[+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$`)

const tfValues = `(?: Epsilon with each example occurring once per epoch: (\S+)(?: \(\*\*\))?)?(?: Epsilon assuming Poisson sampling(?: \(\*\))?: (\S+)(?: \(\*\*\))?)?`

// readStatement reads the paragraph that TF-Privacy prints about a DP-SGD run. The
// run is imported under Poisson sampling; both values of ε in the statement are kept as
// claims.
func readStatement(rec *Record, data []byte) {
	said := strings.Join(strings.Fields(string(data)), " ")
	m := tfSetup().FindStringSubmatch(said)
	if m == nil {
		refuse("", "no sentence of the form \"DP-SGD performed over N examples with B examples per iteration, noise multiplier Z for E epochs …\" at the start")
	}
	n, batch := tfNumber("examples", m[1]), tfNumber("batch size", m[2])
	noise, epochs := tfNumber("noise multiplier", m[3]), tfNumber("epochs", m[4])
	if batch > n {
		refuse("", "the batch of %s is larger than the %s examples", numeral.Format(batch), numeral.Format(n))
	}
	rec.Scenario.Records = n
	if m[5] == "with" {
		noise /= 2
		rec.remark("microbatching doubles the sensitivity, so the noise multiplier counts as %s", numeral.Format(noise))
	}
	rate := batch / n
	rec.add(rec.sgdEntry("the statement", noise, rate, math.Ceil(epochs/rate)))
	rec.remark("the batches are taken as Poisson samples; where they were not, what holds is gaussian, sigma %s, count %s",
		numeral.Format(noise), numeral.Format(math.Ceil(epochs)))
	if m[6] != "" {
		rec.remark("the statement bounds each user to %s examples; set group: %s for the user-level cost", m[6], m[6])
	}
	said = strings.TrimSpace(said[len(m[0]):])
	for _, sentence := range tfRest {
		found := sentence().FindStringSubmatch(said)
		if found == nil {
			continue
		}
		said = strings.TrimSpace(said[len(found[0]):])
		if len(found) > 1 {
			rec.addClaims(found, noise, epochs)
		}
	}
	if said != "" {
		from, _ := firstRunes(said, 60)
		refuse("", "not understood, from here on: %q", from)
	}
}

func tfNumber(what, word string) float64 {
	x, err := strconv.ParseFloat(word, 64)
	// 1,100 may be eleven hundred or one and a tenth
	if err != nil || numeral.Vanishes(word, x) || !tfPlain().MatchString(word) ||
		what == "examples" && thousands().MatchString(word) {
		refuse("the statement", "%s: %q is not a number", what, word)
	}
	n := node{at: "the statement", parts: []part{{what, node{at: "the statement", kind: number, number: x}}}}
	return n.fields("it", what).positiveNumber(what)
}

// addClaims adds the claims of one level. found holds the level (Example or User), δ, the accountant, ε with each
// example once per epoch and ε under Poisson sampling.
func (r *Record) addClaims(found []string, noise, epochs float64) {
	delta := tfNumber("delta", found[2])
	if delta >= 1 {
		refuse("the statement", "delta must be below 1, got %s", found[2])
	}
	by := found[3] + " accounting, "
	if found[1] == "User" {
		r.remark("the user-level values at delta = %s (%s) were not carried over", found[2], strings.Join(found[4:], ", "))
		return
	}
	r.setDelta(delta)
	if found[5] != "" {
		r.Claims = append(r.Claims, Claim{tfNumber("epsilon", found[5]), delta, by + "Poisson sampling",
			map[string]string{"RDP": "rdp", "PLD": "numerical"}[found[3]],
			"three decimals, and for RDP a fixed grid of orders: ours is searched over continuous α"})
	}
	if found[4] != "" {
		r.Claims = append(r.Claims, Claim{tfNumber("epsilon", found[4]), delta, by + "each example once per epoch", "",
			"no sampling: replace the entry by gaussian, sigma " + numeral.Format(noise) + ", count " + numeral.Format(math.Ceil(epochs)) + " to compute it"})
	}
}
