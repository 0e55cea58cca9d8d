package labs

import (
	"cmp"
	"math"
	"math/rand/v2"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/report/chart"
)

// attack holds, at several ε, the δ = P(S) − e^ε·Q(S) of an attacker's event S in two worlds: measured by simulation,
// and computed exactly.
type attack struct{ epsilons, measured, exact []float64 }

// askedIndex is the index, among the ε of an attack, of the ε that the lab was asked for.
const askedIndex = 6

// epsilonsAround returns values of ε from 0 to twice the one given, which has index [askedIndex].
func epsilonsAround(epsilon float64) []float64 {
	list := make([]float64, 2*askedIndex+1)
	for i := range list {
		list[i] = epsilon * float64(i) / askedIndex
	}
	return list
}

// simulateWorlds returns the given number of samples of what the attacker sees in each of two worlds, each world with
// its own random stream.
func (s *trial) simulateWorlds(samples int, stream uint64,
	see func(r *rand.Rand, world int) float64) (worlds [2][]float64) {
	for w := range worlds {
		r := s.rand(stream + uint64(w))
		for i := range samples {
			s.reportProgress(w*samples+i, 2*samples)
			worlds[w] = append(worlds[w], see(r, w))
		}
	}
	return worlds
}

// measureAttack returns the attack at the values of ε around the one given. best returns the threshold of the best
// event at an ε and its exact δ; share returns the share of the samples that are in the event.
func measureAttack(epsilon float64, worlds [2][]float64,
	best func(epsilon float64) (threshold, delta float64),
	share func(seen []float64, threshold float64) float64) attack {
	a := attack{epsilons: epsilonsAround(epsilon)}
	for _, e := range a.epsilons {
		c, delta := best(e)
		a.exact = append(a.exact, delta)
		a.measured = append(a.measured, share(worlds[0], c)-math.Exp(e)*share(worlds[1], c))
	}
	return a
}

// reportAttack adds the measured and the exact δ of the attack to the outcome. simulated names one sample ("passes"),
// bound names what may not be below the exact δ ("bound on shuffled batches").
func (s *trial) reportAttack(a attack, samples int, simulated, bound string) {
	s.addFigure("the attack, measured", a.measured[askedIndex], "δ at ε = "+text(a.epsilons[askedIndex])+", from "+text(float64(samples))+" "+simulated+" in each world")
	s.addFigure("the attack, exactly", a.exact[askedIndex], "a lower end: no "+bound+" may be smaller")
}

// plotAttack adds a chart of δ against ε: that of the attack, and the given bounds.
func (s *trial) plotAttack(title string, a attack, bounds ...chart.Series) {
	series := []chart.Series{{Name: "attack, measured", Y: a.measured}, {Name: "attack, exactly", Y: a.exact}}
	series = append(series, bounds...)
	for i := range series {
		series[i].X = a.epsilons
	}
	s.addChart(chart.Chart{Title: title, X: chart.Axis{Label: "ε"}, Y: chart.Axis{Label: "δ"}, Series: series})
}

// upperProfile returns upper bounds on δ at several ε.
func (s *trial) upperProfile(parts []pairs.Part, epsilons []float64) []float64 {
	_, upper, err := pld.Profile(s.ctx, parts, epsilons, pld.Options{Width: 1e-3})
	return must(upper, cmp.Or(s.ctx.Err(), err))
}

// shareAbove returns the share of values above c, shareUpTo the share of the others.
func shareAbove(values []float64, c float64) float64 {
	n := 0.0
	for _, x := range values {
		if x > c {
			n++
		}
	}
	return n / float64(len(values))
}

func shareUpTo(values []float64, c float64) float64 { return 1 - shareAbove(values, c) }
