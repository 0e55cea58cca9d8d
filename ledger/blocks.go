package ledger

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// dateBlocks are the keys of budget blocks that are dates, with the form of a date and an
// example of it. Any other key takes names.
var dateBlocks = map[string]struct{ layout, example string }{
	"day": {"2006-01-02", "2026-11-14"}, "week": {"", "2026-W46"}, "month": {"2006-01", "2026-11"}, "year": {"2006", "2026"},
}

// normalBlock returns the form in which names of budget blocks are compared: NFC, single blanks
// and none at the ends, one kind of hyphen. Two names that look alike share one budget.
func normalBlock(name string) string {
	name = strings.Map(func(r rune) rune {
		// dashes, minus, soft hyphen, bullet
		if unicode.Is(unicode.Pd, r) || r == '\u2212' || r == '\u00ad' || r == '\u2043' {
			return '-'
		}
		return r
	}, norm.NFC.String(norm.NFKC.String(name)))
	return strings.Join(strings.Fields(name), " ")
}

// checkDate refuses the name of a budget block that is not a date if the blocks of the ledger are dates.
func checkDate(key, name string) error {
	form, dated := dateBlocks[key]
	if !dated {
		return nil
	}
	valid := false
	if key == "week" {
		var year, week int
		if n, err := fmt.Sscanf(name, "%4d-W%2d", &year, &week); n == 2 && err == nil && name == fmt.Sprintf("%04d-W%02d", year, week) {
			_, last := time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC).ISOWeek() // which is always in the last week
			valid = week >= 1 && week <= last
		}
	} else {
		_, err := time.Parse(form.layout, name)
		valid = err == nil
	}
	if !valid {
		return fmt.Errorf("the block %q is not a %s: this ledger is kept by %s, as in %s", name, key, key, form.example)
	}
	return nil
}

// resolveBlocks returns the budget blocks that a request is charged to: for each name a block that was charged before
// under a name that looks the same, else a new one. A new one is an error unless it is a date or NewBlocks is set.
func (l *Ledger) resolveBlocks(names []string) ([]string, error) {
	var blocks []string
	for _, name := range names {
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Cf, r) && r != '\u00ad' }) {
			return nil, fmt.Errorf("block %+q has an invisible character; it would get a budget separate from the block that looks the same", name)
		}
		normal, known := normalBlock(name), false
		for _, old := range l.Blocks() {
			if normalBlock(old) == normal {
				blocks, known = append(blocks, old), true
			}
		}
		if known {
			continue
		}
		if l.Promise.Blocks == "" || normal == "" { // which blocksOf refuses
			blocks = append(blocks, normal)
			continue
		}
		if err := checkDate(l.Promise.Blocks, normal); err != nil {
			return nil, err
		}
		_, dated := dateBlocks[l.Promise.Blocks]
		if like := l.lookAlike(normal); like != "" && !dated {
			return nil, fmt.Errorf("the %s %q differs from the known %q only by case, blanks or characters that look alike, and would have a budget of its own: name the known one, or a name that differs", l.Promise.Blocks, name, like)
		}
		switch {
		case strings.Contains(normal, ","):
			return nil, fmt.Errorf("%q is not a block of this ledger, and the name of a new one may not contain a comma: give each block its own flag", name)
		case !dated && !l.NewBlocks:
			return nil, &NewBlockError{Key: l.Promise.Blocks, Name: normal, known: l.Blocks()}
		}
		blocks = append(blocks, normal)
	}
	return blocks, nil
}

// lookAlike returns a known block whose name people would take for another one; "" if there is none.
func (l *Ledger) lookAlike(name string) string {
	for _, old := range l.Blocks() {
		if skeleton(old) == skeleton(name) {
			return old
		}
	}
	return ""
}

// skeleton returns a name without what people do not see or type differently: case, blanks, hyphens and underscores,
// and letters of other scripts that look like Latin ones.
func skeleton(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("-_.'’·", r) {
			return -1
		}
		if latin, ok := latinLookAlikes()[r]; ok {
			return latin
		}
		r = unicode.ToLower(r)
		if latin, ok := latinLookAlikes()[r]; ok {
			return latin
		}
		return r
	}, normalBlock(name))
}

// latinLookAlikes are Cyrillic and Greek letters by the Latin ones they look like, capitals where only these do.
var latinLookAlikes = sync.OnceValue(func() map[rune]rune {
	return pairRunes(
		"аеорсухіјѕһԁԛԝгѵАВЕЗКМНОРСТУХІЈЅѴ", "aeopcyxijshdqwrvabe3kmhopctyxijsv",
		"αεικνορτυχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeikvoptuxyabezhikmnoptyx",
	)
})

func pairRunes(texts ...string) map[rune]rune {
	pairs := map[rune]rune{}
	for i := 0; i+1 < len(texts); i += 2 {
		latin := []rune(texts[i+1])
		for j, r := range []rune(texts[i]) {
			pairs[r] = latin[j]
		}
	}
	return pairs
}

// NewBlockError means that a request names a budget block that was never charged. A new block has a full budget, so
// a mistyped name would give a second budget to the same data.
type NewBlockError struct {
	Key, Name string
	known     []string
}

func (e *NewBlockError) Error() string {
	text := fmt.Sprintf("the %s %q was never charged, and would have a whole budget of its own. If it is new and not mistyped, say --new-block", e.Key, e.Name)
	if len(e.known) > 0 {
		shown := e.known[:min(5, len(e.known))]
		text += "; known are " + strings.Join(slices.Concat(shown, []string{"…"}[:min(1, len(e.known)-len(shown))]), ", ")
	}
	return text
}
