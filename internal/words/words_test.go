// Package words keeps the language of the code plain: names that say what a function returns, comments that decode by
// themselves, no private metaphors.
package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// exceptions are the names that stay although they are a bare preposition, adverb or participle, each with its reason.
var exceptions = map[string]string{
	"At":           "a table or a picture at an index, as image.Image has it",
	"Less":         "sort.Interface",
	"Concentrated": "the name of a privacy notion, as Gaussian and Renyi are",
	"Seed":         "a noun", "Embed": "a verb", "Need": "a verb", "Speed": "a noun", "Feed": "a verb", "Exceed": "a verb",
	"Spent": "the amount that is spent, as accountants call it", "spent": "the same",
	"PureToConcentrated": "from one privacy notion to another", "onlyConcentrated": "a privacy notion",
	"LoadSettled": "loads a file that has settled", "ReadSettled": "reads such a file",
	"LoadBundled": "loads a bundled scenario", "LoadNamed": "loads what a command line names",
	"MarkSaved": "marks a state as saved", "markSaved": "the same",
	"openLocked": "opens a file and locks it", "WithEntryEdited": "With and what is changed",
	"findLost": "finds work that was lost", "BackupBundled": "backs up a bundled scenario",
	"rungReached": "the rung that a sum has reached", "FormatGiven": "formats a number that was given",
}

var (
	bare = strings.Fields("at of to from in into on over under above below beside between beyond behind by with within without about " +
		"around apart alone also both either less least more most now then where when how same such there here else just only once " +
		"again each every")
	participle = regexp.MustCompile(`^[A-Za-z][a-z]*ed$`)
	irregular  = strings.Fields("begun broken brought built chosen drawn found given grown held kept known lost made met said seen shown spent " +
		"taken taught told took torn understood written")
	// limit matches constants that should be named max… or min….
	limit = regexp.MustCompile(`^(most|few|least)[A-Z]`)
	// predicate matches names that may end in a participle: a question, or a maker of a type of that name.
	predicate = regexp.MustCompile(`^([Ii]s|[Hh]as|[Mm]ay|[Nn]ew|[Ee]xample)[A-Z]`)
	opening   = regexp.MustCompile(`^\S+ (is|are) (that|those|what|one|the same|such|so|how|where)\b`)
	metaphor  = regexp.MustCompile(`\b(dear(er|est)?|by looking|in vain|hopeless|told apart|ladders?|riddles?|rooms (above|below)|A room|laws?)\b`)
	private   = regexp.MustCompile(`\b(rooms?|floors?|dear(er|est)?|told|wild|by looking|leaves? the picture|ladders?|somebody|whoever|so many|` +
		`beforehand|afresh|comes or goes|ha(s|ve) no price|gives? (the record|it|them|nobody) away|presence against absence|path so far)\b`)
)

// ordinary are the phrases in which a private word has its ordinary meaning, each with its reason.
var ordinary = map[string]string{
	"all three told the truth": "an event of randomized response",
}

// TestWords parses every Go file that is not a test. A function or method may not be named by a bare preposition,
// adverb or participle, a constant that is a limit not by most, few or least; a doc comment may not open with "X is
// what …"; no comment may use a retired metaphor, no text for users a private word. No header may hide an assignment,
// and no two packages may have one name.
func TestWords(t *testing.T) {
	root, files, packages := filepath.Join("..", ".."), 0, map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		dir, name := filepath.Dir(path), filepath.Base(filepath.Dir(path))
		if other := packages[name]; other != "" && other != dir {
			t.Errorf("%s and %s have the same name", other, dir)
		}
		packages[name] = dir
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, p := range append(problems(file), hiddenAssignments(file)...) {
			t.Errorf("%s: %s", set.Position(p.at), p.text)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files read: %v", files, err)
	}
}

type problem struct {
	at   token.Pos
	text string
}

// problems lists the names and comments of a file that break the rules.
func problems(file *ast.File) (list []problem) {
	checkName := func(id *ast.Ident) {
		if name := id.Name; exceptions[name] == "" &&
			(slices.Contains(bare, strings.ToLower(name)) ||
				!predicate.MatchString(name) && isParticiple(lastWord(name))) {
			list = append(list, problem{id.Pos(), name + " does not say what the function returns or does"})
		}
	}
	checkOpening := func(doc *ast.CommentGroup) {
		if doc != nil && opening.MatchString(doc.Text()) {
			list = append(list, problem{doc.Pos(), "begin the comment with the name and a verb: " + opening.FindString(doc.Text())})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			checkName(n.Name)
			checkOpening(n.Doc)
			if first, _, _ := strings.Cut(n.Doc.Text(), " "); n.Doc != nil && strings.Trim(first, ",:") != n.Name.Name {
				list = append(list, problem{n.Doc.Pos(), "the comment on " + n.Name.Name + " begins with " + first})
			}
		case *ast.GenDecl:
			checkOpening(n.Doc)
			for _, s := range n.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && n.Tok == token.CONST {
					for _, id := range v.Names {
						if limit.MatchString(id.Name) {
							list = append(list, problem{id.Pos(), "name the limit " + id.Name + " max… or min…"})
						}
					}
				}
			}
		case *ast.TypeSpec:
			checkOpening(n.Doc)
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				for _, id := range m.Names {
					checkName(id)
				}
			}
		case *ast.Field:
			checkOpening(n.Doc)
			checkOpening(n.Comment)
		case *ast.BasicLit:
			text := n.Value
			for phrase := range ordinary {
				text = strings.ReplaceAll(text, phrase, "")
			}
			if word := private.FindString(text); n.Kind == token.STRING && word != "" && file.Name.Name != "main" {
				list = append(list, problem{n.Pos(), "use a word that users know instead of " + word})
			}
		}
		return true
	})
	for _, c := range file.Comments {
		if m := metaphor.FindString(c.Text()); m != "" {
			list = append(list, problem{c.Pos(), "use the field's word instead of " + m})
		}
	}
	return list
}

// lastWord returns the last word of a name in camel case, in lower case.
func lastWord(name string) string {
	i := strings.LastIndexFunc(name, unicode.IsUpper)
	return strings.ToLower(name[max(i, 0):])
}

func isParticiple(word string) bool {
	noun := exceptions[strings.ToUpper(word[:1])+word[1:]] != ""
	return !noun && (participle.MatchString(word) || slices.Contains(irregular, word))
}

// TestProblems shows that each rule finds its example.
func TestProblems(t *testing.T) {
	for text, want := range map[string]int{
		"package a\n\n// intervalAt returns the interval.\nfunc intervalAt() {}\n":   0,
		"package a\n\nfunc (s) at() {}\n":                                            1,
		"package a\n\nfunc settled() {}\n":                                           1,
		"package a\n\nfunc trialsNeeded() {}\n":                                      1,
		"package a\n\nfunc rowsShown() {}\n":                                         1,
		"package a\n\nfunc isShown() bool\n":                                         0,
		"package a\n\n// price is what a request costs.\nfunc price() {}\n":          1,
		"package a\n\n// longer lists are dear\nvar x int\n":                         1,
		"package a\n\n// Concentrated returns ρ.\nfunc Concentrated() {}\n":          0,
		"package a\n\n// costs may be chosen by looking at answers\nfunc now() {}\n": 3,
		"package a\n\n// old returns x.\nfunc value() int\n":                         1,
		"package a\n\nfunc (r) begun() {}\n":                                         1,
		"package a\n\nconst mostSteps = 3\n":                                         1,
		"package a\n\nconst maxSteps = 3\n":                                          0,
		"package a\n\ntype a interface{ settled() bool }\n":                          1,
		"package a\n\ntype a struct {\n\t// x is what is left\n\tx int\n}\n":         1,
		"package a\n\nvar x = `the figure is dearer`\n":                              1,
		"package a\n\nvar x = `all three told the truth`\n":                          0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(problems(file)); got != want {
			t.Errorf("%q: %d problems, want %d", text, got, want)
		}
	}
}

// TestTours checks that every file named on the tours of the architecture page exists.
func TestTours(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, tours, _ := strings.Cut(string(page), "## Six tours")
	named := regexp.MustCompile("`([a-z_/]+\\.(go|py))`").FindAllStringSubmatch(tours, -1)
	if len(named) < 35 {
		t.Errorf("the tours name %d files", len(named))
	}
	for _, m := range named {
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(m[1]))); err != nil {
			t.Error(err)
		}
	}
}

// retired matches words that the glossary retires, in pages for users and in texts of the program.
var retired = regexp.MustCompile(`(?i)\bfalse alarms?\b|\badd/remove\b|\b(the|a|its) reserves?\b|\b(our|these|the|reference) figures\b`)

// TestGlossaryIsKept looks for retired words in README, CONTRIBUTING, the pages under docs, and the pictures of screens
// and output that tests keep. The glossary itself names them; the lecture decks have figures.
func TestGlossaryIsKept(t *testing.T) {
	root, pages := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || d.IsDir() {
			if d != nil && d.IsDir() && name == ".git" {
				return fs.SkipDir
			}
			return err
		}
		ending := filepath.Ext(name)
		if !slices.Contains([]string{".md", ".golden", ".1"}, ending) || name == "glossary.md" || name == "lectures.md" || name == "CHANGELOG.md" {
			return nil
		}
		pages++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			if word := retired.FindString(line); word != "" {
				t.Errorf("%s:%d: %q; docs/glossary.md has the word for it", path, i+1, word)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 50 {
		t.Errorf("only %d pages were found", pages)
	}
}
