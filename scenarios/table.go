package scenarios

import (
	"slices"
	"strings"
	"sync"

	"epsiloscope/mechanisms"
)

// field is one row of a table of fields: what a file says under one name, how it is
// declared and where it is kept. The decoder, the emitter, --set, the schema, the
// checks, equality and the difference of two scenarios all read the tables in rows.go; a
// new field is one more row.
type field[T any] struct {
	mechanisms.Param
	at      func(*T) any // a pointer to the value; see values.go for the types
	parts   []field[T]   // instead of at: a mapping of further fields
	example string       // of such a mapping
	missing string       // the problem where the field is not given; "" if it need not be
	on      scope        // entries: where it may stand
	aside   bool         // changes neither what ε means nor what it costs
}

// scope tells the fields of mechanisms from those of parallel blocks.
type scope uint8

const (
	anywhere scope = iota
	onMechanism
	onBlock
)

// table is a list of rows, and those of them that hold a value by their path.
type table[T any] struct {
	rows   []field[T]
	leaves []leaf[T]
}

// leaf is a row with the path that errors give, "sampling.rate", and the shorter one
// that will do where a mapping has a single part, "sampling".
type leaf[T any] struct {
	field[T]
	path, short string
}

func tableOf[T any](rows []field[T]) table[T] {
	t := table[T]{rows: rows}
	for _, f := range rows {
		t.leaves = append(t.leaves, f.leavesOf()...)
	}
	return t
}

// leavesOf are those of a row that hold a value.
func (f field[T]) leavesOf() (list []leaf[T]) {
	if f.parts == nil {
		return []leaf[T]{{f, f.Name, f.Name}}
	}
	for _, part := range f.parts {
		for _, l := range part.leavesOf() {
			l.path, l.short = f.Name+"."+l.path, f.Name+"."+l.short
			if len(f.parts) == 1 {
				l.short = f.Name
			}
			list = append(list, l)
		}
	}
	return list
}

func names[T any](rows []field[T]) []string {
	list := make([]string, len(rows))
	for i, f := range rows {
		list[i] = f.Name
	}
	return list
}

// find is the leaf that a path means.
func (t *table[T]) find(path string) (leaf[T], bool) {
	i := slices.IndexFunc(t.leaves, func(l leaf[T]) bool { return l.path == path || l.short == path })
	if i < 0 {
		return leaf[T]{}, false
	}
	return t.leaves[i], true
}

// The tables by owner: those of entries by mechanism, "" for one that is not known,
// and of blocks.
var (
	scenarioTable = tableOf(scenarioFields)
	expectTable   = tableOf(expectFields)
	blockTable    = tableOf(rowsOn(onBlock, nil))
	entryTables   = sync.OnceValue(func() map[string]*table[Entry] {
		all := map[string]*table[Entry]{}
		for _, spec := range append([]mechanisms.Spec{{}}, mechanisms.Catalogue()...) {
			for _, variant := range spec.Variants() {
				t := tableOf(rowsOn(onMechanism, variant.Params))
				all[spec.Name+variant.Variant()] = &t
			}
		}
		return all
	})
)

func rowsOn(on scope, params []mechanisms.Param) []field[Entry] {
	var rows []field[Entry]
	for _, f := range entryFields {
		if f.on == anywhere || f.on == on {
			rows = append(rows, f)
		}
		if f.Name == "label" {
			rows = append(rows, paramRows("", params)...)
		}
	}
	return rows
}

// param is where an entry keeps a parameter of its mechanism.
type param struct {
	*Entry
	name string
}

// paramRows are the rows of parameters, of which some may be parts of a mapping: a
// parameter called runs.mean is the field mean of the mapping runs.
func paramRows(prefix string, params []mechanisms.Param) (rows []field[Entry]) {
	for len(params) > 0 {
		p := params[0]
		name, _, nested := strings.Cut(strings.TrimPrefix(p.Name, prefix), ".")
		if !nested {
			full := p.Name
			p.Name = name
			rows, params = append(rows, field[Entry]{Param: p, at: func(e *Entry) any { return param{e, full} }}), params[1:]
			continue
		}
		within := 0
		for within < len(params) && strings.HasPrefix(params[within].Name, prefix+name+".") {
			within++
		}
		rows = append(rows, field[Entry]{Param: mechanisms.Param{Name: name, Required: p.Required, Help: mappingHelp[name]}, example: mappingExamples[name],
			parts: paramRows(prefix+name+".", params[:within])})
		params = params[within:]
	}
	return rows
}

// What mappings of parameters are for, and look like.
var (
	mappingHelp = map[string]string{
		"of": "the entry that is run", "runs": "how many runs there are", "sampling": "Poisson sampling of the records before a run",
	}
	mappingExamples = map[string]string{
		"of": "{mechanism: zcdp, rho: 0.05}", "runs": "{distribution: logarithmic, mean: 10}", "sampling": "{rate: 0.01}",
	}
)

// table is the one that the entry's kind has.
func (e *Entry) table() *table[Entry] {
	if e.Parallel != nil {
		return &blockTable
	}
	spec := e.Spec()
	if t, ok := entryTables()[spec.Name+spec.Variant()]; ok {
		return t
	}
	return entryTables()[""]
}

// ScenarioField is the declaration of one of a scenario's own fields by its path,
// such as "rounds" or "budget.delta".
func ScenarioField(path string) mechanisms.Param { l, _ := scenarioTable.find(path); return l.Param }

// EntryField is the declaration of a field that entries of every kind, or blocks,
// have beside a mechanism's own: "count", "sampling".
func EntryField(path string) mechanisms.Param {
	l, ok := entryTables()[""].find(path)
	if !ok {
		l, _ = blockTable.find(path)
	}
	l.Name = path
	return l.Param
}
