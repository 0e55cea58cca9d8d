package document

import "strings"

// blockScalar reads text in | or > form: a header, then every line further right
// than parent.
func (p *parser) blockScalar(parent int) *Node {
	n := &Node{Style: Literal, Start: p.pos}
	if p.src[p.pos] == '>' {
		n.Style = Folded
	}
	indent, chomp := p.blockHeader(parent)
	n.End = p.pos
	p.skipLine()

	var lines []string
	content := 0 // lines up to the last one that is not blank
	for p.pos+1 < len(p.src) {
		start := p.pos + 1
		line, _, _ := strings.Cut(p.src[start:], "\n")
		end := start + len(line)
		spaces := len(line) - len(strings.TrimLeft(line, " "))
		if spaces == len(line) {
			lines = append(lines, line[min(spaces, max(indent, 0)):])
			p.pos = end
			if indent >= 0 && spaces > indent {
				content = len(lines)
			}
			continue
		}
		if indent < 0 {
			if line[spaces] == '\t' && spaces <= parent {
				panic(p.fail(start+spaces, "a tab cannot indent; use spaces"))
			}
			if spaces <= parent {
				break
			}
			indent = spaces
			clear(lines)
		}
		if spaces < indent || (spaces == 0 && (p.hasMarker(start, "---") || p.hasMarker(start, "..."))) {
			break
		}
		lines = append(lines, line[indent:])
		content = len(lines)
		n.End = end
		p.pos = end
	}
	n.Text = joinBlock(lines, content, n.Style == Folded, chomp)
	return n
}

// blockHeader reads | or > with an optional indentation digit and - or +.
func (p *parser) blockHeader(parent int) (indent int, chomp byte) {
	indent = -1
	for p.pos++; p.pos < len(p.src); p.pos++ {
		switch c := p.src[p.pos]; {
		case (c == '-' || c == '+') && chomp == 0:
			chomp = c
		case c >= '1' && c <= '9' && indent < 0:
			indent = max(parent, 0) + int(c-'0')
		default:
			end := p.pos
			if !p.lineEnds() {
				panic(p.fail(p.pos, "unexpected text after | or >; the text starts on the next line"))
			}
			p.pos = end
			return indent, chomp
		}
	}
	return indent, chomp
}

// joinBlock puts the lines together; the first content of them are not trailing
// blanks.
func joinBlock(lines []string, content int, fold bool, chomp byte) string {
	var b strings.Builder
	breaks := 0
	var previous string
	for i, line := range lines[:content] {
		if fold && line == "" {
			breaks++
			continue
		}
		switch {
		case i == 0:
		case !fold:
			b.WriteByte('\n')
		case b.Len() == 0 && previous == "":
			b.WriteString(strings.Repeat("\n", breaks))
		case indented(line) || indented(previous):
			b.WriteString(strings.Repeat("\n", breaks+1))
		default:
			b.Write(appendFold(nil, breaks+1))
		}
		b.WriteString(line)
		previous, breaks = line, 0
	}
	switch trailing := len(lines) - content; {
	case chomp == '+':
		if content > 0 {
			trailing++
		}
		b.WriteString(strings.Repeat("\n", trailing))
	case chomp == 0 && content > 0:
		b.WriteByte('\n')
	}
	return b.String()
}

func indented(line string) bool { return line != "" && (line[0] == ' ' || line[0] == '\t') }
