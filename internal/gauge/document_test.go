package gauge

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A difference is shown with the name of its part, and no other part is shown.
func TestDocumentDifferences(t *testing.T) {
	const page = "# Keys\n\nText.\n\n## Home\n\n| a |\n| b |\n\n## Plan\n\n| a |\n"
	const manual = ".TH X\n.SH NAME\nx\n.SH COMMANDS\n.SS ask\nA.\n.SS tell\nB.\n.SH FILES\nC.\n"
	const schema = "{\n  \"$defs\": {\n    \"laplace\": {\n      \"properties\": {\n        \"scale\": {\n          \"minimum\": 0\n        }\n      }\n    }\n  },\n  \"title\": \"x\"\n}\n"
	for _, c := range []struct {
		name, text, from, to string
		heading              *regexp.Regexp
		want                 string
	}{
		{"equal", page, "a", "a", Markdown, ""},
		{"a line", page, "| b |", "| c |", Markdown, "Keys › Home:\n- | b |\n+ | c |"},
		{"a line less", page, "| b |\n", "", Markdown, "Keys › Home:\n- | b |"},
		{"a part more", page, "## Plan", "## Map\n\n| m |\n\n## Plan", Markdown, "Keys › Map: the file lacks this part\n+ ## Map\n+ \n+ | m |\n+ "},
		{"a part less", page, "\n## Plan\n\n| a |\n", "\n", Markdown, "Keys › Plan: only the file has this part"},
		{"another order", "## A\n## B\n", "## A\n## B\n", "## B\n## A\n", Markdown, "the parts stand in another order"},
		{"no heading", "a\n", "a", "b", Markdown, "before the first heading:\n- a\n+ b"},
		{"the last line end", page, "Plan\n\n| a |\n", "Plan\n\n| a |", Markdown, "Keys › Plan:\n- "},
		{"a command", manual, "B.", "D.", Roff, "COMMANDS › tell:\n- B.\n+ D."},
		{"a section after commands", manual, "C.", "D.", Roff, "FILES:\n- C.\n+ D."},
		{"a key", schema, `"minimum": 0`, `"minimum": 1`, JSON, "$defs › laplace › properties › scale:\n-           \"minimum\": 0\n+           \"minimum\": 1"},
		{"one name twice", "# A\n1\n# A\n2\n", "2", "3", Markdown, "A (2):\n- 2\n+ 3"},
	} {
		got := strings.Join(documentDifferences(c.text, strings.Replace(c.text, c.from, c.to, 1), c.heading), "\n")
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if got := lineDifference("", strings.Repeat("x\n", 30)); strings.Count(got, "\n") != 20 || !strings.HasSuffix(got, "10 more lines") {
		t.Errorf("a long difference is shown as\n%s", got)
	}
}

// No difference is passed over.
func TestDocumentsThatDifferAreReported(t *testing.T) {
	line := rapid.SampledFrom([]string{"# A", "## B", "# B", "x", "y", ""})
	Check(t, Cases(100, 2000), func(t *rapid.T) {
		a, b := strings.Join(rapid.SliceOfN(line, 0, 6).Draw(t, "a"), "\n"),
			strings.Join(rapid.SliceOfN(line, 0, 6).Draw(t, "b"), "\n")
		if got := documentDifferences(a, b, Markdown); (len(got) > 0) != (a != b) {
			t.Fatalf("%q and %q: %q", a, b, got)
		}
	})
}
