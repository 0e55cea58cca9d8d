package ledger

import (
	"bufio"
	"io"
	"os"
)

// Opening is the first record of a ledger, without the others being read.
func Opening(path string) (Record, error) {
	f, err := openLocked(path, os.O_RDONLY)
	if err != nil {
		return Record{}, err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return Record{}, &Trouble{err}
	}
	l, err := Parse(path, line)
	if err != nil {
		return Record{}, err
	}
	return l.Open, nil
}

// Follow is the ledger with what was appended to its file since. Only the new lines are
// read if the file still holds the last one that was read where it was; else all of
// it is. The ledger itself must not be used afterwards.
func (l *Ledger) Follow() (*Ledger, error) {
	data, err := readLocked(l.Path, l.size-int64(l.tail)) // from its last known line on
	if err != nil {
		return nil, err
	}
	if len(data) < l.tail {
		return Read(l.Path)
	}
	if r, err := parseRecord(data[:l.tail-1]); err != nil || data[l.tail-1] != '\n' || r.Hash != l.Head() {
		return Read(l.Path)
	}
	lines, torn := linesOf(data[l.tail:])
	if torn != nil { // it says so
		return Read(l.Path)
	}
	records, errs := parseAll(lines)
	for i, line := range lines {
		if errs[i] != nil || l.replay(records[i]) != nil {
			return Read(l.Path) // which says what is wrong
		}
		l.size, l.tail = l.size+int64(len(line)+1), len(line)+1
	}
	return l, nil
}
