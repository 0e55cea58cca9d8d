package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every mistake can still be planted: its place is in the tree, once.
func TestPlaces(t *testing.T) {
	for _, m := range mutants {
		text, err := os.ReadFile(filepath.Join("..", "..", m.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), m.old); n != 1 {
			t.Errorf("%s: %q is found %d times in %s", m.mistake, m.old, n, m.file)
		}
	}
}
