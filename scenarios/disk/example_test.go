package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"epsiloscope/scenarios/disk"
)

// A file is replaced as a whole, and only if the caller still knows what is being replaced.
func ExampleWrite() {
	dir, err := os.MkdirTemp("", "disk")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "plan.yaml")
	fmt.Println(disk.Write(disk.System{}, path, []byte("version: 1\n"), nil))
	mine := func(_ string, current []byte) error {
		if string(current) != "as I read it" {
			return disk.ErrChanged
		}
		return nil
	}
	fmt.Println(errors.Is(disk.Write(disk.System{}, path, []byte("version: 2\n"), mine), disk.ErrChanged))
	data, err := disk.Read(path)
	fmt.Printf("%s%v\n", data, err)
	// Output:
	// <nil>
	// true
	// version: 1
	// <nil>
}
