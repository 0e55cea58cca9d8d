package dialogs

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// Choose lets a scenario be chosen, any but the file named: one list over the recent files,
// the scenario files of this folder and the library, with what each of them costs below it.
// The items given first come before all others, further ones between the files and the library.
func Choose(s *kit.Shell, title, verb, but string, first, further []Item, chosen func(Item) tea.Cmd) tea.Cmd {
	var items []Item
	for _, b := range scenarios.LibraryInfos() { // in the order of their groups
		items = append(items, Item{Name: b.Name, Title: b.Title, note: b.Group, Group: "library", Head: "library: " + b.Group})
	}
	d := &picking{Picker: NewPicker(s, items), title: title, verb: verb, remark: "search: your files and the library", paths: true,
		w: 110, h: 40, chosen: chosen, names: func(inner int) int { return min(37, inner*2/5) },
		lines: func(_, rows int) int { return min(8, rows/3) }}
	d.moved, d.below = d.look, d.write
	s.Push(d)
	recent := s.Store.Recent
	list := s.Jobs.Do(func() (func() tea.Cmd, error) {
		files := findFiles(recent(), but)
		return func() tea.Cmd { d.join(slices.Concat(first, files, further)); return d.look() }, nil
	})
	return tea.Batch(list, d.look())
}

// ChooseFile lets a file of this folder with an ending be chosen, or its path be typed.
func ChooseFile(s *kit.Shell, title, ending string, chosen func(path string) tea.Cmd) tea.Cmd {
	d := &picking{Picker: NewPicker(s, nil), title: title, verb: "open", remark: "search: this folder, or type a path or an address", paths: true, w: 76, h: 16,
		names: func(inner int) int { return inner - 12 }, chosen: func(it Item) tea.Cmd { return chosen(it.Name) }}
	d.nothing = "no " + ending + " file in this folder matches; type a path"
	s.Push(d)
	return s.Jobs.Do(func() (func() tea.Cmd, error) {
		var items []Item
		for _, p := range inFolder("*"+ending, "*/*"+ending) {
			items = append(items, Item{Name: p, note: "folder", Group: "file"})
		}
		return kit.NoCmd(func() { d.set(items) }), nil
	})
}

// inFolder lists the files of some patterns, not too many of each.
func inFolder(patterns ...string) (list []string) {
	for _, p := range patterns {
		found, _ := filepath.Glob(p)
		found = slices.DeleteFunc(found[:min(len(found), 500)], func(path string) bool {
			info, err := os.Stat(path)
			return err == nil && info.IsDir()
		})
		list = append(list, found...)
	}
	return list
}

// findFiles lists recent files and those of the folder the explorer was started in,
// all but one.
func findFiles(recent []string, but string) []Item {
	var items []Item
	seen := map[string]bool{}
	if but, err := filepath.Abs(but); err == nil {
		seen[but] = true
	}
	add := func(path, note, head string) {
		abs, err := filepath.Abs(path)
		if err != nil || seen[abs] {
			return
		}
		seen[abs] = true
		items = append(items, Item{Name: path, note: note, Group: "file", Head: head})
	}
	wd, _ := os.Getwd()
	for _, p := range recent {
		if rel, err := filepath.Rel(wd, p); err == nil && !strings.HasPrefix(rel, "..") {
			p = rel
		}
		add(p, "recent", "recent files")
	}
	for _, p := range inFolder("*.yaml", "*.yml", "*/*.yaml", "*/*.yml") {
		add(p, "folder", "this folder")
	}
	return items
}

// look asks for the bound of the selected scenario.
func (d *picking) look() tea.Cmd {
	it, ok := d.Selection()
	if !ok {
		return nil
	}
	account := d.Accountant
	return d.seen.Ask(d.Jobs, jobs.PauseLeft, it, func(ctx context.Context, tell func([]string, error)) {
		tell(preview(ctx, account, it), nil)
	})
}

// preview returns the name of a scenario, what it costs and its description, or why it has none.
func preview(ctx context.Context, account kit.Evaluator, it Item) []string {
	s, err := Load(it)
	if err != nil {
		return []string{"This cannot be opened as a scenario:", strings.ReplaceAll(err.Error(), "\n", "; ")}
	}
	out := []string{s.Name}
	if r, err := kit.EvaluateFully(ctx, account, s); err != nil {
		out = append(out, err.Error())
	} else if r != nil {
		out = append(out, report.Answer(r), report.Verdict(r))
	}
	paragraphs := strings.FieldsFunc(s.Description, func(r rune) bool { return r == '\n' })
	return append(out, strings.Join(paragraphs, " "))
}

// Load reads the scenario of an item.
func Load(it Item) (*scenarios.Scenario, error) {
	if it.Scenario != nil {
		return it.Scenario, nil
	}
	if it.Group == "library" {
		return scenarios.LoadBundled(it.Name)
	}
	return scenarios.Load(it.Name)
}

// join puts the files found before the library, because they are the user's own: those used
// lately, then those of the folder. The selection stays once it was chosen.
func (d *picking) join(files []Item) {
	at := d.At
	was, _ := d.Selection()
	d.set(slices.Concat(files, d.items))
	if at > 0 || d.Input.Value() != "" {
		d.At = max(0, slices.IndexFunc(d.Found, func(i int) bool { return d.items[i] == was }))
	}
}

// write sets the preview of what is selected.
func (d *picking) write(out *kit.Writer, most int) {
	if it, ok := d.Selection(); !ok || !d.seen.Known || d.seen.Of != it {
		return
	}
	p, said := out.Pen, d.seen.Answer
	out.Prose(p.Strong, said[0])
	said = said[1:]
	if len(said) >= 2 && draw.Width(said[0])+draw.Width(said[1])+2 <= out.W { // what it costs and whether that fits
		out.Add(p.Line(out.W).Put(p.Winner, said[0]).Skip(2).Put(verdictInk(p, said[1]), said[1]))
		said = said[2:]
	}
	for _, l := range said {
		out.Prose(p.Muted, l)
	}
	if len(out.Lines) > most && most > 0 { // the description goes on
		last := strings.TrimRight(ansi.Strip(out.Lines[most-1]), " ")
		out.Lines[most-1] = p.Line(out.W).Put(p.Muted, kit.GoesOn(last, out.W)).String()
	}
}
