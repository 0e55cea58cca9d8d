//go:build linux

package disk

import "testing"

// Who waits too long for another save is told, and does not hang.
func TestLockDoesNotWaitForEver(t *testing.T) {
	dir := t.TempDir()
	unlock, err := lockFolderFor(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockFolderFor(dir, 0); err != ErrBusy {
		t.Errorf("a second lock: %v", err)
	}
	unlock()
	if unlock, err = lockFolderFor(dir, 0); err != nil {
		t.Errorf("after unlocking: %v", err)
	}
	unlock()
}
