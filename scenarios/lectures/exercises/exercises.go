// Package exercises asks questions on the lectures and checks the reader's answers
// with the engine: no answer is written down, each is computed when it is asked for.
//
// [Bundled] has the questions that come with the program, [Load] reads a lecturer's
// own from a file of the same form, and [Exercise.Check] judges a reply.
package exercises

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/lectures"
)

// Exercise is one question.
type Exercise struct {
	Deck      string        `yaml:"deck"` // key of a lecture, or any word in a lecturer's own file
	Question  string        `yaml:"question"`
	Scenario  string        `yaml:"scenario"` // a bundled scenario, or a file beside the questions
	Ask       Ask           `yaml:"ask"`
	Tolerance float64       `yaml:"tolerance"` // relative; 0 means one per cent, and exact for whole numbers and words
	Hint      string        `yaml:"hint"`
	See       lectures.Link `yaml:"see"` // what explains the answer
}

// Ask says how the engine answers. Exactly one of its fields is given.
type Ask struct {
	Bound string `yaml:"bound"` // ε by this method
	Best  bool   `yaml:"best"`  // the method with the smallest bound
	Order bool   `yaml:"order"` // the Rényi order α that gives the smallest ε
	Plan  *Plan  `yaml:"plan"`  // the unknown that just meets the budget
	Error int    `yaml:"error"` // error of entry N at 95 %
}

// Plan is a planning question.
type Plan struct {
	Solve  string `yaml:"solve"`
	Entry  int    `yaml:"entry"`
	Method string `yaml:"method"`
}

//go:embed exercises.yaml
var source []byte

// Bundled lists the questions that come with the program, deck by deck.
func Bundled() []Exercise { return bundled() }

var bundled = sync.OnceValue(func() []Exercise {
	list, err := parse(source)
	if err != nil {
		panic("the embedded exercises do not decode: " + err.Error())
	}
	return list
})

// Load reads a file of questions. Every mistake is an error that names the question.
func Load(path string) ([]Exercise, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

func parse(text []byte) ([]Exercise, error) {
	var file struct {
		Exercises []Exercise `yaml:"exercises"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&file); err != nil {
		return nil, errors.New(strings.SplitN(err.Error(), "\n", 2)[0])
	}
	if len(file.Exercises) == 0 {
		return nil, errors.New("there are no exercises in it")
	}
	for i, e := range file.Exercises {
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("exercise %d: %w", i+1, err)
		}
	}
	return file.Exercises, nil
}

// check refuses a question that could not be answered.
func (e Exercise) check() error {
	asked := 0
	for _, given := range []bool{e.Ask.Bound != "", e.Ask.Best, e.Ask.Order, e.Ask.Plan != nil, e.Ask.Error != 0} {
		if given {
			asked++
		}
	}
	switch {
	case strings.TrimSpace(e.Question) == "":
		return errors.New("question: must not be empty")
	case e.Scenario == "":
		return errors.New("scenario: must name a bundled scenario or a file")
	case asked != 1:
		return fmt.Errorf("ask: give one of bound, best, order, plan, error; got %d", asked)
	case !(e.Tolerance >= 0 && e.Tolerance < 1):
		return fmt.Errorf("tolerance: must be at least 0 and below 1, got %v", e.Tolerance)
	}
	return nil
}

// scenario opens what the question is about.
func (e Exercise) scenario() (*scenarios.Scenario, error) {
	return scenarios.LoadNamed(e.Scenario, nil)
}
