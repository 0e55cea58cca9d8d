package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/tui/export"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// compared is what compare -o json writes, as a script reads it.
type compared struct {
	Target struct{ Epsilon, Delta *float64 }
	Bounds []struct {
		Method, Status, Note string
		Epsilon, Alpha       *float64
		Lower                *float64 `json:"epsilon_lower"`
	}
	Best *struct {
		Method  string
		Epsilon float64
	}
	Entries []struct{ Share *float64 }
}

func compareJSON(t *testing.T, s *scenarios.Scenario) compared {
	t.Helper()
	r, err := scenarios.Evaluate(accountants().Context(context.Background()), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sheet.Result(r, nil).Write(&b, "json"); err != nil {
		t.Fatal(err)
	}
	var c compared
	if err := json.Unmarshal(b.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// Every figure on home is the one compare prints for the same scenario, for every bundled
// scenario and after a change: the explorer computes nothing of its own. The quick form looks
// at every eighteenth scenario, and changes every third of those.
func TestFiguresAreThoseOfCompare(t *testing.T) {
	gauge.Sequential(t)
	figures := 0
	for i, info := range gauge.Some(18, scenarios.LibraryInfos()) {
		t.Run(info.Name, func(t *testing.T) {
			s, err := scenarios.LoadBundled(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Stack) == 0 {
				t.Skip("nothing is released")
			}
			a := start(t, 200, 55, setup{scenario: s, accountant: accountants()})
			press(a, "home.forms") // the other forms of theorems are folded at first
			if s.Budget.Harm.Kind() != "" {
				figures += compareHarm(t, a, s)
				press(a, "knob.up")
				figures += compareHarm(t, a, a.Doc.Scenario())
				return
			}
			figures += compareScreen(t, a, compareJSON(t, s))
			if i%gauge.Cases(3, 1) == 0 {
				press(a, "knob.up")
				figures += compareScreen(t, a, compareJSON(t, a.Doc.Scenario()))
			}
		})
	}
	t.Logf("%d figures of %d scenarios", figures, len(gauge.Some(18, scenarios.LibraryInfos())))
}

// boundRow is a row of the table as it is read.
type boundRow struct {
	star, name, figure string
	count, mark, note  string
	other              []string // cells that are none of these, from the left
}

// readBounds reads the table off the screen.
func readBounds(a *App) (rows []boundRow, all string) {
	for _, l := range a.home.Pane(layout.Bounds).View(false) {
		cells := []rune(ansi.Strip(l)) // border, space, marker 2, then 13 cells of name
		all += string(cells[2:len(cells)-2]) + "\n"
		r := boundRow{star: strings.TrimSpace(string(cells[2:4])), name: strings.TrimSpace(string(cells[4:17]))}
		// The dots have a test of their own.
		isDot := func(r rune) bool { return strings.ContainsRune(" ·─●→★┊", r) }
		fields := strings.FieldsFunc(string(cells[17:len(cells)-2]), isDot)
		if len(fields) == 0 {
			continue
		}
		r.figure = fields[0]
		for _, f := range fields[1:] {
			switch {
			case strings.Contains("✓✗≈", f):
				r.mark = f
			default:
				r.count, r.other = f, append(r.other, f)
			}
		}
		if len(fields) > 1 {
			r.note = strings.Join(fields[1:], " ")
		}
		rows = append(rows, r)
	}
	return rows, all
}

// readSlack reads the slack of every theorem off the screen of reasons, one line each: its name and the factor.
func readSlack(a *App) (all string) {
	press(a, "screen.why")
	defer press(a, "esc")
	for _, l := range strings.Split(a.screens[a.screen].pane.(interface{ Share() export.Subject }).Share().Text, "\n") {
		if claim, _, ok := strings.Cut(l, " the certified lower end"); ok && strings.Contains(claim, "ε ") {
			fields := strings.Fields(claim)
			name, _, _ := strings.Cut(claim, "  ")
			all += strings.TrimSpace(name) + "|" + fields[len(fields)-1] + "\n"
		}
	}
	return all
}

// byAttack is in the note of a lower end that an attack reaches, far below ε.
const byAttack = "by the best attack known"

// compareScreen holds home against the JSON and returns how many figures it compared.
func compareScreen(t *testing.T, a *App, want compared) (figures int) {
	t.Helper()
	if a.Pending {
		t.Fatal("the answer has not come")
	}
	rows, all := readBounds(a)
	why := readSlack(a)
	budget, lower := 0.0, 0.0
	if want.Target.Epsilon != nil {
		budget = *want.Target.Epsilon
	}
	for _, b := range want.Bounds {
		if b.Lower != nil && b.Status == string(accounting.Valid) {
			lower = *b.Lower
		}
		if strings.Contains(b.Note, byAttack) { // which says nothing about a theorem
			if lower = 0; strings.Contains(why, "×") {
				t.Errorf("a slack against what an attack reaches:\n%s", why)
			}
		}
	}
	equal := func(what, got, want string) {
		t.Helper()
		if figures++; got != want {
			t.Errorf("%s: the screen says %q, compare %q\n%s", what, got, want, all)
		}
	}
	at := -1
	for i, r := range rows { // the rows follow the head of the table
		if r.name == "bound" {
			at = i + 1
		}
	}
	if at < 0 || at+len(want.Bounds) > len(rows) {
		t.Fatalf("no table of %d rows:\n%s", len(want.Bounds), all)
	}
	for i, b := range want.Bounds {
		r := rows[at+i]
		alpha := b.Alpha
		if strings.Contains(b.Note, "α = ∞") { // JSON has no infinity
			infinite := math.Inf(1)
			alpha = &infinite
		}
		equal(b.Method+" name", r.name, tableName(b.Method, alpha))
		star := ""
		if want.Best != nil && want.Best.Method == b.Method {
			star = "★"
		}
		equal(b.Method+" star", r.star, star)
		if b.Epsilon == nil {
			word := "n/a"
			if b.Status == string(accounting.Vacuous) {
				word = "∞"
			}
			equal(b.Method, r.figure, word)
			// A narrow row has a part of the reason, perhaps with a capital letter of its own.
			reason := strings.ToLower(strings.TrimSuffix(r.note, "…"))
			note := strings.ToLower(strings.Join(strings.Fields(b.Note), " "))
			if reason == "" || !strings.Contains(note, reason) {
				t.Errorf("%s: the screen says %q, compare %q", b.Method, reason, note)
			}
			continue
		}
		equal(b.Method, r.figure, report.Upper(*b.Epsilon))
		if slack := kit.SlackText(*b.Epsilon / lower); lower > 0 && !strings.Contains(why, r.name+"|"+slack) {
			t.Errorf("%s: the screen of reasons does not say that it is %s the certified lower end\n%s", b.Method, slack, why)
		}
		mark := ""
		switch {
		case b.Status == string(accounting.Unproven):
			mark = "≈"
		case budget > 0 && *b.Epsilon <= accounting.BudgetLimit(budget):
			mark = "✓"
		case budget > 0:
			mark = "✗"
		}
		equal(b.Method+" mark", r.mark, mark)
		figures += checkLeft(t, a, b.Method, b.Status, r.count)
	}
	figures += compareHeadline(t, a, want, all)
	return figures + compareShares(t, a, want)
}

// compareHarm holds home against the table that compare prints for a budget in terms of harm: ε, the harm that a bound
// implies, and whether that is within the budget. The star is at the least harm.
func compareHarm(t *testing.T, a *App, s *scenarios.Scenario) (figures int) {
	t.Helper()
	r, err := scenarios.Evaluate(accountants().Context(context.Background()), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sheet.Result(r, nil).Write(&b, "table"); err != nil {
		t.Fatal(err)
	}
	shown, all := readBounds(a)
	least, star := math.Inf(1), ""
	for _, line := range strings.Split(b.String(), "\n") {
		cells := strings.Fields(strings.TrimPrefix(line, "★"))
		slack := slices.IndexFunc(cells, func(c string) bool { return strings.HasSuffix(c, "×") })
		if len(cells) < 2 || slack < 0 || slack+1 >= len(cells) {
			continue
		}
		name := accounting.Method(cells[0]).Name()
		i := slices.IndexFunc(shown, func(r boundRow) bool {
			return r.name == name || strings.HasPrefix(r.name, name+" α")
		})
		_, err := strconv.ParseFloat(cells[slack+1], 64)
		if i >= 0 && shown[i].mark == "≈" && err != nil && len(shown[i].other) == 0 {
			continue // an approximation implies no harm
		}
		if i < 0 || len(shown[i].other) == 0 {
			t.Fatalf("%s is not on the screen:\n%s", name, all)
		}
		got, want := shown[i], cells[slack+1]
		if printed := strings.HasPrefix(line, "★"); printed != (got.star == "★") {
			t.Errorf("%s: a star in the table of compare: %t, on the screen %q", name, printed, got.star)
		}
		mark := map[string]string{"✓": "✓", "over": "✗"}[strings.Join(cells[slack+2:min(slack+3, len(cells))], "")]
		if got.figure != cells[1] || got.other[0] != want || got.mark != mark {
			t.Errorf("%s: the screen says ε %s, harm %s, %s, compare %s\n%s", name, got.figure, got.other[0], got.mark, line, all)
		}
		if x, err := strconv.ParseFloat(want, 64); err == nil && x < least {
			least, star = x, got.name
		}
		figures += 4
	}
	i := slices.IndexFunc(shown, func(r boundRow) bool { return r.star == "★" })
	if figures == 0 || i < 0 || shown[i].name != star {
		t.Errorf("the star is not at %s:\n%s\n%s", star, all, b.String())
	}
	return figures
}

// tableName returns a theorem with its order, as the narrow column has it.
func tableName(method string, alpha *float64) string {
	m := accounting.Method(method)
	b := accounting.Bound{Method: m, Status: accounting.Valid}
	if alpha != nil {
		b.Alpha = *alpha
	} else if m == accounting.RDP || m == accounting.RDPPinned {
		return m.Name()
	}
	return kit.MethodName(b)
}

// compareHeadline holds the large figure, the interval and the verdict.
func compareHeadline(t *testing.T, a *App, want compared, all string) (figures int) {
	t.Helper()
	view := strings.NewReplacer("over budget ", "over the budget of ").Replace(ansi.Strip(a.View())) // where room is short
	texts := []string{"What it costs at δ = " + report.FormatGiven(*want.Target.Delta)}
	if want.Best != nil {
		upper := report.Upper(want.Best.Epsilon)
		large, _ := a.Pen.Large(a.Pen.Text, "ε "+upper)
		for _, l := range large {
			texts = append(texts, strings.TrimRight(ansi.Strip(l), " "))
		}
		for _, b := range want.Bounds {
			if b.Method == want.Best.Method && b.Lower != nil && *b.Lower > 0 {
				if strings.Contains(b.Note, byAttack) {
					texts = append(texts, "at least "+report.Lower(*b.Lower))
					continue
				}
				texts = append(texts, report.Lower(*b.Lower)+" – "+upper)
			}
		}
		if budget := want.Target.Epsilon; budget != nil {
			verdict := "over the budget of " + report.FormatGiven(*budget) + " by " + report.Upper(want.Best.Epsilon-*budget)
			if want.Best.Epsilon <= accounting.BudgetLimit(*budget) {
				verdict = "fits the budget of " + report.FormatGiven(*budget)
			}
			texts = append(texts, verdict)
		}
	}
	for _, s := range texts {
		if figures++; !strings.Contains(view, s) {
			t.Errorf("%q is not on the screen:\n%s", s, all)
		}
	}
	return figures
}

// compareShares holds the shares in the stack, as far as it is in sight.
func compareShares(t *testing.T, a *App, want compared) (figures int) {
	t.Helper()
	var shown []string
	for _, l := range a.home.Pane(layout.Stack).View(false) {
		for _, f := range strings.Fields(ansi.Strip(l)) {
			if strings.HasSuffix(f, "%") {
				shown = append(shown, f)
			}
		}
	}
	var all []string
	for _, e := range want.Entries {
		if e.Share != nil {
			share := fmt.Sprintf("%.0f%%", math.Round(100**e.Share))
			if share == "0%" && *e.Share > 0 {
				share = "<1%"
			}
			all = append(all, share)
		}
	}
	if len(shown) > len(all) {
		t.Fatalf("shares %v on the screen, %v in compare", shown, all)
	}
	for i := range shown {
		if figures++; len(want.Entries) <= 8 && shown[i] != all[i] {
			t.Errorf("shares %v on the screen, %v in compare", shown, all)
		}
	}
	return figures
}

// checkLeft holds a count of queries left against the closed bounds themselves: with
// so many more of the selected entry the budget holds, with one more it does not.
func checkLeft(t *testing.T, a *App, method, status, shown string) (figures int) {
	t.Helper()
	budget := a.Doc.Scenario().Budget.Epsilon
	row, ok := a.Doc.SelectedRow()
	n, err := strconv.ParseFloat(shown, 64)
	if budget <= 0 || !ok || row.Block() || row.Depth() > 0 ||
		method == string(accounting.Numerical) || status != string(accounting.Valid) {
		return 0
	}
	if shown == "∞" || strings.Contains(shown, "e") || err == nil && n >= 1e4 { // shortened
		return 0
	}
	if err != nil {
		t.Errorf("%s: %q left", method, shown)
		return 0
	}
	fits := func(more float64) bool {
		s := *a.Doc.Scenario()
		s.Stack = append([]scenarios.Entry{}, s.Stack...)
		s.Stack[row.Top()].Count += more
		r, err := scenarios.Evaluate(context.Background(), &s, scenarios.Options{ClosedFormsOnly: true})
		if err != nil { // a memoised report cannot be repeated
			return false
		}
		b, _ := r.Bound(accounting.Method(method))
		return b.Fits(budget)
	}
	if n > 0 && !fits(n) || n >= 0 && fits(n+1) || math.IsNaN(n) {
		t.Errorf("%s: %s left, but with them it fits: %t, with one more: %t", method, shown, fits(n), fits(n+1))
	}
	return 1
}
