// Package labs runs the algorithms of the lectures on generated data, so that a
// reader can watch a theorem being true.
//
// Start with [All], which lists the experiments, and [Run], which runs one. A run is
// a pure function of its parameters and its seed. Labs draw their noise from the
// mechanisms of package mechanisms: what is simulated is what is accounted for.
//
// The random numbers here are for illustration only, not for releasing data: floating-point
// noise leaks through its low bits (Mironov 2012).
package labs

import (
	"context"
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Warning stands under every lab that draws noise.
const Warning = "For illustration only, not for releasing data: floating-point noise leaks (Mironov 2012)."

// Lab is an experiment.
type Lab struct {
	Name    string // as on the command line: "differencing"
	Title   string
	Summary string // one line
	Decks   string // whose lectures it comes from; "" if it goes beyond them
	Paper   string // what it comes from instead, if that is one paper
	Params  []param.Param
	// Adjacency is the deck's neighbouring relation, which the sensitivities of the run hold for; Unit
	// is whose data one record is.
	Adjacency mechanisms.Adjacency
	Unit      string
	run       func(*trial)
}

// All lists the labs in the order of a course.
func All() []Lab {
	return []Lab{
		differencing, randomizedResponse, laplaceCounts, exponential, laplaceVsExponential, selectionLab,
		sparseVector, median, thresholdout, adaptiveGaussian, generalization, erm, composition, dpSGD,
		shuffledBatches, shuffledSurvey, frequencyOracles, survivingGroups, runningSums, tuning, naturalFilter,
		odometers, stoppingEarly, selfAudit,
	}
}

// Lookup returns a lab by its name; false if there is none.
func Lookup(name string) (Lab, bool) {
	for _, l := range All() {
		if l.Name == name {
			return l, true
		}
	}
	return Lab{}, false
}

// Origin names the lectures or the paper that the lab comes from.
func (l Lab) Origin() string {
	switch {
	case l.Decks != "":
		return "From the lectures of " + l.Decks
	case l.Paper != "":
		return "Beyond the decks: " + l.Paper
	}
	return "Beyond the decks"
}

// Options of a run. Progress may be nil; it is called from the running goroutine
// with the fraction done.
type Options struct {
	Seed     uint64
	Values   param.Values
	Progress func(fraction float64)
}

// Run runs the named lab. It fails on a parameter out of its range, and stops with
// the context's error when that ends. A fault of the program is an [accounting.InternalError].
func Run(ctx context.Context, name string, opt Options) (out *Outcome, err error) {
	lab, ok := Lookup(name)
	if !ok {
		var names []string
		for _, l := range All() {
			names = append(names, l.Name)
		}
		return nil, fmt.Errorf("unknown lab %q; the labs are %s", name, strings.Join(names, ", "))
	}
	values, err := lab.fill(opt.Values)
	if err != nil {
		return nil, err
	}
	s := &trial{
		ctx: ctx, values: values, seed: opt.Seed, progress: opt.Progress,
		out: &Outcome{Lab: lab, Seed: opt.Seed, Values: values, Adjacency: lab.Adjacency},
	}
	if err := accounting.Recover(ctx, func(ctx context.Context) error {
		s.ctx = ctx
		return s.run()
	}); err != nil {
		return nil, err
	}
	return s.out, nil
}

// run runs the lab to its end, or until it stops with an error.
func (s *trial) run() (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			err = r.err
		default:
			panic(r)
		}
	}()
	s.out.Lab.run(s)
	return nil
}

// fill checks the values given and adds the defaults.
func (l Lab) fill(given param.Values) (param.Values, error) {
	spec := mechanisms.Spec{Name: l.Name, Params: l.Params}
	if wrong := mechanisms.Check(spec, given); len(wrong) > 0 {
		return nil, wrong[0]
	}
	values := given.Clone()
	for _, p := range l.Params {
		if !values.Has(p.Name) {
			values[p.Name] = p.Default
		}
	}
	return values, nil
}

// number, whole and choice declare parameters with a default.
func number(name, symbol, help string, def, min, max float64) param.Param {
	return param.Param{
		Name: name, Symbol: symbol, Help: help, Type: param.Number, Min: min, Max: max,
		Optional: true, Default: param.NumberValue(def), Initial: param.NumberValue(def), Step: 1.25, Log: min > 0,
	}
}

func whole(name, symbol, help string, def, min, max float64) param.Param {
	p := number(name, symbol, help, def, min, max)
	p.Type = param.Whole
	p.Default, p.Initial = param.WholeValue(def), param.WholeValue(def)
	if !p.Log {
		p.Step = 1
	}
	return p
}

func choice(name, help string, words ...string) param.Param {
	return param.Param{
		Name: name, Symbol: name, Help: help, Type: param.Choice, Choices: words,
		Optional: true, Default: param.ChoiceValue(words[0]), Initial: param.ChoiceValue(words[0]),
	}
}

// epsilonValue returns the one-parameter value set most items need.
func epsilonValue(epsilon float64) param.Values {
	return param.Values{"epsilon": param.NumberValue(epsilon)}
}
