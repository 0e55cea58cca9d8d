package labs

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
)

// quickRuns are labs that finish in a moment.
var quickRuns = map[string]param.Values{
	"differencing": {"repeats": param.WholeValue(100)},
	"exponential":  {"samples": param.WholeValue(500)},
	"dp-sgd":       {"steps": param.WholeValue(20), "n": param.WholeValue(200)},
}

func runLab(t *testing.T, name string) *Outcome {
	t.Helper()
	out, err := Run(context.Background(), name, Options{Seed: 1, Values: quickRuns[name]})
	if err != nil {
		t.Fatal(err)
	}
	s, err := out.Scenario()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		t.Fatalf("%s leaves a scenario that does not hold: %v", name, err)
	}
	if out.Cost, err = scenarios.Evaluate(context.Background(), s,
		scenarios.Options{ClosedFormsOnly: true}); err != nil {
		t.Fatal(err)
	}
	return out
}

// Every form of a run carries its figures, and its machine forms parse.
func TestLabRun(t *testing.T) {
	for name := range quickRuns {
		r := runLab(t, name)
		s := r.Sheet()
		var table, markdown, comma, object bytes.Buffer
		for _, err := range []error{s.Write(&table, "table"), s.Write(&markdown, "markdown"), s.Write(&comma, "csv"),
			s.Write(&object, "json")} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range r.Figures {
			if !strings.Contains(table.String(), f.Name) || !strings.Contains(markdown.String(), f.Text()) {
				t.Errorf("%s: %q is missing", name, f.Name)
			}
		}
		for _, text := range []string{Warning, report.Answer(r.Cost)} {
			if !strings.Contains(table.String(), text) {
				t.Errorf("%s: the table does not say %q", name, text)
			}
		}
		rows, err := csv.NewReader(&comma).ReadAll()
		if err != nil || len(rows) < 10 {
			t.Errorf("%s: %d rows of CSV, %v", name, len(rows), err)
		}
		var j struct {
			Figures []struct{ Value *float64 }
			Charts  []struct{ Title string }
			Stack   []struct{ Mechanism string }
			Cost    *struct{ Epsilon float64 }
		}
		if err := json.Unmarshal(object.Bytes(), &j); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(j.Figures) != len(r.Figures) || len(j.Charts) != len(r.Charts) || len(j.Stack) == 0 ||
			j.Cost == nil || j.Cost.Epsilon <= 0 {
			t.Errorf("%s: the JSON leaves something out: %+v", name, j)
		}
	}
}

// The values of a privacy cost are rounded up where they are read off a chart.
func TestCostInAChart(t *testing.T) {
	s := &trial{out: &Outcome{}}
	s.addChart(chart.Chart{Y: chart.Axis{Label: "ε"}, Bars: []chart.Bar{{Label: "a", Value: 1.23441}}})
	var text bytes.Buffer
	if err := s.out.Charts[0].Sheet().Write(&text, "table"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "1.235") || !s.out.Charts[0].Y.Upper {
		t.Errorf("a cost in a lab is rounded down:\n%s", &text)
	}
}

// The scenario a run leaves reads back the same from its file.
func TestLabScenarioRoundTrip(t *testing.T) {
	s, err := runLab(t, "exponential").Scenario()
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := scenarios.Parse("lab", text)
	if err != nil || !back.Equal(s) {
		t.Errorf("%v\n%s", err, text)
	}
}
