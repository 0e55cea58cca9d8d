package dialogs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// EditField edits one field of the scenario by its path, as --set names it, with a question above it. The sensitivity
// of an entry is edited in the form of the entry, which has what it follows from.
func EditField(sh *kit.Shell, path, question string) error {
	s := sh.Doc.Scenario()
	if entry, ok := strings.CutSuffix(path, ".sensitivity"); ok {
		i := slices.IndexFunc(sh.Doc.Rows(), func(r document.Row) bool { return rowPath(r) == entry })
		if i >= 0 {
			sh.Doc.Select(i)
			EditEntry(sh)
			return nil
		}
	}
	at, ok := s.FieldAt(path)
	if !ok {
		return fmt.Errorf("%s is written in the file; no form of the explorer has it", path)
	}
	p := at.Param
	p.Name = path
	if question != "" {
		p.Help = question
	}
	text := at.Text
	if at.Type.Numeric() && text == "0" && at.Optional {
		text = ""
	}
	field := newField(p, text)
	f := &form{Shell: sh, title: path, what: "answer", fields: []*formField{field}}
	f.made = func() (*scenarios.Scenario, error) {
		next := sh.Doc.Scenario().Clone()
		return next, next.Set(path, field.Value())
	}
	f.open(path)
	return nil
}

// rowPath returns the place of a row as --set names it: "2", "4.1.2".
func rowPath(r document.Row) string {
	parts := make([]string, len(r.Path))
	for i, n := range r.Path {
		parts[i] = strconv.Itoa(n + 1)
	}
	return strings.Join(parts, ".")
}
