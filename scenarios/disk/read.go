package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"epsiloscope/scenarios/internal/document"
)

// Read reads a file that is not larger than a scenario may be.
func Read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readOpen(f)
}

func readOpen(f *os.File) ([]byte, error) {
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("is a directory")
	}
	return ReadAll(f)
}

// ReadAll reads one byte more than is allowed at most; the reader then says so.
func ReadAll(r io.Reader) ([]byte, error) {
	if r == nil {
		return nil, errors.New("there is nothing to read")
	}
	return io.ReadAll(io.LimitReader(r, document.MaxSize+1))
}

// Reason takes the path, which the message already names, off an error.
func Reason(err error) string {
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
