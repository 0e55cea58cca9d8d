package certificate

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Format names this version of the format.
const Format = "epsilon-certificate-1"

// Certificate is a claim about the tight ε of some releases at δ, with what is needed to check it.
// Numbers are plain decimals, kept as text.
type Certificate struct {
	Format   string    `json:"format"`
	About    About     `json:"about"`
	Releases []Release `json:"releases"`
	Delta    string    `json:"delta"`
	Upper    string    `json:"eps_upper"`
	Lower    string    `json:"eps_lower"`
	Step     string    `json:"h"`
	Digits   string    `json:"digits"`
	Cut      string    `json:"cut"`
	Tests    string    `json:"tests"`
	LowerWay string    `json:"lower_direction"`
}

// About restates what the releases were made of. A checker prints it; it cannot check it.
type About struct {
	Scenario  string `json:"scenario"`
	Unit      string `json:"unit"`
	Adjacency string `json:"adjacency"`
	Group     string `json:"group"`
	Rounds    string `json:"rounds"`
	Stack     string `json:"stack"` // a hash of the stack with its surroundings, by which a certificate is matched to a scenario
}

// Release is count copies of a named pair. Kinds says which numbers each kind has; the others are empty.
type Release struct {
	Kind     string      `json:"kind"`
	Count    string      `json:"count"`
	Q        string      `json:"q,omitempty"`
	Sigma    string      `json:"sigma,omitempty"`
	Z        string      `json:"z,omitempty"`
	Epsilon  string      `json:"eps,omitempty"`
	Delta    string      `json:"delta,omitempty"`
	Share    string      `json:"share,omitempty"`
	Shift    string      `json:"shift,omitempty"`
	Within   string      `json:"within,omitempty"`
	Rest     string      `json:"rest,omitempty"`
	Outcomes [][2]string `json:"outcomes,omitempty"` // P-mass and Q-mass of each
	Offset   string      `json:"offset"`             // of the lattice of the lower end
}

// Marshal returns the certificate as the JSON file that [Parse] and check.py read.
func (c *Certificate) Marshal() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(c)
	return out.Bytes(), err
}

// String returns the restatement on one line, with what cannot be shown escaped.
func (a About) String() string {
	text := fmt.Sprintf("scenario %s; unit %s; adjacency %s; group %s; rounds %s; stack %s",
		a.Scenario, a.Unit, a.Adjacency, a.Group, a.Rounds, a.Stack)
	return escapeUnprintable(text)
}

// escapeUnprintable writes characters that cannot be shown, or that reverse the text after them, as \u and their
// number.
func escapeUnprintable(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			out.WriteRune(r)
		} else {
			out.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return out.String()
}

// String returns the release as a checker prints it.
func (r Release) String() string {
	var parts []string
	for _, name := range parameters[r.Kind] {
		parts = append(parts, name+" "+r.number(name))
	}
	return fmt.Sprintf("%s x %s (%s)", r.Count, r.Kind, strings.Join(parts, ", "))
}

// number returns the text of the field that a certificate has under a name; for outcomes, how many there are.
func (r Release) number(name string) string {
	v := reflect.ValueOf(r)
	for field, value := range v.Fields() {
		if own, _, _ := strings.Cut(field.Tag.Get("json"), ","); own == name {
			if value.Kind() == reflect.Slice {
				return strconv.Itoa(value.Len())
			}
			return value.String()
		}
	}
	panic(name + " is no field of a release")
}

//go:embed check.py
var program []byte

// Checker returns the Python program that checks a certificate.
func Checker() []byte { return bytes.Clone(program) }

// Hash returns the SHA-256 of a file in hexadecimal digits.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Believed is the line that both checkers print before their verdict: what no proof from a list of releases can show.
const Believed = "believed, not checked: each named pair dominates its release under the adjacency above (sensitivity, clipping, sampling, " +
	"exact noise), and nothing else was released"

// upperOnly lists the kinds that cost more than any mechanism they dominate: a lower end of theirs says nothing of a
// release.
var upperOnly = []string{"bounded_range", "sampled_bounded_range", "fixed_batch_gaussian"}

// parameters lists, for each kind, the fields beside kind, count and offset.
var parameters = map[string][]string{
	"gaussian": {"sigma"}, "laplace": {"eps"}, "pure": {"eps"}, "approx": {"eps", "delta"}, "bounded_range": {"eps"},
	"sampled_gaussian": {"q", "z"}, "sampled_laplace": {"q", "eps"}, "sampled_pure": {"q", "eps"},
	"sampled_approx": {"q", "eps", "delta"}, "sampled_bounded_range": {"q", "eps"},
	"replaced_gaussian": {"q", "z"}, "fixed_batch_gaussian": {"q", "z"},
	"response": {"eps", "share"}, "discrete_laplace": {"eps", "shift"}, "discrete_gaussian": {"sigma", "shift"},
	"finite": {"within", "rest", "outcomes"},
}

// tables lists the kinds whose outcomes are listed one by one.
var tables = []string{"response", "discrete_laplace", "discrete_gaussian", "finite"}

// complete lists the tables that list every outcome if their rest is 0: the largest loss is then that of an outcome.
var complete = []string{"finite"}

// byEpsilon lists the kinds whose largest loss, before sampling, is eps or shift times eps (of approx if its δ is 0). A
// kind that is not listed may have P-mass at loss +∞, though it has an eps.
var byEpsilon = []string{"laplace", "pure", "approx", "bounded_range", "sampled_laplace", "sampled_pure",
	"sampled_approx", "sampled_bounded_range", "response", "discrete_laplace"}

// symmetric lists the kinds whose pair reads the same in both directions: one order of the neighbours is enough.
var symmetric = []string{"gaussian", "laplace", "pure", "approx", "bounded_range", "replaced_gaussian",
	"fixed_batch_gaussian", "response", "discrete_laplace", "discrete_gaussian"}
