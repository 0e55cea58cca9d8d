package scenarios

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"epsiloscope/mechanisms/param"
)

// The library is grouped in folders: lectures, deployments and patterns.
//
//go:embed library
var library embed.FS

// groups is the order in which the library lists its folders.
var groups = []string{"lectures", "deployments", "patterns"}

// Info describes one scenario of the embedded library.
type Info struct {
	Name  string // what the command line calls it: "welcome"
	Group string // lectures, deployments or patterns
	Title string // the scenario's own name

	source string
}

// bundledFiles lists the library without decoding it.
var bundledFiles = sync.OnceValue(func() (files []Info) {
	for _, group := range groups {
		entries, _ := library.ReadDir("library/" + group)
		for _, e := range entries {
			if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok {
				if f, ok := loadInfo(group, name); ok {
					files = append(files, f)
				}
			}
		}
	}
	return files
})

// bundledFile finds a scenario of the library, and reads no other: every command that is given a file or a name asks.
func bundledFile(name string) (Info, bool) {
	for _, group := range groups {
		if f, ok := loadInfo(group, name); ok {
			return f, true
		}
	}
	return Info{}, false
}

func loadInfo(group, name string) (Info, bool) {
	data, err := library.ReadFile("library/" + group + "/" + name + ".yaml")
	if err != nil {
		return Info{}, false
	}
	source := string(data)
	return Info{Name: name, Group: group, Title: titleIn(source), source: source}, true
}

// titleIn returns the name of a bundled scenario without decoding it: in these files the name is on a line of its own.
// A test compares every title with the decoded one.
func titleIn(source string) string {
	_, rest, _ := strings.Cut(source, "\nname: ")
	line, _, _ := strings.Cut(rest, "\n")
	if title, err := strconv.Unquote(line); err == nil {
		return title
	}
	return line
}

// LibraryInfos lists the embedded library, by group and name.
func LibraryInfos() []Info { return slices.Clone(bundledFiles()) }

// LoadBundled decodes a scenario of the library. It belongs to no file: saving it
// takes a path.
func LoadBundled(name string) (*Scenario, error) {
	data, err := BundledSource(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}

// BundledSource returns the text of a scenario of the library, comments and all.
func BundledSource(name string) ([]byte, error) {
	if f, ok := bundledFile(name); ok {
		return []byte(f.source), nil
	}
	return nil, fmt.Errorf("no bundled scenario is called %q%s", name, suggestName(name))
}

// suggestName returns the end of a message about a name that is not there.
func suggestName(name string) string {
	var names []string
	for _, f := range bundledFiles() {
		names = append(names, f.Name)
	}
	if best := param.Nearest(name, names); best != "" {
		return "; did you mean the bundled scenario " + best + "?"
	}
	return "; epsiloscope scenarios list shows the bundled ones"
}
