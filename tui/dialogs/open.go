package dialogs

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// opener is one fuzzy list over the recent files, the scenario files of this folder and
// the library, with what each of them costs below it.
type opener struct {
	*kit.Shell
	title   string
	verb    string             // what enter does
	chosen  func(Item) tea.Cmd // does it
	pick    *Picker
	preview previewMsg
	asked   string
	job     jobs.Job
}

// Choose lets a scenario be chosen, any but the file named.
func Choose(s *kit.Shell, title, verb, but string, chosen func(Item) tea.Cmd) tea.Cmd {
	d := &opener{Shell: s, title: title, verb: verb, chosen: chosen}
	var items []Item
	for _, b := range scenarios.Bundled() { // in the order of their groups
		items = append(items, Item{Name: b.Name, Title: b.Title, note: b.Group, Group: "library", head: "library: " + b.Group})
	}
	d.pick = NewPicker(s, items)
	s.Push(d)
	st := s.Store
	list := s.Jobs.Command(func() tea.Msg { return listedMsg{findFiles(st.Recent(), but)} })
	return tea.Batch(list, d.look())
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
		items = append(items, Item{Name: path, note: note, Group: "file", head: head})
	}
	wd, _ := os.Getwd()
	for _, p := range recent {
		if rel, err := filepath.Rel(wd, p); err == nil && !strings.HasPrefix(rel, "..") {
			p = rel
		}
		add(p, "recent", "recent files")
	}
	for _, pattern := range []string{"*.yaml", "*.yml", "*/*.yaml", "*/*.yml"} {
		found, _ := filepath.Glob(pattern)
		for _, p := range found[:min(len(found), 500)] {
			add(p, "folder", "this folder")
		}
	}
	return items
}

// listedMsg is what was found; previewMsg the bound of one of them.
type listedMsg struct{ items []Item }

type previewMsg struct {
	name string
	text []string
}

func (d *opener) HandleKey(msg tea.KeyMsg) tea.Cmd {
	if d.pick.Handle(msg) {
		return d.look()
	}
	d.Pop()
	d.job.Stop()
	if msg.String() != "enter" {
		return nil
	}
	it, ok := d.pick.chosen()
	if !ok { // what was typed may be a path the list does not have
		path := strings.TrimSpace(d.pick.Input.Value())
		if path == "" {
			return nil
		}
		it = Item{Name: path, Group: "file"}
	}
	return d.chosen(it)
}

// look asks for the bound of the selected scenario.
func (d *opener) look() tea.Cmd {
	it, ok := d.pick.chosen()
	if !ok || it.Name == d.asked {
		return nil
	}
	d.asked = it.Name
	account := d.Accountant
	return d.Jobs.Start(&d.job, jobs.PauseLeft, func(ctx context.Context, emit func(tea.Msg)) {
		s, err := Load(it)
		if err != nil {
			emit(previewMsg{it.Name, []string{err.Error()}})
			return
		}
		out := []string{s.Name}
		if r, err := kit.Certified(ctx, account, s); err != nil {
			out = append(out, err.Error())
		} else if r != nil {
			out = append(out, report.Answer(r), report.Verdict(r))
		}
		if ctx.Err() == nil {
			emit(previewMsg{it.Name, append(out, s.Description)})
		}
	})
}

// Load reads the scenario of an item.
func Load(it Item) (*scenarios.Scenario, error) {
	if it.Group == "library" {
		return scenarios.LoadBundled(it.Name)
	}
	return scenarios.Load(it.Name)
}

// Receive takes the files found and the preview.
func (d *opener) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listedMsg:
		d.join(msg.items)
		return d.look()
	case previewMsg:
		d.preview = msg
	}
	return nil
}

// join puts the files found before the library, because they are somebody's own: those
// used lately, then those of the folder. What is selected stays so once it was chosen.
func (d *opener) join(files []Item) {
	at, was := d.pick.At, Item{}
	if it, ok := d.pick.chosen(); ok {
		was = it
	}
	d.pick.set(slices.Concat(files, d.pick.items))
	if at > 0 || d.pick.Input.Value() != "" {
		d.pick.At = max(0, slices.IndexFunc(d.pick.Found, func(i int) bool { return d.pick.items[i] == was }))
	}
}

// write sets the preview: name, what it costs and whether that fits, description.
func (d *opener) write(out *kit.Writer, said []string) {
	p := out.Pen
	out.Prose(p.Strong, said[0])
	said = said[1:]
	if len(said) >= 2 && text.Width(said[0])+text.Width(said[1])+2 <= out.W {
		ink := p.Good
		if strings.HasPrefix(said[1], "over") {
			ink = p.Over
		}
		out.Add(p.Line(out.W).Put(p.Winner, said[0]).Skip(2).Put(ink, said[1]))
		said = said[2:]
	}
	for _, l := range said {
		out.Prose(p.Muted, l)
	}
}

func (d *opener) View(w, h int) []string {
	w, h = min(w-2, 110), min(h-1, 40)
	inner, rows := draw.Inner(w, h)
	below := min(8, rows/3)
	lines := text.Box(d.pick.lines(inner, rows-1-below, 26), inner, rows-1-below)
	p := d.Pen
	out := kit.NewWriter(p, inner, append(lines, text.Space(inner))...)
	if it, ok := d.pick.chosen(); ok && d.preview.name == it.Name {
		d.write(out, d.preview.text)
	}
	if len(out.Lines) > rows-1 && rows > 1 { // the description goes on
		out.Lines[rows-2] = p.Line(inner).Put(p.Muted, kit.GoesOn(strings.TrimRight(ansi.Strip(out.Lines[rows-2]), " "), inner)).String()
	}
	return d.Boxed(d.title, out.Lines, "search: your files and the library   enter "+d.verb+"   esc cancel", w, h)
}
