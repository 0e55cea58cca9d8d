package mechanisms

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Frequency is a local frequency oracle: each person sends one randomized report about a value
// out of a domain, and the analyst estimates how often every value occurs (Wang, Blocki, Li, Jha
// 2017).
//
// Two reports about different values have densities whose ratio is e^ε, 1 or e^{−ε}. So each
// oracle is binary randomized response with the probability w that a report tells the two values
// apart at all, which the report itself shows: δ(t) = w·(e^ε − e^t)/(e^ε + 1) for 0 ≤ t ≤ ε.
type Frequency struct {
	Protocol Protocol
	Epsilon  float64 // > 0, of one report
	Domain   float64 // k: how many values there are, a whole number ≥ 2
	People   float64 // how many report; 0 if not said
	AnyHash  bool    // local hashing with a hash of which nothing is assumed
	Hashes   float64 // bits that a value sets in a Bloom filter, for SUE; 0 and 1 say one
	Memoised bool    // the report is made once and sent again unchanged, or as the basis of later ones
}

// Protocol names a frequency oracle.
type Protocol string

const (
	GRR      Protocol = "grr"      // the value itself, or another one: k-ary randomized response
	OUE      Protocol = "oue"      // one bit per value, optimised: a 1 is kept with probability ½
	SUE      Protocol = "sue"      // one bit per value, each flipped alike: basic RAPPOR
	OLH      Protocol = "olh"      // randomized response on a hash of the value
	Hadamard Protocol = "hadamard" // one bit of a random row of the Hadamard matrix
	Subset   Protocol = "subset"   // a set of values that more often has the own one
)

// Protocols lists the frequency oracles.
func Protocols() []Protocol { return []Protocol{GRR, OUE, SUE, OLH, Hadamard, Subset} }

func frequencySpec() Spec {
	return Spec{
		Name: "frequency", Title: "Frequency oracle",
		Summary: "each person sends a randomized report, and counts of all values are estimated from them",
		Params: []param.Param{
			{
				Name: "protocol", Help: "how a value is randomized", Type: param.Choice, Required: true,
				Choices: []string{string(GRR), string(OUE), string(SUE), string(OLH), string(Hadamard), string(Subset)},
				Initial: param.ChoiceValue(string(OUE)), Means: protocolMeans,
			},
			scalesWithNoise(-1, positive("epsilon", "ε", "privacy loss of one report", 1, 1.1)),
			{
				Name: "domain", Symbol: "k", Help: "how many values a person may have", Type: param.Whole,
				Min: 2, Max: 1e9, Required: true, Initial: param.WholeValue(64), Step: 1.25, Log: true,
				Else: reasonDomain,
			},
			optional(natural("people", "n", "how many people report, for the error of the estimates", maxCount, 100_000, 1.25)),
			{
				Name: "hash", Help: "what is known of the hash of local hashing", Type: param.Choice, Choices: []string{"uniform", "any"},
				Default: param.ChoiceValue("uniform"), Initial: param.ChoiceValue("uniform"),
				Means: map[string]string{
					"uniform": "every two values collide with probability 1/g or more, over hashes drawn anew for every report",
					"any":     "nothing: any hash family, also one in which values never collide",
				},
			},
			withDefault(natural("hashes", "h", "bits that a value sets in a Bloom filter (RAPPOR; protocol sue); domain then counts bits, and epsilon is that of the whole report", 64, 1, 1)),
			{
				Name: "reports", Help: "whether a report is randomized anew whenever it is sent", Type: param.Choice, Choices: []string{"fresh", "memoised"},
				Default: param.ChoiceValue("fresh"), Initial: param.ChoiceValue("fresh"),
				Means: map[string]string{
					"fresh":    "coins of its own for every report",
					"memoised": "made once per value and kept (RAPPOR's permanent response): whatever is computed and sent from it later costs nothing more, so it is priced once",
				},
			},
		},
		build:  buildFrequency,
		Source: "Wang, Blocki, Li, Jha 2017; Erlingsson, Pihur, Korolova 2014 (SUE); Acharya, Sun, Zhang 2019 (Hadamard); Ye, Barg 2018 (subset)",
		Local:  true, SizePublic: true, NoError: onlyStated, NoAddRemoveNumber: problemCounted,
		Notes: []string{
			"The number of people is public: the guarantee is for replacing a record.",
			"Hash, row and subset are drawn anew for every report. A row or hash that belongs to a person, or is assigned, tells more: state randomized-response with the same ε instead.",
			"A memoised report (RAPPOR's permanent bits, reports: memoised) is stated once, however often it is sent again: count and rounds must be 1. What is flipped again from the memoised bits costs nothing beside them. Memoise all bits of a value; a new value is a new memoised report.",
		},
	}
}

var protocolMeans = map[string]string{
	string(GRR):      "generalised randomized response: the value itself, or one of the others; best for small domains",
	string(OUE):      "optimised unary encoding: one bit per value",
	string(SUE):      "symmetric unary encoding, basic RAPPOR: one bit per value",
	string(OLH):      "optimised local hashing: randomized response on a hash into about e^ε + 1 values; the hash is drawn anew for every report",
	string(Hadamard): "one bit of a row of the Hadamard matrix, the row drawn anew and evenly, row 0 included, for every report",
	string(Subset):   "a random set of values, of the size with the least error; never worse than grr",
}

func buildFrequency(r reader) (Mechanism, error) {
	f := Frequency{
		Protocol: Protocol(r.choice("protocol")),
		Epsilon:  r.number("epsilon"),
		Domain:   r.number("domain"),
		People:   r.number("people"),
		Hashes:   r.number("hashes"),
		AnyHash:  r.choice("hash") == "any",
		Memoised: r.choice("reports") == "memoised",
	}
	if f.Hashes > 1 && f.Protocol != SUE {
		return nil, param.Errorf("hashes", "only protocol sue flips the bits of a Bloom filter, got protocol %s; leave hashes out", string(f.Protocol))
	}
	if f.AnyHash && f.Protocol != OLH {
		return nil, param.Errorf("hash", "only olh hashes values, got protocol %s; leave it out", string(f.Protocol))
	}
	return f, checkLoss("epsilon", f.Epsilon)
}

// Kind returns "frequency".
func (Frequency) Kind() string { return "frequency" }

// Weight returns the probability w that a report tells two values apart, exactly up to rounding;
// for any hash the largest that it can be.
func (f Frequency) Weight() float64 {
	far, k := math.Exp(-f.Epsilon), f.Domain // everything over e^ε, lest it overflow
	switch f.Protocol {
	case GRR:
		return (1 + far) / (1 + (k-1)*far)
	case SUE:
		root := 1 + math.Exp(-f.Epsilon/2)
		return (1 + far) / (root * root)
	case OLH:
		g := f.HashRange()
		w := (1 + far) / (1 + (g-1)*far)
		if f.AnyHash {
			return w
		}
		return w * (1 - 1/g)
	case Subset:
		size := f.SubsetSize()
		return (k - size) / (k - 1) * (1 + far) / (1 + far*(k-size)/size)
	}
	return 0.5
}

// HashRange returns into how many values local hashing hashes: e^ε + 1, rounded.
func (f Frequency) HashRange() float64 {
	return math.Max(2, math.Round(math.Exp(math.Min(f.Epsilon, 300))+1))
}

// SubsetSize returns the size of a subset with the least error: near k/(e^ε + 1), at least 1.
func (f Frequency) SubsetSize() float64 {
	best := 0.0
	middle := math.Floor(f.Domain * math.Exp(-f.Epsilon) / (1 + math.Exp(-f.Epsilon)))
	for size := math.Max(1, middle-1); size <= math.Min(f.Domain-1, middle+2); size++ {
		if best == 0 || f.subsetVariance(size) < f.subsetVariance(best) {
			best = size
		}
	}
	return best
}

// Releases returns one report per record, each with its own coins.
func (f Frequency) Releases(k float64) []accounting.Entry {
	return releasesOf(f, k, func() []accounting.Entry {
		// Two values set up to 2h different bits of a Bloom filter: h times what one bit each costs.
		bits, one := math.Max(1, f.Hashes), f
		one.Epsilon, one.Hashes = f.Epsilon/bits, 1
		return []accounting.Entry{{Release: accounting.FrequencyOracle(one.Epsilon, one.Weight()), Count: k * bits}}
	})
}

func (f Frequency) validate() error {
	switch {
	case !slices.Contains(Protocols(), f.Protocol):
		return errors.New("Protocol must be a frequency oracle, got " + numeral.Quote(string(f.Protocol)))
	case f.AnyHash && f.Protocol != OLH:
		return errors.New("AnyHash is for local hashing only")
	case f.Hashes > 1 && f.Protocol != SUE:
		return errors.New("more than one hash (Hashes) is for symmetric unary encoding only")
	}
	return cmp.Or(
		because(requireWhole(2, 1e9, field{"Domain", f.Domain}), reasonDomain),
		requireWhole(0, maxCount, field{"People", f.People}),
		requireWhole(0, 64, field{"Hashes", f.Hashes}),
		checkLoss("Epsilon", f.Epsilon),
	)
}

// support returns the probabilities that a report supports the value of its person, and any other.
func (f Frequency) support() (own, other float64) {
	far, k := math.Exp(-f.Epsilon), f.Domain
	switch f.Protocol {
	case GRR:
		own = 1 / (1 + (k-1)*far)
		return own, own * far
	case SUE:
		half := math.Exp(-f.Epsilon / 2)
		return 1 / (1 + half), half / (1 + half)
	case OUE:
		return 0.5, far / (1 + far)
	case OLH:
		g := f.HashRange()
		return 1 / (1 + (g-1)*far), 1 / g
	case Subset:
		return f.subsetSupport(f.SubsetSize())
	}
	return 1 / (1 + far), 0.5 // a bit of a row agrees with one's own column, and with another in half of the rows
}

func (f Frequency) subsetSupport(size float64) (own, other float64) {
	far, k := math.Exp(-f.Epsilon), f.Domain
	own = size / (size + (k-size)*far)
	return own, own / (k - 1) * (size - 1 + (k-size)*far) // 1−own by itself, which may be as small as e^{−ε}
}

func (f Frequency) subsetVariance(size float64) float64 {
	own, other := f.subsetSupport(size)
	return other * (1 - other) / ((own - other) * (own - other))
}

// Variance returns n times the variance of the estimated share of a value, if the given share of
// n people has it: λ(1−λ)/(p−q)² with λ = q + share·(p−q), p and q the probabilities that a report
// supports its own value and another one.
func (f Frequency) Variance(share float64) float64 {
	own, other := f.support()
	chance := other + share*(own-other)
	return chance * (1 - chance) / ((own - other) * (own - other))
}

// EstimateError returns the error of a share at worst, by the normal approximation; jointly over
// all values of the domain.
func (f Frequency) EstimateError(beta, count, records float64) (Accuracy, error) {
	n := cmp.Or(f.People, records)
	switch {
	case f.Hashes > 1:
		return Accuracy{}, errors.New("several values share a bit of a Bloom filter, and the error depends on which values are looked for")
	case !(n > 0):
		return Accuracy{}, errors.New("people is not given, and the error of the estimates depends on it")
	}
	own, other := f.support()
	worst := math.Max(0, math.Min(1, (0.5-other)/(own-other)))
	a, err := symmetric(GaussianNoise(math.Sqrt(f.Variance(worst)/n)), beta, count*f.Domain)
	a.Unit = "share of n"
	return a, err
}

// BestProtocol returns the oracle with the least error of rare values, without subset selection,
// whose reports are costly for large domains: grr if k < 3e^ε + 2, else oue.
func (f Frequency) BestProtocol() Protocol {
	if f.Domain < 3*math.Exp(math.Min(f.Epsilon, 300))+2 {
		return GRR
	}
	return OUE
}

func (f Frequency) notes(_ param.Values, _ Setting) (list []Note) {
	if best := f.BestProtocol(); f.Protocol != Subset && f.Hashes <= 1 {
		other := f
		other.Protocol = best
		if ratio := f.Variance(0) / other.Variance(0); ratio > 1.05 {
			list = append(list, Note{"better-oracle", "For this domain and ε the variance of rare values is " + numeral.Format(numeral.RoundUp(ratio, 3)) + " times that of protocol: " + string(best) + "."})
		}
	}
	switch {
	case f.Protocol == OLH && !f.AnyHash:
		list = append(list, Note{"fresh-hash", "This holds if the hash is drawn anew for every report and any two values collide with probability at least 1/g. Universal hashing promises at most that: if only that is known, say hash: any."})
	case f.Protocol == Hadamard:
		list = append(list, Note{"fresh-row", "This holds if the row is drawn anew for every report, evenly over all rows, row 0 included. For a row that belongs to a person state randomized-response instead."})
	}
	return list
}

// runsOnce says that a memoised report is one release, however often it is sent.
func (f Frequency) runsOnce() error {
	if !f.Memoised {
		return nil
	}
	return param.Errorf("reports", "a memoised report is made once and priced once: set count and rounds to 1. If every report is randomized anew, say reports: fresh")
}

func (f Frequency) equivalents(param.Values) map[string]float64 {
	return map[string]float64{"epsilon": f.Epsilon}
}
