package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/scenarios"
)

// item is an entry with its place.
type item struct {
	index int    // of the entry of the stack that it is, or is in, from 1
	path  string // as --set has it: "2", "4.1.2"
	e     *scenarios.Entry
}

// itemsOf lists the entries of a stack that are enabled, those in branches included, and those that are not.
func itemsOf(s *scenarios.Scenario) (enabled, disabled []item) {
	var walk func(prefix string, index int, stack []scenarios.Entry)
	walk = func(prefix string, index int, stack []scenarios.Entry) {
		for i := range stack {
			e, at := &stack[i], index
			if at == 0 {
				at = i + 1
			}
			path := prefix + strconv.Itoa(i+1)
			if e.Disabled {
				disabled = append(disabled, item{at, path, e})
				continue
			}
			enabled = append(enabled, item{at, path, e})
			for j, branch := range e.Parallel {
				walk(fmt.Sprintf("%s.%d.", path, j+1), at, branch)
			}
		}
	}
	walk("", 0, s.Stack)
	return enabled, disabled
}

// name returns the entry as a sentence names it: entry 2 (“counts by district”).
func (it item) name() string {
	text := "entry " + it.path
	if label := plain(it.e.Label); label != "" {
		text += " (“" + label + "”)"
	}
	return text
}

// plain returns a text of the file on one line, without control characters.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, text)), " ")
}

// namesOf lists entries in a sentence, three of them at most.
func namesOf(items []item) string {
	var names []string
	for i, it := range items {
		if i == 3 && len(items) > 4 {
			return strings.Join(names, "; ") + fmt.Sprintf("; and %d more", len(items)-i)
		}
		names = append(names, it.name())
	}
	return strings.Join(names, "; ")
}

// indicesOf returns the numbers of the entries, each once.
func indicesOf(items []item) (list []int) {
	for _, it := range items {
		if !slices.Contains(list, it.index) {
			list = append(list, it.index)
		}
	}
	return list
}

// problemOf returns what is wrong, without the file's name and place.
func problemOf(err error) string {
	if list, ok := errors.AsType[scenarios.Errors](err); ok && len(list) > 0 {
		return list[0].Field + ": " + list[0].Problem
	}
	if one, ok := errors.AsType[scenarios.FieldError](err); ok {
		return one.Field + ": " + one.Problem
	}
	return err.Error()
}

// makers make the points, in the order in which they are listed. Each returns nothing if the point is not about the
// scenario.
var makers = []func(*referee, context.Context) ([]Point, error){
	(*referee).claimPoint,
	(*referee).meaningPoint,
	simple((*referee).unitPoint),
	simple((*referee).contributionsPoint),
	simple((*referee).adjacencyPoint),
	simple((*referee).deltaPoint),
	simple((*referee).entryDeltaPoint),
	simple((*referee).sensitivityPoint),
	simple((*referee).groupsPoint),
	simple((*referee).branchesPoint),
	simple((*referee).boundsPoint),
	simple((*referee).batchesPoint),
	simple((*referee).reportsPoint),
	simple((*referee).periodPoint),
	simple((*referee).tuningPoint),
	simple((*referee).adaptivePoint),
	simple((*referee).unprotectedPoint),
	simple((*referee).othersPoint),
	simple((*referee).approximationPoint),
	simple((*referee).exposurePoint),
	(*referee).expectedPoint,
}

// simple wraps a point that needs no computing of its own.
func simple(make func(*referee) *Point) func(*referee, context.Context) ([]Point, error) {
	return func(f *referee, _ context.Context) ([]Point, error) {
		if p := make(f); p != nil {
			return []Point{*p}, nil
		}
		return nil, nil
	}
}

// points makes all points of the review.
func (f *referee) points(ctx context.Context) ([]Point, error) {
	var list []Point
	for _, make := range makers {
		found, err := make(f, ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return f.addAnswers(list), nil
}

// askInWords ends a question that its sentences do not ask with the question itself, so that it can be mailed as it is.
func askInWords(list []Point) {
	for i := range list {
		p := &list[i]
		rule, _ := scenarios.AnswerRuleOf(p.Name)
		if p.Sign == Ask && rule.Question != "" && !strings.Contains(p.Text, "?") {
			p.Text += " " + rule.Question
		}
	}
}

// openIfDenied are the points that the author's answer opens again, though a field settles them: both cannot be true.
var openIfDenied = []scenarios.ReviewPoint{
	scenarios.PointAdjacency, scenarios.PointDelta, scenarios.PointSensitivity, scenarios.PointBatches,
}

// addAnswers lets no answer of the author go unheard: one about which no point speaks becomes a point, and one that
// denies what a field says opens its point again.
func (f *referee) addAnswers(list []Point) []Point {
	for _, rule := range scenarios.AnswerRules() {
		answer := f.own.Answer(rule.Point)
		if answer == "" {
			continue
		}
		i := slices.IndexFunc(list, func(p Point) bool { return p.Name == rule.Point })
		if i < 0 {
			p := &Point{Name: rule.Point, Sign: Ask, Text: "Nothing in the stack is about that, so nothing of it is priced."}
			list = append(list, *f.settle(p))
			continue
		}
		denied := slices.Contains(rule.Opens, scenarios.FirstWord(answer))
		if p := &list[i]; denied && p.Sign == OK && slices.Contains(openIfDenied, p.Name) {
			p.Sign, p.Stated = Ask, ""
			f.settle(p)
		}
	}
	return list
}

// settle applies the author's answer to a question: the point becomes stated, or wrong if the answer says so.
func (f *referee) settle(p *Point) *Point {
	rule, _ := scenarios.AnswerRuleOf(p.Name)
	if p.Sign == Ask && p.Answers == nil && rule.Question != "" {
		for _, word := range slices.Concat(rule.Settles, rule.Opens) {
			p.Answers = append(p.Answers, fmt.Sprintf("answers: {%s: \"%s, …\"}", p.Name, word))
		}
	}
	if p.Field == "" {
		p.Field = "answers." + string(p.Name)
	}
	answer := plain(f.own.Answer(p.Name))
	if answer == "" || p.Sign != Ask {
		return p
	}
	quote := fmt.Sprintf("“%s” (answers.%s)", answer, p.Name)
	if slices.Contains(rule.Settles, scenarios.FirstWord(answer)) {
		p.Sign, p.Stated, p.Says = OK, quote, answer
		p.Text = rule.Question + " The author answers: " + quote + "."
		return p
	}
	p.Says = answer
	said := rule.Question + " The author answers: " + quote + ". "
	if fault, wrong := wrongIfAnswered[p.Name]; wrong {
		p.Sign, p.Text, p.Answers = Wrong, said+fault, nil // it is answered
		return p
	}
	p.Text = said + p.Text
	return p
}

// isSettled reports whether the author's answer settles a point.
func (f *referee) isSettled(p scenarios.ReviewPoint) bool {
	rule, _ := scenarios.AnswerRuleOf(p)
	return slices.Contains(rule.Settles, scenarios.FirstWord(f.own.Answer(p)))
}

// wrongIfAnswered are the points that an answer shows to be wrong, each with what is wrong then.
var wrongIfAnswered = map[scenarios.ReviewPoint]string{
	scenarios.PointContributions:  "Priced is one record of a person only.",
	scenarios.PointSensitivity:    "Then one unit can move the answer further than Δ says, and that is not priced.",
	scenarios.PointGroups:         "Then the list of groups gives people away, with whatever noise on the counts, and no partition-selection is in the stack.",
	scenarios.PointBranches:       "Priced is one branch per person.",
	scenarios.PointBoundsFromData: "Looking a bound up in the data is a release of its own, and that is not priced.",
	scenarios.PointBatches:        "Priced are batches that are drawn another way.",
	scenarios.PointTuning:         "Each run costs, also one that was thrown away; priced is one.",
}
