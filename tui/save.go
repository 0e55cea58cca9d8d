package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report/share"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// saveThen writes the scenario to its file, after asking for a name if it has none, then calls then.
func (a *App) saveThen(then func() tea.Cmd) tea.Cmd {
	if a.Doc.Path == "" {
		return a.askName(then)
	}
	if !a.hasUnsavedWork() {
		a.Say("nothing to save: the file is up to date")
		return a.after(nil, then)()
	}
	return a.write(a.Doc.Path, false, then)
}

// hasUnsavedWork reports whether no file holds what is on the screen: it was changed, or its
// file is gone.
func (a *App) hasUnsavedWork() bool { return a.Doc.Dirty() || a.told == gone && a.Doc.Path != "" }

// wouldLoseChanges reports whether quitting discards edits, on the screen or in the document set aside by the
// tour.
func (a *App) wouldLoseChanges() bool {
	return a.hasUnsavedWork() || len(a.aside) > 0 || a.tour != nil && a.tour.mine.Dirty()
}

// write saves a copy in the background.
func (a *App) write(path string, force bool, then func() tea.Cmd) tea.Cmd {
	if a.saving {
		return a.Say("a save is in progress")
	}
	a.saving = true
	doc, s, version, st := a.Doc, a.Doc.ForSaving(), a.Doc.Version(), a.Store
	return a.Jobs.Do(func() (func() tea.Cmd, error) {
		save := s.Save
		if force {
			save = s.SaveForce
		}
		err := save(path)
		var noted error
		if err == nil { // now: whoever sees "saved" may quit at once
			noted = st.Remember(path)
		}
		return func() tea.Cmd { return a.finishSave(doc, s, version, path, err, a.after(noted, then)) }, nil
	})
}

// finishSave ends an attempt to save s, the copy of a version of a document, and then calls
// then. If another document was opened meanwhile, that is left alone.
func (a *App) finishSave(
	doc *document.Document, s *scenarios.Scenario, version int, path string, err error, then func() tea.Cmd,
) tea.Cmd {
	a.saving = false
	name := filepath.Base(path)
	overwrite := func() tea.Cmd { return a.write(path, true, then) }
	rename := func() tea.Cmd { return a.askName(then) }
	switch {
	case errors.Is(err, disk.ErrChanged) && a.Doc == doc:
		return dialogs.Interrupt(a.Shell, "Changed on disk",
			"Somebody else has written to "+name+" since it was opened. Saving now would overwrite their changes.",
			kit.Bind("o", "", "overwrite it with what is on the screen", overwrite),
			kit.Bind("r", "", "read it again and lose the changes on the screen (u brings them back)", a.forceReload),
			kit.Bind("n", "", "save under another name", rename),
		)
	case errors.Is(err, disk.ErrExists) && a.Doc == doc:
		return dialogs.Interrupt(a.Shell, "A file of that name exists", name+" is already there.",
			kit.Bind("o", "", "overwrite it", overwrite),
			kit.Bind("n", "", "choose another name", rename),
		)
	case err != nil:
		return a.Complain(err)
	}
	doc.MarkSaved(s, path, version)
	a.Say("saved " + name)
	if a.Doc != doc {
		return nil
	}
	a.evaluated = doc.Scenario() // the same content: nothing to compute
	if a.told == gone {
		a.told = ""
	}
	switch {
	case a.tour != nil: // the backup is of what waits for its end
	case doc.Dirty(): // edited while it was being saved
		a.backed = -1
	default:
		a.forget()
	}
	return then()
}

// after returns what comes next once a file is among the recent ones, or could not be put there.
func (a *App) after(noted error, then func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if noted != nil {
			a.Complain(noted)
		}
		if then == nil {
			return nil
		}
		return then()
	}
}

// askName asks where to save.
func (a *App) askName(then func() tea.Cmd) tea.Cmd {
	name := a.Doc.Path
	if name == "" {
		name = fileName(a.Doc)
	}
	return dialogs.Prompt{
		Title: "Save as", Help: "a file name; .yaml is added if it has no ending", Verb: "save",
		Check: func(s string) (string, error) {
			if s == "" {
				return "", errors.New("type a file name")
			}
			path, err := filepath.Abs(destination(s, name))
			if err != nil {
				return "", nil // saving will say why
			}
			return filepath.Base(path) + " in the folder " + filepath.Base(filepath.Dir(path)), nil
		},
		Done: func(s string) (tea.Cmd, error) {
			path := destination(s, name)
			if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
				return nil, errors.New("there is no folder " + draw.Clean(filepath.Dir(path)))
			}
			return a.write(path, false, then), nil
		},
	}.Open(a.Shell, name)
}

// destination returns the path to save to: what was typed or, if that is a folder, the suggested name in it.
func destination(s, suggested string) string {
	switch {
	case os.IsPathSeparator(s[len(s)-1]):
		return filepath.Join(s, filepath.Base(suggested))
	case filepath.Ext(s) == "":
		return s + ".yaml"
	}
	return s
}

// fileName returns a suggested file name, made of the scenario's name.
func fileName(d *document.Document) string {
	if d.Bundle != "" {
		return d.Bundle + ".yaml"
	}
	return share.FileName(d.Scenario().Name, "yaml")
}

// confirmLoss puts another document in the place of this one, after asking about changes that would be
// lost; those of a library scenario are set aside.
func (a *App) confirmLoss(what string, do func() tea.Cmd) tea.Cmd {
	return a.confirmLeaving(what, a.setsAside, do)
}

// confirmLeaving does something that leaves the document, after asking about changes that would be lost
// unless they are kept.
func (a *App) confirmLeaving(what string, kept func() bool, do func() tea.Cmd) tea.Cmd {
	do = a.afterTour(func(do func() tea.Cmd) tea.Cmd { return a.confirmLeaving(what, kept, do) }, do)
	if !a.hasUnsavedWork() || kept() {
		return do()
	}
	return dialogs.Ask(a.Shell, unsavedTitle,
		"This scenario has unsaved changes. "+what+".",
		kit.Bind("s", "", "save them first", func() tea.Cmd { return a.saveThen(do) }),
		kit.Bind("d", "", "discard them", do),
	)
}

// unsavedTitle is the title of the question about unsaved changes.
const unsavedTitle = "Unsaved changes"

func (a *App) quit() tea.Cmd {
	if len(a.Dialogs) > 0 { // a second ctrl+c in the question leaves for good
		if c, ok := a.Dialogs[len(a.Dialogs)-1].(*dialogs.Confirm); ok && c.Title == unsavedTitle {
			return a.leave()
		}
	}
	a.Dialogs = nil
	never := func() bool { return false }
	return a.confirmLeaving("Quitting loses them", never, func() tea.Cmd { return a.confirmAside(a.leave) })
}

func (a *App) leave() tea.Cmd {
	a.quiet = true
	a.asideJob.Stop()
	if err := a.Store.BackupAside(context.Background(), nil); err != nil { // it was given up
		a.Store.Log("what was set aside stays kept: " + err.Error())
	}
	a.forget()
	a.Jobs.Cancel()
	return tea.Quit
}
