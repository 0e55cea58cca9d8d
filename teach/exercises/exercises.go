// Package exercises asks questions on the lectures and checks the reader's answers
// with the engine: no answer is stored, each is computed when it is needed.
//
// [Library] has the questions that come with the program, [Load] reads a lecturer's
// own from a file of the same form, and [Exercise.Check] judges a reply.
package exercises

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/lectures"
)

// Exercise is a question.
type Exercise struct {
	Deck      string        `yaml:"deck"`  // key of a lecture, or any word in a lecturer's own file
	Title     string        `yaml:"title"` // a few words for a list; without them the question stands there
	Question  string        `yaml:"question"`
	Scenario  string        `yaml:"scenario"` // a bundled scenario, or a file beside the questions
	Ask       Ask           `yaml:"ask"`
	Also      string        `yaml:"also"`      // a method of the deck whose bound or order is right too
	Tolerance float64       `yaml:"tolerance"` // relative; 0 means one per cent, and exact for whole numbers and words
	Hint      string        `yaml:"hint"`
	See       lectures.Link `yaml:"see"` // what explains the answer

	folder string // of the file it is from; "" for a bundled one
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

// Library lists the questions that come with the program, deck by deck.
func Library() []Exercise { return bundled() }

var bundled = sync.OnceValue(func() []Exercise {
	list, err := parse("exercises.yaml", source, "")
	if err != nil {
		panic("the embedded exercises do not decode: " + err.Error())
	}
	return list
})

// maxFileSize is the largest size of a file of questions.
const maxFileSize = 1 << 20

// Load reads a file of questions; scenarios they name may be files beside it. Every
// mistake is an error that names the question and its line.
func Load(path string) ([]Exercise, error) {
	text, err := disk.Read(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %s", path, disk.Reason(err))
	case len(text) > maxFileSize:
		return nil, fmt.Errorf("%s: larger than %d bytes", path, maxFileSize)
	}
	return parse(path, text, filepath.Dir(path))
}

// parse reads the questions of a file. Those from a folder are a lecturer's own: the scenarios they name
// are opened to check that they exist.
func parse(name string, text []byte, folder string) ([]Exercise, error) {
	var file struct {
		Exercises []Exercise `yaml:"exercises"`
	}
	if err := format.Unmarshal(name, text, &file); err != nil {
		return nil, err
	}
	if len(file.Exercises) == 0 {
		return nil, fmt.Errorf("%s: there are no exercises in it", name)
	}
	for i := range file.Exercises {
		e := &file.Exercises[i]
		e.folder = folder
		err := e.check()
		if err == nil && folder != "" {
			err = e.checkNames()
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: exercise %d: %w", name, lineOf(text, i), i+1, err)
		}
	}
	return file.Exercises, nil
}

// lineOf returns the line on which a question of a text that was read begins.
func lineOf(text []byte, i int) int {
	doc, err := yamltree.Read(text)
	if err != nil {
		return 0
	}
	line, _ := doc.Position(doc.Root.Find(format.WithIndex("exercises", i)).Start)
	return line
}

// checkNames refuses a question about a scenario that does not open, or by a theorem that
// does not exist.
func (e Exercise) checkNames() error {
	s, err := e.LoadScenario()
	if err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	method, entry := e.Ask.Bound, e.Ask.Error
	if e.Ask.Plan != nil {
		method, entry = e.Ask.Plan.Method, e.Ask.Plan.Entry
	}
	for _, m := range []string{method, e.Also} {
		if _, known := accounting.TheoremOf(accounting.Method(m)); m != "" && !known {
			return fmt.Errorf("ask: there is no method called %q", m)
		}
	}
	if p := e.Ask.Plan; p != nil && !slices.Contains(plan.Solvable, p.Solve) {
		return fmt.Errorf("ask: plan solves for %s, not for %q", strings.Join(plan.Solvable, ", "), p.Solve)
	}
	if entry < 0 || entry > len(s.Stack) {
		return fmt.Errorf("ask: the stack has no entry %d", entry)
	}
	return nil
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
	case e.Also != "" && e.Ask.Bound == "" && !e.Ask.Order:
		return errors.New("also: goes with bound or order only")
	case !(e.Tolerance >= 0 && e.Tolerance < 1):
		return fmt.Errorf("tolerance: must be at least 0 and below 1, got %v", e.Tolerance)
	}
	return nil
}

// ScenarioPath returns the path or the name of the bundled scenario that the question is about.
func (e Exercise) ScenarioPath() string {
	if path, ok := e.fileBeside(); ok {
		return path
	}
	return e.Scenario
}

// fileBeside returns the path of the scenario that the question names if it is a file in the folder of the questions or
// below; ok is false if it is none.
func (e Exercise) fileBeside() (path string, ok bool) {
	if e.folder == "" || !filepath.IsLocal(e.Scenario) {
		return "", false
	}
	root, err := os.OpenRoot(e.folder) // follows no link that leaves the folder
	if err != nil {
		return "", false
	}
	defer root.Close()
	info, err := root.Stat(e.Scenario)
	return filepath.Join(e.folder, e.Scenario), err == nil && info.Mode().IsRegular()
}

// LoadScenario opens what the question is about: a file beside the questions or a bundled scenario. A path that leads
// elsewhere is refused, so that a file of questions from another person opens nothing else.
func (e Exercise) LoadScenario() (*scenarios.Scenario, error) {
	if path, ok := e.fileBeside(); ok {
		return scenarios.LoadNamed(path, nil)
	}
	asked := func(info scenarios.Info) bool { return info.Name == e.Scenario }
	if slices.ContainsFunc(scenarios.LibraryInfos(), asked) {
		return scenarios.LoadBundled(e.Scenario)
	}
	return nil, fmt.Errorf("%q is neither a bundled scenario nor a file in the folder of the questions", e.Scenario)
}
