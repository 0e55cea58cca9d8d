package share

import (
	"cmp"
	"fmt"
	"io"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios/review"
)

// ReviewPage writes a review as one HTML page: the verdict, the points with what is asked, and what is proved, stated
// and believed.
func ReviewPage(w io.Writer, r *review.Review, version string) error {
	var p page
	title := cmp.Or(report.Plain(r.Name), "A privacy claim")
	p.begin("", "Review: "+title, title)
	p.addReview(r)
	p.addList("Proved", r.Proved)
	p.addList("Stated", r.Stated)
	p.addList("Believed, not checked", review.Assumptions())
	p.add("<p class=\"small\">%s</p>\n</body>\n</html>\n", fmt.Sprintf("file %s, epsiloscope %s", r.File, version))
	_, err := io.WriteString(w, p.String())
	return err
}

// addReview writes the verdict and the points that are not settled; the others in one line.
func (p *page) addReview(r *review.Review) {
	class := markup("over")
	if r.Verdict.Holds() {
		class = "fits"
	}
	p.add("<p class=\"%s\">%s</p>\n<p>%s</p>\n", class, r.Headline(), sheet.ReviewClaim(r))
	if open := r.Questions(); len(open) > 0 {
		p.add("<ul>")
		for _, q := range open {
			p.add("\n<li>%s <b>%s</b>: %s</li>", q.Sign.Mark(), string(q.Name), report.PointText(q))
		}
		p.add("\n</ul>\n")
	}
	for i, q := range r.Points {
		if q.Sign == review.OK {
			if i == len(r.Questions()) {
				p.add("<p class=\"small\">")
			}
			p.add("✓ %s: %s<br/>\n", string(q.Name), report.Plain(q.Says))
		}
	}
	if r.Count(review.OK) > 0 {
		p.add("</p>\n")
	}
}
