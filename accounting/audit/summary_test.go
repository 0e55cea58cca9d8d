package audit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// The area is what counting every pair gives, and the interval has its two ends where the bound on the tail is half of
// the level.
func TestAreaUnderByPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var in, out []float64
		for range 1 + random.IntN(12) {
			in = append(in, float64(random.IntN(6)))
		}
		for range 1 + random.IntN(12) {
			out = append(out, float64(random.IntN(6)))
		}
		want := 0.0
		for _, x := range in {
			for _, y := range out {
				if x > y {
					want += 1
				} else if x == y {
					want += 0.5
				}
			}
		}
		want /= float64(len(in) * len(out))
		slices.Sort(in)
		slices.Sort(out)
		if got := areaUnder(in, out); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v against %v: %v, want %v", in, out, got, want)
		}
	}
	low, high := areaInterval(0.5, 100, 0.05) // KL(½‖p) = −½·ln(4p(1−p)) = ln(40)/100
	if p := (1 - math.Sqrt(1-math.Pow(40, -0.02))) / 2; math.Abs(low-p) > 1e-9 || math.Abs(high-(1-p)) > 1e-9 {
		t.Errorf("[%v, %v], want %v", low, high, p)
	}
	if low, high := areaInterval(1, 8, 0.05); high != 1 || math.Abs(low-math.Pow(40, -1.0/8)) > 1e-9 {
		t.Errorf("without an error: [%v, %v]", low, high)
	}
}

// Each interval holds with its confidence, for scores with and without equal ones, and is not so wide that it would
// hold always by far.
func TestIntervalsOfScoresHold(t *testing.T) {
	const confidence, mu = 0.9, 1.2
	audits := gauge.Cases(600, 20_000)
	for _, whole := range []bool{false, true} {
		random := rand.New(rand.NewPCG(11, 12))
		draw := func() float64 {
			x := random.NormFloat64()
			if whole {
				x = math.Round(2*x) / 2
			}
			return x
		}
		area := special.NormalCDF(mu / math.Sqrt2)
		missedArea, missedRate := 0, make([]int, len(reportedLevels))
		for range audits {
			var scores []Score
			for range 120 {
				scores = append(scores, Score{draw() + mu, true}, Score{draw(), false}, Score{draw(), false})
			}
			s, err := Summarise(scores, confidence)
			if err != nil {
				t.Fatal(err)
			}
			if s.AUROCLower > area+0.02 || s.AUROCUpper < area-0.02 ||
				!whole && (s.AUROCLower > area || s.AUROCUpper < area) {
				missedArea++
			}
			for i, r := range s.TPR {
				if r.Lower > r.TPR+1e-12 || r.Upper < r.TPR-1e-12 {
					t.Fatalf("%+v", r)
				}
				if truth := special.NormalCDF(special.NormalQuantile(r.FPR) + mu); !whole &&
					(truth < r.Lower || truth > r.Upper) {
					missedRate[i]++
				}
			}
		}
		allowed := float64(audits)*(1-confidence) + 4*math.Sqrt(float64(audits)*confidence*(1-confidence))
		if float64(missedArea) > allowed || float64(slices.Max(missedRate)) > allowed {
			t.Errorf("whole %v: the area is missed %d times, rates %v of %d", whole, missedArea, missedRate, audits)
		}
	}
}

// Twenty lines, fifty times, refuted a true claim at 10⁻³⁶; an attack with its sign turned around showed nothing and
// said nothing.
func TestScoreWarnings(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	warned := func(scores []Score) string {
		s, err := Summarise(scores, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(ScoreWarnings(scores, s), "\n")
	}
	var block, copied, good, inverted, two []Score
	for i := range 20 {
		block = append(block, Score{random.NormFloat64(), i%2 == 0})
	}
	for range 50 {
		copied = append(copied, block...)
	}
	for i := range 400 {
		in := random.IntN(2) == 0
		x := random.NormFloat64()
		if in {
			x += 1
		}
		good, inverted, two = append(good, Score{x, in}), append(inverted, Score{-x, in}),
			append(two, Score{float64(i % 2), in})
	}
	if got := warned(copied); !strings.Contains(got, "20 lines, 50 times") {
		t.Error(got)
	}
	mixed := slices.Clone(copied)
	random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	if got := warned(mixed); !strings.Contains(got, "980 of 1000 lines repeat") {
		t.Error(got)
	}
	if got := warned(inverted); !strings.Contains(got, "members have smaller scores") {
		t.Error(got)
	}
	for _, scores := range [][]Score{good, two} {
		if got := warned(scores); got != "" {
			t.Error(got)
		}
	}
}
