package scenarios_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

var _ = flag.Bool("update", false, "rewrite docs/epsiloscope.schema.json") // read by gauge.CompareDocument

// schema is the part of JSON Schema that the program's own schema uses. Decoding
// it strictly is a test in itself: a keyword the checker does not know fails.
type schema struct {
	Dialect          string             `json:"$schema"`
	Title            string             `json:"title"`
	Description      string             `json:"description"`
	Default          any                `json:"default"`
	Type             any                `json:"type"`
	Const            any                `json:"const"`
	Enum             []any              `json:"enum"`
	Required         []string           `json:"required"`
	Properties       map[string]*schema `json:"properties"`
	Additional       json.RawMessage    `json:"additionalProperties"`
	Items            *schema            `json:"items"`
	OneOf            []*schema          `json:"oneOf"`
	AnyOf            []*schema          `json:"anyOf"`
	AllOf            []*schema          `json:"allOf"`
	Not              *schema            `json:"not"`
	Ref              string             `json:"$ref"`
	Pattern          string             `json:"pattern"`
	Minimum          *float64           `json:"minimum"`
	Maximum          *float64           `json:"maximum"`
	ExclusiveMinimum *float64           `json:"exclusiveMinimum"`
	ExclusiveMaximum *float64           `json:"exclusiveMaximum"`
	MinItems         int                `json:"minItems"`
	MaxItems         int                `json:"maxItems"`
	MinProperties    int                `json:"minProperties"`
	Defs             map[string]*schema `json:"$defs"`
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(scenarios.Schema())))
	d.DisallowUnknownFields()
	var s schema
	if err := d.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// check reports why v does not conform, "" if it does.
func (s *schema) check(root *schema, v any) string {
	if s.Ref != "" {
		def := root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
		if def == nil {
			return "dangling " + s.Ref
		}
		if problem := def.check(root, v); problem != "" {
			return problem
		}
	}
	matches := func(list []*schema) (n int) {
		for _, o := range list {
			if o.check(root, v) == "" {
				n++
			}
		}
		return n
	}
	switch {
	case s.Type != nil && !typed(s.Type, v):
		return fmt.Sprintf("%v is not of type %v", v, s.Type)
	case s.Const != nil && !same(s.Const, v):
		return fmt.Sprintf("%v is not %v", v, s.Const)
	case s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return same(e, v) }):
		return fmt.Sprintf("%v is none of %v", v, s.Enum)
	case s.OneOf != nil && matches(s.OneOf) != 1:
		return fmt.Sprintf("%v matches %d of the alternatives", v, matches(s.OneOf))
	case s.AnyOf != nil && matches(s.AnyOf) == 0:
		return fmt.Sprintf("%v matches none of the alternatives", v)
	case matches(s.AllOf) != len(s.AllOf):
		return fmt.Sprintf("%v does not match all it must", v)
	case s.Not != nil && s.Not.check(root, v) == "":
		return fmt.Sprintf("%v matches what it must not", v)
	}
	switch v := v.(type) {
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum ||
			s.ExclusiveMinimum != nil && v <= *s.ExclusiveMinimum ||
			s.ExclusiveMaximum != nil && v >= *s.ExclusiveMaximum {
			return fmt.Sprintf("%v is out of range", v)
		}
	case string:
		if !regexp.MustCompile(s.Pattern).MatchString(v) {
			return fmt.Sprintf("%q is no formula", v)
		}
	case []any:
		if len(v) < s.MinItems {
			return "too few items"
		}
		if s.MaxItems > 0 && len(v) > s.MaxItems {
			return "too many items"
		}
		for _, item := range v {
			if s.Items != nil {
				if problem := s.Items.check(root, item); problem != "" {
					return problem
				}
			}
		}
	case map[string]any:
		return s.checkObject(root, v)
	}
	return ""
}

func (s *schema) checkObject(root *schema, v map[string]any) string {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			return name + " is missing"
		}
	}
	if len(v) < s.MinProperties {
		return "too few fields"
	}
	for name, value := range v {
		p := s.Properties[name]
		switch {
		case p != nil:
		case string(s.Additional) == "false":
			return "unknown field " + name
		case len(s.Additional) > 0:
			p = new(schema)
			if err := json.Unmarshal(s.Additional, p); err != nil {
				return err.Error()
			}
		default:
			continue
		}
		if problem := p.check(root, value); problem != "" {
			return name + ": " + problem
		}
	}
	return ""
}

func typed(want, v any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return typed(w, v) })
	}
	switch x := v.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case float64:
		return want == "number" || want == "integer" && x == math.Trunc(x)
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	return false
}

func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// plainValue returns YAML as an editor's schema checker sees it (the core schema of YAML
// 1.2): every number a float64, every key a text.
func plainValue(n *yamltree.Node) any {
	n = n.Deref()
	switch n.Kind {
	case yamltree.Mapping:
		m := map[string]any{}
		for _, p := range n.Pairs {
			m[p.Key.Text] = plainValue(p.Value)
		}
		return m
	case yamltree.Sequence:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, plainValue(item))
		}
		return list
	}
	if n.IsNull() {
		return nil
	}
	if b, ok := n.Bool(); ok {
		return b
	}
	if x, ok := n.Float(); ok {
		return x
	}
	return n.Text
}

func conforms(t *testing.T, s *schema, text string) string {
	t.Helper()
	doc, err := yamltree.Read([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.check(s, plainValue(doc.Root))
}

func TestBundledScenariosConformToTheSchema(t *testing.T) {
	s := readSchema(t)
	for _, info := range scenarios.LibraryInfos() {
		text, err := scenarios.BundledSource(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if problem := conforms(t, s, string(text)); problem != "" {
			t.Errorf("%s: %s", info.Name, problem)
		}
	}
}

// What the decoder refuses of a file's shape, the schema refuses, and it accepts
// what the decoder accepts.
func TestSchemaAgreesWithTheDecoder(t *testing.T) {
	s := readSchema(t)
	agree := func(text string) {
		t.Helper()
		_, err := scenarios.Parse("file", []byte(text))
		if problem := conforms(t, s, text); (problem == "") != (err == nil) {
			t.Errorf("the decoder says %v, the schema %q:\n%s", err, problem, text)
		}
	}
	for _, text := range []string{
		"version: 1\nstack: []", "version: 1\nstack:", "version: 2\nstack: []", "version: 1", "stack: []",
		"version: 1\nname: 3\nstack: []", "version: 1\nname: [a]\nstack: []", "version: 1\ncolour: red\nstack: []",
		"version: 1\nalpha: auto\nstack: []", "version: 1\nalpha: 8\nstack: []", "version: 1\nalpha: 1\nstack: []",
		"version: 1\nadjacency: next\nstack: []", "version: 1\nbudget: {epsilon: 0}\nstack: []", "version: 1\nbudget: {delta: 1}\nstack: []",
		"version: 1\nrounds: 0.5\nstack: []", "version: 1\nrounds: 1e12\nstack: []", "version: 1\nrounds: 1e13\nstack: []",
		"version: 1\nstack: [{parallel: [[{mechanism: pure, epsilon: 1}], []]}]", "version: 1\nstack: [{parallel: [], mechanism: pure}]",
		"version: 1\nstack: [{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}}]", "version: 1\nstack: [{mechanism: laplace, epsilon: 1, sampling: 0.1}]",
		"version: 1\nadjacency: zero-out\nstack: []", "version: 1\nstack: [{mechanism: pure, epsilon: 1, also: add-remove}]",
		"version: 1\nstack: [{mechanism: pure, epsilon: 1, also: {add-remove: 0.5}}]", "version: 1\nstack: [{mechanism: pure, epsilon: 1, also: {add-remove: 0}}]",
		"version: 1\nstack: [{mechanism: pure, epsilon: 1, also: {}}]", "version: 1\nstack: [{mechanism: pure, epsilon: 1, also: }]",
		"version: 1\nstack: [{mechanism: pure, epsilon: 1, also: replace}]", "version: 1\nstack: [{mechanism: pure, epsilon: 1, moves: never}]",
		"version: 1\nstack: [{parallel: [[]], moves: never}]", "version: 1\nstack: [{parallel: [[]], moves: often}]",
		"version: 1\nstack: [{parallel: [[]], moves: }]", "version: 1\nstack: [{parallel: [[]], also: add-remove}]",
		"version: 1\nstack: [{mechanism: lapalce, epsilon: 1}]", "version: 1\nstack: [{epsilon: 1}]", "version: 1\nstack: [3]",
		"version: 1\nstack: []\nexpect: [{method: basic, epsilon: 1}]", "version: 1\nstack: []\nexpect: [{method: luck, epsilon: 1}]",
		"version: 1\nstack: []\nexpect: [{method: basic}]",
		"version: 1\nstack: [{mechanism: rdp, points: {2: 0.1}}]", "version: 1\nstack: [{mechanism: rdp, points: {}}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: zcdp, rho: 1}, runs: {distribution: geometric, mean: 3}}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: pure, epsilon: 1, count: 3, sampling: {rate: 0.1}}, runs: {distribution: poisson, mean: 3}}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: zcdp, rho: 1}}]", "version: 1\nstack: [{mechanism: select, runs: {distribution: geometric, mean: 3}}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: zcdp, epsilon: 1}, runs: {distribution: geometric, mean: 3}}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: zcdp, rho: 1, label: x}, runs: {distribution: geometric, mean: 3}}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: select, of: {mechanism: zcdp, rho: 1}, runs: {distribution: geometric, mean: 3}}, runs: {distribution: geometric, mean: 3}}]",
		"version: 1\nstack: [{mechanism: select, of: {parallel: []}, runs: {distribution: geometric, mean: 3}}]", "version: 1\nstack: [{mechanism: select, of: 3, runs: 4}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: laplace, epsilon: 1, scale: 1}, runs: {distribution: geometric, mean: 3}}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: zcdp, rho: 1}, runs: {distribution: geometric, mean: many}}]",
		"version: 1\nstack: [{mechanism: select, of: {mechanism: zcdp, rho: 1}, runs: {distribution: luck, mean: 3}}]",
		"version: 1\nstack: [{mechanism: exponential, epsilon: 1, candidates: {a: 1}}]", "version: 1\nstack: [{mechanism: exponential, epsilon: 1, scores: [a]}]",
	} {
		agree(text)
	}
	for _, spec := range mechanisms.Catalogue() {
		e, err := scenarios.NewEntry(spec.Name)
		if err != nil {
			t.Fatal(err)
		}
		one := func(e scenarios.Entry) string {
			s := scenarios.New()
			s.Stack = []scenarios.Entry{e}
			text, err := s.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		good, next := one(e), ", "
		if !strings.Contains(good, "{mechanism: ") { // a field a line
			next = "\n    "
		}
		agree(good)
		agree(strings.Replace(good, "mechanism: "+spec.Name, "mechanism: "+spec.Name+next+"colour: 3", 1))
		for path := range e.Values {
			name := path[strings.LastIndexByte(path, '.')+1:]
			if name == "mechanism" {
				continue
			}
			agree(withField(t, good, name, "unknown: "))                   // left out
			agree(withField(t, good, name, name+": -1e300"+next+"more: ")) // out of range, or not of its type
		}
		for _, a := range spec.Alternatives {
			for _, set := range a.Sets { // a rival beside what is given
				p, _ := spec.Param(set[0])
				if p.Type == param.Number && !e.Values.Has(p.Name) {
					agree(strings.Replace(good, "mechanism: "+spec.Name,
						fmt.Sprintf("mechanism: %s%s%s: %v", spec.Name, next, p.Name, p.Initial.Number), 1))
				}
			}
		}
	}
}

// withField puts text in the place of a field's name.
func withField(t *testing.T, text, name, instead string) string {
	t.Helper()
	for _, key := range []string{" " + name + ": ", ` "` + name + `": `, "{" + name + ": "} {
		if strings.Contains(text, key) {
			return strings.Replace(text, key, key[:1]+instead, 1)
		}
	}
	t.Fatalf("%s is not in\n%s", name, text)
	return ""
}

// The schema is a file too, for editors on machines without the program; run
// go test ./scenarios -run SchemaFile -update after changing a mechanism.
func TestSchemaFile(t *testing.T) {
	gauge.CompareDocument(t, "../docs/epsiloscope.schema.json", string(scenarios.Schema()), gauge.JSON)
}
