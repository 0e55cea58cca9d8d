package review

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"epsiloscope/scenarios"
)

// raisingWords are the words in names, descriptions and labels that raise a question. They raise nothing else, and with
// a negation before them not even that. A # stands for a number.
var raisingWords = map[scenarios.ReviewPoint][]string{
	scenarios.PointGroups:         append([]string{"group by", "having", "# or more", "top #", "top ten"}, superlatives...),
	scenarios.PointBoundsFromData: {"highest", "max of", "maximum of", "percentile", "found in", "largest value", "observed range", "observed maximum", "min and max"},
	scenarios.PointTuning:         {"best of #", "best of several", "grid search", "hyperparameter search", "sweep", "tuned", "# runs", "several runs"},
	scenarios.PointBatches:        {"shuffle", "shuffles", "shuffled", "shuffling"},
	scenarios.PointAdjacency: {"bounded dp", "bounded differential privacy", "replaced record", "record is replaced", "record replaced",
		"replaced by another", "substituted"},
	scenarios.PointPeriod: {"every hour", "every day", "every week", "every month", "every quarter", "every year", "each day", "each week",
		"each month", "each quarter", "each year", "hourly", "weekly", "monthly", "quarterly", "yearly", "annually"},
	scenarios.PointUnprotected: {"without noise", "counted exactly", "published exactly", "shown exactly", "released exactly", "exact counts",
		"exact total", "exact totals", "true total", "true totals", "true counts", "raw counts", "in the clear", "published as they are"},
	scenarios.PointBranches: {"hour", "day", "week", "month", "quarter", "year", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"weekday", "weekend", "morning", "afternoon", "evening", "night", "january", "february", "march", "april", "may", "june", "july", "august", "september",
		"october", "november", "december", "district", "region", "city", "town", "village", "shop", "store", "country", "county", "state", "province", "zone",
		"area", "site", "station", "north", "south", "east", "west"},
}

// meanWords are words in a label for an answer that is divided by the number of records, or cut to a range. With one of
// numeratorWords beside them only what is divided is meant.
var (
	meanWords      = []string{"mean", "average", "rate", "share", "median", "percentage", "percent"}
	numeratorWords = []string{"sum", "total", "count", "numerator", "centred", "centered"}
)

// negations are words that take back what follows them within three words.
var negations = []string{"not", "no", "never", "without", "none", "neither", "nor", "cannot", "instead", "than"}

// recordWords are units that are one record of the data; eventWords are records of which somebody may have several;
// noUnit are texts that give no unit. Every other unit is taken for somebody who may have several records.
var (
	recordWords = []string{"record", "row", "example", "tuple", "answer", "sample", "image", "sentence", "document", "point", "birth", "response"}
	eventWords  = []string{"event", "visit", "trip", "action", "purchase", "click", "view", "session", "contribution", "search", "transaction", "message", "value"}
	noUnit      = []string{"not stated", "unknown", "none", "?", "not given"}
)

// peopleWords are the words by which a claim speaks of people, or of what stands for one.
var peopleWords = []string{"person", "people", "individual", "human", "everybody", "everyone", "anybody", "anyone", "someone", "nobody", "user", "customer",
	"client", "member", "patient", "visitor", "rider", "driver", "passenger", "commuter", "employee", "worker", "student", "pupil", "citizen", "resident", "household",
	"participant", "respondent", "subscriber", "subject", "device", "phone", "account", "voter", "buyer", "child", "children", "men", "women"}

// collectiveWords are the words by which a claim speaks of several people at once.
var collectiveWords = []string{"household", "family", "families", "couple", "group of #", "groups of #", "company", "companies", "village"}

// claimedForSeveral returns the words by which the claim promises more people than the unit is; "" if it does not.
func (f *referee) claimedForSeveral() string {
	if kindOf(f.own.Unit) == unitMissing || findPhrase(f.own.Unit, collectiveWords) != "" {
		return ""
	}
	return findPhrase(f.claim.Text, collectiveWords)
}

// releaseWords are the nouns after a number of releases.
var releaseWords = []string{"counts", "queries", "releases", "tables", "histograms", "sums", "means", "answers", "statistics", "rounds", "publications"}

// moreReleases returns a number of releases in the name or in a label that is larger than the number that is priced, as
// it stands there with its field; "" if there is none.
func (f *referee) moreReleases() (quote, field string) {
	priced := 0.0
	for _, it := range f.items {
		if it.e.Parallel == nil {
			priced += math.Max(1, it.e.Count) * math.Max(1, f.own.Rounds)
		}
	}
	texts := []struct{ text, field string }{{f.own.Name, "name"}}
	for _, it := range f.items {
		texts = append(texts, struct{ text, field string }{it.e.Label, it.path + ".label"})
	}
	for _, t := range texts {
		words := wordsOf(t.text)
		for i := range words[:max(0, len(words)-1)] {
			n, err := strconv.ParseFloat(words[i], 64)
			if err == nil && n > priced && slices.Contains(releaseWords, words[i+1]) && !isNegated(words[:i]) {
				return words[i] + " " + words[i+1], t.field
			}
		}
	}
	return "", ""
}

// claimedFor says whose guarantee the words of the claim state, if the unit is a record or an event: those, people, or,
// if they say neither or both, nobody's in particular.
func (f *referee) claimedFor() unitKind {
	bare := func(text string) string { // "per user and trip" is "per user-trip"
		return " " + strings.Join(slices.DeleteFunc(wordsOf(text), func(w string) bool { return w == "and" }), " ") + " "
	}
	text := bare(f.claim.Text)
	rest := strings.ReplaceAll(text, bare(f.own.Unit), " . ") // a "user-trip" is a trip
	own := recordWords                                        // a row and a record are one thing
	if kindOf(f.own.Unit) == unitEvent {
		own = slices.DeleteFunc(slices.Clone(eventWords), func(w string) bool {
			return findPhrase(f.own.Unit, []string{w}) == ""
		})
	}
	events := rest != text || findPhrase(text, own) != ""
	people := false
	for i, w := range wordsOf(rest) {
		before := wordsOf(rest)[max(0, i-2):i]
		denied := slices.Contains(before, "not") || slices.Contains(before, "than") // "not per person"
		people = people || !denied && (slices.Contains(peopleWords, w) || slices.Contains(peopleWords, singular(w)))
	}
	switch {
	case events && !people:
		return unitEvent
	case people && !events:
		return unitSomebody
	}
	return unitMissing
}

// unitKind says what a unit is.
type unitKind int

const (
	unitMissing unitKind = iota
	unitRecord
	unitEvent
	unitSomebody
)

// kindOf classifies a unit by the table of words: the last word of its first part decides, so that "user-trip" is a
// trip and "person, all visits" a person.
func kindOf(unit string) unitKind {
	unit = strings.ToLower(strings.TrimSpace(unit))
	if unit == "" || slices.Contains(noUnit, unit) {
		return unitMissing
	}
	head, _, _ := strings.Cut(unit, ",")
	head, _, _ = strings.Cut(head, " with ")
	words := wordsOf(strings.ReplaceAll(head, "-", " "))
	if window, ok := scenarios.WindowOf(unit); ok { // "event-month" is an event
		words = slices.DeleteFunc(words, func(w string) bool {
			return strings.HasPrefix(window.Name, singular(w)) || w == "6h"
		})
	}
	if len(words) == 0 {
		return unitSomebody
	}
	last := singular(words[len(words)-1])
	switch {
	case slices.Contains(recordWords, last):
		return unitRecord
	case slices.Contains(eventWords, last):
		return unitEvent
	}
	return unitSomebody
}

// longestNoun is the longest unit that a line names; a longer one is called a unit.
const longestNoun = 24

// unitNoun returns the unit as a noun: "visitor" of "one visitor, all visits". A time that belongs to it stays: "user,
// 6 hours".
func unitNoun(unit string) string {
	noun := plain(unit)
	first, rest, more := strings.Cut(noun, " ")
	if more && slices.Contains([]string{"one", "a", "an", "each", "every", "any"}, strings.ToLower(first)) {
		noun = rest
	}
	if _, timed := scenarios.WindowOf(noun); !timed {
		for _, aside := range []string{",", " with ", " ("} {
			noun, _, _ = strings.Cut(noun, aside)
		}
	}
	if noun = strings.TrimSpace(noun); noun == "" || utf8.RuneCountInString(noun) > longestNoun {
		return "unit"
	}
	return noun
}

// oneUnit returns one of the units: "one person".
func oneUnit(unit string) string { return "one " + unitNoun(unit) }

// wordsOf returns the words of a text in lower case; numbers are words too.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
	})
}

func singular(word string) string { return strings.TrimSuffix(word, "s") }

// findPhrase returns the words around the first phrase of a list that a text has without a negation before it; "" if
// there is none.
func findPhrase(text string, phrases []string) string {
	endsSentence := func(r rune) bool { return strings.ContainsRune(".;:!?\n", r) }
	list := make([][]string, len(phrases)) // split once, not at every word of the text
	for i, phrase := range phrases {
		list[i] = strings.Fields(phrase)
	}
	for _, sentence := range strings.FieldsFunc(text, endsSentence) {
		words := wordsOf(sentence)
		for i := range words {
			for _, phrase := range list {
				if isAt(words[i:], phrase) && !isNegated(words[:i]) {
					return strings.Join(words[max(0, i-2):min(len(words), i+len(phrase)+2)], " ")
				}
			}
		}
	}
	return ""
}

// isAt reports whether the words of a phrase stand at the beginning of a list.
func isAt(words, phrase []string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, part := range phrase {
		same := part == words[i] || len(phrase) == 1 && part == singular(words[i])
		if !same && !(part == "#" && isWholeNumber(words[i])) {
			return false
		}
	}
	return true
}

func isWholeNumber(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// isNegated reports whether one of the last three words takes back what follows.
func isNegated(before []string) bool {
	return slices.ContainsFunc(before[max(0, len(before)-3):], func(w string) bool {
		return slices.Contains(negations, w) || strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t")
	})
}

// found is a phrase in the texts of a scenario, with where it stands.
type found struct {
	quote string
	field string // "description", "1.label"
	entry int    // from 1; 0 for the scenario's own texts
}

// superlatives are words of a list that data made, unless an entry chooses one of them privately.
var superlatives = []string{"most frequent", "most common", "most popular"}

// findWords looks for the words that raise the question of a point, in the labels first. Entries for which skip reports
// true are left out, and with them superlatives in the scenario's own texts: they say what such an entry chooses.
func (f *referee) findWords(p scenarios.ReviewPoint, skip func(item) bool) (found, bool) {
	phrases := raisingWords[p]
	for _, it := range f.items {
		if skip == nil || !skip(it) {
			if quote := findPhrase(it.e.Label, phrases); quote != "" {
				return found{quote, it.path + ".label", it.index}, true
			}
		}
	}
	if skip != nil && slices.ContainsFunc(f.items, skip) {
		phrases = slices.DeleteFunc(slices.Clone(phrases), func(w string) bool {
			return slices.Contains(superlatives, w)
		})
	}
	if quote := findPhrase(f.own.Name, phrases); quote != "" {
		return found{quote: quote, field: "name"}, true
	}
	if quote := findPhrase(f.own.Description, phrases); quote != "" {
		return found{quote: quote, field: "description"}, true
	}
	return found{}, false
}
