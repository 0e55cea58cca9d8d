package ledger

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
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
	l.progress = f.Progress
	if l, err = l.parseLines(session); err != nil {
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
	return l.parseFrom(bytes.NewReader(data), int64(len(data)))
}

// parseLines replays all lines of a session.
func (l *Ledger) parseLines(session Session) (*Ledger, error) {
	if s, ok := session.(*fileSession); ok {
		return l.parseFrom(s, s.fileSize())
	}
	data, err := session.Lines(0)
	if err != nil {
		return nil, err
	}
	if s, ok := session.(*serverSession); ok && s.unseen != nil {
		return nil, s.unseen
	}
	return l.parse(data)
}

// pieceBytes is the number of bytes of a ledger that are read at a time: the bytes of a long one are not kept beside
// its records.
const pieceBytes = 1 << 21

// parseFrom replays the lines of a reader, which has about size bytes. An error of the reader is returned as it is.
func (l *Ledger) parseFrom(r io.Reader, size int64) (*Ledger, error) {
	p := parser{ledger: l, size: size}
	data := make([]byte, 0, min(size, pieceBytes)+bytes.MinRead)
	for first, more := true, true; more; first = false {
		n, err := io.ReadFull(r, data[len(data):cap(data)])
		data = data[:len(data)+n]
		if more = err == nil; !more && err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, err
		}
		if n := min(len(data), len(lineStart)); first && string(data[:n]) != lineStart[:n] {
			return nil, &BadLine{Path: l.Path, Line: 1, Reason: "this is not a ledger: the first line of one is its promise"}
		}
		end := bytes.LastIndexByte(data, '\n') + 1
		if err := p.replay(data[:end]); err != nil {
			return nil, err
		}
		if data = append(data[:0], data[end:]...); len(data) > cap(data)/2 { // a long line
			data = slices.Grow(data, cap(data))
		}
	}
	if len(data) > 0 { // behind the last newline
		l.Torn = bytes.Clone(data)
	}
	switch {
	case p.lines == 0 && isWhole(l.Torn): // an open record without its newline
	case p.lines == 0 && l.Torn != nil:
		return nil, &BadLine{Path: l.Path, Line: 1, Reason: "this is not a ledger: line 1 does not end as a record does. If you had just run 'ledger new', delete the file and run it again"}
	case p.lines == 0: // never written to, or cut off
		return nil, &BadLine{Path: l.Path, Line: 1, Reason: "the file is empty"}
	}
	return l, nil
}

// parser replays lines, piece by piece.
type parser struct {
	ledger      *Ledger
	size, bytes int64 // of all lines, about, and of those that were replayed
	lines       int   // that were replayed
	scanners    []*scanner
}

// progressLines is the number of lines after which progress is told.
const progressLines = 1000

// replay takes some whole lines.
func (p *parser) replay(data []byte) error {
	l, count := p.ledger, bytes.Count(data, []byte("\n"))
	if count == 0 {
		return nil
	}
	p.bytes += int64(len(data))
	total := max(p.lines+count, int(float64(p.lines+count)/float64(p.bytes)*float64(p.size)))
	// in one piece, as reservations refer to records: a little more than expected, and two are often appended
	if p.lines == 0 {
		l.Records = slices.Grow(l.Records, total+2+(total-count)/32)
	}
	lines := bytes.Split(data[:len(data)-1], []byte("\n"))
	l.Records = slices.Grow(l.Records, count)
	records := l.Records[len(l.Records):][:count] // replay puts each back in its place
	errs := p.parseAll(lines, records)
	for i := range records {
		if done := p.lines + i; l.progress != nil && done%progressLines == 0 {
			l.progress(done, total)
		}
		err := errs[i]
		if err == nil {
			err = l.replay(records[i])
		}
		if err != nil {
			return &BadLine{Path: l.Path, Line: len(l.Records) + 1, Reason: err.Error()}
		}
	}
	p.lines += count
	l.size += int64(len(data))
	return nil
}

// parseAll reads lines into records, on all processors: hashing and decoding is most of the work, and needs no
// order.
func (p *parser) parseAll(lines [][]byte, records []Record) []error {
	errs := make([]error, len(lines))
	for len(p.scanners) < runtime.GOMAXPROCS(0) {
		p.scanners = append(p.scanners, newScanner())
	}
	var wait sync.WaitGroup
	for w, s := range p.scanners {
		wait.Go(func() {
			first := w * len(lines) / len(p.scanners)
			for i := first; i < (w+1)*len(lines)/len(p.scanners); i++ {
				if records[i], errs[i] = s.readRecord(lines[i]); i > first && records[i].Prev == records[i-1].Hash {
					records[i].Prev = records[i-1].Hash // kept once
				}
			}
		})
	}
	wait.Wait()
	return errs
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

// parseFirst returns the first record of a ledger by its line alone.
func parseFirst(path string, line []byte) (Record, error) {
	l, err := Parse(path, line)
	if err != nil {
		return Record{}, err
	}
	return l.Open, nil
}
