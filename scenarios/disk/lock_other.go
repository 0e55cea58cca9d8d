//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import (
	"io/fs"
	"os"
)

// lockFolder does nothing where folders cannot be locked. Another writer is still
// noticed unless it comes between the last look and the rename.
func lockFolder(string) (unlock func(), err error) { return func() {}, nil }

// keepOwner does nothing where a file has no numbered owner.
func keepOwner(*os.File, fs.FileInfo) (group bool) { return true }
