package gauge

import (
	"os/exec"
	"strings"
	"sync"
)

var pythons sync.Map // functions that find one, by name

// Python returns the first of the names that is a Python of version 3.9 or newer here, by the path that it gives
// itself: what is on the path may be a script that takes longer to choose one than that takes to start. It returns ""
// if there is none.
func Python(names ...string) string {
	for _, name := range names {
		find, _ := pythons.LoadOrStore(name, sync.OnceValue(func() string {
			out, err := exec.Command(name, "-c", "import sys; print(sys.executable if sys.version_info >= (3, 9) else '')").Output()
			if err != nil {
				return ""
			}
			return strings.TrimSpace(string(out))
		}))
		if path := find.(func() string)(); path != "" {
			return path
		}
	}
	return ""
}
