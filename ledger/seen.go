package ledger

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"epsiloscope/accounting/numeral"
)

// The first line of a ledger comes in; the last head that this machine has seen of it goes out. It reveals a
// file that was rolled back, and a second copy that is spent too, to a user who has worked with both.

// StateFolder returns the folder in which this machine keeps what it has seen of ledgers, by the XDG base directory
// specification; "" if the user has no home folder. It need not exist.
func StateFolder() string {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home := os.Getenv("HOME")
		if home == "" {
			home = os.Getenv("USERPROFILE")
		}
		if info, err := os.Stat(home); err != nil || !info.IsDir() { // which is not made by a command
			return ""
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "epsiloscope", "ledgers")
}

// seenHead is the locked file with the last head seen; nil if this machine keeps none.
type seenHead struct {
	file handle
	seq  int
	hash string // "" if none was seen
}

// openSeen locks and reads the last head seen of the ledger whose first line has a hash. If the
// folder cannot be written to, nothing is kept.
func openSeen(folder, first string, wait LockWait) (*seenHead, error) {
	if folder == "" {
		folder = StateFolder()
	}
	if folder == "" || os.MkdirAll(folder, 0o700) != nil {
		return nil, nil
	}
	path := filepath.Join(folder, first+".head")
	file, err := openLocked(path, os.O_RDWR|os.O_CREATE, wait)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(file)
	s := &seenHead{file: file}
	if err == nil && len(data) > 0 {
		if _, err = fmt.Sscanf(string(data), "%d %64s\n", &s.seq, &s.hash); err == nil && (len(s.hash) != 64 || s.seq < 0) {
			err = errors.New("it holds no head")
		}
	}
	if err != nil {
		file.Close()
		return nil, systemErrorf("%s: the last head that this machine has seen of the ledger cannot be read: %w", path, err)
	}
	return s, nil
}

// check refuses a ledger without the head that was seen.
func (s *seenHead) check(l *Ledger) error {
	if s == nil || s.hash == "" || s.seq < len(l.Records) && l.Records[s.seq].Hash == s.hash {
		return nil
	}
	return &BadLine{Path: l.Path, Line: min(s.seq, len(l.Records)-1) + 1, Reason: fmt.Sprintf("this machine has seen line %d of this ledger with the head %s, and this file does not have it: "+
		"it was rolled back to an older end, or is a copy that another has left behind, and what was released since is not charged here. Find the file that has it; if it is lost, open a new ledger with --follows %s, whose ε adds to this one's",
		s.seq+1, shortHash(s.hash), numeral.Argument(s.hash))}
}

// keep notes the head of a ledger.
func (s *seenHead) keep(r Record) error {
	if s == nil {
		return nil
	}
	_, err := s.file.WriteAt(fmt.Appendf(nil, "%d %s\n", r.Seq, r.Hash), 0)
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		return &UnsyncedError{SystemError{fmt.Errorf("the head %s is recorded, and this machine could not note it: %w", shortHash(r.Hash), err)}}
	}
	return nil
}

func (s *seenHead) close() {
	if s != nil {
		s.file.Close()
	}
}

// nonceDigits is the number of hexadecimal digits of a nonce.
const nonceDigits = 32

// isNonce reports whether a text has the form of a nonce.
func isNonce(text string) bool {
	return len(text) == nonceDigits && strings.Trim(text, "0123456789abcdef") == ""
}
