package share

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/teach/exercises"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
)

// The page of a deck is well-formed, has every topic, remark, proof and exercise of the tables, and each kind of chart
// that a topic names. It asks for nothing from outside.
func TestLecturePages(t *testing.T) {
	decks := lectures.Decks()
	if !gauge.All() { // the labs of this one are soon run
		decks = slices.DeleteFunc(slices.Clone(decks), func(d lectures.Deck) bool { return d.Key != "gaboardi" })
	}
	for _, d := range decks {
		var b strings.Builder
		if err := LecturePage(context.Background(), &b, d); err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
			if !strings.Contains(b.String(), `id="`+link[1]+`"`) {
				t.Errorf("%s links to %s, which is not on the page", d.Key, link[1])
			}
		}
		text := plainText(t, b.String())
		want := []string{d.Author, "Not on the slides: what is known today"}
		for _, topic := range d.Topics {
			want = append(want, topic.Slides, topic.Concept, topic.Slip, topic.Correction)
		}
		for _, p := range proofs.All() {
			if p.Deck == d.Key {
				want = append(want, p.Title)
			}
		}
		for _, e := range exercises.Library() {
			if e.Deck == d.Key {
				want = append(want, e.Question, e.Hint)
			}
		}
		for _, w := range want {
			if !strings.Contains(text, plainText(t, "<p>"+string(typeset(w))+"</p>")) {
				t.Errorf("%s: the page lacks %q", d.Key, w)
			}
		}
		if strings.Count(b.String(), "<svg") < 2 || strings.Contains(b.String(), "<script") || strings.Contains(b.String(), "src=") ||
			strings.Contains(b.String(), "url(") {
			t.Errorf("%s: %d charts, or something from outside", d.Key, strings.Count(b.String(), "<svg"))
		}
	}
}

// plainText returns the text of a page that is well-formed XML.
func plainText(t *testing.T, page string) string {
	t.Helper()
	var text strings.Builder
	for in := xml.NewDecoder(strings.NewReader(page)); ; {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		if words, ok := token.(xml.CharData); ok {
			text.Write(words)
		}
	}
}

// A page that could not be finished is not written in part.
func TestLecturePageWholeOrNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var b strings.Builder
	if err := LecturePage(ctx, &b, lectures.Decks()[0]); err == nil || b.Len() > 0 {
		t.Errorf("%v after %d bytes", err, b.Len())
	}
}

// Every proof that a deck prints is on its page, whoever else's deck it is filed under.
func TestPagesHoldTheProofsOfTheirDecks(t *testing.T) {
	for deck, proof := range map[string]lectures.Link{
		"bellet": "proof:exponential-utility", "park": "proof:laplace-privacy", "bassi": "proof:adaptive-composition", "gaboardi": "proof:advanced-composition",
	} {
		for _, d := range lectures.Decks() {
			if d.Key == deck && !slices.Contains(linksOfKind(d, "proof"), proof) {
				t.Errorf("the page of %s has no %s", deck, proof)
			}
		}
	}
}
