package interop

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// An argument that may be left out, in a call or in JSON.
var optional = regexp.MustCompile(`^(?:"?(xi|count)"?[=:] ?)?[\d.e-]+$`)

// without takes out the releases that are gone: whole entries, or single copies where
// the record writes copies. An argument that was dropped, and may be left out, goes too,
// as does a category.
func (d drawn) without(s *scenarios.Scenario, c edited) *scenarios.Scenario {
	s = s.Clone()
	if d.copies { // multiply the rounds out first
		for i := range s.Stack {
			s.Stack[i].Count *= s.Rounds
		}
		s.Rounds = 1
	}
	for _, i := range c.gone {
		if d.copies {
			s.Stack[i].Count--
		} else {
			s.Stack[i].Count = 0
		}
	}
	if m := optional.FindStringSubmatch(c.dropped); m != nil && len(c.touched) == 1 {
		e := &s.Stack[c.touched[0]]
		switch mechanism, of := released(e); {
		case m[1] == "xi", m[1] == "" && mechanism == "zcdp" && d.name == "dp-accounting":
			delete(e.Values, of+"xi")
		case m[1] == "count" && d.name == "script" && !counted.MatchString(strings.Split(c.after, "\n")[c.line]):
			e.Count = 1
			if e.Mechanism == "dp-sgd" {
				e.Values["steps"] = param.WholeValue(1)
			}
		}
	}
	if len(c.dropped) == 3 && c.dropped[0] == '"' && len(c.touched) == 1 {
		s.Stack = append(s.Stack, s.Stack[c.touched[0]].Clone())
		fewer := &s.Stack[len(s.Stack)-1]
		fewer.Count, s.Stack[c.touched[0]].Count = 1, s.Stack[c.touched[0]].Count-1
		fewer.Values["categories"] = param.WholeValue(fewer.Values["categories"].Number - 1)
	}
	return withoutFree(s)
}

// released returns the mechanism of an entry, or what a selection runs, and what the names of
// its parameters start with.
func released(e *scenarios.Entry) (mechanism, prefix string) {
	if run, ok := e.Run(); ok {
		return run.Mechanism, "of."
	}
	return e.Mechanism, ""
}

var counted = regexp.MustCompile(`, count=\d+\)$`)

func withoutFree(s *scenarios.Scenario) *scenarios.Scenario {
	s.Stack = slices.DeleteFunc(s.Stack, func(e scenarios.Entry) bool { return e.Count <= 0 })
	return s
}

var (
	noteUnused   = regexp.MustCompile(`^(rounds|relation|reading) is assigned and never used`)
	noteRelation = regexp.MustCompile(`^the record names no neighbouring relation; adjacency add-remove was taken|^Opacus assumes add-remove adjacency`)
	noteEmpty    = regexp.MustCompile(`^([\w.]+) is empty in line [\d, ]+: `)
	noteComment  = regexp.MustCompile(`^line \d+: .* stands in a comment and is not counted|^line \d+, column \d+: the text on its own .* has no effect`)
	noteAssumed  = regexp.MustCompile(`^where DiscreteGaussianDpEvent gives no sensitivity, 1 was taken`)
)

// forgiven takes from a scenario exactly what new notes give up, of the releases that
// the change touched. A note that is not listed here gives up nothing.
func (d drawn) forgiven(s *scenarios.Scenario, c edited, fresh []string) *scenarios.Scenario {
	if len(s.Stack) != len(d.scenario.Stack) {
		return s
	}
	s = s.Clone()
	for _, note := range fresh {
		switch m := noteUnused.FindStringSubmatch(note); {
		case m != nil && m[1] == "rounds":
			s.Rounds = 1
		case noteRelation.MatchString(note), m != nil && m[1] == "relation" && !strings.Contains(strings.Join(fresh, "\n"), "adjacency replace was taken"):
			d.underAddRemove(s)
		}
		for _, i := range c.touched {
			e := &s.Stack[i]
			mechanism, of := released(e)
			switch m := noteEmpty.FindStringSubmatch(note); {
			case m != nil && m[1] == "count":
				e.Count = 1
			case m != nil:
				delete(e.Values, m[1])
			case noteComment.MatchString(note) && d.copies:
				e.Count--
			case noteComment.MatchString(note):
				e.Count = 0
			case noteAssumed.MatchString(note) && mechanism == "discrete-gaussian":
				e.Values[of+"sensitivity"] = param.NumberValue(1)
			}
		}
	}
	return withoutFree(s)
}

// underAddRemove is what the same text says without its neighbouring relation. Where
// the noise was written for the PLD accountant under REPLACE_ONE it is twice ours.
func (d drawn) underAddRemove(s *scenarios.Scenario) {
	if s.Adjacency == mechanisms.Replace && d.reader == "dp-accounting" && !strings.Contains(d.text, replaceReading) {
		for i, e := range s.Stack {
			if e.Mechanism == "gaussian" {
				s.Stack[i].Values["sigma"] = param.NumberValue(2 * e.Values["sigma"].Number)
			}
		}
	}
	s.Adjacency = mechanisms.AddRemove
}

// again reads a record whose numbers were put in other places, and nothing else was
// done to it. It knows only the plain shape in which records are drawn; all else is
// taken to say what it said before.
func (d drawn) again(c edited) *scenarios.Scenario {
	s := d.scenario.Clone()
	switch {
	case !c.numbers:
	case d.name == "opacus":
		var state struct{ History [][3]float64 }
		if err := json.Unmarshal([]byte(c.after), &state); err != nil || len(state.History) != len(s.Stack) {
			return s
		}
		s.Rounds = 1
		for i, h := range state.History {
			s.Stack[i] = newEntry("gaussian", h[2], map[string]float64{"sigma": h[0]})
			if h[1] != 1 || s.Adjacency == mechanisms.Replace {
				s.Stack[i] = newEntry("dp-sgd", 1, map[string]float64{"noise_multiplier": h[0], "sampling_rate": h[1], "steps": h[2]})
			}
		}
	case d.name == "dp-accounting":
		line := strings.Split(c.after, "\n")[c.line]
		if m := roundsLine.FindStringSubmatch(line); m != nil {
			s.Rounds, _ = strconv.ParseFloat(m[1], 64)
		}
		for _, i := range c.touched {
			if e, ok := eventAgain(line,
				s.Adjacency == mechanisms.Replace && !strings.Contains(d.text, replaceReading)); ok {
				s.Stack[i] = e
			}
		}
	case d.name == "csv":
		rows := strings.Split(strings.TrimRight(c.after, "\n"), "\n")
		for i, row := range rows[1:min(len(rows), len(s.Stack)+1)] {
			s.Stack[i] = rowAgain(s.Stack[i], strings.Split(rows[0], ","),
				strings.Split(quoted.ReplaceAllString(row, ""), ","))
		}
	}
	return s
}

// rowAgain puts the numbers of a row where the header says. A cell that has become
// empty says what it said, unless that contradicts another.
func rowAgain(e scenarios.Entry, header, row []string) scenarios.Entry {
	spec, given := e.Spec(), param.Values{}
	for j, cell := range row[:min(len(row), len(header))] {
		x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if p, ok := spec.Param(header[j]); err == nil && ok {
			given[p.Name] = param.Value{Type: p.Type, Number: x}
		} else if err == nil && header[j] == "count" {
			e.Count = x
		}
	}
	was := slices.Sorted(maps.Keys(e.Values))
	e.Values = e.Values.Clone()
	maps.Copy(e.Values, given)
	for _, name := range was {
		without := e.Values.Clone()
		delete(without, name)
		if !given.Has(name) && len(mechanisms.Check(spec, without)) < len(mechanisms.Check(spec, e.Values)) {
			e.Values = without
		}
	}
	return e
}

var (
	roundsLine  = regexp.MustCompile(`^rounds = (\S+)$`)
	modulePart  = regexp.MustCompile(`\b(dpa|dp_event)\.`)
	selfCall    = regexp.MustCompile(`^SelfComposedDpEvent\((.*), ([\d.e+-]+)\)$`)
	selectCall  = regexp.MustCompile(`^RepeatAndSelectDpEvent\((.*), ([\d.e+-]+), ([\d.e+-]+|math\.inf)\)$`)
	sampledCall = regexp.MustCompile(`^PoissonSampledDpEvent\(([\d.e+-]+), (.*)\)$`)
	leafCall    = regexp.MustCompile(`^(\w+)\((.*)\)$`)
)

// eventAgain reads one event in the form in which exports write it, arguments in their
// order; double if the noise is over half of what a changed record moves.
func eventAgain(text string, double bool) (scenarios.Entry, bool) {
	text = modulePart.ReplaceAllString(strings.Trim(text, " ,"), "")
	count, rate := 1.0, 1.0
	if m := selfCall.FindStringSubmatch(text); m != nil {
		text = m[1]
		count, _ = strconv.ParseFloat(m[2], 64)
	}
	if m := selectCall.FindStringSubmatch(text); m != nil {
		run, ok := eventAgain(m[1], double)
		mean, _ := strconv.ParseFloat(m[2], 64)
		shape, _ := strconv.ParseFloat(strings.TrimPrefix(m[3], "math."), 64)
		return selectOf(run, count, mean, shape), ok
	}
	if m := sampledCall.FindStringSubmatch(text); m != nil {
		rate, _ = strconv.ParseFloat(m[1], 64)
		text = m[2]
	}
	m := leafCall.FindStringSubmatch(text)
	if m == nil {
		return scenarios.Entry{}, false
	}
	var x [3]float64
	arguments := strings.Split(m[2], ", ")
	if len(arguments) > map[string]int{"DiscreteGaussianDpEvent": 3, "DiscreteLaplaceDpEvent": 2, "RandomizedResponseDpEvent": 2, "EpsilonDeltaDpEvent": 2, "ZCDpEvent": 2}[m[1]] && len(arguments) > 1 {
		return scenarios.Entry{}, false
	}
	for i, argument := range arguments {
		if _, value, named := strings.Cut(argument, "="); named {
			argument = value
		}
		if n, err := strconv.ParseFloat(argument, 64); err == nil && i < 3 {
			x[i] = n
		} else {
			return scenarios.Entry{}, false
		}
	}
	noise := x[0]
	if double && rate == 1 {
		noise /= 2
	}
	mechanism, params := "", map[string]float64{}
	switch m[1] {
	case "GaussianDpEvent":
		mechanism, params["sigma"] = "gaussian", noise
		if rate != 1 && double {
			mechanism, params = "dp-sgd", map[string]float64{"noise_multiplier": noise, "sampling_rate": rate, "steps": 1}
			rate = 1
		}
	case "LaplaceDpEvent":
		mechanism, params["scale"] = "laplace", noise
	case "DiscreteLaplaceDpEvent":
		mechanism, params["scale"], params["sensitivity"] = "geometric", 1/x[0], x[1]
	case "DiscreteGaussianDpEvent":
		mechanism, params["sigma"], params["sensitivity"] = "discrete-gaussian", x[0], x[1]
	case "RandomizedResponseDpEvent":
		mechanism, params["truth"], params["categories"] = "randomized-response", 1-x[0]+x[0]/x[1], x[1]
	case "ExponentialMechanismDpEvent", "PermuteAndFlipDpEvent":
		mechanism, params["epsilon"] = "exponential", x[0] // permute-and-flip is never cheaper
	case "EpsilonDeltaDpEvent":
		if mechanism, params["epsilon"] = "pure", x[0]; x[1] != 0 {
			mechanism, params["delta"] = "approximate", x[1]
		}
	case "ZCDpEvent":
		mechanism, params["rho"], params["xi"] = "zcdp", x[0], x[1]
	}
	e := newEntry(mechanism, count, params)
	e.Sampling = rate
	return e, mechanism != ""
}
