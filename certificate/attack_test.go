package certificate

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// attack is a certificate that somebody spoiled, by accident or on purpose.
type attack struct {
	name string
	file []byte
	want int // status: 1 not proved, 2 no certificate
}

// shift moves a claim by a part of itself, 2e-4 in most attacks.
func shift(text string, by float64) string {
	r := rational(text)
	f := new(big.Rat).SetFloat64(1 + by)
	return decimalText(r.Mul(r, f))
}

// falseClaims spoils what is claimed, or what is released, of every sample.
func falseClaims(t *testing.T) (list []attack) {
	put := func(name string, c Certificate, change func(*Certificate)) {
		c.Releases = append([]Release(nil), c.Releases...)
		change(&c)
		list = append(list, attack{name, c.file(t), 1})
	}
	grow := func(text *string, by float64) bool {
		if *text == "" || *text == "0" {
			return false
		}
		*text = shift(*text, by)
		return true
	}
	for _, s := range samples() {
		c := *s.claimed(t)
		put(s.name+": ε 0.02 % too small", c, func(c *Certificate) {
			c.Upper = shift(c.Upper, -2e-4)
			c.Lower = "0"
		})
		if s.lower {
			put(s.name+": lower end 0.02 % too large", c, func(c *Certificate) {
				c.Lower = shift(c.Lower, 2e-4)
				c.Upper = shift(c.Upper, 1)
			})
		}
		put(s.name+": one release more than claimed", c, func(c *Certificate) {
			n := rational(c.Releases[0].Count)
			c.Releases[0].Count = n.Add(n, big.NewRat(1, 1)).FloatString(0)
			c.Lower = "0"
		})
		for _, change := range []struct {
			name  string
			field func(*Release) *string
			by    float64
		}{
			{"σ smaller", func(r *Release) *string { return &r.Sigma }, -0.01}, {"z smaller", func(r *Release) *string { return &r.Z }, -0.01},
			{"ε larger", func(r *Release) *string { return &r.Epsilon }, 0.01}, {"q larger", func(r *Release) *string { return &r.Q }, 0.01},
			{"share larger", func(r *Release) *string { return &r.Share }, 0.01},
		} {
			probe := c.Releases[0]
			if !grow(change.field(&probe), change.by) || s.name == "discrete-gaussian" && change.name == "σ smaller" {
				continue
			}
			put(s.name+": "+change.name, c, func(c *Certificate) { c.Releases[0], c.Lower = probe, "0" })
		}
		if c.Delta != "0" {
			put(s.name+": δ a tenth smaller", c, func(c *Certificate) {
				c.Delta = shift(c.Delta, -0.1)
				c.Lower = "0"
			})
		}
	}
	return list
}

// edits are changes of the text of a good certificate, each of which makes it malformed.
var edits = []struct{ name, old, new string }{
	{"field twice", `"delta": "1e-6",`, `"delta": "1e-6", "delta": "0.1",`},
	{"release field twice", `"sigma": "10",`, `"sigma": "10", "sigma": "1000",`},
	{"unknown field", `"delta": "1e-6",`, `"delta": "1e-6", "slack": "0.01",`},
	{"missing field", ` "tests": "4",`, ``},
	{"capital letter", `"delta":`, `"Delta":`},
	{"number without quotation marks", `"eps": "0.2"`, `"eps": 0.2`},
	{"whole number without quotation marks", `"digits": "24"`, `"digits": 24`},
	{"not a number", `"eps": "0.2"`, `"eps": NaN`},
	{"NaN as text", `"eps": "0.2"`, `"eps": "NaN"`},
	{"infinity", `"eps": "0.2"`, `"eps": "Infinity"`},
	{"null", `"eps": "0.2"`, `"eps": null`},
	{"true", `"count": "3"`, `"count": true`},
	{"empty", `"eps": "0.2"`, `"eps": ""`},
	{"plus", `"eps": "0.2"`, `"eps": "+0.2"`},
	{"minus zero", `"offset": "0"`, `"offset": "--0"`},
	{"negative ε", `"eps": "0.2"`, `"eps": "-0.2"`},
	{"space", `"eps": "0.2"`, `"eps": " 0.2"`},
	{"line break", `"eps": "0.2"`, `"eps": "0.2\n"`},
	{"other digits", `"eps": "0.2"`, `"eps": "٠.٢"`},
	{"full width digits", `"count": "3"`, `"count": "３"`},
	{"hexadecimal", `"count": "3"`, `"count": "0x3"`},
	{"underscore", `"count": "3"`, `"count": "1_0"`},
	{"leading zero", `"count": "3"`, `"count": "03"`},
	{"exponent in a count", `"count": "3"`, `"count": "3e0"`},
	{"large exponent", `"eps": "0.2"`, `"eps": "2e999"`},
	{"zero with an exponent", `"eps": "0.2"`, `"eps": "0e999"`},
	{"positive exponent", `"eps": "0.2"`, `"eps": "2e1"`},
	{"comma", `"eps": "0.2"`, `"eps": "0,2"`},
	{"fraction", `"eps": "0.2"`, `"eps": "1/5"`},
	{"46 decimals", `"eps": "0.2"`, `"eps": "0.2` + strings.Repeat("0", 45) + `"`},
	{"fraction of a release", `"count": "3"`, `"count": "2.5"`},
	{"no release", `"count": "3"`, `"count": "0"`},
	{"negative count", `"count": "3"`, `"count": "-3"`},
	{"huge count", `"count": "3"`, `"count": "10000001"`},
	{"count of many digits", `"count": "3"`, `"count": "` + strings.Repeat("9", 5000) + `"`},
	{"σ too small", `"sigma": "10"`, `"sigma": "0.01"`},
	{"σ zero", `"sigma": "10"`, `"sigma": "0"`},
	{"step zero", `"h": "0.05"`, `"h": "0"`},
	{"tiny step", `"h": "0.05"`, `"h": "1e-9"`},
	{"wide step", `"h": "0.05"`, `"h": "2"`},
	{"negative step", `"h": "0.05"`, `"h": "-0.05"`},
	{"too many digits", `"digits": "24"`, `"digits": "39"`},
	{"too few digits", `"digits": "24"`, `"digits": "3"`},
	{"no cut", `"cut": "1e-16"`, `"cut": "0"`},
	{"coarse cut", `"cut": "1e-16"`, `"cut": "0.1"`},
	{"no tests", `"tests": "4"`, `"tests": "0"`},
	{"many tests", `"tests": "4"`, `"tests": "1000000"`},
	{"δ above a half", `"delta": "1e-6"`, `"delta": "0.9"`},
	{"δ too small", `"delta": "1e-6"`, `"delta": "1e-40"`},
	{"negative δ", `"delta": "1e-6"`, `"delta": "-1e-6"`},
	{"offset too large", `"offset": "0"`, `"offset": "7"`},
	{"format of tomorrow", `certificate-1"`, `certificate-2"`},
	{"both directions", `"lower_direction": "remove"`, `"lower_direction": "both"`},
	{"unknown kind", `"kind": "pure"`, `"kind": "purest"`},
	{"kind in another case", `"kind": "pure"`, `"kind": "Pure"`},
	{"kind that needs another number", `"kind": "pure"`, `"kind": "approx"`},
	{"kind that needs other numbers", `"kind": "pure"`, `"kind": "finite"`},
	{"number of another kind", `"eps": "0.2"`, `"eps": "0.2", "q": "0.5"`},
	{"kind is a list", `"kind": "pure"`, `"kind": ["pure"]`},
	{"kind is an object", `"kind": "pure"`, `"kind": {}`},
	{"ε is a list", `"eps": "0.2"`, `"eps": ["0.2"]`},
	{"releases are an object", `"releases": [`, `"releases": {"a": [`},
	{"about is a text", `"about": {`, `"about": "x", "more": {`},
	{"about with a colour", `"unit": "person"`, `"unit": "\u001b[31mperson"`},
	{"about too long", `"unit": "person"`, `"unit": "` + strings.Repeat("p", 201) + `"`},
	{"about without adjacency", `"adjacency": "add-remove",`, ``},
	{"about with a list", `"unit": "person"`, `"unit": ["person"]`},
	{"about with an object", `"unit": "person"`, `"unit": {}`},
	{"about with half a character", `"unit": "person"`, `"unit": "\ud800"`},
	{"δ is an object", `"delta": "1e-6"`, `"delta": {}`},
	{"a release is a text", `"releases": [`, `"releases": ["x",`},
	{"infinity without quotation marks", `"eps": "0.2"`, `"eps": -Infinity`},
	{"two faults", `"unit": "person"`, `"unit": 1, "unit": null`},
	{"false", `"unit": "person"`, `"unit": false`},
	{"control character in a text", `"unit": "person"`, "\"unit\": \"per\tson\""},
	{"about with a number", `"rounds": "1"`, `"rounds": 1`},
	{"comment", `"delta"`, `/* */ "delta"`},
	{"comma at the end", `"lower_direction": "remove"`, `"lower_direction": "remove",`},
	{"single quotation marks", `"1e-6"`, `'1e-6'`},
}

func malformedFiles(t *testing.T) (list []attack) {
	var good []byte
	for _, s := range samples() {
		if s.name == "mixed" {
			good = s.claimed(t).file(t)
		}
	}
	put := func(name string, file []byte) { list = append(list, attack{name, file, 2}) }
	for _, e := range edits {
		if !bytes.Contains(good, []byte(e.old)) {
			t.Errorf("%s: %s is not in the certificate", e.name, e.old)
		}
		put(e.name, bytes.Replace(good, []byte(e.old), []byte(e.new), 1))
	}
	put("nothing", nil)
	put("half a file", good[:len(good)/2])
	put("two files", append(bytes.Clone(good), good...))
	put("not UTF-8", append([]byte{0xff, 0xfe}, good...))
	put("not JSON", []byte("proved: ε ≤ 0.1 at δ = 1e-6\n"))
	put("a list", append(append([]byte("["), good...), ']'))
	put("deep", []byte(strings.Repeat("[", 200_000)))
	put("deep, but complete", []byte(strings.Repeat("[", 2000)+strings.Repeat("]", 2000)))
	put("ten lists", []byte(strings.Repeat("[", 10)+strings.Repeat("]", 10)))
	put("a text", []byte(`"proved"`))
	put("longer than a million characters", append(bytes.Clone(good), bytes.Repeat([]byte(" "), 1_000_001)...))
	remake := func(name string, change func(*Certificate)) {
		c := new(Certificate)
		if err := json.Unmarshal(good, c); err != nil {
			t.Fatal(err)
		}
		change(c)
		put(name, c.file(t))
	}
	remake("no releases", func(c *Certificate) { c.Releases = []Release{} })
	remake("51 releases", func(c *Certificate) {
		for len(c.Releases) < 51 {
			c.Releases = append(c.Releases, c.Releases[0])
		}
	})
	remake("lower end above the upper end", func(c *Certificate) { c.Lower, c.Upper = c.Upper, c.Lower })
	finite := func(name string, outcomes ...[2]string) {
		remake(name, func(c *Certificate) {
			c.Releases = []Release{{Kind: "finite", Count: "1", Within: "0", Rest: "0", Outcomes: outcomes, Offset: "0"}}
		})
	}
	finite("P-masses below 1", [2]string{"0.5", "0.5"}, [2]string{"0.4", "0.5"})
	finite("Q-masses above 1", [2]string{"0.5", "0.6"}, [2]string{"0.5", "0.5"})
	finite("negative mass", [2]string{"-0.5", "0.5"}, [2]string{"1", "0.5"})
	finite("mass above 1", [2]string{"2", "0.5"}, [2]string{"0", "0.5"})
	remake("masses known too badly", func(c *Certificate) {
		c.Releases = []Release{{Kind: "finite", Count: "1", Within: "0.1", Rest: "0", Outcomes: [][2]string{{"1", "1"}}, Offset: "0"}}
	})
	put("outcome of three masses", bytes.Replace(list[len(list)-1].file, []byte(`"1"
`), []byte(`"1", "0"
`), 1))
	return list
}

// tooLarge returns certificates that would take hours: both checkers state their limits and end.
func tooLarge(t *testing.T) (list []attack) {
	for _, s := range []sample{
		{"tiny step", "1e-6", "0.000001", []Release{{Kind: "gaussian", Count: "1", Sigma: "0.3", Offset: "0"}}, true},
		{"tiny step and huge count", "1e-6", "0.000001", []Release{{Kind: "pure", Count: "10000000", Epsilon: "50", Offset: "0"}}, true},
		{"long discrete noise", "1e-6", "0.000001", []Release{{Kind: "discrete_laplace", Count: "10000000", Epsilon: "0.01", Shift: "4096", Offset: "0"}}, true},
	} {
		c := &Certificate{Format: Format, About: About{s.name, "", "", "", "", ""}, Releases: s.releases,
			Delta: s.delta, Upper: "1", Lower: "0.5",
			Step: s.step, Digits: "38", Cut: "1e-36", Tests: "16", LowerWay: "remove"}
		list = append(list, attack{s.name, c.file(t), 1})
	}
	return list
}

// TestAttacks plays somebody who hands out a false or malformed certificate: none is proved, none crashes a
// checker, and both checkers give the same status.
func TestAttacks(t *testing.T) {
	claims := falseClaims(t)
	all := append(append(claims, malformedFiles(t)...), tooLarge(t)...)
	if len(all) < 100 {
		t.Errorf("only %d attacks", len(all))
	}
	for _, a := range append(gauge.Some(5, claims), all[len(claims):]...) {
		if status, line := goVerdict(a.file); status != a.want {
			t.Errorf("%s: Go says %d %s, want %d", a.name, status, line, a.want)
		}
	}
	compareCheckers(t, gauge.Some(15, all))
}

// compareCheckers holds check.py to the status that each attack wants, and to the last line of the Go checker.
func compareCheckers(t *testing.T, attacks []attack) {
	t.Helper()
	files := make([][]byte, len(attacks))
	for i, a := range attacks {
		files[i] = a.file
	}
	status, lines, ok := pythonVerdicts(t, Checker(), files)
	for i, a := range attacks {
		if !ok {
			return
		}
		if _, want := goVerdict(a.file); status[i] != a.want || lines[i] != escaped(want) {
			t.Errorf("%s: Python says %d %s, want %d %s", a.name, status[i], lines[i], a.want, escaped(want))
		}
	}
}

// TestRefusalTexts plays somebody whom one checker tells another reason than the other: both refuse every malformed
// file with the same words.
func TestRefusalTexts(t *testing.T) { compareCheckers(t, malformedFiles(t)) }

// TestNamesOfNewLetters takes a name in letters that older tables of Unicode lack, and one that reverses what follows
// it: both checkers prove the claim, and neither prints the name as it is.
func TestNamesOfNewLetters(t *testing.T) {
	s := samples()[0]
	c := s.claimed(t)
	c.About.Scenario = "a\u1c89\U000105c0\U000323b0\u202eb\u200bc\ue000"
	data := c.file(t)
	if status, line := goVerdict(data); status != 0 {
		t.Errorf("%d %s", status, line)
	}
	compareCheckers(t, []attack{{"new letters", data, 0}})
	if text := c.About.String(); strings.ContainsAny(text, "\u202e\u200b\ue000") || !strings.Contains(text, `\u202eb`) {
		t.Errorf("printed as %q", text)
	}
}

// TestDominatingPairs plays a reader who takes a lower end of the named pairs for one of the mechanism: for bounded
// range there is none, and what is false of other pairs is said to be false of them, not of the release.
func TestDominatingPairs(t *testing.T) {
	var list []attack
	for _, s := range samples() {
		if s.name != "bounded-range" && s.name != "sampled-bounded-range" && s.name != "laplace" {
			continue
		}
		c := s.claimed(t)
		c.Upper, c.Lower = shift(c.Upper, -0.05), "0"
		list = append(list, attack{s.name, c.file(t), 1})
		_, line := goVerdict(c.file(t))
		if !strings.Contains(line, "is false of the named pairs") || strings.Contains(line, "≥") != s.lower {
			t.Errorf("%s: %s", s.name, line)
		}
		if c = s.claimed(t); !s.lower {
			c.Lower = "0.001"
			list = append(list, attack{s.name + " with a lower end", c.file(t), 1})
			if _, line := goVerdict(c.file(t)); !strings.Contains(line, "has no lower end") {
				t.Errorf("%s: %s", s.name, line)
			}
		}
	}
	compareCheckers(t, list)
}

// TestBelieved: both checkers say before their verdict what no proof can show.
func TestBelieved(t *testing.T) {
	if !strings.HasPrefix(Believed, "believed, not checked: ") {
		t.Error(Believed)
	}
	python := strings.ReplaceAll(string(Checker()), "\"\n            \"", "")
	if !strings.Contains(python, Believed) || strings.Index(python, "print(BELIEVED") > strings.Index(python, "status, last = check(c)") {
		t.Error("check.py does not print the line, or prints it after the check")
	}
}
