package lectures_test

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/teach/labs"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
)

var _ = flag.Bool("update", false, "rewrite docs/lectures.md and decks.json") // read by gauge.CompareDocument

func bundled() map[string]string {
	names := map[string]string{}
	for _, info := range scenarios.LibraryInfos() {
		names[info.Name] = info.Group
	}
	return names
}

// The screens are checked by the explorer, which has the list of them.
func TestLinksLeadSomewhere(t *testing.T) {
	known := bundled()
	for _, d := range lectures.Decks() {
		for _, topic := range d.Topics {
			if len(topic.See) == 0 {
				t.Errorf("%s, %s: nothing shows it", d.Key, topic.Slides)
			}
			for _, l := range topic.See {
				ok := false
				switch l.Kind() {
				case "scenario":
					_, ok = known[l.Name()]
				case "lab":
					_, ok = labs.Lookup(l.Name())
				case "chart":
					_, err := chart.FindKind(l.Name())
					ok = err == nil
				case "proof":
					_, ok = proofs.Lookup(l.Name())
				case "exercise":
					ok = l.Name() == d.Key
				case "screen":
					ok = l.Name() != ""
				}
				if !ok {
					t.Errorf("%s, %s: no %s is called %q", d.Key, topic.Slides, l.Kind(), l.Name())
				}
			}
		}
	}
}

// Every slide's statements are listed, and each link of one is a link of its topic, which
// the explorer's tests open.
func TestTaughtIsLinked(t *testing.T) {
	kinds := []lectures.Kind{lectures.Definition, lectures.Theorem, lectures.Proof, lectures.Algorithm,
		lectures.Example, lectures.Figure, lectures.Remark}
	total := 0
	for _, d := range lectures.Decks() {
		last := 0
		for _, topic := range d.Topics {
			if (topic.Number == "") != strings.HasPrefix(topic.Slides, "Not on the slides") {
				t.Errorf("%s, %s: on slide %q", d.Key, topic.Slides, topic.Number)
			}
			if topic.Number != "" {
				first, _, _ := strings.Cut(topic.Number, "–")
				n, err := strconv.Atoi(first)
				if err != nil || n < last {
					t.Errorf("%s, %s: slide %q comes after %d", d.Key, topic.Slides, topic.Number, last)
				}
				last = n
			}
			if len(topic.Statements) == 0 && topic.Number != "" && topic.Slides != "References" {
				t.Errorf("%s, %s: none of its statements is listed", d.Key, topic.Slides)
			}
			for _, x := range topic.Statements {
				total++
				if !slices.Contains(kinds, x.Kind) || x.Says == "" {
					t.Errorf("%s, %s: %+v", d.Key, topic.Slides, x)
				}
				if x.See != "" && !slices.Contains(topic.See, x.See) {
					t.Errorf("%s, %s: %q is not a link of the topic", d.Key, topic.Slides, x.See)
				}
				if x.Kind == lectures.Proof && x.See != "" && x.See.Kind() != "proof" && x.See != "screen:why" {
					t.Errorf("%s, %s: the proof %q is shown by %s", d.Key, topic.Slides, x.Says, x.See)
				}
			}
		}
	}
	if total < 300 {
		t.Errorf("%d statements; the decks have more than 300", total)
	}
}

func TestEveryChecklistRowIsShown(t *testing.T) {
	rows := map[string]bool{}
	for _, s := range lectures.Trace() {
		for _, r := range s.Rows {
			if rows[r.ID] {
				t.Errorf("row %s is listed twice", r.ID)
			}
			rows[r.ID] = true
			if len(r.Decks) == 0 || len(r.See) == 0 {
				t.Errorf("row %s (%s) is covered by no topic", r.ID, r.Item)
			}
		}
	}
	for _, d := range lectures.Decks() {
		for _, topic := range d.Topics {
			for _, id := range topic.Covers {
				if !rows[id] {
					t.Errorf("%s, %s: covers %q, which is no row of the checklist", d.Key, topic.Slides, id)
				}
			}
		}
	}
	if len(rows) < 90 {
		t.Errorf("the checklist has %d rows; the decks have more than 90", len(rows))
	}
}

// The last topic of a deck says what is known today, with one scenario, its one chart, values that
// TestFiguresOfTheIndex recomputes, and sources with their years.
func TestEveryDeckHasAClosingPage(t *testing.T) {
	year := regexp.MustCompile(`\b(19|20)\d\d\b`)
	for _, d := range lectures.Decks() {
		last := d.Topics[len(d.Topics)-1]
		if last.Slides != "Not on the slides: what is known today" || last.Number != "" {
			t.Errorf("%s: the last topic is %q", d.Key, last.Slides)
		}
		charts, scenario := 0, ""
		for _, l := range last.See {
			switch l.Kind() {
			case "chart":
				charts++
			case "scenario":
				scenario += l.Name()
			}
		}
		if charts != 1 || bundled()[scenario] != "lectures" {
			t.Errorf("%s: %d charts of %q", d.Key, charts, scenario)
		}
		if n := len(decimal.FindAllString(last.Concept, -1)); n < 2 {
			t.Errorf("%s: %d values", d.Key, n)
		}
		if n := len(year.FindAllString(last.Correction, -1)); n < 2 {
			t.Errorf("%s: %d sources", d.Key, n)
		}
	}
}

// A lecture scenario or a lab that no topic names would never be found from a deck.
// The welcome scenario belongs to no deck.
func TestEveryLectureScenarioAndLabIsIndexed(t *testing.T) {
	named := map[lectures.Link]bool{}
	for _, d := range lectures.Decks() {
		for _, topic := range d.Topics {
			for _, l := range topic.See {
				named[l] = true
			}
		}
	}
	for name, group := range bundled() {
		if group == "lectures" && name != "welcome" && !named[lectures.Link(name)] {
			t.Errorf("no topic leads to the scenario %s", name)
		}
	}
	for _, lab := range labs.All() {
		if !named[lectures.Link("lab:"+lab.Name)] {
			t.Errorf("no topic leads to the lab %s", lab.Name)
		}
	}
}

// A slip without the right statement would leave the reader worse off, and every slip
// says which kind it is.
func TestSlipsAreCorrected(t *testing.T) {
	for _, d := range lectures.Decks() {
		for _, topic := range d.Topics {
			if topic.Concept == "" || topic.Slides == "" {
				t.Errorf("%s: a topic without title or concept: %+v", d.Key, topic)
			}
			if topic.Slip != "" && topic.Correction == "" {
				t.Errorf("%s, %s: a slip without its correction", d.Key, topic.Slides)
			}
			known := topic.Tag == lectures.Corrected || topic.Tag == lectures.Completed ||
				topic.Tag == lectures.Transcript
			if known != (topic.Slip != "") {
				t.Errorf("%s, %s: tag %q, slip %q", d.Key, topic.Slides, topic.Tag, topic.Slip)
			}
		}
	}
}

func TestPageIsUpToDate(t *testing.T) {
	made, err := lectures.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	gauge.CompareDocument(t, "../../docs/lectures.md", made, gauge.Markdown)
}

// The decks of the program are those of the index.
func TestDecksAreUpToDate(t *testing.T) {
	made, err := lectures.IndexedDecks()
	if err != nil {
		t.Fatal(err)
	}
	gauge.CompareDocument(t, "decks.json", string(made), regexp.MustCompile(`^( +)"(?:key|slides)": "(.+)",$`))
}

func TestTrace(t *testing.T) {
	for _, s := range lectures.Trace() {
		for _, r := range s.Rows {
			if r.ID == "bob" {
				if got := fmt.Sprint(r.Item, r.Decks, r.See[0]); got != "Bob in 10,000 databases[bassi]bob-10000" {
					t.Error(got)
				}
				return
			}
		}
	}
	t.Error("the checklist has no bob")
}

func TestPlace(t *testing.T) {
	for number, want := range map[string]string{"": "", "6": "slide 6", "3–4": "slides 3–4"} {
		if got := (lectures.Topic{Number: number}).Place(); got != want {
			t.Errorf("%q: %q, want %q", number, got, want)
		}
	}
}
