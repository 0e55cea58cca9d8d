package interop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	lines  = regexp.MustCompile(`(?m)^.*\n`)
	quoted = regexp.MustCompile(`"[^"]*"`)
	tokens = regexp.MustCompile(`#[^\n]*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\n|[ \t]+|.`)
	keyed  = regexp.MustCompile(`^(?:"\w+":\s*|\w+=)`)
	bare   = regexp.MustCompile(`^\s*[\d.eE+-]+,?\s*$`)
)

// An edited record differs from the drawn one in one place.
type edited struct {
	after   string
	line    int    // of the place, from 0
	dropped string // what was taken out, with nothing put in its place
	gone    []int  // entries that were taken out with it
	touched []int  // entries in which the place is, or behind which a comment now starts
	strict  string // a foreign part, or a name or number that is wrong: refused or named
	numbers bool   // numbers, or names of columns, were put in other places: that says something else
}

// change edits the text at one place.
func (d drawn) change(r *rand.Rand) edited {
	var from, to int
	var with, strict string
	var numbers bool
	switch all := tokens.FindAllStringIndex(d.text, -1); r.IntN(13) {
	case 12: // put a release, or what is left of its line, in a comment
		from = d.spans[r.IntN(len(d.spans))].from
		to, with = from, []string{"#", "# ", "//", ";", "--"}[r.IntN(5)]
	case 0, 6:
		from, to, with = d.strict(r, all)
		strict = with
	case 1, 7:
		if d.name == "csv" && r.IntN(2) == 0 {
			from, to, with, strict = 0, len(d.text), d.column(r), "another column"
			if at, ok := d.cell(r); ok && r.IntN(2) == 0 {
				from, to, with, strict = at, at, "1", "a cell for another"
			}
			break
		}
		from, with = d.foreign(r)
		to, strict = from, with
	case 2, 8:
		from, to, with, numbers = d.editToken(r, all)
	default:
		from, to, with, numbers = d.editItem(r, all)
	}
	c := edited{after: d.text[:from] + with + d.text[to:], line: strings.Count(d.text[:from], "\n"),
		strict: strict, numbers: numbers}
	if with == "" {
		c.dropped = strings.Trim(d.text[from:to], ", \n")
	}
	end, kept := to, d.text[:from]+with
	if strings.Contains(kept[strings.LastIndexByte(kept, '\n')+1:], "#") { // the rest of the line is a comment
		end += strings.IndexByte(d.text[to:]+"\n", '\n')
	}
	header := d.name == "csv" && !strings.Contains(d.text[:from], "\n")
	for _, s := range d.spans {
		if from <= s.from && s.to <= to && with == "" {
			c.gone = append(c.gone, s.entry)
		}
		if header || from < s.to && s.from < end {
			c.touched = append(c.touched, s.entry)
		}
	}
	return c
}

// editItem picks an item or a line and what to put there.
func (d drawn) editItem(r *rand.Rand, all [][]int) (from, to int, with string, numbers bool) {
	items := d.items(all)
	if r.IntN(4) == 0 || len(items) == 0 {
		items = lines.FindAllStringIndex(d.text, -1)
	}
	some := slices.DeleteFunc(slices.Clone(items), func(i []int) bool {
		return slices.ContainsFunc(d.spans, func(s span) bool { return i[0] < s.to && s.from < i[1] })
	})
	if len(some) == 0 || r.IntN(3) > 0 { // else what is said of all releases
		some = items
	}
	from, to = some[r.IntN(len(some))][0], 0
	i := slices.IndexFunc(items, func(i []int) bool { return i[0] == from })
	to = items[i][1]
	item := d.text[from:to]
	what := r.IntN(6)
	if key := keyed.FindString(item); key != "" && what >= 4 && r.IntN(2) == 0 { // the value alone
		from, item = from+len(key), item[len(key):]
	}
	switch what {
	case 0: // drop it, with a comma beside it
		after := regexp.MustCompile(`^\s*,\s?`).FindString(d.text[to:])
		before := regexp.MustCompile(`,\s*$`).FindString(d.text[:from])
		switch {
		case strings.HasSuffix(item, "\n"):
		case after != "":
			to += len(after)
		default:
			from -= len(before)
		}
		return from, to, "", d.name == "dp-accounting" && bare.MatchString(item) // the next argument takes its place
	case 1: // repeat it
		if strings.HasSuffix(item, "\n") {
			return from, to, item + item, false
		}
		return from, to, item + ", " + item, false
	case 2: // swap it with the next
		if i+1 < len(items) && items[i+1][0] >= to {
			next := items[i+1]
			header := d.name == "csv" && !strings.Contains(d.text[:next[1]], "\n")
			numbers = header || bare.MatchString(item) && bare.MatchString(d.text[next[0]:next[1]])
			return from, next[1], d.text[next[0]:next[1]] + d.text[to:next[0]] + item, numbers
		}
		return from, to, item, false
	case 3: // in a call the other number may be an argument that was left out
		return from, to, otherwise(r, item), d.name == "dp-accounting" && bare.MatchString(item)
	case 4: // empty it
		if nothing := map[bool]string{true: "None", false: "null"}[d.python()]; d.name != "csv" && r.IntN(2) == 0 {
			return from, to, nothing, false
		}
		empty := []string{"null", "None", "[]", "{}", "()", `""`, ""}
		if d.name == "csv" {
			empty = append(empty, "", "", `" "`)
		}
		return from, to, empty[r.IntN(len(empty))], false
	default: // another type
		return from, to, []string{`"` + item + `"`, "[" + item + "]", "{" + item + "}", "(" + item + ",)",
			"true", "False"}[r.IntN(6)], false
	}
}

func (d drawn) editToken(r *rand.Rand, all [][]int) (from, to int, with string, numbers bool) {
	i, anywhere := r.IntN(len(all)), r.IntN(2) == 0
	for tries := 0; ; tries++ { // half of the time a number
		token := d.text[all[i][0]:all[i][1]]
		if strings.TrimLeft(token, " \t") != "" && (anywhere || bare.MatchString(token) || tries > 1000) {
			break
		}
		i = r.IntN(len(all))
	}
	from, to = all[i][0], all[i][1]
	token := d.text[from:to]
	number := bare.MatchString(token)
	switch r.IntN(6) {
	case 0:
		return from, to, "", false
	case 1:
		if number && !d.second {
			token += " " // twice the number, not another one
		}
		return from, to, token + token, number
	case 2: // misspell
		k := r.IntN(len(token) + 1)
		// 1e0 for 10 is another number
		if wrong := token[:k] + string(rune('a'+r.IntN(26))) + token[k:]; !bare.MatchString(wrong) || d.second {
			return from, to, wrong, number
		}
		return from, to, "x" + token, false
	case 3:
		if i+1 < len(all) {
			next := all[i+1]
			a, b := token, d.text[next[0]:next[1]]
			moved := d.name == "csv" && (a == "," && bare.MatchString(b) || b == "," && bare.MatchString(a))
			return from, next[1], b + a, moved
		}
		return from, to, "", false
	case 4:
		if number {
			return from, to, respelt(r, token), false
		}
		fallthrough
	default:
		return from, to, []string{"null", "None", `"` + strings.Trim(token, `"`) + `"`, "-" + token, "[" + token + "]", "True", "nan",
			"#" + token, ""}[r.IntN(9)], number && d.name == "csv" && d.free(from)
	}
}

// respelt writes the same number in another way, as Python, JSON or people have it.
func respelt(r *rand.Rand, number string) string {
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number
	}
	plain := strconv.FormatFloat(x, 'f', -1, 64)
	forms := []string{number + ".", number + ".0", number + "e0", "+" + number, "0" + number, "00" + number, "(" + number + ")",
		number + "_0e-1", strings.TrimPrefix(plain, "0"),
		strconv.FormatFloat(x, 'e', -1, 64), strconv.FormatFloat(x, 'E', 20, 64), strconv.FormatFloat(x, 'x', -1, 64),
		"2*" + number + "/2", number + " + 0",
		strings.ReplaceAll(plain, ".", ","), plain + "j", "\u0661" + number, number + "%", "float(" + number + ")", "--" + number,
		"~" + number, `"` + number + `"`}
	if x == math.Trunc(x) {
		n := int64(x)
		forms = append(forms, "int("+number+")", number+"//1", fmt.Sprintf("%#x", n), fmt.Sprintf("%#o", n), fmt.Sprintf("0o%o", n),
			fmt.Sprintf("0b%b", n), fmt.Sprintf("%d_000e-3", n), fmt.Sprintf("%d - 10", n+10), fmt.Sprintf("%d,000", n))
	}
	return forms[r.IntN(len(forms))]
}

// items returns what commas separate: cells of a row, or parts of a bracket.
func (d drawn) items(all [][]int) (found [][]int) {
	type open struct{ start int }
	level := []open{{-1}}
	end := -1
	closeItem := func() {
		if top := &level[len(level)-1]; top.start >= 0 && end > top.start {
			found = append(found, []int{top.start, end})
			top.start = -1
		}
	}
	for _, t := range all {
		token := d.text[t[0]:t[1]]
		switch {
		case strings.TrimSpace(token) == "" || token[0] == '#':
			if token == "\n" && d.name == "csv" {
				closeItem()
			}
			continue
		case token == ",":
			closeItem()
			continue
		case strings.ContainsAny(token, ")]}") && len(token) == 1 && len(level) > 1:
			closeItem()
			level = level[:len(level)-1]
		}
		if top := &level[len(level)-1]; top.start < 0 {
			top.start = t[0]
		}
		end = t[1]
		if strings.ContainsAny(token, "([{") && len(token) == 1 {
			level = append(level, open{-1})
		}
	}
	slices.SortFunc(found, func(a, b []int) int { return a[0] - b[0] })
	return found
}
