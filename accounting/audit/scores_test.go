package audit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// A file that lists members first and gives every trial the same score must not be taken for a perfect attack.
func TestEqualScoresShowNothing(t *testing.T) {
	var scores []Score
	for i := range 100 {
		scores = append(scores, Score{1, i < 50})
	}
	for _, guesses := range []int{1, 2, 50, 99, 100} {
		o, err := OneRunScores(scores, guesses)
		if err != nil {
			t.Fatal(err)
		}
		if shown, _ := o.EpsilonLower(0, 0.95); shown > 0 || 2*o.Correct > guesses {
			t.Errorf("%d guesses: %d right, ε ≥ %g", guesses, o.Correct, shown)
		}
	}
}

func TestScoresByRank(t *testing.T) {
	scores := []Score{{5, true}, {4, true}, {3, false}, {2, true}, {1, false}, {0, false}}
	for guesses, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 4, 6: 4} {
		if o, err := OneRunScores(scores, guesses); err != nil || o.Correct != want || o.Canaries != 6 {
			t.Errorf("%d guesses: %+v, %v; want %d right", guesses, o, err, want)
		}
	}
	if _, err := OneRunScores(scores, 7); err == nil {
		t.Error("more guesses than canaries")
	}
	if s := TwoSampleScores(scores, 2.5); s != (TwoSample{3, 2, 3, 1}) {
		t.Errorf("%+v", s)
	}
}

// Scores that know nothing refute the claim ε = 0 at 5 % in at most 5 % of audits, however the file is sorted and whatever is chosen
// by looking at it.
func TestChoicesAreCorrectedFor(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	audits := gauge.Cases(100, 400)
	refuted := map[string]int{}
	for range audits {
		scores := make([]Score, 80)
		for i := range scores {
			scores[i] = Score{random.NormFloat64(), random.Uint64()&1 == 1}
		}
		slices.SortFunc(scores, func(a, b Score) int { return compare(a.Value, b.Value) })
		count := func(name string, r Result) {
			if p, err := r.PValue(0, 0); err == nil && p < 0.05 {
				refuted[name]++
			}
		}
		var all Corrected
		for r := len(scores); r >= 10; r /= 2 {
			o, err := OneRunScores(scores, r)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, o)
		}
		count("guesses", all)
		shown := func(s TwoSample) (float64, error) { return s.EpsilonLower(0, 0.95) }
		if threshold, rest, err := ChooseThreshold(scores, shown); err == nil {
			count("half chooses", TwoSampleScores(rest, threshold))
		}
		var given Corrected
		for k := range 9 {
			if s := TwoSampleScores(scores, float64(k-4)/2); s.Members > 0 && s.NonMembers > 0 {
				given = append(given, s)
			}
		}
		count("thresholds", given)
	}
	for name, n := range refuted {
		if limit := float64(audits)/20 + 3*math.Sqrt(float64(audits)*0.05*0.95); float64(n) > limit { // 3 standard deviations
			t.Errorf("%s: %d of %d true claims were refuted at 5 %%", name, n, audits)
		}
	}
}

func TestReadScores(t *testing.T) {
	good, err := ReadScores(strings.NewReader("member, score\n1,0.5\nout,-3e2\ntrue,1\n"))
	if err != nil || !slices.Equal(good, []Score{{0.5, true}, {-300, false}, {1, true}}) {
		t.Errorf("%v, %v", good, err)
	}
	for text, want := range map[string]string{
		"":                             "header",
		"score,member\n":               "no trial",
		"score\n1\n":                   "columns score and member",
		"score,member,id\n1,1,1\n":     "unknown column",
		"score,score\n1,1\n":           "columns score and member",
		"score,member\nNaN,1\n":        "not a finite number",
		"score,member\nInf,1\n":        "line 2",
		"score,member\n1,1\n2,maybe\n": "line 3",
		"score,member\n1\n":            "wrong number of fields",
		"score,member\n1,2\n":          "member must be",
	} {
		if list, err := ReadScores(strings.NewReader(text)); err == nil || list != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, list, err, want)
		}
	}
}

// Canaries that were not put in by fair coins are refused: nine in ten included, "in" is right with 0.9 about nothing.
func TestCoins(t *testing.T) {
	make := func(in, out int) (list []Score) {
		for i := range in + out {
			list = append(list, Score{float64(i), i < in})
		}
		return list
	}
	if _, err := Coins(make(900, 100)); err == nil {
		t.Error("900 of 1000 canaries are in, and that is believed")
	}
	if note, err := Coins(make(500, 500)); err != nil || note == "" {
		t.Errorf("exactly half: %q, %v", note, err)
	}
	if note, err := Coins(make(520, 480)); err != nil || note != "" {
		t.Errorf("520 of 1000: %q, %v", note, err)
	}
}

// Results that were all looked at are held to their share of the level, in the bound as in the p-value.
func TestCorrectedTogether(t *testing.T) {
	one := OneRun{100, 50, 40}
	both := Corrected{one, OneRun{100, 100, 60}}
	alone, _ := one.EpsilonLower(1e-6, 0.975)
	if got, err := both.EpsilonLower(1e-6, 0.95); err != nil || got != alone {
		t.Errorf("ε ≥ %g, want %g (%v)", got, alone, err)
	}
	p, _ := one.PValue(0.5, 1e-6)
	if got, err := both.PValue(0.5, 1e-6); err != nil || got < 2*p {
		t.Errorf("p = %g, want %g (%v)", got, 2*p, err)
	}
}
