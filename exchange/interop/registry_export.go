package interop

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/report/curve"
	"epsiloscope/scenarios"
)

// writeRegistry writes a draft for the registry of deployments. A comment asks for each field that the registry
// requires and the scenario lacks; no value is invented.
func writeRegistry(s *scenarios.Scenario, x *export) []byte {
	d := s.Deployment
	if missing := s.MissingForRegister(); len(missing) > 0 {
		x.err = fmt.Errorf("the registry asks for what the scenario does not say; set %s", strings.Join(missing, ", "))
		return nil
	}
	if open := s.OpenSensitivities(); len(open) > 0 { // what it costs is not known yet
		x.err = scenarios.Errors(open)
		return nil
	}
	ctx := context.Background()
	r, err := scenarios.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		x.err = err
		return nil
	}
	st, err := report.NewStatement(ctx, s, r)
	if err != nil {
		x.err = err
		return nil
	}
	fact := func(name string) string {
		i := slices.IndexFunc(st.Facts, func(f report.Fact) bool { return f.Name == name })
		if i < 0 {
			return ""
		}
		return st.Facts[i].Text
	}

	w := &registryWriter{}
	// the registry's own script looks for it on the first line, without quotes
	w.line(0, "url_slug", slug(s.Name, d.Curator, d.Published))
	w.comment("Written by epsiloscope for " + registrySchema)
	w.comment("Review: " + fact("Review"))
	for _, question := range st.Open { // on one line each: they quote the file
		w.comment(report.Plain(question))
	}
	w.text(0, "status", "Draft")
	w.line(0, "tier", strconv.Itoa(registryTier(d)))
	w.line(0, "deployment", "")
	w.line(1, "basic", "")
	w.text(2, "name", s.Name)
	w.list("data_curators", d.Curator)
	w.text(2, "intended_use", d.Use)
	w.text(2, "data_product_type", theirWord(registryProducts, d.Product))
	w.text(2, "data_product_region", d.Region)
	w.text(2, "description", s.Description)
	w.text(2, "publication_date", d.Published)
	w.text(2, "data_product_sector", theirWord(registrySectors, d.Sector))

	epsilon, delta := st.Bound.Epsilon, st.Bound.Delta
	variant, rho := registryApproximate, 0.0
	if stack, err := scenarios.Stack(s); err == nil {
		rho, _ = curve.ConcentratedSum(stack)
	}
	switch {
	case delta == 0:
		variant, rho = registryPure, 0
	case rho > 0 && onlyConcentrated(s.Stack):
		variant = registryZCDP
	}
	w.line(1, "dp_variant", "")
	w.text(2, "variant_name", variant)
	w.text(2, "data_domain", d.Domain)
	w.text(2, "unprotected_quantities", d.Unprotected)
	w.line(1, "privacy_loss", "")
	w.text(2, "privacy_unit", s.Unit)
	w.text(2, "privacy_unit_details", fmt.Sprintf("%s Group: %s.", registryNeighbours(s.Adjacency), fact("Group")))
	w.line(2, "privacy_parameters", "")
	w.number("epsilon", numeral.RoundUp(epsilon, 6))
	if delta > 0 {
		w.number("delta", delta)
	}
	if variant == registryZCDP {
		w.number("rho", numeral.RoundUp(rho, 6))
	}
	w.text(2, "privacy_parameters_details", fmt.Sprintf("%s, rounded up. %s.", fact("Guarantee"), fact("Theorem")))
	if cmp.Or(d.Model, d.Releases, d.Data, d.Access, d.ModelDetails, d.Actors, d.ReleaseDetails, d.DataDetails,
		d.AccessDetails) != "" {
		w.line(1, "deployment_model", "")
		w.text(2, "model_name", theirWord(registryModels, d.Model))
		w.text(2, "model_name_details", d.ModelDetails)
		w.text(2, "actors", d.Actors)
		w.text(2, "release_type", theirWord(registryReleases, d.Releases))
		w.text(2, "release_type_details", d.ReleaseDetails)
		w.text(2, "data_source_type", theirWord(registryData, d.Data))
		w.text(2, "data_source_type_details", d.DataDetails)
		w.text(2, "access_type", theirWord(registryAccess, d.Access))
		w.text(2, "access_type_details", d.AccessDetails)
	}
	w.line(1, "accounting", "")
	w.text(2, "post_processing", d.PostProcessing)
	w.text(2, "composition", fact("Composition")+"; the total is a bound by "+fact("Theorem"))
	w.line(1, "implementation", "")
	w.text(2, "preprocessing_and_hyperparameter_tuning", d.Preprocessing)
	w.text(2, "mechanisms", fact("Mechanisms"))
	w.text(2, "justification", d.Justification)
	if d.Authors != "" {
		w.line(1, "administrative", "")
		w.text(2, "sources", d.Sources)
		w.text(2, "notes", d.Notes)
		w.list("registry_authors", d.Authors)
	} else if d.Sources != "" || d.Notes != "" {
		x.remark("sources and notes are left out: the registry keeps them beside its authors, and deployment.authors is not said")
	}
	if d.Others != "" && d.Others != "none" {
		x.remark("the registry has no field for other releases from the same data (%s): say so in privacy_parameters_details", report.Plain(d.Others))
	}
	x.remark("a draft: it has the entries and their labels in words only; read it, and fill in what it still lacks")
	return []byte(w.String())
}

// onlyConcentrated reports whether every release is Gaussian noise or a stated ρ, so that zCDP is its own notion.
func onlyConcentrated(stack []scenarios.Entry) bool {
	for _, e := range scenarios.EnabledEntries(stack) {
		if !slices.Contains([]string{"gaussian", "discrete-gaussian", "zcdp"}, e.Mechanism) {
			return false
		}
	}
	return true
}

// registryTier returns how complete a record is by the registry's own guidance.
func registryTier(d scenarios.Deployment) int {
	switch {
	case d.Model == "" || d.Releases == "" || d.Data == "" || d.Access == "":
		return 1
	case d.Unprotected == "":
		return 2
	}
	return 3
}

// theirWord returns the registry's word for ours; "" for "".
func theirWord(words []registryWord, ours string) string {
	i := slices.IndexFunc(words, func(w registryWord) bool { return ours != "" && w.ours == ours })
	if i < 0 {
		return ""
	}
	return words[i].theirs
}

// slug returns the address of a record by the registry's own rule: name, curators and year in small letters, each with
// one hyphen in the place of every run of other characters. Letters with accents stay, and where a part ends in such a
// run there are two hyphens.
func slug(name, curators, published string) string {
	var list []string
	for c := range strings.SplitSeq(curators, ";") {
		if c = strings.TrimSpace(c); c != "" {
			list = append(list, report.Plain(c))
		}
	}
	clean := func(text string) string {
		var b strings.Builder
		within := false
		for _, r := range strings.ToLower(text) {
			word := unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_'
			switch {
			case word && r != '_':
				b.WriteRune(r)
			case word || !within:
				b.WriteByte('-')
			}
			within = !word
		}
		return b.String()
	}
	return clean(report.Plain(strings.TrimSpace(name))) + "-" + clean(strings.Join(list, "-")) + "-" + published[:4]
}

// registryWriter writes YAML that YAML 1.1 and 1.2 read alike: every text in quotes or as a block, every number with a
// point.
type registryWriter struct{ strings.Builder }

func (w *registryWriter) comment(text string) { w.WriteString("# " + text + "\n") }

func (w *registryWriter) line(depth int, name, value string) {
	w.WriteString(strings.Repeat("  ", depth) + strings.TrimRight(name+": "+value, " ") + "\n")
}

// text writes a field; an empty one is left out.
func (w *registryWriter) text(depth int, name, text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	if !strings.Contains(text, "\n") {
		w.line(depth, name, quoteYAML(text))
		return
	}
	w.line(depth, name, "|-")
	for line := range strings.SplitSeq(text, "\n") {
		w.WriteString(strings.TrimRight(strings.Repeat("  ", depth+1)+strings.TrimSpace(line), " ") + "\n")
	}
}

// list writes texts that are separated by semicolons, one per line.
func (w *registryWriter) list(name, texts string) {
	const depth = 2
	w.line(depth, name, "")
	for text := range strings.SplitSeq(texts, ";") {
		if text = strings.TrimSpace(text); text != "" {
			w.WriteString(strings.Repeat("  ", depth+1) + "- " + quoteYAML(text) + "\n")
		}
	}
}

// number writes a number of a privacy parameter as Python does, with a point.
func (w *registryWriter) number(name string, x float64) {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if mantissa, exponent, found := strings.Cut(text, "e"); !strings.Contains(mantissa, ".") {
		text = mantissa + ".0"
		if found {
			text += "e" + exponent
		}
	}
	w.line(3, name, cmp.Or(text, "0.0"))
}

// quoteYAML returns a text between double quotes.
func quoteYAML(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", " ").Replace(report.Plain(text)) + `"`
}
