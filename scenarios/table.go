package scenarios

import (
	"strings"
	"sync"

	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// The tables by owner. Those of entries go by mechanism, and each is made when it is first asked for; "" stands for an
// unknown one.
var (
	scenarioTable = sync.OnceValue(func() *format.Table[Scenario] { return format.TableOf(scenarioFields()) })
	expectTable   = sync.OnceValue(func() *format.Table[Expectation] { return format.TableOf(expectFields()) })
	blockTable    = sync.OnceValue(func() *format.Table[Entry] { return format.TableOf(rowsOf("block", mechanisms.Spec{})) })
	entryTables   sync.Map // of string and func() *format.Table[Entry]
)

// entryTable returns the table of the entries of a mechanism.
func entryTable(spec mechanisms.Spec) *format.Table[Entry] {
	key := spec.Name + spec.Variant()
	made, ok := entryTables.Load(key)
	if !ok {
		made, _ = entryTables.LoadOrStore(key, sync.OnceValue(func() *format.Table[Entry] {
			return format.TableOf(rowsOf("mechanism", spec))
		}))
	}
	return made.(func() *format.Table[Entry])()
}

// rowsOf returns the fields of one kind of entry; the parameters of its mechanism follow the label.
func rowsOf(kind string, spec mechanisms.Spec) []format.Field[Entry] {
	var rows []format.Field[Entry]
	for _, f := range entryFields() {
		if f.Name == "query" && spec.Name != "" && spec.Norm == "" {
			continue // see unknownFieldProblem
		}
		if f.Only == "" || f.Only == kind {
			rows = append(rows, f)
		}
		if f.Name == "label" {
			rows = append(rows, paramRows(spec, "", spec.Params)...)
		}
	}
	return rows
}

// paramRows returns the rows of parameters. A parameter called runs.mean becomes the field mean of the
// mapping runs.
func paramRows(spec mechanisms.Spec, prefix string, params []param.Param) (rows []format.Field[Entry]) {
	for len(params) > 0 {
		p := params[0]
		name, _, nested := strings.Cut(strings.TrimPrefix(p.Name, prefix), ".")
		if !nested {
			full := p.Name
			p.Name = name
			rows, params = append(rows, format.Field[Entry]{Param: p, At: func(e *Entry) any {
				return entryParam{e, full}
			}}), params[1:]
			continue
		}
		within := 0
		for within < len(params) && strings.HasPrefix(params[within].Name, prefix+name+".") {
			within++
		}
		mapping, _ := spec.Mapping(prefix + name)
		rows = append(rows, format.Field[Entry]{Param: param.Param{Name: name,
			Required: p.Required, Help: mapping.Help},
			Example: mapping.Example, Parts: paramRows(spec, prefix+name+".", params[:within])})
		params = params[within:]
	}
	return rows
}

// table returns the table of the entry's kind.
func (e *Entry) table() *format.Table[Entry] {
	if e.Parallel != nil {
		return blockTable()
	}
	return entryTable(e.Spec())
}

// ScenarioField returns the declaration of one of a scenario's own fields by its path,
// such as "rounds" or "budget.delta".
func ScenarioField(path string) param.Param { l, _ := scenarioTable().Find(path); return l.Param }

// EntryField returns the declaration of a field that entries of every kind, or blocks,
// have beside a mechanism's own: "count", "sampling".
func EntryField(path string) param.Param {
	l, ok := entryTable(mechanisms.Spec{}).Find(path)
	if !ok {
		l, _ = blockTable().Find(path)
	}
	l.Name = path
	return l.Param
}
