package gauge

import (
	"os/exec"
	"strings"
	"sync"
)

var pythons sync.Map // their paths by the names that were asked for; "" where there is none

// Python returns the first of the names that is a Python of version 3.9 or newer here, by the path that it gives
// itself: what is on the path may be a script that takes longer to choose one than that takes to start. It returns ""
// if there is none.
func Python(names ...string) string {
	const program = "import sys; print(sys.executable if sys.version_info >= (3, 9) else '')"
	for _, name := range names {
		found, known := pythons.Load(name)
		if !known {
			out, err := exec.Command(name, "-c", program).Output()
			if err != nil {
				out = nil
			}
			found = strings.TrimSpace(string(out))
			pythons.Store(name, found)
		}
		if path := found.(string); path != "" {
			return path
		}
	}
	return ""
}
