package review_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

// wrongOnPurpose are the bundled scenarios in which a point is wrong, each with the points and why it is there.
var wrongOnPurpose = map[string]string{
	"averaging-attack":  "claim",               // the same count four hundred times is far over its budget
	"batches-poisson":   "claim approximation", // the budget that allocated batches keep, and Poisson ones do not
	"counts":            "claim",               // a starting point: fewer counts fit, and the planner says how many
	"hazy-synthetic":    "tuning",              // runs at several ε were thrown away and not counted
	"recurve-corrected": "claim",               // a paper multiplied ε by the sampling rate
	"sample-release":    "delta exposure",      // whoever is in the sample is exposed
	"uniform-noise":     "exposure",            // a slide's noise that protects nobody

	"wikimedia-historical": "bounds-from-data", // tuned on the true data
	"wikimedia-pageviews":  "bounds-from-data", // the same, as its authors say
}

// publishedClaims are the bundled scenarios with a claim that somebody published, and the verdict on it.
var publishedClaims = map[string]review.Verdict{
	"census-dhc": review.HoldsAsStated, "census-dhc-housing": review.HoldsAsStated, "census-pl94": review.NotDecided, "census-pl94-housing": review.HoldsAsStated,
	"dpsgd-abadi": review.HoldsAsStated, "dpsgd-bu": review.HoldsAsStated, "dpsgd-tfprivacy": review.HoldsAsStated, "dpsgd-which-order": review.HoldsAsStated,
	"exposure-notifications": review.HoldsAsStated, "gboard-es": review.NotDecided, "google-mobility": review.HoldsAsStated,
	"google-shared-mobility": review.HoldsAsStated, "google-symptoms": review.HoldsAsStated, "google-vaccine-search": review.HoldsAsStated,
	"hazy-synthetic": review.MustNotBeQuoted, "iom-trafficking": review.HoldsAsStated, "israel-births": review.HoldsAsStated,
	"linkedin-engagement": review.HoldsAsStated, "linkedin-hiring": review.HoldsAsStated, "meta-urls": review.NotDecided, "msft-assistive": review.HoldsAsStated,
	"msft-broadband": review.HoldsAsStated, "rappor-chrome": review.HoldsAsStated, "recurve-corrected": review.DoesNotHold, "spectus": review.HoldsAsStated,
	"wikimedia-pageviews": review.MustNotBeQuoted,
}

// TestLibrary reviews every bundled scenario, in the quick form a third of those of which nothing is claimed: one is
// wrong only if it is listed above, and every published claim has its verdict, its author and its words.
func TestLibrary(t *testing.T) {
	claimed := 0
	for i, info := range scenarios.LibraryInfos() {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if i%gauge.Cases(3, 1) != 0 && !s.Claim.IsSet() && wrongOnPurpose[info.Name] == "" {
			continue
		}
		r, err := review.Quick(sharedAccountant(), s, nil, review.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var wrong []string
		for _, p := range r.Questions() {
			if p.Sign == review.Wrong {
				wrong = append(wrong, string(p.Name))
			}
			if p.Text == "" || p.Says == "" {
				t.Errorf("%s: %s says nothing", info.Name, p.Name)
			}
		}
		checkQuotes(t, info.Name, s, r)
		if s.Claim.IsSet() {
			if claimed++; r.Verdict != publishedClaims[info.Name] || s.Claim.By == "" || s.Claim.Text == "" {
				t.Errorf("%s: the claim of %q, %q, is %s, want %s", info.Name, s.Claim.By, s.Claim.Text, r.Verdict, publishedClaims[info.Name])
			}
		}
		if found := strings.Join(wrong, " "); found != wrongOnPurpose[info.Name] {
			t.Errorf("%s: wrong is %q, on purpose %q", info.Name, found, wrongOnPurpose[info.Name])
		}
	}
	if claimed != len(publishedClaims) {
		t.Errorf("%d claims, want %d", claimed, len(publishedClaims))
	}
}

// checkQuotes fails for a point that speaks in general: without a number, and without a word of the file.
func checkQuotes(t *testing.T, name string, s *scenarios.Scenario, r *review.Review) {
	t.Helper()
	for _, p := range r.Points {
		quoted := strings.ContainsAny(p.Text, "0123456789“") || strings.Contains(p.Text, string(s.Adjacency)) ||
			s.Unit != "" && strings.Contains(p.Text, s.Unit)
		for _, text := range []string{s.Deployment.Unprotected, s.Deployment.Others} {
			quoted = quoted || text != "" && strings.Contains(p.Text, text)
		}
		if !quoted {
			t.Errorf("%s: %s %s has neither a number nor a quote: %s", name, p.Sign.Mark(), p.Name, p.Text)
		}
	}
}

// BenchmarkLineOnHome measures the review that home shows, and reports it as a multiple of the comparison that it is
// made of.
func BenchmarkLineOnHome(b *testing.B) {
	var all []*scenarios.Scenario
	for _, info := range scenarios.LibraryInfos() {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, s)
	}
	var comparing, reviewing time.Duration
	for b.Loop() {
		for _, s := range all {
			at := time.Now()
			r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
			if err != nil {
				b.Fatal(err)
			}
			comparing += time.Since(at)
			at = time.Now()
			if _, err := review.Quick(context.Background(), s, r, review.Options{}); err != nil {
				b.Fatal(err)
			}
			reviewing += time.Since(at)
		}
	}
	b.ReportMetric(float64(reviewing)/float64(comparing), "of-the-comparison")
}
