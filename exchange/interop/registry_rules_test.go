package interop

import (
	"regexp"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/yamltree"
	"epsiloscope/scenarios"
)

// slugByRule returns the address that the registry's own script gives a record: name, curators and year in small
// letters, runs of other characters as underscores, joined by underscores, and all underscores as hyphens.
func slugByRule(name string, curators []string, published string) string {
	other := regexp.MustCompile(`[^\p{L}\p{N}_]+`)
	clean := func(text string) string { return other.ReplaceAllString(strings.ToLower(text), "_") }
	year, _, _ := strings.Cut(published, "-")
	return strings.ReplaceAll(strings.Join([]string{clean(name), clean(strings.Join(curators, "-")), clean(year)}, "_"),
		"_", "-")
}

// registryOrder are the fields of a record in the order that the registry's pages rely on.
var registryOrder = strings.Fields(`url_slug status tier deployment basic name data_curators intended_use data_product_type data_product_region description
	publication_date data_product_sector dp_variant variant_name data_domain unprotected_quantities privacy_loss privacy_unit privacy_unit_details
	privacy_parameters epsilon delta rho privacy_parameters_details deployment_model model_name model_name_details actors release_type release_type_details
	data_source_type data_source_type_details access_type access_type_details accounting post_processing composition implementation
	preprocessing_and_hyperparameter_tuning mechanisms justification administrative sources notes registry_authors`)

// checkRegistryRules checks a draft by the rules that the registry's scripts have beside its schema.
func checkRegistryRules(t *testing.T, name string, draft []byte) {
	t.Helper()
	doc, err := yamltree.Read(draft)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	record := doc.Root.Value().(map[string]any)
	basic := record["deployment"].(map[string]any)["basic"].(map[string]any)
	var curators []string
	for _, c := range basic["data_curators"].([]any) {
		curators = append(curators, c.(string))
	}
	want := slugByRule(basic["name"].(string), curators, basic["publication_date"].(string))
	if first, _, _ := strings.Cut(string(draft), "\n"); first != "url_slug: "+want || record["url_slug"] != want {
		t.Errorf("%s: the first line is %q; the registry's script looks there for url_slug: %s", name, first, want)
	}
	last, at := -1, ""
	var visit func(n *yamltree.Node)
	visit = func(n *yamltree.Node) {
		for _, p := range n.Pairs {
			i := -1
			for j, field := range registryOrder {
				if field == p.Key.Text {
					i = j
				}
			}
			if i <= last {
				t.Errorf("%s: %s stands behind %s", name, p.Key.Text, at)
			}
			last, at = i, p.Key.Text
			visit(p.Value)
		}
		if n.Style == yamltree.Folded {
			t.Errorf("%s: a folded text", name)
		}
		if n.Kind == yamltree.Scalar && regexp.MustCompile(`\\\\[^()]`).MatchString(n.Text) {
			t.Errorf("%s: two backslashes in %q", name, n.Text)
		}
	}
	visit(doc.Root)
}

// Every bundled deployment with a record in the public registry makes a draft that the registry's own scripts accept.
func TestBundledDeploymentsFollowTheRegistry(t *testing.T) {
	schema, exported := registryFacts[registryField](t, "schema.json"), 0
	for _, info := range gauge.Some(3, scenarios.LibraryInfos()) { // some of them are of TestLibraryRoundTrips too
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Deployment.Curator == "" {
			continue
		}
		draft, _, err := bundledExport("registry", info.Name, s)
		if err != nil {
			t.Errorf("%s: %v", info.Name, err)
			continue
		}
		exported++
		checkRegistryRules(t, info.Name, draft)
		doc, err := yamltree.Read(draft)
		if err != nil {
			t.Fatal(err)
		}
		schema.check(t, info.Name, typedValue(doc.Root))
	}
	if exported < gauge.Cases(8, 29) {
		t.Errorf("%d deployments are exported", exported)
	}
}

// The address follows the registry's rule also where that is odd: letters with accents stay, and a part that ends in a
// bracket gives two hyphens.
func TestRegistrySlug(t *testing.T) {
	for _, c := range []struct{ name, curators, want string }{
		{"Trips (2020)", "Bureau", "trips-2020--bureau-2026"},
		{"Überlandfahrten, täglich", "Österreichische Post; Bahn & Bus", "überlandfahrten-täglich-österreichische-post-bahn-bus-2026"},
		{"snake_case _ name", "A; B", "snake-case---name-a-b-2026"},
		{"  spaces  ", "A", "spaces-a-2026"},
	} {
		if got := slug(c.name, c.curators, "2026-11-17"); got != c.want {
			t.Errorf("%q: %s, want %s", c.name, got, c.want)
		}
		var list []string
		for curator := range strings.SplitSeq(c.curators, ";") {
			list = append(list, strings.TrimSpace(curator))
		}
		if want := slugByRule(strings.TrimSpace(c.name), list, "2026-11-17"); want != c.want {
			t.Errorf("%q: the rule says %s", c.name, want)
		}
	}
}
