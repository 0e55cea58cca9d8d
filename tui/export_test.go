package tui

import (
	"bytes"
	"encoding/csv"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios"
	"epsiloscope/tui/home"
)

// Every chart and every screen is taken along with one key and a letter, and what is
// written is what it says it is.
func TestExport(t *testing.T) {
	for _, c := range []struct{ screen, form, file, holds string }{
		{"1", "p", "city-open-data-epsilon-k.png", ""},
		{"1", "s", "city-open-data-epsilon-k.svg", "City open data · unit: resident-year"},
		{"1", "c", "city-open-data-epsilon-k.csv", "K,basic"},
		{"1", "t", "city-open-data-epsilon-k.txt", "What it costs"},
		{"2", "s", "city-open-data-renyi.svg", "δ = 1e-6"},
		{"1", "h", "city-open-data.html", "What may be quoted"},
		{"w", "t", "city-open-data-why.txt", "numerical       ε ="}, // the last, below what is in sight
		{"w", "c", "city-open-data-why.csv", "method,status,epsilon"},
		{"E", "t", "city-open-data-statement.txt", "Not covered"},
		{"m", "t", "city-open-data-person.txt", "person"},
		{"D", "t", "city-open-data-versus.txt", ""},
		{"L", "t", "city-open-data-lectures.txt", "Lectures"},
		{"b", "t", "city-open-data-lab-", "Labs"},
		{"p", "t", "city-open-data-plan.txt", "Solve"},
	} {
		t.Run(c.screen+c.form, func(t *testing.T) {
			t.Chdir(t.TempDir())
			a := start(t, 120, 36, setup{accountant: accountants()})
			press(a, c.screen, "export", c.form)
			found, _ := filepath.Glob(c.file + "*")
			if len(found) != 1 {
				all, _ := filepath.Glob("*")
				t.Fatalf("no %s: %v, %q", c.file, all, a.Status.Text)
			}
			data, err := os.ReadFile(found[0])
			if err != nil || !strings.Contains(string(data), c.holds) {
				t.Errorf("%v: no %q in\n%.500s", err, c.holds, data)
			}
			if !strings.Contains(a.Status.Text, "wrote "+found[0]) {
				t.Errorf("it says %q", a.Status.Text)
			}
			switch filepath.Ext(found[0]) {
			case ".png":
				_, err = png.Decode(bytes.NewReader(data))
			case ".csv":
				_, err = csv.NewReader(bytes.NewReader(data)).ReadAll()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// A chart against the epochs of a training is called so.
func TestExportOfEpochs(t *testing.T) {
	t.Chdir(t.TempDir())
	s, err := scenarios.LoadBundled("dpsgd-tfprivacy")
	if err != nil {
		t.Fatal(err)
	}
	press(start(t, 120, 36, setup{scenario: s, charts: rememberedCharts()}), "export", "c")
	if found, _ := filepath.Glob("*-epochs.csv"); len(found) != 1 {
		all, _ := filepath.Glob("*")
		t.Errorf("it wrote %v", all)
	}
}

// Where the bounds stand without a chart it is they that are taken along.
func TestExportOfTheBounds(t *testing.T) {
	t.Chdir(t.TempDir())
	a := start(t, 70, 24, setup{})
	press(a, "chart.none", "export")
	if view := plainView(a); !strings.Contains(view, "Export: the bounds") || strings.Contains(view, "PNG") || strings.Contains(view, "the chart") {
		t.Errorf("it offers\n%s", view)
	}
	press(a, "c")
	if data, err := os.ReadFile("city-open-data-bounds.csv"); err != nil || !strings.HasPrefix(string(data), "method,status,epsilon") {
		t.Errorf("%v, %.200s", err, data)
	}
	press(a, "chart.1", "export")
	if view := plainView(a); !strings.Contains(view, "PNG") {
		t.Errorf("the chart that is shown is not offered:\n%s", view)
	}
}

// Nothing is written over, and files go beside the scenario's own.
func TestExportKeepsFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	a := start(t, 120, 36, setup{path: filepath.Join(dir, "plan.yaml")})
	press(a, "esc", "export", "c", "export", "c") // the review of what the accountant made up is up
	for _, name := range []string{"plan-epsilon-k.csv", "plan-epsilon-k-2.csv"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// What cannot be written says why.
func TestExportRefused(t *testing.T) {
	a := start(t, 120, 36, setup{path: filepath.Join(t.TempDir(), "gone", "plan.yaml")})
	press(a, "export", "t")
	if !a.Status.Bad {
		t.Errorf("it says %q", a.Status.Text)
	}
	t.Chdir(t.TempDir())
	a = start(t, 120, 36, setup{scenario: scenarios.New(), charts: home.ChartKinds()})
	press(a, "export", "p")
	if !a.Status.Bad || !strings.Contains(a.Status.Text, "nothing to draw") {
		t.Errorf("it says %q", a.Status.Text)
	}
}

// The clipboard gets what was asked for.
func TestExportCopies(t *testing.T) {
	a := start(t, 120, 36, setup{})
	var out bytes.Buffer
	a.Out = &out
	press(a, "export", "Y")
	if out.Len() == 0 || !strings.Contains(a.Status.Text, "clipboard") {
		t.Errorf("%d bytes, %q", out.Len(), a.Status.Text)
	}
}

// A scenario that cannot be evaluated has no figures: those of the one before it are neither
// shown nor handed out under its name.
func TestRefusedScenarioHasNoFigures(t *testing.T) {
	t.Chdir(t.TempDir())
	a := welcomed(t, 120, 36, setup{})
	press(a, "screen.statement")
	var out bytes.Buffer
	a.Out = &out
	a.Doc.Replace(refused(), "an edit", false)
	send(a, nil) // as after every message: the edit is evaluated
	for _, keys := range [][]string{{"y"}, {"Y"}, {"c"}, {"W", "h"}, {"W", "Y"}} {
		press(a, keys...)
		if !a.Status.Bad {
			t.Errorf("%q: it says %q", keys, a.Status.Text)
		}
		press(a, "statement.next-format") // another format of the statement
	}
	if files, _ := filepath.Glob("*"); out.Len() > 0 || len(files) > 0 {
		t.Errorf("%d bytes went to the clipboard, files %q", out.Len(), files)
	}
	press(a, "export", "t")
	text, err := os.ReadFile("city-open-data-statement.txt")
	header, _, _ := strings.Cut(ansi.Strip(a.View()), "\n")
	if err != nil || strings.Contains(string(text), "ε =") || strings.Contains(header, "ε =") {
		t.Errorf("%v\n%s\n%s", err, header, text)
	}
}

// A chart is exported as it stood when that was asked for.
func TestExportKeepsTheShape(t *testing.T) {
	a := welcomed(t, 120, 36, setup{})
	press(a, "chart.1")
	of := a.subject()
	press(a, "chart.ratio")
	now, err := a.subject().Chart(t.Context())
	then, failed := of.Chart(t.Context())
	if err != nil || failed != nil || then.Y.Label == now.Y.Label {
		t.Errorf("%v, %v: %q, then %q", err, failed, then.Y.Label, now.Y.Label)
	}
}

// Where no theorem gives an ε, there is no statement to copy, and waiting does not bring one.
func TestNoGuaranteeNoStatement(t *testing.T) {
	s := city()
	s.Budget.Delta = 0
	a := welcomed(t, 120, 36, setup{scenario: s})
	var out bytes.Buffer
	a.Out = &out
	press(a, "screen.statement", "statement.copy")
	if !onScreen(a, "no guarantee to state") || !a.Status.Bad || strings.Contains(a.Status.Text, "computing") || out.Len() > 0 {
		t.Errorf("it says %q:\n%s", a.Status.Text, a.View())
	}
}

// The palette knows the words that people look for.
func TestPaletteFindsExport(t *testing.T) {
	for _, word := range []string{"export", "picture", "png", "svg", "csv", "share", "html"} {
		a := start(t, 120, 36, setup{})
		press(a, "commands")
		typed(a, word)
		first := ""
		for _, l := range strings.Split(ansi.Strip(a.View()), "\n") {
			if strings.Contains(l, "┃ ▸") {
				first = l
			}
		}
		if !strings.Contains(first, "Export") && !strings.Contains(first, "Share") && !strings.Contains(first, "Picture") {
			t.Errorf("%s finds %q first", word, first)
		}
	}
}

// The question names the chart that is on the screen: of a training ε against its epochs.
func TestExportNamesTheChartOnTheScreen(t *testing.T) {
	s := newChartScript(t, "dp-sgd", rememberedCharts()).press("chart.1").sees("ε against the epochs")
	s.press("export").sees("Export: ε against the epochs")
}
