package ledger

import (
	"os"
	"slices"
	"strings"
	"testing"

	"epsiloscope/accounting/adaptive"
)

// A mixture ledger stores its orders and weights: a program with other defaults keeps the promise.
func TestMixtureIsStored(t *testing.T) {
	f, _ := create(t, Promise{Filter: adaptive.Mixture, Epsilon: "3", Delta: "1e-6", Alpha: "4",
		Orders: formatNumbers(adaptive.DefaultOrders)})
	mustReserve(t, f, scenarioOf(t, "{mechanism: gaussian, sigma: 40}"))
	before := mustRead(t, f)
	if len(before.Promise.Orders) != len(adaptive.DefaultOrders) ||
		len(before.Promise.Weights) != len(before.Promise.Orders) || before.Promise.Weights[2] != "0.9" {
		t.Errorf("orders %v, weights %v", before.Promise.Orders, before.Promise.Weights)
	}
	defaults := adaptive.DefaultOrders
	defer func() { adaptive.DefaultOrders = defaults }()
	adaptive.DefaultOrders = []float64{1.5, 1000}
	after := mustRead(t, f)
	if !slices.Equal(after.terms.Orders, defaults) || after.Filter.Budget().Cmp(before.Filter.Budget()) != 0 {
		t.Errorf("orders %v, budget %s, was %s", after.terms.Orders, after.Filter.Budget(), before.Filter.Budget())
	}
}

// What editors and git do to the ends of lines is named, with what to do.
func TestEndsOfLines(t *testing.T) {
	f, data := spent(t)
	for name, c := range map[string]struct{ data, want string }{
		"CRLF":       {strings.ReplaceAll(string(data), "\n", "\r\n"), ":1: it ends with a carriage return"},
		"blank line": {string(data) + "\n", "it is empty: another program"},
		"blank":      {string(data) + " \n", "it is empty: another program"},
	} {
		if err := os.WriteFile(f.Path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(f.Path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A torn line that does not fit leaves a ledger that verifies, with the breach on record; one
// whose cost is forged is charged at the price of its stack.
func TestRepairOfWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		name, epsilon, cost, charged string
		breach                       bool
	}{
		{"fits", "0.1", `{"epsilon":"100000000000000"}`, "100000000000000", false},
		{"does not fit", "0.3", `{"epsilon":"300000000000000"}`, "300000000000000", true},
		{"understated", "0.1", `{"epsilon":"1"}`, "100000000000000", false},
		{"understated, does not fit", "0.3", `{"epsilon":"1"}`, "300000000000000", true},
	} {
		f, _ := create(t, basicTerms(1, 0))
		mustReserve(t, f, pureOf(t, "0.8"))
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		torn := `{"v":1,"seq":2,"kind":"reserve","id":"aaaaaaaa","at":"2026-11-15T09:00:00Z","stack":[{"mechanism":"pure","epsilon":` + c.epsilon + `}],"cost":` + c.cost + `,"aft`
		writeFile(t, f.Path, append(data, torn...))
		if _, err := f.Repair(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		l, err := Verify(t.Context(), f.Path, "")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		last := l.Records[len(l.Records)-1]
		if (l.Breach() != nil) != c.breach || last.Cost == nil || last.Cost.Parts[0].String() != c.charged ||
			string(last.Bytes) != torn {
			t.Errorf("%s: breach %v, %+v", c.name, l.Breach(), last)
		}
	}
}

// What is no head is not kept as one.
func TestFollowsAHead(t *testing.T) {
	f := NewFile(t.TempDir() + "/a.ledger")
	open := opening(basicTerms(1, 0))
	for _, garbage := range []string{"garbage", "last year's", "0123", strings.Repeat("0", 65), "ABCDEF0123456789"} {
		open.Follows = garbage
		if _, err := f.Create(t.Context(), open, nil, 0); err == nil || !strings.Contains(err.Error(), "is not a head") {
			t.Errorf("%q: %v", garbage, err)
		}
	}
}

// A promised ε is shown as it was given; one of many digits, which a plan has, is rounded up.
func TestShownEpsilonIsNeverBelowThePromise(t *testing.T) {
	for given, want := range map[string]string{"2": "2", "0.25": "0.25", "2.3356817": "2.3356817", "2.335681749": "2.336",
		"2.3359999999999999": "2.336", "0.1000000000001": "0.1001"} {
		if got := (Promise{Epsilon: given}).ShownEpsilon(); got != want {
			t.Errorf("%s is shown as %s, want %s", given, got, want)
		}
	}
}
