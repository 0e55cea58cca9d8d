package gauge

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The first lines of the parts of a generated document. What the first group matches is the longer the deeper a part
// lies; the second group names it.
var (
	Markdown = regexp.MustCompile(`^(#+) (.+)$`)
	Roff     = regexp.MustCompile(`^\.S(?:H|(S)) (.+)$`)
	JSON     = regexp.MustCompile(`^( {2,8})"([^"]+)": [{\[]$`)
)

// CompareDocument reports the parts in which the file at path is not the text that the code makes now, each with the
// lines that differ. Run with -update, it writes the file.
func CompareDocument(t testing.TB, path, made string, heading *regexp.Regexp) {
	t.Helper()
	if update := flag.Lookup("update"); update != nil && update.Value.String() == "true" {
		if err := os.WriteFile(path, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if list := documentDifferences(strings.ReplaceAll(string(kept), "\r\n", "\n"), made, heading); len(list) > 0 {
		t.Errorf("%s is not what the code makes; write it anew with go test -run '^%s$' -update\n%s", path, t.Name(), strings.Join(list, "\n"))
	}
}

// documentDifferences lists the parts that two texts do not share or that differ, and is empty only for equal texts.
func documentDifferences(kept, made string, heading *regexp.Regexp) (list []string) {
	before, order := documentParts(kept, heading)
	after, orderNow := documentParts(made, heading)
	for _, name := range order {
		text, ok := after[name]
		switch {
		case !ok:
			list = append(list, fmt.Sprintf("%s: only the file has this part", name))
		case text != before[name]:
			list = append(list, name+":\n"+lineDifference(before[name], text))
		}
	}
	for _, name := range orderNow {
		if _, ok := before[name]; !ok {
			list = append(list, fmt.Sprintf("%s: the file lacks this part\n%s", name, lineDifference("", after[name])))
		}
	}
	if len(list) == 0 && !slices.Equal(order, orderNow) {
		list = append(list, "the parts stand in another order")
	}
	return list
}

// documentParts cuts a text at its headings. A part is called by the headings above it and its own, and by a number if
// that is the name of an earlier one.
func documentParts(text string, heading *regexp.Regexp) (parts map[string]string, order []string) {
	type level struct {
		depth int
		name  string
	}
	var above []level
	name := "before the first heading"
	parts = map[string]string{}
	for line := range strings.Lines(text) {
		if m := heading.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			above = slices.DeleteFunc(above, func(l level) bool { return l.depth >= len(m[1]) })
			above = append(above, level{len(m[1]), m[2]})
			path := make([]string, len(above))
			for i, l := range above {
				path[i] = l.name
			}
			whole := strings.Join(path, " › ")
			name = whole
			for n := 2; slices.Contains(order, name); n++ {
				name = fmt.Sprintf("%s (%d)", whole, n)
			}
		}
		if _, ok := parts[name]; !ok {
			order = append(order, name)
		}
		parts[name] += line
	}
	return parts, order
}

// lineDifference shows the lines from the first that differs to the last, twenty of each text at most.
func lineDifference(before, after string) string {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	var b strings.Builder
	show := func(mark string, lines []string) {
		for i, line := range lines {
			if i == 20 {
				fmt.Fprintf(&b, "%s and %d more lines\n", mark, len(lines)-i)
				break
			}
			fmt.Fprintf(&b, "%s %s\n", mark, line)
		}
	}
	if before != "" {
		show("-", old)
	}
	show("+", now)
	return strings.TrimSuffix(b.String(), "\n")
}
