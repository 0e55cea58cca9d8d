package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Version is the version of the lines written; a file of another version is refused.
const Version = 1

// Kind is the kind of a line.
type Kind string

const (
	KindOpen    Kind = "open"    // the promise; the first line and no other
	KindReserve Kind = "reserve" // a request was granted and is about to run
	KindCommit  Kind = "commit"  // a reserved release was made
	KindCancel  Kind = "cancel"  // the data were never touched; the reservation is cancelled
	KindRefuse  Kind = "refuse"  // a request was refused
	KindTorn    Kind = "torn"    // the bytes of a last line that was never acknowledged
	KindBreach  Kind = "breach"  // released, and does not fit
	KindHome    Kind = "home"    // another place grants requests from here on
)

// Record is a line of the ledger file. Which fields it has depends on its kind.
type Record struct {
	V     int    `json:"v"`
	Seq   int    `json:"seq"`
	Kind  Kind   `json:"kind"`
	Force bool   `json:"force,omitempty"` // a cancellation of what was reserved with a command
	ID    string `json:"id,omitempty"`
	Nonce string `json:"nonce"` // random: no other line has it
	At    string `json:"at"`

	Data      string   `json:"data,omitempty"`
	Unit      string   `json:"unit,omitempty"`
	Adjacency string   `json:"adjacency,omitempty"`
	Promise   *Promise `json:"promise,omitempty"`
	Follows   string   `json:"follows,omitempty"` // the head of the ledger before this one
	Home      string   `json:"home,omitempty"`    // the place that grants requests from here on

	By      string   `json:"by,omitempty"`
	Why     string   `json:"why,omitempty"`
	Command bool     `json:"command,omitempty"` // reserved by a process that runs the release itself
	Blocks  []string `json:"blocks,omitempty"`
	Request
	Cost  *Amounts `json:"cost,omitempty"`
	After *Amounts `json:"after,omitempty"` // held and spent in the block that binds

	Status   *int   `json:"status,omitempty"`
	Artifact string `json:"artifact,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Bytes    []byte `json:"bytes,omitempty"`
	From     string `json:"from,omitempty"` // the hash of the line that this one charges again

	Prev string `json:"prev"`
	Hash string `json:"hash"`
}

// timeLayout is the format of times: UTC, to the second.
const timeLayout = "2006-01-02T15:04:05Z"

// Time returns the time at which the record was written, by the writer's clock.
func (r Record) Time() time.Time {
	if t, ok := parseTime(r.At); ok {
		return t
	}
	t, _ := time.Parse(timeLayout, r.At) // checked on reading
	return t
}

const hashField = `,"hash":"`

// seal gives a record its hash and returns its line, the newline included.
func (r *Record) seal() ([]byte, error) {
	r.Hash = ""
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	body := bytes.TrimSuffix(b.Bytes(), []byte(hashField+"\"}\n"))
	r.Hash = hashOf(body)
	return append(body[:len(body):len(body)], []byte(hashField+r.Hash+"\"}\n")...), nil
}

func hashOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// hasHash reports whether a text is the hash of a body.
func hasHash(body []byte, hash string) bool {
	sum := sha256.Sum256(body)
	var digits [2 * sha256.Size]byte
	hex.Encode(digits[:], sum[:])
	return string(digits[:]) == hash
}

// parseRecord reads one line, without its newline, and checks it against its hash.
func parseRecord(line []byte) (Record, error) {
	var version struct {
		V    *int `json:"v"`
		Kind Kind `json:"kind"`
	}
	// The version first: a later one may have fields that are unknown here.
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return Record{}, errors.New("it is empty: another program has added it, as this program writes none. Remove the empty line and nothing else")
	case bytes.HasSuffix(line, []byte("\r")):
		return Record{}, errors.New(`it ends with a carriage return: a program has rewritten the ends of the lines (CRLF), git among them if core.autocrlf is set. Turn them back, as in "sed -i 's/\r$//' FILE", and keep them with a line "*.ledger -text" in .gitattributes`)
	}
	at := bytes.LastIndex(line, []byte(hashField))
	if at < 0 || at+len(hashField)+64+2 != len(line) {
		if err := json.Unmarshal(line, &version); err == nil && version.V != nil && *version.V != Version {
			return Record{}, versionError(*version.V)
		}
		return Record{}, errors.New("it is not a line of a ledger: it does not end with its hash")
	}
	if !bytes.HasPrefix(line, []byte(`{"v":1,`)) {
		if err := json.Unmarshal(line, &version); err != nil || version.V == nil {
			return Record{}, errors.New("it is not a line of a ledger: it has no version")
		}
		return Record{}, versionError(*version.V)
	}
	var r Record
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Record{}, fmt.Errorf("it cannot be read: %s", plainJSON(err))
	}
	if hash := hashOf(line[:at]); hash != r.Hash {
		return Record{}, fmt.Errorf("it was changed: its hash is %s, and its bytes give %s", shortHash(r.Hash), shortHash(hash))
	}
	if _, err := time.Parse(timeLayout, r.At); err != nil {
		return Record{}, fmt.Errorf("its time %q is not of the form 2026-11-15T09:00:00Z", r.At)
	}
	return r, nil
}

func versionError(v int) error {
	return fmt.Errorf("it is of version %d; this program knows version %d only", v, Version)
}

// plainJSON returns the text of a JSON decoder's error without the names of Go types.
func plainJSON(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("the field %q is of the wrong type", kind.Field)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

func shortHash(hash string) string {
	if hash == "" {
		return "none"
	}
	return hash[:min(headDigits, len(hash))]
}

const idCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

// checkTexts refuses control characters wherever people write.
func (r *Record) checkTexts() error {
	if strings.Trim(r.ID, idCharacters) != "" {
		return fmt.Errorf("the id %q has other characters than letters, digits, '.', '_' and '-'", r.ID)
	}
	for _, t := range [...]struct{ what, text string }{
		{"by", r.By}, {"why", r.Why}, {"reason", r.Reason}, {"data", r.Data}, {"unit", r.Unit}, {"id", r.ID}, {"artifact", r.Artifact}, {"follows", r.Follows}, {"home", r.Home},
	} {
		if err := checkText(t.what, t.text); err != nil {
			return err
		}
	}
	names := r.Blocks
	if r.Promise != nil {
		names = append(slices.Collect(maps.Keys(r.Promise.Quotas)), r.Promise.Blocks)
	}
	for _, name := range names {
		if err := checkText("a name", name); err != nil {
			return err
		}
	}
	return nil
}

// truncateReason shortens a reason to what a record may hold.
func truncateReason(text string) string {
	const most = 900
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " …"
}

// isNotPlain reports whether a character is other than the printed ones of ASCII.
func isNotPlain(r rune) bool { return r < ' ' || r > '~' }

// checkText refuses control characters, which a terminal would obey.
func checkText(what, text string) error {
	if len(text) > 1000 {
		return fmt.Errorf("%s is longer than 1000 bytes", what)
	}
	if !strings.ContainsFunc(text, isNotPlain) {
		return nil
	}
	for _, r := range text {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
			return fmt.Errorf("%s has a control character, %U", what, r)
		}
	}
	return nil
}
