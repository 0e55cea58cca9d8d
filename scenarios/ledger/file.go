package ledger

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// File is a ledger on disk that may be written to.
type File struct {
	Path string
	now  func() time.Time
	open func(path string, flag int) (handle, error)
}

// At is the ledger of a path.
func At(path string) *File { return &File{Path: path, now: time.Now, open: openLocked} }

// handle is what a ledger asks of a locked file; tests put one in its place that fails.
type handle interface {
	io.ReadWriteCloser
	io.WriterAt
	io.Seeker
	Sync() error
	Truncate(size int64) error
}

// Refused is the verdict on a request that was not granted.
type Refused struct{ *Answer }

func (r *Refused) Error() string { return "refused: " + r.Refusal }

// Trouble is what the system cannot do: lock, write, sync. It is nobody's mistake.
type Trouble struct{ Err error }

func (t *Trouble) Error() string { return t.Err.Error() }
func (t *Trouble) Unwrap() error { return t.Err }

func troublef(format string, args ...any) error { return &Trouble{fmt.Errorf(format, args...)} }

// openLocked opens the file behind a path and locks it. The lock is on the ledger
// itself; the system gives it back when its owner is killed. Where it cannot be had
// nothing is granted.
func openLocked(path string, flag int) (handle, error) {
	for range 10 {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: it is not a plain file", path)
		}
		f, err := lockedfile.OpenFile(path, flag, 0o666)
		var p *fs.PathError
		switch {
		case errors.As(err, &p) && strings.HasSuffix(p.Op, "Lock"):
			return nil, troublef("%s: it cannot be locked here (%w), so nothing is granted", path, p.Err)
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: no such file", path)
		case errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("%s: a file of that name is already there", path)
		case errors.As(err, &p):
			return nil, troublef("%s: %w", path, p.Err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		mine, err := f.Stat()
		there, terr := os.Stat(path)
		if err == nil && terr == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close() // somebody put another file in its place while this one waited
	}
	return nil, troublef("%s: the file is being replaced again and again", path)
}

// readLocked reads a file from an offset on.
func readLocked(path string, from int64) ([]byte, error) {
	f, err := openLocked(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return nil, &Trouble{err}
	}
	return io.ReadAll(f)
}

// Read replays a ledger. One whose last line is torn is refused.
func Read(path string) (*Ledger, error) {
	data, err := readLocked(path, 0)
	if err != nil {
		return nil, err
	}
	l, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	return l, l.torn()
}

// planPrecision is the relative width of the numerical bound of a plan.
const planPrecision = 1e-3

// Create opens a new ledger. A plan's ε may be left at 0: then it is the plan's own.
func (f *File) Create(ctx context.Context, t Terms, data, unit string, adjacency mechanisms.Adjacency, rungs int, follows string) (*Ledger, error) {
	if unit == "" {
		return nil, errors.New("a ledger needs a unit: whose data one record is")
	}
	if len(t.Quotas) > 0 && (t.Blocks != "" || t.Window > 0) {
		return nil, errors.New("quotas are kept for the whole ledger, not by block or window")
	}
	if t.Window > 0 && t.Filter == adaptive.Plan {
		return nil, errors.New("a plan is spent once: it has no window")
	}
	l := newLedger(f.Path)
	l.Open = Record{Adjacency: string(adjacency), Unit: unit}
	if err := t.settle(ctx, l, rungs); err != nil {
		return nil, err
	}
	filter, err := adaptive.New(t.Promise)
	if err != nil {
		return nil, err
	}
	promise, err := t.write(filter)
	if err != nil {
		return nil, err
	}
	file, err := f.open(f.Path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	l.Open = Record{}
	r := Record{Kind: KindOpen, Data: data, Unit: unit, Adjacency: string(adjacency), Promise: &promise, Follows: follows}
	if err := f.append(file, l, r); err != nil {
		os.Remove(f.Path) // nothing was promised yet
		return nil, err
	}
	if d, err := os.Open(filepath.Dir(f.Path)); err == nil {
		_ = d.Sync() // not every system syncs folders
		d.Close()
	}
	return l, nil
}

// settle fills in what a plan decides: its tickets, the bound of each book, and the ε
// if none was named.
func (t *Terms) settle(ctx context.Context, l *Ledger, rungs int) error {
	if (t.Plan != nil) != (t.Filter == adaptive.Plan) {
		return errors.New("the filter plan needs a plan, and no other filter has one")
	}
	if t.Plan == nil {
		if rungs > 1 {
			return errors.New("only a plan has rungs")
		}
		return nil
	}
	if err := l.suits(t.Plan); err != nil {
		return fmt.Errorf("the plan: %w", err)
	}
	tickets, err := l.evaluator.Stack(t.Plan, scenarios.Options{})
	if err != nil {
		return err
	}
	books, err := adaptive.Climb(ctx, tickets, t.Delta, max(1, rungs), planPrecision)
	if err != nil {
		return err
	}
	t.Promise.Plan, t.Rungs = tickets, adaptive.Rungs(books)
	if t.Epsilon == 0 {
		t.Epsilon = t.Rungs[len(t.Rungs)-1]
	}
	return nil
}

// change reads the ledger under its lock, lets a function decide what to append, and
// appends it. A verdict that is no mistake, such as [*Refused], is given back after
// what it says has been recorded.
func (f *File) change(decide func(l *Ledger, now time.Time) ([]Record, error)) (*Ledger, error) {
	file, l, _, err := f.replay(os.O_RDWR | os.O_APPEND)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := l.torn(); err != nil {
		return l, err
	}
	records, verdict := decide(l, f.clock())
	var refused *Refused
	if verdict != nil && !errors.As(verdict, &refused) {
		return l, verdict
	}
	if len(records) > 0 {
		if err := f.append(file, l, records...); err != nil {
			return l, err
		}
	}
	return l, verdict
}

// replay opens the file under its lock and replays it; an error leaves nothing open.
func (f *File) replay(flag int) (file handle, l *Ledger, data []byte, err error) {
	if file, err = f.open(f.Path, flag); err != nil {
		return nil, nil, nil, err
	}
	if data, err = io.ReadAll(file); err != nil {
		err = troublef("%s: %w", f.Path, err)
	} else {
		l, err = Parse(f.Path, data)
	}
	if err != nil {
		file.Close()
		return nil, nil, nil, err
	}
	return file, l, data, nil
}

func (f *File) clock() time.Time { return f.now().UTC().Truncate(time.Second) }

// append writes records by one write, and acknowledges them only once they are on disk.
func (f *File) append(file handle, l *Ledger, records ...Record) error {
	var lines []byte
	size := l.size
	for _, r := range records {
		line, err := f.next(l, r)
		if err != nil {
			return err
		}
		lines = append(lines, line...)
	}
	n, err := file.Write(lines)
	if err != nil || n != len(lines) {
		if err == nil {
			err = io.ErrShortWrite
		}
		_ = file.Truncate(size) // where that fails too, the line is torn and says so
		return troublef("%s: nothing was recorded: %w", f.Path, err)
	}
	if err := file.Sync(); err != nil {
		return troublef("%s: it is not known whether the record reached the disk: %w", f.Path, err)
	}
	return nil
}

// next numbers, chains and seals a record, and replays it.
func (f *File) next(l *Ledger, r Record) ([]byte, error) {
	at := f.clock()
	if at.Before(l.last()) { // another machine's clock is ahead
		at = l.last()
	}
	r.V, r.Seq, r.At, r.Prev = Version, len(l.Records), at.Format(stamp), l.Head()
	line, err := r.sealed()
	if err != nil {
		return nil, err
	}
	// Read back as it will be read, so that nothing is written that cannot be.
	back, err := parseRecord(line[:len(line)-1])
	if err == nil {
		err = l.replay(back)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	l.size += int64(len(line))
	return line, nil
}

// newID is short enough to type and too long to meet by chance.
func newID(l *Ledger) string {
	for {
		var b [5]byte
		_, _ = rand.Read(b[:]) // never fails
		id := strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
		if l.reserves[id] == nil {
			return id
		}
	}
}
