package certificate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"epsiloscope/internal/gauge"
)

// sample holds a small certificate per kind, with its claim not yet made.
type sample struct {
	name, delta, step string
	releases          []Release
	lower             bool // whether a lower end is proved
}

func samples() []sample {
	return []sample{
		{"gaussian", "1e-6", "0.1", []Release{{Kind: "gaussian", Count: "10", Sigma: "5", Offset: "0"}}, true},
		{"laplace", "1e-6", "0.1", []Release{{Kind: "laplace", Count: "50", Epsilon: "0.1", Offset: "-1e-15"}}, true},
		{"pure", "1e-6", "1", []Release{{Kind: "pure", Count: "100", Epsilon: "1", Offset: "-1e-15"}}, true},
		{"approx", "1e-5", "0.1", []Release{{Kind: "approx", Count: "100", Epsilon: "0.1", Delta: "1e-8", Offset: "-1e-15"}}, true},
		{"bounded-range", "1e-6", "0.05", []Release{{Kind: "bounded_range", Count: "20", Epsilon: "0.2", Offset: "0"}}, false},
		{"sampled-gaussian", "1e-5", "0.1", []Release{{Kind: "sampled_gaussian", Count: "100", Q: "0.1", Z: "2", Offset: "0"}}, true},
		{"sampled-laplace", "1e-6", "0.02", []Release{{Kind: "sampled_laplace", Count: "50", Q: "0.2", Epsilon: "0.5", Offset: "0.005"}}, true},
		{"sampled-pure", "1e-6", "0.02", []Release{{Kind: "sampled_pure", Count: "50", Q: "0.2", Epsilon: "0.5", Offset: "0"}}, true},
		{"sampled-approx", "1e-4", "0.02", []Release{{Kind: "sampled_approx", Count: "20", Q: "0.2", Epsilon: "0.5", Delta: "1e-7", Offset: "0"}}, true},
		{"sampled-bounded-range", "1e-6", "0.05", []Release{{Kind: "sampled_bounded_range", Count: "20", Q: "0.2", Epsilon: "1", Offset: "0"}}, false},
		{"replaced-gaussian", "1e-5", "0.2", []Release{{Kind: "replaced_gaussian", Count: "20", Q: "0.1", Z: "2", Offset: "0"}}, true},
		{"fixed-batch-gaussian", "1e-5", "0.2", []Release{{Kind: "fixed_batch_gaussian", Count: "20", Q: "0.1", Z: "2", Offset: "0"}}, false},
		{"response", "1e-6", "0.5", []Release{{Kind: "response", Count: "50", Epsilon: "0.5", Share: "0.3", Offset: "-1e-15"}}, true},
		{"discrete-laplace", "1e-6", "0.1", []Release{{Kind: "discrete_laplace", Count: "20", Epsilon: "0.1", Shift: "3", Offset: "-1e-15"}}, true},
		{"discrete-gaussian", "1e-6", "0.125", []Release{{Kind: "discrete_gaussian", Count: "20", Sigma: "2", Shift: "1", Offset: "-1e-15"}}, true},
		{"finite", "1e-6", "0.1", []Release{{Kind: "finite", Count: "20", Within: "1e-30", Rest: "1e-20",
			Outcomes: [][2]string{{"0.5", "0.25"}, {"0.3", "0.3"}, {"0.1999999999", "0.45"}, {"1e-10", "0"}}, Offset: "0"}}, true},
		{"mixed", "1e-6", "0.05", []Release{{Kind: "gaussian", Count: "5", Sigma: "10", Offset: "0"}, {Kind: "pure", Count: "3", Epsilon: "0.2", Offset: "-1e-15"}}, true},
		{"lone-approx", "1e-5", "0.1", []Release{{Kind: "approx", Count: "1", Epsilon: "0.123456789123", Delta: "1e-5", Offset: "0"}}, true},
		{"zero-delta", "0", "1", []Release{{Kind: "laplace", Count: "3", Epsilon: "0.1", Offset: "0"}, {Kind: "discrete_laplace", Count: "2", Epsilon: "0.5", Shift: "3", Offset: "0"}}, true},
		{"zero-delta-sampled", "0", "1", []Release{{Kind: "sampled_pure", Count: "3", Q: "0.1", Epsilon: "1", Offset: "0"}}, true},
		{"zero-delta-finite", "0", "1", []Release{{Kind: "finite", Count: "1000", Within: "1e-10", Rest: "0",
			Outcomes: [][2]string{{"0.25", "0.5"}, {"0.75", "0.5"}}, Offset: "0"}}, true},
	}
}

var claims sync.Map // by name, made once

// claimed returns the certificate of a sample, claiming exactly what is proved.
func (s sample) claimed(t *testing.T) *Certificate {
	t.Helper()
	if made, ok := claims.Load(s.name); ok {
		c := made.(Certificate)
		c.Releases = slices.Clone(c.Releases)
		return &c
	}
	c := &Certificate{Format: Format, About: About{"sample " + s.name, "person", "add-remove", "1", "1", "0"}, Releases: s.releases,
		Delta: s.delta, Upper: "99999", Lower: "0", Step: s.step, Digits: "24", Cut: "1e-16", Tests: "4", LowerWay: "remove"}
	if s.name == "sampled-pure" {
		c.LowerWay = "add"
	}
	upper, lower, err := c.Prove(context.Background(), s.lower)
	if err != nil || upper == nil || s.lower && lower == nil {
		t.Fatalf("%s: proved %v and %v: %v", s.name, upper, lower, err)
	}
	c.Upper = decimalText(upper)
	if s.lower {
		c.Lower = decimalText(lower)
	}
	claims.Store(s.name, *c)
	return s.claimed(t)
}

func decimalText(r *big.Rat) string {
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(12), "0"), ".")
}

func (c *Certificate) file(t *testing.T) []byte {
	t.Helper()
	data, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// verdicts are those of the Go checker on the files it was asked about: several tests ask about the same ones.
var verdicts sync.Map

// goVerdict returns the status and the last line of the Go checker.
func goVerdict(data []byte) (status int, line string) {
	type verdict struct {
		status int
		line   string
	}
	known, ok := verdicts.Load(string(data))
	if !ok {
		status, line := askGo(data)
		known, _ = verdicts.LoadOrStore(string(data), verdict{status, line})
	}
	return known.(verdict).status, known.(verdict).line
}

func askGo(data []byte) (status int, line string) {
	c, err := Parse(data)
	if err != nil {
		return 2, "malformed: " + err.Error()
	}
	v, err := c.Check(context.Background())
	switch {
	case err != nil:
		return 3, err.Error()
	case v.Proved:
		return 0, v.Line
	}
	return 1, v.Line
}

// pythonVerdicts runs check.py, or a mutant of it, on all files in one process, and returns the status and last
// line of each. It returns false if there is no Python here. If answers are expected, it stops at the first other one.
func pythonVerdicts(t *testing.T, program []byte, files [][]byte, expected ...string) (
	status []int, lines []string, ok bool) {
	t.Helper()
	python := gauge.Python("python3")
	if python == "" {
		t.Log("no Python here: only the Go checker is tested")
		return nil, nil, false
	}
	dir := t.TempDir()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(dir, "check.py"), program, 0o644))
	driver := `import contextlib, io, sys
sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True
class Out(io.StringIO):
    def reconfigure(self, **_): pass
import check
sys.stdout.reconfigure(encoding="utf-8")
expected = open(sys.argv[1] + "/expected", encoding="utf-8").read().split("\n")
for i, path in enumerate(sys.argv[2:]):
    out = Out()
    try:
        with contextlib.redirect_stdout(out): status = check.main([path])
    except BaseException as e:
        status = "crash"; out.write("\n" + repr(e))
    answer = str(status) + " " + out.getvalue().strip().split("\n")[-1].encode("ascii", "backslashreplace").decode()
    print(answer)
    if expected != [""] and expected[i] != answer: break`
	must(os.WriteFile(filepath.Join(dir, "expected"), []byte(strings.Join(expected, "\n")), 0o644))
	args := []string{"-c", driver, dir}
	for i, f := range files {
		path := filepath.Join(dir, fmt.Sprintf("%d.json", i))
		must(os.WriteFile(path, f, 0o644))
		args = append(args, path)
	}
	out, err := exec.Command(python, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("python: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		number, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		s := -1
		fmt.Sscan(number, &s)
		status, lines = append(status, s), append(lines, rest)
	}
	if len(status) != len(files) && len(expected) == 0 {
		t.Fatalf("python answered %d of %d files:\n%s", len(status), len(files), out)
	}
	return status, lines, true
}

// TestCheckersAgree holds the two checkers to each other: they share the obligations and no code, and prove the
// same digits for every kind.
func TestCheckersAgree(t *testing.T) {
	for kind := range parameters {
		if !slices.ContainsFunc(samples(), func(s sample) bool { return s.releases[0].Kind == kind }) {
			t.Errorf("no sample is of the kind %s", kind)
		}
	}
	var files [][]byte
	var want []string
	for _, s := range samples() {
		data := s.claimed(t).file(t)
		status, line := goVerdict(data)
		if status != 0 {
			t.Errorf("%s: %d %s", s.name, status, line)
		}
		files, want = append(files, data), append(want, escaped(line))
	}
	status, lines, ok := pythonVerdicts(t, Checker(), files)
	if !ok {
		return
	}
	for i, s := range samples() {
		if status[i] != 0 || lines[i] != want[i] {
			t.Errorf("%s: Python says %d %s, Go %s", s.name, status[i], lines[i], want[i])
		}
	}
}

// escaped writes a line as pythonVerdicts returns it.
func escaped(line string) string {
	ascii := strconv.QuoteToASCII(line)
	return strings.ReplaceAll(ascii[1:len(ascii)-1], `\"`, `"`)
}

// TestKnownValues compares the proved ends with closed forms and values that were derived elsewhere.
func TestKnownValues(t *testing.T) {
	for _, c := range []struct {
		name, source string
		within       [2]float64 // the tight ε lies here
	}{
		{"pure", "optimal composition of 100 randomized responses with ε = 1 at 1e-6", [2]float64{83.530701, 83.530702}},
		{"approx", "optimal composition of (0.1, 1e-8) 100 times at 1e-5", [2]float64{4.3296367, 4.3296368}},
		{"lone-approx", "(ε, δ) at its own δ", [2]float64{0.123456789, 0.12345679}},
		{"zero-delta", "basic composition: 3·0.1 + 2·3·0.5", [2]float64{3.3, 3.3}},
		{"zero-delta-sampled", "3·ln(1 + 0.1(e − 1))", [2]float64{0.475695, 0.475696}},
		{"gaussian", "μ = √10/5 at 1e-6: Φ(−ε/μ + μ/2) − e^ε Φ(−ε/μ − μ/2) = δ", [2]float64{2.9216, 2.92161}},
	} {
		for _, s := range samples() {
			if s.name != c.name {
				continue
			}
			cert := s.claimed(t)
			upper, _ := rational(cert.Upper).Float64()
			lower, _ := rational(cert.Lower).Float64()
			if upper < c.within[0] || lower > c.within[1] || upper > c.within[1]*1.05 || lower < c.within[0]*0.95 {
				t.Errorf("%s: proved [%v, %v]; %s: %v", c.name, lower, upper, c.source, c.within)
			}
		}
	}
}

// TestCheckerIsSmall keeps the program readable within an hour, and free of anything but the standard library.
func TestCheckerIsSmall(t *testing.T) {
	if n := bytes.Count(Checker(), []byte("\n")); n >= 500 {
		t.Errorf("check.py has %d lines; README.md, certificate.md and certify promise fewer than 500", n)
	}
	for line := range strings.Lines(string(Checker())) {
		if len([]rune(line)) > 161 {
			t.Errorf("check.py: a line of %d characters: %s", len([]rune(line)), line)
		}
	}
	if !bytes.Contains(Checker(), []byte("import bisect, collections, functools, json, re, secrets, sys, time\n")) {
		t.Error("check.py imports something else than it did")
	}
}

// TestCheckerRunsOnPython39 parses check.py with the grammar of Python 3.9 and looks for what newer grammars and
// libraries brought that such a parse lets pass: quotation marks of an f-string within it, and new functions and
// arguments.
func TestCheckerRunsOnPython39(t *testing.T) {
	python := gauge.Python("python3")
	if python == "" {
		t.Skip("no Python here: the checker in Python was not tested")
	}
	const program = `import ast, json, sys
newer = {"bit_count", "pairwise", "batched", "cbrt", "exp2", "anext", "aiter", "ExceptionGroup", "tomllib", "orig_argv", "stdlib_module_names", "set_int_max_str_digits"}
def found(source):
    tree = ast.parse(source, feature_version=(3, 9))
    rows = source.encode("utf-8").split(b"\n")
    def segment(node): # as ast.get_source_segment, which splits the source anew for every node
        part = rows[node.lineno - 1:node.end_lineno]
        part[-1] = part[-1][:node.end_col_offset]
        part[0] = part[0][node.col_offset:]
        return b"\n".join(part).decode("utf-8")
    for node in ast.walk(tree):
        name = getattr(node, "attr", None) or getattr(node, "id", None)
        if name in newer:
            yield f"line {node.lineno}: {name}"
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            for k in node.keywords:
                if (called, k.arg) in {("zip", "strict"), ("bisect_left", "key"), ("bisect_right", "key"), ("bisect", "key"), ("dataclass", "slots")}:
                    yield f"line {node.lineno}: {called}({k.arg}=)"
        if isinstance(node, ast.JoinedStr):
            text = segment(node)
            body = text[text.index(text[-1]) + 1:-1]
            if text[-1] in body or any("\\\\" in segment(v) for v in ast.walk(node) if isinstance(v, ast.FormattedValue)):
                yield f"line {node.lineno}: an f-string that Python 3.9 does not read"
for source in json.load(sys.stdin):
    try:
        print("; ".join(found(source)))
    except SyntaxError as e:
        print(repr(e))`
	sources := []string{string(Checker()), "match 1:\n    case 1: pass\n", "zip([], [], strict=True)\n", "print(f'{'a'}')\n", "(5).bit_count()\n",
		"with (open('a') as a, open('b') as b): pass\ntry: pass\nexcept* OSError: pass\n"}
	list, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", program)
	cmd.Stdin = bytes.NewReader(list)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("python: %v\n%s", err, out)
	}
	found := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(out), "\r", ""), "\n"), "\n")
	if len(found) != len(sources) {
		t.Fatalf("python answered %d of %d sources:\n%s", len(found), len(sources), out)
	}
	if found[0] != "" {
		t.Error(found[0])
	}
	for i, newer := range sources[1:] {
		if found[i+1] == "" {
			t.Errorf("%q is not noticed", newer)
		}
	}
}
