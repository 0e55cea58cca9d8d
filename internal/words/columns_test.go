package words

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is the longest line, with a tab of four columns.
const maxColumns = 120

// longLines returns the numbers of the lines of a Go file that are too long. The contents of strings do not count, nor
// do raw strings, rows of tables (a line that begins with a brace or a string and ends with a comma), addresses, and
// what an example prints.
func longLines(text []byte) (long []int) {
	lines := strings.Split(string(text), "\n")
	width := make([]int, len(lines))
	for i, l := range lines {
		width[i] = utf8.RuneCountInString(l) + 3*strings.Count(l, "\t")
		row := strings.TrimSpace(l)
		if row != "" && strings.ContainsAny(row[:1], "{\"`") && strings.HasSuffix(row, ",") || strings.Contains(l, "://") {
			width[i] = 0
		}
	}
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	output := false
	for {
		pos, kind, literal := s.Scan()
		first := files.Position(pos).Line - 1
		switch {
		case kind == token.EOF:
			for i, w := range width {
				if w > maxColumns {
					long = append(long, i+1)
				}
			}
			return long
		case kind == token.COMMENT:
			if output = output || strings.HasPrefix(literal, "// Output:"); output {
				width[first] = 0
			}
		case kind == token.STRING && strings.Contains(literal, "\n"):
			for i := range strings.Count(literal, "\n") + 1 {
				width[first+i] = 0
			}
		case kind == token.STRING:
			width[first] -= utf8.RuneCountInString(literal) - 2
		case literal != "\n":
			output = false
		}
	}
}

func TestLinesAreShort(t *testing.T) {
	root, files := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for _, n := range longLines(text) {
			t.Errorf("%s:%d: more than %d columns", path, n, maxColumns)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if files < 200 {
		t.Errorf("only %d files were read", files)
	}
}

func TestLongLinesAreFound(t *testing.T) {
	long := strings.Repeat("x", maxColumns)
	text := strings.Join([]string{
		"package p", "", "// " + long, "var a = " + long, "var b = \"" + long + "\"", "var c = `" + long, long + "`",
		"var d = []string{", "\t\"" + long + "\", " + long + ",", "\t{" + long + "},", "}", "// https://" + long,
		"func Example() {", "\t// Output:", "\t// " + long, "}", "\t\t" + long,
	}, "\n")
	if got := longLines([]byte(text)); !slices.Equal(got, []int{3, 4, 17}) {
		t.Errorf("long lines: %v", got)
	}
}
