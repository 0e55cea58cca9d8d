package sheet

import (
	"strconv"
	"strings"

	"epsiloscope/teach/lectures"
)

// Decks lists the lectures, one per line.
func Decks(list []lectures.Deck) *Sheet {
	statements := func(d lectures.Deck) (n int) {
		for _, t := range d.Topics {
			n += len(t.Statements)
		}
		return n
	}
	number := func(head, key string, of func(lectures.Deck) int) Column[lectures.Deck] {
		return Column[lectures.Deck]{Head: head, Align: Right, Show: func(d lectures.Deck) string { return strconv.Itoa(of(d)) }, Key: key, Value: func(d lectures.Deck) any { return of(d) }}
	}
	word := func(head string, of func(lectures.Deck) string) Column[lectures.Deck] {
		return Column[lectures.Deck]{Head: head, Show: of, Key: head, Value: func(d lectures.Deck) any { return of(d) }}
	}
	return NewSheet("", []Column[lectures.Deck]{
		word("deck", func(d lectures.Deck) string { return d.Key }),
		number("topics", "topics", func(d lectures.Deck) int { return len(d.Topics) }),
		number("statements", "statements", statements),
		word("author", func(d lectures.Deck) string { return d.Author }),
		word("title", func(d lectures.Deck) string { return d.Title }),
	}, list)
}

// Topics lists the topics of a lecture in the order of its slides, with what the remark on each is and where it is seen.
func Topics(d lectures.Deck) *Sheet {
	word := func(head string, of func(lectures.Topic) string) Column[lectures.Topic] {
		return Column[lectures.Topic]{Head: head, Show: of, Key: head, Value: func(t lectures.Topic) any { return of(t) }}
	}
	return NewSheet("", []Column[lectures.Topic]{
		word("slide", func(t lectures.Topic) string { return t.Number }),
		word("topic", func(t lectures.Topic) string { return t.Slides }),
		word("remark", func(t lectures.Topic) string { return string(t.Tag) }),
		word("seen", func(t lectures.Topic) string {
			parts := make([]string, len(t.See))
			for i, l := range t.See {
				parts[i] = string(l)
			}
			return strings.Join(parts, ", ")
		}),
	}, d.Topics)
}
