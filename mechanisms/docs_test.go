package mechanisms

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

var _ = flag.Bool("update", false, "rewrite docs/mechanisms.md from the catalogue") // read by gauge.CompareDocument

// The documentation of the mechanisms is made from their declarations; run
// go test ./mechanisms -run Docs -update after changing one.
func TestDocs(t *testing.T) {
	gauge.CompareDocument(t, "../docs/mechanisms.md", docs(), gauge.Markdown)
}

func docs() string {
	var b strings.Builder
	b.WriteString("# Mechanisms\n\nMade from the catalogue in package `mechanisms`; do not edit. Numbers may be\n" +
		"written as `0.00125`, `1e-6`, `1/800`, `ln(3)`, `sqrt(2)` or `e^-32`. Every entry may also carry `label`, `count`,\n" +
		"`sampling` and, to claim that its number holds under add-remove too, `also`. A mechanism with a\n" +
		"`sensitivity` may instead say what is asked: `query`, as in [queries.md](queries.md).\n\n")
	b.WriteString("| mechanism | what it is for |\n|---|---|\n")
	for _, s := range Catalogue() {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", s.Name, s.Name, s.Summary)
	}
	for _, s := range Catalogue() {
		section(&b, s)
	}
	return b.String()
}

func section(b *strings.Builder, s Spec) {
	fmt.Fprintf(b, "\n## %s\n\n%s: %s. Source: %s.\n\n", s.Name, s.Title, s.Summary, s.Source)
	b.WriteString("| field | symbol | meaning | allowed | if absent |\n|---|---|---|---|---|\n")
	for _, p := range s.Params {
		if p.Inner { // they are declared where that mechanism is
			continue
		}
		absent := "must be given"
		switch {
		case p.Optional:
			absent = "–"
		case !p.Required:
			absent = written(p.Default)
		}
		help := p.Help
		if p.Unit != "" {
			help += " (unit: " + p.Unit + ")"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", p.Name, cell(p.Symbol), cell(help),
			cell(strings.TrimPrefix(p.Requirement(), "must be ")), absent)
	}
	if s.Varies != "" {
		inner, _ := s.Mapping(runMapping)
		fmt.Fprintf(b, "\nThe parameters of what is run stand beside `%s`, as in `%s: %s`.\n", s.Varies, runMapping, inner.Example)
		s.Alternatives = nil
	}
	for _, a := range s.Alternatives {
		if a.Optional {
			fmt.Fprintf(b, "\nAt most one of %s.\n", a)
		} else {
			fmt.Fprintf(b, "\nGive %s.\n", a)
		}
	}
	if len(s.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range s.Notes {
		fmt.Fprintf(b, "- %s\n", n)
	}
}

// written returns a default as it would be written in a file.
func written(v param.Value) string {
	switch v.Type {
	case param.Choice:
		return v.Text
	case param.Flag:
		return fmt.Sprint(v.Flag)
	}
	return numeral.Format(v.Number)
}

// cell keeps a bar inside a text from ending a table cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
