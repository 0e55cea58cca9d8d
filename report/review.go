package report

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

// PointText returns a point of a review in sentences, with what another answer would cost.
func PointText(p review.Point) string {
	text := Plain(p.Text)
	if p.Other == nil {
		return text
	}
	o, lead := p.Other, " With "+p.Other.Answer
	switch {
	case o.IsKnown() && math.IsInf(o.Epsilon, 1):
		return text + lead + ", no finite ε is proven."
	case o.IsKnown():
		text += fmt.Sprintf("%s, ε would be %s", lead, Upper(o.Epsilon))
		now := Upper(o.Before)
		switch {
		case now == Upper(o.Epsilon):
			text += " all the same"
		case !math.IsInf(o.Before, 1):
			text += " instead of " + now
		}
		if o.Note != "" {
			text += " (" + o.Note + ")"
		}
		return text + "."
	case o.Note != "":
		return text + lead + ": " + strings.TrimSuffix(o.Note, ".") + "."
	}
	return text
}

// PointLine returns a point as a line that begins with its sign: "? unit: Whose data is one record? …".
func PointLine(p review.Point) string {
	return p.Sign.Mark() + " " + string(p.Name) + ": " + PointText(p)
}

// PointSummaries returns the points as one line each, for a page about something else: a question in a few words, what
// is wrong in sentences.
func PointSummaries(points []review.Point) (list []string) {
	for _, p := range points {
		if p.Sign == review.Wrong {
			list = append(list, PointLine(p))
			continue
		}
		list = append(list, p.Sign.Mark()+" "+string(p.Name)+": "+Plain(p.Says))
	}
	return list
}

// PointLines returns the points as lines, each with its sign.
func PointLines(points []review.Point) (list []string) {
	for _, p := range points {
		list = append(list, PointLine(p))
	}
	return list
}

// reviewFact returns the verdict on the claim, as a fact of a statement; "" if nothing is claimed.
func reviewFact(r *review.Review) string {
	if !r.Claim.IsSet() {
		return ""
	}
	return fmt.Sprintf("%s (%s)", r.Headline(), r.Claim)
}

// openQuestions returns what is open in a statement: the points of the review that are not settled, and what guidelines
// and registers ask for beyond it.
func openQuestions(s *scenarios.Scenario, r *review.Review) []string {
	return append(PointLines(r.Questions()), missingStatements(s)...)
}

// missingStatements lists what NIST SP 800-226 requires of a guarantee and no point of a review asks for, with the
// fields to set, and, if a deployment is described, what a register of deployments requires.
func missingStatements(s *scenarios.Scenario) (list []string) {
	switch {
	case s.Deployment == (scenarios.Deployment{}):
		return []string{"NIST SP 800-226 asks who is trusted with the data, what is published exactly, and which other releases use the same data. " +
			"Set deployment.model, deployment.unprotected and deployment.others."}
	case s.Deployment.Model == "":
		list = append(list, "NIST SP 800-226 asks who is trusted with the data. Set deployment.model: central, local, shuffle or federated.")
	}
	if missing := s.MissingForRegister(); len(missing) > 0 {
		list = append(list, "A register of deployments asks for more. Set "+strings.Join(missing, ", ")+".")
	}
	return list
}
