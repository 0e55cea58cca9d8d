package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Resolve follows symbolic links, so that saving replaces what a link points to
// and not the link; the last one may point to a file that does not exist yet. Every
// folder on the way is resolved before the next step: "../x" in a link means the
// parent of the folder the link really lies in, not of the one its path names.
func Resolve(path string) (string, error) {
	for range 40 {
		dir, base := filepath.Split(path)
		if dir == "" {
			dir = "."
		}
		if base == "" || base == "." || base == ".." {
			return "", errors.New("is not a regular file")
		}
		dir, err := realFolder(dir)
		if err != nil {
			return "", err
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return "", err
		}
		path = filepath.Join(dir, base)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if !info.Mode().IsRegular() {
				return "", errors.New("is not a regular file")
			}
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = dir + string(filepath.Separator) + to // Join would shorten ".." by the look of it
		}
		path = to
	}
	return "", errors.New("the symbolic links go in circles")
}

// resolveNoFollow returns the path with its folder resolved, and ErrLink if the last part
// is a symbolic link.
func resolveNoFollow(path string) (string, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", ErrLink
	}
	return Resolve(path)
}

// realFolder returns a folder without links in its path. Some volumes cannot resolve links;
// there the path is taken as given.
func realFolder(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		return real, nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("the folder is not there")
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", errors.New("what should be its folder is a file")
	}
	return dir, nil
}
