package share

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/report/render"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/teach/exercises"
	"epsiloscope/teach/labs"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
)

// LecturePage writes one lecture as a page for teaching: its topics with remarks and charts, what its scenarios cost,
// its proofs with their numbers, and its exercises with hints and answers folded away. Everything comes from the tables
// that the explorer shows. The page needs no network and has no script.
func LecturePage(ctx context.Context, w io.Writer, d lectures.Deck) error {
	l := lecture{ctx: ctx, evaluator: scenarios.NewEvaluator(), drawn: map[string]bool{}}
	title := d.Author + ": " + d.Title
	l.begin(` class="lecture"`, title, title)
	l.add(`<p class="small">%s. The slides in our own words, with remarks; slides are counted from the title. Every ε is an upper bound, rounded up.</p>
`, d.Place)
	l.add("<nav><a href=\"#topics\">Topics</a> · <a href=\"#values\">Values</a> · <a href=\"#labs\">Labs</a> · <a href=\"#proofs\">Proofs</a> · <a href=\"#exercises\">Exercises</a></nav>\n<h2 id=\"topics\">Topics</h2>\n")
	for i, t := range d.Topics {
		l.writeTopic(i+1, t)
	}
	l.writeValues(d)
	l.writeLabs(d)
	l.writeProofs(d)
	l.writeExercises(d.Key)
	l.add("<p class=\"small\">Made with epsiloscope lectures export %s.</p>\n</body>\n</html>\n", d.Key)
	if l.err != nil {
		return l.err
	}
	_, err := io.WriteString(w, l.Builder.String())
	return err
}

// lecture is the page of a lecture in the making.
type lecture struct {
	page
	ctx       context.Context
	evaluator *scenarios.Evaluator
	drawn     map[string]bool // charts on the page, by scenario and kind
	err       error           // the first one; nothing is written then
}

// fail keeps the first error and reports whether there is one.
func (l *lecture) fail(err error) bool {
	if l.err == nil {
		l.err = err
	}
	return l.err != nil
}

func (l *lecture) writeTopic(number int, t lectures.Topic) {
	place := ""
	if t.Place() != "" {
		place = " (" + t.Place() + ")"
	}
	l.add("<section><h3>%s. %s<span class=\"small\">%s</span></h3>\n<p>%s</p>\n", number, t.Slides, place, typeset(t.Concept))
	if t.Slip != "" {
		l.add("<p class=\"remark\"><b>The slide.</b> %s</p>\n", typeset(t.Slip))
	}
	if t.Correction != "" {
		l.add("<p class=\"remark\"><b>%s.</b> %s</p>\n", t.Label(), typeset(t.Correction))
	}
	for _, link := range t.See {
		command, target := commandOf(link, t.Scenario()), anchor(link)
		switch {
		case command == "":
		case target == "":
			l.add("<code>%s</code> ", command)
		default:
			l.add("<a href=\"#%s\"><code>%s</code></a> ", target, command)
		}
	}
	for _, link := range t.See {
		closing := t.Number == "" // such a page has its chart in any case
		if link.Kind() == "chart" && t.Scenario() != "" && (closing || !l.drawn[t.Scenario()+" "+link.Name()]) {
			l.drawn[t.Scenario()+" "+link.Name()] = true
			l.writeChart(t.Scenario(), link.Name())
		}
	}
	l.add("</section>\n")
}

// anchor returns the id of the part of the page that shows a scenario, a lab or a proof; "" for a link of another kind.
func anchor(link lectures.Link) string {
	switch kind := link.Kind(); kind {
	case "scenario", "lab", "proof":
		return kind + "-" + link.Name()
	}
	return ""
}

// linksOfKind returns the links of a kind in the topics of a deck, each once, in the order of the slides.
func linksOfKind(d lectures.Deck, kind string) (list []lectures.Link) {
	for _, t := range d.Topics {
		for _, link := range t.See {
			if link.Kind() == kind && !slices.Contains(list, link) {
				list = append(list, link)
			}
		}
	}
	return list
}

// commandOf returns the command that shows a link; "" for a screen, which only the explorer has.
func commandOf(link lectures.Link, scenario string) string {
	switch link.Kind() {
	case "scenario":
		return "epsiloscope compare " + link.Name()
	case "chart":
		if scenario == "" {
			return ""
		}
		return "epsiloscope curve " + scenario + " " + link.Name()
	case "lab", "proof":
		return strings.TrimSpace("epsiloscope " + link.Kind() + " " + link.Name())
	}
	return ""
}

// writeChart draws one chart of a bundled scenario; a scenario that has none of the kind gets none.
func (l *lecture) writeChart(scenario, name string) {
	s, err := scenarios.LoadBundled(scenario)
	if l.fail(err) {
		return
	}
	kind, err := chart.FindKind(name)
	if l.fail(err) {
		return
	}
	c, err := kind.Build(l.ctx, s, chart.Options{Numerical: kind.Tight, Points: 30, Precision: 1e-2, MaxBars: 20})
	if l.fail(l.ctx.Err()) || err != nil || len(c.Series)+len(c.Bars) == 0 {
		return
	}
	l.draw(c.ForExport(s))
}

// draw writes a chart as a figure.
func (l *lecture) draw(c chart.Chart) {
	var b bytes.Buffer
	if l.fail(render.Write(&b, c, "svg", render.Options{Width: width + 140, Height: height - 40})) {
		return
	}
	l.add("\n<figure>%s</figure>\n", markup(b.String())) // draw escapes every text
}

// writeValues lists what the scenarios of the deck cost.
func (l *lecture) writeValues(d lectures.Deck) {
	type row struct{ name, what, best, numerical string }
	var rows []row
	l.add("<h2 id=\"values\">What the scenarios cost</h2>\n")
	for _, link := range linksOfKind(d, "scenario") {
		s, err := scenarios.LoadBundled(link.Name())
		if l.fail(err) {
			return
		}
		r, err := l.evaluator.Evaluate(l.ctx, s, scenarios.Options{})
		if l.fail(err) {
			return
		}
		next := row{link.Name(), report.Plain(s.Name), "no theorem gives a finite ε", ""}
		if b := r.BestBound(); b.Finite() {
			next.best = fmt.Sprintf("%s at δ = %s by %s", report.Upper(b.Epsilon), report.FormatGiven(b.Delta),
				report.TheoremPhrase(b.Method))
		}
		if b, ok := r.Bound(accounting.Numerical); ok && b.Finite() {
			next.numerical = report.Lower(b.Lower) + " to " + report.Upper(b.Epsilon)
		}
		rows = append(rows, next)
		l.add("<span id=\"%s\"></span>", anchor(link)) // the table below has every scenario that a topic links to
	}
	l.addTable(sheet.GridOf([]sheet.Column[row]{
		{Head: "scenario", Show: func(r row) string { return r.name }}, {Head: "what", Show: func(r row) string { return r.what }},
		{Head: "smallest bound on ε", Show: func(r row) string { return r.best }}, {Head: "certified interval", Show: func(r row) string { return r.numerical }},
	}, rows))
}

// writeLabs draws the first chart of every lab of the deck, run with its defaults, and what there is to see in it.
func (l *lecture) writeLabs(d lectures.Deck) {
	l.add("<h2 id=\"labs\">Labs</h2>\n<p class=\"small\">%s</p>\n", labs.Warning)
	for _, link := range linksOfKind(d, "lab") {
		out, err := labs.Run(l.ctx, link.Name(), labs.Options{Seed: 1})
		if l.fail(err) {
			return
		}
		l.add("<section id=\"%s\"><h3>%s</h3>\n<p>%s. <code>epsiloscope lab %s</code></p>\n<ul>", anchor(link), out.Lab.Title, typeset(out.Lab.Summary), link.Name())
		for _, says := range out.Says {
			l.add("\n<li>%s</li>", typeset(says))
		}
		l.add("\n</ul>\n")
		if len(out.Charts) > 0 {
			l.draw(out.Charts[0])
		}
		l.add("</section>\n")
	}
}

// writeProofs writes every proof that a topic of the deck links to.
func (l *lecture) writeProofs(d lectures.Deck) {
	l.add("<h2 id=\"proofs\">Proofs with numbers</h2>\n")
	for _, link := range linksOfKind(d, "proof") {
		p, known := proofs.Lookup(link.Name())
		if !known {
			l.fail(fmt.Errorf("there is no proof %s", link.Name()))
			return
		}
		w := p.WithNumbers(nil)
		l.add("<section id=\"%s\"><h3>%s</h3>\n<p class=\"small\">With the numbers of %s. <code>epsiloscope proof %s</code></p>\n<ol>", anchor(link), p.Title, typeset(w.Subject), p.Name)
		for _, s := range w.Steps {
			mark := "✓"
			if !s.Holds() {
				mark = "✗"
			}
			l.add("\n<li>%s<br/><span class=\"claim\">%s %s</span></li>", typeset(s.Says), mark, typeset(s.Claim()))
		}
		l.add("\n</ol></section>\n")
	}
}

func (l *lecture) writeExercises(deck string) {
	l.add("<h2 id=\"exercises\">Exercises</h2>\n<p class=\"small\">Hints and answers open with a click, and are printed only if they are open.</p>\n")
	for i, e := range exercises.Library() {
		if e.Deck != deck {
			continue
		}
		a, err := e.Answer(l.ctx)
		if l.fail(err) {
			return
		}
		answer := a.Text()
		for _, also := range a.Also {
			answer += fmt.Sprintf(" by %s; %s by %s, as in the deck", a.By.Name(), also.Text(), also.By.Name())
		}
		l.add("<section><p><b>%s.</b> %s <code>epsiloscope exercise %s --answer …</code></p>\n<details><summary>Hint</summary><p>%s</p></details>\n<details><summary>Answer</summary><p>%s</p></details></section>\n",
			i+1, typeset(e.Question), i+1, typeset(e.Hint), answer)
	}
}
