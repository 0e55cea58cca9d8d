// Package share makes one HTML page of an evaluated scenario, to be sent to a person who
// has no epsiloscope: what may be quoted, every bound, the charts as inline SVG, the
// scenario itself and the command that reproduces it. The page needs no network and has
// no script. Start with [Page].
package share

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"epsiloscope/certificate/certify"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/report/render"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

// content is the content of the page.
type content struct {
	Title, Heading, Answer, Verdict string
	Fits, Known                     bool
	Statement                       *report.Statement // nil: no theorem gives a finite ε
	Bounds, Stack                   sheet.Grid
	Charts                          []markup
	Scenario, File                  string
	ScoresRemoved                   bool // scores were left out
	Certificate                     string
}

// width and height of a chart: small enough for its labels to be read on a phone.
const width, height = 460, 400

// Page writes the page of a scenario and its result. What was computed from the data
// itself, the scores of candidates, is left out, and so are the comments of the file: the
// page is made to be passed on, and ε does not depend on them.
func Page(ctx context.Context, w io.Writer, s *scenarios.Scenario, r *scenarios.Result) error {
	return PageWithCertificate(ctx, w, s, r, nil)
}

// PageWithCertificate writes the page with a certificate of the scenario and the program that checks it, so that
// a reader needs nothing else. It is an error if the certificate is not about the scenario, or not proved. No
// certificate means the page without one.
func PageWithCertificate(ctx context.Context, w io.Writer, s *scenarios.Scenario,
	r *scenarios.Result, cert []byte) error {
	public, bare := publicCopy(s)
	yaml, err := public.Marshal()
	if err != nil {
		return err
	}
	c := content{
		Heading: strings.TrimPrefix(report.Heading(r), report.Plain(s.Name)+" · "), Answer: report.Answer(r),
		Verdict: report.Verdict(r), Title: cmp.Or(report.Plain(s.Name), "A privacy budget"),
		Scenario: string(yaml), File: FileName(s.Name, "yaml"), ScoresRemoved: bare,
	}
	if r.Best >= 0 && (r.Target.Epsilon > 0 || r.Harm != nil) {
		c.Known, c.Fits = true, report.WithinBudget(r)
	}
	c.Bounds, c.Stack = sheet.Tables(r)
	c.Certificate = string(cert)
	var quote certify.Quote
	if cert != nil { // takes less time than the statement, which it may refuse
		if quote, err = certify.Verify(ctx, cert, s); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
	}
	if r.Best >= 0 {
		if c.Statement, err = report.NewStatement(ctx, public, r); err != nil {
			return err
		}
		if cert != nil {
			quote.AddTo(c.Statement, FileName(s.Name, "cert.json"))
		}
	}
	if c.Charts, err = charts(ctx, public); err != nil {
		return err
	}
	_, err = io.WriteString(w, c.String())
	return err
}

// publicCopy returns the scenario without scores, to be passed on, and whether there were any.
func publicCopy(s *scenarios.Scenario) (public *scenarios.Scenario, bare bool) {
	public = s.WithOriginOf(scenarios.New())
	for i, e := range s.Stack {
		public.Stack[i] = public.Stack[i].WithoutScores()
		bare = bare || e.Describe() != public.Stack[i].Describe()
	}
	return public, bare
}

// charts draws every kind that the scenario has.
func charts(ctx context.Context, s *scenarios.Scenario) ([]markup, error) {
	if len(s.Stack) == 0 {
		return nil, nil
	}
	var list []markup
	for _, kind := range chart.Kinds() {
		c, err := kind.Build(ctx, s, chart.Options{Numerical: kind.Tight, Points: 30, Precision: 1e-2, MaxBars: 20})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil || len(c.Series)+len(c.Bars) == 0:
			continue // it has none of this kind
		}
		var b bytes.Buffer
		if err := render.Write(&b, c.ForExport(s), "svg", render.Options{Width: width, Height: height}); err != nil {
			return nil, fmt.Errorf("chart %s: %w", kind.Name, err)
		}
		list = append(list, markup(b.String())) // draw escapes every text
	}
	return list, nil
}

// FileName returns a name for a file, made of a title.
func FileName(title, ending string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	if name := strings.Trim(b.String(), "-"); name != "" {
		return name + "." + ending
	}
	return "scenario." + ending
}
