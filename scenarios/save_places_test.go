package scenarios

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// place is where a save goes: a folder with a file, perhaps behind links.
//
//	here/plan.yaml       the path a user names, if there are no links
//	there/real.yaml      what links lead to
//	door → here          a link to the folder
type place struct {
	dir    string
	link   string // "", or one of the shapes below
	old    string // what the file holds; "" if there is none
	mode   os.FileMode
	loaded bool // the scenario was read from the file
}

// linkShapes are how here/plan.yaml may lead to there/real.yaml.
var linkShapes = map[string][][2]string{
	"absolute":       {{"ABSOLUTE/there/real.yaml", "here/plan.yaml"}},
	"relative":       {{"../there/real.yaml", "here/plan.yaml"}},
	"two":            {{"../there/next.yaml", "here/plan.yaml"}, {"real.yaml", "there/next.yaml"}},
	"linked folders": {{"there/below", "door"}, {"../real.yaml", "there/below/plan.yaml"}},
}

// path returns the path that the user names.
func (p place) path() string {
	if p.link == "linked folders" { // where door/../real.yaml is not what it looks like
		return filepath.Join(p.dir, "door", "plan.yaml")
	}
	return filepath.Join(p.dir, "here", "plan.yaml")
}

// target returns the file that path means.
func (p place) target() string {
	if p.link == "" {
		return p.path()
	}
	return filepath.Join(p.dir, "there", "real.yaml")
}

func drawPlace(t *rapid.T, dir string) place {
	shapes := []string{"", "", "absolute", "relative", "two", "linked folders"}
	p := place{
		dir: dir, link: rapid.SampledFrom(shapes).Draw(t, "link"),
		mode: rapid.SampledFrom([]os.FileMode{0o644, 0o600, 0o640, 0o666}).Draw(t, "mode"),
	}
	if rapid.IntRange(0, 4).Draw(t, "old") > 0 {
		p.old = version(rapid.IntRange(1, 80).Draw(t, "version"))
		p.loaded = rapid.IntRange(0, 3).Draw(t, "loaded") > 0
	}
	return p
}

// prepare makes the folder and gives the scenario to be saved into it.
func (p place) prepare(t interface {
	Helper()
	Fatalf(string, ...any)
}) *Scenario {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v", err)
		}
	}
	for _, d := range []string{"here", "there/below"} {
		must(os.MkdirAll(filepath.Join(p.dir, d), 0o755))
	}
	for _, l := range linkShapes[p.link] {
		to := l[0]
		if rest, ok := strings.CutPrefix(to, "ABSOLUTE"); ok {
			to = p.dir + rest
		}
		must(os.Symlink(to, filepath.Join(p.dir, l[1])))
	}
	if p.old != "" {
		must(os.WriteFile(p.target(), []byte(p.old), 0o600))
		must(os.Chmod(p.target(), p.mode)) // whatever the umask
	}
	if p.loaded {
		s, err := Load(p.path())
		must(err)
		return s
	}
	s, err := Parse("", []byte(version(5)))
	must(err)
	return s
}

func (p place) judgeLinks(t interface{ Fatalf(string, ...any) }, told string) {
	for _, l := range linkShapes[p.link] {
		if info, err := os.Lstat(filepath.Join(p.dir, l[1])); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Fatalf("%s: the link %s is gone", told, l[1])
		}
	}
}

// litter returns every file that nobody named.
func (p place) litter(t interface{ Fatal(...any) }) []string {
	known := []string{"plan.yaml", "real.yaml", "next.yaml", "door", "elsewhere.yaml"}
	var left []string
	err := filepath.WalkDir(p.dir, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !e.IsDir() && !slices.Contains(known, e.Name()) {
			left = append(left, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// meanwhile is what another program does to the file during a save.
type meanwhile struct {
	name  string
	text  string // what it leaves in the file; "" if it writes nothing
	moves bool   // it makes the path lead elsewhere, or nowhere
	act   func(target string) error
}

func (m meanwhile) do(t *rapid.T, p place) {
	if m.act == nil {
		return
	}
	if err := m.act(p.target()); err != nil {
		t.Fatal(err)
	}
}

const theirs = "version: 1\nname: theirs\nstack: []\n"

var others = []meanwhile{
	{name: "does nothing"},
	{name: "writes into it", text: theirs, act: func(f string) error { return os.WriteFile(f, []byte(theirs), 0o644) }},
	{name: "renames over it", text: theirs, act: func(f string) error {
		swap := filepath.Join(filepath.Dir(f), "elsewhere.yaml")
		if err := os.WriteFile(swap, []byte(theirs), 0o644); err != nil {
			return err
		}
		return os.Rename(swap, f)
	}},
	{name: "removes it", act: func(f string) error { os.Remove(f); return nil }},
	{name: "makes it a link", moves: true, act: func(f string) error {
		os.Remove(f)
		return os.Symlink("elsewhere.yaml", f)
	}},
	{name: "makes it a folder", moves: true, act: func(f string) error {
		os.Remove(f)
		return os.Mkdir(f, 0o755)
	}},
}
