package sheet

import (
	"context"
	"errors"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// harmRecord lists the fields of a budget in terms of harm.
func harmRecord(h scenarios.HarmLimit) Record {
	switch h.Kind() {
	case scenarios.HarmAdvantage:
		return Record{{"advantage", h.Advantage}}
	case scenarios.HarmTPR:
		return Record{{"tpr", h.TPR}, {"fpr", h.FPR}}
	case scenarios.HarmReconstruction:
		return Record{{"reconstruction", h.Reconstruction}, {"prior", h.Prior}}
	}
	return nil
}

// AddRisk adds "risk" to the JSON of a comparison: the certified harm of the stack. It is null, with the reason
// in "risk_note", if the stack has no certified curve. The error is the context's, or an internal one.
func AddRisk(ctx context.Context, s *Sheet, of *scenarios.Scenario, r *scenarios.Result) error {
	data, ok := s.Data.(Record)
	if !ok {
		return errors.New("the sheet is not a comparison")
	}
	ctx = scenarios.NewEvaluator().Context(ctx)
	profile, err := r.Profile(ctx)
	if err == nil {
		err = profile.LowerEndError()
	}
	var found Record
	if err == nil {
		found, err = riskRecord(ctx, profile, of.Budget.Harm)
	}
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if fault := accounting.FaultOf(err); fault != nil {
		return fault
	}
	if err != nil {
		s.Data = append(data, [2]any{"risk", nil}, [2]any{"risk_note", err.Error()})
		return nil
	}
	s.Data = append(data, [2]any{"risk", found})
	return nil
}

func riskRecord(ctx context.Context, harm *accounting.Profile, limit scenarios.HarmLimit) (Record, error) {
	advantage, err := harm.Advantage(ctx)
	if err != nil {
		return nil, err
	}
	rates := slices.Clone(accounting.StandardRates)
	if limit.FPR > 0 && !slices.Contains(rates, limit.FPR) {
		rates = append(rates, limit.FPR)
		slices.Sort(rates)
	}
	var list []any
	for _, fpr := range rates {
		tpr, err := harm.TruePositiveRate(ctx, fpr)
		if err != nil {
			return nil, err
		}
		list = append(list, Record{{"fpr", fpr}, {"tpr", tpr.Upper}, {"tpr_lower", tpr.Lower}})
	}
	summary, ok, err := harm.Summarise(ctx, report.SummaryDelta)
	if err != nil {
		return nil, err
	}
	if !ok { // null, as no μ covers a failure probability above δ₀
		summary.Mu, summary.Regret = math.NaN(), math.NaN()
	}
	out := Record{{"advantage", advantage.Upper}, {"advantage_lower", advantage.Lower}, {"tpr", list},
		{"mu", summary.Mu}, {"mu_delta", report.SummaryDelta}, {"mu_regret", summary.Regret}}
	if limit.Prior > 0 {
		r, err := harm.Reconstruction(ctx, limit.Prior)
		if err != nil {
			return nil, err
		}
		out = append(out, [2]any{"reconstruction", r.Upper}, [2]any{"reconstruction_lower", r.Lower})
	}
	return out, nil
}
