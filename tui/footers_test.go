package tui

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/tui/draw"
)

// offer is a key that a screen offers, as a person reads it: "←→" "crosshair".
type offer struct{ keys, words string }

// offers reads every key that stands on the screen with words behind it: in the feet of panes and dialogs,
// in the footer, and in the line of the charts.
func offers(a *App) (list []offer) {
	code := func(ink draw.Ink) string {
		before, _, _ := strings.Cut(ink.Render("x"), "x")
		return regexp.QuoteMeta(before)
	}
	found := regexp.MustCompile(code(a.Pen.Key)+"([^\x1b]+)\x1b\\[0m"+code(a.Pen.Muted)+" ([^\x1b]+)\x1b\\[0m").FindAllStringSubmatch(a.View(), -1)
	for _, m := range found {
		if o := (offer{strings.TrimSpace(m[1]), strings.TrimSpace(m[2])}); !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// shownKeys are keys as a footer writes them.
var shownKeys = map[string]string{"←": "left", "→": "right", "↑": "up", "↓": "down", "space": " ", "⌫": "backspace", "del": "delete", "page up": "pgup", "page down": "pgdown"}

// pressed returns the keys that an offer names: "+ -" are two, "←→" too, and so are the ends of "1-9".
func (o offer) pressed() (keys []string) {
	for _, word := range strings.Fields(o.keys) {
		if strings.ContainsAny(word, "←→↑↓") {
			for _, r := range word {
				keys = append(keys, shownKeys[string(r)])
			}
			continue
		}
		if first, last, ok := strings.Cut(word, "-"); ok && len(first) == 1 && len(last) == 1 {
			keys = append(keys, first, last)
			continue
		}
		if key, ok := shownKeys[word]; ok {
			word = key
		}
		keys = append(keys, word)
	}
	return keys
}

// observed is what a key may change.
type observed struct {
	view, said, screen, knob, theme, dialog string
	dialogs, version, rows, marks, cursor   int
	quit, full                              bool
}

func observe(a *App) observed {
	o := observed{
		view: plainView(a), said: a.Status.Text, screen: a.screens[a.screen].name,
		knob: a.Knob, theme: a.Pen.Theme.Name,
		dialogs: len(a.Dialogs), version: a.Doc.Version(), rows: len(a.Doc.Rows()), marks: a.Doc.Marks(),
		cursor: a.Doc.Cursor(), quit: a.quiet, full: a.home.Charting() != "",
	}
	if o.dialogs > 0 {
		o.dialog = reflect.TypeOf(a.Dialogs[o.dialogs-1]).String()
	}
	return o
}

// meanings are what the words of an offer promise: whether the key did that, by what was seen before and
// after. For other words it is enough that something can be seen or is said.
var meanings = map[string]func(before, after observed) bool{
	"commands": opensDialog, "help": opensDialog, "open": func(b, a observed) bool {
		return opensDialog(b, a) || closesDialog(b, a) || a.screen != b.screen || a.view != b.view
	},
	"new": func(b, a observed) bool { return opensDialog(b, a) || a.view != b.view }, "export": opensDialog, "target": opensDialog, "type": opensDialog, "edit": opensDialog,
	"add":  func(b, a observed) bool { return opensDialog(b, a) || a.rows > b.rows },
	"quit": func(b, a observed) bool { return a.quit || opensDialog(b, a) },
	"undo": func(b, a observed) bool {
		return a.version != b.version || strings.Contains(a.said, "nothing to undo")
	},
	"drop":  func(b, a observed) bool { return a.rows < b.rows || a.dialogs > 0 && a.view != b.view },
	"mark":  func(b, a observed) bool { return a.marks != b.marks },
	"group": func(b, a observed) bool { return a.version != b.version || strings.Contains(a.said, "mark ") },
	"on/off": func(b, a observed) bool {
		return a.version != b.version
	},
	"tune": func(b, a observed) bool { return a.version != b.version }, "×10": func(b, a observed) bool { return a.version != b.version },
	"next knob": func(b, a observed) bool { return a.knob != b.knob },
	"cancel":    closesDialog, "crosshair": viewAlone, "zoom": viewAlone, "full": viewAlone, "zoom out": viewAlone, "candidate": viewAlone,
	"entry":    func(b, a observed) bool { return a.cursor != b.cursor },
	"to stack": func(b, a observed) bool { return a.rows > b.rows },
	"back":     func(b, a observed) bool { return a.screen != b.screen || a.view != b.view },
}

func init() {
	for _, words := range []string{"plan", "why these differ", "why this one", "what it means"} {
		meanings[words] = func(b, a observed) bool { return a.screen != b.screen }
	}
	for _, words := range []string{"theorem", "field", "record", "topic", "lecture", "scroll", "place", "pane", "keep the filter", "show all",
		"lock", "weight", "next step", "next proof", "hint", "format", "view"} {
		meanings[words] = viewAlone
	}
}

func opensDialog(b, a observed) bool {
	return a.dialogs > b.dialogs || a.dialog != b.dialog && a.dialogs > 0
}
func closesDialog(b, a observed) bool { return a.dialogs < b.dialogs }

// viewAlone is for keys that look and change nothing.
func viewAlone(b, a observed) bool {
	return a.version == b.version && (a.view != b.view || a.said != "")
}

// Every key that any screen offers does what it says: something that can be seen changes or a message
// explains why not, it is no error, and where the words promise an effect the effect is there.
func TestEveryOfferIsKept(t *testing.T) {
	ledger, err := filepath.Abs("ledgerview/testdata/mobility.ledger")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	tried, seen := 0, map[string]bool{}
	looked := sights()[:1] // home alone; .ci/run looks at every screen
	if gauge.All() {
		looked = sights()
	}
	for _, s := range looked {
		if s.waiting || s.set.noColor || s.set.theme != "" || s.name == "many entries" {
			continue
		}
		if s.set.ledger != "" {
			s.set.ledger = ledger
		}
		if !s.profiled {
			s.set.accountant, s.set.charts = &fake{}, fakeCharts() // keys are in question, not figures
		}
		for _, size := range gauge.Some(2, [][2]int{{120, 36}, {80, 24}}) {
			a := s.open(t, size[0], size[1])
			where := fmt.Sprint(a.screens[a.screen].name, observe(a).dialog)
			for _, o := range offers(a) {
				if id := where + o.keys + o.words; seen[id] && !gauge.All() {
					continue
				} else {
					seen[id] = true
				}
				tried++
				tryOffer(t, s, size, o)
			}
		}
	}
	t.Logf("%d offers", tried)
	if tried < 15 || gauge.All() && tried < 2000 {
		t.Errorf("only %d keys were found in the feet of all screens", tried)
	}
}

// tryOffer presses each key of an offer on a fresh screen. Of several keys (left and right) one may have
// nothing to do where the screen begins.
func tryOffer(t *testing.T, s sight, size [2]int, o offer) {
	t.Helper()
	kept, last := false, observed{}
	keys := o.pressed()
	for _, key := range keys {
		a := s.open(t, size[0], size[1])
		a.Status.Text, a.Status.Bad = "", false
		before := observe(a)
		press(a, key)
		after := observe(a)
		last = after
		if a.Status.Bad && meanings[o.words] == nil {
			continue
		}
		does := meanings[o.words]
		if does == nil {
			does = func(b, a observed) bool {
				return a.quit || a.said != "" || a.view != b.view
			}
		}
		kept = kept || does(before, after)
	}
	if !kept {
		t.Errorf("%s at %v: %q %q (%q) is not kept; it says %q:\n%s", s.name, size, o.keys, o.words, keys, last.said, last.view)
	}
}
