package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

// Statement holds what may be quoted of a scenario: a paragraph, the facts behind it, and what
// it does not say. The facts follow what NIST SP 800-226 asks of a differential privacy
// guarantee: the parameters, the unit, the trust model, the mechanisms with their sensitivities,
// sampling, composition and what lies outside.
type Statement struct {
	Title      string
	Paragraph  string
	Facts      []Fact
	Refuted    string // the review's verdict on a claim that it does not let stand; "" otherwise
	NotCovered []string
	// what the scenario leaves unanswered: the points of its review that are not settled, and what guidelines ask
	// beyond it
	Open       []string
	References []Reference
	Bound      accounting.Bound
	Scenario   *scenarios.Scenario
	Scope      any // to which data and times the guarantee is limited, for other programs; nil for none
}

// Reference is a paper the statement rests on.
type Reference struct{ Key, Text, BibTeX string }

// NewStatement writes the statement of an evaluated scenario.
func NewStatement(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) (*Statement, error) {
	b := r.BestBound()
	if !b.Finite() {
		return nil, errors.New("no theorem gives a finite ε, so there is no guarantee to state")
	}
	if r.CostsAreAdaptive() {
		return nil, fmt.Errorf("there is no bound to quote: %s. Of a ledger, quote what ledger statement says", r.OpenReason())
	}
	theorem, _ := accounting.TheoremOf(b.Method)
	year, err := newYearly(ctx, s, r)
	if err != nil {
		return nil, err
	}
	attack := newAttack(r)
	if err := attack.setBounds(ctx, s, r); err != nil {
		return nil, err
	}
	summary, err := summarise(ctx, s, r)
	if err != nil {
		return nil, err
	}
	found, err := review.New(ctx, s, r, review.Options{})
	if err != nil {
		return nil, err
	}
	text := paragraph(s, r, b, theorem, &attack)
	if roundsAreSpans(s.Unit, s.Rounds) {
		round, err := boundOfRounds(ctx, s, r, 1)
		if err != nil {
			return nil, err
		}
		if round.Finite() {
			text += fmt.Sprintf(" One round alone satisfies %s for %s.", guarantee(round), OneUnit(s.Unit))
		}
	}
	st := &Statement{
		Title: cmp.Or(Plain(s.Name), "This release"), Bound: b, Scenario: s, Paragraph: text,
		NotCovered: listExclusions(s), Open: openQuestions(s, found), References: references(b, theorem),
	}
	if found.Claim.IsSet() && !found.Verdict.Holds() {
		st.Refuted = reviewFact(found)
	}
	st.Facts = slices.DeleteFunc([]Fact{
		{"Harm", attack.harmFact()},
		{"Guarantee", guarantee(b)},
		{"Theorem", fmt.Sprintf("%s (%s)", theorem.Title, theorem.Source)},
		{"Certainty", certainty(r, b)},
		{"Also", otherNotions(s)},
		{"Gaussian summary", summary.String()},
		{"Unit of privacy", unitFact(s)},
		{"Adjacency", adjacencyFact(s.Adjacency)},
		{"Claims", claimsFact(s)},
		{"Group", groupFact(s)},
		{"δ", deltaFact(s, b)},
		{"Trust model", trustFact(s)},
		{"Unprotected", Plain(s.Deployment.Unprotected)},
		{"Other releases", Plain(s.Deployment.Others)},
		{"Mechanisms", mechanismFact(s)},
		{"Sensitivities", sensitivityFact(s)},
		{"Selection", selectionFact(s)},
		{"Shuffling", shuffleFact(s)},
		{"Sampling", samplingFact(ctx, s, b)},
		{"Composition", compositionFact(s)},
		{"Adaptive costs", LowerFirst(strings.TrimSuffix(theorem.Adaptive.String(), "."))},
		{"Time", year.Text()},
		{"Budget", Verdict(r)},
		{"Review", reviewFact(found)},
		{"Accuracy", accuracyFact(s)},
	}, func(f Fact) bool { return f.Text == "" })
	return st, nil
}

func paragraph(s *scenarios.Scenario, r *scenarios.Result, b accounting.Bound, t accounting.Theorem,
	attack *Attack) string {
	var p strings.Builder
	name := Plain(s.Name)
	if name != "" {
		name = "“" + name + "”"
	} else {
		name = "this work"
	}
	if harm := attack.harmSentence(name); harm != "" {
		fmt.Fprintf(&p, "%s Together they satisfy %s", harm, guarantee(b))
	} else {
		fmt.Fprintf(&p, "The releases of %s together satisfy %s", name, guarantee(b))
	}
	if unit := Plain(s.Unit); unit != "" {
		fmt.Fprintf(&p, " for %s", CoveredUnit(unit, s.Rounds))
	}
	fmt.Fprintf(&p, ", with respect to %s", NeighboursOf(s.Adjacency).Relation)
	if s.Group > 1 {
		fmt.Fprintf(&p, " (up to %s records of one person)", numeral.Format(s.Group))
	}
	fmt.Fprintf(&p, ". They consist of %s: %s. ", compositionFact(s), mechanismFact(s))
	fmt.Fprintf(&p, "The bound is that of %s [%s]", LowerFirst(t.Title), t.CiteKey)
	if UsesOneOrder(b.Method) && b.Alpha > 0 {
		fmt.Fprintf(&p, " at order α = %s", Nearest(b.Alpha))
	}
	if b.Method == accounting.Numerical && b.Lower > 0 {
		if b.LowerByAttack() {
			fmt.Fprintf(&p, "; the true ε is %s", CertifiedEnds(b))
		} else {
			fmt.Fprintf(&p, ", certified to lie within %s – %s", Lower(b.Lower), Upper(b.Epsilon))
		}
	}
	p.WriteString(".")
	if r.Harm != nil {
		fmt.Fprintf(&p, " It %s.", Verdict(r))
	}
	if r.Target.Epsilon > 0 {
		verb := "is "
		if Fits(b, r.Target.Epsilon) && !r.IsOpen() {
			verb = ""
		}
		fmt.Fprintf(&p, " It %s%s.", verb, Verdict(r))
	}
	return p.String()
}

func listExclusions(s *scenarios.Scenario) []string {
	list := []string{
		"what can be learned about a person from the population as a whole, with or without their record",
		"what the records of others reveal: the bounds on an attacker hold if the other records are fixed or independent of this person's",
		"other releases from the same data that are not in this list",
		"anything decided from the data: clipping bounds, candidates, thresholds, hyper-parameters",
		"the raw data themselves: who collects, stores and reads them",
		"the implementation: floating-point noise (Mironov 2012), timing, weak random numbers",
		"sensitivities and contribution bounds are taken as stated: the program that makes the release must clip values and drop surplus records so that they hold",
	}
	bounded, all := contributionBounds(s)
	switch {
	case s.Group > 1:
		return append(list, fmt.Sprintf("people with more than %s records", numeral.Format(s.Group)))
	case bounded > 0 && bounded == all:
		return append(list, "records that speak of several people")
	}
	return append(list, "people with more than one record, and records that speak of several people")
}

// references returns the definition, the theorem and the guideline, each once.
func references(b accounting.Bound, t accounting.Theorem) []Reference {
	list := []Reference{{t.CiteKey, t.Source, accounting.BibTeX(t.CiteKey)}}
	definition := Reference{"DworkMNS06", "Dwork, McSherry, Nissim & Smith 2006 (TCC), definition of differential privacy", `@inproceedings{DworkMNS06,
  author    = {Cynthia Dwork and Frank McSherry and Kobbi Nissim and Adam Smith},
  title     = {Calibrating Noise to Sensitivity in Private Data Analysis},
  booktitle = {Theory of Cryptography (TCC)},
  pages     = {265--284},
  year      = {2006}
}`}
	if basic, _ := accounting.TheoremOf(accounting.Basic); b.Delta > 0 {
		definition = Reference{basic.CiteKey, "Dwork, Kenthapadi, McSherry, Mironov & Naor 2006 (EUROCRYPT), definition of (ε, δ)-differential privacy", accounting.BibTeX(basic.CiteKey)}
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

// BibTeX returns the entries of the papers cited.
func (st *Statement) BibTeX() string {
	var entries []string
	for _, r := range st.References {
		entries = append(entries, r.BibTeX+"\n")
	}
	return strings.Join(entries, "\n")
}

// StatementFormats are the forms of a statement that people read or quote.
var StatementFormats = []string{"text", "markdown", "latex", "bibtex", "json"}
