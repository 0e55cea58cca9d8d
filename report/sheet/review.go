package sheet

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/report"
	"epsiloscope/scenarios/review"
)

// maxQuestions is the number of questions that a review shows unless all are asked for.
const maxQuestions = 7

// pointColumns are the points of a review.
var pointColumns = []Column[review.Point]{
	{Head: " ", Show: func(p review.Point) string { return p.Sign.Mark() }, Role: signRole},
	Words("point", "point", func(p review.Point) string { return string(p.Name) }),
	{Key: "sign", Value: func(p review.Point) any { return string(p.Sign) }},
	{Key: "entries", Programs: OnlyJSON, Omit: true, Value: func(p review.Point) any {
		if len(p.Entries) == 0 {
			return nil
		}
		return p.Entries
	}},
	{Head: "what the file says", Show: func(p review.Point) string { return report.Plain(p.Says) }},
	{Head: "ε if", Align: Decimal, Show: OtherEpsilon},
	{Key: "text", Value: func(p review.Point) any { return report.PointText(p) }},
	{Key: "epsilon_if", Omit: true, Value: func(p review.Point) any {
		if !p.Other.IsKnown() || math.IsInf(p.Other.Epsilon, 1) {
			return nil
		}
		return p.Other.Epsilon
	}},
}

func signRole(p review.Point) report.Role {
	switch p.Sign {
	case review.OK:
		return report.Better
	case review.Ask:
		return report.Warning
	}
	return report.Worse
}

// OtherEpsilon writes the ε of another answer; "" if it was not computed.
func OtherEpsilon(p review.Point) string {
	if !p.Other.IsKnown() {
		return ""
	}
	return report.Upper(p.Other.Epsilon)
}

// ReviewClaim returns what is claimed and what is proven, in one line.
func ReviewClaim(r *review.Review) string {
	text := r.Claim.String()
	if r.Claim.IsSet() {
		text = "claim " + text
	}
	if by := report.Plain(r.Claim.By); by != "" {
		text += ", by " + by
	}
	if r.Bound.Finite() {
		proven := "proven " + report.Upper(r.Bound.Epsilon)
		if r.Lower > 0 && !math.IsInf(r.Lower, 1) {
			proven = "certified " + report.Lower(r.Lower) + " – " + report.Upper(r.Bound.Epsilon)
		}
		if r.Claim.Harm.Kind() != "" { // claimed is no ε
			proven = "ε " + proven
		}
		text += "; " + proven
	}
	if !math.IsNaN(r.Worst) && r.Count(review.Ask) > 0 {
		text += "; at worst " + report.Upper(r.Worst)
	}
	return text
}

// Review returns a review: the verdict first, then the points with what is asked, then what is proved, stated and
// believed. As CSV it is the points. If all is false, seven questions are shown to people.
func Review(r *review.Review, version string, all bool) *Sheet {
	s := NewSheet(r.Headline(), pointColumns, r.Points)
	s.Data = Record{
		{"verdict", string(r.Verdict)},
		{"claim", claimRecord(r.Claim)},
		{"epsilon", finiteEpsilon(r.Bound)}, {"epsilon_lower", lowerRecord(r.Lower)},
		{"points", RecordsOf(pointColumns, r.Points)},
		{"proved", r.Proved}, {"stated", r.Stated}, {"believed", review.Assumptions()},
		{"file", r.File}, {"version", version},
	}
	shown, hidden := shownPoints(r, all)
	s.Page = func(p *Page) { reviewPage(p, r, shown, hidden, version) }
	s.Grid = GridOf(pointColumns, shown)
	s.comments = []string{ReviewClaim(r)}
	for _, q := range r.Questions() {
		s.comments = append(s.comments, string(q.Name)+": "+report.PointText(q))
	}
	return s
}

// shownPoints returns the points without questions beyond the seventh, and how many those are.
func shownPoints(r *review.Review, all bool) (shown []review.Point, hidden int) {
	asked := 0
	for _, p := range r.Points {
		if p.Sign == review.Ask {
			if asked++; asked > maxQuestions && !all {
				hidden++
				continue
			}
		}
		shown = append(shown, p)
	}
	return shown, hidden
}

func reviewPage(p *Page, r *review.Review, shown []review.Point, hidden int, version string) {
	name := report.Plain(r.Name)
	if name != "" {
		name += ": "
	}
	p.Title(2, name+r.Headline())
	p.Line(ReviewClaim(r))
	p.Gap()
	p.Grid(GridOf(pointColumns, shown))
	for _, q := range shown {
		if q.Sign == review.OK {
			continue
		}
		p.Gap()
		p.Items("", report.PointLine(q))
		if len(q.Answers) > 0 {
			p.Items("  ", "answer with: "+strings.Join(q.Answers, " | "))
		}
	}
	if hidden > 0 {
		p.Gap()
		p.Line(fmt.Sprintf("%d more questions: --all", hidden))
	}
	for _, list := range []struct {
		title string
		items []string
	}{{"proved", r.Proved}, {"stated", r.Stated}, {"believed, not checked", review.Assumptions()}} {
		if len(list.items) == 0 {
			continue
		}
		p.Gap()
		p.Raw(list.title)
		if p.Markdown {
			p.Gap()
		}
		p.Items("  - ", list.items...)
	}
	p.Gap()
	file := "file " + r.File
	if version != "" {
		file += ", epsiloscope " + version
	}
	p.Line(file)
}

func claimRecord(c review.Claim) any {
	if !c.IsSet() {
		return nil
	}
	if c.Harm.Kind() != "" {
		return append(harmRecord(c.Harm), Record{{"delta", c.Delta}}...)
	}
	return Record{{"epsilon", c.Epsilon}, {"delta", c.Delta}}
}

func lowerRecord(lower float64) any {
	if math.IsInf(lower, 1) {
		return nil
	}
	return lower
}
