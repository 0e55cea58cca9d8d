package accounting_test

import (
	"context"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
)

// A note is one or more sentences, whichever part of the program worded it.
func TestNotesAreSentences(t *testing.T) {
	gauge.Sequential(t)
	gaussian := accounting.Entry{Release: accounting.GaussianDP(0.3), Count: 1}
	two := accounting.Entry{Release: accounting.GaussianDP(0.3), Count: 2}
	spent := accounting.Entry{Release: accounting.ApproximateDP(0.1, 1e-3), Count: 1}
	sampled := accounting.Entry{Release: accounting.AddRemoveToReplace(
		accounting.Subsample(accounting.GaussianDP(1), 0.1)), Count: 3}
	// Noise so small that the central limit and the theorem's e^ε leave float64.
	tiny := accounting.Entry{Release: accounting.Subsample(accounting.GaussianDP(100), 1e-9), Count: 1e6}
	for _, stack := range [][]accounting.Entry{{gaussian}, {two}, {spent}, {sampled}, {tiny},
		{spent, sampled}}[:gauge.Cases(4, 6)] {
		for _, b := range accounting.Compare(context.Background(), stack,
			accounting.Target{Delta: 1e-6, Precision: 1e-2}) {
			if b.Note == "" {
				continue
			}
			for _, part := range strings.SplitAfter(b.Note, ". ") {
				part = strings.TrimSpace(part)
				first, _ := utf8.DecodeRuneInString(part)
				if plain := unicode.Is(unicode.Latin, first) && unicode.IsLower(first) &&
					!strings.HasPrefix(part, "zCDP"); plain || !strings.HasSuffix(part, ".") {
					t.Errorf("%s of %s: %q in %q is no sentence", b.Method, stack[0].Release.Name(), part, b.Note)
				}
			}
			if strings.Contains(b.Note, "each of 1 ") || strings.Contains(b.Note, "Inf") {
				t.Errorf("%s: %q", b.Method, b.Note)
			}
			if b.Status == accounting.Vacuous && !strings.Contains(b.Note, "finite") && !strings.Contains(b.Note, "δ's") {
				t.Errorf("%s is vacuous, and %q does not say why", b.Method, b.Note)
			}
		}
	}
}

// An upper end is not called larger than one that reads the same.
func TestNoteOfEqualEnds(t *testing.T) {
	shuffled := []accounting.Entry{{Release: accounting.ShuffledPass(100, 1, 0.01, 1, false), Count: 1}}
	for _, b := range accounting.Compare(context.Background(), shuffled, accounting.Target{Delta: 1e-6}) {
		if strings.Contains(b.Note, "is larger") {
			t.Errorf("%s, %v: %q", b.Method, b.Epsilon, b.Note)
		}
	}
}
