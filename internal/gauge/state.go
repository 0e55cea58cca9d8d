package gauge

import "os"

// IsolateState gives the tests of a package a state folder of their own, so that they neither read nor change what the
// program has kept for the user. remove deletes it.
func IsolateState() (remove func()) {
	folder, err := os.MkdirTemp("", "epsiloscope-state-")
	if err == nil {
		err = os.Setenv("XDG_STATE_HOME", folder)
	}
	if err != nil {
		panic(err)
	}
	return func() { os.RemoveAll(folder) }
}
