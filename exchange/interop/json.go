package interop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"epsiloscope/accounting/numeral"
)

// parseJSON reads one JSON value with the place of every part. What encoding/json
// lets pass is refused: a key given twice, anything after the value, text that is
// not UTF-8, a number beyond float64.
func parseJSON(data []byte) node {
	if !utf8.Valid(data) {
		refuse("", "this is not UTF-8 text")
	}
	p := &jsonParser{Decoder: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1}
	p.UseNumber()
	n := p.value(0)
	if _, err := p.Token(); !errors.Is(err, io.EOF) {
		refuse(p.position(), "something follows the end of the record")
	}
	return n
}

type jsonParser struct {
	*json.Decoder
	data              []byte
	seen, line, start int // how far lines were counted, and where the last one starts
}

// position returns the line and column of the token that comes next.
func (p *jsonParser) position() string {
	end := int(p.InputOffset())
	for end < len(p.data) && strings.IndexByte(" \t\r\n,:", p.data[end]) >= 0 {
		end++
	}
	for ; p.seen < end; p.seen++ {
		if p.data[p.seen] == '\n' {
			p.line, p.start = p.line+1, p.seen+1
		}
	}
	return fmt.Sprintf("line %d, column %d", p.line, end-p.start+1)
}

func (p *jsonParser) token() json.Token {
	at := p.position()
	t, err := p.Token()
	if err != nil {
		refuse(at, "this is not JSON")
	}
	return t
}

func (p *jsonParser) value(depth int) node {
	n := node{at: p.position()}
	if depth > maxDepth {
		refuse(n.at, "nested more than %d deep", maxDepth)
	}
	switch t := p.token().(type) {
	case nil:
		n.kind = null
	case bool:
		n.kind = flag
	case string:
		n.kind, n.text = text, t
	case json.Number:
		x, err := strconv.ParseFloat(t.String(), 64)
		if err != nil || numeral.Vanishes(t.String(), x) {
			refuse(n.at, "the number %s is too large, or too small", t)
		}
		n.kind, n.number = number, x
	case json.Delim:
		n.kind = map[json.Delim]kind{'[': list, '{': object}[t]
		keys := map[string]bool{}
		for p.More() {
			if n.kind == list {
				n.items = append(n.items, p.value(depth+1))
				continue
			}
			at := p.position()
			key := p.token().(string)
			if key == "" {
				refuse(at, "a key without a name")
			}
			if keys[key] {
				refuse(at, "the key %q is given twice", key)
			}
			keys[key] = true
			n.parts = append(n.parts, part{key, p.value(depth + 1)})
		}
		p.token()
	}
	return n
}
