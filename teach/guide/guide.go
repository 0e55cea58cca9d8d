// Package guide builds a first scenario from what a user wants to release: it chooses the mechanisms, the
// noise and δ, and says what it chose. Start with [Build].
package guide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// The kinds of release there are.
const (
	Counts   = "counts"
	Totals   = "totals"
	Choice   = "a choice"
	Training = "a trained model"
	Survey   = "survey answers"
)

// Wish holds the releases that a user wants to make within one budget.
type Wish struct {
	Name     string
	Unit     string  // whose data one record is
	People   float64 // how many records there are; δ stays below 1 / People
	Epsilon  float64 // the budget
	Delta    float64 // the budget's δ; 0 for one that follows from People
	Releases []Release

	Adjacency mechanisms.Adjacency // which data sets are neighbours; "" for add-remove, not stated
}

// Release is a release that a user wishes to make.
type Release struct {
	Kind  string
	Times float64 // how often the same thing is released
	// Mechanism is the one to use where several serve; "" for the best.
	Mechanism string

	// Of counts and totals: Exact is the 95 % error of one number, 0 for as small as the budget
	// allows. Change is how many counts one person changes by one, or by how much one total.
	Exact, Change float64

	Options       float64                   // of a choice and of survey answers: among how many
	Epochs, Batch float64                   // of a training
	Batches       mechanisms.SamplingScheme // of a training: its sampling scheme
	// of a training: its noise multiplier; 0 for the smallest that fits the budget
	Noise float64
}

// Proposal is a scenario built for a wish, its result, and sentences on how it was chosen.
type Proposal struct {
	Scenario     *scenarios.Scenario
	Result       *scenarios.Result
	Errors       []float64 // 95 % error of one number by entry; 0 if it has none
	Fits         bool      // within the budget
	Choices      []string  // what was chosen, a sentence each
	Alternatives []string  // if it does not fit: what would, the smallest change first
}

// Planner computes plans; [plan.Planner] implements it.
type Planner interface {
	Evaluate(context.Context, *scenarios.Scenario, scenarios.Options) (*scenarios.Result, error)
	Plan(context.Context, *scenarios.Scenario, plan.Request) (plan.Result, error)
}

// delta returns a δ for n people: the largest power of ten that is at most 1 / 100 n. Below 1/n
// no record can be published whole; a hundredth leaves a margin.
func delta(n float64) float64 {
	d, err := strconv.ParseFloat(fmt.Sprintf("1e%d", int(math.Floor(-math.Log10(100*n)))), 64)
	if err != nil || !(d > 0) || d >= 1 {
		return 1e-3
	}
	for d > 1/(100*n) { // the logarithm may have been rounded
		d /= 10
	}
	return d
}

// peopleWord names what People counts.
func (w Wish) peopleWord() string {
	if slices.ContainsFunc(w.Releases, func(r Release) bool { return r.Kind == Training }) {
		return "examples"
	}
	return "people"
}

// Missing returns the first question that has no answer yet; "" if there is none.
func (w Wish) Missing() string {
	missing := ""
	need := func(asked bool, x float64, words string) {
		if missing == "" && asked && !(x > 0) {
			missing = words
		}
	}
	for _, r := range w.Releases {
		need(r.Kind == Totals, r.Change, "say how much one person can add to a total")
		need(r.Kind == Choice, r.Options, "say how many options there are to choose from")
		need(r.Kind == Survey, r.Options, "say how many answers there are to the question")
		need(r.Kind == Training, r.Epochs, "say how many epochs the training has")
		need(r.Kind == Training, r.Batch, "say how large a batch is")
		need(r.Kind == Training, float64(len(r.Batches)), "say how the batches are drawn: most loaders shuffle, and Poisson sampling costs far less")
	}
	need(true, float64(len(w.Releases)), "say what will be released")
	need(w.Delta == 0 || w.peopleWord() == "examples", w.People, "say how many "+w.peopleWord()+" are in the data: δ must stay below 1/n")
	need(true, w.Epsilon, "say what the total ε is: 1 is a common start")
	return missing
}

// Build chooses mechanisms, δ and noise for the wished releases so that they meet the budget, and evaluates the
// scenario. If nothing meets it, the plan says so and names changes that would. Its error names what the wish
// lacks.
func Build(ctx context.Context, ev Planner, w Wish) (*Proposal, error) {
	if missing := w.Missing(); missing != "" {
		return nil, errors.New(missing)
	}
	ctx = scenarios.NewEvaluator().Context(ctx) // plans and divisions of one wish ask for the same stacks
	s := scenarios.New()
	s.Name, s.Unit, s.Records = cmp.Or(w.Name, "A release of "+w.kinds()), w.Unit, w.People
	if w.Adjacency != "" { // a choice, which a referee need not ask for again
		s.StateAdjacency(w.Adjacency)
	}
	s.Budget = scenarios.Budget{Epsilon: w.Epsilon, Delta: w.Delta}
	if w.Delta == 0 {
		s.Budget.Delta = delta(w.People)
	}
	p, err := w.propose(ctx, ev, s)
	if err != nil {
		return nil, err
	}
	p.Choices = append(p.Choices, w.deltaWords(s.Budget.Delta))
	if !p.Fits {
		p.Alternatives = w.alternatives(ctx, ev, p)
	}
	if err := p.Scenario.Validate(); err != nil {
		return nil, err
	}
	return p, nil
}

// deltaWords says where δ comes from, and warns of one that is not below 1/n.
func (w Wish) deltaWords(delta float64) string {
	n := report.FormatGiven(w.People) + " " + w.peopleWord()
	switch {
	case w.Delta == 0:
		return fmt.Sprintf("δ = %s, at most a hundredth of 1/n for %s", report.FormatGiven(delta), n)
	case w.People > 0 && delta >= 1/w.People:
		return fmt.Sprintf("δ = %s as given, which is not below 1/n for %s: publishing one record at random would satisfy it", report.FormatGiven(delta), n)
	case w.People > 0:
		return fmt.Sprintf("δ = %s as given, below 1/n for %s", report.FormatGiven(delta), n)
	}
	return fmt.Sprintf("δ = %s as given; it should stay below 1/n for the number of people in the data", report.FormatGiven(delta))
}

func (p *Proposal) isBetter(other *Proposal) bool {
	if p.Fits != other.Fits {
		return p.Fits
	}
	if math.Abs(p.Errors[0]-other.Errors[0]) > 1e-2*other.Errors[0] {
		return p.Errors[0] < other.Errors[0]
	}
	return p.epsilon() < other.epsilon()
}

func (p *Proposal) epsilon() float64 { return p.Result.BestBound().Epsilon }

// evaluateProposal evaluates what was built.
func evaluateProposal(ctx context.Context, ev Planner, s *scenarios.Scenario, chose []string) (*Proposal, error) {
	r, err := ev.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	p := &Proposal{Scenario: s, Result: r, Choices: chose, Errors: make([]float64, len(s.Stack))}
	p.Fits = report.Fits(r.BestBound(), s.Budget.Epsilon)
	for i, e := range s.Stack {
		if a, err := s.WithSensitivity(&e).Accuracy(1); err == nil {
			p.Errors[i] = a.Each
		}
	}
	return p, nil
}
