package mechanisms

import (
	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
)

// Exponential picks a candidate o with probability ∝ exp(ε·s(o)/(2Δ)), or
// exp(ε·s(o)/Δ) where scores are monotone: one record moves them all the same way
// (McSherry, Talwar 2007). Its loss lies in an interval of length ε (bounded
// range, Durfee & Rogers 2019), which the Rényi and zCDP columns use.
type Exponential struct {
	Epsilon     float64
	Sensitivity float64 // Δ of the score
	Monotone    bool
	Candidates  []param.Item // with their scores; may be empty
	Outputs     float64      // how many candidates there are; 0 if not known
	Fixed       bool         // all selections are settled before the first answer is seen
}

func exponentialSpec() Spec {
	return Spec{
		Name: "exponential", Title: "Exponential",
		Summary: "picks a candidate, the likelier the higher its score",
		Params: append(selectionParams(), oneOf("queries",
			"fixed claims that every selection is fixed before the first answer is seen, for a slightly smaller ε", "adaptive", "fixed")),
		Alternatives: []param.Alternative{{Sets: [][]string{{"candidates"}, {"scores"}, {"outputs"}}, Optional: true}},
		build: func(r reader) (Mechanism, error) {
			items, outputs := r.selection()
			epsilon, err := r.epsilon()
			return Exponential{epsilon, r.number("sensitivity"), r.flag("monotone"), items, outputs, r.choice("queries") == "fixed"}, err
		},
		ZeroOutIsRemoval: true, Norm: Linf,
		Source: "McSherry, Talwar 2007; Durfee, Rogers 2019 (bounded range); Dong, Durfee, Rogers 2020 (its composition)",
		Notes: []string{
			"The probability is proportional to exp(ε·score/(2Δ)), not to the score.",
			"The sensitivity is max |s(D, o) − s(D′, o)|: over data sets, for one candidate.",
			"Nationality example: 2(ln 4 + 3) is 8.7726; the 6.8 printed on the slide is t = 2.",
			"Hair example: P(not dark) ≤ 4e⁻⁵ < 0.02696; the exact probability is 0.0067 (both others 0) to 0.0198 (both 400).",
			"Price example: with one item for sale 3 € earns 3 €, as on the slide; with one per buyer both buy, and it earns 6 €.",
			"A slide writes the score as |f(D) − o|; it is −|f(D) − o|, or the worst answer is the likeliest.",
			"The revenue of a price changes by as much as the highest price when one buyer is added or removed: that is its sensitivity.",
			"The candidates must not depend on the data: prices taken from the bids reveal them.",
			"For many selections with one ε the numerical bound holds even if each is chosen in the worst way after the earlier answers (Dong, Durfee, Rogers 2020).",
		},
	}
}

func selectionParams() []param.Param {
	scores := param.Param{
		Name: "scores", Symbol: "s", Unit: "score", Help: "scores of the candidates, without names",
		Type: param.Scores, Optional: true, Initial: param.ScoresValue(10, 8, 5),
	}
	candidates := param.Param{
		Name: "candidates", Symbol: "c", Unit: "score", Help: "candidates with their scores", Named: true,
		Type: param.Scores, Optional: true,
		Initial: param.CandidatesValue(param.Item{Name: "a", Value: 10}, param.Item{Name: "b", Value: 8}),
	}
	return []param.Param{
		epsilonParam("privacy loss of one selection"),
		sensitivityParam("Δ", "most one record can change a candidate's score"),
		{
			Name: "monotone", Help: "one record moves all scores the same way, as counts do under add-remove",
			Type: param.Flag, Default: param.FlagValue(false), Initial: param.FlagValue(false),
		},
		candidates, scores,
		optional(natural("outputs", "|O|", "how many candidates there are in all, if their scores are not given", maxCount, 10, 1.25)),
	}
}

// selection reads the candidates in whichever form they were given.
func (r reader) selection() (items []param.Item, outputs float64) {
	items = r.items("candidates")
	if r.has("scores") {
		items = r.items("scores")
	}
	if len(items) > 0 {
		return items, float64(len(items))
	}
	return nil, r.number("outputs")
}

func (Exponential) Kind() string { return "exponential" }

// Releases returns one selection, whose loss lies in an interval of length ε.
func (e Exponential) Releases(k float64) []accounting.Entry {
	return releasesOf(e, k, func() []accounting.Entry {
		of := accounting.BoundedRangeDP
		if e.Fixed {
			of = accounting.FixedRangeDP
		}
		return oneRelease(accounting.WithName(refineSingleOutput(of(e.Epsilon*k), e.Outputs), "Exponential"))
	})
}

func (e Exponential) validate() error {
	return e.max().validate()
}

// refineSingleOutput returns r or, if there is only one candidate, a release whose lower end is
// 0: the selection of a single candidate reveals nothing.
func refineSingleOutput(r accounting.Release, outputs float64) accounting.Release {
	if outputs == 1 {
		return accounting.DominatedSelection(r, accounting.PureDP(0), "the pick of one candidate tells nothing, so the lower end is 0")
	}
	return r
}

// max returns report noisy max with Gumbel noise, which picks the same.
func (e Exponential) max() NoisyMax {
	return NoisyMax{e.Epsilon, e.Sensitivity, e.Monotone, "gumbel", e.Candidates, e.Outputs}
}

// Error returns the loss in score of the candidate picked.
func (e Exponential) Error(beta, count float64) (Accuracy, error) { return e.max().Error(beta, count) }

// Selection returns the exact distribution of the candidate that the exponential mechanism
// picks.
func (e Exponential) Selection() (*selection.Distribution, error) { return e.max().Selection() }

func (e Exponential) notes(_ param.Values, at Setting) []Note {
	list := selectionNotes(e.Monotone, at)
	if e.Fixed && at.Count > 1 {
		list = append(list, Note{"fixed-queries", "This ε holds only if every selection is fixed before the first answer is seen; none may be chosen adaptively."})
	}
	return list
}

// Selector is a mechanism that picks one of several candidates.
type Selector interface {
	// Selection returns the distribution of the candidate it picks on its scores.
	Selection() (*selection.Distribution, error)
}

func selectionNotes(monotone bool, at Setting) []Note {
	if !monotone || at.Adjacency != Replace {
		return nil
	}
	return []Note{{"monotone-under-replace", "Where a record is replaced, one score may rise while another falls: counts are not monotone then, and without that the same noise costs twice the ε."}}
}
