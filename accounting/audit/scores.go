package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Score is a trial of an attack: the score, larger if the attack takes it for a member, and whether it was one.
type Score struct {
	Value  float64
	Member bool
}

// maxScores bounds the lines of a file of scores.
const maxScores = 10_000_000

// scoresError says in words why a line of a file of scores cannot be read.
func scoresError(err error) error {
	bad := new(csv.ParseError)
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("scores: the file is empty; its first line names the columns score and member")
	case errors.As(err, &bad) && errors.Is(err, csv.ErrFieldCount):
		return fmt.Errorf("scores, line %d: must have two columns, as the header has", bad.Line)
	case errors.As(err, &bad):
		return fmt.Errorf("scores, line %d: a quotation mark stands where none may be", bad.Line)
	}
	return fmt.Errorf("scores: %w", err)
}

// ReadScores reads a CSV file with a header that names the columns score and member, in any order, and nothing else. A
// score is a finite number; member is 1 or 0, true or false, in or out.
func ReadScores(r io.Reader) ([]Score, error) {
	in := csv.NewReader(r)
	in.TrimLeadingSpace, in.ReuseRecord = true, true
	head, err := in.Read()
	if err != nil {
		return nil, scoresError(err)
	}
	value, member := -1, -1
	for i, name := range head {
		switch strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))) {
		case "score":
			value = i
		case "member":
			member = i
		default:
			return nil, fmt.Errorf("scores, line 1: unknown column %q; the columns are score and member", name)
		}
	}
	if value < 0 || member < 0 || len(head) != 2 {
		return nil, errors.New("scores, line 1: the header must name the columns score and member, each once")
	}
	var list []Score
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, scoresError(err)
		}
		line, _ := in.FieldPos(0)
		var s Score
		if s.Value, err = strconv.ParseFloat(strings.TrimSpace(row[value]), 64); err != nil || math.IsNaN(s.Value) ||
			math.IsInf(s.Value, 0) {
			return nil, fmt.Errorf("scores, line %d: the score %q is not a finite number", line, row[value])
		}
		switch strings.ToLower(strings.TrimSpace(row[member])) {
		case "1", "true", "in":
			s.Member = true
		case "0", "false", "out":
		default:
			return nil, fmt.Errorf("scores, line %d: member must be 1 or 0, true or false, in or out, got %q", line, row[member])
		}
		if list = append(list, s); len(list) > maxScores {
			return nil, fmt.Errorf("scores: more than %d lines", maxScores)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("scores: there is no trial below the header")
	}
	return list, nil
}

// unfair is the probability below which fair coins are not believed.
const unfair = 1e-6

// CheckCoins returns an error if fair coins would give these memberships less than once in a million runs.
// The note warns if exactly half are members: an audit is not valid if that was arranged.
func CheckCoins(scores []Score) (note string, err error) {
	in := 0
	for _, s := range scores {
		if s.Member {
			in++
		}
	}
	n := len(scores)
	if above, _, _, _ := tails(n, max(in, n-in), 0.5); 2*above < unfair {
		return "", fmt.Errorf("%d of %d canaries are members: not by fair coins, so that the audit of one run is not valid", in, n)
	}
	if n >= 10 && 2*in == n {
		note = "exactly half of the canaries are members: if that was arranged and not the coins' doing, the audit is not valid"
	}
	return note, nil
}

// OneRunScores returns the audit of one run by scores of its canaries with a number of guesses fixed in advance: the
// larger half of the guesses goes to the highest scores as members, the rest to the lowest as others. Equal scores at
// the end of either half count against the attack, so that the order of the lines cannot help it.
func OneRunScores(scores []Score, guesses int) (OneRun, error) {
	o := OneRun{Canaries: len(scores), Guesses: guesses}
	if err := o.Validate(); err != nil {
		return o, err
	}
	sorted := slices.Clone(scores)
	rank := func(member bool) { // from the highest; among equals the wrong guess comes first
		slices.SortFunc(sorted, func(a, b Score) int {
			switch {
			case a.Value != b.Value && (a.Value > b.Value) == member:
				return -1
			case a.Value != b.Value:
				return 1
			case a.Member == b.Member:
				return 0
			case a.Member != member:
				return -1
			}
			return 1
		})
	}
	called := (guesses + 1) / 2
	rank(true)
	for _, s := range sorted[:called] {
		if s.Member {
			o.Correct++
		}
	}
	cleared := guesses - called
	if lowest := slices.MinFunc(sorted[:called], func(a, b Score) int {
		return compare(a.Value, b.Value)
	}); cleared > 0 {
		rank(false)
		for _, s := range sorted[:cleared] {
			if !s.Member && s.Value < lowest.Value { // one score cannot be guessed both ways
				o.Correct++
			}
		}
	}
	return o, nil
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// TwoSampleScores counts the errors of the test "score above the threshold" over independent runs.
func TwoSampleScores(scores []Score, threshold float64) TwoSample {
	var s TwoSample
	for _, one := range scores {
		above := 0
		if one.Value > threshold {
			above = 1
		}
		if one.Member {
			s.Members++
			s.TruePositives += above
		} else {
			s.NonMembers++
			s.FalsePositives += above
		}
	}
	return s
}

// ChooseThreshold returns the threshold at which a first half of the runs of each kind has the largest value, with the
// other half, which it did not see. An audit of these needs no correction. The halves are drawn from the scores alone,
// whatever the order of the lines: a fixed split of lines that are sorted by score would tell one half about the other,
// and one by the lines' order could be redrawn until it suits.
func ChooseThreshold(scores []Score, value func(TwoSample) (float64, error)) (threshold float64,
	rest []Score, err error) {
	var first []Score
	seen := map[bool]int{}
	for _, s := range shuffle(scores) {
		if seen[s.Member]++; seen[s.Member]%2 == 1 {
			first = append(first, s)
		} else {
			rest = append(rest, s)
		}
	}
	if n := TwoSampleScores(rest, 0); n.Members == 0 || n.NonMembers == 0 {
		return 0, nil, errors.New("choosing a threshold takes half of the runs: at least two of each kind are needed")
	}
	var candidates []float64
	for _, s := range first {
		candidates = append(candidates, s.Value)
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	best := math.Inf(-1)
	for k := range min(len(candidates), 200) {
		t := candidates[k*len(candidates)/min(len(candidates), 200)]
		shown, err := value(TwoSampleScores(first, t))
		if err != nil {
			return 0, nil, err
		}
		if shown > best {
			best, threshold = shown, t
		}
	}
	return threshold, rest, nil
}

// CalibrateThreshold returns the rank-th largest score of some runs without the record as threshold, with all other
// runs. Which runs set it does not depend on their scores nor on the order of the lines, so that an audit of the others
// needs no correction.
func CalibrateThreshold(scores []Score, calibration, rank int) (threshold float64, rest []Score, err error) {
	if calibration < 1 || rank < 1 || rank > calibration {
		return 0, nil, fmt.Errorf("the threshold needs at least one run without the record, and a rank from 1 to their number, got %d and %d", calibration, rank)
	}
	var set []float64
	for _, s := range shuffle(scores) {
		if !s.Member && len(set) < calibration {
			set = append(set, s.Value)
		} else {
			rest = append(rest, s)
		}
	}
	if n := TwoSampleScores(rest, 0); n.Members == 0 || n.NonMembers == 0 {
		return 0, nil, fmt.Errorf("besides the %d runs without the record that set the threshold, at least one of each kind is needed", calibration)
	}
	slices.Sort(set)
	return set[len(set)-rank], rest, nil
}

// shuffle returns the scores in an order that depends on them as a whole and on nothing else: sorted, then exchanged by
// random numbers whose seed is a hash of all of them. For an audit that is as good as an order drawn by coins.
func shuffle(scores []Score) []Score {
	out := slices.Clone(scores)
	slices.SortFunc(out, func(a, b Score) int {
		if a.Value == b.Value && a.Member != b.Member {
			if b.Member {
				return -1
			}
			return 1
		}
		return compare(a.Value, b.Value)
	})
	digest := sha256.New()
	for _, s := range out {
		var line [9]byte
		binary.LittleEndian.PutUint64(line[:], math.Float64bits(s.Value+0)) // −0 and 0 are the same score
		if s.Member {
			line[8] = 1
		}
		digest.Write(line[:])
	}
	random := rand.New(rand.NewChaCha8([sha256.Size]byte(digest.Sum(nil))))
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// Corrected is the best of several results that were all looked at. Each is tested at its share of the level
// (Bonferroni).
type Corrected []Result

// Validate returns the first error of a result.
func (c Corrected) Validate() error {
	if len(c) == 0 {
		return errors.New("there is no result")
	}
	for _, r := range c {
		if err := r.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// EpsilonLower returns the largest ε that a result shows at its share of the level.
func (c Corrected) EpsilonLower(delta, confidence float64) (float64, error) {
	return c.largest(confidence, func(r Result, each float64) (float64, error) { return r.EpsilonLower(delta, each) })
}

// LargestProvable returns the largest ε that a result can show at its share of the level.
func (c Corrected) LargestProvable(delta, confidence float64) (float64, error) {
	return c.largest(confidence, func(r Result, each float64) (float64, error) {
		return r.LargestProvable(delta, each)
	})
}

// PValue returns the least p-value times the number of results.
func (c Corrected) PValue(epsilon, delta float64) (float64, error) {
	return c.minOver(func(r Result) (float64, error) { return r.PValue(epsilon, delta) })
}

// CurvePValue returns the least p-value of the profile times the number of results.
func (c Corrected) CurvePValue(claim Claim) (float64, error) {
	return c.minOver(func(r Result) (float64, error) { return r.CurvePValue(claim) })
}

func (c Corrected) largest(confidence float64, of func(Result, float64) (float64, error)) (best float64, err error) {
	if err := firstError(c.Validate(), checkConfidence(confidence)); err != nil {
		return 0, err
	}
	each := 1 - (1-confidence)/float64(len(c))
	for _, r := range c {
		x, err := of(r, each)
		if err != nil {
			return 0, err
		}
		best = math.Max(best, x)
	}
	return best, nil
}

func (c Corrected) minOver(of func(Result) (float64, error)) (float64, error) {
	if err := c.Validate(); err != nil {
		return 1, err
	}
	least := 1.0
	for _, r := range c {
		p, err := of(r)
		if err != nil {
			return 1, err
		}
		least = math.Min(least, p)
	}
	return math.Min(1, least*float64(len(c))*(1+4*0x1p-53)), nil
}
