package lectures

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/template"

	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"

	"epsiloscope/scenarios"
	"epsiloscope/teach/proofs"
)

//go:embed page.md.tmpl
var page string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{
	"next":   func(i int) int { return i + 1 },
	"join":   strings.Join,
	"text":   func(s string) string { return strings.ReplaceAll(s, "*", "\\*") }, // a star in a formula starts no emphasis
	"cell":   func(s string) string { return strings.ReplaceAll(s, "|", "\\|") }, // nor does a bar end a column
	"link":   func(l Link) string { return links([]Link{l}) },
	"links":  links,
	"number": stepShown,
}).Parse(page))

// WordsOf returns the words by which a statement is found in the proof that it links to.
var WordsOf func(see Link, says string) string

// stepShown returns the step of a proof that shows a statement, with its two sides on the scenario of the topic; "" if
// the statement links to no proof.
func stepShown(t Topic, x Statement) (string, error) {
	if x.See.Kind() != "proof" {
		return "", nil
	}
	p, _ := proofs.Lookup(x.See.Name())
	var s *scenarios.Scenario
	if name := t.Scenario(); name != "" {
		var err error
		if s, err = scenarios.LoadBundled(name); err != nil {
			return "", err
		}
	}
	words := WordsOf(x.See, x.Says)
	for i, step := range p.WithNumbers(s).Steps {
		if strings.Contains(step.Says+step.Left.Formula+step.Right.Formula, words) {
			left, right := step.Values()
			if !step.Holds() {
				return fmt.Sprintf("step %d: %s %s %s does not hold", i+1, left, step.Relation, right), nil
			}
			return fmt.Sprintf("step %d: %s %s %s", i+1, left, step.Relation, right), nil
		}
	}
	return "", nil // shown by the proof's title or by what it is about
}

func links(list []Link) string {
	parts := make([]string, len(list))
	for i, l := range list {
		parts[i] = "`" + l.Name() + "`"
		if l.Kind() != "scenario" {
			parts[i] = l.Kind() + " " + parts[i]
		}
	}
	return strings.Join(parts, ", ")
}

// Markdown returns the index as the page docs/lectures.md: the decks, everything they state, the
// checklist.
func Markdown() (string, error) {
	shown := map[string]int{}
	for _, d := range readIndex().Decks {
		for _, t := range d.Topics {
			for _, x := range t.Statements {
				shown["all"]++
				shown[x.Treatment()]++
			}
		}
	}
	var b strings.Builder
	err := layout.Option("missingkey=error").Execute(&b, map[string]any{"Decks": readIndex().Decks, "Trace": Trace(), "Shown": shown})
	return b.String(), err
}

// Section is a part of the checklist: everything the decks contain, by subject
// instead of by slide.
type Section struct {
	Title string
	Rows  []Row
}

// Row is an item of the checklist and where it is shown.
type Row struct {
	ID   string // "advanced-composition"
	Item string // "advanced composition"
	// Decks that cover the row, by key, and what shows it there: the union over
	// their topics, each named once.
	Decks []string
	See   []Link
}

type index struct {
	Checklist []struct {
		Section string         `yaml:"section"`
		Rows    *yamltree.Node `yaml:"rows"` // names and items in their order
	} `yaml:"checklist"`
	Decks []Deck `yaml:"decks"`
}

// readIndex decodes index.yaml, from which the page and the program's own decks are made.
func readIndex() (x index) {
	text, err := os.ReadFile("index.yaml")
	if err == nil {
		err = format.Unmarshal("index.yaml", text, &x)
	}
	if err != nil {
		panic(err)
	}
	return x
}

// IndexedDecks returns the decks of index.yaml as JSON.
func IndexedDecks() ([]byte, error) {
	text, err := json.MarshalIndent(readIndex().Decks, "", " ")
	return append(text, '\n'), err
}

// Trace lists the checklist with the places that show each row.
func Trace() []Section {
	x := readIndex()
	var sections []Section
	for _, part := range x.Checklist {
		s := Section{Title: part.Section}
		for _, item := range part.Rows.Pairs {
			row := Row{ID: item.Key.Text, Item: item.Value.Text}
			row.gather(x.Decks)
			s.Rows = append(s.Rows, row)
		}
		sections = append(sections, s)
	}
	return sections
}

// gather fills in the decks and links of a row from the topics that cover it.
func (r *Row) gather(decks []Deck) {
	for _, d := range decks {
		for _, t := range d.Topics {
			if !slices.Contains(t.Covers, r.ID) {
				continue
			}
			if !slices.Contains(r.Decks, d.Key) {
				r.Decks = append(r.Decks, d.Key)
			}
			for _, l := range t.See {
				if !slices.Contains(r.See, l) {
					r.See = append(r.See, l)
				}
			}
		}
	}
}
