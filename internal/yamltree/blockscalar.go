package yamltree

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
		spaces := len(line) - len(strings.TrimLeft(line, " "))
		blank := spaces == len(line)
		if indent < 0 && !blank {
			if spaces <= parent {
				if line[spaces] == '\t' {
					p.fail(start+spaces, "a tab cannot indent; use spaces")
				}
				break
			}
			indent = spaces
			clear(lines)
		}
		if !blank && (spaces < indent || p.endsAt(start)) {
			break
		}
		lines = append(lines, line[min(spaces, max(indent, 0)):])
		p.pos = start + len(line)
		if !blank {
			n.End = p.pos
		}
		if !blank || indent >= 0 && spaces > indent {
			content = len(lines)
		}
	}
	n.Text = joinBlock(lines[:content], n.Style == Folded)
	trailing := len(lines) - content
	switch {
	case chomp == '+':
		n.Text += strings.Repeat("\n", trailing+min(content, 1))
	case chomp == 0 && content > 0:
		n.Text += "\n"
	}
	return n
}

// blockHeader reads | or > with an optional indentation digit and - or +.
func (p *parser) blockHeader(parent int) (indent int, chomp byte) {
	indent = -1
	for p.pos++; ; p.pos++ {
		c := p.byteAt(p.pos)
		switch {
		case (c == '-' || c == '+') && chomp == 0:
			chomp = c
		case c >= '1' && c <= '9' && indent < 0:
			indent = max(parent, 0) + int(c-'0')
		default:
			end := p.pos
			if !p.lineEnds() {
				p.fail(p.pos, "unexpected text after | or >; the text starts on the next line")
			}
			p.pos = end
			return indent, chomp
		}
	}
}

// joinBlock puts the lines together. Folding makes one line end a space, except beside
// lines that are indented further.
func joinBlock(lines []string, fold bool) string {
	if !fold {
		return strings.Join(lines, "\n")
	}
	var text []byte
	breaks, previous := 0, ""
	for i, line := range lines {
		switch {
		case line == "":
			breaks++
			continue
		case i == 0:
		case len(text) == 0:
			text = append(text, strings.Repeat("\n", breaks)...)
		case isIndented(line) || isIndented(previous):
			text = append(text, strings.Repeat("\n", breaks+1)...)
		default:
			text = appendFold(text, breaks+1)
		}
		text = append(text, line...)
		previous, breaks = line, 0
	}
	return string(text)
}

func isIndented(line string) bool { return line != "" && (line[0] == ' ' || line[0] == '\t') }
