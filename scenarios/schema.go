package scenarios

import (
	"encoding/json"
	"slices"

	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

type object = format.Object

// Schema returns the scenario file's JSON Schema (draft 2020-12), made from the
// catalogue of mechanisms, so that editors complete and check what they open. What
// a schema cannot say, such as conditions across two parameters, is left to [Parse].
func Schema() []byte {
	defs := object{
		"text":     object{"type": []string{"string", "number", "boolean", "null"}},
		"stack":    object{"type": []string{"array", "null"}, "items": object{"$ref": "#/$defs/entry"}},
		"parallel": blockTable().Schema(&Entry{Parallel: [][]Entry{}}),
	}
	kinds := []object{}
	for _, spec := range mechanisms.Catalogue() {
		defs[spec.Name] = mechanismSchema(spec)
		kinds = append(kinds, object{"$ref": "#/$defs/" + spec.Name})
	}
	defs["entry"] = object{"oneOf": append(kinds, object{"$ref": "#/$defs/parallel"})}
	root := scenarioTable().Schema(New())
	root["$schema"], root["title"], root["$defs"] = "https://json-schema.org/draft/2020-12/schema", "epsiloscope scenario", defs
	text, _ := json.MarshalIndent(root, "", "  ") // there is nothing in it that JSON cannot hold
	return append(text, '\n')
}

func mechanismSchema(spec mechanisms.Spec) object {
	e := &Entry{Mechanism: spec.Name}
	s := e.table().Schema(e)
	s["properties"].(object)["mechanism"] = object{"const": spec.Name}
	s["title"], s["description"] = spec.Title, spec.Summary+". "+spec.Source
	if nested, ok := spec.NestedEntry(); ok {
		s["properties"].(object)[nested.Name] = runSchema(spec, nested.Help)
		return s
	}
	var choices []object
	for _, a := range spec.Alternatives {
		choices = append(choices, object{"oneOf": alternativeSchema(a)})
	}
	if choices != nil {
		s["allOf"] = choices
	}
	return s
}

// runSchema returns the schema of an entry that another one runs: one of the mechanisms that it may
// run, without the fields of the whole.
func runSchema(outer mechanisms.Spec, help string) object {
	p, _ := outer.Param(outer.Varies)
	not := []object{{"not": object{"properties": object{"mechanism": object{"enum": p.Choices}}}}}
	for _, f := range entryFields() {
		if name := f.Name; name != "mechanism" && name != "count" && name != "sampling" {
			not = append(not, object{"required": []string{name}})
		}
	}
	return object{"$ref": "#/$defs/entry", "not": object{"anyOf": not}, "description": help}
}

// alternativeSchema allows one set of the parameters and none of the others.
func alternativeSchema(a param.Alternative) []object {
	given := func(names []string) object {
		any := []object{}
		for _, name := range names {
			any = append(any, object{"required": []string{name}})
		}
		return object{"anyOf": any}
	}
	all := slices.Concat(a.Sets...)
	var options []object
	for _, set := range a.Sets {
		others := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(set, name) })
		options = append(options, object{"required": set, "not": given(others)})
	}
	if a.Optional {
		options = append(options, object{"not": given(all)})
	}
	return options
}
