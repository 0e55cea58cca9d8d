package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
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
	Name        string // what the command line calls it: "welcome"
	Group       string // lectures, deployments or patterns
	Title       string
	Description string
}

type bundledFile struct {
	name, group string
	data        []byte
}

// bundledFiles lists the library without decoding it.
var bundledFiles = sync.OnceValue(func() []bundledFile {
	var files []bundledFile
	for _, group := range groups {
		paths, _ := fs.Glob(library, path.Join("library", group, "*.yaml"))
		for _, p := range paths {
			if data, err := library.ReadFile(p); err == nil {
				files = append(files, bundledFile{strings.TrimSuffix(path.Base(p), ".yaml"), group, data})
			}
		}
	}
	return files
})

// bundledInfos decodes the whole library once. The files are checked by tests, so
// one that does not decode is a mistake of the program and not of its user.
var bundledInfos = sync.OnceValue(func() []Info {
	var list []Info
	for _, f := range bundledFiles() {
		info := Info{Name: f.name, Group: f.group, Title: f.name}
		if s, err := Parse(f.name+".yaml", f.data); err == nil {
			info.Title, info.Description = s.Name, s.Description
		}
		list = append(list, info)
	}
	return list
})

// Bundled lists the embedded library, by group and name.
func Bundled() []Info { return slices.Clone(bundledInfos()) }

// LoadBundled decodes a scenario of the library. It belongs to no file: saving it
// takes a path.
func LoadBundled(name string) (*Scenario, error) {
	data, err := BundledSource(name)
	if err != nil {
		return nil, err
	}
	return Parse(name+".yaml", data)
}

// BundledSource is the text of a scenario of the library, comments and all.
func BundledSource(name string) ([]byte, error) {
	for _, f := range bundledFiles() {
		if f.name == name {
			return append([]byte(nil), f.data...), nil
		}
	}
	return nil, fmt.Errorf("no bundled scenario is called %q%s", name, suggestBundled(name))
}

func isBundled(name string) bool {
	for _, f := range bundledFiles() {
		if f.name == name {
			return true
		}
	}
	return false
}

// suggestBundled is the end of a message about a name that is not there.
func suggestBundled(name string) string {
	var names []string
	for _, f := range bundledFiles() {
		names = append(names, f.name)
	}
	best := param.Nearest(name, names)
	if best == "" {
		return "; epsiloscope scenarios list shows the bundled ones"
	}
	return "; did you mean the bundled scenario " + best + "?"
}
