package interop

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// readCSV reads rows of mechanism, epsilon, delta, count. The header names the
// columns, in any order; any parameter of a mechanism may be a column (sigma,
// scale, rho, …), label too, and what is asked (query.kind, query.max_groups, …; bounds
// also by the names of PipelineDP and Tumult). An empty cell is not given.
func readCSV(rec *Record, data []byte) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), "\ufeff")))
	r.TrimLeadingSpace = true
	header, err := r.Read()
	if err != nil {
		refuse("line 1", "expected a header such as mechanism,epsilon,delta,count")
	}
	checkColumns(header)
	stated, lines := 0.0, map[string][]string{}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			line := 0
			if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
				line = wrong.Line
			}
			refuse(fmt.Sprintf("line %d", line), "the number of fields or the quotes do not match the header")
		}
		cells := map[string]string{}
		for i, cell := range row {
			if cell = strings.TrimSpace(cell); cell != "" {
				cells[header[i]] = cell
			}
		}
		line, _ := r.FieldPos(0)
		n := node{at: fmt.Sprintf("line %d", line)}
		e := csvEntry(n.at, maps.Clone(cells))
		for _, column := range header {
			if cells[column] == "" && emptyMeansDefault(e, column) {
				lines[column] = append(lines[column], strconv.Itoa(line))
			}
		}
		if e.Mechanism == "approximate" {
			stated += e.Count * e.Values["delta"].Number
		}
		rec.spend(n, e)
	}
	rec.remarkDefaults(lines)
	if stated > defaultDelta && stated < 0.5 {
		rec.setDelta(stated)
		rec.Remarks = slices.Insert(rec.Remarks, 0, fmt.Sprintf("the stated δ's add up to %s, which became the total δ", numeral.Format(stated)))
	}
}

// emptyMeansDefault reports whether an empty cell of a column means a default.
func emptyMeansDefault(e scenarios.Entry, column string) bool {
	if column == "count" || column == "mechanism" || column == "delta" && (e.Mechanism == "pure" || e.Mechanism == "approximate") {
		return true
	}
	spec := e.Spec()
	p, has := spec.Param(column)
	oneOf, _ := spec.Choice(column)
	return has && !p.Required && oneOf == nil
}

// remarkDefaults remarks on empty cells.
func (r *Record) remarkDefaults(lines map[string][]string) {
	for _, column := range slices.Sorted(maps.Keys(lines)) {
		list := lines[column]
		more := ""
		if len(list) > 10 {
			more = fmt.Sprintf(" and %d more", len(list)-10)
			list = list[:10]
		}
		instead := map[string]string{"count": "1", "mechanism": "pure, or approximate where there is a delta,"}[column]
		r.remark("%s is empty in line %s%s: %s was taken", column, strings.Join(list, ", "), more, cmp.Or(instead, "its default"))
	}
}

// queryColumns are the columns that say what a release asks.
var queryColumns = []string{"query.kind", "query.clip", "query.max_groups", "query.per_group", "query.total", "query.of", "query.people", "query.dimension", "query.values"}

// boundNames are other tools' names of the bounds on what one person contributes: those of PipelineDP and of Tumult
// Analytics, in small letters.
var boundNames = map[string]string{
	"max_partitions_contributed": "query.max_groups", "max_contributions_per_partition": "query.per_group", "max_contributions": "query.total",
	"maxgroupsperid": "query.max_groups", "maxrowspergroupperid": "query.per_group", "maxrowsperid": "query.total",
}

// csvQuery reads the cells that say what a release asks, and takes them out. The entry's mechanism must take a query.
func csvQuery(at string, e *scenarios.Entry, cells map[string]string) {
	for _, column := range queryColumns {
		cell, given := cells[column]
		delete(cells, column)
		if !given {
			continue
		}
		if err := e.Set(column, cell); err != nil {
			refuse(at, "%s: %s", column, strings.TrimPrefix(err.Error(), column+": "))
		}
	}
	if !e.Query.IsSet() {
		return
	}
	for _, p := range e.Query.Check() {
		refuse(at, "query.%s: %s", p.Param, p.Problem)
	}
}

// checkColumns checks the header: every column is known and stands there once.
func checkColumns(header []string) {
	known := append([]string{"mechanism", "label", "count"}, queryColumns...)
	for _, spec := range mechanisms.Catalogue() {
		for _, variant := range spec.Variants() {
			for _, p := range variant.Params {
				known = append(known, p.Name)
			}
		}
	}
	for i := range header {
		header[i] = strings.ToLower(strings.TrimSpace(header[i]))
		header[i] = cmp.Or(boundNames[header[i]], header[i])
		at := fmt.Sprintf("line 1, column %d", i+1)
		switch {
		case !slices.Contains(known, header[i]):
			refuse(at, "%q is no parameter of any mechanism", report.Plain(header[i]))
		case slices.Contains(header[:i], header[i]):
			refuse(at, "the column %s is there twice", header[i])
		}
	}
}

// csvEntry reads the cells of a row that are not empty, and takes them out.
func csvEntry(at string, cells map[string]string) scenarios.Entry {
	take := func(column string) string {
		defer delete(cells, column)
		return cells[column]
	}
	name := take("mechanism")
	if name == "" {
		name = "pure"
		if d := cells["delta"]; d != "" && csvNumber(at, "delta", d, false) != 0 {
			name = "approximate"
		}
	}
	if strings.HasPrefix(name, "#") {
		refuse(at, "a row that starts with # is not skipped: take it out, or the #")
	}
	outer, _ := mechanisms.Lookup(name)
	spec, ok := mechanisms.SpecOf(name, param.Values{outer.Varies: param.ChoiceValue(cells[outer.Varies])})
	if !ok {
		refuse(at, "%s", mechanisms.UnknownMechanism(name))
	}
	if _, has := spec.Param("delta"); !has && cells["delta"] != "" && csvNumber(at, "delta", take("delta"), false) != 0 {
		refuse(at, "delta: %s has no δ of its own", name)
	}
	e := scenarios.Entry{Mechanism: name, Count: 1, Sampling: 1, Values: param.Values{}, Label: take("label")}
	if len(e.Label) > 1 && e.Label[0] == '\'' && strings.IndexByte("=+-@", e.Label[1]) >= 0 {
		e.Label = e.Label[1:] // how our own tables keep a text from being a formula
	}
	if c := take("count"); c != "" {
		e.Count = csvNumber(at, "count", c, true)
		checkCount(at, "count", e.Count)
	}
	csvQuery(at, &e, cells)
	for _, field := range slices.Sorted(maps.Keys(cells)) {
		e.Values[field] = csvValue(at, spec, field, cells[field])
	}
	if wrong := mechanisms.Check(spec, e.Values); len(wrong) > 0 {
		refuse(at, "%v", wrong[0])
	}
	return e
}

// Numbers that programs read differently: 031 is octal 25 to some, and 1.000 is one
// thousand in many countries.
var (
	ambiguousNumber = lazyPattern(`(?:^|[^\d._eE+-])[-+]?0\d|\.\d*_`)
	thousands       = lazyPattern(`^\d{1,3}(?:\.\d{3})+$`)
)

func csvNumber(at, field, cell string, whole bool) float64 {
	if whole && thousands().MatchString(cell) {
		refuse(at, "%s: %s may be a thousand: write it without the point", field, cell)
	}
	if ambiguousNumber().MatchString(cell) {
		refuse(at, "%s: %q can be read in two ways: write it without leading zeros, and without _ after the point", field, report.Plain(cell))
	}
	x, err := numeral.Parse(cell)
	if err != nil {
		refuse(at, "%s: %v", field, err)
	}
	return x
}

// csvValue reads one cell as the parameter it stands for.
func csvValue(at string, spec mechanisms.Spec, field, cell string) param.Value {
	p, ok := spec.Param(field)
	if !ok {
		refuse(at, "%s: %s", field, spec.UnknownField(field, "count", "label"))
	}
	switch p.Type {
	case param.Number, param.Whole:
		return param.Value{Type: p.Type, Number: csvNumber(at, field, cell, p.Type == param.Whole)}
	case param.Choice:
		return param.ChoiceValue(cell)
	case param.Flag:
		on, err := strconv.ParseBool(cell)
		if err != nil {
			refuse(at, "%s: must be true or false, got %q", field, cell)
		}
		return param.FlagValue(on)
	}
	refuse(at, "%s: a list does not fit into a table cell", field)
	return param.Value{}
}
