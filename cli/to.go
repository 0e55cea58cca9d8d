package cli

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"epsiloscope/report/render"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
)

// destination holds the file to which --to sends the output of a command, and the files it must
// not replace.
type destination struct {
	to     string
	force  bool
	inputs []fs.FileInfo // files that the command itself reads
}

// add declares --to and --force. If the command has several formats, the ending of the path chooses one.
func (d *destination) add(cmd *cobra.Command, chooses bool) {
	help := "write to the file `PATH`"
	if chooses {
		help += "; its ending chooses the format"
	}
	cmd.Flags().StringVar(&d.to, "to", "", help)
	cmd.Flags().BoolVar(&d.force, "force", false, "with --to: replace a file of another kind; never a ledger, a scenario, the input or a link")
}

// inputs returns the files that an argument FILE|NAME|- names, if there are any.
func (a *app) inputs(arg string) []fs.FileInfo {
	info, err := os.Stat(arg)
	if in, ok := a.stdin.(*os.File); ok && arg == "-" {
		info, err = in.Stat()
	}
	if err != nil {
		return nil
	}
	return []fs.FileInfo{info}
}

// endings are the endings of a path by the format they choose; html and pictures are called by their ending.
var endings = map[string]string{
	asTable: ".txt", asJSON: ".json", asCSV: ".csv", asMarkdown: ".md", asLaTeX: ".tex", asBibTeX: ".bib", asYAML: ".yaml",
}

// settle takes the format from the ending of --to if -o is not given, and asks for a path if a picture has none.
func (c *call) settle(formats []string) error {
	switch {
	case c.to.force && c.to.to == "":
		return errors.New("--force is about the file of --to: give --to PATH, or leave --force out")
	case slices.Contains(render.Formats(), c.format) && c.to.to == "":
		return fmt.Errorf("-o %s needs --to PATH", c.format)
	case c.to.to == "" || len(formats) == 0 || c.cmd.Flags().Changed("output"):
		return nil
	}
	var known []string
	for _, format := range formats {
		ending := cmp.Or(endings[format], "."+format)
		if strings.EqualFold(filepath.Ext(c.to.to), ending) {
			c.format = format
			return nil
		}
		known = append(known, ending)
	}
	return fmt.Errorf("--to %s: the ending must be one of %s; or give the format with -o", printable(c.to.to), strings.Join(known, ", "))
}

// writeFile writes an output to the file of --to, or to several if it says so itself.
func (d destination) writeFile(out output, format string) error {
	if several, ok := out.(severalFiles); ok {
		return several.Write(nil, format)
	}
	f, err := d.finishFile(out, format)
	if err != nil {
		return err
	}
	return f.write()
}

// severalFiles is an output that writes its own files beside the path of --to.
type severalFiles func(format string) error

func (f severalFiles) Write(_ io.Writer, format string) error { return f(format) }

// finishedFile is a file whose content is complete and which is not written yet.
type finishedFile struct {
	destination
	format string
	data   []byte
}

func (d destination) finishFile(out output, format string) (finishedFile, error) {
	var b bytes.Buffer
	err := out.Write(&b, format)
	if err != nil {
		err = wrong(err)
	}
	return finishedFile{d, format, b.Bytes()}, err
}

func (f finishedFile) write() error { return writeWhole(f.to, f.data, f.mayReplace) }

// check returns the error of write that can be known before anything is written.
func (f finishedFile) check() error { return f.tryReplacing(f.mayReplace) }

// refuse returns the error of write that can be known before the content is.
func (d destination) refuse() error {
	if d.to == "" {
		return nil
	}
	return d.tryReplacing(d.neverReplaces)
}

// tryReplacing asks whether the file that stands at the destination may be replaced.
func (d destination) tryReplacing(mayReplace func(target string, current []byte) error) error {
	current, err := disk.Read(d.to)
	if err != nil { // write says why, or makes a new file
		return nil
	}
	if err := mayReplace(d.to, current); err != nil {
		return wrongf("%s: %w", d.to, err)
	}
	return nil
}

// neverReplaces refuses what --to must not replace even with --force: a ledger, a scenario or the command's own input.
func (d destination) neverReplaces(target string, current []byte) error {
	info, err := os.Stat(target)
	own := err == nil && slices.ContainsFunc(d.inputs, func(in fs.FileInfo) bool { return os.SameFile(in, info) })
	switch {
	case strings.HasSuffix(strings.ToLower(d.to), ledgerEnding) || ledgerLine().Match(current):
		return wrongf("is a ledger, which --to never replaces, not even with --force")
	case own:
		return wrongf("is what the command reads; --to never replaces its own input")
	case isScenario(current):
		return wrongf("is a scenario, which --to never replaces, not even with --force; remove it yourself if it is not needed")
	}
	return nil
}

// mayReplace refuses what --to must not replace: never a ledger, a scenario or the command's
// own input; without --force nothing but a file of the kind that is written, or an empty one.
func (f finishedFile) mayReplace(target string, current []byte) error {
	if err := f.neverReplaces(target, current); err != nil {
		return err
	}
	switch {
	case f.force || len(bytes.TrimSpace(current)) == 0 || sameKind(f.format, current, f.data):
		return nil
	}
	return wrongf("another kind of file is already there; --force replaces it")
}

// ledgerLine matches a record of a ledger, on whichever line: the first ones may be damaged.
var ledgerLine = lazyPattern(`(?m)^\s*\{"v":\s*[0-9]+,\s*"seq":`)

// firstField matches a text that starts with a field, after comments; scenarioField the fields
// that every scenario has, each at the start of a line.
var (
	firstField    = lazyPattern(`^\x{feff}?(\s*(#.*|---.*|%.*)?\n)*\s*\{?\s*["']?[A-Za-z_]+["']?\s*:`)
	scenarioField = lazyPattern(`(?m)^\x{feff}?\{?\s*["']?(version|stack)["']?\s*:`)
)

// lazyPattern returns a regular expression that is compiled when it is first asked for, which most commands never do.
func lazyPattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// isScenario reports whether a text is a scenario, or one with mistakes in it: that is a user's
// work too. A page or a document that quotes a scenario is none.
func isScenario(data []byte) bool {
	if _, err := scenarios.Parse("", data); err == nil {
		return true
	}
	if !firstField().Match(data) {
		return false
	}
	names := map[string]bool{}
	for _, found := range scenarioField().FindAllSubmatch(data, -1) {
		names[string(found[1])] = true
	}
	return len(names) == 2
}

// sameKind reports whether a file is recognisably of the kind that is about to be written:
// pictures and pages by how they begin, tables by their title, first column or fields.
func sameKind(format string, current, data []byte) bool {
	switch start := strings.ToLower(string(bytes.TrimSpace(current[:min(len(current), 1024)]))); format {
	case "svg":
		return strings.HasPrefix(start, "<svg") || strings.HasPrefix(start, "<?xml") && strings.Contains(start, "<svg")
	case "png":
		return bytes.HasPrefix(current, []byte("\x89PNG\r\n\x1a\n"))
	case asHTML:
		return strings.HasPrefix(start, "<!doctype html")
	case asJSON:
		return fieldsOf(current) != nil && slices.Equal(fieldsOf(current), fieldsOf(data))
	case asCSV:
		return firstColumn(current) != "" && firstColumn(current) == firstColumn(data)
	}
	line := func(text []byte) string { first, _, _ := strings.Cut(string(text), "\n"); return first }
	if strings.HasPrefix(strings.ToLower(line(data)), "<!doctype html") {
		return sameKind(asHTML, current, data)
	}
	return line(current) == line(data)
}

// fieldsOf returns the names of the fields of a JSON object, sorted; nil if it is none.
func fieldsOf(data []byte) []string {
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &object) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(object))
}

// firstColumn returns the name of the first column of a CSV file; "" if it is none.
func firstColumn(data []byte) string {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) == 0 || len(rows[0]) < 2 {
		return ""
	}
	return rows[0][0]
}
