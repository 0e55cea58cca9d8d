package ledger

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"

	"epsiloscope/mechanisms"
)

// BadLine is a line that is not what it should be.
type BadLine struct {
	Path   string
	Line   int // from 1
	Reason string
	Torn   bool // it is the last one, and was never acknowledged
}

func (b *BadLine) Error() string { return fmt.Sprintf("%s:%d: %s", b.Path, b.Line, b.Reason) }

// Parse replays the bytes of a ledger. A torn last line is kept in [Ledger.Torn]; any
// other mistake is a [*BadLine].
func Parse(path string, data []byte) (*Ledger, error) { return parse(newLedger(path), data) }

func parse(l *Ledger, data []byte) (*Ledger, error) {
	lines, torn := linesOf(data)
	l.Torn = torn
	records, errs := parseAll(lines)
	l.Records = make([]Record, 0, len(lines)+2)
	for i, line := range lines {
		err := errs[i]
		if err == nil && l.strict {
			err = canonical(records[i], line)
		}
		if err == nil {
			err = l.replay(records[i])
		}
		if err != nil {
			return nil, &BadLine{Path: l.Path, Line: i + 1, Reason: err.Error()}
		}
		l.size, l.tail = l.size+int64(len(line)+1), len(line)+1
	}
	if len(l.Records) == 0 {
		reason := "the file is empty"
		if l.Torn != nil {
			reason = "the first line is torn: no promise was ever made. Remove the file and open the ledger again"
		}
		return nil, &BadLine{Path: l.Path, Line: 1, Reason: reason}
	}
	return l, nil
}

// linesOf cuts at newlines; what stands behind the last one is torn.
func linesOf(data []byte) (lines [][]byte, torn []byte) {
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			return lines, bytes.Clone(data)
		}
		lines = append(lines, data[:end])
		data = data[end+1:]
	}
	return lines, nil
}

// parseAll reads all lines, on all processors: hashing and decoding is most of the work,
// and needs no order.
func parseAll(lines [][]byte) ([]Record, []error) {
	records, errs := make([]Record, len(lines)), make([]error, len(lines))
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w * len(lines) / workers; i < (w+1)*len(lines)/workers; i++ {
				records[i], errs[i] = parseRecord(lines[i])
			}
		})
	}
	wait.Wait()
	return records, errs
}

// torn is the error of a ledger that must be repaired before it is used.
func (l *Ledger) torn() error {
	if l.Torn == nil {
		return nil
	}
	return &BadLine{Path: l.Path, Line: len(l.Records) + 1, Torn: true,
		Reason: fmt.Sprintf("the last line is torn: it was never acknowledged. \"epsiloscope ledger repair %s\" keeps its bytes and charges what can be read of it", l.Path)}
}

// replay takes one more record, or says what is wrong with it.
func (l *Ledger) replay(r Record) error {
	if r.Prev != l.Head() {
		return fmt.Errorf("it does not follow the line before: it names %s, and that line's hash is %s", short(r.Prev), short(l.Head()))
	}
	if r.Seq != len(l.Records) {
		return fmt.Errorf("it is numbered %d and should be %d", r.Seq, len(l.Records))
	}
	if (r.Kind == KindOpen) != (len(l.Records) == 0) {
		return fmt.Errorf("a ledger starts with its open record, and has no other; this one is %q", r.Kind)
	}
	if r.time().Before(l.last()) {
		return fmt.Errorf("its time %s lies before that of the line above, %s", r.At, l.last().Format(stamp))
	}
	if err := r.checkTexts(); err != nil {
		return err
	}
	err := fmt.Errorf("a record of the unknown kind %q: a later version may know it, this one does not guess", r.Kind)
	switch r.Kind {
	case KindOpen:
		err = l.replayOpen(r)
	case KindReserve:
		err = l.replayReserve(r, true)
	case KindBreach:
		if err = l.replayReserve(r, false); err == nil && l.breach == nil {
			l.breach = &r
		}
	case KindTorn:
		if err = nil; r.Cost != nil {
			err = l.replayReserve(r, false)
		}
	case KindCommit:
		err = l.replaySettle(r, Committed)
	case KindCancel:
		err = l.replaySettle(r, Cancelled)
	case KindAmend:
		err = l.replayAmend(r)
	case KindRefuse:
		err = nil
	}
	if err != nil {
		return err
	}
	l.Records = append(l.Records, r)
	return nil
}

func (l *Ledger) replayOpen(r Record) error {
	if r.Promise == nil {
		return fmt.Errorf("the open record has no promise")
	}
	switch mechanisms.Adjacency(r.Adjacency) {
	case mechanisms.AddRemove, mechanisms.Replace, mechanisms.ZeroOut:
	default:
		return fmt.Errorf("the adjacency %q is unknown", r.Adjacency)
	}
	l.Open = r
	f, err := l.filter(r.Promise)
	if err != nil {
		return err
	}
	l.Promise, l.Filter, l.amended = *r.Promise, f, f
	return nil
}

// replayReserve charges a request. What was granted must leave the sums that it says.
func (l *Ledger) replayReserve(r Record, granted bool) error {
	switch {
	case r.ID == "" || r.Cost == nil:
		return fmt.Errorf("a %s without id or cost", r.Kind)
	case l.reserves[r.ID] != nil:
		return fmt.Errorf("the id %q was reserved before", r.ID)
	case r.Cost.Quantity != l.Filter.About().Quantity || len(r.Cost.Parts) != len(l.zero().Parts):
		return fmt.Errorf("its cost is in %s, and the ledger's is another", r.Cost.Quantity)
	case granted && l.breach != nil:
		return fmt.Errorf("it was granted after the promise was broken on line %d", l.breach.Seq+1)
	}
	blocks, err := l.blocksOf(r.Blocks)
	if err != nil {
		return err
	}
	l.expire(r.time())
	if l.strict && r.Kind != KindTorn {
		if err := l.judge(r, blocks, granted); err != nil {
			return err
		}
	}
	l.charge(r.Cost.Cost, blocks, r.By)
	l.reserves[r.ID] = &reserve{record: r, cost: r.Cost.Cost, state: Held}
	if granted {
		if after := l.after(blocks); r.After == nil || !r.After.Equal(after) {
			return fmt.Errorf("the sum after it is %s, not what it says", number(l.Filter, l.Filter.Spent(after)))
		}
	}
	return nil
}

func (l *Ledger) replaySettle(r Record, state State) error {
	held, ok := l.reserves[r.ID]
	switch {
	case !ok:
		return fmt.Errorf("a %s of %q, which was never reserved", r.Kind, r.ID)
	case held.state != Held:
		return fmt.Errorf("a %s of %q, which is %s already", r.Kind, r.ID, held.state)
	case state == Cancelled && r.Reason == "":
		return fmt.Errorf("a cancel needs a reason")
	}
	l.settle(held, r.time(), state)
	return nil
}
