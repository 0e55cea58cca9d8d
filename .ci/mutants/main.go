// Mutants plants known mistakes, one at a time, in a copy of the tree and shows that
// the tests catch each one. The list is made of errors that accounting libraries and
// lecture slides have really made, and of those found here.
//
//	go run ./.ci/mutants               all of them
//	go run ./.ci/mutants -quick        the first few
//	go run ./.ci/mutants -only group   those whose description matches
//
// It prints a table and fails if a mistake survives.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const quick = 4

func main() {
	short := flag.Bool("quick", false, "plant only the first few")
	only := flag.String("only", "", "plant those whose description matches this regular expression")
	flag.Parse()
	list := mutants
	if *short {
		list = list[:quick]
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	list = slices.DeleteFunc(slices.Clone(list), func(m mutant) bool { return !wanted.MatchString(m.mistake) })
	if err := hunt(list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func hunt(list []mutant) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := copyTree(dir); err != nil {
		return err
	}
	survivors := 0
	for _, m := range list {
		begin := time.Now()
		verdict, err := m.plant(dir)
		if err != nil {
			return err
		}
		if verdict != "caught" {
			survivors++
		}
		fmt.Printf("%-10s %-58s %-44s %4.0f s\n", verdict, m.mistake, m.pack+" "+m.run, time.Since(begin).Seconds())
	}
	fmt.Printf("%d of %d mistakes caught\n", len(list)-survivors, len(list))
	if survivors > 0 {
		return fmt.Errorf("%d planted mistakes were not caught", survivors)
	}
	return nil
}

// plant makes the mistake, asks the tests and takes it back.
func (m mutant) plant(dir string) (verdict string, err error) {
	path := filepath.Join(dir, m.file)
	sound, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(sound), m.old); n != 1 {
		return "", fmt.Errorf("%s: %q is found %d times, not once: the list is out of date", m.file, m.old, n)
	}
	// Tests that fail without the mistake would show nothing.
	if out, err := m.ask(dir); err != nil {
		return "", fmt.Errorf("%s %s fails on the sound tree:\n%s", m.pack, m.run, out)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(sound), m.old, m.fresh, 1)), 0o644); err != nil {
		return "", err
	}
	defer os.WriteFile(path, sound, 0o644)
	out, err := m.ask(dir)
	switch {
	case err == nil:
		return "SURVIVES", nil
	case strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]"):
		return "NO BUILD", nil
	}
	return "caught", nil
}

// ask runs the tests that should notice.
func (m mutant) ask(dir string) (out []byte, err error) {
	cmd := exec.Command("go", "test", "-timeout=5m", "-run", m.run, m.pack)
	cmd.Dir = dir
	return cmd.CombinedOutput()
}

// copyTree copies what git knows of, as it stands now.
func copyTree(dir string) error {
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return err
	}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
