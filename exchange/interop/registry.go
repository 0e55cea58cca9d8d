package interop

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// registrySchema names the schema that registry records are read and written by.
const registrySchema = "schemas/deployments-schema.yaml of opendp/deployments-registry-data at commit 3e9c812a (2026-07-15)"

// registryWord is a word of an enumeration as a scenario has it (ours) and as the registry has it (theirs).
type registryWord struct{ ours, theirs string }

// The enumerations of the registry. A word of theirs without one of ours cannot be kept in a scenario.
var (
	registryProducts = []registryWord{{"summary-statistics", "Summary statistics"}, {"machine-learning-model", "Machine learning model"}, {"dataset", "Dataset"},
		{"synthetic-data", "Synthetic data"}, {"interactive-api", "Interactive API"}, {"sql-queries", "SQL queries"}}
	registrySectors = []registryWord{{"technology", "Technology"}, {"healthcare", "Healthcare"}, {"education", "Education"},
		{"government", "Government"}, {"energy", "Energy"}, {"finance", "Finance"}}
	registryModels   = []registryWord{{"local", "Local"}, {"central", "Central"}, {"shuffle", "Shuffle"}, {"federated", "Federated"}, {"", "Varies"}}
	registryReleases = []registryWord{{"one", "One release"}, {"many", "Many releases"}}
	registryData     = []registryWord{{"static", "Static"}, {"dynamic", "Dynamic"}}
	registryAccess   = []registryWord{{"interactive", "Interactive"}, {"non-interactive", "Non-interactive"}}
	registryStatuses = []registryWord{{"", "Converted"}, {"", "Draft"}, {"", "Pending"}, {"", "Changes Required"}, {"", "Approved"},
		{"", "Approved (Update Requested)"}, {"", "Approved (Pending)"}}
)

// The variants of differential privacy that a registry record may name.
const (
	registryPure        = "Pure DP"
	registryApproximate = "Approximate DP"
	registryZCDP        = "Zero-concentrated DP"
	registryRenyi       = "Renyi DP"
	registryCustom      = "Custom"
)

// parseYAML reads a YAML text as a tree with the place of every part.
func parseYAML(data []byte) node {
	doc, err := yamltree.Read(data)
	if err != nil {
		refuse("", "%v", err)
	}
	if doc.Root == nil {
		refuse("", "the record is empty")
	}
	return yamlNode(doc, doc.Root, 0)
}

func yamlNode(doc *yamltree.Document, from *yamltree.Node, depth int) node {
	line, column := doc.Position(from.Start)
	n := node{at: "line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column)}
	if depth > maxDepth {
		refuse(n.at, "nested more than %d deep", maxDepth)
	}
	from = from.Deref()
	switch from.Kind {
	case yamltree.Mapping:
		n.kind = object
		for _, p := range from.Pairs {
			value := yamlNode(doc, p.Value, depth+1)
			n.addSize(value)
			n.parts = append(n.parts, part{p.Key.Text, value})
		}
	case yamltree.Sequence:
		n.kind = list
		for _, item := range from.Items {
			value := yamlNode(doc, item, depth+1)
			n.addSize(value)
			n.items = append(n.items, value)
		}
	default:
		n.kind, n.text = text, from.Text
		x, err := strconv.ParseFloat(from.Text, 64)
		switch {
		case from.IsNull():
			n.kind = null
		case from.Style != yamltree.Plain || err != nil || strings.Trim(from.Text, "0123456789.eE+-") != "":
		case numeral.Vanishes(from.Text, x) || math.IsInf(x, 0):
			refuse(n.at, "the number %s is too large, or too small", from.Text)
		default:
			n.kind, n.number = number, x
		}
	}
	return n
}

// readRegistry reads one record of the registry of deployments: its stated guarantee as one entry, and what it says
// about the deployment.
func readRegistry(rec *Record, data []byte) {
	root := parseYAML(data)
	root.want(object, "the record")
	top := root.fields("a registry record", "url_slug", "status", "tier", "deployment")
	top.registryWord("status", registryStatuses)
	if tier := top.number("tier"); tier != 1 && tier != 2 && tier != 3 {
		refuse(top.node("tier").at, "tier must be 1, 2 or 3, got %s", numeral.Format(tier))
	}
	parts := top.section("deployment", "basic", "dp_variant", "privacy_loss", "deployment_model", "accounting", "implementation", "administrative")
	rec.readBasic(parts.section("basic", "name", "data_curators", "intended_use", "data_product_type", "data_product_region", "description",
		"publication_date", "data_product_sector"))
	d := &rec.Scenario.Deployment
	variant := parts.section("dp_variant", "variant_name", "data_domain", "unprotected_quantities")
	d.Unprotected = variant.joinedText("unprotected_quantities")
	model := parts.section("deployment_model", "model_name", "model_name_details", "actors", "release_type", "release_type_details", "data_source_type",
		"data_source_type_details", "access_type", "access_type_details")
	d.Model, d.Releases = model.registryWord("model_name", registryModels), model.registryWord("release_type", registryReleases)
	d.Data, d.Access = model.registryWord("data_source_type", registryData), model.registryWord("access_type", registryAccess)
	accounts := parts.section("accounting", "post_processing", "composition")
	implementation := parts.section("implementation", "preprocessing_and_hyperparameter_tuning", "mechanisms", "justification")
	office := parts.section("administrative", "sources", "notes", "registry_authors")
	d.Domain, d.Actors, d.Notes = variant.joinedText("data_domain"), model.joinedText("actors"), office.joinedText("notes")
	d.ModelDetails, d.ReleaseDetails = model.joinedText("model_name_details"), model.joinedText("release_type_details")
	d.DataDetails, d.AccessDetails = model.joinedText("data_source_type_details"), model.joinedText("access_type_details")
	d.PostProcessing, d.Justification = accounts.joinedText("post_processing"), implementation.joinedText("justification")
	d.Preprocessing = implementation.joinedText("preprocessing_and_hyperparameter_tuning")
	d.Sources, d.Authors = office.joinedText("sources"), office.joinedNames("registry_authors")
	privacy := parts.section("privacy_loss", "privacy_unit", "privacy_unit_details", "privacy_parameters", "privacy_parameters_details")
	rec.Scenario.Unit = privacy.joinedText("privacy_unit")
	rec.readParameters(variant.joinedText("variant_name"), privacy)

	details := privacy.joinedText("privacy_unit_details")
	choices := scenarios.ScenarioField("adjacency").Choices
	stated := slices.IndexFunc(choices, func(a string) bool {
		return strings.HasPrefix(details, registryNeighbours(mechanisms.Adjacency(a)))
	})
	if stated >= 0 {
		rec.Scenario.Adjacency = mechanisms.Adjacency(choices[stated])
	} else {
		rec.remark("the registry says in words only which data sets are neighbours; add-remove was put in: read privacy_unit_details and set adjacency")
	}
	if strings.ContainsAny(rec.Scenario.Unit, ";,") {
		rec.remark("the record states one number for several privacy units (%s); see privacy_parameters_details for the number of each", rec.Scenario.Unit)
	}
	var left []string
	for _, f := range []fields{variant, privacy, model, accounts, implementation, office} {
		for _, name := range []string{"privacy_unit_details", "privacy_parameters_details", "composition", "mechanisms"} {
			if f.has(name) {
				left = append(left, name)
			}
		}
	}
	if len(left) > 0 {
		rec.remark("words without effect on the stated number are not carried over: %s", strings.Join(left, ", "))
	}
}

// registryNeighbours words an adjacency, for which the registry has no field, in a draft; a record that begins its
// details with these words is read back with that adjacency.
func registryNeighbours(a mechanisms.Adjacency) string {
	return fmt.Sprintf("Adjacency %s: %s.", a, report.NeighboursOf(a).Fact)
}

// readBasic reads the fields on who publishes what.
func (r *Record) readBasic(f fields) {
	for _, name := range []string{"name", "data_curators", "intended_use", "data_product_type", "data_product_region", "description", "publication_date"} {
		f.node(name)
	}
	d := &r.Scenario.Deployment
	r.Scenario.Name = f.joinedText("name")
	d.Curator, d.Use, d.Region = f.joinedNames("data_curators"), f.joinedText("intended_use"), f.joinedText("data_product_region")
	d.Product, d.Sector = f.registryWord("data_product_type", registryProducts), f.registryWord("data_product_sector", registrySectors)
	d.Published = f.joinedText("publication_date")
	if _, err := time.Parse(time.DateOnly, d.Published); err != nil {
		refuse(f.node("publication_date").at, "publication_date must be a date such as 2026-11-17, got %q", d.Published)
	}
	if about := f.joinedText("description"); about != "" {
		r.remark("the registry describes it so: %s", strings.TrimSuffix(about, "."))
	}
}

// readParameters makes an entry of the stated guarantee. The variant decides what the numbers mean: what it does not
// fit is refused, or stated as the weaker guarantee.
func (r *Record) readParameters(variant string, f fields) {
	if !f.has("privacy_parameters") || f.node("privacy_parameters").kind == null || len(f.node("privacy_parameters").parts) == 0 {
		refuse(f.at, "the record states no privacy parameters, so there is nothing to price")
	}
	p := f.section("privacy_parameters", "epsilon", "delta", "rho")
	for _, name := range []string{"epsilon", "delta", "rho"} {
		if p.has(name) && p.node(name).kind == text {
			refuse(p.node(name).at, "%s is a formula or words, %q: only a number has a price", name, p.node(name).text)
		}
	}
	delta := p.numberOr("delta", 0)
	switch variant {
	case registryPure:
		if p.has("rho") {
			refuse(p.node("rho").at, "%s has no rho", variant)
		}
		if delta > 0 {
			r.remark("the record calls this %s and states a δ of %s: it is taken for (ε, δ), the weaker of the two", variant, numeral.Format(delta))
		}
		r.spend(p.node("epsilon"), guaranteeEntry(p, 1))
	case registryApproximate:
		p.node("delta")
		if p.has("rho") {
			refuse(p.node("rho").at, "%s has no rho", variant)
		}
		r.spend(p.node("epsilon"), guaranteeEntry(p, 1))
	case registryZCDP:
		r.spend(p.node("rho"), newEntry("zcdp", 1, map[string]float64{"rho": p.positiveNumber("rho")}))
		if p.has("epsilon") && delta > 0 {
			r.Claims = append(r.Claims, Claim{Epsilon: p.positiveNumber("epsilon"), Delta: delta, Accountant: "as registered", Method: "zcdp",
				Why: "the registered conversion from ρ is another one"})
		}
	case registryRenyi, registryCustom:
		refuse(f.at, "%s is stated without what it means in numbers: the registry has no field for an order or a custom definition", variant)
	case "":
		refuse(f.at, "the record names no variant of differential privacy, so its numbers mean nothing certain")
	default:
		refuse(f.at, "variant_name %q is not one of %s", variant, strings.Join(
			[]string{registryPure, registryApproximate, registryZCDP, registryRenyi, registryCustom}, ", "))
	}
	if delta > 0 {
		r.setDelta(delta)
	} else if variant == registryPure {
		r.setDelta(0)
	}
}

// section returns the fields of a mapping; if it is missing or empty, it has none.
func (f fields) section(name string, names ...string) fields {
	n, ok := f.part[name]
	if !ok || n.kind == null {
		return fields{f.at, name, map[string]node{}}
	}
	n.want(object, name)
	return n.fields(name, names...)
}

// joinedText returns a text, with its lines joined; "" if it is missing or empty.
func (f fields) joinedText(name string) string {
	n, ok := f.part[name]
	if !ok || n.kind == null {
		return ""
	}
	if n.kind != number { // 2020 without quotes is meant as text
		n.want(text, name)
	}
	return strings.Join(strings.Fields(n.text), " ")
}

// joinedNames returns a list of texts, separated by semicolons.
func (f fields) joinedNames(name string) string {
	if !f.has(name) {
		return ""
	}
	var all []string
	for _, item := range f.node(name).list(name) {
		all = append(all, strings.Join(strings.Fields(item.string(name)), " "))
	}
	return strings.Join(all, "; ")
}

// registryWord returns our word for one of the registry's; anything else is refused.
func (f fields) registryWord(name string, known []registryWord) string {
	said := f.joinedText(name)
	if said == "" {
		return ""
	}
	i := slices.IndexFunc(known, func(w registryWord) bool { return w.theirs == said })
	if i < 0 {
		var all []string
		for _, w := range known {
			all = append(all, w.theirs)
		}
		refuse(f.node(name).at, "%s %q is not one of %s", name, said, strings.Join(all, ", "))
	}
	return known[i].ours
}
