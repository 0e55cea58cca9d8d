// Package export exports what is on the screen: one key lists the forms, the next writes a file
// beside the scenario or copies. No file is ever overwritten.
package export

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report/chart"
	"epsiloscope/report/render"
	"epsiloscope/report/share"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/kit"
)

// Subject is the content that a screen exports.
type Subject struct {
	Title string                                     // "ε against K"
	Stem  string                                     // of a file's name: "epsilon-k"
	Text  string                                     // the screen in plain letters
	Chart func(context.Context) (chart.Chart, error) // nil: the screen has none
	// Caption is the subject of the picture if that is not the scenario, File the stem of files'
	// names.
	Caption, File string
}

// Giver is a screen with a subject of its own; of others the text is taken.
type Giver interface{ Share() Subject }

// Open lists the forms.
func Open(s *kit.Shell, of Subject) {
	version := s.Doc.Version()
	write := func(key, words, form string) kit.Binding {
		return kit.Bind(key, "", words, func() tea.Cmd {
			if s.Doc.Version() != version { // nothing goes under the name of another scenario
				return s.Complain(errors.New("the scenario has changed meanwhile; nothing was written"))
			}
			return Write(s, of, form)
		})
	}
	var list []kit.Binding
	numbers := "the comparison of the bounds, CSV"
	if of.Chart != nil {
		numbers = "the numbers of the chart, CSV"
		list = append(list, write("p", "write the chart as a picture, PNG", "png"), write("s", "write the chart as a drawing, SVG", "svg"))
	}
	list = append(list, write("c", "write "+numbers, "csv"), write("t", "write the text of the screen", "txt"),
		kit.Bind("y", "", "copy the text of the screen", func() tea.Cmd { return s.Copy(of.Text, "the text of the screen") }),
		kit.Bind("Y", "", "copy "+numbers, func() tea.Cmd {
			return produce(s, of, "csv", func(data []byte) (string, error) {
				return "the numbers were sent to the terminal’s clipboard as CSV", s.Clip(string(data))
			})
		}),
		write("h", "share the scenario: one HTML page, with its charts", "html"))
	dialogs.Ask(s, "Export: "+of.Title, "Files go to "+folder(s)+"; no file is overwritten.", list...)
}

// Write writes the subject in one form, in the background.
func Write(s *kit.Shell, of Subject, form string) tea.Cmd {
	if form == "html" {
		of.Stem, of.File = "", ""
	}
	dir, stem := folder(s), stemOf(s, of)
	s.Say("writing …")
	return produce(s, of, form, func(data []byte) (string, error) {
		path, err := create(dir, stem, form, data)
		return "wrote " + filepath.Base(path) + " to " + dir, err
	})
}

// produce makes a form in the background, puts it where it belongs, and says so.
func produce(s *kit.Shell, of Subject, form string, put func([]byte) (said string, err error)) tea.Cmd {
	if needed := form == "html" || form == "csv" && of.Chart == nil; needed && !s.RequireResult() {
		return nil
	}
	o, ctx := order{of, form, s.Doc.Scenario(), s.Result}, s.Jobs.Ctx
	return s.Jobs.Do(func() (func() tea.Cmd, error) {
		var b bytes.Buffer
		if err := o.write(ctx, &b); err != nil {
			return nil, err
		}
		said, err := put(b.Bytes())
		return kit.NoCmd(func() { s.Say(said) }), err
	})
}

// order is a form of a subject with all that it is made of: the explorer may go on meanwhile.
type order struct {
	Subject
	form     string
	scenario *scenarios.Scenario
	result   *scenarios.Result // final, where the form needs it
}

func (o order) write(ctx context.Context, w io.Writer) error {
	switch {
	case o.form == "txt":
		_, err := io.WriteString(w, strings.TrimRight(o.Text, "\n")+"\n")
		return err
	case o.form == "html":
		return share.Page(ctx, w, o.scenario, o.result)
	case o.Chart == nil:
		return sheet.Result(o.result, nil).Write(w, "csv")
	}
	c, err := o.Chart(ctx)
	switch {
	case err != nil:
		return err
	case o.form == "csv":
		return c.Sheet().Write(w, "csv")
	}
	// The screen has the title in a frame; the caption of a picture says which scenario it is about.
	if c.Title = cmp.Or(c.Title, o.Title); o.Caption == "" {
		c = c.ForExport(o.scenario)
	} else {
		c.Caption = o.Caption
	}
	return render.Write(w, c, o.form, render.Options{})
}

// folder returns where files go: beside the scenario's own, else where the explorer was started.
func folder(s *kit.Shell) string {
	if s.Doc.Path != "" {
		if path, err := filepath.Abs(filepath.Dir(s.Doc.Path)); err == nil {
			return path
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// stemOf returns the name of a file without its ending: of the scenario, then of the subject.
func stemOf(s *kit.Shell, of Subject) string {
	name := filepath.Base(cmp.Or(of.File, s.Doc.Path))
	if of.File == "" && s.Doc.Path == "" {
		name = share.FileName(s.Doc.Scenario().Name, "yaml")
	}
	name = strings.TrimSuffix(name, filepath.Ext(name))
	if of.Stem != "" {
		name += "-" + of.Stem
	}
	return name
}

// create makes a new file; where the name is taken it is numbered.
func create(dir, stem, ending string, data []byte) (string, error) {
	for n := 1; n < 1000; n++ {
		name := stem
		if n > 1 {
			name = fmt.Sprintf("%s-%d", stem, n)
		}
		path := filepath.Join(dir, name+"."+ending)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Close()); err != nil { // half a file is none
			err = errors.Join(err, os.Remove(path))
		}
		return path, err
	}
	return "", fmt.Errorf("%s has a thousand files named %s", dir, stem)
}
