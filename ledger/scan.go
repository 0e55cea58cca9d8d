package ledger

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"epsiloscope/accounting/adaptive"
)

// A line comes in; its record goes out if the line is byte for byte in the form that this program writes. A long
// ledger is mostly such lines, and reading them so takes a fifth of the time of decoding them, encoding them again
// and comparing the bytes. What is not recognized here, rightly or not, is left to parseRecord and checkCanonical,
// which decide: a line that they refuse is never accepted here.

// scanner reads lines one after the other and keeps what they repeat.
type scanner struct {
	text  string // the line
	at    int
	wrong bool // something else stands there than was expected

	stacks map[string]json.RawMessage
	costs  map[string]*Amounts
	texts  map[string]string
}

// keptTexts bounds how many stacks and costs a scanner keeps.
const keptTexts = 4096

func newScanner() *scanner {
	return &scanner{stacks: map[string]json.RawMessage{}, costs: map[string]*Amounts{}, texts: map[string]string{}}
}

// readRecord reads one line, without its newline, checks it against its hash, and refuses it if it is not in the form
// that this program writes.
func (s *scanner) readRecord(line []byte) (Record, error) {
	if r, ok := s.scan(line); ok {
		return r, nil
	}
	r, err := parseRecord(line)
	if err == nil {
		err = checkCanonical(r, line)
	}
	return r, err
}

// scan returns the record of a line; false if the line has another form, a field of a rare kind, or another hash.
func (s *scanner) scan(line []byte) (r Record, ok bool) {
	at := len(line) - len(hashField) - 64 - 2
	if at < 0 || string(line[at:at+len(hashField)]) != hashField {
		return r, false
	}
	s.text, s.at, s.wrong = string(line), 0, false
	s.expect(`{"v":1,"seq":`)
	r.V, r.Seq = Version, s.whole()
	s.expect(`,"kind":`)
	r.Kind = Kind(s.readText())
	r.Force = s.has(`,"force":true`)
	r.ID = s.textField(`,"id":`)
	s.expect(`,"nonce":`)
	r.Nonce = s.readText()
	s.expect(`,"at":`)
	r.At = s.readText()
	s.scanRequest(&r)
	s.scanEnd(&r)
	if s.wrong || s.at != len(s.text) || !hasHash(line[:at], r.Hash) {
		return Record{}, false
	}
	if _, ok := parseTime(r.At); !ok {
		return Record{}, false
	}
	s.copyTexts(&r)
	return r, true
}

// copyTexts copies the texts of a record, so that the line need not be kept. What many lines say is kept once.
func (s *scanner) copyTexts(r *Record) {
	own := r.ID + r.Nonce + r.At + r.Hash
	for _, text := range []*string{&r.ID, &r.Nonce, &r.At, &r.Hash} {
		*text, own = own[:len(*text)], own[len(*text):]
	}
	r.Kind, r.Prev = Kind(s.keepText(string(r.Kind))), strings.Clone(r.Prev)
	for _, text := range []*string{&r.By, &r.Why, &r.Artifact, &r.Reason, &r.From} {
		*text = s.keepText(*text)
	}
	for _, n := range []*json.Number{&r.Rounds, &r.Group, &r.Records} {
		*n = json.Number(s.keepText(string(*n)))
	}
	for i, b := range r.Blocks {
		r.Blocks[i] = s.keepText(b)
	}
}

// keepText returns a copy of a text, the same one for equal texts.
func (s *scanner) keepText(text string) string {
	if text == "" {
		return ""
	}
	kept, ok := s.texts[text]
	if !ok {
		kept = strings.Clone(text)
		if len(s.texts) < keptTexts {
			s.texts[kept] = kept
		}
	}
	return kept
}

// scanRequest reads the fields of a request and its cost.
func (s *scanner) scanRequest(r *Record) {
	r.By, r.Why = s.textField(`,"by":`), s.textField(`,"why":`)
	r.Command = s.has(`,"command":true`)
	if s.has(`,"blocks":[`) {
		for more := true; more && !s.wrong; more = s.has(`,`) {
			r.Blocks = append(r.Blocks, s.readText())
		}
		s.expect(`]`)
	}
	r.Rounds, r.Group, r.Records = s.numberField(`,"rounds":`), s.numberField(`,"group":`), s.numberField(`,"records":`)
	if s.has(`,"stack":`) {
		r.Stack = s.stack()
	}
	if s.has(`,"cost":`) {
		from := s.at
		cost := s.amounts()
		text := s.text[from:s.at]
		if kept := s.costs[text]; kept != nil {
			cost = kept
		} else if len(s.costs) < keptTexts && !s.wrong {
			s.costs[strings.Clone(text)] = cost
		}
		r.Cost = cost
	}
	if s.has(`,"after":`) {
		r.After = s.amounts()
	}
}

// scanEnd reads the fields behind the request.
func (s *scanner) scanEnd(r *Record) {
	if s.has(`,"status":`) {
		status := s.whole()
		r.Status = &status
	}
	r.Artifact, r.Reason, r.From = s.textField(`,"artifact":`), s.textField(`,"reason":`), s.textField(`,"from":`)
	s.expect(`,"prev":`)
	r.Prev = s.readText()
	s.expect(hashField[:len(hashField)-1])
	r.Hash = s.readText()
	s.expect(`}`)
}

// has reports whether a text stands here, and passes it.
func (s *scanner) has(text string) bool {
	if !strings.HasPrefix(s.text[s.at:], text) {
		return false
	}
	s.at += len(text)
	return true
}

func (s *scanner) expect(text string) {
	if !s.has(text) {
		s.wrong = true
	}
}

// readText reads a text in quotes without escapes.
func (s *scanner) readText() string {
	s.expect(`"`)
	from, plain := s.at, true
	for ; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		c := s.text[s.at]
		switch {
		case c == '\\' || c < ' ':
			s.wrong = true
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	text := s.text[from:s.at]
	if s.expect(`"`); !plain && (!utf8.ValidString(text) || strings.ContainsAny(text, "\u2028\u2029")) {
		s.wrong = true // which is written with an escape
	}
	return text
}

// textField reads a field that is left out if it is empty.
func (s *scanner) textField(name string) string {
	if !s.has(name) {
		return ""
	}
	text := s.readText()
	s.wrong = s.wrong || text == ""
	return text
}

// digits reads a whole number of at most the given number of digits, without a sign or leading zeros.
func (s *scanner) digits(most int) string {
	from := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	text := s.text[from:s.at]
	if text == "" || len(text) > most || len(text) > 1 && text[0] == '0' {
		s.wrong = true
		return "0"
	}
	return text
}

func (s *scanner) whole() int {
	n, _ := strconv.Atoi(s.digits(9))
	return n
}

func (s *scanner) numberField(name string) json.Number {
	if !s.has(name) {
		return ""
	}
	return json.Number(s.digits(15))
}

// stack reads a list, which is checked as JSON without spaces the first time.
func (s *scanner) stack() json.RawMessage {
	from := s.at
	depth, quoted := 0, false
	for ; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '\\' || c < ' ' || c >= utf8.RuneSelf:
			s.wrong = true
			return nil
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if depth == 0 {
			s.at++
			break
		}
	}
	text := s.text[from:min(s.at, len(s.text))]
	if kept := s.stacks[text]; kept != nil {
		return kept
	}
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(text)) != nil || compact.String() != text || text[0] != '[' {
		s.wrong = true
		return nil
	}
	raw := json.RawMessage(compact.Bytes())
	if len(s.stacks) < keptTexts {
		s.stacks[strings.Clone(text)] = raw
	}
	return raw
}

// amounts reads a cost as [Amounts.MarshalJSON] writes it: δ first if there is one, then one quantity, then its
// rounding if there is one.
func (s *scanner) amounts() *Amounts {
	a := &Amounts{Cost: adaptive.Cost{Failures: new(big.Int)}}
	s.expect(`{`)
	if s.has(`"delta":`) {
		a.Failures = s.amount()
		s.wrong = s.wrong || a.Failures.Sign() == 0
		s.expect(`,`)
	}
	for _, name := range quantities {
		if s.has(`"` + name + `":`) {
			a.Quantity = name
			break
		}
	}
	if !s.has(`[`) {
		a.Parts = []*big.Int{s.amount()}
	} else {
		for more := true; more && !s.wrong; more = s.has(`,`) {
			a.Parts = append(a.Parts, s.amount())
		}
		s.expect(`]`)
		s.wrong = s.wrong || len(a.Parts) < 2
	}
	if s.has(`,"rounding":`) {
		var err error
		a.Rounding, err = parseRounding(s.readText())
		s.wrong = s.wrong || err != nil || a.checkRounding() != nil
	}
	s.expect(`}`)
	s.wrong = s.wrong || a.Quantity == ""
	return a
}

// amount reads a whole number in quotes.
func (s *scanner) amount() *big.Int {
	s.expect(`"`)
	text := s.digits(200)
	s.expect(`"`)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return big.NewInt(n)
	}
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

// parseTime reads a time of the form 2026-11-15T09:00:00Z.
func parseTime(text string) (time.Time, bool) {
	if len(text) != len(timeLayout) || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
		text[16] != ':' || text[19] != 'Z' {
		return time.Time{}, false
	}
	var n [6]int
	for i, from := range [6]int{0, 5, 8, 11, 14, 17} {
		for _, c := range []byte(text[from:min(from+max(2, 4-from), 19)]) {
			if c < '0' || c > '9' {
				return time.Time{}, false
			}
			n[i] = 10*n[i] + int(c-'0')
		}
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
	year, month, day := t.Date() // which turns 30 February into 2 March
	return t, year == n[0] && int(month) == n[1] && day == n[2] && n[3] < 24 && n[4] < 60 && n[5] < 60
}
