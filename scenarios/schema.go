package scenarios

import (
	"encoding/json"
	"math"
	"slices"

	"epsiloscope/mechanisms"
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
		"parallel": parallelSchema(),
	}
	kinds := []object{}
	for _, spec := range mechanisms.Catalogue() {
		defs[spec.Name] = mechanismSchema(spec)
		kinds = append(kinds, object{"$ref": "#/$defs/" + spec.Name})
	}
	defs["entry"] = object{"oneOf": append(kinds, object{"$ref": "#/$defs/parallel"})}
	root := object{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "epsiloscope scenario",
		"type":                 "object",
		"required":             []string{"version", "stack"},
		"additionalProperties": false,
		"properties":           topSchema(),
		"$defs":                defs,
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil { // there is nothing in it that JSON cannot hold
		panic(err)
	}
	return append(text, '\n')
}

func topSchema() object {
	return object{
		"version":     object{"const": Version, "description": "version of the file format"},
		"name":        textSchema("what the scenario is called"),
		"description": textSchema("free text"),
		"unit":        textSchema("whose data one record is: person, person-month, household"),
		"adjacency": object{
			"enum":        []mechanisms.Adjacency{mechanisms.AddRemove, mechanisms.Replace},
			"description": "which data sets count as neighbours", "default": mechanisms.AddRemove,
		},
		"budget": object{
			"type": "object", "additionalProperties": false, "description": "the total the stack should stay within",
			"properties": object{"epsilon": paramSchema(budgetEpsilon), "delta": paramSchema(budgetDelta)},
		},
		"alpha": object{
			"description": pinnedAlpha.Help, "default": "auto",
			"oneOf": []object{{"const": "auto"}, paramSchema(pinnedAlpha)},
		},
		"rounds":  paramSchema(rounds),
		"group":   paramSchema(group),
		"records": paramSchema(records),
		"stack":   object{"$ref": "#/$defs/stack", "description": "the releases"},
		"expect": object{
			"type": []string{"array", "null"}, "description": "figures the scenario must reproduce; validate checks them",
			"items": object{
				"type": "object", "additionalProperties": false, "required": []string{"method", "epsilon"},
				"properties": object{
					"method":    object{"enum": methods},
					"epsilon":   object{"type": "number", "minimum": 0},
					"tolerance": object{"type": "number", "minimum": 0, "default": defaultTolerance, "description": "relative"},
					"source":    textSchema("where the figure comes from"),
				},
			},
		},
	}
}

// commonSchema is what every entry has.
func commonSchema() object {
	return object{
		"label":    textSchema("what this release is"),
		"count":    paramSchema(entryCount),
		"disabled": object{"type": "boolean", "default": false, "description": "kept in the file, left out of the cost"},
	}
}

func parallelSchema() object {
	properties := commonSchema()
	properties["parallel"] = object{
		"type": "array", "items": object{"$ref": "#/$defs/stack"},
		"description": "branches on disjoint parts of the data, each a stack",
	}
	return object{"type": "object", "required": []string{"parallel"}, "additionalProperties": false, "properties": properties}
}

func mechanismSchema(spec mechanisms.Spec) object {
	properties := commonSchema()
	properties["mechanism"] = object{"const": spec.Name}
	rate := paramSchema(samplingRate)
	properties["sampling"] = object{
		"type": "object", "required": []string{"rate"}, "additionalProperties": false, "properties": object{"rate": rate},
	}
	required := []string{"mechanism"}
	for _, p := range spec.Params {
		properties[p.Name] = paramSchema(p)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	s := object{
		"type": "object", "title": spec.Title, "description": spec.Summary + ". " + spec.Source,
		"required": required, "additionalProperties": false, "properties": properties,
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

func textSchema(help string) object {
	return object{"$ref": "#/$defs/text", "description": help}
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
		s["type"] = "number"
		if p.Type == mechanisms.Whole {
			s["type"] = "integer"
		}
		limit(s, p.Min, p.OpenMin, "minimum", "exclusiveMinimum")
		limit(s, p.Max, p.OpenMax, "maximum", "exclusiveMaximum")
		if !p.Required && !p.Optional && p.Default.Number != 0 {
			s["default"] = p.Default.Number
		}
	case mechanisms.Choice:
		s["enum"] = p.Choices
	case mechanisms.Flag:
		s["type"] = "boolean"
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
