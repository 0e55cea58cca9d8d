package interop

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/yamltree"
	"epsiloscope/scenarios"
)

// typedValue returns a node as Go values in which a number without a point is an int, as other readers of YAML have it.
func typedValue(n *yamltree.Node) any {
	switch n.Kind {
	case yamltree.Mapping:
		fields := map[string]any{}
		for _, p := range n.Pairs {
			fields[p.Key.Text] = typedValue(p.Value)
		}
		return fields
	case yamltree.Scalar:
		if whole, err := strconv.Atoi(n.Text); err == nil && n.Style == yamltree.Plain {
			return whole
		}
	}
	return n.Value()
}

// registryField is a field of the registry's schema: names, types and enumerations as facts.
type registryField struct {
	Type     any
	Enum     []any
	Items    string
	Required []string
	Fields   map[string]registryField
}

// check adds what the schema says against a value.
func (f registryField) check(t *testing.T, at string, v any) {
	t.Helper()
	if f.Fields != nil {
		m, ok := v.(map[string]any)
		if !ok {
			t.Errorf("%s is %T, not a mapping", at, v)
			return
		}
		for _, name := range f.Required {
			if _, ok := m[name]; !ok {
				t.Errorf("%s lacks %s", at, name)
			}
		}
		for name, value := range m {
			if field, ok := f.Fields[name]; ok {
				field.check(t, at+"."+name, value)
			} else {
				t.Errorf("%s has no field %s", at, name)
			}
		}
		return
	}
	kinds := []string{fmt.Sprint(f.Type)}
	if many, ok := f.Type.([]any); ok {
		kinds = kinds[:0]
		for _, k := range many {
			kinds = append(kinds, fmt.Sprint(k))
		}
	}
	fits := f.Type == nil || slices.ContainsFunc(kinds, func(kind string) bool {
		switch v := v.(type) {
		case string:
			return kind == "string"
		case float64:
			return kind == "number"
		case int:
			return kind == "integer"
		case []any:
			return kind == "array" && len(v) > 0 &&
				!slices.ContainsFunc(v, func(x any) bool { _, text := x.(string); return !text })
		}
		return false
	})
	if !fits {
		t.Errorf("%s: %v (%T) is not of type %v", at, v, v, f.Type)
	}
	if f.Enum != nil && !slices.ContainsFunc(f.Enum, func(x any) bool { return fmt.Sprint(x) == fmt.Sprint(v) }) {
		t.Errorf("%s: %v is not one of %v", at, v, f.Enum)
	}
}

func registryFacts[T any](t *testing.T, name string) (facts T) {
	t.Helper()
	return gauge.ReadFigures[T](t, "testdata/registry/"+name)
}

// described gives a scenario what the registry asks for.
func described(s *scenarios.Scenario) *scenarios.Scenario {
	s.Name, s.Description = "A release", "Counts by region.\n\nTwice \"quoted\": \\ and # too."
	s.Unit = "person"
	s.Deployment = scenarios.Deployment{Curator: "Bureau; Office", Use: "planning: roads", Product: "dataset", Region: "Europe", Sector: "energy", Published: "2026-01-31",
		Model: "shuffle", Releases: "many", Data: "dynamic", Access: "interactive", Unprotected: "state totals", Authors: "A. Steward; B", Sources: "https://example.org",
		Domain: "whole numbers", Actors: "the bureau adds the noise", ModelDetails: "one server", ReleaseDetails: "monthly", DataDetails: "new trips",
		AccessDetails: "by contract", PostProcessing: "rounded", Preprocessing: "clipped", Justification: "a pilot", Notes: "see there"}
	return s
}

// Every bundled scenario with a finite ε, described, makes a record that the schema allows, whose numbers are not below
// the proven ones, and which is read back with the same numbers and words.
func TestRegistryExportConforms(t *testing.T) {
	schema := registryFacts[registryField](t, "schema.json")
	for _, name := range gauge.Some(3, []string{"welcome", "counts", "dp-sgd", "census-pl94", "google-mobility", "gaussian-zcdp", "five-records-each", "apple-emoji", "histogram"}) {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		s = described(s)
		out, _, err := Export("registry", s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		doc, err := yamltree.Read(out)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		v := typedValue(doc.Root)
		schema.check(t, name, v)
		r, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		stated := v.(map[string]any)["deployment"].(map[string]any)["privacy_loss"].(map[string]any)["privacy_parameters"].(map[string]any)
		if epsilon := stated["epsilon"].(float64); epsilon < r.BestBound().Epsilon ||
			epsilon > r.BestBound().Epsilon*(1+1e-5) {
			t.Errorf("%s: ε = %v is registered, %v is proven", name, epsilon, r.BestBound().Epsilon)
		}
		if delta, _ := stated["delta"].(float64); delta != r.BestBound().Delta {
			t.Errorf("%s: δ = %v is registered, %v is proven", name, delta, r.BestBound().Delta)
		}
		back, err := Import("registry", out)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
			continue
		}
		if back.Scenario.Deployment != s.Deployment || back.Scenario.Name != s.Name || back.Scenario.Unit != s.Unit ||
			back.Scenario.Adjacency != s.Adjacency {
			t.Errorf("%s reads back as %s, %+v", name, back.Scenario.Adjacency, back.Scenario.Deployment)
		}
	}
}

// Nothing is made up: a scenario that lacks what the registry requires is refused, with every field to set.
func TestRegistryExportAsks(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	s.Unit = ""
	_, _, err = Export("registry", s)
	for _, field := range []string{"unit", "deployment.curator", "deployment.use", "deployment.product", "deployment.region", "deployment.published"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s is not asked for: %v", field, err)
		}
	}
}

// registryRecord returns a small record around stated parameters.
func registryRecord(variant, parameters string) string {
	return "url_slug: a\nstatus: Pending\ntier: 2\ndeployment:\n  basic:\n    name: A\n    data_curators: [B]\n    intended_use: C\n    data_product_type: Dataset\n" +
		"    data_product_region: D\n    description: E\n    publication_date: '2020-01-01'\n  dp_variant: {" + variant + "}\n  privacy_loss:\n    privacy_unit: User-level\n    privacy_parameters: " + parameters + "\n"
}

// The numbers of all 41 public records of 2026-07-15: each becomes the very guarantee it states, or is refused because
// it states none in numbers. The figures were read off the records.
func TestRegistryFigures(t *testing.T) {
	type figure struct {
		File, Variant string
		Epsilon, Rho  float64
		Delta         any
	}
	refused := 0
	figures := registryFacts[[]figure](t, "figures.json")
	for _, f := range figures {
		var parameters []string
		if f.Epsilon != 0 {
			parameters = append(parameters, fmt.Sprintf("epsilon: %v", f.Epsilon))
		}
		if f.Rho != 0 {
			parameters = append(parameters, fmt.Sprintf("rho: %v", f.Rho))
		}
		delta, isNumber := f.Delta.(float64)
		if f.Delta != nil {
			parameters = append(parameters,
				fmt.Sprintf("delta: %v", map[bool]any{true: delta, false: fmt.Sprintf("'%v'", f.Delta)}[isNumber]))
		}
		variant := ""
		if f.Variant != "" {
			variant = "variant_name: " + f.Variant
		}
		rec, err := Import("registry", []byte(registryRecord(variant, "{"+strings.Join(parameters, ", ")+"}")))
		states := f.Variant != "" && len(parameters) > 0 && (f.Delta == nil || isNumber)
		if (err == nil) != states {
			t.Errorf("%s: %v", f.File, err)
		}
		if err != nil {
			refused++
			continue
		}
		e := rec.Scenario.Stack[0]
		want := map[string]float64{"epsilon": f.Epsilon, "delta": delta}
		switch {
		case f.Variant == registryZCDP:
			want = map[string]float64{"rho": f.Rho}
		case delta == 0:
			want = map[string]float64{"epsilon": f.Epsilon}
		}
		if len(rec.Scenario.Stack) != 1 || e.Count != 1 || len(e.Values) != len(want) {
			t.Errorf("%s became %+v", f.File, rec.Scenario.Stack)
		}
		for name, x := range want {
			if e.Values[name].Number != x {
				t.Errorf("%s: %s is %v, want %v", f.File, name, e.Values[name].Number, x)
			}
		}
	}
	if len(figures) != 41 || refused != 7 {
		t.Errorf("%d records, %d refused", len(figures), refused)
	}
}

// What a record means for certain, or a refusal that says what is wrong.
func TestRegistryRefuses(t *testing.T) {
	for _, c := range []struct{ record, want string }{
		{registryRecord("variant_name: Approximate DP", "{epsilon: 1}"), "lacks delta"},
		{registryRecord("variant_name: Approximate DP", "{epsilon: 1, delta: 'n^-2'}"), "formula"},
		{registryRecord("variant_name: Pure DP", "{epsilon: '1'}"), "formula or words"},
		{registryRecord("variant_name: Pure DP", "{rho: 1}"), "no rho"},
		{registryRecord("variant_name: Zero-concentrated DP", "{epsilon: 1}"), "lacks rho"},
		{registryRecord("variant_name: Renyi DP", "{epsilon: 1}"), "no field for an order"},
		{registryRecord("variant_name: Custom", "{epsilon: 1}"), "custom"},
		{registryRecord("", "{epsilon: 1}"), "names no variant"},
		{registryRecord("variant_name: Pur DP", "{epsilon: 1}"), "not one of"},
		{registryRecord("variant_name: Pure DP", "{epsilon: -1}"), "above 0"},
		{registryRecord("variant_name: Pure DP", "{epsilon: 1, sigma: 2}"), `has no "sigma"`},
		{registryRecord("variant_name: Pure DP", "{epsilon: 1}") + "  surprise: 1\n", "surprise"},
		{strings.Replace(registryRecord("variant_name: Pure DP", "{epsilon: 1}"), "Pending", "Accepted", 1), "status"},
		{strings.Replace(registryRecord("variant_name: Pure DP", "{epsilon: 1}"), "tier: 2", "tier: 4", 1), "tier must be"},
		{strings.Replace(registryRecord("variant_name: Pure DP", "{epsilon: 1}"), "2020-01-01", "1/1/2020", 1), "must be a date"},
		{"", "empty"},
	} {
		if _, err := Import("registry", []byte(c.record)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %q", c.record, err, c.want)
		}
	}
	// A record that calls (ε, δ) pure is not taken at its word.
	rec, err := Import("registry", []byte(registryRecord("variant_name: Pure DP", "{epsilon: 1, delta: 1.5e-07}")))
	if err != nil || rec.Scenario.Stack[0].Mechanism != "approximate" || !strings.Contains(strings.Join(rec.Remarks, "\n"), "weaker") {
		t.Errorf("%v, %+v", err, rec)
	}
	// A registered ε beside its ρ is compared, not believed: 1.453 is below what any theorem gives for ρ = 0.0728.
	rec, err = Import("registry", []byte(registryRecord("variant_name: Zero-concentrated DP", "{epsilon: 1.453, delta: 1.0e-05, rho: 0.0728}")))
	if err != nil || len(rec.Claims) != 1 || math.Abs(rec.Claims[0].Epsilon-1.453) > 1e-12 {
		t.Fatalf("%v, %+v", err, rec)
	}
	if said, err := rec.Verdicts(t.Context()); err != nil || !strings.Contains(said[0], "1.608") {
		t.Errorf("%v, %v", said, err)
	}
}
