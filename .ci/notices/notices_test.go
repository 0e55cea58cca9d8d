package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every module that the binary says it is linked with has its notice, with the words of a licence below it.
func TestNoticesCoverTheBinary(t *testing.T) {
	text, err := notices("../..")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "epsiloscope")
	if out, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), strings.Repeat("=", 80)+"\n")
	linked := 0
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] != "dep" {
			continue
		}
		linked++
		found := false
		for i, part := range parts {
			if strings.HasPrefix(part, f[1]+" "+f[2]+": ") && i+1 < len(parts) {
				found = found || strings.Contains(strings.ToLower(parts[i+1]), "copyright")
			}
		}
		if !found {
			t.Errorf("%s %s has no notice", f[1], f[2])
		}
	}
	if linked < 20 || !strings.Contains(string(text), "\nGo go1.") {
		t.Errorf("%d modules are linked, and Go itself must have its notice", linked)
	}
}
