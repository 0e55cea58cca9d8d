package yamltree

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// accepted are texts on which readers of YAML agree, and what they mean, as JSON.
var accepted = []struct{ text, value string }{
	{"a: 1\nb: two\n", `{"a":1,"b":"two"}`},
	{"version: 1\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 20}\n  - mechanism: gaussian\n    sigma: 40\n", `{"stack":[{"count":20,"epsilon":0.1,"mechanism":"laplace"},{"mechanism":"gaussian","sigma":40}],"version":1}`},
	{"stack:\n- a: 1\n  b: 2\n- c\n-\n  d: 3\nnext: x\n", `{"next":"x","stack":[{"a":1,"b":2},"c",{"d":3}]}`},
	{"# head\n\na: 1 # tail\n# between\nb: 'it''s' # tail\nc: \"x\\ty\\u00e9\"\n", `{"a":1,"b":"it's","c":"x\tyé"}`},
	{"text: |\n  one\n   two\n\n  three\nafter: 1\n", `{"after":1,"text":"one\n two\n\nthree\n"}`},
	{"text: >\n  one\n  two\n\n  three\n    more\n  four\nafter: 1\n", `{"after":1,"text":"one two\nthree\n  more\nfour\n"}`},
	{"text: >-\n  one\n  two\nafter: |+\n  keep\n\n\nlast: |-\n  strip\n\n", `{"after":"keep\n\n\n","last":"strip","text":"one two"}`},
	{"a: plain text\n  going on\n  and on\nb: 2\n", `{"a":"plain text going on and on","b":2}`},
	{"a: \"quoted text\n  going on\n\n  and on\"\nb: 2\n", `{"a":"quoted text going on\nand on","b":2}`},
	{"a: 'quoted text\n  going on'\n", `{"a":"quoted text going on"}`},
	{"a: [1, 2, [3, {b: c}], ]\n", `{"a":[1,2,[3,{"b":"c"}]]}`},
	{"a: {b: 1,\n    c: [2,\n 3], # comment\n    d: }\n", `{"a":{"b":1,"c":[2,3],"d":null}}`},
	{"a: &x {b: 1}\nc: *x\nd: [*x, *x]\n", `{"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":1}]}`},
	{"base: &x\n  b: 1\nc: *x\n", `{"base":{"b":1},"c":{"b":1}}`},
	{"a:\n  - - 1\n    - 2\n  - - 3\n", `{"a":[[1,2],[3]]}`},
	{"parallel:\n  - [{m: 1}]\n  - [{m: 2}]\n", `{"parallel":[[{"m":1}],[{"m":2}]]}`},
	{"---\na: 1\n", `{"a":1}`},
	{"--- # comment\na: 1\n...\n", `{"a":1}`},
	{"a: ~\nb: null\nc:\nd: 1\n", `{"a":null,"b":null,"c":null,"d":1}`},
	{"a: http://example.org/x#y\nb: a:b\nc: -1\nd: -x\n", `{"a":"http://example.org/x#y","b":"a:b","c":-1,"d":"-x"}`},
	{"a: 1.0e-6\nb: 1.5E+3\nc: .5\nd: 0x1F\n", `{"a":0.000001,"b":1500,"c":0.5,"d":31}`},
	{"\"quoted key\": 1\n'single': 2\n", `{"quoted key":1,"single":2}`},
	{"a: \"line \\\n  joined\"\n", `{"a":"line joined"}`},
	{"{a: 1, \"b\": 2}\n", `{"a":1,"b":2}`},
	{"- 1\n- 2\n", `[1,2]`},
	{"just text\n", `"just text"`},
	{"a: {\"x\":1, y: [z]}\n", `{"a":{"x":1,"y":["z"]}}`},
	{"a: b # c\nd: e#f\n", `{"a":"b","d":"e#f"}`},
	{"", `null`},
	{"# only a comment\n", `null`},
	{"unicode: ε ≤ 1 — Größe 漢字\n", `{"unicode":"ε ≤ 1 — Größe 漢字"}`},
}

func TestRead(t *testing.T) {
	for _, c := range accepted {
		d, err := Read([]byte(c.text))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var want any
		if err := json.Unmarshal([]byte(c.value), &want); err != nil {
			t.Fatal(err)
		}
		if got := d.Root.Value(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n got %#v\nwant %#v", c.text, got, want)
		}
	}
}

func TestSpansAreExact(t *testing.T) {
	text := "a: plain # c\nb: 'q''q'\nc: {d: [1, \"x\"], e: *no}\n"
	text = strings.Replace(text, "*no", "7", 1)
	d, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "plain", "b": "'q''q'", "c": `{d: [1, "x"], e: 7}`}
	for key, span := range want {
		p, _ := d.Root.Get(key)
		if got := d.Text[p.Value.Start:p.Value.End]; got != span {
			t.Errorf("%s: span %q, want %q", key, got, span)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: 1\n\tb: 2\n", "2:1: a tab cannot indent; use spaces"},
		{"a: b: c\n", `1:5: a second ":" in one value; put the text in quotes`},
		{"a: 1\n  b: 2\n", `2:4: a second ":" in one value; put the text in quotes`},
		{"a:1\nb: 2\n", `1:3: a space is missing after ":"`},
		{"- a:b\n  c: 2\n", `1:5: a space is missing after ":"`},
		{"a: [1, 2\n", `1:4: "[" is never closed by "]"`},
		{"a: {b: 1\nc: 2\n", `2:2: expected "," or "}"`},
		{"a: [1 2}\n", `1:8: expected "," or "]"`},
		{"a: 'x\n", "1:4: the quotation is never closed"},
		{"a: \"\\q\"\n", `1:5: unknown escape in a quotation; write \\ for a backslash`},
		{"a: \"\\ud800\"\n", `1:5: \u needs 4 hexadecimal digits of a Unicode character`},
		{"a: !!int 1\n", "1:4: YAML tags are not supported"},
		{"a: *x\n", "1:4: no anchor &x stands before this alias"},
		{"a: &x [*x]\n", "1:8: no anchor &x stands before this alias"},
		{"? a\n: b\n", `1:1: "? " keys are not supported; write field: value`},
		{"%YAML 1.2\n---\na: 1\n", "1:1: YAML directives are not supported"},
		{"a: 1\n---\nb: 2\n", "2:1: a file holds one document; a second one starts here"},
		{"a: - b\n", "1:4: a list starts on the line below its field"},
		{"a:\n - b\n c: 1\n", "3:2: is indented deeper than the field above it"},
		{"a: \x1b[31m\n", "1:4: control character U+001B is not allowed"},
		{"a: \x00\n", "1:4: control character U+0000 is not allowed"},
		{"a: 1\rb: 2\n", "1:5: control character U+000D is not allowed"},
		{"ä: \xff\n", "1:4: the text is not valid UTF-8"},
		{"a: [b: 1]\n", "1:5: a field inside a list needs braces: {field: value}"},
		{"a: 1\nb\n", `2:1: expected "field: value"`},
		{"a: @x\n", `1:4: text cannot start with "@"; put it in quotes`},
	} {
		_, err := Read([]byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestReadIsBounded(t *testing.T) {
	laughs := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 'b'; i < 'j'; i++ {
		laughs += fmt.Sprintf("%c: &%c [%s*%c]\n", i, i, strings.Repeat(fmt.Sprintf("*%c, ", i-1), 9), i-1)
	}
	for name, text := range map[string]string{
		"aliases":     laughs,
		"brackets":    strings.Repeat("[", 1<<20),
		"braces":      strings.Repeat("{a: ", 1<<18),
		"dashes":      strings.Repeat("- ", 1<<20),
		"anchors":     strings.Repeat("&a ", 1<<18),
		"size":        strings.Repeat("#", MaxSize+1),
		"indentation": nested(2000),
	} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for name, text := range map[string]string{
		"keys":   "c:\n" + repeatf(300_000, "  k%d: 1\n"),
		"list":   "c: [" + repeatf(500_000, "%d,") + "]\n",
		"lines":  "c: \"" + strings.Repeat("word \n", 500_000) + "\"\n",
		"plain":  "c:" + strings.Repeat(" w\n", 1_000_000),
		"quotes": "c: '" + strings.Repeat("''", 1_000_000) + "'\n",
	} {
		if _, err := Read([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func repeatf(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestStoredForm(t *testing.T) {
	d, err := Read([]byte("\ufeffa: 1\r\nb: x\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := d.Root.Get("b"); b.Value.Text != "x" {
		t.Errorf("b is %q", b.Value.Text)
	}
	if got := string(d.Restore(d.Text)); got != "\ufeffa: 1\r\nb: x\r\n" {
		t.Errorf("restored %q", got)
	}
	if got := string(d.Restore("a: 2\nb: x\n")); got != "\ufeffa: 2\r\nb: x\r\n" {
		t.Errorf("edited %q", got)
	}
}

// Line ends of both kinds stay as they are while nothing is edited; then the more
// frequent kind is used.
func TestMixedLineEnds(t *testing.T) {
	mixed := "a: 1\r\nb: x\nc: y\n"
	d, err := Read([]byte(mixed))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(d.Restore(d.Text)); got != mixed {
		t.Errorf("restored %q", got)
	}
	if got := string(d.Restore("a: 2\nb: x\nc: y\n")); got != "a: 2\nb: x\nc: y\n" {
		t.Errorf("edited %q", got)
	}
}

func TestParseFloat(t *testing.T) {
	if v, ok := ParseFloat("1e999"); !ok || !math.IsInf(v, 1) {
		t.Error("an overflow must be recognised as a number")
	}
	for _, s := range []string{"", "-", ".", "1_000", "inf", "nan", "1e", "e5", "0x", "--1", "infinity", "1.2.3"} {
		if v, ok := ParseFloat(s); ok {
			t.Errorf("%q is taken for the number %g", s, v)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range accepted {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Read([]byte(text))
		if err != nil {
			return
		}
		var walk func(n *Node)
		walk = func(n *Node) {
			if n.Start < 0 || n.End < n.Start || n.End > len(d.Text) {
				t.Fatalf("span %d:%d of %d", n.Start, n.End, len(d.Text))
			}
			for _, p := range n.Pairs {
				walk(p.Key)
				walk(p.Value)
			}
			for _, it := range n.Items {
				walk(it)
			}
		}
		if d.Root != nil {
			walk(d.Root)
		}
	})
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "a: b", "# x", "1e5", "null", "- x", "ε ≤ 1", "x\ny", "\x1b[0m", "---"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		for _, text := range []string{"a: " + Quote(s) + "\n", "a: {b: " + Quote(s) + ", c: 1}\n", "{" + Quote(s) + ": 1}\n"} {
			d, err := Read([]byte(text))
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			p := d.Root.Pairs[0]
			got := p.Value
			if got.Kind == Mapping && len(got.Pairs) > 0 {
				got = got.Pairs[0].Value
			} else if strings.HasPrefix(text, "{") {
				got = p.Key
			}
			if got.Text != s || got.Value() != any(s) {
				t.Fatalf("%q reads back as %q", text, got.Text)
			}
		}
	})
}
