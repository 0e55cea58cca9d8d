package mechanisms

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// Attacks on trainings, played on real records: batches are drawn, gradients added up and
// noise put on them as the training says. All records but one are known to the attacker, and
// worst for the target. What he has is measured as E[(1 − e^{ε−L})₊] with his loss L, or as the
// advantage of a test; by Hoeffding's inequality the measurement is off by more than the
// given margin with probability 1e-9. No attack beats the bound, and each comes near enough
// to show that it is one.
func TestAttacksOnBatches(t *testing.T) {
	rounds := gauge.Cases(1_000, 40_000)
	margin := math.Sqrt(math.Log(2e9) / (2 * float64(rounds)))
	density := func(x, mean, z float64) float64 { return math.Exp(-(x - mean) * (x - mean) / (2 * z * z)) }
	for name, c := range map[string]struct {
		values    param.Values
		adjacency Adjacency
		epsilon   float64
		delta     func(*rand.Rand) float64 // of one round; its mean is that of the attack
		near      float64                  // share of the bound that it reaches, at least
	}{
		// Where the target went shows in Σ e^{xᵢ/z² − 1/2z²}: the ratio of both worlds.
		"allocated, removed": {training(0.8, 0.2, 10, Allocated), AddRemove, 0.5, func(r *rand.Rand) float64 {
			return excessLoss(0.5, allocatedLoss(r, 5, 2, 0.8, true))
		}, 0.9},
		"allocated, added": {training(0.8, 0.2, 10, Allocated), AddRemove, 0.5, func(r *rand.Rand) float64 {
			return excessLoss(0.5, -allocatedLoss(r, 5, 2, 0.8, false))
		}, 0.5},
		// Of ten records nine pull by −1 and the target by +1, or by −1 if it is changed.
		"fixed size, changed": {with(training(1.5, 0.3, 20, Fixed), "records", 10), Replace, 0.5, func(r *rand.Rand) float64 {
			const z, size, records = 1.5, 3, 10
			loss := 0.0
			for range 20 {
				sum := -float64(size) + z*r.NormFloat64()
				for _, i := range r.Perm(records)[:size] {
					if i == 0 {
						sum += 2
					}
				}
				drawn := float64(size) / records
				loss += math.Log1p(drawn * math.Expm1(math.Log(density(sum, 2-size, z)/density(sum, -size, z))))
			}
			return excessLoss(0.5, loss)
		}, 0.6},
		// The others fill most batches: the target displaces one of them.
		"truncated, removed": {with(with(training(1, 0.5, 4, Truncated), "records", 12), "max_batch", 4), AddRemove, 0.5, func(r *rand.Rand) float64 {
			return excessLoss(0.5, truncatedLoss(r, 12, 4, 4, 0.5, 1, true))
		}, 0.3},
		"truncated, added": {with(with(training(1, 0.5, 4, Truncated), "records", 12), "max_batch", 4), AddRemove, 0.5, func(r *rand.Rand) float64 {
			return excessLoss(0.5, -truncatedLoss(r, 12, 4, 4, 0.5, 1, false))
		}, 0.3},
		// The largest of the noisy sums: the batch of the target pulls less (Chua et al. 2024).
		"shuffled, zeroed": {with(training(0.6, 0.1, 10, Shuffled), "records", 20), ZeroOut, 1, func(r *rand.Rand) float64 {
			const z, batches, size, threshold = 0.6, 10, 2, 1.9
			score := 0.0
			for world, pull := range []float64{1, 0} {
				order, largest := r.Perm(batches*size), math.Inf(-1)
				for b := range batches {
					sum := z * r.NormFloat64()
					for _, i := range order[b*size : (b+1)*size] {
						if i == 0 {
							sum += pull
						} else {
							sum--
						}
					}
					largest = math.Max(largest, sum+size)
				}
				if largest > threshold {
					score += []float64{1, -math.E}[world]
				}
			}
			return score
		}, 0.8},
	} {
		r := rand.New(rand.NewPCG(1, uint64(len(name))))
		sum := 0.0
		for range rounds {
			sum += c.delta(r)
		}
		spread := 1.0 // of one round's value
		if c.values["batches"].Text == string(Shuffled) {
			spread = 1 + math.E
		}
		attack, limit := sum/float64(rounds), spread*margin
		entries, _, err := Entries(built(t, "dp-sgd", c.values), Setting{Adjacency: c.adjacency})
		if err != nil {
			t.Fatal(err)
		}
		lower, upper, err := accounting.DeltaAt(context.Background(), entries, c.epsilon, 0)
		t.Logf("%s: the attack has δ = %.4f ± %.4f, the bound is %.4f – %.4f", name, attack, limit, lower, upper)
		if err != nil || attack-limit > upper {
			t.Errorf("%s: the attack has %v, the bound says %v; %v", name, attack, upper, err)
		}
		if attack+limit < c.near*upper {
			t.Errorf("%s: the attack has only %v of %v", name, attack, upper)
		}
	}
}

func with(v param.Values, name string, n float64) param.Values {
	v = v.Clone()
	v[name] = param.WholeValue(n)
	return v
}

func excessLoss(epsilon, loss float64) float64 { return math.Max(0, -math.Expm1(epsilon-loss)) }

// allocatedLoss plays epochs over batches; the target, if it is there, is in one of each.
func allocatedLoss(r *rand.Rand, batches, epochs int, z float64, there bool) (loss float64) {
	for range epochs {
		place, ratio := r.IntN(batches), 0.0
		for b := range batches {
			sum := z * r.NormFloat64()
			if there && b == place {
				sum++
			}
			ratio += math.Exp(sum/(z*z) - 1/(2*z*z))
		}
		loss += math.Log(ratio / float64(batches))
	}
	return loss
}

// truncatedLoss plays steps on Poisson samples of which at most so many records are kept. All
// pull by −1, the target by +1; the attacker sees the noisy sum.
func truncatedLoss(r *rand.Rand, records, most, steps int, rate, z float64, there bool) (loss float64) {
	// What a sum is without noise, in both worlds.
	here, gone := map[int]float64{}, map[int]float64{}
	for n := range records {
		p := math.Exp(lchoose(records-1, n) + float64(n)*math.Log(rate) + float64(records-1-n)*math.Log1p(-rate))
		gone[-min(n, most)] += p
		here[-min(n, most)] += p * (1 - rate)
		if n < most {
			here[1-n] += p * rate
			continue
		}
		kept := float64(most) / float64(n+1)
		here[2-most] += p * rate * kept
		here[-most] += p * rate * (1 - kept)
	}
	likelihood := func(x float64, law map[int]float64) (sum float64) {
		for at, p := range law {
			sum += p * math.Exp(-(x-float64(at))*(x-float64(at))/(2*z*z))
		}
		return sum
	}
	for range steps {
		var drawn []int
		for i := range records {
			if (i > 0 || there) && r.Float64() < rate {
				drawn = append(drawn, i)
			}
		}
		r.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
		sum := z * r.NormFloat64()
		for _, i := range drawn[:min(most, len(drawn))] {
			if i == 0 {
				sum++
			} else {
				sum--
			}
		}
		loss += math.Log(likelihood(sum, here) / likelihood(sum, gone))
	}
	return loss
}

func lchoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
