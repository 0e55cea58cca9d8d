package share

import (
	_ "embed"
	"fmt"
	"html"
	"strings"

	"epsiloscope/certificate"
	"epsiloscope/report/sheet"
)

//go:embed page.css
var style string

// markup is text that is HTML already. Every other text is escaped where it is written.
//
// The page is not written by html/template: that package calls methods by name, so that the linker would have to
// keep every method of the program, some 4 MB.
type markup string

// page is an HTML page in the making.
type page struct{ strings.Builder }

// add writes a line of HTML; each %s in it stands for a text, which is escaped unless it is
// markup.
func (p *page) add(line markup, texts ...any) {
	for i, x := range texts {
		if _, done := x.(markup); !done {
			texts[i] = html.EscapeString(fmt.Sprint(x))
		}
	}
	fmt.Fprintf(p, string(line), texts...)
}

// addList writes a heading and below it one item per text.
func (p *page) addList(heading string, items []string) {
	p.add("<h2>%s</h2>\n<ul>", heading)
	for _, item := range items {
		p.add("\n<li>%s</li>", item)
	}
	p.add("\n</ul>\n")
}

// addTable writes the cells of a grid, the header first.
func (p *page) addTable(g sheet.Grid) {
	p.add(`<div class="wide"><table>`)
	for i, row := range g.Rows() {
		p.add("\n<tr>")
		for j, cell := range row {
			element, class := markup("td"), markup("")
			if i == 0 {
				element = "th"
			}
			if g.Number(j) {
				class = ` class="n"`
			}
			p.add("<%s%s>%s</%s>", element, class, cell, element)
		}
		p.add("</tr>")
	}
	p.add("\n</table></div>")
}

// begin writes what every page begins with: its head, with a title for the browser, and its heading. The browser may
// load nothing for it. The attribute of the body names the styles that only this kind of page has.
func (p *page) begin(attribute markup, title, heading string) {
	p.add(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<title>%s</title>
<style>
%s</style>
</head>
<body%s>
<h1>%s</h1>
`, title, markup(style), attribute, heading)
}

// String returns the page with everything that c holds.
func (c *content) String() string {
	var p page
	p.begin("", c.Title, c.Title)
	p.add(`<p class="small">%s</p>
<p class="answer">%s</p>
`, c.Heading, c.Answer)
	switch {
	case c.Verdict == "":
	case !c.Known:
		p.add("<p>%s</p>\n", c.Verdict)
	case c.Fits:
		p.add("<p class=\"fits\">✓ %s</p>\n", c.Verdict)
	default:
		p.add("<p class=\"over\">✗ %s</p>\n", c.Verdict)
	}
	if c.Statement != nil && c.Statement.Refuted != "" {
		p.add("<p class=\"over\">review: %s</p>\n", c.Statement.Refuted)
	}
	c.addStatement(&p)
	p.add("<h2>Every bound</h2>\n<div class=\"bounds\">")
	p.addTable(c.Bounds)
	p.add("</div>\n")
	if len(c.Stack.Rows()) > 0 {
		p.add("<h2>The stack</h2>\n")
		p.addTable(c.Stack)
		p.add("\n")
	}
	if len(c.Charts) > 0 {
		p.add("<h2>Charts</h2>\n<div class=\"charts\">")
		for _, chart := range c.Charts {
			p.add("\n%s", chart)
		}
		p.add("</div>\n")
	}
	left := ""
	if c.ScoresRemoved {
		left = "The scores of the candidates are left out: they come from the data, and ε does not depend on them. "
	}
	p.add("<h2>The scenario</h2>\n<p>Save this as <code>%s</code>. %sThen this command prints the same table:</p>\n", c.File, left)
	p.add("<pre>epsiloscope compare %s</pre>\n<pre id=\"scenario\">%s</pre>\n", c.File, c.Scenario)
	if c.Certificate != "" {
		p.add("<h2>The certificate and its checker</h2>\n<p>Save the two texts below as <code>%s</code> and <code>check.py</code>. "+
			"The program needs Python 3.9 or newer and nothing else; it proves ε anew:</p>\n", FileName(c.Title, "cert.json"))
		p.add("<pre>python3 check.py %s</pre>\n", FileName(c.Title, "cert.json"))
		p.add("<details><summary>Certificate</summary>\n<pre id=\"certificate\">%s</pre></details>\n", c.Certificate)
		p.add("<details><summary>check.py</summary>\n<pre id=\"checker\">%s</pre></details>\n", string(certificate.Checker()))
	}
	if st := c.Statement; st != nil {
		p.add("<h2>References</h2>\n<ul class=\"small\">")
		for _, r := range st.References {
			p.add("\n<li>[%s] %s</li>", r.Key, r.Text)
		}
		p.add("\n</ul>\n")
	}
	p.add("<p class=\"small\">Made with epsiloscope. Every ε is an upper bound, rounded up.</p>\n</body>\n</html>\n")
	return p.Builder.String()
}

// addStatement writes what may be quoted, if there is a statement.
func (c *content) addStatement(p *page) {
	st := c.Statement
	if st == nil {
		return
	}
	p.add("<h2>What may be quoted</h2>\n<p>%s</p>\n<dl>", st.Paragraph)
	for _, f := range st.Facts {
		p.add("\n<dt>%s</dt><dd>%s</dd>", f.Name, f.Text)
	}
	p.add("\n</dl>\n")
	p.addList("Not covered", st.NotCovered)
	if len(st.Open) > 0 {
		p.addList("Open questions", st.Open)
	}
}
