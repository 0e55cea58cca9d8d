package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// Person states what the release means for a person in the data: upper bounds on what any
// attacker can gain, whatever else the attacker knows.
type Person struct {
	Attack
	Unit    string
	Beliefs []Belief

	Rounds      float64
	Yearly      *Yearly // nil if the unit is no span of time
	Deployments []Deployment
	// compared with Deployments: the bound on one round if a round is one span of the unit
	ComparedBound accounting.Bound
	PlaceText     string // its place among them, in words; "" without deployments
}

// Belief is a suspicion before and the most and the least it can be afterwards.
type Belief struct{ Prior, Most, Least float64 }

// ParsePrior reads a suspicion: a number, or a single number followed by %.
func ParsePrior(text string) (float64, error) {
	x, err := numeral.Parse(text)
	// of one number: 10-5% has two readings
	if share, percent := strings.CutSuffix(strings.TrimSpace(text), "%"); percent {
		x, err = strconv.ParseFloat(strings.TrimSpace(share), 64)
		x /= 100
	}
	if err != nil || !(x > 0 && x < 1) {
		return 0, errors.New("must be a number between 0 and 1, or a percentage")
	}
	return x, nil
}

// Priors are the suspicions shown unless others are asked for.
var Priors = []float64{0.01, 0.1, 0.5}

// NewPerson computes what a result means for a person. It uses the certified trade-off function of the
// numerical accountant if every release has a dominating pair.
func NewPerson(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result, priors ...float64) (*Person, error) {
	b := r.BestBound()
	if !b.Finite() {
		return nil, errors.New("no theorem gives a finite ε, so there is no guarantee for a person")
	}
	if len(priors) == 0 {
		priors = Priors
	}
	for _, p := range priors {
		if !(p > 0 && p < 1) {
			return nil, fmt.Errorf("a prior must lie between 0 and 1, got %s", numeral.Format(p))
		}
	}
	p := &Person{Attack: newAttack(r), Unit: Plain(r.Unit), Rounds: r.Rounds, Deployments: deploymentsOf(r.Unit)}
	for _, prior := range priors {
		p.Beliefs = append(p.Beliefs, Belief{prior, accounting.Posterior(prior, b.Epsilon),
			accounting.LeastPosterior(prior, b.Epsilon)})
	}
	if err := p.setSpans(ctx, s, r); err != nil {
		return nil, err
	}
	return p, p.setBounds(ctx, s, r)
}

// setSpans computes the guarantee over a year, and the place of the release among deployments. These state ε for one
// span of the unit, so of several rounds only one is compared.
func (p *Person) setSpans(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) (err error) {
	if p.Yearly, err = newYearly(ctx, s, r); err != nil {
		return err
	}
	if !roundsAreSpans(s.Unit, s.Rounds) {
		p.ComparedBound, p.PlaceText = r.BestBound(), placeAmong(p.Deployments, p.Epsilon)
		return nil
	}
	round, err := boundOfRounds(ctx, s, r, 1)
	if err == nil && round.Finite() && len(p.Deployments) > 0 {
		p.ComparedBound = round
		p.PlaceText = fmt.Sprintf("with ε = %s for one round %s", Upper(round.Epsilon), placeAmong(p.Deployments, round.Epsilon))
	}
	return err
}

// placeAmong says where ε stands among the deployments of the same unit.
func placeAmong(ruler []Deployment, epsilon float64) string {
	below, above := -1, -1
	for i, d := range ruler {
		if d.Epsilon <= epsilon {
			below = i
		} else if above < 0 {
			above = i
		}
	}
	at := func(i int) string { return fmt.Sprintf("%s (%s)", ruler[i].Name, Short(ruler[i].Epsilon)) }
	switch {
	case len(ruler) == 0:
		return ""
	case below < 0:
		return "below all of them; the nearest is " + at(above)
	case above < 0:
		return "above all of them; the nearest is " + at(below)
	}
	return "between " + at(below) + " and " + at(above)
}

// SuspicionLines returns how far a suspicion can grow and under which condition, in sentences, and what a year adds up
// to.
func (p *Person) SuspicionLines() []string {
	odds := "Whatever an attacker knows about this person, the odds of a suspicion grow at most by the factor e^ε = " + oddsFactor(p.Epsilon)
	if p.Delta > 0 {
		odds += fmt.Sprintf(", except in outcomes of probability %s at most", Upper(p.ExceptionBound))
	}
	lines := []string{odds + ".", independence + "."}
	if year := p.Yearly.Text(); year != "" {
		lines = append(lines, UpperFirst(year)+".")
	}
	return lines
}

func oddsFactor(epsilon float64) string {
	if epsilon > 700 {
		return "more than 1e304"
	}
	return Upper(math.Exp(epsilon))
}
