package certificate

import (
	"fmt"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// mutant is a planted mistake in check.py: a direction reversed, a part forgotten. The quick form plants every second
// one of the first group, the long form all.
type mutant struct{ about, old, new string }

var quickMutants = []mutant{
	{"products rounded the wrong way", "return -(-value // by) if upward else value // by", "return value // by if upward else -(-value // by)"},
	{"both directions forgotten", `for way in ("remove", "add") if both else ("remove",):`, `for way in ("remove",):`},
	{"claim compared the wrong way", `proved = upper is not None and upper <= c["eps_upper"]`, `proved = upper is not None and upper >= c["eps_upper"]`},
	{"infinite mass forgotten", "w = (sa + a.w) * (sb + b.w) - sa * sb ", "w = a.w * b.w "},
	{"thin top dropped", `a.w + (top if upward else 0)`, `a.w`},
	{"a largest loss of every kind with an ε", `if r["kind"] not in BY_EPS or r.get("delta"):`, `if e is None or r.get("delta"):`},
}

var allMutants = []mutant{
	{"smaller direction taken", "upper = None if e is None or upper is None else max(upper, e)", "upper = None if e is None or upper is None else min(upper, e)"},
	{"lower claim not compared", `if proved and (c["eps_lower"] == 0 or lower is not None and lower >= c["eps_lower"]):`, "if proved:"},
	{"lower claim compared the wrong way", `lower is not None and lower >= c["eps_lower"]`, `lower is not None and lower <= c["eps_lower"]`},
	{"thin bottom dropped from the upper list", `m[0 if upward else -1] += bottom if upward else top`, `m[0 if upward else -1] += 0 if upward else top`},
	{"thin top kept by the lower list as infinite", `a.w + (top if upward else 0)`, `a.w + top`},
	{"thin ends exchanged", `m[0 if upward else -1] += bottom if upward else top`, `m[-1 if upward else 0] += bottom if upward else top`},
	{"rest below the lattice forgotten", "m.append(max(0, ONE - p_sum))", "m.append(0)"},
	{"chords taken too low", "p = max(0, int((lack / drop).to_integral_value(ROUND_CEILING)) + 1)", "p = max(0, int(lack))"},
	{"chord to the next cell down", "for j in range(hi - 1, lo - 1, -1):", "for j in range(hi - 1, lo, -1):"},
	{"mass above the lattice forgotten", "w = p_sum = int_above(curve(r, way, x), error(r))", "w = p_sum = 0"},
	{"Q-mass of the upper list forgotten", "g = p_sum - below * q_sum * (1 + PAD)", "g = D(p_sum)"},
	{"slope of the lower path too small", "slope, first = int_above((off + j * h).exp()), i", "slope, first = int_below((off + (j - 1) * h).exp()), i"},
	{"leg above the events", "while i < len(v) and p + rise(v[i][0] - q) <= v[i][1]:", "while i < len(v) and p + rise(v[i][0] - q) <= v[i][1] + v[i][1] // 100:"},
	{"leg above the edge", "<= p0 + mid * dp // dq else (step, mid)", "<= p0 + dp else (step, mid)"},
	{"offset forgotten in the sum", "divide(w, unit, upward), a.off + b.off)", "divide(w, unit, upward), a.off)"},
	{"losses do not add", "return Losses(a.lo + b.lo,", "return Losses(a.lo + b.lo - 1,"},
	{"one copy too few", "power, count = trim(one, cut, upward), r[\"count\"]", "power, count = trim(one, cut, upward), max(1, r[\"count\"] - 1)"},
	{"only one release composed", "whole = power if whole is None else trim(compose(whole, power, unit, upward), cut, upward)", "whole = power"},
	{"ε below the last one evaluated", "return high * GRAIN if upward else low * GRAIN if low >= 0 else None", "return low * GRAIN if upward else high * GRAIN if low >= 0 else None"},
	{"δ compared the wrong way", "+ sign * PAD > target", "+ sign * PAD < target"},
	{"infinite mass not in δ", "return (a.w + sums[k][0] - sums", "return (sums[k][0] - sums"},
	{"one loss too few in δ", "while k < n and top - k * h > eps:", "while k < n - 1 and top - k * h > eps + 2 * h:"},
	{"largest loss rounded down", "to_integral_value(ROUND_CEILING if upward else ROUND_FLOOR) * GRAIN", "to_integral_value(ROUND_FLOOR if upward else ROUND_CEILING) * GRAIN"},
	{"add treated as remove for δ = 0", `return (1 - q + q * e.exp()).ln() if way == "remove" else`, `return -(1 - q + q * (-e).exp()).ln() if way == "remove" else`},
	{"shift forgotten for δ = 0", `return e * r.get("shift", 1)`, `return e`},
	{"a largest loss after a failure", `if r["kind"] not in BY_EPS or r.get("delta"):`, `if r["kind"] not in BY_EPS:`},
	{"one copy's largest loss", `total += r["count"] * e`, `total += e`},
	{"outcomes not listed forgotten for δ = 0", `if r.get("rest") or not all(q for _, q in rows):`, `if not all(q for _, q in rows):`},
	{"outcomes without Q forgotten for δ = 0", "if r.get(\"rest\") or not all(q for _, q in rows):\n",
		"rows = [v for v in rows if v[1]]\n        if r.get(\"rest\"):\n"},
	{"a table that is cut off taken for a complete one", `COMPLETE = ("finite",)`, `COMPLETE = ("finite", "discrete_gaussian")`},
	{"uncertainty of masses forgotten for δ = 0", `* (apart if upward else 1 / apart)`, ``},
	{"uncertainty of masses to the wrong side for δ = 0", `(apart if upward else 1 / apart)`, `(1 / apart if upward else apart)`},
	{"a table taken for symmetric", `SYMMETRIC = (*PLAIN,`, `SYMMETRIC = (*PLAIN, "finite",`},
	{"sampled the other way", `inner = (x - (1 - q)) / q if way == "remove" else`, `inner = x if way == "remove" else`},
	{"mixture forgotten", "return ((1 - q) * b + q * a, b)", "return (q * a + b, b)"},
	{"mixture forgotten for add", "else (a, (1 - q) * a + q * b)", "else (a, a)"},
	{"σ squared", "m = 1 / r[\"scale\"]\n        cut", "m = 1 / r[\"scale\"] ** 2\n        cut"},
	{"half the mean forgotten", "cut = x.ln() / m + m / 2", "cut = x.ln() / m"},
	{"failure probability forgotten", "return d + (1 - d) * big / (1 + big), (1 - d) / (1 + big)", "return big / (1 + big), 1 / (1 + big)"},
	{"Laplace of half the loss", "u = min(max((e - x.ln()) / 2, D(0)), e)", "u = min(max(e - x.ln(), D(0)), e)"},
	{"bounded range without its end", "return max(D(0), big - (big * x).sqrt()) / (big - 1)", "return max(D(0), big - (big * x).sqrt()) / big"},
	{"replaced record counted once", "return centre + q * phi(m - cut), centre + q * phi(-m - cut)", "return centre + q * phi(m - cut), centre + q * phi(-cut)"},
	{"fixed batches without the rate", `f = r["q"] * (plain_test`, `f = r["q"] ** 2 * (plain_test`},
	{"response without its share", `e, s = r["eps"].exp(), r["share"]`, `e, s = r["eps"].exp(), r["share"] ** 2`},
	{"discrete Laplace without its sides", "(1 / (1 + a), a ** n / (1 + a))", "((1 - a) / (1 + a), a ** n * (1 - a) / (1 + a))"},
	{"discrete Gaussian of twice the variance", `.exp() for y in range(reach + n + 1)]`, `.exp().sqrt() for y in range(reach + n + 1)]`},
	{"add reads the table of remove", `v[::1 if way == "remove" else -1]`, `v`},
	{"uncertainty of masses forgotten", `return PAD + (3 * r["within"] + r["rest"] if r["kind"] == "finite" else 0)`, "return PAD"},
	{"sure mass where Q has some", "max(p for p, q in r[way][1] if q == 0)", "max(p for p, q in r[way][1] if q < D('0.3'))"},
	{"points below the hull kept above", "<= (p - out[-1][1]) * (out[-1][0] - out[-2][0]):", ">= (p - out[-1][1]) * (out[-1][0] - out[-2][0]):"},
	{"repeated fields", `need(name not in o, "a field occurs twice")`, `need(True, "a field occurs twice")`},
	{"other digits", `re.compile(r"(0|[1-9][0-9]{0,7})(\.[0-9]{1,45})?(e-[1-9][0-9]?)?")`, `re.compile(r".*")`},
	{"unknown fields", "set(o) == set(names)", "set(o) >= set(names)"},
	{"a lower end of a pair that no mechanism attains", `UPPER_ONLY = ("bounded_range", `, `UPPER_ONLY = (`},
	{"a lone (ε, δ) at another δ", `and first["kind"] == "approx" and first["delta"] == c["delta"]:`, `and first["kind"] == "approx":`},
	{"masses that do not add up", `<= r["within"] + r["rest"], "outcomes`, `<= 9, "outcomes`},
	{"wrong product unnoticed, and wrong", "m = [int(digits[k:k + width])", "m = [int(digits[k:k + width]) // 2 * 2"},
}

// Not visible to any test, and so to be read: the sign of PAD in int_above, int_below, exceeds, drop, q_sum and g
// (1e-43 of a probability), the +1 after the ceiling in losses_above and the rounding of rise (1e-40), and the two
// digits by which a slot is wider than it must be.

// coarse returns certificates on which a unit of rounding, or a cell cut off, shows in the digits of ε.
func coarse(t *testing.T) (files [][]byte) {
	for _, s := range samples() {
		c := s.claimed(t)
		c.Digits, c.Cut = "12", "1e-8"
		if s.name == "finite" {
			c.Releases[0].Within, c.Releases[0].Rest = "1e-9", "1e-9"
		}
		c.Upper, c.Lower = "99999", "0"
		if s.lower {
			c.Lower = "0.0001"
		}
		files = append(files, c.file(t))
	}
	return files
}

// TestMutants plants each mistake in check.py, with a kind that somebody added: some certificate or attack must give
// another last line.
func TestMutants(t *testing.T) {
	list := gauge.Some(2, quickMutants)
	if gauge.All() {
		list = append(list, allMutants...)
	}
	files := coarse(t)
	if gauge.All() {
		for _, s := range samples() {
			c := *s.claimed(t)
			files = append(files, c.file(t))
			switch {
			case !s.lower:
				c.Lower = "0.0001"
				files = append(files, c.file(t))
			case s.name == "lone-approx":
				c.Delta = "1e-6" // below its own δ, where nothing holds
				files = append(files, c.file(t))
			}
		}
		for _, a := range append(malformedFiles(t), falseClaims(t)[:3]...) {
			if a.name != "deep" {
				files = append(files, a.file)
			}
		}
		for _, s := range zeroDeltaSamples() {
			c := Certificate{Format: Format, Releases: s.releases, Delta: "0", Upper: "99999", Lower: "0.0001",
				Step: "1", Digits: "24", Cut: "1e-16", Tests: "4", LowerWay: "add"}
			files = append(files, c.file(t))
		}
	} else {
		every := files
		files = append(every[:4:4], falseClaims(t)[0].file)
		for i, s := range samples() {
			if s.name == "sampled-approx" || s.name == "finite" {
				files = append(files, every[i])
			}
		}
	}
	base := withPlantedKind(t)
	files = append([][]byte{plantedFile(t, "0")}, files...)
	right, lines, ok := pythonVerdicts(t, base, files)
	if !ok {
		return
	}
	var answers []string
	for i, line := range lines {
		answers = append(answers, fmt.Sprint(right[i], " ", line))
	}
	for _, m := range list {
		t.Run(m.about, func(t *testing.T) {
			source := string(base)
			if strings.Count(source, m.old) != 1 {
				t.Fatalf("%q is %d times in check.py", m.old, strings.Count(source, m.old))
			}
			status, got, _ := pythonVerdicts(t, []byte(strings.Replace(source, m.old, m.new, 1)), files, answers...)
			if len(status) == 0 || fmt.Sprint(status, got) == fmt.Sprint(right[:len(status)], lines[:len(got)]) {
				t.Error("no test notices")
			}
		})
	}
}
