package accounting

import (
	"fmt"
	"math"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// DominatedSelection returns a selection that another release dominates, and that dominates attained; the note
// says why they differ.
func DominatedSelection(dominating, attained Release, note string) Release {
	if note == "" { // its pair would pass for attained
		return NewUnsupported("a selection", "a note must say why what dominates it and what it attains differ")
	}
	return dominatedSelection{Release: checkAnswers(dominating), attained: checkAnswers(attained), note: note}
}

// Attack is an event that has probability P on a data set and Q on a neighbour, 0 < Q < P < 1.
type Attack = pairs.Event

// outcomesOf returns the two answers of whoever looks at the event.
func outcomesOf(a Attack) []special.Outcome {
	return []special.Outcome{
		{LogQ: math.Log(a.Q), Loss: math.Log(a.P / a.Q)},
		{LogQ: math.Log1p(-a.Q), Loss: math.Log1p(-a.P) - math.Log1p(-a.Q)},
	}
}

// AttackedSelection returns a [DominatedSelection] of which more is known: attacks, each of which is open to an
// attacker in every one of several such selections, and that its losses lie in an interval of length span, as those of
// [BoundedRangeDP] do; a span of 0 says nothing. The attacks are asked for once, and kind names them in its key.
func AttackedSelection(
	dominating, attained Release, span float64, kind string, attacks func() []Attack, note string,
) Release {
	if kind == "" || note == "" { // the key would take other attacks for these, and its pair would pass for attained
		return NewUnsupported("a selection", "its attacks need a name, and the difference of its ends a note")
	}
	if !finite(span) {
		return NewUnsupported("a selection", "the length of the interval of losses must be a finite number of at least 0")
	}
	usableAttacks := sync.OnceValue(func() (usable []Attack) {
		for _, a := range attacks() {
			if 0 < a.Q && a.Q < a.P && a.P < 1 {
				usable = append(usable, a)
			}
		}
		return usable
	})
	return dominatedSelection{checkAnswers(dominating), checkAnswers(attained), span, kind, usableAttacks, note}
}

// dominatedSelection is the release of [DominatedSelection] and of [AttackedSelection].
type dominatedSelection struct {
	Release
	attained Release
	span     float64 // of its losses; 0 if not known
	kind     string
	attacks  func() []Attack // nil if there are none
	note     string
}

// usableAttacks returns the attacks with 0 < Q < P < 1.
func (p dominatedSelection) usableAttacks() []Attack {
	if p.attacks == nil {
		return nil
	}
	return p.attacks()
}

func (p dominatedSelection) Key() string {
	return "picked(" + KeyOf(p.Release) + "," + KeyOf(p.attained) + "," + fmt.Sprint(p.span) + "," + p.kind + ")"
}
func (dominatedSelection) ownKey()           {}
func (p dominatedSelection) Unwrap() Release { return p.Release }

func (p dominatedSelection) Renyi(alpha float64) (float64, error) {
	least, err := p.Release.Renyi(alpha)
	if p.span > 0 {
		least, err = math.Min(least, boundedRangeRenyi(p.span, alpha)), nil
	}
	return least, err
}

func (p dominatedSelection) Concentrated() (rho float64, err error) {
	rho, err = p.Release.Concentrated()
	if p.span > 0 {
		rho, err = math.Min(rho, boundedRangeRho(p.span)), nil
	}
	return rho, err
}

func (p dominatedSelection) Profile(epsilon float64) (delta float64, err error) {
	delta, err = p.Release.Profile(epsilon)
	if p.span > 0 && err == nil {
		delta = math.Min(delta, pairs.BoundedRange(p.span).Delta(epsilon))
	}
	return delta, err
}
