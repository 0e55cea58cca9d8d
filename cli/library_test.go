package cli

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

// People and programs read the verdicts on the claims of bundled scenarios: one that is not decided, one that does not
// hold and one that does. The script review-library has the list of all.
func TestReviewedScenarios(t *testing.T) {
	infos := slices.DeleteFunc(scenarios.LibraryInfos(), func(i scenarios.Info) bool {
		return !slices.Contains([]string{"census-pl94", "recurve-corrected", "coin-survey"}, i.Name)
	})
	list, err := reviewScenarios(context.Background(), infos)
	if err != nil {
		t.Fatal(err)
	}
	for format, lines := range map[string][]string{
		asTable: {`census-pl94 +not decided +ε ≤ 17.14 at δ = 1e-10 +17.16 +\? claim, `,
			`recurve-corrected +does not hold +ε ≤ 0.843 at δ = 4.08e-8 +4.721 +✗ claim`, `coin-survey +holds whatever the answers `},
		asJSON: {` *"by": "US Census Bureau 2021"`, ` *"verdict": "not-decided"`},
	} {
		var out bytes.Buffer
		if err := sheet.Library(list).Write(&out, format); err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if !regexp.MustCompile("(?m)^" + line).MatchString(out.String()) {
				t.Errorf("no %s in %s", line, &out)
			}
		}
	}
}

// The flag asks for the reviews, and they end when the command is told to.
func TestReviewOfTheLibraryEnds(t *testing.T) {
	ended, end := context.WithCancel(context.Background())
	end()
	for _, c := range []struct {
		args  []string
		whole bool
	}{{[]string{"scenarios", "list"}, true}, {[]string{"scenarios", "list", "--review"}, false}} {
		var out, errs bytes.Buffer
		status := (&app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs}).execute(ended, c.args)
		if (status == statusDone) != c.whole || (out.Len() > 0) != c.whole {
			t.Errorf("%v: status %d, %s", c.args, status, &errs)
		}
	}
}
