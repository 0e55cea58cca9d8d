package interop

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// What a reader does not understand it refuses or names. So a foreign part put into a
// record, or a name in it misspelt, or a number negated, must not pass without a word,
// even if the cost stays what it was.

var (
	foreignLines = []string{"rounds = 7", "bogus = 3", "event = None", "bogus, b = 1, 2", "rounds += 7", "GaussianDpEvent(1)", "del event", "assert rounds", "a.compose(GaussianDpEvent(0.1))",
		"for bogus in range(9): pass", "if rounds: pass", "@bogus", "'bogus'", "a = RdpAccountant()", "event.count = 9", "[GaussianDpEvent(1) for i in range(9)]", "GaussianDpEvent = LaplaceDpEvent",
		"import bogus", "from bogus import GaussianDpEvent, PureDPBudget", "PureDPBudget(epsilon=1)", "[(1, 0)]", "a.bogus()", "bogus", "3", "-1", "None", "(bogus := 3)", "#GaussianDpEvent(1)"}
	foreignArguments = []string{", bogus=3", ", 3", ", *bogus", ", **bogus", ", None", ", count=2", ", sensitivity=5", " for bogus in range(9)", " if bogus else 1"}
	foreignMembers   = []string{`"bogus": 3, `, `"count": 7, `, `"Count": 7, `, `"adjacency": "none", `, `"sensitivity": 5, `, `"": null, `}
	foreignItems     = []string{"null, ", "3, ", "{}, ", "[], ", `"bogus", `, "true, "}
	foreignSentences = []string{" The run was repeated 9 times. ", " DP-SGD performed over 10 examples ", " bogus ", " twice ", " (bogus) ", " - ", " 7 "}
	foreignRows      = []string{"bogus,,1", "total,,,", "#,,", "pure", ",,,,,,,", `"pure,1"`}
)

// foreign puts in what has no place in the record.
func (d drawn) foreign(r *rand.Rand) (from int, with string) {
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	after := func(pattern string) int {
		places := regexp.MustCompile(pattern).FindAllStringIndex(d.text, -1)
		if len(places) == 0 {
			return 0
		}
		return places[r.IntN(len(places))][1]
	}
	assigned := assignments.FindAllStringSubmatchIndex(d.text, -1)
	switch {
	case d.name == "tf-privacy":
		return after(`\s`), pick(foreignSentences)
	case d.name == "csv":
		return after(`\n`), pick(foreignRows) + "\n"
	case assigned != nil && r.IntN(3) == 0: // a second assignment
		m := assigned[r.IntN(len(assigned))]
		return m[1], d.text[m[2]:m[3]] + pick([]string{" = 1\n", " = None\n", " = 1000\n", " = GaussianDpEvent(9)\n"})
	case d.python() && r.IntN(2) == 0:
		return after(`(?:^|\n)`), pick(foreignLines) + "\n"
	case d.python():
		return after(`[\w\])]\)[,).\n]`) - 2, pick(foreignArguments)
	case r.IntN(3) == 0:
		return after(`\[\s*`), pick(foreignItems)
	}
	return after(`\{\s*`), pick(foreignMembers)
}

func (d drawn) python() bool {
	return !strings.ContainsAny(d.text[:1], "{[") && d.name != "csv" && d.name != "tf-privacy"
}

var (
	negative    = regexp.MustCompile(`^\d[\d.e-]*$`)
	nothing     = regexp.MustCompile(`^[0.]+$`)
	plainWord   = regexp.MustCompile(`^"?[A-Za-z_]\w*"?$`)
	assignments = regexp.MustCompile(`(?m)^(\w+) = .*\n`)
	freeWord    = regexp.MustCompile(`^(?:"[a-e]"|"0\.14\.0"|true|false)$`)
)

// strict picks a name or a number of the record that it means something by, and
// misspells or negates it.
func (d drawn) strict(r *rand.Rand, all [][]int) (from, to int, with string) {
	for {
		t := all[r.IntN(len(all))]
		token := d.text[t[0]:t[1]]
		line := d.text[strings.LastIndexByte(d.text[:t[0]], '\n')+1 : t[0]]
		switch {
		case d.python() && (token[0] == '"' || strings.Contains(line, "#") || strings.HasPrefix(line, "import ") ||
			strings.HasPrefix(line, "from ")):
		case d.name == "csv" && d.free(t[0]): // any number is one there
		case strings.HasSuffix(line, `"TO": `): // the transformation is not carried over, which a note says
		case d.name == "csv" && (strings.Count(quoted.ReplaceAllString(line, ""), ",") == 1 &&
			strings.Contains(d.text[:t[0]], "\n")):
			// a label
		case negative.MatchString(token) && !nothing.MatchString(token) && !strings.HasSuffix(line, "-") &&
			!strings.HasSuffix(line, "e"):
			return t[0], t[1], "-" + token
		case plainWord.MatchString(token) && !freeWord.MatchString(token):
			k := 1 + r.IntN(len(token))
			if token[0] == '"' {
				k = 1 + r.IntN(len(token)-1)
			}
			return t[0], t[1], token[:k] + string(rune('a'+r.IntN(26))) + token[k:]
		}
	}
}

// free tells whether a cell is in a column whose numbers may be negative.
func (d drawn) free(at int) bool {
	header, _, _ := strings.Cut(d.text, "\n")
	line := quoted.ReplaceAllString(d.text[strings.LastIndexByte(d.text[:at], '\n')+1:at], "")
	column := strings.Split(header, ",")[strings.Count(line, ",")]
	return strings.Contains(d.text[:at], "\n") && slices.Contains([]string{"runs.shape", "threshold", "of.threshold"}, column)
}

var numberIn = regexp.MustCompile(`\b\d+(?:\.\d+)?(?:e-?\d+)?\b`)

// otherwise repeats an item with other numbers, before or after it.
func otherwise(r *rand.Rand, item string) string {
	other := numberIn.ReplaceAllString(item, []string{"1", "0", "1000", "0.001"}[r.IntN(4)])
	between := ", "
	if strings.HasSuffix(item, "\n") {
		between = ""
	}
	if r.IntN(2) == 0 {
		return other + between + item
	}
	return item + between + other
}

// cell finds an empty one in a column that is no parameter of its row's mechanism.
func (d drawn) cell(r *rand.Rand) (at int, ok bool) {
	header := strings.Split(strings.SplitN(d.text, "\n", 2)[0], ",")
	var found []int
	for _, s := range d.spans {
		spec := d.scenario.Stack[s.entry].Spec()
		column, inside := 0, false
		for at := s.from; at <= s.to; at++ {
			switch end := at == s.to; {
			case !end && d.text[at] == '"':
				inside = !inside
			case !inside && (end || d.text[at] == ','):
				if _, has := spec.Param(header[column]); !has && column > 2 &&
					header[column] != "delta" && d.text[at-1] == ',' {
					found = append(found, at)
				}
				column++
			}
		}
	}
	if len(found) == 0 {
		return 0, false
	}
	return found[r.IntN(len(found))], true
}

// column puts a column into a table: one that is there, or one that nobody knows.
func (d drawn) column(r *rand.Rand) string {
	rows := strings.Split(strings.TrimRight(d.text, "\n"), "\n")
	header := strings.Split(rows[0], ",")
	names := append([]string{"bogus", "Count", " count", "", "#", "note"}, header...)
	name, cell, first := names[r.IntN(len(names))], []string{"", "1", "bogus", "0"}[r.IntN(4)], r.IntN(2) == 0
	for i, row := range rows {
		add := cell
		if i == 0 {
			add = name
		}
		if first {
			rows[i] = add + "," + row
		} else {
			rows[i] = row + "," + add
		}
	}
	return strings.Join(rows, "\n") + "\n"
}
