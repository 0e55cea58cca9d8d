package interop

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

var (
	lines   = regexp.MustCompile(`(?m)^.*\n`)
	quoted  = regexp.MustCompile(`"[^"]*"`)
	jsonKey = regexp.MustCompile(`"(\w+)":`)
	tokens  = regexp.MustCompile(`#[^\n]*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\n|[ \t]+|.`)
	word    = regexp.MustCompile(`[A-Za-z_]{3,}`)
	bare    = regexp.MustCompile(`^\s*[\d.eE+-]+,?\s*$`)
	remark  = regexp.MustCompile(`#[^\n]*`)
)

// change edits the text at one place. It tells which releases are visibly gone and
// the words a note would have to name.
func (d drawn) change(r *rand.Rand) (after string, gone []int, names []string) {
	from, to, with := d.edit(r)
	after = d.text[:from] + with + d.text[to:]
	visible := after
	if d.format == "dp-accounting" {
		visible = remark.ReplaceAllString(after, "")
	}
	for _, s := range d.spans {
		release := d.text[s.from:s.to]
		switch {
		case from <= s.from && s.to <= to:
			if strings.Count(visible, release) < strings.Count(d.text, release) {
				gone = append(gone, s.entry)
			}
		case to <= s.from && strings.Count(visible, release) < strings.Count(d.text, release):
			gone = append(gone, s.entry) // now in a comment
		} // else changed within: nothing may be lost
	}
	touched := d.text[from:to]
	if strings.HasPrefix(with, "#") { // so is the rest of the line
		touched += strings.SplitN(d.text[to:], "\n", 2)[0]
	}
	names = word.FindAllString(touched+" "+d.context(from)+" "+d.context(to), -1)
	return after, gone, names
}

// context is the column of a table cell, or the last key before a JSON value.
func (d drawn) context(at int) string {
	if d.format == "csv" {
		line := d.text[strings.LastIndexByte(d.text[:at], '\n')+1 : at]
		column := strings.Count(quoted.ReplaceAllString(line, ""), ",")
		if header := strings.Split(strings.SplitN(d.text, "\n", 2)[0], ","); column < len(header) {
			return header[column]
		}
		return ""
	}
	if keys := jsonKey.FindAllStringSubmatch(d.text[:at], -1); len(keys) > 0 {
		return keys[len(keys)-1][1]
	}
	return ""
}

// edit picks a place and what to put there.
func (d drawn) edit(r *rand.Rand) (from, to int, with string) {
	all := tokens.FindAllStringIndex(d.text, -1)
	if r.IntN(3) == 0 {
		return d.editToken(r, all)
	}
	items := d.items(all)
	if r.IntN(4) == 0 || len(items) == 0 {
		items = lines.FindAllStringIndex(d.text, -1)
	}
	i := r.IntN(len(items))
	from, to = items[i][0], items[i][1]
	item := d.text[from:to]
	switch r.IntN(5) {
	case 0: // drop it, with a comma beside it
		if rest := regexp.MustCompile(`^\s*,\s?`).FindString(d.text[to:]); rest != "" && !strings.HasSuffix(item, "\n") {
			to += len(rest)
		} else if before := regexp.MustCompile(`,\s*$`).FindString(d.text[:from]); before != "" && !strings.HasSuffix(item, "\n") {
			from -= len(before)
		}
		return from, to, ""
	case 1: // repeat it
		if strings.HasSuffix(item, "\n") {
			return from, to, item + item
		}
		return from, to, item + ", " + item
	case 2: // swap it with the next; two numbers, or two names of columns, swapped just say something else
		if i+1 < len(items) && items[i+1][0] >= to {
			next := items[i+1]
			if bare.MatchString(item) && bare.MatchString(d.text[next[0]:next[1]]) || d.format == "csv" && !strings.Contains(d.text[:to], "\n") {
				return from, to, item
			}
			return from, next[1], d.text[next[0]:next[1]] + d.text[to:next[0]] + item
		}
		return from, to, item
	case 3: // empty it
		return from, to, []string{"null", "None", "[]", "{}", "()", `""`}[r.IntN(6)]
	default: // another type
		return from, to, []string{`"` + item + `"`, "[" + item + "]", "{" + item + "}", "(" + item + ",)", "true", "False"}[r.IntN(6)]
	}
}

func (d drawn) editToken(r *rand.Rand, all [][]int) (from, to int, with string) {
	i := r.IntN(len(all))
	for strings.TrimLeft(d.text[all[i][0]:all[i][1]], " \t") == "" {
		i = r.IntN(len(all))
	}
	from, to = all[i][0], all[i][1]
	token := d.text[from:to]
	switch r.IntN(5) {
	case 0:
		return from, to, ""
	case 1:
		if bare.MatchString(token) {
			token += " " // twice the number, not another one
		}
		return from, to, token + token
	case 2: // misspell
		k := r.IntN(len(token) + 1)
		if wrong := token[:k] + string(rune('a'+r.IntN(26))) + token[k:]; !bare.MatchString(wrong) { // 1e0 for 10 is another number
			return from, to, wrong
		}
		return from, to, "x" + token
	case 3:
		if i+1 < len(all) {
			next := all[i+1]
			if a, b := token, d.text[next[0]:next[1]]; d.format == "csv" && (a == "," && bare.MatchString(b) || b == "," && bare.MatchString(a)) {
				return from, to, token // a number moved to another column
			}
			return from, next[1], d.text[next[0]:next[1]] + token
		}
		return from, to, ""
	default:
		return from, to, []string{"null", "None", `"` + strings.Trim(token, `"`) + `"`, "-" + token, "[" + token + "]", "True", "nan", "#" + token, ""}[r.IntN(9)]
	}
}

// items are what commas separate: cells of a row, or parts of a bracket.
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
			if token == "\n" && d.format == "csv" {
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
