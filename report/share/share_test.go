package share

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// pageOf returns the page of a scenario, and its result.
func pageOf(t *testing.T, s *scenarios.Scenario) (string, *scenarios.Result) {
	t.Helper()
	ctx := scenarios.NewEvaluator().Context(context.Background()) // as the commands and the explorer do
	r, err := scenarios.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Page(ctx, &b, s, r); err != nil {
		t.Fatal(err)
	}
	return b.String(), r
}

type madePage struct {
	text string
	*scenarios.Result
}

var bundledPages = map[string]madePage{}

// bundledPage returns the page of a bundled scenario at a budget of 2.4, and its result, made once for all tests.
func bundledPage(t *testing.T, name string) (string, *scenarios.Result) {
	t.Helper()
	p, known := bundledPages[name]
	if !known {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Budget.Epsilon = 2.4
		p.text, p.Result = pageOf(t, s)
		bundledPages[name] = p
	}
	return p.text, p.Result
}

// elements reads a page as strict XML, which our HTML is too, and returns the text of every
// element of a kind. It fails on anything that would run or fetch something.
func elements(t *testing.T, page, kind string) []string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	var found []string
	for depth := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if depth != 0 {
				t.Fatalf("%d elements are open at the end", depth)
			}
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			depth++
			for _, banned := range []string{"script", "link", "img", "iframe", "object", "embed", "form", "base"} {
				if e.Name.Local == banned {
					t.Errorf("the page has an element %s", banned)
				}
			}
			for _, a := range e.Attr {
				if n := a.Name.Local; strings.HasPrefix(n, "on") || n == "href" || n == "src" || n == "action" {
					t.Errorf("<%s %s=%q>", e.Name.Local, n, a.Value)
				}
			}
			if e.Name.Local == kind {
				found = append(found, "")
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if len(found) > 0 {
				found[len(found)-1] += string(e)
			}
		}
	}
}

// The scenario on the page, saved and evaluated, gives the figures of the page.
func TestPageReproducesItself(t *testing.T) {
	for _, name := range gauge.Some(2, []string{"welcome", "dpsgd-tfprivacy"}) {
		page, r := bundledPage(t, name)
		pres := elements(t, page, "pre")
		again, err := scenarios.Parse("page.yaml", []byte(strings.SplitN(pres[1], "\nReferences", 2)[0]))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, pres[1])
		}
		r2, err := scenarios.Evaluate(context.Background(), again, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range r.Bounds {
			if b.Finite() && math.Abs(b.Epsilon-r2.Bounds[i].Epsilon) > 1e-12*b.Epsilon {
				t.Errorf("%s: %s is %v, from the page %v", name, b.Method, b.Epsilon, r2.Bounds[i].Epsilon)
			}
		}
		if len(elements(t, page, "svg")) < 4 {
			t.Errorf("%s has few charts", name)
		}
		for _, want := range []string{"What may be quoted", "epsiloscope compare ", "default-src 'none'", `name="viewport"`, "unit: ", "δ = "} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
	}
}

// Two data sets that differ in one vote: whoever gets the page must not see which it was.
// The exact scores would tell him, in the scenario, in a chart or in a comment.
func TestPageKeepsScoresToItself(t *testing.T) {
	const file = "version: 1\nname: vote\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n" +
		"  - {mechanism: exponential, epsilon: 0.5, candidates: {river: 52173, hills: 31059}} # the count was 52173\n"
	s, err := scenarios.Parse("vote.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	page, _ := pageOf(t, s)
	elements(t, page, "svg")
	for _, secret := range []string{"52173", "31059", "hills"} {
		if strings.Contains(page, secret) {
			t.Errorf("the page tells %s", secret)
		}
	}
	if !strings.Contains(page, "left out") {
		t.Error("it does not say that something is left out")
	}
}

// Names from a file are text, whatever they look like.
func TestPageEscapes(t *testing.T) {
	s := scenarios.New()
	s.Name = `</pre><script>alert(1)</script>`
	s.Unit = `"><img src=x onerror=alert(1)>`
	s.Budget = scenarios.Budget{Epsilon: 1, Delta: 1e-6}
	s.Stack = []scenarios.Entry{{Mechanism: "laplace", Label: "<svg onload=x>", Count: 1, Sampling: 1,
		Values: param.Values{"epsilon": param.NumberValue(0.5)}}}
	page, _ := pageOf(t, s)
	elements(t, page, "svg")
}

// A stack of nothing, and one with no finite ε, have a page too.
// A page whose stack fits its budget says at the top, too, that the published claim must not be quoted.
func TestPageSaysThatAClaimMustNotBeQuoted(t *testing.T) {
	s, err := scenarios.LoadBundled("hazy-synthetic")
	if err != nil {
		t.Fatal(err)
	}
	if !gauge.All() { // without the selections, which are dear to draw, and as much more of the noise
		s.Stack = s.Stack[1:]
		s.Stack[0].Count *= 2
	}
	page, _ := pageOf(t, s)
	top, _, _ := strings.Cut(page, "<h2>")
	if !strings.Contains(top, `<p class="over">review: must not be quoted; 2 questions (ε ≤ 5 at δ = 0)</p>`) {
		t.Errorf("the top of the page is\n%s", top[strings.Index(top, "<body>"):])
	}
}

func TestPageOfLittle(t *testing.T) {
	page, _ := pageOf(t, scenarios.New())
	elements(t, page, "svg")
}

// A page that says the stack fits has no chart that says it does not: at a budget of 2.4 the
// numerical bound of the welcome fits, 2.336, and no closed form does.
func TestPageChartsAgreeWithItsClaim(t *testing.T) {
	if page, _ := bundledPage(t, "welcome"); !strings.Contains(page, "fits the budget ε = 2.4") || strings.Contains(page, "the budget is passed") {
		t.Error("the table says that it fits, the sum over the entries that it does not")
	}
}
