package cli

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"epsiloscope/scenarios"
)

// drawn is a scenario before it is written, so that it can be written in two ways.
type drawn struct {
	delta         float64
	adjacency     string
	moves         string // of the blocks: "" or "never"
	group, rounds int
	items         []item
}

// item is a few entries in a row, or a block of branches.
type item struct {
	entries  []entry
	branches [][]entry
}

type entry struct {
	body  string
	count int
}

func drawPlan(t *rapid.T) drawn {
	p := drawn{
		delta:     drawLog(t, "δ", 1e-9, 0.1),
		adjacency: rapid.SampledFrom(scenarios.ScenarioField("adjacency").Choices).Draw(t, "adjacency"),
		moves:     rapid.SampledFrom([]string{"", "never"}).Draw(t, "moves"),
		group:     rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "group"),
		rounds:    rapid.SampledFrom([]int{1, 1, 3}).Draw(t, "rounds"),
	}
	also := rapid.Bool().Draw(t, "also")
	for i := range rapid.IntRange(1, 3).Draw(t, "entries") {
		if i == 0 && rapid.IntRange(0, 2).Draw(t, "block") == 0 {
			var branches [][]entry
			for range rapid.IntRange(2, 3).Draw(t, "branches") {
				branches = append(branches, []entry{drawPlanned(t, 4, also)})
			}
			p.items = append(p.items, item{branches: branches})
			continue
		}
		p.items = append(p.items, item{entries: []entry{drawPlanned(t, 30, also)}})
	}
	return p
}

// drawPlanned draws one entry, sampled or not, with a claim about absence if it may
// have one.
func drawPlanned(t *rapid.T, most int, also bool) entry {
	e := drawLog(t, "ε", 0.01, 2)
	body := rapid.SampledFrom([]string{
		fmt.Sprintf("mechanism: laplace, epsilon: %v", e),
		fmt.Sprintf("mechanism: gaussian, sigma: %v", 2/e),
		fmt.Sprintf("mechanism: randomized-response, epsilon: %v", e),
		fmt.Sprintf("mechanism: randomized-response, epsilon: %v, categories: 7", e),
		fmt.Sprintf("mechanism: geometric, epsilon: %v, sensitivity: 3", e),
		fmt.Sprintf("mechanism: discrete-gaussian, sigma: %v", 2/e),
		fmt.Sprintf("mechanism: exponential, epsilon: %v", e),
		fmt.Sprintf("mechanism: pure, epsilon: %v", e),
		fmt.Sprintf("mechanism: approximate, epsilon: %v, delta: 1e-12", e),
		fmt.Sprintf("mechanism: zcdp, rho: %v", e*e),
		fmt.Sprintf("mechanism: dp-sgd, noise_multiplier: %v, sampling_rate: 0.05, steps: 20", 1/e),
	}).Draw(t, "entry")
	if !strings.Contains(body, "dp-sgd") && rapid.IntRange(0, 2).Draw(t, "sampled") == 0 {
		body += fmt.Sprintf(", sampling: {rate: %v}", drawLog(t, "q", 1e-3, 0.99))
	}
	if also {
		body += claimed(body)
	}
	return entry{body, rapid.IntRange(1, most).Draw(t, "count")}
}

// claimed returns the claim that an entry's number bounds absence too, where it can: who
// sends no answer to randomized response is seen to be absent.
func claimed(body string) string {
	if strings.Contains(body, "randomized-response") || strings.Contains(body, "also:") {
		return ""
	}
	return ", also: add-remove"
}

func (p drawn) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nadjacency: %s\ngroup: %d\nrounds: %d\nbudget: {delta: %v}\nstack:\n", p.adjacency, p.group, p.rounds, p.delta)
	for _, it := range p.items {
		for _, e := range it.entries {
			fmt.Fprintf(&b, "  - {%s, count: %d}\n", e.body, e.count)
		}
		if it.branches == nil {
			continue
		}
		b.WriteString("  -\n")
		if p.moves != "" {
			b.WriteString("    moves: " + p.moves + "\n")
		}
		b.WriteString("    parallel:\n")
		for _, branch := range it.branches {
			b.WriteString("      -\n")
			for _, e := range branch {
				fmt.Fprintf(&b, "        - {%s, count: %d}\n", e.body, e.count)
			}
		}
	}
	return b.String()
}

// with returns the plan with other branches in one of its blocks.
func (p drawn) with(i int, branches [][]entry) drawn {
	p.items = append([]item(nil), p.items...)
	p.items[i].branches = branches
	return p
}

// split writes every entry that comes more than once as two.
func (p *drawn) split(t *rapid.T) {
	halve := func(list []entry) (out []entry) {
		for _, e := range list {
			if e.count == 1 {
				out = append(out, e)
				continue
			}
			part := rapid.IntRange(1, e.count-1).Draw(t, "part")
			out = append(out, entry{e.body, part}, entry{e.body, e.count - part})
		}
		return out
	}
	items := append([]item(nil), p.items...)
	for i, it := range items {
		items[i].entries = halve(it.entries)
		if it.branches != nil {
			items[i].branches = nil
			for _, b := range it.branches {
				items[i].branches = append(items[i].branches, halve(b))
			}
		}
	}
	p.items = items
}

// shuffle changes the order of the stack, and of the branches of each block.
func (p *drawn) shuffle(t *rapid.T) {
	p.items = rapid.Permutation(p.items).Draw(t, "order")
	for i, it := range p.items {
		if it.branches != nil {
			p.items[i].branches = rapid.Permutation(it.branches).Draw(t, "branches")
		}
	}
}
