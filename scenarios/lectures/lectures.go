// Package lectures is the index of the lecture decks the library follows: every
// topic in the order of the slides, what it teaches, which scenario, lab or screen
// shows it, and the right statement where a slide slips.
//
// Start with [Decks]. [Trace] turns the index round: for each row of the checklist
// of concepts, where the program shows it. [Markdown] writes the whole as the page
// docs/lectures.md.
package lectures

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// Deck is one lecture.
type Deck struct {
	Key    string  `yaml:"key"` // the author's name in lower case
	Author string  `yaml:"author"`
	Title  string  `yaml:"title"`
	Where  string  `yaml:"where"` // course and place
	Topics []Topic `yaml:"topics"`
}

// Topic is one slide, or a few that belong together.
type Topic struct {
	Slides  string   `yaml:"slides"`  // what the slides are about, in their order
	Concept string   `yaml:"concept"` // what is taught
	Tag     Tag      `yaml:"tag"`     // how the remark relates to the slide; "" if there is no slip
	Slip    string   `yaml:"slip"`    // what the slide says amiss or leaves open; "" if nothing
	Right   string   `yaml:"right"`   // the right statement, or what the slide leaves out
	See     []Link   `yaml:"see"`
	Covers  []string `yaml:"covers"` // identifiers of checklist rows
}

// Tag says what a remark on a slide is.
type Tag string

const (
	Corrected  Tag = "corrected"  // the slide's statement is wrong as it stands
	Completed  Tag = "completed"  // it is right, and leaves something out or says so itself
	Transcript Tag = "transcript" // a symbol that was most likely lost in transcribing the slide
)

// Link names something that shows a topic: "hair-colour" is a bundled scenario,
// "lab:erm" a lab, "screen:utility" a screen of the explorer.
type Link string

// Kind is "scenario", "lab" or "screen".
func (l Link) Kind() string {
	if kind, _, ok := strings.Cut(string(l), ":"); ok {
		return kind
	}
	return "scenario"
}

// Name is the link without its kind.
func (l Link) Name() string {
	if _, name, ok := strings.Cut(string(l), ":"); ok {
		return name
	}
	return string(l)
}

// Section is a part of the checklist: everything the decks contain, by subject
// instead of by slide.
type Section struct {
	Title string
	Rows  []Row
}

// Row is one item of the checklist and where it is shown.
type Row struct {
	ID   string // "advanced-composition"
	Item string // "advanced composition"
	// Decks that cover the row, by key, and what shows it there: the union over
	// their topics, each named once.
	Decks []string
	See   []Link
}

//go:embed index.yaml
var source []byte

type index struct {
	Checklist []struct {
		Section string        `yaml:"section"`
		Rows    yaml.MapSlice `yaml:"rows"`
	} `yaml:"checklist"`
	Decks []Deck `yaml:"decks"`
}

// read decodes the embedded index once. It is part of the program and covered by
// its tests, so a mistake in it is not a user's to handle.
var read = sync.OnceValue(func() index {
	var x index
	if err := yaml.UnmarshalWithOptions(source, &x, yaml.Strict()); err != nil {
		panic("the embedded lecture index does not decode: " + err.Error())
	}
	return x
})

// Decks lists the lectures, each with its topics in the order of the slides.
func Decks() []Deck { return read().Decks }
