package scenarios

import (
	"encoding/json"
	"math"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// object is a JSON object; encoding sorts its keys, so that the schema is always
// the same text.
type object = map[string]any

// Schema is the scenario file's JSON Schema (draft 2020-12), made from the
// catalogue of mechanisms, so that editors complete and check what they open. What
// a schema cannot say, such as conditions across two parameters, is left to [Parse].
func Schema() []byte {
	defs := object{
		"text":     object{"type": []string{"string", "number", "boolean", "null"}},
		"stack":    object{"type": []string{"array", "null"}, "items": object{"$ref": "#/$defs/entry"}},
		"parallel": mappingSchema(&Entry{Parallel: [][]Entry{}}, blockTable.rows),
	}
	kinds := []object{}
	for _, spec := range mechanisms.Catalogue() {
		defs[spec.Name] = mechanismSchema(spec)
		kinds = append(kinds, object{"$ref": "#/$defs/" + spec.Name})
	}
	defs["entry"] = object{"oneOf": append(kinds, object{"$ref": "#/$defs/parallel"})}
	root := mappingSchema(New(), scenarioFields)
	root["$schema"], root["title"], root["$defs"] = "https://json-schema.org/draft/2020-12/schema", "epsiloscope scenario", defs
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil { // there is nothing in it that JSON cannot hold
		panic(err)
	}
	return append(text, '\n')
}

// mappingSchema is a mapping by its table.
func mappingSchema[T any](x *T, rows []field[T]) object {
	properties, required := object{}, []string{}
	for _, f := range rows {
		if f.parts != nil {
			part := mappingSchema(x, f.parts)
			part["description"] = f.Help
			properties[f.Name] = part
		} else {
			properties[f.Name] = schemaAt(f.Param, f.at(x))
		}
		if f.missing != "" || f.Required {
			required = append(required, f.Name)
		}
	}
	s := object{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func mechanismSchema(spec mechanisms.Spec) object {
	e := &Entry{Mechanism: spec.Name}
	s := mappingSchema(e, e.table().rows)
	s["properties"].(object)["mechanism"] = object{"const": spec.Name}
	s["title"], s["description"] = spec.Title, spec.Summary+". "+spec.Source
	if spec.Varies != "" {
		s["properties"].(object)["of"] = runSchema(e.Mechanism)
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

// runSchema is an entry that another one runs: all but a block, itself, and what is said of
// the whole.
func runSchema(by string) object {
	not := []object{{"properties": object{"mechanism": object{"const": by}}}}
	for _, f := range entryFields {
		if name := f.Name; name != "mechanism" && name != "count" && name != "sampling" {
			not = append(not, object{"required": []string{name}})
		}
	}
	return object{"$ref": "#/$defs/entry", "not": object{"anyOf": not}, "description": mappingHelp["of"]}
}

// alternativeSchema allows one set of the parameters and none of the others.
func alternativeSchema(a mechanisms.Alternative) []object {
	given := func(names []string) object {
		any := []object{}
		for _, name := range names {
			any = append(any, object{"required": []string{name}})
		}
		return object{"anyOf": any}
	}
	var all []string
	for _, set := range a.Sets {
		all = append(all, set...)
	}
	var options []object
	for _, set := range a.Sets {
		var others []string
		for _, name := range all {
			if !slices.Contains(set, name) {
				others = append(others, name)
			}
		}
		options = append(options, object{"required": set, "not": given(others)})
	}
	if a.Optional {
		options = append(options, object{"not": given(all)})
	}
	return options
}

// schemaAt is what a schema says of a field.
func schemaAt(p mechanisms.Param, at any) object {
	switch at.(type) {
	case *[]Entry:
		return object{"$ref": "#/$defs/stack", "description": p.Help}
	case *[][]Entry:
		return object{"type": "array", "items": object{"$ref": "#/$defs/stack"}, "description": p.Help}
	case *[]Expectation:
		return object{"type": []string{"array", "null"}, "description": p.Help, "items": mappingSchema(new(Expectation), expectFields)}
	case *mechanisms.Also:
		return alsoSchema(p.Help)
	case versionNumber:
		return object{"const": Version, "description": p.Help}
	}
	if word := p.Default.Text; word != "" && p.Type != mechanisms.Choice {
		return object{"description": p.Help, "default": word, "oneOf": []object{{"const": word}, paramSchema(p)}}
	}
	return paramSchema(p)
}

// paramSchema is a declared parameter's type and range.
func paramSchema(p mechanisms.Param) object {
	s := object{"description": p.Help}
	if p.Unit != "" {
		s["description"] = p.Help + " (unit: " + p.Unit + ")"
	}
	finite := object{"type": "number"}
	switch p.Type {
	case mechanisms.Number, mechanisms.Whole:
		s["type"], s["pattern"] = []string{"number", "string"}, "["+document.FormulaSigns+"]" // a number or a formula
		if p.Type == mechanisms.Whole {
			s["type"] = []string{"integer", "string"}
		}
		limit(s, p.Min, p.OpenMin, "minimum", "exclusiveMinimum")
		limit(s, p.Max, p.OpenMax, "maximum", "exclusiveMaximum")
		if !p.Required && !p.Optional && p.Default.Number != 0 {
			s["default"] = p.Default.Number
		}
	case mechanisms.Choice:
		if p.Choices == nil {
			return object{"$ref": "#/$defs/text", "description": p.Help}
		}
		s["enum"] = p.Choices
		if !p.Required && !p.Optional {
			s["default"] = p.Default.Text
		}
	case mechanisms.Flag:
		s["type"], s["default"] = "boolean", p.Default.Flag
	case mechanisms.Scores:
		if p.Named {
			s["type"], s["minProperties"], s["additionalProperties"] = "object", 1, finite
		} else {
			s["type"], s["minItems"], s["items"] = "array", 1, finite
		}
	case mechanisms.Points:
		s["type"], s["minProperties"], s["additionalProperties"] = "object", 1, object{"type": "number", "minimum": 0}
	}
	return s
}

// limit adds one end of a range, included or not.
func limit(s object, x float64, open bool, closedWord, openWord string) {
	switch {
	case math.IsInf(x, 0):
	case open:
		s[openWord] = x
	default:
		s[closedWord] = x
	}
}
