package scenarios

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"epsiloscope/scenarios/internal/document"
)

// Parse decodes a scenario; name is what its errors call the file. Every mistake
// is reported, as [Errors].
func Parse(name string, data []byte) (*Scenario, error) {
	doc, err := document.Read(data)
	if err != nil {
		var at *document.Error
		if errors.As(err, &at) {
			return nil, Errors{{File: name, Line: at.Line, Column: at.Column, Problem: at.Problem}}
		}
		return nil, Errors{{File: name, Problem: err.Error()}}
	}
	d := &decoder{doc: doc, file: name}
	s := d.scenario()
	if err := d.errs.sorted(); err != nil {
		return nil, err
	}
	return s, nil
}

// Load reads and decodes a file, and remembers what the file held so that a later
// [Scenario.Save] notices if somebody else has written to it meanwhile.
func Load(path string) (*Scenario, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return loaded(path, data)
}

func loaded(path string, data []byte) (*Scenario, error) {
	s, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	s.origin.file.set(path, data)
	return s, nil
}

// LoadNamed loads what a command line names: "-" is standard input, then a path,
// then the name of a bundled scenario.
func LoadNamed(fileOrName string, stdin io.Reader) (*Scenario, error) {
	if fileOrName == "-" {
		data, err := readAll(stdin)
		if err != nil {
			return nil, Errors{{File: "standard input", Problem: reason(err)}}
		}
		return Parse("standard input", data)
	}
	info, err := os.Stat(fileOrName)
	bundled := isBundled(fileOrName)
	switch {
	case err == nil && !(info.IsDir() && bundled):
		return Load(fileOrName)
	case bundled:
		return LoadBundled(fileOrName)
	case errors.Is(err, fs.ErrNotExist):
		return nil, Errors{{File: fileOrName, Problem: "no such file" + suggestBundled(fileOrName)}}
	}
	return Load(fileOrName)
}

// readFile reads a file that is not larger than a scenario may be.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Errors{{File: path, Problem: reason(err)}}
	}
	defer f.Close()
	return readOpen(f, path)
}

func readOpen(f *os.File, path string) ([]byte, error) {
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, Errors{{File: path, Problem: "is a directory"}}
	}
	data, err := readAll(f)
	if err != nil {
		return nil, Errors{{File: path, Problem: reason(err)}}
	}
	return data, nil
}

// readAll reads one byte more than is allowed at most; the reader then says so.
func readAll(r io.Reader) ([]byte, error) {
	if r == nil {
		return nil, errors.New("there is nothing to read")
	}
	return io.ReadAll(io.LimitReader(r, document.MaxSize+1))
}

// reason takes the path, which the message already names, off an error.
func reason(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &path):
		return fmt.Sprint(path.Err)
	case errors.As(err, &link): // a rename, which names our own temporary file
		return fmt.Sprint(link.Err)
	}
	return err.Error()
}
