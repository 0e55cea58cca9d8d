// Skips reads the output of "go test -json", prints what "go test" would print, and lists the tests that were skipped
// with their reasons. It fails if a test failed, and if one was skipped for a reason that is not expected: a check
// that did not run must not look like one that passed.
//
//	go test -json ./... | go run ./.ci/skips
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// expected matches the reasons for which a test may be skipped where everything it needs is installed: longer forms
// have their own command, and some cases say of themselves that nothing is to be seen.
var expected = regexp.MustCompile(strings.Join([]string{
	`EPSILOSCOPE_LONG`, `EPSILOSCOPE_OPACUS`, `EPSILOSCOPE_ALL=1`, `\.ci/soak`, `\.ci/run asks for it`, // longer forms
	`draws only with -pictures`, `run by TestServerMinute`, `^nothing is released$`, `^large$`, `^refused$`, // parts of other tests
	`no Python with dp_accounting here`,                                                                   // the long form only
	`only the superuser can give files away`, `needs files of another user`, `cannot become another user`, // root or not, one of them is skipped
}, "|"))

// event is a line of "go test -json".
type event struct {
	Action, Package, Test, Output string
}

// report reads events, writes what people read to out, and returns what is wrong: failures and unexpected skips.
func report(in io.Reader, out io.Writer) (wrong []string, skipped int, err error) {
	printed := map[string][]string{} // by test
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintln(out, lines.Text()) // of the compiler
			continue
		}
		test := e.Package + " " + e.Test
		switch {
		case e.Action == "output" && e.Test == "":
			fmt.Fprint(out, e.Output)
		case e.Action == "output":
			printed[test] = append(printed[test], e.Output)
		case e.Action == "fail" || e.Action == "build-fail":
			fmt.Fprint(out, strings.Join(printed[test], ""))
			wrong = append(wrong, "failed: "+strings.TrimSpace(test))
		case e.Action == "skip" && e.Test != "":
			skipped++
			reason := reasonOf(printed[test])
			fmt.Fprintf(out, "skipped: %s: %s\n", test, reason)
			if !expected.MatchString(reason) {
				wrong = append(wrong, "skipped, which is not expected: "+test+": "+reason)
			}
		}
		if e.Action == "pass" || e.Action == "skip" || e.Action == "fail" {
			delete(printed, test)
		}
	}
	return wrong, skipped, lines.Err()
}

// reasonOf returns the reason that a test gave before it was skipped: its last line that is not about the run itself.
func reasonOf(printed []string) string {
	position := regexp.MustCompile(`^\S+\.go:\d+: `)
	for _, line := range slices.Backward(printed) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "===") {
			return position.ReplaceAllString(line, "")
		}
	}
	return "no reason was given"
}

func main() {
	wrong, skipped, err := report(os.Stdin, os.Stdout)
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	fmt.Printf("%d tests were skipped\n", skipped)
	for _, w := range wrong {
		fmt.Println(w)
	}
	if len(wrong) > 0 {
		os.Exit(1)
	}
}
