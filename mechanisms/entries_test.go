package mechanisms

import (
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting"
)

func entriesOf(t *testing.T, m Mechanism, s Setting) ([]accounting.Entry, []Note) {
	t.Helper()
	entries, notes, err := Entries(m, s)
	if err != nil {
		t.Fatalf("%s: %v", name(m), err)
	}
	return entries, notes
}

func release(t *testing.T, m Mechanism, s Setting) accounting.Release {
	t.Helper()
	entries, _ := entriesOf(t, m, s)
	return entries[0].Release
}

// The count belongs to the setting: a hundred runs are a hundred of what one run costs, of
// every mechanism.
func TestEntriesCount(t *testing.T) {
	for _, m := range specimens(t) {
		one, _, err := Entries(m, Setting{Adjacency: ZeroOut, Records: 1e6})
		many, _, again := Entries(m, Setting{Adjacency: ZeroOut, Records: 1e6, Count: 100})
		if (err == nil) != (again == nil) || len(one) != len(many) {
			t.Fatalf("%s: %v once, %v a hundred times", name(m), err, again)
		}
		for i := range one {
			if many[i].Release.Key() != one[i].Release.Key() || many[i].Count != 100*one[i].Count {
				t.Errorf("%s: %g releases once, %g a hundred times", name(m), one[i].Count, many[i].Count)
			}
		}
	}
	for _, count := range []float64{-1, 0.5, 1e13} {
		s := Setting{Adjacency: AddRemove, Count: count}
		if _, _, err := Entries(Laplace{Epsilon: 1, Sensitivity: 1}, s); err == nil {
			t.Errorf("a count of %v is taken", count)
		}
	}
}

// In the plainest setting nothing is changed or noted, except where a
// mechanism's guarantee is for replacing.
func TestEntriesPlain(t *testing.T) {
	for _, m := range specimens(t) {
		switch m.(type) {
		case Matrix, Shuffle: // not supported there, see TestMatrixRefusals and TestShuffleRefusals
			continue
		}
		entries, notes := entriesOf(t, m, Setting{Adjacency: AddRemove, Group: 1, Sampling: 1})
		want := m.Releases(1)
		if len(entries) != len(want) {
			t.Errorf("%s: %d entries, want %d", name(m), len(entries), len(want))
			continue
		}
		for i := range want {
			if entries[i].Release.Key() != want[i].Release.Key() || entries[i].Count != want[i].Count {
				t.Errorf("%s: the setting changed entry %d", name(m), i)
			}
		}
		noted := slices.Contains(notes, NoteCountedAnswers) || slices.Contains(notes, NoteFixedN)
		if specOf(m).SizePublic != noted {
			t.Errorf("%s: notes %q", name(m), notes)
		}
	}
}

func TestEntriesGroup(t *testing.T) {
	three := Setting{Group: 3}
	pureOf := func(m Mechanism) float64 {
		epsilon, _, err := release(t, m, three).Approximate()
		if err != nil {
			t.Errorf("%s: %v", name(m), err)
		}
		return epsilon
	}
	for _, m := range []Mechanism{
		Laplace{Epsilon: 0.1, Sensitivity: 1}, Geometric{Epsilon: 0.1, Sensitivity: 2},
		Exponential{Epsilon: 0.1, Sensitivity: 1},
		NoisyMax{Epsilon: 0.1, Sensitivity: 1, Shape: "laplace"}, AboveThreshold{Epsilon: 0.1, Sensitivity: 1},
		SparseVector{Epsilon: 1, Positives: 10, Sensitivity: 1}, Pure{0.1}, OutputPerturbation{0.1, 100, 1, 2},
		Thresholdout{Budget: 3, Sigma: 0.1, N: 100},
	} {
		near(t, m.Kind()+" for three records", pureOf(m), 0.3, 1e-12)
	}
	// Every record has a report of its own, with its own coins.
	for _, m := range []Mechanism{RandomizedResponse{0.1, 2}, RandomizedResponse{0.1, 5}} {
		entries, notes := entriesOf(t, m, three)
		threeReports := len(entries) == 1 && entries[0].Count == 3 &&
			entries[0].Release.Key() == m.Releases(1)[0].Release.Key()
		if !threeReports || slices.Contains(notes, NoteGroup) {
			t.Errorf("%s for three records is %+v %q, not three reports", name(m), entries, notes)
		}
	}
	mu, err := release(t, Gaussian{10, 1}, three).Gaussian()
	near(t, "Gaussian for three records", mu, 0.3, 1e-12)
	if err != nil {
		t.Error(err)
	}
	for _, m := range []Mechanism{ZCDP{Rho: 0.05}, DiscreteGaussian{10, 1}} {
		one, _ := m.Releases(1)[0].Release.Concentrated()
		rho, err := release(t, m, three).Concentrated()
		near(t, m.Kind()+": ρ grows with the square", rho, 9*one, 1e-12)
		if err != nil {
			t.Error(err)
		}
	}
	epsilon, delta, err := release(t, Approximate{0.37, 1e-8}, Setting{Group: 5}).Approximate()
	near(t, "(ε, δ) for five: ε", epsilon, 1.85, 1e-12)
	near(t, "(ε, δ) for five: δ", delta, 1.197097420451212e-07, 1e-12)
	if err != nil {
		t.Error(err)
	}
	// A group of selections keeps its bounded range.
	rho, _ := release(t, Exponential{Epsilon: 0.1, Sensitivity: 1}, three).Concentrated()
	want, _ := accounting.BoundedRangeDP(0.3).Concentrated()
	near(t, "bounded range for three", rho, want, 1e-12)
}

// Published values for Poisson-sampled releases, in the worse direction.
func TestEntriesSampling(t *testing.T) {
	cases := []struct {
		m       Mechanism
		q       float64
		epsilon float64
		want    float64
	}{
		{Laplace{Epsilon: 2, Sensitivity: 4}, .8, .5, 0.4039564635032081},
		{Laplace{Epsilon: 1, Sensitivity: 1}, .6, .2, 0.1741992102060086},
		{Gaussian{1, 1}, .8, 1, 0.0816951786585355},
		{Gaussian{1, 3}, .7, 1, 0.5356298793262404},
		{Gaussian{1, 1}, .3, 2, 0.0003341102928869332},
		{Geometric{Epsilon: 2, Sensitivity: 4}, .7, .5, 0.3523838505224567},
	}
	for _, c := range cases {
		r := release(t, c.m, Setting{Sampling: c.q})
		delta, err := r.Profile(c.epsilon)
		if err != nil {
			t.Error(err)
		}
		near(t, name(c.m)+" sampled", delta, c.want, 1e-8)
	}
	epsilon, delta, err := release(t, Approximate{0.3, 1e-7}, Setting{Sampling: 0.137}).Approximate()
	near(t, "amplified ε", epsilon, 0.046817416379459825, 1e-12)
	near(t, "amplified δ", delta, 1.37e-8, 1e-12)
	if err != nil {
		t.Error(err)
	}
	// A run of several releases sees one sample: it is amplified as a whole.
	entries, _ := entriesOf(t, SparseVector{Epsilon: 1, Positives: 10, Sensitivity: 1}, Setting{Sampling: 0.01})
	epsilon, _, err = entries[0].Release.Approximate()
	if err != nil || len(entries) != 1 || entries[0].Count != 1 {
		t.Errorf("a sampled run is one release: %v, %v", entries, err)
	}
	near(t, "amplified run", epsilon, math.Log1p(0.01*math.Expm1(1)), 1e-12)
	// Each of a person's records is sampled on its own: three sampled records cost
	// three sampled releases, more than a sampled release for three.
	epsilon, _, err = release(t, Laplace{Epsilon: 1, Sensitivity: 1}, Setting{Sampling: 0.01, Group: 3}).Approximate()
	if err != nil {
		t.Error(err)
	}
	near(t, "sampled group", epsilon, 3*math.Log1p(0.01*math.Expm1(1)), 1e-12)
}

// Under replace a stated number is about a changed record. A sample of a record says
// nothing then: randomized response on numbered rows gives its whole ε away. What is said
// to bound absence too is amplified.
func TestEntriesReplace(t *testing.T) {
	for _, c := range []struct {
		m    Mechanism
		also bool
		want float64
		note Note
	}{
		{Pure{0.5}, false, 0.5, NoteRevealed},
		{Pure{0.5}, true, math.Log1p(0.1 * math.Expm1(0.5)), NoteAlso},
		{RandomizedResponse{math.Log(3), 2}, false, math.Log(3), NoteRevealed},
		{OutputPerturbation{0.5, 100, 1, 2}, false, 0.5, NoteFixedNSampled},
	} {
		entries, notes := entriesOf(t, c.m, Setting{Adjacency: Replace, Sampling: 0.1, Also: Also{AddRemove: c.also}})
		epsilon, _, err := entries[0].Release.Approximate()
		near(t, c.m.Kind()+" sampled under replace", epsilon, c.want, 1e-12)
		if err != nil || !slices.Contains(notes, c.note) {
			t.Errorf("notes %q, %v", notes, err)
		}
	}
	sgd := DPSGD{NoiseMultiplier: 1.1, SamplingRate: 0.01, Steps: 100}
	entries, notes := entriesOf(t, sgd, Setting{Adjacency: Replace})
	if !slices.Contains(notes, NoteSGDReplace) || entries[0].Count != 100 {
		t.Errorf("dp-sgd under replace: %v, %q", entries, notes)
	}
	// The exact curves of a step under replace (published with other accountants' tests).
	for _, c := range []struct{ q, epsilon, exact float64 }{
		{.8, 1, 0.05808665654484252},
		{.3, 2, 2.4770380148941894e-09},
	} {
		step := DPSGD{NoiseMultiplier: 2, SamplingRate: c.q, Steps: 1}
		delta, err := release(t, step, Setting{Adjacency: Replace}).Profile(c.epsilon)
		near(t, "a step under replace", delta, c.exact, 1e-12)
		if err != nil {
			t.Error(err)
		}
	}
	vouches := Setting{Adjacency: Replace, Also: Also{AddRemove: true}}
	if _, _, err := Entries(RandomizedResponse{1, 2}, vouches); err == nil {
		t.Error("randomized response was let vouch for absence")
	}
	_, notes = entriesOf(t, Laplace{Epsilon: 1, Sensitivity: 1}, Setting{Adjacency: Replace})
	if len(notes) != 0 {
		t.Errorf("an unsampled release under replace is taken as stated: %q", notes)
	}
	_, notes = entriesOf(t, RandomizedResponse{1, 2}, Setting{Adjacency: Replace})
	if len(notes) != 0 {
		t.Errorf("randomized response is at home under replace: %q", notes)
	}
}

// Where records come and go, sampling is no gain for a number that is about a changed
// record: reports can be counted, and a mean knows how many were drawn.
func TestEntriesSizePublic(t *testing.T) {
	for _, m := range ordinary(t) {
		if !specOf(m).SizePublic {
			continue
		}
		plain, _ := entriesOf(t, m, Setting{})
		sampled, notes := entriesOf(t, m, Setting{Sampling: 0.1})
		if accounting.Composite(plain).Key() != accounting.Composite(sampled).Key() {
			t.Errorf("%s is amplified", name(m))
		}
		if !slices.Contains(notes, NoteCountedAnswers) && !slices.Contains(notes, NoteFixedNSampled) {
			t.Errorf("%s: %q", name(m), notes)
		}
	}
}

func TestEntriesOwnSampling(t *testing.T) {
	sgd := DPSGD{NoiseMultiplier: 1.1, SamplingRate: 0.01, Steps: 100}
	entries, notes := entriesOf(t, sgd, Setting{Sampling: 0.5})
	if !slices.Contains(notes, NoteOwnSampling) || entries[0].Release.Key() != sgd.Releases(1)[0].Release.Key() {
		t.Errorf("dp-sgd is not amplified twice: %q", notes)
	}
}

// Rényi curve of the subsampled Gaussian: published values and, for fractional
// orders, quadrature at 40 digits.
func TestDPSGDRenyi(t *testing.T) {
	cases := []struct{ q, sigma, alpha, want, tol float64 }{
		{.01, 2.5, 5, 2.18075656e-03 / 50, 1e-6}, {.01, 2.5, 50, 2.38460375e-02 / 50, 1e-6},
		{.01, 2.5, 100, 1.67416308e+02 / 50, 1e-6},
		{.01, 1, 2, 1.7181342e-4, 1e-6}, {.01, 1, 25, 7.7029477, 1e-7}, {.01, 1, 128, 59.3585686, 1e-7}, {.01, .1, 2, 90.7896596, 1e-7}, {.01, .1, 128, 6395.3585686, 1e-7},
		{.01, 1, 1.5, 1.27253743327e-4, 1e-8}, {.01, 1, 1.1, 9.24147108469e-5, 1e-8}, {.01, 1, 4.5, 4.14927067325e-4, 1e-8},
		{.1, .8, 2.5, .0580875710838, 1e-8}, {.3, 2, 1.7, .021083180362, 1e-8}, {.5, 1, 3.3, .823420331676, 1e-8}, {1e-3, .5, 1.3, 2.92496248025e-5, 1e-8},
	}
	for _, c := range cases {
		got, err := DPSGD{NoiseMultiplier: c.sigma, SamplingRate: c.q, Steps: 1}.Releases(1)[0].Release.Renyi(c.alpha)
		if err != nil || math.Abs(got-c.want) > c.tol*c.want {
			t.Errorf("q = %v, σ = %v, α = %v: got %v, %v; want %v", c.q, c.sigma, c.alpha, got, err, c.want)
		}
	}
}

func TestEntriesRefuse(t *testing.T) {
	for _, s := range []Setting{
		{Group: 1.5}, {Group: -1}, {Group: math.NaN()}, {Group: math.Inf(1)},
		{Sampling: 2}, {Sampling: -1}, {Sampling: math.NaN()},
	} {
		if _, _, err := Entries(Laplace{Epsilon: 1, Sensitivity: 1}, s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

// The answers agree so seldom at a large ε that the divergence is ε at every order, to the last digits.
func TestResponseOfLargeEpsilon(t *testing.T) {
	for _, epsilon := range []float64{1e6, 1e10, 1e20, 1.44e81} {
		for _, alpha := range []float64{1, 1 + 1e-10, 2} {
			if got := responseRenyi(epsilon, 1000, alpha); !(math.Abs(got/epsilon-1) < 1e-12) {
				t.Errorf("D_%v = %v at ε = %v", alpha, got, epsilon)
			}
		}
		releases := RandomizedResponse{epsilon, 1000}.Releases(1)
		if rho, err := releases[0].Release.Concentrated(); err != nil || rho < epsilon*(1-1e-12) {
			t.Errorf("ρ = %v at ε = %v, %v", rho, epsilon, err)
		}
	}
}
