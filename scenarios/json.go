package scenarios

import (
	"encoding/json"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
)

// JSON is the scenario on one line of JSON, which is YAML too: [Parse] reads it back.
func (s *Scenario) JSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	var b strings.Builder
	s.tree().writeJSON(&b)
	return s.verified([]byte(b.String()))
}

func (t *tree) writeJSON(b *strings.Builder) {
	switch t.kind {
	case numberTree:
		b.WriteString(mechanisms.FormatNumber(t.number))
	case textTree:
		writeJSONText(b, t.text)
	case flagTree:
		b.WriteString(strconv.FormatBool(t.flag))
	case sequenceTree:
		b.WriteByte('[')
		for i, item := range t.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case mappingTree:
		b.WriteByte('{')
		first := true
		for _, f := range t.fields {
			if f.implied {
				continue
			}
			if !first {
				b.WriteByte(',')
			}
			first = false
			writeJSONText(b, f.name)
			b.WriteByte(':')
			f.value.writeJSON(b)
		}
		b.WriteByte('}')
	}
}

func writeJSONText(b *strings.Builder, text string) {
	var line strings.Builder
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string always can
	b.WriteString(strings.TrimSuffix(line.String(), "\n"))
}
