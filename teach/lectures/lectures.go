// Package lectures is the index of the lecture decks: every topic in the order of the
// slides, what it teaches, which scenario, lab or screen shows it, and the correct
// statement if a slide is wrong.
//
// Start with [Decks]. The page docs/lectures.md is made from the same index.
package lectures

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"epsiloscope/accounting"
)

// Deck is a lecture.
type Deck struct {
	Key    string  `yaml:"key" json:"key,omitempty"` // the author's name in lower case
	Author string  `yaml:"author" json:"author,omitempty"`
	Title  string  `yaml:"title" json:"title,omitempty"`
	Place  string  `yaml:"where" json:"where,omitempty"` // course and place
	Topics []Topic `yaml:"topics" json:"topics,omitempty"`
}

// Topic is a slide, or a few that belong together.
type Topic struct {
	Slides     string      `yaml:"slides" json:"slides,omitempty"`   // what the slides are about, in their order
	Number     string      `yaml:"number" json:"number,omitempty"`   // of the slides, counted from the title, overlays once; "" if it is on none
	Concept    string      `yaml:"concept" json:"concept,omitempty"` // what is taught
	Tag        Tag         `yaml:"tag" json:"tag,omitempty"`         // how the remark relates to the slide; "" if there is no slip
	Slip       string      `yaml:"slip" json:"slip,omitempty"`       // what the slide states wrongly or leaves open; "" if nothing
	Correction string      `yaml:"right" json:"right,omitempty"`     // the right statement, or what the slide leaves out
	See        []Link      `yaml:"see" json:"see,omitempty"`
	Covers     []string    `yaml:"covers" json:"covers,omitempty"` // identifiers of checklist rows
	Statements []Statement `yaml:"taught" json:"taught,omitempty"` // everything the slides state, in their order
}

// Statement is a statement of a slide: a definition, a theorem, an example.
type Statement struct {
	Kind Kind   `yaml:"kind" json:"kind,omitempty"`
	Says string `yaml:"says" json:"says,omitempty"`
	See  Link   `yaml:"see" json:"see,omitempty"` // one of the topic's links; "" if there is nothing to open
	// for a scenario or a screen: the method whose bound there is the statement's value; "" if none is
	Method string `yaml:"by" json:"by,omitempty"`
	// Value is the bound of Method in four digits, rounded up; 0 if Method is "". It was read off this program, so the
	// test that computes it again notices a change and no more: what makes it right is the scenario's own expectation,
	// which names its source.
	Value float64 `yaml:"value" json:"value,omitempty"`
}

// Kind is the slide's name for a statement: a definition, a theorem, …
type Kind string

const (
	Definition Kind = "definition"
	Theorem    Kind = "theorem"
	Proof      Kind = "proof"
	Algorithm  Kind = "algorithm"
	Example    Kind = "example"
	Figure     Kind = "figure"
	Remark     Kind = "remark"
)

// Treatment says how the program shows the statement: computed, drawn, run, or described in words. A scenario or a
// screen computes a statement only if Method names the bound that is its value.
func (t Statement) Treatment() string {
	kind := t.See.Kind()
	switch {
	case t.See == "":
		return "described"
	case kind == "chart":
		return "drawn"
	case kind == "lab":
		return "run"
	case kind == "proof" || t.Method != "":
		return "computed"
	}
	return "described"
}

// Tag says what a remark on a slide is.
type Tag string

const (
	Corrected  Tag = "corrected"  // the slide's statement is wrong as it stands
	Completed  Tag = "completed"  // it is right, and leaves something out or says so itself
	Transcript Tag = "transcript" // a symbol that was most likely lost in transcribing the slide
)

// Link names something that shows a topic: "hair-colour" is a bundled scenario,
// "lab:erm" a lab, "chart:renyi" a chart, "screen:plan" a screen of the explorer,
// "proof:privacy-loss" a proof and "exercise:park" the questions on a deck.
type Link string

// Kind returns "scenario", "lab", "chart", "screen", "proof" or "exercise".
func (l Link) Kind() string {
	if kind, _, ok := strings.Cut(string(l), ":"); ok {
		return kind
	}
	return "scenario"
}

// Name returns the link without its kind.
func (l Link) Name() string {
	if _, name, ok := strings.Cut(string(l), ":"); ok {
		return name
	}
	return string(l)
}

// Place returns where a topic is in its deck, "slide 6" or "slides 3–4"; "" if it is on no slide.
func (t Topic) Place() string {
	switch {
	case t.Number == "":
		return ""
	case strings.Contains(t.Number, "–"):
		return "slides " + t.Number
	default:
		return "slide " + t.Number
	}
}

// Scenario returns the first scenario that shows the topic: its charts, screens and proofs
// are about it. "" if there is none.
func (t Topic) Scenario() string {
	for _, l := range t.See {
		if l.Kind() == "scenario" {
			return l.Name()
		}
	}
	return ""
}

// MainLink returns what shows the topic best: the first link that is more than a scenario, else
// the first.
func (t Topic) MainLink() Link {
	for _, l := range t.See {
		if l.Kind() != "scenario" {
			return l
		}
	}
	return t.See[0]
}

// Methods returns the methods whose bounds are values of the topic's statements.
func (t Topic) Methods() []accounting.Method {
	var list []accounting.Method
	for _, stated := range t.Statements {
		if m := accounting.Method(stated.Method); m != "" && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// Label names what the remark does to the slide: "Corrected", or "Note" where nothing
// is amiss.
func (t Topic) Label() string {
	if t.Tag == "" {
		return "Note"
	}
	return strings.ToUpper(string(t.Tag[:1])) + string(t.Tag[1:])
}

//go:embed decks.json
var source []byte

// Decks lists the lectures, each with its topics in the order of the slides.
func Decks() []Deck { return decode() }

// decode decodes the decks once. decks.json holds the content of index.yaml, because JSON takes a twentieth of the
// time; a test keeps the two equal.
var decode = sync.OnceValue(func() (decks []Deck) {
	if err := json.Unmarshal(source, &decks); err != nil {
		panic("the embedded decks do not decode: " + err.Error())
	}
	return decks
})
