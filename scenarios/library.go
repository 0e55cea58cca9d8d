package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
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
	info Info
	data []byte
}

// bundledFiles reads the library once. The files are checked by tests, so one that
// does not decode is a mistake of the program and not of its user.
var bundledFiles = sync.OnceValue(func() []bundledFile {
	var files []bundledFile
	for _, group := range groups {
		paths, _ := fs.Glob(library, path.Join("library", group, "*.yaml"))
		for _, p := range paths {
			data, err := library.ReadFile(p)
			if err != nil {
				continue
			}
			name := strings.TrimSuffix(path.Base(p), ".yaml")
			info := Info{Name: name, Group: group, Title: name}
			if s, err := Parse(name+".yaml", data); err == nil {
				info.Title, info.Description = s.Name, s.Description
			}
			files = append(files, bundledFile{info, data})
		}
	}
	return files
})

// Bundled lists the embedded library, by group and name.
func Bundled() []Info {
	files := bundledFiles()
	list := make([]Info, len(files))
	for i, f := range files {
		list[i] = f.info
	}
	return list
}

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
		if f.info.Name == name {
			return append([]byte(nil), f.data...), nil
		}
	}
	return nil, fmt.Errorf("no bundled scenario is called %q%s", name, suggestBundled(name))
}

func isBundled(name string) bool {
	for _, f := range bundledFiles() {
		if f.info.Name == name {
			return true
		}
	}
	return false
}

// suggestBundled is the end of a message about a name that is not there.
func suggestBundled(name string) string {
	best, distance := "", len(name)/3+2
	for _, f := range bundledFiles() {
		if d := editDistance(name, f.info.Name); d < distance {
			best, distance = f.info.Name, d
		}
	}
	if best == "" {
		return "; epsiloscope scenarios list shows the bundled ones"
	}
	return "; did you mean the bundled scenario " + best + "?"
}
