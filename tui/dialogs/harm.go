package dialogs

import (
	"fmt"
	"slices"

	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// fieldHarm is the field that chooses the harm which a budget limits, and limitsEpsilon its word for none of them.
const (
	fieldHarm     = "harm"
	limitsEpsilon = "none: ε is limited"
)

// harmWords are the harms that a budget can limit, in the order of the form, by the words of their choice.
var harmWords = []struct{ words, kind string }{
	{limitsEpsilon, ""},
	{"membership advantage", scenarios.HarmAdvantage},
	{"true-positive rate", scenarios.HarmTPR},
	{"reconstruction", scenarios.HarmReconstruction},
}

// harmRows are the rows of a target by which a budget limits a harm instead of ε: a choice, and below it what that harm
// needs.
type harmRows struct {
	form   *form
	choice *formField
	of     map[string][]*formField // by kind
	taken  string                  // the ε that was taken out for a harm
	said   string                  // what was taken out because another budget was given
}

func newHarmRows(f *form, h scenarios.HarmLimit) *harmRows {
	field := func(name, words, help string, x float64) *formField {
		f := number(document.OrNone("budget."+name), name, "", help, x)
		f.words = words
		return f
	}
	r := &harmRows{form: f, of: map[string][]*formField{
		scenarios.HarmAdvantage: {field("advantage", "", "instead of ε: the largest membership advantage to stay within, such as 0.2", h.Advantage)},
		scenarios.HarmTPR: {
			field("tpr", "true-positive rate", "instead of ε: the largest share of members that a test may find (TPR), at the false-positive rate below", h.TPR),
			field("fpr", "false-positive rate", "the share of others accused at which the true-positive rate is limited (FPR), such as 0.01", h.FPR),
		},
		scenarios.HarmReconstruction: {
			field("reconstruction", "", "instead of ε: the largest success of guessing a secret of a record; without the output it is the prior below", h.Reconstruction),
			field("prior", "", "the success of the best guess at the secret without the output: the largest share that one guess covers", h.Prior),
		},
	}}
	var words []string
	now := limitsEpsilon
	for _, x := range harmWords {
		words = append(words, x.words)
		if x.kind == h.Kind() {
			now = x.words
		}
	}
	r.choice = choice(fieldHarm, "a harm to stay within instead of ε: what an attacker may achieve at most", now, words...)
	return r
}

// kind returns the harm that is limited; "" for ε.
func (r *harmRows) kind() string {
	chosen := func(x struct{ words, kind string }) bool { return x.words == r.choice.Value() }
	return harmWords[slices.IndexFunc(harmWords, chosen)].kind
}

// fields are the rows that are shown.
func (r *harmRows) fields() []*formField {
	return append([]*formField{r.choice}, r.of[r.kind()]...)
}

// follow keeps one budget after an edit: a harm that is chosen empties ε, and an ε that is typed takes the harm out. It
// says so.
func (r *harmRows) follow(edited *formField) {
	epsilon := r.form.field("budget")
	switch {
	case edited == r.choice && r.kind() != "" && epsilon.Value() != "":
		r.taken = epsilon.Value()
		r.said = "ε = " + r.taken + " is taken out: a budget limits ε or one harm."
		epsilon.Input.SetValue("")
	case edited == epsilon && epsilon.Value() != "" && r.kind() != "":
		r.said = "The limit on the " + r.choice.Value() + " is taken out: a budget limits ε or one harm."
		r.choice.Pick(limitsEpsilon)
	case edited == r.choice && r.kind() == "" && r.taken != "" && epsilon.Value() == "": // back again
		epsilon.Input.SetValue(r.taken)
		r.said = ""
	}
}

// write says what was taken out.
func (r *harmRows) write(out *kit.Writer) {
	if r.said != "" {
		out.Prose(out.Pen.Warn, r.said)
	}
}

// limit returns what the rows that are shown say.
func (r *harmRows) limit(epsilon float64) (h scenarios.HarmLimit, err error) {
	value := func(kind string, i int) float64 {
		if kind != r.kind() {
			return 0
		}
		x, _ := numeral.Parse(r.of[kind][i].Value()) // it was checked; nothing is 0
		return x
	}
	h = scenarios.HarmLimit{
		Advantage: value(scenarios.HarmAdvantage, 0),
		TPR:       value(scenarios.HarmTPR, 0), FPR: value(scenarios.HarmTPR, 1),
		Reconstruction: value(scenarios.HarmReconstruction, 0), Prior: value(scenarios.HarmReconstruction, 1),
	}
	for _, pair := range []struct {
		limit, at           float64
		limitWords, atWords string
	}{
		{h.TPR, h.FPR, "true-positive rate", "false-positive rate"},
		{h.Reconstruction, h.Prior, "reconstruction", "prior"},
	} {
		switch {
		case pair.limit != 0 && pair.at == 0:
			return h, fmt.Errorf("give the %s too, above 0 and below 1: the %s is limited there", pair.atWords, pair.limitWords)
		case pair.limit == 0 && pair.at != 0:
			return h, fmt.Errorf("give the %s too: the %s says nothing without it", pair.limitWords, pair.atWords)
		}
	}
	if r.kind() != "" && h.Kind() == "" {
		return h, fmt.Errorf("give the largest %s to stay within, or choose “%s”", r.choice.Value(), limitsEpsilon)
	}
	return h, scenarios.Budget{Epsilon: epsilon, Harm: h}.Check()
}
