package share

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTypeset(t *testing.T) {
	for text, want := range map[string]string{
		"e^ε":               "<math><msup><mi>e</mi><mrow><mi>ε</mi></mrow></msup></math>",
		"at most e^{−2nτ²}": "at most <math><msup><mi>e</mi><mrow><mo>−</mo><mn>2</mn><mi>n</mi><mi>τ</mi><mo>²</mo></mrow></msup></math>",
		"e^(−x) + 1":        "<math><msup><mi>e</mi><mrow><mo>−</mo><mi>x</mi></mrow></msup></math> + 1",
		"1 − ½e^{−ε/2}":     "1 − ½<math><msup><mi>e</mi><mrow><mo>−</mo><mi>ε</mi><mo>/</mo><mn>2</mn></mrow></msup></math>",
		"e^{Σε_k}":          "<math><msup><mi>e</mi><mrow><mo>∑</mo><msub><mi>ε</mi><mi>k</mi></msub></mrow></msup></math>",
		"10^6":              "<math><msup><mi>10</mi><mrow><mn>6</mn></mrow></msup></math>",
		"S_j":               "<math><msub><mi>S</mi><mrow><mi>j</mi></mrow></msub></math>",
		"Σδ_k":              "<math><msub><mrow><mo>∑</mo><mi>δ</mi></mrow><mrow><mi>k</mi></mrow></msub></math>",
		"max_groups":        "max_groups",
		"a < b":             "a &lt; b",
	} {
		if got := string(typeset(text)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, got, want)
		}
	}
}

// Attacker: a text of a lecture or a scenario that would end a tag. Whatever it holds, the result is well-formed and
// has no elements but those of MathML.
func TestTypesetIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("e^_{}()<>&\"'Σδk12 ′−∞x*"))).Draw(t, "text")
		d := xml.NewDecoder(strings.NewReader("<p>" + string(typeset(text)) + "</p>"))
		for {
			token, err := d.Token()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if e, ok := token.(xml.StartElement); ok && !strings.Contains(" p math msup msub mrow mi mo mn ", " "+e.Name.Local+" ") {
				t.Fatalf("%q has the element %s", text, e.Name.Local)
			}
		}
	})
}
