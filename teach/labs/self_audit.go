package labs

import (
	"fmt"
	"math"
	"math/rand/v2"

	"epsiloscope/accounting/audit"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
)

// The faults that code may have while its price stays the same.
const (
	noFault           = "none"
	halfNoise         = "half-noise"
	reusedNoise       = "reused-noise"
	wrongSensitivity  = "wrong-sensitivity"
	forgottenClip     = "forgotten-clip"
	shuffledAsPoisson = "shuffled"
)

// selfAudit runs a mechanism of the catalogue on generated data, with a fault or without one, and attacks it by the
// likelihood ratio: independent runs with a record and with a blank in its place, held against the certified curve of
// the mechanism that was priced.
var selfAudit = Lab{
	Name: "self-audit", Title: "Does the code do what was priced?",
	Summary:   "the likelihood-ratio attack refutes code with a fault, and does not refute code without one",
	Paper:     "Nasr et al. 2023, Tight auditing of differentially private machine learning",
	Adjacency: mechanisms.ZeroOut, Unit: "record",
	Params: []param.Param{
		choice("mechanism", "what is run", "gaussian", "laplace", "dp-sgd"),
		choice("fault", "what the code does wrong: dp-sgd can have half-noise and shuffled, the others all but shuffled", noFault, halfNoise, reusedNoise, wrongSensitivity, forgottenClip, shuffledAsPoisson),
		whole("runs", "n", "runs in each world; half of them choose the threshold", 2000, 20, 200_000),
		whole("records", "", "other records", 50, 1, 10_000),
	},
	run: runSelfAudit,
}

// The mechanisms that are priced: two sums with noise, or one pass of ten batches.
const (
	auditedSigma    = 2.0
	auditedEpsilon  = 0.5
	auditedReleases = 2
	auditedBatches  = 10
	auditedZ        = 1.0
)

func runSelfAudit(s *trial) {
	mechanism, fault, runs := s.choice("mechanism"), s.choice("fault"), s.whole("runs")
	priced := s.pricedScenario(mechanism)
	run, ok := auditedRun(mechanism, fault)
	if !ok { // the mechanism cannot have this fault: it runs as priced
		s.addSentence("%s cannot have the fault %s, so that the code runs as it is priced.", mechanism, fault)
		fault = noFault
		run, _ = auditedRun(mechanism, fault)
	}
	var scores []audit.Score
	for world, member := range []bool{true, false} {
		r := s.rand(uint64(world))
		others := make([]float64, s.whole("records"))
		for i := range runs {
			s.reportProgress(world*runs+i, 2*runs)
			for k := range others {
				others[k] = r.Float64()
			}
			scores = append(scores, audit.Score{Value: run(r, others, member), Member: member})
		}
	}
	const confidence = 0.95
	ev := scenarios.NewEvaluator()
	profile := must(ev.Profile(s.ctx, priced))
	claim := must(profile.Table(ev.Context(s.ctx),
		mapEach(spread(0, 1, 41), func(t float64) float64 { return 8 * t * t }))).Claim()
	threshold, rest, err := audit.ChooseThreshold(scores, func(t audit.TwoSample) (float64, error) {
		return t.Excess(claim, confidence)
	})
	counted := audit.TwoSampleScores(must(rest, err), threshold)
	shown := must(counted.EpsilonLower(defaultDelta, confidence))
	p := must(counted.CurvePValue(claim))
	claimed := must(ev.Evaluate(s.ctx, priced, scenarios.Options{})).BestBound().Epsilon

	s.addUpperBound("ε proven of what was priced", claimed, "at δ = "+text(defaultDelta))
	s.addFigure("ε shown of what was run", shown, "at the same δ, with confidence 95 %")
	s.addFigure("p-value of the priced curve", p, "how often code without a fault does as badly; refuted below 0.05")
	s.addFigure("true positives", float64(counted.TruePositives), fmt.Sprintf("of %d runs with the record", counted.Members))
	s.addFigure("false positives", float64(counted.FalsePositives), fmt.Sprintf("of %d runs with a blank in its place", counted.NonMembers))
	if p < 1-confidence {
		s.addSentence("The claim is refuted (p = %s): the code is not what was priced.", report.Upper(p))
	} else {
		s.addSentence("The claim is not refuted; that says nothing about better attacks or more runs.")
	}
	members, others := float64(counted.Members), float64(counted.NonMembers)
	found, accused := float64(counted.TruePositives)/members, float64(counted.FalsePositives)/others
	s.addLeak(Leak{"a score above the threshold that the other half of the runs chose", 0, found - accused,
		math.Sqrt(found*(1-found)/members + accused*(1-accused)/others)})
	s.plotRates(scores, claim)
	if fault != noFault {
		s.refuseGuarantee("the code has a fault (%s), so that the price of the scenario is not its own", fault)
		return
	}
	for _, e := range priced.Stack {
		s.spend("what was priced", e.Mechanism, e.Values, e.Count)
	}
}

// pricedScenario returns the scenario against which the audit holds the runs.
func (s *trial) pricedScenario(mechanism string) *scenarios.Scenario {
	values := map[string]param.Values{
		"gaussian": {"sigma": param.NumberValue(auditedSigma)},
		"laplace":  {"epsilon": param.NumberValue(auditedEpsilon)},
		"dp-sgd": {"noise_multiplier": param.NumberValue(auditedZ), "sampling_rate": param.NumberValue(1.0 / auditedBatches),
			"steps": param.WholeValue(auditedBatches)},
	}[mechanism]
	count := float64(auditedReleases)
	if mechanism == "dp-sgd" {
		count = 1
	}
	c := scenarios.New()
	c.Adjacency, c.Unit, c.Budget.Delta = mechanisms.ZeroOut, "record", defaultDelta
	c.Stack = []scenarios.Entry{{Mechanism: mechanism, Values: values, Count: count, Sampling: 1}}
	return c
}

// auditedRun returns the code of one run with a fault: it releases, and returns the attacker's log-likelihood ratio,
// which knows the fault and all other records. It is false if the mechanism cannot have the fault.
func auditedRun(mechanism, fault string) (run func(r *rand.Rand, others []float64, member bool) float64, ok bool) {
	scale := 1.0
	if fault == halfNoise {
		scale = 0.5
	}
	if mechanism == "dp-sgd" {
		return func(r *rand.Rand, _ []float64, member bool) float64 {
				return trainOnce(r, auditedZ*scale, member, fault == shuffledAsPoisson)
			},
			fault == noFault || fault == halfNoise || fault == shuffledAsPoisson
	}
	noise, ratio := mechanisms.GaussianNoise(auditedSigma*scale), gaussianRatio(auditedSigma*scale)
	if mechanism == "laplace" {
		noise, ratio = mechanisms.LaplaceNoise(scale/auditedEpsilon), laplaceRatio(scale/auditedEpsilon)
	}
	value, most := 1.0, 1.0 // of the record, and where the code clips
	switch fault {
	case wrongSensitivity: // the person has two such records, and the noise is for one
		value, most = 2, 2
	case forgottenClip: // the record is an outlier
		value, most = 3, math.Inf(1)
	}
	return func(r *rand.Rand, others []float64, member bool) float64 {
		score, drawn := 0.0, noise.Rand(r)
		var before float64
		for k := range auditedReleases {
			known, answer := 0.0, 0.0
			for i, x := range others {
				if k == 0 || i%2 == 0 { // all records, then every second of the others
					known += math.Min(x, most)
				}
			}
			if answer = known; member && k == 0 || member && fault != reusedNoise {
				answer += math.Min(value, most)
			}
			if k > 0 && fault != reusedNoise {
				drawn = noise.Rand(r)
			}
			rest := answer + drawn - known // the log-likelihood ratio of the output
			score += ratio(rest, math.Min(value, most))
			if k > 0 && fault == reusedNoise { // the noise cancels
				return before - rest
			}
			before = rest
		}
		return score
	}, fault != shuffledAsPoisson
}

// gaussianRatio returns ln of the ratio of densities with and without a shift.
func gaussianRatio(sigma float64) func(x, shift float64) float64 {
	return func(x, shift float64) float64 { return shift * (x - shift/2) / (sigma * sigma) }
}

func laplaceRatio(b float64) func(x, shift float64) float64 {
	return func(x, shift float64) float64 { return (math.Abs(x) - math.Abs(x-shift)) / b }
}

// trainOnce runs one pass of noisy sums and returns the attacker's log-likelihood ratio. By Poisson sampling, as
// priced, all other gradients are zero. With shuffled batches all others pull by −1 and the record by +1 (Chua et al.
// 2024): up to a shift that is known, the batch with the record is ahead by 2, and one with a blank in its place by 1.
func trainOnce(r *rand.Rand, z float64, member, shuffled bool) float64 {
	const q = 1.0 / auditedBatches
	noise, place := mechanisms.GaussianNoise(z), r.IntN(auditedBatches)
	ratio := gaussianRatio(z)
	score, with, without := 0.0, 0.0, 0.0
	for b := range auditedBatches {
		x := noise.Rand(r)
		switch {
		case shuffled && b == place && member:
			x += 2
		case shuffled && b == place:
			x++
		case !shuffled && member && r.Float64() < q:
			x++
		}
		score += math.Log1p(q * math.Expm1(ratio(x, 1)))
		with, without = with+math.Exp(ratio(x, 2)), without+math.Exp(ratio(x, 1))
	}
	if shuffled {
		return math.Log(with / without)
	}
	return score
}

// plotRates draws what the attack found at every threshold beside what the claim allows.
func (s *trial) plotRates(scores []audit.Score, claim audit.Claim) {
	at := logSpread(0.01, 0.9, 25)
	var outside []float64
	for _, one := range scores {
		if !one.Member {
			outside = append(outside, one.Value)
		}
	}
	found := mapEach(at, func(x float64) float64 {
		t := audit.TwoSampleScores(scores, quantile(outside, 1-x))
		return float64(t.TruePositives) / float64(t.Members)
	})
	allowed := mapEach(at, func(x float64) float64 { return must(claim.TruePositiveRate(x)) })
	s.addChart(chart.Chart{Title: "TPR against FPR", X: chart.Axis{Label: "false-positive rate", Log: true}, Y: chart.Axis{Label: "true-positive rate", Log: true, Max: 1},
		Series: []chart.Series{{Name: "found by the attack", X: at, Y: found}, {Name: "allowed by what was priced", X: at, Y: allowed}}})
}
