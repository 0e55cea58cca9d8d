package interop

import (
	"regexp"
	"strings"
	"testing"

	"epsiloscope/internal/samples"
)

// What an accountant of dp_accounting is told about neighbours decides the adjacency,
// and with it what the noise is measured against.
func TestImportRelation(t *testing.T) {
	const replace = "under REPLACE_ONE the noise of"
	for _, c := range []struct{ in, adjacency, want, note string }{
		{"a = RdpAccountant()\na.compose(GaussianDpEvent(1), 3)", "add-remove", "gaussian sigma=1", ""},
		{"a = RdpAccountant(neighboring_relation=NeighboringRelation.REPLACE_ONE)\na.compose(GaussianDpEvent(1))", "replace", "gaussian sigma=0.5", replace},
		{"reading = \"noise over what a changed record moves\"\na = RdpAccountant(neighboring_relation=NeighboringRelation.REPLACE_ONE)\na.compose(GaussianDpEvent(1))", "replace", "gaussian sigma=1", ""},
		{"import dp_accounting as d\nr = d.NeighboringRelation.REPLACE_ONE\na = d.pld.PLDAccountant(r, 1e-4)\na.compose(d.LaplaceDpEvent(4))", "replace", "laplace scale=2", replace},
		{"a = PLDAccountant(NeighboringRelation.REPLACE_ONE)\na.compose(PoissonSampledDpEvent(0.1, GaussianDpEvent(2)), 50)", "replace", "dp-sgd noise_multiplier=2 sampling_rate=0.1 steps=1", ""},
		{"a = PLDAccountant(NeighboringRelation.REPLACE_ONE)\na.compose(DiscreteLaplaceDpEvent(0.5, 1))", "replace", "geometric scale=2 sensitivity=2", replace},
		{"RandomizedResponseDpEvent(0.5, 2)", "replace", "randomized-response categories=2 truth=0.75", "names no neighbouring relation; adjacency replace was taken"},
		{"GaussianDpEvent(2)", "add-remove", "gaussian sigma=2", "names no neighbouring relation; adjacency add-remove was taken"},
		{"SampledWithoutReplacementDpEvent(1000, 10, GaussianDpEvent(2))", "replace", "dp-sgd batch=10 batches=fixed noise_multiplier=2 records=1000 steps=1", "two readings"},
		{"SampledWithoutReplacementDpEvent(1000, 10, ExponentialMechanismDpEvent(2))", "replace", "exponential epsilon=2", "is not amplified here"},
		{"SelfComposedDpEvent(TruncatedSubsampledGaussianDpEvent(1000, 0.01, 20, 2), 7)", "add-remove", "dp-sgd batches=truncated max_batch=20 noise_multiplier=2 records=1000 sampling_rate=0.01 steps=7", ""},
		{"a = RdpAccountant(neighboring_relation=NeighboringRelation.REPLACE_SPECIAL)\na.compose(GaussianDpEvent(2))", "zero-out", "gaussian sigma=2", ""},
		{"SingleEpochTreeAggregationDpEvent(noise_multiplier=1.13, step_counts=[1600, 7])", "zero-out", "gaussian sigma=1.13 ×11", "one Gaussian per level"},
		{"SingleEpochTreeAggregationDpEvent(1, 9007199254740991)", "zero-out", "gaussian sigma=1 ×53", "one Gaussian per level"},
		{"SingleEpochTreeAggregationDpEvent(1, 4503599627370496)", "zero-out", "gaussian sigma=1 ×53", "one Gaussian per level"},
	} {
		rec, err := Import("dp-accounting", []byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got := summary(rec.Scenario); got != c.want || string(rec.Scenario.Adjacency) != c.adjacency {
			t.Errorf("%s:\n got  %s, %s\n want %s, %s", c.in, rec.Scenario.Adjacency, got, c.adjacency, c.want)
		}
		if notes := strings.Join(rec.Remarks, "\n"); !strings.Contains(notes, c.note) ||
			c.note == "" && strings.Contains(notes, replace) {
			t.Errorf("%s: the notes are\n%s\nwant %q", c.in, notes, c.note)
		}
	}
}

// Plain Python that says what it means is read as Python would run it.
func TestImportScript(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"event = GaussianDpEvent(1)\nevent = SelfComposedDpEvent(event, 3)\n", "gaussian sigma=1 ×3"},
		{"steps = 60000 // 250 * 15\nq = 250 / 60000\nevent = SelfComposedDpEvent(PoissonSampledDpEvent(q, GaussianDpEvent(1.3)), steps)",
			"dp-sgd noise_multiplier=1.3 sampling_rate=0.00416666666667 steps=3600"},
		{"from dp_accounting.dp_event import GaussianDpEvent as G\nfrom dp_accounting import rdp\nimport math\n'''What was run.'''\na = rdp.RdpAccountant(orders=[2, 4])\na.compose(G(5), 2)\na.compose(G(7))\neps = a.get_epsilon(1e-6)\nprint('epsilon', eps)",
			"gaussian sigma=5 ×2; gaussian sigma=7"},
		{"GaussianDpEvent(1 // 0.1)", "gaussian sigma=9"}, // 1 / 0.1 is 10
		{"ComposedDpEvent([GaussianDpEvent(7 // 2), GaussianDpEvent(-1 * (-7 // 2)), GaussianDpEvent(-1 * (7 // -2))])", "gaussian sigma=3; gaussian sigma=4 ×2"},
		{"a = RdpAccountant().compose(GaussianDpEvent(2)).compose(LaplaceDpEvent(3), count=4)", "gaussian sigma=2; laplace scale=3 ×4"},
		{"g = GaussianDpEvent(1)\nevent = ComposedDpEvent([g, g, (g)])", "gaussian sigma=1 ×3"},
		{"a = RdpAccountant()\ne = GaussianDpEvent(1)\na.compose(e)\ne = LaplaceDpEvent(2)\na.compose(e)", "gaussian sigma=1; laplace scale=2"},
	} {
		rec, err := Import("dp-accounting", []byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got := summary(rec.Scenario); got != c.want {
			t.Errorf("%s:\n got  %s\n want %s", c.in, got, c.want)
		}
	}
}

// No name in a scenario decides how Python decodes the exported file: a comment on its first two
// lines that matches this expression would (PEP 263), and under UTF-7 a label can end its comment.
func TestExportedNamesAreNoEncoding(t *testing.T) {
	cookie := regexp.MustCompile(`^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`)
	s := samples.Pure(1, 2, 1e-6)
	s.Name, s.Unit = "coding: utf-7", "person coding=utf-7"
	out, _, err := Export("dp-accounting", s)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.SplitN(string(out), "\n", 3)[:2] {
		if found := cookie.FindStringSubmatch(line); found != nil && found[1] != "utf-8" {
			t.Errorf("line %d makes the encoding %s: %s", i+1, found[1], line)
		}
	}
	rec, err := Import("dp-accounting", out)
	if err != nil || rec.Scenario.Name != s.Name || rec.Scenario.Unit != s.Unit {
		t.Errorf("read back: %v, %q, %q", err, rec.Scenario.Name, rec.Scenario.Unit)
	}
}
