package certificate

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// logMasses holds ln of the P-mass and of the Q-mass of one outcome, or of densities there.
type logMasses [2]float64

// addLogs returns ln(e^a + e^b).
func addLogs(a, b float64) float64 {
	if high := max(a, b); !math.IsInf(high, 0) {
		return high + math.Log1p(math.Exp(min(a, b)-high))
	}
	return max(a, b)
}

// outcomesOf lists outcomes of a release's pair, before sampling, by its definition in docs/certificate.md. Where there
// are infinitely many it lists some, far ones among them.
func outcomesOf(r Release) (list []logMasses) {
	number := func(text string) float64 { x, _ := strconv.ParseFloat(text, 64); return x }
	eps, delta, shift := number(r.Epsilon), number(r.Delta), number(r.Shift)
	scale := number(r.Sigma) + number(r.Z)
	no, yes := -math.Log1p(math.Exp(eps)), eps-math.Log1p(math.Exp(eps))
	add := func(p, q float64) { list = append(list, logMasses{p, q}) }
	kind := strings.TrimPrefix(r.Kind, "sampled_")
	switch kind {
	case "gaussian", "replaced_gaussian", "fixed_batch_gaussian":
		for y := -1e8; y <= 1e8; y += 1e6 { // densities at y scales
			add(-(y-1/scale)*(y-1/scale)/2, -y*y/2)
		}
	case "laplace":
		for y := -10.0; y <= 10; y += 0.125 { // densities at y scales, beyond the ε of every sample
			add(-math.Abs(y-eps), -math.Abs(y))
		}
	case "pure", "approx":
		add(math.Log(delta), math.Inf(-1))
		add(math.Inf(-1), math.Log(delta))
		add(math.Log1p(-delta)+yes, math.Log1p(-delta)+no)
		add(math.Log1p(-delta)+no, math.Log1p(-delta)+yes)
	case "bounded_range": // from √E·(1 − √(x/E)) and √(E/x) − 1, both over E − 1: P(S) and Q(S) of {P/Q > x}
		for _, x := range []float64{eps, eps / 2, 0, -eps / 2, -eps} { // densities, whose ratio is e^x
			add(x/2, -x/2)
		}
	case "response":
		add(math.Log(number(r.Share))+yes, math.Log(number(r.Share))+no)
		add(math.Log1p(-number(r.Share)), math.Log1p(-number(r.Share)))
		add(math.Log(number(r.Share))+no, math.Log(number(r.Share))+yes)
	case "discrete_laplace":
		for y := -20.0; y <= 20; y++ {
			add(-eps*math.Abs(y), -eps*math.Abs(y-shift))
		}
	case "discrete_gaussian":
		for y := -1e6; y <= 1e6; y += 1e4 {
			add(-y*y/(2*scale*scale), -(y-shift)*(y-shift)/(2*scale*scale))
		}
	case "finite":
		for _, v := range r.Outcomes {
			add(math.Log(number(v[0])), math.Log(number(v[1])))
		}
		add(math.Log(number(r.Rest)), math.Inf(-1)) // the outcomes that are not listed
		add(math.Inf(-1), math.Log(number(r.Rest)))
	}
	if r.Q == "" {
		return list
	}
	in, out := math.Log(number(r.Q)), math.Log1p(-number(r.Q))
	for i, v := range list {
		switch kind {
		case "replaced_gaussian": // the other record moves the noise the other way
			y := -1e8 + 1e6*float64(i)
			other := -(y + 1/scale) * (y + 1/scale) / 2
			list[i] = logMasses{addLogs(out+v[1], in+v[0]), addLogs(out+v[1], in+other)}
		default:
			list[i] = logMasses{addLogs(out+v[1], in+v[0]), v[1]}
		}
	}
	return list
}

// largestLossOf returns the largest loss of an outcome of all releases together, in one order of the neighbours. A loss
// above 1000, further out than any bound of a kind, is without bound.
func largestLossOf(releases []Release, way direction) (sum float64) {
	for _, r := range releases {
		largest := 0.0
		for _, v := range outcomesOf(r) {
			p, q := v[0], v[1]
			if way == insert {
				p, q = q, p
			}
			if !math.IsInf(p, -1) && p-q > largest {
				largest = p - q
			}
		}
		if largest > 1000 {
			return math.Inf(1)
		}
		count, _ := strconv.ParseFloat(r.Count, 64)
		sum += count * largest
	}
	return sum
}

// zeroDeltaSamples returns the samples, and pairs that are made to mislead, at δ = 0.
func zeroDeltaSamples() (list []sample) {
	for _, s := range samples() {
		s.delta = "0"
		list = append(list, s)
	}
	finite := func(name, within, rest string, outcomes ...[2]string) {
		list = append(list, sample{name, "0", "1", []Release{{Kind: "finite", Count: "7", Within: within, Rest: rest,
			Outcomes: outcomes, Offset: "0"}}, true})
	}
	finite("largest loss for remove", "0", "0", [2]string{"0.5", "0.25"}, [2]string{"0.5", "0.75"})
	finite("largest loss for add", "0", "0", [2]string{"0.25", "0.5"}, [2]string{"0.75", "0.5"})
	finite("an outcome that cannot be", "0", "0", [2]string{"0", "0"}, [2]string{"0.25", "0.5"}, [2]string{"0.75", "0.5"})
	finite("the same on both data sets", "0", "0", [2]string{"0.5", "0.5"}, [2]string{"0.5", "0.5"})
	finite("the same, as far as known", "1e-9", "0", [2]string{"0.5", "0.5"}, [2]string{"0.5", "0.5"})
	finite("infinite for remove", "0", "0", [2]string{"1e-45", "0"}, [2]string{"0." + strings.Repeat("9", 45), "1"})
	finite("infinite for add", "0", "0", [2]string{"0", "1e-9"}, [2]string{"1", "0.999999999"})
	finite("not all outcomes listed", "0", "1e-30", [2]string{"0.5", "0.25"}, [2]string{"0.5", "0.75"})
	approx := func(name, kind, q, delta string) {
		list = append(list, sample{name, "0", "1", []Release{{Kind: "laplace", Count: "1", Epsilon: "0.3", Offset: "0"},
			{Kind: kind, Count: "4", Q: q, Epsilon: "0.3", Delta: delta, Offset: "0"}}, true})
	}
	approx("approx with δ = 0", "approx", "", "0")
	approx("approx with a small δ", "approx", "", "1e-40")
	approx("sampled approx with δ = 0", "sampled_approx", "0.3", "0")
	approx("sampled approx with a small δ", "sampled_approx", "1e-6", "1e-40")
	approx("a rate of 1", "sampled_approx", "1", "0")
	return list
}

// TestLargestLosses compares what both checkers say at δ = 0, for every kind, with the largest P/Q of the outcomes: a
// finite ε is proved if and only if every outcome that P has, Q has too, and then it is this one and none below.
func TestLargestLosses(t *testing.T) {
	var attacks []attack
	finite := 0
	for _, s := range zeroDeltaSamples() {
		if slices.ContainsFunc(s.releases, func(r Release) bool { return len(outcomesOf(r)) == 0 }) {
			t.Errorf("%s: outcomesOf lists no outcomes of a kind", s.name)
		}
		want := max(largestLossOf(s.releases, remove), largestLossOf(s.releases, insert))
		for _, way := range []direction{remove, insert} {
			c := &Certificate{Format: Format, Releases: s.releases, Delta: "0", Upper: "99999", Lower: "0", Step: "1",
				Digits: "24", Cut: "1e-16", Tests: "4", LowerWay: string(way)}
			upper, lower, err := c.Prove(context.Background(), s.lower)
			if math.IsInf(want, 1) {
				if err == nil || !strings.HasSuffix(err.Error(), " has no largest loss that this program knows; delta must be above 0") {
					t.Errorf("%s: no ε is enough; proved %v: %v", s.name, upper, err)
				}
				attacks = append(attacks, attack{s.name, c.file(t), 1})
				continue
			}
			if err != nil || upper == nil {
				t.Errorf("%s: %v is enough by outcomesOf; proved %v: %v. If the loss has no bound, outcomesOf must list one above 1000",
					s.name, want, upper, err)
				continue
			}
			finite++
			room := 2.1e-8 // two steps of ε, and what the masses are known to
			for _, r := range s.releases {
				count, _ := strconv.ParseFloat(r.Count, 64)
				within, _ := strconv.ParseFloat(r.Within, 64)
				room += 2 * count * within
			}
			if high, _ := upper.Float64(); !(high > want-1e-12) || high > want+room {
				t.Errorf("%s: proved ε ≤ %v, the largest loss is %v", s.name, high, want)
			}
			if s.lower {
				low, _ := lower.Float64()
				if alone := largestLossOf(s.releases, way); low > alone+1e-12 || low < alone-room {
					t.Errorf("%s, %s: proved ε ≥ %v, the largest loss is %v", s.name, way, low, alone)
				}
				c.Lower = decimalText(lower)
			}
			c.Upper = decimalText(upper)
			attacks = append(attacks, attack{s.name, c.file(t), 0})
			if upper.Sign() > 0 {
				c.Upper, c.Lower = decimalText(upper.Sub(upper, rational("1e-8"))), "0"
				attacks = append(attacks, attack{s.name + " claimed too small", c.file(t), 1})
			}
		}
	}
	if finite < 20 {
		t.Errorf("only %d are finite", finite)
	}
	for _, a := range attacks {
		if status, line := goVerdict(a.file); status != a.want {
			t.Errorf("%s: Go says %d %s, want %d", a.name, status, line, a.want)
		}
	}
	compareCheckers(t, attacks)
}

// plantedLoss is a kind with an eps whose pair has P-mass at loss +∞ in both orders: geometric noise between −n and n,
// shifted by 1 or not. Whoever adds a kind by docs/extending.md makes these changes to check.py.
const plantedLoss = "planted_truncated_geometric"

// withPlantedKind returns check.py with that kind, whose outcomes are listed one by one.
func withPlantedKind(t *testing.T) []byte {
	source := string(Checker())
	for _, change := range [][2]string{
		{`TABLES = {`, `TABLES = {"` + plantedLoss + `": ("eps", "shift"), `},
		{"    n = r[\"shift\"]\n", "    n = r[\"shift\"]\n    if r[\"kind\"] == \"" + plantedLoss + "\":\n" +
			"        v = [(-r[\"eps\"] * abs(y)).exp() for y in range(-n, n + 1)]\n" +
			"        all = sum(v)\n        v = [m / all for m in v]\n        return list(zip(v + [D(0)], [D(0)] + v))\n"},
	} {
		if strings.Count(source, change[0]) != 1 {
			t.Fatalf("%q is %d times in check.py", change[0], strings.Count(source, change[0]))
		}
		source = strings.Replace(source, change[0], change[1], 1)
	}
	return []byte(source)
}

// plantedFile returns a certificate of the planted kind.
func plantedFile(t *testing.T, delta string) []byte {
	release := Release{Kind: plantedLoss, Count: "12", Epsilon: "0.5", Shift: "60", Offset: "0"}
	c := Certificate{Format: Format, Releases: []Release{release}, Delta: delta, Upper: "99999",
		Lower: "0", Step: "0.5", Digits: "24", Cut: "1e-16", Tests: "4", LowerWay: "remove"}
	return c.file(t)
}

// TestPlantedKind adds a kind with P-mass at loss +∞ and does nothing about δ = 0: both checkers refuse it there, as
// they refuse every kind whose largest loss nobody vouched for.
func TestPlantedKind(t *testing.T) {
	const refusal = "not proved: " + plantedLoss + " has no largest loss that this program knows; delta must be above 0"
	kept, listed := parameters, tables
	defer func() { parameters, tables = kept, listed }()
	plant := map[string][]string{plantedLoss: {"eps", "shift"}}
	for kind, names := range kept {
		plant[kind] = names
	}
	parameters = plant
	for _, asTable := range []bool{false, true} {
		if asTable {
			tables = append(slices.Clone(listed), plantedLoss)
		}
		if status, line := askGo(plantedFile(t, "0")); status != 1 || line != refusal {
			t.Errorf("Go, as a table %t: %d %s", asTable, status, line)
		}
	}
	source := withPlantedKind(t)
	vouched := bytes.Replace(source, []byte(`COMPLETE = ("finite",)`), []byte(`COMPLETE = ("finite", "`+plantedLoss+`")`), 1)
	for _, program := range [][]byte{source, vouched} {
		status, lines, ok := pythonVerdicts(t, program, [][]byte{plantedFile(t, "0"), plantedFile(t, "1e-6")})
		if ok && (status[0] != 1 || lines[0] != refusal) {
			t.Errorf("Python: %d %s", status[0], lines[0])
		}
		if ok && (status[1] != 0 || !strings.HasPrefix(lines[1], escaped("proved: ε ≤ "))) {
			t.Errorf("Python at δ = 1e-6: %d %s", status[1], lines[1])
		}
	}
}
