package lectures

import (
	"strconv"
	"strings"

	"epsiloscope/report/sheet"
)

// DeckSheet lists the lectures, one per line.
func DeckSheet(list []Deck) *sheet.Sheet {
	statements := func(d Deck) (n int) {
		for _, t := range d.Topics {
			n += len(t.Statements)
		}
		return n
	}
	count := func(head string, of func(Deck) int) sheet.Column[Deck] {
		return sheet.Column[Deck]{Head: head, Align: sheet.Right, Show: func(d Deck) string {
			return strconv.Itoa(of(d))
		},
			Key: head, Value: func(d Deck) any { return of(d) }}
	}
	return sheet.NewSheet("", []sheet.Column[Deck]{
		sheet.Words("deck", "deck", func(d Deck) string { return d.Key }),
		count("topics", func(d Deck) int { return len(d.Topics) }),
		count("statements", statements),
		sheet.Words("author", "author", func(d Deck) string { return d.Author }),
		sheet.Words("title", "title", func(d Deck) string { return d.Title }),
	}, list)
}

// TopicSheet lists the topics of a lecture in the order of its slides, with what the remark on each is and where it is
// seen.
func TopicSheet(d Deck) *sheet.Sheet {
	return sheet.NewSheet("", []sheet.Column[Topic]{
		sheet.Words("slide", "slide", func(t Topic) string { return t.Number }),
		sheet.Words("topic", "topic", func(t Topic) string { return t.Slides }),
		sheet.Words("remark", "remark", func(t Topic) string { return string(t.Tag) }),
		sheet.Words("seen", "seen", func(t Topic) string {
			parts := make([]string, len(t.See))
			for i, l := range t.See {
				parts[i] = string(l)
			}
			return strings.Join(parts, ", ")
		}),
	}, d.Topics)
}
