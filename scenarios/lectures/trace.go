package lectures

import (
	"fmt"
	"slices"
)

// Trace lists the checklist with the places that show each row.
func Trace() []Section {
	x := read()
	var sections []Section
	for _, part := range x.Checklist {
		s := Section{Title: part.Section}
		for _, item := range part.Rows {
			row := Row{ID: fmt.Sprint(item.Key), Item: fmt.Sprint(item.Value)}
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
