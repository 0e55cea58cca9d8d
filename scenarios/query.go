package scenarios

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/query"
)

// queryFields are the parts of an entry's query.
func queryFields() []format.Field[Entry] {
	return []format.Field[Entry]{
		{Param: param.Param{Name: "kind", Help: "what is released", Type: param.Choice, Optional: true, Choices: query.Kinds(), Means: queryMeans},
			Missing: "is missing; must be one of " + strings.Join(query.Kinds(), ", "),
			At:      func(e *Entry) any { return &e.Query.Kind }},
		{Param: param.Param{Name: "clip", Type: freeText, Optional: true,
			Help: "range that the program cuts each value to, such as [0, 100]; for a vector the largest ℓ2 norm of a person's whole vector"},
			At: func(e *Entry) any { return (*clip)(&e.Query.Clip) }},
		queryBound("max_groups", "g", "groups that one person can be in", 3, func(q *query.Query) *float64 { return &q.MaxGroups }),
		queryBound("per_group", "c", "records of one person in one group", 1, func(q *query.Query) *float64 { return &q.PerGroup }),
		queryBound("total", "t", "records of one person in all groups together", 10, func(q *query.Query) *float64 { return &q.Total }),
		queryBound("of", "G", "how many groups there are", 12, func(q *query.Query) *float64 { return &q.Of }),
		queryBound("people", "n", "public number of people that a mean is divided by", 1000, func(q *query.Query) *float64 { return &q.People }),
		queryBound("dimension", "d", "coordinates of a vector", 10, func(q *query.Query) *float64 { return &q.Dimension }),
		{Param: param.Param{Name: "values", Help: "claims that every value is a whole number, which whole-number noise needs", Type: param.Choice,
			Optional: true, Choices: []string{query.WholeValues}},
			At: func(e *Entry) any { return &e.Query.Values }},
	}
}

// queryMeans says what the kinds of a query stand for.
var queryMeans = map[string]string{
	query.Count: "records that satisfy a condition", query.People: "distinct people", query.Histogram: "records by group",
	query.PeopleByGroup: "distinct people by group", query.Sum: "clipped values added up", query.Sums: "clipped values added up by group",
	query.Mean: "clipped values, one per person, over a public number of people", query.Vector: "one vector per person, its norm clipped",
}

// queryBound declares a whole number of a query.
func queryBound(name, symbol, help string, initial float64, at func(*query.Query) *float64) format.Field[Entry] {
	return format.Field[Entry]{Param: param.Param{Name: name, Symbol: symbol, Help: help,
		Type: param.Whole, Optional: true,
		Min: 1, Max: query.MaxBound, Initial: param.WholeValue(initial), Step: 1},
		At: func(e *Entry) any { return at(&e.Query) }}
}

// clip is a range or a norm as a field of the file: [0, 100], or 2.5.
type clip query.Clip

const clipAllowed = "must be a range such as [0, 100] or, for a vector, one number"

func (c *clip) Decode(d *format.Decoder, _ param.Param, n *yamltree.Node, path string) {
	read := func(n *yamltree.Node) (x float64) {
		x, ok := n.Deref().Number()
		if !ok {
			d.FailOnce(n, path, clipAllowed+", got "+n.Describe())
		}
		return x
	}
	switch {
	case n.Kind == yamltree.Scalar && !n.IsNull():
		*c = clip{query.ClipNorm, 0, read(n)}
	case n.Kind == yamltree.Sequence && len(n.Items) == 2:
		*c = clip{query.ClipRange, read(n.Items[0]), read(n.Items[1])}
	default:
		d.Fail(n, path, clipAllowed+", got "+n.Describe())
	}
}

// Check leaves the numbers to the check of the whole query.
func (c *clip) Check(*format.Checker, string) {}

func (c *clip) Get() (v param.Value, given bool) {
	return param.ChoiceValue(query.Clip(*c).String()), c.Form != query.NoClip
}

// Set reads [0, 100], 0, 100 or one number; none removes the clip.
func (c *clip) Set(_ param.Param, text string) error {
	text = strings.TrimSpace(text)
	if text == "" || text == "none" {
		*c = clip{}
		return nil
	}
	inside := strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	if strings.HasPrefix(text, "[") != strings.HasSuffix(text, "]") {
		return errors.New(clipAllowed)
	}
	var ends []float64
	for part := range strings.SplitSeq(inside, ",") {
		x, err := numeral.Parse(part)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return errors.New(clipAllowed + ", got " + numeral.Quote(text))
		}
		ends = append(ends, x)
	}
	bracketed := inside != text
	switch {
	case len(ends) == 2 && ends[0] > ends[1]:
		return errors.New("starts above its end: " + text + "; write the lower number first")
	case len(ends) == 2:
		*c = clip{query.ClipRange, ends[0], ends[1]}
	case len(ends) == 1 && !bracketed:
		*c = clip{query.ClipNorm, 0, ends[0]}
	default:
		return errors.New(clipAllowed + ", got " + numeral.Quote(text))
	}
	return nil
}

func (c *clip) Tree(param.Param) (t *yamltree.Node, implied bool) {
	switch c.Form {
	case query.ClipRange:
		return &yamltree.Node{Kind: yamltree.Sequence,
			Items: []*yamltree.Node{yamltree.NumberOf(c.Low), yamltree.NumberOf(c.High)}}, false
	case query.ClipNorm:
		return yamltree.NumberOf(c.High), false
	}
	return nil, true
}

func (c *clip) Schema(p param.Param) format.Object {
	number := format.ParamSchema(param.Param{Min: math.Inf(-1), Max: math.Inf(1)})
	delete(number, "description")
	norm := format.ParamSchema(param.Param{OpenMin: true, Max: math.Inf(1)})
	delete(norm, "description")
	return format.Object{"description": p.Help, "oneOf": []format.Object{norm,
		{"type": "array", "items": number, "minItems": 2, "maxItems": 2}}}
}

// setQuery reads a query as it stands in a file, {kind: histogram, max_groups: 3}; none removes it.
func (e *Entry) setQuery(text string) error {
	if text = strings.TrimSpace(text); text == "" || text == "none" {
		e.Query = query.Query{}
		return nil
	}
	const allowed = "must be a mapping such as {kind: histogram, max_groups: 3, per_group: 5}, or none"
	doc, err := yamltree.Read([]byte(text))
	if err != nil || doc.Root == nil || doc.Root.Kind != yamltree.Mapping {
		return errors.New(allowed)
	}
	d := &format.Decoder{Doc: doc}
	asked := Entry{}
	queryTable().DecodeStrict(d, &asked, doc.Root, "", " of query")
	var c format.Checker
	queryTable().Check(&c, &asked)
	for _, f := range append(d.Errors, c.Found...) {
		return &param.Error{Param: "query." + f.Field, Problem: f.Problem}
	}
	for _, p := range asked.Query.Check() {
		return &param.Error{Param: "query." + p.Param, Problem: p.Problem}
	}
	e.Query = asked.Query
	return nil
}

// queryTable is the table of a query alone.
var queryTable = sync.OnceValue(func() *format.Table[Entry] { return format.TableOf(queryFields()) })

// Sensitivity returns how far one person moves the answer of an entry in this scenario: as its query says, as stated,
// or by default. Its Norm is "" if the entry has no sensitivity. It is an error if the query cannot be or contradicts
// what is stated.
func (s *Scenario) Sensitivity(e *Entry) (query.Derived, error) {
	if e.Parallel != nil {
		return query.Derived{}, nil
	}
	return query.Derive(e.Spec(), e.Values, e.Query,
		query.Setting{Adjacency: s.Adjacency, Group: s.Group, Sampling: e.Sampling})
}

// Reason returns the sensitivity of an entry with a query and why it is that: "Δ₁ = 30: up to 3 groups of 5, one person
// replaced". If the entry states its ε, the noise follows from Δ, and it says which noise that is. It is "" without a
// query, or if that cannot be.
func (s *Scenario) Reason(e *Entry) string {
	d, err := s.Sensitivity(e)
	if err != nil || !e.Query.IsSet() {
		return ""
	}
	text := d.Sentence()
	if !e.Values.Has("epsilon") {
		return text
	}
	known := s.Equivalents(e)
	if b, ok := known["scale"]; ok {
		return text + "; ε is stated, so the noise must have scale b = " + numeral.Upper(b)
	}
	if sigma, ok := known["sigma"]; ok {
		return text + "; ε is stated, so the noise must have deviation σ = " + numeral.Upper(sigma)
	}
	return text + "; ε is stated, so the program must use this Δ"
}

// Reasons returns [Scenario.Reason] of every enabled entry with a query, after the place of the entry as --set has it:
// "entry 4.1.2: Δ₁ = 1: …".
func (s *Scenario) Reasons() (list []string) {
	var walk func(prefix string, stack []Entry)
	walk = func(prefix string, stack []Entry) {
		for i := range stack {
			e, at := &stack[i], prefix+strconv.Itoa(i+1)
			if e.Disabled {
				continue
			}
			for j, branch := range e.Parallel {
				walk(at+"."+strconv.Itoa(j+1)+".", branch)
			}
			if text := s.Reason(e); text != "" {
				list = append(list, "entry "+at+": "+text)
			}
		}
	}
	walk("", s.Stack)
	return list
}

// WithSensitivity returns the entry with the sensitivity that follows from its query written among its values; the
// entry itself if it has no query, or one that cannot be.
func (s *Scenario) WithSensitivity(e *Entry) *Entry {
	if !e.Query.IsSet() || e.Parallel != nil {
		return e
	}
	d, err := s.Sensitivity(e)
	if err != nil {
		return e
	}
	own := *e
	own.Values = d.Apply(e.Spec(), e.Values)
	return &own
}

// Mechanism builds the mechanism of an entry with the sensitivity that it has in this scenario.
func (s *Scenario) Mechanism(e *Entry) (mechanisms.Mechanism, error) {
	if !e.Query.IsSet() {
		return mechanisms.New(e.Mechanism, e.Values)
	}
	d, err := s.Sensitivity(e)
	if err != nil {
		return nil, err
	}
	return d.Build(e.Spec(), e.Values)
}

// Explicit returns a scenario of equal cost in which every entry states its sensitivity and none has a query, for
// formats that know no queries. Discrete Gaussian noise on several cells becomes one release per cell, or a zCDP
// guarantee. It is an error if a query cannot be.
func (s *Scenario) Explicit() (*Scenario, error) {
	c := s.Clone()
	var err error
	c.Stack, err = Map(c.Stack, func(e *Entry) error {
		if !e.Query.IsSet() || e.Parallel != nil {
			return nil
		}
		m, err := s.Mechanism(e)
		if err != nil {
			return err
		}
		e.Values = s.WithSensitivity(e).Values
		e.Query = query.Query{}
		cells, several := m.(mechanisms.DiscreteGaussianCells)
		switch {
		case several && e.Sampling != 1:
			return param.Errorf("query", "discrete Gaussian noise on several cells of one sample has no equivalent without a query")
		case several && cells.Cells > 0:
			e.Count *= cells.Cells
		case several:
			e.Mechanism = mechanisms.ZCDP{}.Kind()
			mu := cells.Length / cells.Sigma
			e.Values = param.Values{"rho": param.NumberValue(mu * mu / 2)}
		}
		return nil
	})
	return c, err
}

// checkQueries finds queries that cannot be, alone, with their mechanism, or in their scenario.
func (s *Scenario) checkQueries(c *format.Checker, path string, list []Entry) {
	for i := range list {
		e, at := &list[i], format.WithIndex(path, i)
		for j, branch := range e.Parallel {
			s.checkQueries(c, format.WithIndex(at+".parallel", j), branch)
		}
		if e.Branches > 1 && s.Group > 1 {
			c.Add(at+".max_branches", problemBranchesAndGroup(s))
		}
		if !e.Query.IsSet() || e.Parallel != nil {
			continue
		}
		if problems := e.Query.Check(); len(problems) > 0 {
			for _, p := range problems {
				c.Add(at+".query."+p.Param, p.Problem)
			}
			continue
		}
		_, err := s.Sensitivity(e)
		if p, ok := errors.AsType[*param.Error](err); ok {
			c.Add(at+"."+p.Param, p.Problem)
		}
	}
}

// checkAlso refuses a claim about add-remove that contradicts the query of the entry.
func (s *Scenario) checkAlso(e *Entry, d query.Derived) error {
	if !e.Query.IsSet() || !e.Also.AddRemove {
		return nil
	}
	absent, err := e.Query.Sensitivity(mechanisms.AddRemove)
	if err != nil {
		return param.Errorf("also", "contradicts the query: %s", err.(*param.Error).Problem)
	}
	if e.Also.Number == 0 {
		return nil
	}
	least, unit := absent.InNorm(d.Norm).Value, "sensitivity"
	switch {
	case e.Mechanism == (mechanisms.DiscreteGaussian{}).Kind():
		return param.Errorf("also", "the number for add-remove follows from the query; leave the number out")
	case e.Values.Has("epsilon"):
		least, unit = e.Values["epsilon"].Number*least/d.Value, "epsilon"
	}
	if e.Also.Number < least*(1-1e-9) {
		return param.Errorf("also", "the number for add-remove, %s, is below what follows from the query: %s %s", numeral.Format(e.Also.Number), unit, numeral.Short(least, 6, numeral.Up))
	}
	return nil
}
