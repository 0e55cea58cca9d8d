package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// hiddenAssignments lists the assignments of a file in the header of an else if, or of a switch without a value to
// compare: a reader finds them only by taking the header apart.
func hiddenAssignments(file *ast.File) (list []problem) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if chained, ok := n.Else.(*ast.IfStmt); ok && chained.Init != nil {
				list = append(list, problem{chained.Pos(), "assign before the chain, or in a branch of its own"})
			}
		case *ast.SwitchStmt:
			if n.Init != nil && n.Tag == nil {
				list = append(list, problem{n.Pos(), "assign on the line before the switch"})
			}
		}
		return true
	})
	return list
}

// TestHiddenAssignments shows which headers are refused; TestWords looks for them in every file.
func TestHiddenAssignments(t *testing.T) {
	for text, want := range map[string]int{
		"switch x := f(); {\ncase x > 1:\n}":                1,
		"switch x := f(); x {\ncase 1:\n}":                  0,
		"if a {\n} else if b := f(); b {\n}":                1,
		"if a {\n} else if b {\n} else if c := f(); c {\n}": 1,
		"if b := f(); b {\n} else if c {\n}":                0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n\nfunc run() {\n"+text+"\n}\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(hiddenAssignments(file)); got != want {
			t.Errorf("%q: %d hidden assignments, want %d", text, got, want)
		}
	}
}
