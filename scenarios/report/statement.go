package report

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Statement is what one may quote of a scenario: a paragraph, the facts behind it,
// and what it does not say. The facts follow what NIST SP 800-226 asks of a
// differential privacy guarantee: the parameters, the unit, the trust model, the
// mechanisms with their sensitivities, sampling, composition and what lies outside.
type Statement struct {
	Title      string
	Paragraph  string
	Facts      []Fact
	NotCovered []string
	Open       []string // what the scenario leaves unanswered
	References []Reference
	Bound      accounting.Bound
	Scenario   *scenarios.Scenario
}

// Fact is one line of the fact sheet.
type Fact struct{ Name, Text string }

// Reference is a paper the statement rests on.
type Reference struct{ Key, Text, BibTeX string }

// NewStatement writes the statement of an evaluated scenario.
func NewStatement(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) (*Statement, error) {
	if r.Best < 0 {
		return nil, errors.New("no theorem gives a finite ε, so there is no guarantee to state")
	}
	b := r.Bounds[r.Best]
	theorem, _ := accounting.TheoremOf(b.Method)
	st := &Statement{Title: Plain(s.Name), Bound: b, Scenario: s}
	if st.Title == "" {
		st.Title = "This release"
	}
	st.Facts = []Fact{
		{"Guarantee", guarantee(b)},
		{"Theorem", fmt.Sprintf("%s (%s)", theorem.Title, theorem.Source)},
		{"Certainty", certainty(r, b)},
		{"Also", otherCurrencies(s)},
		{"Unit of privacy", unitFact(s)},
		{"Adjacency", adjacencyFact(s.Adjacency)},
		{"Group", groupFact(s.Group)},
		{"δ", deltaFact(s, b)},
		{"Trust model", trustFact(s)},
		{"Mechanisms", mechanismFact(s)},
		{"Sampling", samplingFact(ctx, s, b)},
		{"Composition", compositionFact(s)},
		{"Time", WindowNote(s, b)},
		{"Budget", Verdict(r)},
		{"Accuracy", accuracyFact(s)},
	}
	kept := st.Facts[:0]
	for _, f := range st.Facts {
		if f.Text != "" {
			kept = append(kept, f)
		}
	}
	st.Facts = kept
	st.Paragraph = paragraph(s, r, b, theorem)
	st.NotCovered = notCovered(s)
	st.Open = openQuestions(s, r)
	st.References = references(b, theorem)
	return st, nil
}

func guarantee(b accounting.Bound) string {
	if b.Delta == 0 {
		return fmt.Sprintf("ε-differential privacy with ε = %s (pure, δ = 0)", Upper(b.Epsilon))
	}
	return fmt.Sprintf("(ε, δ)-differential privacy with ε = %s and δ = %s", Upper(b.Epsilon), Short(b.Delta))
}

func certainty(r *scenarios.Result, b accounting.Bound) string {
	if b.Method == accounting.Numerical && b.Lower > 0 {
		return fmt.Sprintf("certified numerically: the tight ε of the dominating pairs lies between %s and %s", Lower(b.Lower), Upper(b.Epsilon))
	}
	if renyi(b.Method) && b.Alpha > 0 {
		return fmt.Sprintf("a proven upper bound, converted at the Rényi order α = %s", Figure(b.Alpha))
	}
	if slack := Slack(r, b); slack > 1.0005 {
		return fmt.Sprintf("a proven upper bound, %.2f times the certified lower end", slack)
	}
	return "a proven upper bound"
}

// otherCurrencies are the same releases in the currencies that add up.
func otherCurrencies(s *scenarios.Scenario) string {
	stack, err := stackOf(s)
	if err != nil {
		return ""
	}
	var list []string
	if rho, ok := concentratedSum(stack); ok {
		list = append(list, fmt.Sprintf("%s-zCDP", Upper(rho)))
	}
	if mu, ok := gaussianSum(stack); ok {
		list = append(list, fmt.Sprintf("%s-GDP", Upper(mu)))
	}
	return strings.Join(list, ", ")
}

func unitFact(s *scenarios.Scenario) string {
	if unit := Plain(s.Unit); unit != "" {
		return unit
	}
	return "not given: the guarantee means nothing until it is said whose data one record is"
}

func adjacencyFact(a mechanisms.Adjacency) string {
	if a == mechanisms.Replace {
		return "replace: data sets that differ in one record, changed to any other; their size is public"
	}
	return "add-remove: data sets of which one has one record more"
}

func groupFact(group float64) string {
	if group > 1 {
		return fmt.Sprintf("holds for a person with up to %s records (group privacy); the figures include it", Short(group))
	}
	return "one record a person; somebody with g records has a weaker guarantee (pure ε grows to g·ε, ρ to g²·ρ)"
}

func deltaFact(s *scenarios.Scenario, b accounting.Bound) string {
	switch {
	case b.Delta == 0:
		return "0: the bound on ε holds without exception"
	case s.Records > 0 && b.Delta < 1/s.Records:
		return fmt.Sprintf("%s, below 1/n = %s for the %s records", Short(b.Delta), Short(1/s.Records), Short(s.Records))
	case s.Records > 0:
		return fmt.Sprintf("%s, NOT below 1/n = %s: publishing one random record whole would be allowed", Short(b.Delta), Short(1/s.Records))
	}
	return fmt.Sprintf("%s; it should be well below 1/n, and the number of records is not given", Short(b.Delta))
}

// local are the mechanisms that run on the side of the person.
func trustFact(s *scenarios.Scenario) string {
	local, central := false, false
	eachEntry(s.Stack, func(e *scenarios.Entry) {
		if e.Mechanism == "randomized-response" {
			local = true
		} else {
			central = true
		}
	})
	switch {
	case local && central:
		return "mixed: randomized response may run with the people themselves; all else needs a trusted curator who holds the data"
	case local:
		return "local if every answer is randomised by the person before it is sent; then nobody else sees it"
	}
	return "central: a curator holds the data, is trusted with them and adds the noise; recipients see the results only"
}

func eachEntry(stack []scenarios.Entry, visit func(*scenarios.Entry)) {
	for i := range stack {
		e := &stack[i]
		if e.Disabled {
			continue
		}
		for _, branch := range e.Parallel {
			eachEntry(branch, visit)
		}
		if e.Parallel == nil {
			visit(e)
		}
	}
}

// listed is how many entries a statement names one by one.
const listed = 12

func mechanismFact(s *scenarios.Scenario) string {
	var list []string
	more := 0
	for _, e := range s.Stack {
		if e.Disabled {
			continue
		}
		if len(list) == listed {
			more++
			continue
		}
		text := withoutScores(e).Describe()
		if label := Plain(e.Label); label != "" {
			text += " for “" + label + "”"
		}
		list = append(list, Plain(text))
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more entries", more))
	}
	if len(list) == 0 {
		return "none: nothing is released"
	}
	return strings.Join(list, "; ")
}

// withoutScores leaves out what was computed from the data: a statement is published,
// scores are not.
func withoutScores(e scenarios.Entry) scenarios.Entry {
	c := e.Clone()
	for _, branch := range c.Parallel {
		for i := range branch {
			branch[i] = withoutScores(branch[i])
		}
	}
	for name, v := range c.Values {
		if v.Type == mechanisms.Scores {
			delete(c.Values, name)
			c.Values["outputs"] = mechanisms.WholeValue(float64(len(v.Items)))
		}
	}
	return c
}

// samplingFact states the assumption and what holds without it.
func samplingFact(ctx context.Context, s *scenarios.Scenario, b accounting.Bound) string {
	sampled := false
	eachEntry(s.Stack, func(e *scenarios.Entry) {
		sampled = sampled || e.Sampling < 1 || e.Mechanism == "dp-sgd" && e.Values["sampling_rate"].Number < 1
	})
	if !sampled {
		return "none is assumed: every record may take part in every release"
	}
	text := "every record is drawn independently with the stated rate for every release (Poisson sampling), and who was drawn stays secret; " +
		"shuffled or fixed-size batches are another mechanism, to which this figure does not apply"
	r, err := scenarios.Evaluate(ctx, unsampled(s), scenarios.Options{Closed: true})
	if err == nil && r.Best >= 0 && r.Bounds[r.Best].Epsilon > b.Epsilon {
		text += fmt.Sprintf(". Without amplification by sampling ε would be %s by %s", Upper(r.Bounds[r.Best].Epsilon), r.Bounds[r.Best].Method.Name())
	}
	return text
}

// unsampled is the scenario with every record in every release.
func unsampled(s *scenarios.Scenario) *scenarios.Scenario {
	c := s.Clone()
	eachEntry(c.Stack, func(e *scenarios.Entry) {
		e.Sampling = 1
		if e.Mechanism == "dp-sgd" {
			e.Values["sampling_rate"] = mechanisms.NumberValue(1)
		}
	})
	return c
}

func compositionFact(s *scenarios.Scenario) string {
	entries, parallel := 0, false
	releases := 0.0
	for _, e := range s.Stack {
		if !e.Disabled {
			entries++
			releases += e.Count * s.Rounds
			parallel = parallel || e.Parallel != nil
		}
	}
	text := fmt.Sprintf("%s of %s, composed one after the other and adaptively", counted(releases, "run", "runs"), counted(float64(entries), "entry", "entries"))
	if s.Rounds > 1 {
		text += fmt.Sprintf(", in %s rounds", Short(s.Rounds))
	}
	if parallel {
		text += "; branches on disjoint parts of the data in parallel"
	}
	return text
}

func counted(n float64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Short(n) + " " + many
}

// WindowNote says what a unit that covers a span of time adds up to in a year; it is
// empty for others.
func WindowNote(s *scenarios.Scenario, b accounting.Bound) string {
	w, ok := scenarios.WindowOf(s.Unit)
	if !ok || w.Year <= 1 {
		return ""
	}
	return fmt.Sprintf("the unit covers one %s; somebody in the data every %s of a year has %s times that, ε = %s added up",
		w.Name, w.Name, Short(w.Year), Upper(w.Yearly(b.Epsilon)))
}

func accuracyFact(s *scenarios.Scenario) string {
	var list []string
	for _, row := range AccuracyOf(s) {
		if len(list) == listed {
			list = append(list, "…")
			break
		}
		switch {
		case row.Reason != "", row.Picks: // how well a pick does depends on the scores, which stay private
		default:
			item := Plain(row.What) + " ±" + Upper(row.Accuracy.Each)
			if unit := row.Accuracy.Unit; unit != "answer" {
				item += " (" + unit + ")"
			}
			list = append(list, item)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "error at 95 % confidence, each in the units of its answer: " + strings.Join(list, "; ")
}

func paragraph(s *scenarios.Scenario, r *scenarios.Result, b accounting.Bound, t accounting.Theorem) string {
	var p strings.Builder
	name := Plain(s.Name)
	if name != "" {
		name = "“" + name + "”"
	} else {
		name = "this work"
	}
	fmt.Fprintf(&p, "The releases of %s together satisfy %s", name, guarantee(b))
	if unit := Plain(s.Unit); unit != "" {
		fmt.Fprintf(&p, " for %s", OneUnit(unit))
	}
	relation := "adding or removing one record"
	if s.Adjacency == mechanisms.Replace {
		relation = "changing one record"
	}
	fmt.Fprintf(&p, ", with respect to %s", relation)
	if s.Group > 1 {
		fmt.Fprintf(&p, " (up to %s records of one person)", Short(s.Group))
	}
	fmt.Fprintf(&p, ". They consist of %s: %s. ", compositionFact(s), mechanismFact(s))
	fmt.Fprintf(&p, "The bound is that of %s [%s]", lowerFirst(t.Title), t.CiteKey)
	if renyi(b.Method) && b.Alpha > 0 {
		fmt.Fprintf(&p, " at order α = %s", Figure(b.Alpha))
	}
	if b.Method == accounting.Numerical && b.Lower > 0 {
		fmt.Fprintf(&p, ", certified to lie within %s – %s", Lower(b.Lower), Upper(b.Epsilon))
	}
	p.WriteString(".")
	if r.Target.Epsilon > 0 {
		verb := "is "
		if Fits(b, r.Target.Epsilon) {
			verb = ""
		}
		fmt.Fprintf(&p, " It %s%s.", verb, Verdict(r))
	}
	return p.String()
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && !(s[1] >= 'A' && s[1] <= 'Z') {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

func notCovered(s *scenarios.Scenario) []string {
	list := []string{
		"what can be learned about somebody from the population as a whole, with or without their record",
		"other releases from the same data that are not in this list",
		"anything decided by looking at the data: clipping bounds, candidates, thresholds, hyper-parameters",
		"the raw data themselves: who collects, stores and reads them",
		"the implementation: floating-point noise (Mironov 2012), timing, weak random numbers",
		"sensitivities and contribution bounds are taken as stated; something must enforce them",
	}
	if s.Group <= 1 {
		list = append(list, "people with more than one record, and records that speak of several people")
	} else {
		list = append(list, fmt.Sprintf("people with more than %s records", Short(s.Group)))
	}
	return list
}

// openQuestions are what a reviewer would ask, and the scenario does not answer.
func openQuestions(s *scenarios.Scenario, r *scenarios.Result) []string {
	var list []string
	if !(s.Records > 0) && r.Target.Delta > 0 {
		list = append(list, "How many records are there? δ should stay well below 1/n.")
	}
	seen := map[string]bool{}
	for _, l := range r.Lints {
		if text := Plain(l.Text); !seen[text] {
			seen[text] = true
			if l.Entry > 0 {
				text = fmt.Sprintf("Entry %d: %s", l.Entry, text)
			}
			list = append(list, text)
		}
	}
	return list
}

// references are the definition, the theorem and the guideline, each once.
func references(b accounting.Bound, t accounting.Theorem) []Reference {
	list := []Reference{{t.CiteKey, t.Source, t.BibTeX}}
	definition := Reference{"DworkMNS06", "Dwork, McSherry, Nissim & Smith 2006 (TCC), definition of differential privacy", `@inproceedings{DworkMNS06,
  author    = {Cynthia Dwork and Frank McSherry and Kobbi Nissim and Adam Smith},
  title     = {Calibrating Noise to Sensitivity in Private Data Analysis},
  booktitle = {Theory of Cryptography (TCC)},
  pages     = {265--284},
  year      = {2006}
}`}
	if basic, _ := accounting.TheoremOf(accounting.Basic); b.Delta > 0 {
		definition = Reference{basic.CiteKey, "Dwork, Kenthapadi, McSherry, Mironov & Naor 2006 (EUROCRYPT), definition of (ε, δ)-differential privacy", basic.BibTeX}
	}
	if definition.Key != list[0].Key {
		list = append(list, definition)
	}
	return append(list, Reference{"NIST800226", "Near, Darais, Lefkovitz & Howarth 2025, NIST SP 800-226, what a guarantee must state", `@techreport{NIST800226,
  author      = {Joseph P. Near and David Darais and Naomi Lefkovitz and Gary S. Howarth},
  title       = {Guidelines for Evaluating Differential Privacy Guarantees},
  institution = {National Institute of Standards and Technology},
  number      = {SP 800-226},
  year        = {2025}
}`})
}
