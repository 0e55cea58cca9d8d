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

// Attacker: an auditor who wants to refute a true claim. They sort the file as they like, look at all scores, take the
// best of several numbers of guesses, of several thresholds, or the threshold that the program finds. Scores are as
// informative as the claim allows: the canary's bit, told by randomized response with ε, and noise that ranks the
// answers. At 5 % at most 5 % of audits may refute.
func TestChoicesAreCorrectedFor(t *testing.T) {
	audits := gauge.Cases(20, 1500)
	for _, epsilon := range []float64{0, 0.8} {
		random := rand.New(rand.NewPCG(9, 10))
		orders := map[string]func(a, b Score) int{
			"by score": func(a, b Score) int { return compare(a.Value, b.Value) },
			"members first": func(a, b Score) int {
				return compare(map[bool]float64{false: 1}[a.Member], map[bool]float64{false: 1}[b.Member])
			},
		}
		truth := 1 / (1 + math.Exp(-epsilon))
		refuted := map[string]int{}
		for range audits {
			scores := make([]Score, 80)
			for i := range scores {
				in := random.Uint64()&1 == 1
				told := in == (random.Float64() < truth)
				scores[i] = Score{random.Float64(), in}
				if told {
					scores[i].Value++
				}
			}
			count := func(name string, r Result) {
				if p, err := r.PValue(epsilon, 0); err == nil && p < 0.05 {
					refuted[name]++
				}
			}
			for order, less := range orders {
				slices.SortStableFunc(scores, less)
				var all Corrected
				for r := len(scores); r >= 10; r /= 2 {
					o, err := OneRunScores(scores, r)
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, o)
				}
				count("guesses, "+order, all)
				shown := func(s TwoSample) (float64, error) { return s.EpsilonLower(0, 0.95) }
				if threshold, rest, err := ChooseThreshold(scores, shown); err == nil {
					count("half chooses, "+order, TwoSampleScores(rest, threshold))
				}
			}
			var given Corrected
			for k := range 9 {
				if s := TwoSampleScores(scores, float64(k)/4); s.Members > 0 && s.NonMembers > 0 {
					given = append(given, s)
				}
			}
			count("thresholds", given)
		}
		for name, n := range refuted {
			if limit := float64(audits)/20 + 3.5*math.Sqrt(float64(audits)/20); float64(n) > limit {
				t.Errorf("ε = %g, %s: %d of %d true claims were refuted at 5 %%", epsilon, name, n, audits)
			}
		}
		t.Log(epsilon, audits, refuted)
	}
}

// The half that chooses a threshold is the same however the lines are sorted, so that nobody can sort until it suits;
// and it is another for other scores, so that no place in a sorted file always belongs to one half.
func TestHalvesDoNotDependOnTheOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	rest := func(scores []Score) []Score {
		_, rest, err := ChooseThreshold(scores, func(s TwoSample) (float64, error) { return s.EpsilonLower(0, 0.95) })
		if err != nil {
			t.Fatal(err)
		}
		return rest
	}
	ranks := map[int]bool{}
	for range 40 {
		scores := make([]Score, 24)
		for i := range scores {
			scores[i] = Score{random.NormFloat64(), i%2 == 0}
		}
		slices.SortFunc(scores, func(a, b Score) int { return compare(a.Value, b.Value) })
		want := rest(scores)
		ranks[slices.Index(scores, want[0])] = true
		random.Shuffle(len(scores), func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
		if got := rest(scores); !slices.Equal(got, want) {
			t.Fatalf("the other order counts %v, not %v", got, want)
		}
	}
	if len(ranks) < 5 {
		t.Errorf("the first run that counts has only the ranks %v", ranks)
	}
}

func TestReadScores(t *testing.T) {
	good, err := ReadScores(strings.NewReader("member, score\n1,0.5\nout,-3e2\ntrue,1\n"))
	if err != nil || !slices.Equal(good, []Score{{0.5, true}, {-300, false}, {1, true}}) {
		t.Errorf("%v, %v", good, err)
	}
	for text, want := range map[string]string{
		"score,member\n":               "no trial",
		"score\n1\n":                   "columns score and member",
		"score,member,id\n1,1,1\n":     "unknown column",
		"score,score\n1,1\n":           "columns score and member",
		"score,member\nNaN,1\n":        "not a finite number",
		"score,member\nInf,1\n":        "line 2",
		"score,member\n1,1\n2,maybe\n": "line 3",
		"score,member\n1\n":            "scores, line 2: must have two columns, as the header has",
		"":                             "scores: the file is empty",
		"score,member\n\"1,1\n":        "scores, line 2: a quotation mark",
		"score,member\n1,2\n":          "member must be",
	} {
		if list, err := ReadScores(strings.NewReader(text)); err == nil || list != nil ||
			!strings.Contains(err.Error(), want) {
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
	if _, err := CheckCoins(make(900, 100)); err == nil {
		t.Error("900 of 1000 canaries are in, and that is believed")
	}
	if note, err := CheckCoins(make(500, 500)); err != nil || note == "" {
		t.Errorf("exactly half: %q, %v", note, err)
	}
	if note, err := CheckCoins(make(520, 480)); err != nil || note != "" {
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
