// Notices prints the licences of everything that is linked into the program: every module, for all systems that a
// release is built for, and Go itself. It fails if a module states no licence.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	text, err := notices(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
	os.Stdout.Write(text)
}

// module is a module of the program; Path is "Go" for the standard library.
type module struct{ Path, Version, Dir string }

// licence matches the names of files that state a licence or ask to be passed on.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// notices returns the notices for the program in a folder.
func notices(folder string) ([]byte, error) {
	modules, err := linkedModules(folder)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("epsiloscope is linked with the following. Their licences ask that these notices be passed on.\n")
	for _, m := range modules {
		files, err := os.ReadDir(m.Dir)
		if err != nil {
			return nil, err
		}
		found := false
		for _, f := range files {
			if !licence.MatchString(f.Name()) || f.IsDir() {
				continue
			}
			text, err := os.ReadFile(filepath.Join(m.Dir, f.Name()))
			if err != nil {
				return nil, err
			}
			found = found || len(bytes.TrimSpace(text)) > 0
			fmt.Fprintf(&b, "\n%s\n%s %s: %s\n%s\n\n%s\n", strings.Repeat("=", 80), m.Path, m.Version, f.Name(),
				strings.Repeat("=", 80), bytes.TrimSpace(text))
		}
		if !found {
			found = readmeNotice(&b, m)
		}
		if !found {
			return nil, fmt.Errorf("%s %s has no licence file in %s", m.Path, m.Version, m.Dir)
		}
	}
	return b.Bytes(), nil
}

// section matches what a README says about its licence and its author, to the next heading.
var section = regexp.MustCompile(`(?im)^#+ *(licen[cs]e|author).*\n+([^#]+)`)

// readmeNotice writes what a module without a licence file says of its licence in its README, and reports whether it
// says something.
func readmeNotice(b *bytes.Buffer, m module) bool {
	readme, err := os.ReadFile(filepath.Join(m.Dir, "README.md"))
	said := section.FindAll(readme, -1)
	if err != nil || len(said) == 0 {
		return false
	}
	fmt.Fprintf(b, "\n%s\n%s %s: README.md, as it has no licence file\n%s\n\n", strings.Repeat("=", 80), m.Path, m.Version, strings.Repeat("=", 80))
	for _, text := range said {
		fmt.Fprintf(b, "%s\n", bytes.TrimSpace(text))
	}
	return true
}

// linkedModules returns the modules that are linked on any system of a release, sorted, after Go itself.
func linkedModules(folder string) ([]module, error) {
	root, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, err
	}
	lines := strings.Fields(string(root))
	all := map[string]module{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-json=Module", ".")
		list.Dir = folder
		list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Module *struct {
					module
					Main bool
				}
			}
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module != nil && !p.Module.Main {
				all[p.Module.Path] = p.Module.module
			}
		}
	}
	var modules []module
	for _, m := range all {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return append([]module{{"Go", lines[1], lines[0]}}, modules...), nil
}
