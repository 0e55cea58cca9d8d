package ledger

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An id that a scheduler gives comes in; whether this process may use it goes out. The same id twice is one
// reservation, and its command is run once.

// identity is the locked file with the nonce of an id, and whether its command was started.
type identity struct {
	file    handle
	nonce   string
	started bool
}

// checkID refuses an id that no record can have.
func checkID(id string) error {
	if id == "" || len(id) > 100 || strings.Trim(id, idCharacters) != "" || strings.ContainsRune("._-", rune(id[0])) {
		return fmt.Errorf("the id %q must have up to 100 letters, digits, '.', '_' and '-', and start with a letter or a digit", id)
	}
	return nil
}

// openIdentity locks the file of an id of the ledger whose first line has a hash.
func openIdentity(folder, first, id string, wait LockWait) (*identity, error) {
	if folder == "" {
		folder = StateFolder()
	}
	if folder == "" {
		return nil, fmt.Errorf("an id needs a folder that remembers it: set HOME or XDG_STATE_HOME")
	}
	folder = filepath.Join(folder, first+".ids")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, &SystemError{err}
	}
	file, err := openLocked(filepath.Join(folder, id), os.O_RDWR|os.O_CREATE, wait)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(file)
	if err != nil {
		file.Close()
		return nil, &SystemError{err}
	}
	n := &identity{file: file}
	words := strings.Fields(string(data))
	if len(words) > 0 && isNonce(words[0]) {
		n.nonce, n.started = words[0], len(words) > 1
	}
	return n, nil
}

// keep writes the nonce, and whether the command was started, before anything else is done.
func (n *identity) keep() error {
	text := n.nonce + "\n"
	if n.started {
		text += "started\n"
	}
	_, err := n.file.WriteAt([]byte(text), 0)
	if err == nil {
		err = n.file.Sync()
	}
	if err != nil {
		return &SystemError{err}
	}
	return nil
}

func (n *identity) close() {
	if n != nil {
		n.file.Close()
	}
}

// adopt returns an error unless this process may use a reservation that is there under the id: it is the one that this
// machine asked for, for the same request, is held, and its command was never started.
func (n *identity) adopt(l *Ledger, r *reservation, request Request, blocks []string, command bool) error {
	switch {
	case n.nonce == "":
		return fmt.Errorf("%s was reserved already, and not from this machine or by this user: its nonce is not in the state folder. Its release may have been made; ask for another with an id of its own", r.ID)
	case n.nonce != r.Nonce:
		return fmt.Errorf("%s was reserved already, by another process. Its release may have been made; ask for another with an id of its own", r.ID)
	case r.Request.key() != request.key() || !slices.Equal(r.Blocks, blocks):
		return fmt.Errorf("%s was reserved for another request", r.ID)
	case r.state != Held:
		return fmt.Errorf("%s is %s already", r.ID, r.state)
	case r.Command != command:
		return fmt.Errorf("%s was reserved %s, and is asked for %s now", r.ID, commandWords(r.Command), commandWords(command))
	case command && n.started:
		return fmt.Errorf("the command of %s was started already, and may have released: it is not run again. If it never opened the data: epsiloscope ledger cancel %s %s --force --reason …", r.ID, l.Path, r.ID)
	}
	return nil
}

func commandWords(command bool) string {
	if command {
		return "with a command"
	}
	return "without a command"
}
