package labs

import (
	"math"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// Every lab says in words what there is to see. With the defaults, or with fewer samples, that must be so for all of
// twenty seeds but a stated number, and its cost must cover its own attack for every seed. The quick form runs the
// first seed.
func TestClaimsHoldOverSeeds(t *testing.T) {
	type outcome struct {
		figures map[string]float64
		tables  []Table
	}
	ctx := sharedAccountant()
	whole := func(x float64) param.Value { return param.WholeValue(x) }
	claimed := map[string]bool{}
	for _, c := range []struct {
		lab, claim string
		values     param.Values
		failures   int // of 20
		holds      func(outcome) bool
	}{
		{"differencing", "repeating wins the value back", nil, 0, func(o outcome) bool {
			return math.Abs(o.figures["average of 1000 differences"]-5) < 4*0.6325
		}},
		{"randomized-response", "the estimate is unbiased", param.Values{"surveys": whole(500)}, 0, func(o outcome) bool {
			return math.Abs(o.figures["mean of the estimates"]-0.3) < 4*0.0316/math.Sqrt(500)
		}},
		{"sparse-vector", "it halts at the c-th positive, the slide's rule one later", nil, 0, func(o outcome) bool {
			return o.figures["positives"] == 5 && o.figures["positives by the slide's rule"] == 6
		}},
		{"sparse-vector", "errors above α are as rare as the theorem says", nil, 0, func(o outcome) bool {
			return o.figures["runs with an error above α"] <= 0.05
		}},
		{"median", "no more hard answers than are paid for, all within α", param.Values{"queries": whole(1000)}, 1, func(o outcome) bool {
			return o.figures["hard ones"] <= 12 && o.figures["largest error"] <= 0.1
		}},
		{"median", "with α/50 no database is left after few hard answers, and test and definition mostly agree", param.Values{"queries": whole(1000)}, 1, func(o outcome) bool {
			return o.figures["hard answers run with α/50"] <= 3 && o.figures["test and definition agree"] > 0.5
		}},
		{"median", "it stops at the last hard answer it can pay", param.Values{"queries": whole(1000), "hard": whole(2)}, 0, func(o outcome) bool {
			return o.figures["hard ones"] <= 2
		}},
		{"thresholdout", "it overfits less than half as much as a plain holdout", param.Values{"trials": whole(4)}, 2, func(o outcome) bool {
			return math.Abs(o.figures["overfitting of Thresholdout"]) < o.figures["overfitting of the plain holdout"]/2
		}},
		{"adaptive-gaussian", "a private pick has a fifth of the bias", param.Values{"trials": whole(20)}, 0, func(o outcome) bool {
			return math.Abs(o.figures["bias with privacy"]) < o.figures["bias without privacy"]/5
		}},
		{"generalization", "the plain pick is nearly always off, the private one less often than the theorem allows", param.Values{"trials": whole(40)}, 0,
			func(o outcome) bool {
				return o.figures["seen: a plain pick off by more than τ"] > 0.9 && o.figures["seen: a private pick off by more than τ"] <= o.figures["P by privacy"]
			}},
		{"selection", "simulated frequencies are the exact ones", nil, 0, func(o outcome) bool {
			for _, r := range o.tables[0].Rows {
				if math.Abs(r.Values[0]-r.Values[1]) > 5*math.Sqrt(r.Values[0]*(1-r.Values[0])/10_000) {
					return false
				}
			}
			return true
		}},
		{"exponential", "drawn frequencies are the exact ones", param.Values{"samples": whole(5000)}, 0, func(o outcome) bool {
			for _, r := range o.tables[0].Rows {
				if math.Abs(r.Values[3]) > 5 {
					return false
				}
			}
			return true
		}},
		{"laplace-vs-exponential", "the noise is that of Lap(2Δ/ε)", param.Values{"samples": whole(5000)}, 0, func(o outcome) bool {
			return math.Abs(o.figures["mean |output| drawn"]-2) < 5*2/math.Sqrt(5000)+0.02 // and the width of the grid
		}},
		{"laplace-counts", "the noise is as large as computed, and coordinated noise the smallest", nil, 0, func(o outcome) bool {
			rows := o.tables[0].Rows
			for _, r := range rows[:3] { // |Lap(b)| has deviation b
				if math.Abs(r.Values[3]-r.Values[2]) > 5*r.Values[1]/math.Sqrt(100) {
					return false
				}
			}
			return rows[3].Values[2] < rows[2].Values[2]
		}},
		{"composition", "the walk ends where theory says", param.Values{"samples": whole(2000)}, 0, func(o outcome) bool {
			// Laplace, ε = 0.1, K = 100: mean 100(ε + e^−ε − 1), deviation at most √K·ε.
			return math.Abs(o.figures["mean loss"]-100*(0.1+math.Expm1(-0.1))) < 5/math.Sqrt(2000)
		}},
		{"natural-filter", "over all paths δ is more than promised", param.Values{"samples": whole(5000)}, 1, func(o outcome) bool {
			return o.figures["true δ ÷ promised δ"] > 1.5 && math.Abs(o.figures["simulated"]/o.figures["true δ ÷ promised δ"]-1) < 0.25
		}},
		{"odometers", "a bound for a fixed number is crossed more often than promised, an odometer is not", param.Values{"samples": whole(400), "count": whole(400)}, 0,
			func(o outcome) bool {
				most := 0.05 + 5*math.Sqrt(0.05/400)
				return o.figures["crossed: fixed number"] > 0.05 && o.figures["crossed: line"] <= most && o.figures["crossed: mixture"] <= most
			}},
		{"dp-sgd", "the model learns, nearly as well as without privacy", param.Values{"steps": whole(60), "n": whole(1000)}, 1, func(o outcome) bool {
			return o.figures["accuracy"] > 0.8
		}},
		{"self-audit", "code without a fault shows less than is proven of it", param.Values{"runs": whole(400)}, 1, func(o outcome) bool {
			return o.figures["p-value of the priced curve"] >= 0.05 && o.figures["ε shown of what was run"] < o.figures["ε proven of what was priced"]
		}},
		{"stopping-early", "what was run is less than what may be quoted", param.Values{"steps": whole(200), "rungs": whole(2), "runs": whole(50)}, 0, func(o outcome) bool {
			return o.figures["not quotable"] < o.figures["rung"] && o.figures["not quotable"] < o.figures["odometer"] && o.figures["mean stop"] < 200
		}},
		{"erm", "at a small ε noise in the objective costs less than noise on the result",
			param.Values{"n": whole(500), "epsilon": param.NumberValue(0.2)}, 0, // nε, and with it the noise, as by default
			func(o outcome) bool {
				return o.tables[0].Rows[1].Values[0] > o.tables[0].Rows[2].Values[0]
			}},
		{"shuffled-batches", "the attack beats the figure for Poisson batches five times over, and never the bound", param.Values{"samples": whole(5_000)}, 0,
			func(o outcome) bool {
				attack := o.figures["the attack, measured"]
				return attack > 5*o.figures["Poisson batches"] && attack < o.figures["without amplification"]
			}},
		{"shuffled-survey", "the attack beats a bound that counts colluders as honest, and never the bound for the honest", param.Values{"samples": whole(4_000)}, 0,
			func(o outcome) bool {
				attack, deviation := o.figures["the attack, exactly"], 1.5/math.Sqrt(4_000)
				return math.Abs(o.figures["the attack, measured"]-attack) < 5*deviation*0.5 && attack > o.figures["bound if colluders counted"] &&
					attack <= o.figures["bound for the honest people"]
			}},
		{"frequency-oracles", "every oracle errs as computed", param.Values{"people": whole(500), "runs": whole(20)}, 0,
			func(o outcome) bool {
				for _, r := range o.tables[0].Rows { // 640 squared errors of 32 values per run
					if math.Abs(r.Values[0]/r.Values[1]-1) > 0.2 {
						return false
					}
				}
				return true
			}},
		{"surviving-groups", "as many groups are shown as computed, and hardly ever a single person", param.Values{"people": whole(1000), "runs": whole(100)}, 0,
			func(o outcome) bool {
				for _, r := range o.tables[0].Rows {
					if r.Label == "optimal" && math.Abs(o.figures["groups shown"]/r.Values[3]-1) > 0.1 {
						return false
					}
				}
				return o.figures["times a single person was shown"] <= 3 // 200 groups, 100 times, 5e-6 each
			}},
		{"running-sums", "the tree errs 1.9 times as much as the square root or more, and both as much as they should", param.Values{"steps": whole(256), "runs": whole(100)}, 0,
			func(o outcome) bool {
				for _, r := range o.tables[0].Rows {
					// errors of one stream are correlated: a standard deviation of about 4 % per run
					if math.Abs(r.Values[0]/r.Values[1]-1) > 0.15 {
						return false
					}
				}
				return o.figures["tree over square root"] > 1.9
			}},
		{"tuning", "a fixed number of tries leaks as all of them do, a random one stays below its bound", param.Values{"samples": whole(20_000)}, 1,
			func(o outcome) bool {
				for i, r := range o.tables[0].Rows {
					measured, exact, most := r.Values[0], r.Values[1], r.Values[2]
					if math.Abs(measured-exact) > 4*0.083 || exact > most*(1+1e-12) ||
						i == 0 && exact < most*(1-1e-9) || i > 0 && measured > most {
						return false // 153 bad tunings in the rarer world: a standard deviation of 0.083
					}
				}
				return true
			}},
	} {
		claimed[c.lab] = true
		t.Run(c.lab+": "+c.claim, func(t *testing.T) {
			var failed []uint64
			for seed := range uint64(gauge.Cases(1, 20)) {
				out, err := Run(ctx, c.lab, Options{Seed: seed, Values: c.values})
				if err != nil {
					t.Fatal(err)
				}
				o := outcome{map[string]float64{}, out.Tables}
				for _, f := range out.Figures {
					o.figures[f.Name] = f.Value
				}
				if !c.holds(o) {
					failed = append(failed, seed)
				}
				if l := uncovered(ctx, t, out); (l != nil) != (out.NoGuarantee != "") {
					t.Errorf("seed %d: the cost does not cover the attack %+v", seed, l)
				}
			}
			if len(failed) > c.failures {
				t.Errorf("does not hold for the seeds %v; %d may fail", failed, c.failures)
			}
		})
	}
	for _, lab := range All() {
		if !claimed[lab.Name] {
			t.Errorf("no claim of the lab %s is checked", lab.Name)
		}
	}
}
