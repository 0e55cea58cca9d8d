package cli

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// jsonLimit is how many times as long as the table the JSON of a comparison may take.
const jsonLimit = 1.2

// BenchmarkCompareJSON prices trainings over the plane of sampling rates and noise multipliers, as a table and as JSON
// in turn. The shortest time of each counts, as other work on the machine only adds to it. It fails if JSON takes more
// than its share, as it did while it computed every harm unasked.
func BenchmarkCompareJSON(b *testing.B) {
	var stacks []string
	for _, q := range []float64{1e-6, 1e-4, 0.01, 0.2} {
		for _, z := range []float64{0.1, 0.4, 1, 4} {
			stacks = append(stacks, fmt.Sprintf("version: 1\nbudget: {epsilon: 3, delta: 1e-6}\n"+
				"stack: [{mechanism: dp-sgd, sampling_rate: %g, noise_multiplier: %g, steps: 1000}]\n", q, z))
		}
	}
	timed := func(stack string, least *time.Duration, args ...string) {
		from := time.Now()
		if status, _, stderr := run(stack, append([]string{"compare", "-"}, args...)...); status != 0 {
			b.Fatal(stderr)
		}
		*least = min(*least, time.Since(from))
	}
	tables, jsons := make([]time.Duration, len(stacks)), make([]time.Duration, len(stacks))
	for i := range stacks {
		tables[i], jsons[i] = math.MaxInt64, math.MaxInt64
	}
	for b.Loop() {
		for i, s := range stacks {
			timed(s, &tables[i])
			timed(s, &jsons[i], "-o", "json")
		}
	}
	ratio := 0.0
	for i := range stacks {
		ratio += float64(jsons[i]) / float64(tables[i]) / float64(len(stacks))
	}
	b.ReportMetric(ratio, "json/table")
	if b.N >= 5 && ratio > jsonLimit {
		b.Errorf("JSON takes %.2f times as long as the table, more than %g", ratio, jsonLimit)
	}
}
