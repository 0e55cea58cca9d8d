package ledger

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"epsiloscope/accounting/numeral"
)

// BadLine is the error of a line that is malformed, or that breaks the chain, a sum, a price or a decision.
type BadLine struct {
	Path   string
	Line   int // from 1
	Reason string
	Torn   bool // it is the last one, and was never acknowledged
}

func (b *BadLine) Error() string { return fmt.Sprintf("%s:%d: %s", b.Path, b.Line, b.Reason) }

// Read replays a ledger: the chain, the sums, every price and every decision. One whose last
// line is torn is refused.
func Read(path string) (*Ledger, error) {
	f, err := Open(path, LockWait{})
	if err != nil {
		return nil, err
	}
	return f.Read()
}

// Read replays the ledger as [Read] does, and checks that its chain has the head that was
// asked for.
func (f *Stored) Read() (*Ledger, error) { return f.read(newLedger(f.Path)) }

func (f *Stored) read(l *Ledger) (*Ledger, error) {
	session, err := f.store.Read()
	if err != nil {
		return nil, err
	}
	defer session.Close()
	data, err := session.Lines(0)
	if err != nil {
		return nil, err
	}
	if s, ok := session.(*serverSession); ok && s.unseen != nil {
		return nil, s.unseen
	}
	l.progress = f.Progress
	if l, err = l.parse(data); err != nil {
		return nil, err
	}
	if err := l.tornError(); err != nil {
		return l, err
	}
	l.NewBlocks = f.NewBlocks
	return l, l.CheckHead(f.Head)
}

// lineStart is the beginning of every line, of whatever version.
const lineStart = `{"v":`

// Parse replays the bytes of a ledger. A torn last line is kept in [Ledger.Torn]; any
// other mistake is a [*BadLine].
func Parse(path string, data []byte) (*Ledger, error) { return newLedger(path).parse(data) }

func (l *Ledger) parse(data []byte) (*Ledger, error) {
	if n := min(len(data), len(lineStart)); string(data[:n]) != lineStart[:n] {
		return nil, &BadLine{Path: l.Path, Line: 1, Reason: "this is not a ledger: the first line of one is its promise"}
	}
	lines := bytes.Split(data, []byte("\n"))
	whole := len(lines) - 1
	if torn := lines[whole]; len(torn) > 0 { // behind the last newline
		l.Torn = bytes.Clone(torn)
	}
	l.size += int64(len(data) - len(lines[whole]))
	records, errs := parseAll(lines[:whole])
	if len(l.Records) == 0 {
		l.Records = records[:0:cap(records)] // each is put back in its place
	}
	for i := range whole {
		if l.progress != nil && i%progressLines == 0 {
			l.progress(i, whole)
		}
		err := errs[i]
		if err == nil {
			err = l.replay(records[i])
		}
		if err != nil {
			return nil, &BadLine{Path: l.Path, Line: len(l.Records) + 1, Reason: err.Error()}
		}
	}
	switch {
	case whole == 0 && isWhole(l.Torn): // an open record without its newline
	case whole == 0 && l.Torn != nil:
		return nil, &BadLine{Path: l.Path, Line: 1, Reason: "this is not a ledger: line 1 does not end as a record does. If you had just run 'ledger new', delete the file and run it again"}
	case whole == 0: // never written to, or cut off
		return nil, &BadLine{Path: l.Path, Line: 1, Reason: "the file is empty"}
	}
	return l, nil
}

// progressLines is the number of lines after which progress is told.
const progressLines = 1000

// parseAll reads all lines, on all processors: hashing and decoding is most of the work,
// and needs no order.
func parseAll(lines [][]byte) ([]Record, []error) {
	records, errs := make([]Record, len(lines), len(lines)+2), make([]error, len(lines)) // two more are often appended
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			s := newScanner()
			first := w * len(lines) / workers
			for i := first; i < (w+1)*len(lines)/workers; i++ {
				if records[i], errs[i] = s.readRecord(lines[i]); i > first && records[i].Prev == records[i-1].Hash {
					records[i].Prev = records[i-1].Hash // kept once
				}
			}
		})
	}
	wait.Wait()
	return records, errs
}

// tornError returns the error of a ledger that must be repaired before it is used.
func (l *Ledger) tornError() error {
	if l.Torn == nil {
		return nil
	}
	if isWhole(l.Torn) {
		return &BadLine{Path: l.Path, Line: len(l.Records) + 1, Torn: true,
			Reason: fmt.Sprintf("the last line is whole and lacks its end. To give it one: epsiloscope ledger repair %s", numeral.Argument(l.Path))}
	}
	return &BadLine{Path: l.Path, Line: len(l.Records) + 1, Torn: true,
		Reason: fmt.Sprintf("the last line is torn: it was never acknowledged. To keep its bytes and charge what can be read of it: epsiloscope ledger repair %s", numeral.Argument(l.Path))}
}

// ReadFirstRecord returns the first record of a ledger, without the others being read. It waits for the lock only while
// the first line is being written: that line never changes.
func ReadFirstRecord(path string) (Record, error) {
	if file, err := os.Open(path); err == nil {
		line, err := bufio.NewReader(file).ReadBytes('\n')
		file.Close()
		if err == nil {
			return parseFirst(path, line)
		}
	}
	f, err := openLocked(path, os.O_RDONLY, LockWait{})
	if err != nil {
		return Record{}, err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return Record{}, &SystemError{err}
	}
	return parseFirst(path, line)
}

func parseFirst(path string, line []byte) (Record, error) {
	l, err := Parse(path, line)
	if err != nil {
		return Record{}, err
	}
	return l.Open, nil
}
