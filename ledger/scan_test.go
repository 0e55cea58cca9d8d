package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

// rehash gives a body without its hash the hash of its bytes.
func rehash(body []byte) []byte {
	return append(bytes.Clone(body), []byte(hashField+hashOf(body)+`"}`)...)
}

// checkScan compares the quick reading of a line with decoding it and encoding it again.
func checkScan(fail func(string, ...any), s *scanner, line []byte) (quick bool) {
	r, quick := s.scan(line)
	if !quick {
		return false
	}
	slow, err := parseRecord(line)
	if err == nil {
		err = checkCanonical(slow, line)
	}
	if err != nil {
		fail("%s\nis read quickly, and is refused: %v", line, err)
		return true
	}
	if again, err := r.seal(); err != nil || string(again) != string(line)+"\n" {
		fail("%s\nis read quickly as\n%s%v", line, again, err)
	}
	if !r.Time().Equal(slow.Time()) || r.Kind != slow.Kind || r.Seq != slow.Seq {
		fail("%s\nis read quickly as %v, and as %v", line, r, slow)
	}
	return true
}

// forgedBodies are lines without their hash that look like those of this program and are not.
func forgedBodies() (list []string) {
	const body = `{"v":1,"seq":1,"kind":"reserve","id":"a","nonce":"0123456789abcdef0123456789abcdef","at":"2026-11-15T09:00:00Z","by":"b","why":"w","blocks":["x","y"],"rounds":2,"stack":[{"mechanism":"pure","epsilon":0.1}],"cost":{"delta":"7","epsilon":"100"},"after":{"renyi":["1","2"]},"status":0,"artifact":"f","reason":"r","from":"g","prev":"p"`
	list = append(list, body)
	for _, change := range [][2]string{
		{`"id":"a"`, `"id":"a","id":"b"`}, {`"id":"a"`, `"ID":"a"`}, {`"id":"a"`, `"id": "a"`}, {`"id":"a"`, `"id":""`}, {`"id":"a"`, `"id":"\u0061"`},
		{`"seq":1`, `"seq":01`}, {`"seq":1`, `"seq":1.0`}, {`"seq":1`, `"seq":-1`}, {`"seq":1`, `"seq":99999999999999999999`},
		{`"by":"b"`, `"by":"<b>&"`}, {`"by":"b"`, "\"by\":\"\u2028\""}, {`"by":"b"`, "\"by\":\"\xff\""}, {`"by":"b"`, "\"by\":\"é\ufffd\""}, {`"by":"b"`, "\"by\":\"\t\""}, {`"by":"b"`, "\"by\":\"\x7f\""},
		{`["x","y"]`, `[]`}, {`["x","y"]`, `["x",]`}, {`["x","y"]`, `[""]`}, {`["x","y"]`, `null`},
		{`"rounds":2`, `"rounds":"2"`}, {`"rounds":2`, `"rounds":2.50`}, {`"rounds":2`, `"rounds":02`}, {`"rounds":2`, `"rounds":1e3`},
		{`[{"mechanism":"pure","epsilon":0.1}]`, `[{"mechanism":"pure", "epsilon":0.1}]`}, {`[{"mechanism":"pure","epsilon":0.1}]`, `[{"mechanism":"pure","epsilon":.1}]`},
		{`[{"mechanism":"pure","epsilon":0.1}]`, `[}]`}, {`[{"mechanism":"pure","epsilon":0.1}]`, `[[1]`}, {`[{"mechanism":"pure","epsilon":0.1}]`, `{"a":"]"}`}, {`[{"mechanism":"pure","epsilon":0.1}]`, `"x"`},
		{`[{"mechanism":"pure","epsilon":0.1}]`, `[{"a":1,"a":2}]`}, {`[{"mechanism":"pure","epsilon":0.1}]`, `[{"a":"] [ } {"}]`}, {`[{"mechanism":"pure","epsilon":0.1}]`, `[]`},
		{`"epsilon":"100"`, `"epsilon":"0100"`}, {`"epsilon":"100"`, `"epsilon":"-100"`}, {`"epsilon":"100"`, `"epsilon":"+100"`}, {`"epsilon":"100"`, `"epsilon":["100"]`}, {`"epsilon":"100"`, `"epsilon":[]`},
		{`"epsilon":"100"`, `"epsilon":100`}, {`"epsilon":"100"`, `"epsilon":"100","rho":"1"`}, {`"epsilon":"100"`, `"epsilon":"100","epsilon":"1"`}, {`"epsilon":"100"`, `"epsilon":"` + strings.Repeat("9", 199) + `"`}, {`"epsilon":"100"`, `"epsilon":"` + strings.Repeat("9", 201) + `"`},
		{`"epsilon":"100"`, `"epsilon":"100","rounding":"2/3"`}, {`"epsilon":"100"`, `"epsilon":"100","rounding":"4/6"`}, {`"epsilon":"100"`, `"epsilon":"100","rounding":"0/3"`}, {`"epsilon":"100"`, `"epsilon":"100","rounding":"3/2"`},
		{`"epsilon":"100"`, `"epsilon":"100","rounding":"-1/3"`}, {`"epsilon":"100"`, `"epsilon":"100","rounding":"1"`}, {`"epsilon":"100"`, `"epsilon":"100","rounding":"1/0"`}, {`"epsilon":"100"`, `"epsilon":"100","rounding":"0.5"`}, {`"epsilon":"100"`, `"epsilon":"100","rounding":""`},
		{`"epsilon":"100"`, `"epsilon":"100","rounding":"2/3","rounding":"1/3"`}, {`"epsilon":"100"`, `"rho":"100","rounding":"2/3"`}, {`"epsilon":"100"`, `"epsilon":"0","rounding":"2/3"`}, {`"renyi":["1","2"]`, `"renyi":["1","2"],"rounding":"2/3"`}, {`"epsilon":"100"`, `"rounding":"2/3","epsilon":"100"`},
		{`"delta":"7",`, `"delta":"0",`}, {`{"delta":"7","epsilon":"100"}`, `{"epsilon":"100","delta":"7"}`}, {`{"delta":"7","epsilon":"100"}`, `{}`}, {`{"delta":"7","epsilon":"100"}`, `null`},
		{`"status":0`, `"status":00`}, {`"status":0`, `"status":-1`}, {`"status":0`, `"status":null`}, {`"reason":"r"`, `"reason":"r","unknown":1`}, {`"from":"g"`, `"bytes":"AAAA","from":"g"`},
		{`09:00:00Z`, `09:00:00.5Z`}, {`2026-11-15`, `2026-02-30`}, {`09:00`, `24:00`}, {`09:00:00Z`, `09:00:60Z`}, {`2026-`, `+026-`}, {`T09`, `t09`},
		{`"kind":"reserve"`, `"kind":"reserve","force":true`}, {`"kind":"reserve"`, `"kind":"reserve","force":false`}, {`"kind":"reserve"`, `"kind":"reserve","Kind":"cancel"`}, {`{"v":1`, ` {"v":1`}, {`"prev":"p"`, `"prev":"p","prev":"q"`},
	} {
		list = append(list, strings.Replace(body, change[0], change[1], 1))
	}
	return list
}

// Nothing is read quickly that decoding and encoding again refuses, and it is read as the same record: the attacker
// writes lines that look like those of this program, with the right hash.
func TestScanAcceptsNothingElse(t *testing.T) {
	s := newScanner()
	bodies := forgedBodies()
	if !checkScan(t.Fatalf, s, rehash([]byte(bodies[0]))) {
		t.Fatal("the line itself is not read quickly")
	}
	for _, body := range bodies[1:] {
		if body == bodies[0] {
			t.Error("a change that changes nothing")
		}
		checkScan(t.Errorf, s, rehash([]byte(body)))
	}
	line := rehash([]byte(bodies[0]))
	line[len(line)-5] ^= 1
	if _, quick := s.scan(line); quick {
		t.Error("a line of another hash is read")
	}
	gauge.Check(t, gauge.Cases(3000, 100_000), func(t *rapid.T) {
		body := []byte(rapid.SampledFrom(bodies).Draw(t, "body"))
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			at, with := rapid.IntRange(0, len(body)-1).Draw(t, "at"), rapid.SampledFrom([]byte(`"\,:{}[]0157 aé<-.eE`)).Draw(t, "with")
			switch rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				body[at] = with
			case 1:
				body = append(body[:at:at], append([]byte{with}, body[at:]...)...)
			case 2:
				body = append(body[:at:at], body[at+1:]...)
			}
		}
		checkScan(t.Fatalf, s, rehash(body))
	})
}

// FuzzScan compares the two readings of a line on any bytes, with the right hash behind them.
func FuzzScan(f *testing.F) {
	for _, body := range forgedBodies() {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { checkScan(t.Fatalf, newScanner(), rehash(body)) })
}

// The lines that a long ledger consists of are read quickly.
func TestScanReadsWhatIsWritten(t *testing.T) {
	f := long(t, 50)
	id := mustReserve(t, f, scenarioOf(t, "{mechanism: laplace, epsilon: 0.25, count: 2}"))
	mustCancel(t, f, id)
	if _, _, err := f.Reserve(pureOf(t, "2000000"), nil, "Zoë", "für alle"); err == nil {
		t.Fatal("granted")
	}
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	s := newScanner()
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		if !checkScan(t.Errorf, s, line) && i > 0 {
			t.Errorf("not read quickly: %s", line)
		}
	}
}

// A time is read as the standard library reads it.
func TestScanTime(t *testing.T) {
	gauge.Check(t, 500, func(t *rapid.T) {
		text := time.Unix(rapid.Int64Range(-62167219200, 253402300799).Draw(t, "time"), 0).UTC().Format(timeLayout)
		if rapid.Bool().Draw(t, "changed") {
			b := []byte(text)
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("0123456789-:TZ")).Draw(t, "with")
			text = string(b)
		}
		want, err := time.Parse(timeLayout, text)
		if got, ok := parseTime(text); ok && (err != nil || !got.Equal(want)) || !ok && err == nil &&
			len(text) == len(timeLayout) {
			t.Fatalf("%s: %v %v, and %v %v", text, got, ok, want, err)
		}
	})
}

// A ledger is the same in whatever pieces it is read: with the lines of a piece cut anywhere, a line longer than a
// piece, one that is torn, and one that does not hold. What the system cannot read is no end of the file.
func TestReadInPieces(t *testing.T) {
	f := long(t, 60)
	if _, _, err := f.Reserve(pureOf(t, "0.5"), nil, "", strings.Repeat("why ", 240)); err != nil {
		t.Fatal(err)
	}
	data := must(os.ReadFile(f.Path))
	changed := bytes.Clone(data)
	changed[len(data)/2] ^= 1
	for name, data := range map[string][]byte{"whole": data, "torn": data[:len(data)-7], "without its end": data[:len(data)-1], "changed": changed,
		"one line": data[:bytes.IndexByte(data, '\n')+1], "part of one": data[:100], "empty": nil, "not a ledger": []byte("# x\n")} {
		want, wrong := Parse(f.Path, data)
		for pieces, r := range map[string]io.Reader{"at once": bytes.NewReader(data),
			"bytes": iotest.OneByteReader(bytes.NewReader(data)), "halves": iotest.HalfReader(bytes.NewReader(data))} {
			for _, size := range []int64{0, int64(len(data)), 1 << 20} {
				if s, ok := r.(io.Seeker); ok {
					_, _ = s.Seek(0, io.SeekStart)
				} else if size > 0 {
					continue
				}
				got, err := newLedger(f.Path).parseFrom(r, size)
				if fmt.Sprint(err) != fmt.Sprint(wrong) {
					t.Errorf("%s, %s of %d: %v, and %v", name, pieces, size, err, wrong)
				} else if err == nil && (!reflect.DeepEqual(got.Records, want.Records) || got.size != want.size ||
					string(got.Torn) != string(want.Torn) || !got.account("").sum().Equal(want.account("").sum())) {
					t.Errorf("%s, %s of %d: another ledger", name, pieces, size)
				}
			}
		}
	}
	broken := errors.New("broken")
	if _, err := newLedger(f.Path).parseFrom(io.MultiReader(bytes.NewReader(data[:1000]), iotest.ErrReader(broken)),
		int64(len(data))); err != broken {
		t.Errorf("a reader that fails: %v", err)
	}
}

// Whoever verifies a long ledger is told how far it is.
func TestVerifyTellsItsProgress(t *testing.T) {
	f := long(t, 2500)
	var told []int
	f.Progress = func(done, total int) {
		if total < 2500 || len(told) > 0 && done < told[len(told)-1] {
			t.Errorf("%d of %d after %v", done, total, told)
		}
		told = append(told, done)
	}
	if _, err := f.Verify(t.Context()); err != nil || len(told) < 3 {
		t.Errorf("told %v, and %v", told, err)
	}
}
