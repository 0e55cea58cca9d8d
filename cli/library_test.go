package cli

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

// A program reads the verdict on the claim of a bundled scenario. The script review-library has the list for people;
// one scenario is enough here, as every row is written alike.
func TestReviewedScenarioAsJSON(t *testing.T) {
	infos := slices.DeleteFunc(scenarios.LibraryInfos(), func(i scenarios.Info) bool { return i.Name != "census-pl94" })
	list, err := reviewScenarios(context.Background(), infos)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := sheet.Library(list).Write(&out, asJSON); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"by": "US Census Bureau 2021"`, `"verdict": "not-decided"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, &out)
		}
	}
}
