package scenarios

import (
	"strings"
	"sync"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/internal/format"
)

// The tables by owner. Those of entries go by mechanism; "" stands for an unknown one.
var (
	scenarioTable = format.TableOf(scenarioFields)
	expectTable   = format.TableOf(expectFields)
	blockTable    = format.TableOf(rowsOf("block", nil))
	entryTables   = sync.OnceValue(func() map[string]*format.Table[Entry] {
		all := map[string]*format.Table[Entry]{}
		for _, spec := range append([]mechanisms.Spec{{}}, mechanisms.Catalogue()...) {
			for _, variant := range spec.Variants() {
				all[spec.Name+variant.Variant()] = format.TableOf(rowsOf("mechanism", variant.Params))
			}
		}
		return all
	})
)

// rowsOf returns the fields of one kind of entry; its parameters follow the label.
func rowsOf(kind string, params []param.Param) []format.Field[Entry] {
	var rows []format.Field[Entry]
	for _, f := range entryFields {
		if f.Only == "" || f.Only == kind {
			rows = append(rows, f)
		}
		if f.Name == "label" {
			rows = append(rows, paramRows("", params)...)
		}
	}
	return rows
}

// paramRows returns the rows of parameters, of which some may be parts of a mapping: a
// parameter called runs.mean is the field mean of the mapping runs.
func paramRows(prefix string, params []param.Param) (rows []format.Field[Entry]) {
	for len(params) > 0 {
		p := params[0]
		name, _, nested := strings.Cut(strings.TrimPrefix(p.Name, prefix), ".")
		if !nested {
			full := p.Name
			p.Name = name
			rows, params = append(rows, format.Field[Entry]{Param: p, At: func(e *Entry) any { return entryParam{e, full} }}), params[1:]
			continue
		}
		within := 0
		for within < len(params) && strings.HasPrefix(params[within].Name, prefix+name+".") {
			within++
		}
		rows = append(rows, format.Field[Entry]{Param: param.Param{Name: name, Required: p.Required, Help: mappingHelp[name]},
			Example: mappingExamples[name], Parts: paramRows(prefix+name+".", params[:within])})
		params = params[within:]
	}
	return rows
}

// Help and examples for mappings of parameters.
var (
	mappingHelp = map[string]string{
		"of": "the entry that is run", "runs": "how many runs there are", "sampling": "Poisson sampling of the records before a run",
	}
	mappingExamples = map[string]string{
		"of": "{mechanism: zcdp, rho: 0.05}", "runs": "{distribution: logarithmic, mean: 10}", "sampling": "{rate: 0.01}",
	}
)

// table returns the table of the entry's kind.
func (e *Entry) table() *format.Table[Entry] {
	if e.Parallel != nil {
		return blockTable
	}
	spec := e.Spec()
	if t, ok := entryTables()[spec.Name+spec.Variant()]; ok {
		return t
	}
	return entryTables()[""]
}

// ScenarioField returns the declaration of one of a scenario's own fields by its path,
// such as "rounds" or "budget.delta".
func ScenarioField(path string) param.Param { l, _ := scenarioTable.Find(path); return l.Param }

// EntryField returns the declaration of a field that entries of every kind, or blocks,
// have beside a mechanism's own: "count", "sampling".
func EntryField(path string) param.Param {
	l, ok := entryTables()[""].Find(path)
	if !ok {
		l, _ = blockTable.Find(path)
	}
	l.Name = path
	return l.Param
}
