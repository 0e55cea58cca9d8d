package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// ReviewPoint names a point of a review, as files and JSON write it.
type ReviewPoint string

// The points of a review, in the order in which they are listed.
const (
	PointClaim          ReviewPoint = "claim"
	PointMeaning        ReviewPoint = "meaning"
	PointUnit           ReviewPoint = "unit"
	PointContributions  ReviewPoint = "contributions"
	PointAdjacency      ReviewPoint = "adjacency"
	PointDelta          ReviewPoint = "delta"
	PointEntryDelta     ReviewPoint = "entry-delta"
	PointSensitivity    ReviewPoint = "sensitivity"
	PointGroups         ReviewPoint = "groups"
	PointBranches       ReviewPoint = "branches"
	PointBoundsFromData ReviewPoint = "bounds-from-data"
	PointBatches        ReviewPoint = "batches"
	PointReports        ReviewPoint = "reports"
	PointPeriod         ReviewPoint = "period"
	PointTuning         ReviewPoint = "tuning"
	PointAdaptive       ReviewPoint = "adaptive"
	PointUnprotected    ReviewPoint = "unprotected"
	PointOtherReleases  ReviewPoint = "other-releases"
	PointApproximation  ReviewPoint = "approximation"
	PointExposure       ReviewPoint = "exposure"
	PointExpected       ReviewPoint = "expected"
)

// AnswerRule says how the question of a point is answered in words: the question, and the first words that settle it or
// show that the stack is wrong. A point with no such words is answered by a field or by computing.
type AnswerRule struct {
	Point    ReviewPoint
	Question string   // to the author; "" if the point asks none that words could answer
	Settles  []string // first words after which the point is stated
	Opens    []string // first words after which it is wrong, or remains a question
	Else     string   // what to do instead of answering in words
}

// answerRules are the points in the order in which they are listed.
var answerRules = []AnswerRule{
	{Point: PointClaim, Else: "it is judged by computing; write claim: {epsilon: 1, delta: 1e-6}"},
	{Point: PointMeaning, Question: "Is such a risk meant to be allowed?", Settles: []string{"yes"}, Opens: []string{"no"}},
	{Point: PointUnit, Else: "write unit: person, or whatever one record is"},
	{Point: PointContributions, Question: "Can one person have more than one record?", Settles: []string{"no", "none"}, Opens: []string{"yes", "data"}},
	{Point: PointAdjacency, Question: "Is this adjacency meant?", Settles: []string{"yes"}, Opens: []string{"no"}},
	{Point: PointDelta, Question: "Is δ small enough for the number of people?", Settles: []string{"yes"}, Opens: []string{"no"}},
	{Point: PointEntryDelta, Question: "Is all of δ meant for the entries' own?", Settles: []string{"yes"}, Opens: []string{"no"}},
	{Point: PointSensitivity, Question: "Was Δ worked out for everything that one unit contributes?", Settles: []string{"yes", "public"}, Opens: []string{"no", "data"}},
	{Point: PointGroups, Question: "Are the groups known without looking at the data?", Settles: []string{"public", "yes"}, Opens: []string{"data", "no"}},
	{Point: PointBranches, Question: "Can one person be in several branches?", Settles: []string{"no", "none"}, Opens: []string{"yes", "data"}},
	{Point: PointBoundsFromData, Question: "Was a bound looked up in the data?", Settles: []string{"no", "none", "public"}, Opens: []string{"yes", "data"}},
	{Point: PointBatches, Question: "Are the batches drawn as they are priced?", Settles: []string{"yes"}, Opens: []string{"no"}},
	{Point: PointReports, Question: "Does one person send all of the reports?", Settles: []string{"yes", "no", "none"}},
	{Point: PointPeriod, Question: "Is the time that the unit covers all that anybody is promised?", Settles: []string{"yes"}, Opens: []string{"no"}},
	{Point: PointTuning, Question: "Was this training chosen among several runs on the same data?", Settles: []string{"no", "none", "public"}, Opens: []string{"yes", "data"}},
	{Point: PointAdaptive, Question: "Are costs chosen after earlier answers were seen?", Settles: []string{"no", "none"}, Opens: []string{"yes"}},
	{Point: PointUnprotected, Question: "Is anything published exactly, without noise?", Settles: []string{"no", "none", "public"}, Opens: []string{"yes", "data"}},
	{Point: PointOtherReleases, Question: "Are there other releases from the same data?", Settles: []string{"no", "none"}, Opens: []string{"yes"}},
	{Point: PointApproximation, Else: "it is judged by computing"},
	{Point: PointExposure, Question: "May a person be exposed with this probability?", Settles: []string{"yes"}, Opens: []string{"no"}},
	{Point: PointExpected, Else: "it is judged by computing; correct expect"},
}

// AnswerRules returns the points of a review in order, each with how its question is answered.
func AnswerRules() []AnswerRule { return slices.Clone(answerRules) }

// AnswerRuleOf returns the rule of a point; false if there is no such point.
func AnswerRuleOf(p ReviewPoint) (AnswerRule, bool) {
	i := slices.IndexFunc(answerRules, func(r AnswerRule) bool { return r.Point == p })
	if i < 0 {
		return AnswerRule{}, false
	}
	return answerRules[i], true
}

// FirstWord returns the first word of an answer, which decides, in lower case.
func FirstWord(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// problem returns what is wrong with an answer; "" if nothing is.
func (r AnswerRule) problem(text string) string {
	words := slices.Concat(r.Settles, r.Opens)
	_, err := format.ParseValue(param.Param{Type: freeText}, text) // without control characters
	first := FirstWord(text)
	switch {
	case len(words) == 0:
		return "is not answered in words: " + r.Else
	case err != nil:
		if p, ok := errors.AsType[*param.Error](err); ok {
			return p.Problem
		}
		return err.Error()
	case slices.Contains(words, first):
		return ""
	default:
		return fmt.Sprintf("must begin with %s, which answers “%s”; what follows is quoted, as in \"%s, mail of 3 May\"", listWords(words), r.Question, words[0])
	}
}

// listWords joins words to a sentence's list: "no, none or yes".
func listWords(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// Answer returns the author's answer to a point's question; "" if there is none.
func (s *Scenario) Answer(p ReviewPoint) string { return s.Answers[p] }

// answerFields are the fields under answers: one for each point that has a question.
func answerFields() (rows []format.Field[Scenario]) {
	for _, r := range answerRules {
		help := "answers: " + r.Question
		if r.Question == "" {
			help = "has no answer in words: " + r.Else
		}
		rows = append(rows, format.Field[Scenario]{Param: param.Param{Name: string(r.Point), Help: help, Type: freeText,
			Optional: true}, Aside: true,
			At: func(s *Scenario) any { return answerField{s, r} }})
	}
	return rows
}

// answerField is the answer to one point as a field.
type answerField struct {
	*Scenario
	rule AnswerRule
}

// put stores an answer, or removes it if it is empty. It replaces the map, which clones share.
func (f answerField) put(text string) {
	answers := map[ReviewPoint]string{}
	for p, t := range f.Answers {
		answers[p] = t
	}
	if answers[f.rule.Point] = text; text == "" {
		delete(answers, f.rule.Point)
	}
	if f.Answers = answers; len(answers) == 0 {
		f.Answers = nil
	}
}

// Clear takes the answer back.
func (f answerField) Clear() { f.put("") }

func (f answerField) Decode(d *format.Decoder, _ param.Param, n *yamltree.Node, path string) {
	text := d.Text(n, path)
	if problem := f.rule.problem(text); problem != "" {
		d.FailOnce(n, path, problem)
		return
	}
	f.put(text)
}

func (f answerField) Check(c *format.Checker, path string) {
	if text, given := f.Answers[f.rule.Point]; given {
		c.Add(path, f.rule.problem(text))
	}
}

func (f answerField) Get() (param.Value, bool) {
	text, given := f.Answers[f.rule.Point]
	return param.ChoiceValue(text), given
}

// Set stores an answer; an empty text takes it back.
func (f answerField) Set(_ param.Param, text string) error {
	if text = strings.TrimSpace(text); text == "" {
		f.put("")
		return nil
	}
	if problem := f.rule.problem(text); problem != "" {
		return errors.New(problem)
	}
	f.put(text)
	return nil
}

func (f answerField) Tree(p param.Param) (*yamltree.Node, bool) { return format.TreeOf(f, p) }

func (f answerField) Schema(p param.Param) format.Object {
	return format.Object{"type": "string", "description": p.Help}
}
