package accounting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"epsiloscope/accounting/numeral"
)

// preparedStack is a stack in the form theorems use: equal releases merged, entries of count 0 or cost (0, 0)
// dropped. It belongs to one evaluation and is not shared.
type preparedStack struct {
	entries []Entry
	target  Target
	problem string      // why no theorem can use the stack; "" if they can
	costs   *entryCosts // cached: what each entry states
}

func prepareStack(stack []Entry, target Target) *preparedStack {
	l := &preparedStack{target: target}
	if !(target.Delta >= 0) || math.IsNaN(target.Alpha) || math.IsNaN(target.Precision) || target.Precision < 0 {
		l.problem = "δ and the precision must be numbers of at least 0, and α a number"
		return l
	}
	stack, err := CheckStack(stack)
	if err != nil {
		l.problem = err.Error()
		return l
	}
	l.entries = make([]Entry, 0, len(stack))
	for _, e := range stack {
		epsilon, delta, err := e.Release.Approximate()
		if err == nil && epsilon == 0 && delta == 0 {
			continue // (0, 0)-DP: it does not see the data, and no theorem needs to know of it
		}
		// a part of a release costs as much as a whole one
		l.entries = append(l.entries, Entry{e.Release, math.Ceil(e.Count)})
	}
	l.entries = Fold(l.entries)
	return l
}

// CheckStack returns the stack with the answers of releases from outside this package checked. It is an
// error if an entry has no release, or a count that is not a whole number above 0: a forgotten field
// would make a release free, and half a release is none. Every bound and every filter checks what it is given by it.
func CheckStack(stack []Entry) ([]Entry, error) {
	checked := slices.Clone(stack)
	for i, e := range stack {
		switch {
		case e.Release == nil:
			return nil, fmt.Errorf("entry %d names no release", i+1)
		case !(finite(e.Count) && e.Count > 0 && e.Count == math.Trunc(e.Count)):
			return nil, fmt.Errorf("entry %d has the count %v: say how often it is released, a whole number above 0", i+1, e.Count)
		}
		checked[i].Release = checkAnswers(e.Release)
	}
	return checked, nil
}

// Fold merges entries whose releases have equal keys, at the position of the first.
func Fold(stack []Entry) (folded []Entry) {
	folded = make([]Entry, 0, len(stack))
	place := make(map[string]int, len(stack))
	for _, e := range stack {
		key := KeyOf(e.Release)
		if at, seen := place[key]; seen {
			folded[at].Count += e.Count
			continue
		}
		place[key] = len(folded)
		folded = append(folded, e)
	}
	return folded
}

// maxShared bounds what is kept of long stacks.
const maxShared = 1 << 12

// Shared keeps releases by their keys and names, so that stacks with equal releases share what those have computed:
// Rényi divergences, dominating pairs. The zero value is ready for use, by several goroutines too.
type Shared struct {
	mu    sync.Mutex
	known map[string]Release
}

// Unify returns the stack with each release replaced by the equal one that was seen first.
func (s *Shared) Unify(stack []Entry) []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= maxShared {
		s.known = map[string]Release{}
	}
	unified := slices.Clone(stack)
	for i, e := range unified {
		if e.Release == nil {
			continue
		}
		key := KeyOf(e.Release) + "\n" + e.Release.Name() // the name is in notes
		if known, ok := s.known[key]; ok {
			unified[i].Release = known
		} else if len(s.known) < maxShared {
			s.known[key] = e.Release
		}
	}
	return unified
}

// Times returns the stack of n runs. A count that is not above 0 afterwards is refused by every bound.
func Times(stack []Entry, n float64) []Entry {
	times := slices.Clone(stack)
	for i := range times {
		times[i].Count *= n
	}
	return times
}

func (l *preparedStack) total() float64 { return countOf(l.entries) }

func countOf(entries []Entry) (n float64) {
	for _, e := range entries {
		n += e.Count
	}
	return n
}

// entryCosts splits the entries into those with an (ε, δ) and those with only a privacy profile.
type entryCosts struct {
	stated      []statedCost  // an (ε, δ) of their own
	profileOnly []Entry       // only a profile: the theorem must give them a δ
	profiles    []memoProfile // of the entries in profileOnly
	err         error         // an entry with neither
}

type statedCost struct{ epsilon, delta, count float64 }

func (l *preparedStack) entryCosts() *entryCosts {
	if l.costs != nil {
		return l.costs
	}
	c := &entryCosts{}
	for _, e := range l.entries {
		epsilon, delta, err := e.Release.Approximate()
		if err == nil && finite(epsilon, delta) {
			c.stated = append(c.stated, statedCost{epsilon, delta, e.Count})
			continue
		}
		if _, perr := e.Release.Profile(1); perr != nil {
			if err == nil {
				err = fmt.Errorf("%s states no finite ε", e.Release.Name())
			}
			c.err = err
			break
		}
		c.profileOnly = append(c.profileOnly, e)
	}
	c.profiles = make([]memoProfile, len(c.profileOnly))
	l.costs = c
	return c
}

// profileOnlyCount returns the number of releases to which the theorem must give a δ.
func (c *entryCosts) profileOnlyCount() float64 { return countOf(c.profileOnly) }

// sums returns Σ K·ε and Σ K·δ over what is stated. A sum of ε within rounding of a number of twelve digits is that
// number: three times 0.7 is 2.1, and float64 says less. Any other is moved up by its rounding.
func (c *entryCosts) sums() (epsilon, delta float64) {
	for _, s := range c.stated {
		epsilon += s.count * s.epsilon
		delta += s.count * s.delta
	}
	slack := outwards * epsilon * float64(len(c.stated))
	if short, err := strconv.ParseFloat(strconv.FormatFloat(epsilon, 'g', 12, 64), 64); err == nil &&
		math.Abs(short-epsilon) <= slack {
		return short, delta
	}
	if len(c.stated) > 0 && !(len(c.stated) == 1 && c.stated[0].count == 1) {
		epsilon += slack
	}
	return epsilon, delta
}

// statedSums returns Σ K·ε and Σ K·δ; stated is false if a release states no finite (ε, δ).
func (l *preparedStack) statedSums() (epsilon, delta float64, stated bool) {
	for _, e := range l.entries {
		if epsilon, delta, err := e.Release.Approximate(); err != nil || !finite(epsilon, delta) {
			return 0, 0, false
		}
	}
	epsilon, delta = l.entryCosts().sums()
	return epsilon, delta, true
}

// hazard returns −Σ K·ln(1−δ): the probability that no stated δ strikes is e^{−hazard}.
func hazard(stated []statedCost) float64 {
	sum := 0.0
	for _, s := range stated {
		if s.delta > 0 {
			sum -= s.count * math.Log1p(-s.delta)
		}
	}
	return sum
}

// remainingDelta returns the δ left after the stated δ's are deducted, 1 − (1−δ)/(1−δ_f),
// rounded down; ≤ 0 if none is left.
func remainingDelta(delta, hazard float64) float64 {
	if hazard == 0 {
		return delta
	}
	return -math.Expm1(math.Log1p(-delta) + hazard*(1+1e-14))
}

// exhaustsDelta reports whether the stated failures amount to δ itself, up to rounding: 1 − 0.9·0.8
// is 0.28 in decimal numbers.
func exhaustsDelta(stated []statedCost, delta float64) bool {
	return delta < 1 && math.Abs(-math.Expm1(-hazard(stated))-delta) <= 8*0x1p-52*delta
}

// deductStatedDelta subtracts the stated δ's from the total (δ-approximate RDP and zCDP, Bun & Steinke 2016,
// section 8: with probability 1−δ_f nothing has failed, and then the curve holds). It returns the remaining δ
// or, if none remains, the bound to report.
func deductStatedDelta(l *preparedStack, carried []statedCost,
	conditions ...Condition) (left float64, b Bound, ok bool) {
	h := hazard(carried)
	if h == 0 {
		return l.target.Delta, Bound{Conditions: conditions}, true
	}
	left = remainingDelta(l.target.Delta, h)
	failed := -math.Expm1(-h)
	b.Conditions = append(conditions, Condition{"the stated δ's fit into the total", left > 0})
	if !(left > 0) {
		taken, total := numeral.FormatDistinct(failed, l.target.Delta)
		return left, vacuous(fmt.Sprintf("the stated δ's amount to %s and leave nothing of the total δ of %s", taken, total), b.Conditions...), false
	}
	b.Note = fmt.Sprintf("The stated δ's are accounted for separately: they use %s of δ and leave %s.", proseUp(failed), proseDown(left))
	return left, b, true
}

// refuse returns a bound that does not apply, with the reason.
func refuse(m Method, reason string, conditions ...Condition) Bound {
	return Bound{Method: m, Status: NotApplicable, Epsilon: math.Inf(1), Note: Sentence(reason), Conditions: conditions}
}

// vacuous returns a bound that applies and says nothing, with the reason.
func vacuous(reason string, conditions ...Condition) Bound {
	return Bound{Status: Vacuous, Epsilon: math.Inf(1), Note: Sentence(reason), Conditions: conditions}
}
