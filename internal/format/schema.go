package format

import (
	"math"

	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// Object is a JSON object; encoding sorts its keys, so that a schema is always the same
// text.
type Object = map[string]any

// Schema describes a mapping.
func (t *Table[T]) Schema(x *T) Object { return mappingSchema(x, t.rows) }

func mappingSchema[T any](x *T, rows []Field[T]) Object {
	properties, required := Object{}, []string{}
	for i := range rows {
		f := &rows[i]
		if f.Parts != nil {
			part := mappingSchema(x, f.Parts)
			part["description"] = f.Help
			properties[f.Name] = part
		} else {
			properties[f.Name] = f.value(x).Schema(f.Param)
		}
		if f.Missing != "" || f.Required {
			required = append(required, f.Name)
		}
	}
	s := Object{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// ParamSchema describes a declared parameter's type and range.
func ParamSchema(p param.Param) Object {
	s := Object{"description": p.Help}
	if p.Unit != "" {
		s["description"] = p.Help + " (unit: " + p.Unit + ")"
	}
	finite := Object{"type": "number"}
	switch p.Type {
	case param.Number, param.Whole:
		s["type"], s["pattern"] = []string{"number", "string"}, "["+yamltree.FormulaSigns+"]" // a number or a formula
		if p.Type == param.Whole {
			s["type"] = []string{"integer", "string"}
		}
		limit(s, p.Min, p.OpenMin, "minimum", "exclusiveMinimum")
		limit(s, p.Max, p.OpenMax, "maximum", "exclusiveMaximum")
		if !p.Required && !p.Optional && p.Default.Number != 0 {
			s["default"] = p.Default.Number
		}
		if word := p.Default.Text; word != "" {
			return Object{"description": p.Help, "default": word, "oneOf": []Object{{"const": word}, s}}
		}
	case param.Choice:
		if p.Choices == nil {
			return Object{"$ref": "#/$defs/text", "description": p.Help}
		}
		s["enum"] = p.Choices
		if !p.Required && !p.Optional {
			s["default"] = p.Default.Text
		}
	case param.Flag:
		s["type"], s["default"] = "boolean", p.Default.Flag
	case param.Scores:
		if p.Named {
			s["type"], s["minProperties"], s["additionalProperties"] = "object", 1, finite
		} else {
			s["type"], s["minItems"], s["items"] = "array", 1, finite
		}
	case param.Points:
		s["type"], s["minProperties"], s["additionalProperties"] = "object", 1, Object{"type": "number", "minimum": 0}
	}
	return s
}

// limit adds one end of a range, included or not.
func limit(s Object, x float64, open bool, closedWord, openWord string) {
	switch {
	case math.IsInf(x, 0):
	case open:
		s[openWord] = x
	default:
		s[closedWord] = x
	}
}

// Constant is a field that can only hold one number, such as the version of a file.
type Constant float64

func (Constant) Equal(any) bool { return true }

func (Constant) Decode(*Decoder, param.Param, *yamltree.Node, string) {}
func (Constant) Check(*Checker, string)                               {}

func (c Constant) Tree(param.Param) (*yamltree.Node, bool) {
	return yamltree.NumberOf(float64(c)), false
}

func (c Constant) Schema(p param.Param) Object {
	return Object{"const": float64(c), "description": p.Help}
}
