package scenarios

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/scenarios/disk"
)

// The bytes of a file come in; a checked Scenario goes out, or every mistake with its line.

// Version is the version of the file format this package reads and writes.
const Version = 1

// FieldError is a mistake in a scenario, with its place in the file.
type FieldError = format.FieldError

// Errors are all mistakes of a scenario, in the order of the file.
type Errors = format.Errors

// Parse decodes a scenario; name is what its errors call the file. Every mistake
// is reported, as [Errors].
func Parse(name string, data []byte) (*Scenario, error) { return parse(name, data, false) }

// ParseRequest returns what [Parse] does for a request that a ledger has granted. An entry may count more records than
// the data has, which versions before this rule have granted: their ledgers have to stay readable.
func ParseRequest(name string, data []byte) (*Scenario, error) { return parse(name, data, true) }

func parse(name string, data []byte, granted bool) (*Scenario, error) {
	if bytes.HasPrefix(data, []byte(`{"v":`)) {
		return nil, Errors{{File: name, Problem: "it is a ledger, not a scenario; \"epsiloscope ledger show\" tells how it stands, and with -o yaml gives all that was spent as a scenario"}}
	}
	doc, err := yamltree.Read(data)
	if err != nil {
		at := err.(*yamltree.Error)
		return nil, Errors{{File: name, Line: at.Line, Column: at.Column, Problem: at.Problem}}
	}
	d := &format.Decoder{Doc: doc, File: name}
	s := decode(d, granted)
	if err := d.Errors.Sort(); err != nil {
		return nil, err
	}
	return s, nil
}

// decode reads a document; the result is of use only if there were no errors.
func decode(d *format.Decoder, granted bool) *Scenario {
	s := New()
	s.granted = granted
	s.origin = newOrigin(d.File, d.Doc)
	root := d.Doc.Root
	if root == nil || root.IsNull() {
		d.Fail(nil, "", "the file is empty; a scenario starts with version: 1")
		return nil
	}
	if root.Kind != yamltree.Mapping {
		d.Fail(root, "", "a scenario is a list of fields, starting with version: 1; got "+root.Describe())
		return nil
	}
	// The version comes first: a file of another version may have other fields.
	if version, ok := root.Get("version"); ok {
		if v, ok := version.Value.Deref().Float(); !ok || v != Version {
			d.Fail(version.Value, "version", "is not known; this program reads version 1, got "+version.Value.Describe())
			return nil
		}
	}
	scenarioTable().DecodeStrict(d, s, root, "", "")
	for _, p := range s.problems().Found {
		d.FailOnce(root.Find(p.Field), p.Field, p.Problem)
	}
	return s
}

// Validate checks a scenario changed in memory by the rules of the file format.
func (s *Scenario) Validate() error { return s.problems().Errors(s.Path()) }

func (s *Scenario) problems() *format.Checker {
	var c format.Checker
	scenarioTable().Check(&c, s)
	s.Budget.check(&c)
	s.Claim.check(&c)
	s.checkQueries(&c, "stack", s.Stack)
	s.checkRecords(&c, "stack", s.Stack)
	return &c
}

// Load reads and decodes a file, and remembers its content so that a later [Scenario.Save]
// notices if another program has written to it meanwhile.
func Load(path string) (*Scenario, error) {
	data, err := disk.Read(path)
	return parseBytes(path, data, err)
}

// LoadSettled is [Load] for a file that another program may be writing at this very moment. The
// first half of a scenario is often a scenario too, and a cheaper one, so what was read counts
// only if the file stays as it was for a moment after its last change and, if the system can
// tell, no process has it open for writing. Otherwise the error is [disk.ErrUnsettled], or that
// of the context.
func LoadSettled(ctx context.Context, path string) (*Scenario, error) {
	data, err := disk.ReadSettled(ctx, path)
	if err != nil && (err == disk.ErrUnsettled || errors.Is(err, ctx.Err())) {
		return nil, err
	}
	return parseBytes(path, data, err)
}

// parseBytes decodes what was read, or returns the error of reading.
func parseBytes(path string, data []byte, err error) (*Scenario, error) {
	if err != nil {
		return nil, Errors{{File: path, Problem: disk.Reason(err)}}
	}
	s, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	s.origin.markSaved(path, data)
	return s, nil
}

// LoadNamed loads what a command line names: "-" is standard input, then a path,
// then the name of a bundled scenario.
func LoadNamed(fileOrName string, stdin io.Reader) (*Scenario, error) {
	if fileOrName == "-" {
		data, err := disk.ReadAll(stdin)
		if err != nil {
			return nil, Errors{{File: "standard input", Problem: disk.Reason(err)}}
		}
		return Parse("standard input", data)
	}
	info, err := os.Stat(fileOrName)
	_, bundled := bundledFile(fileOrName)
	switch {
	case err == nil && !(info.IsDir() && bundled):
		return Load(fileOrName)
	case bundled:
		return LoadBundled(fileOrName)
	case errors.Is(err, fs.ErrNotExist):
		return nil, Errors{{File: fileOrName, Problem: "no such file" + suggestName(fileOrName)}}
	}
	return Load(fileOrName)
}
