package oracle

import "fmt"

// Query is a mechanism applied to data: every record of a kind adds that kind's
// contribution to the sums the kernel sees. With a rate below 1 each record is looked
// at with that probability only (Poisson sampling).
type Query struct {
	Kernel       Kernel
	Contribution [][]int // by kind, then by sum
	Rate         float64
}

// On is the distribution of its outcomes on the records given by their kinds, of which
// those count that the part of the data it sees has; nil is all.
func (q Query) On(records []int, sees func(kind int) bool) []Real {
	type weighted struct {
		sums   []int
		weight Real
	}
	key := func(sums []int) string { return fmt.Sprint(sums) }
	width := len(q.Contribution[0])
	states := map[string]weighted{}
	nothing := make([]int, width)
	states[key(nothing)] = weighted{nothing, R(1)}
	order := []string{key(nothing)} // so that equal draws give equal sums
	for _, kind := range records {
		if sees != nil && !sees(kind) {
			continue
		}
		next, after := map[string]weighted{}, []string{}
		add := func(sums []int, weight Real) {
			k := key(sums)
			if have, ok := next[k]; ok {
				next[k] = weighted{sums, have.weight.Add(weight)}
				return
			}
			next[k] = weighted{sums, weight}
			after = append(after, k)
		}
		for _, k := range order {
			s := states[k]
			moved := make([]int, width)
			for i := range moved {
				moved[i] = s.sums[i] + q.Contribution[kind][i]
			}
			if q.Rate < 1 {
				add(s.sums, s.weight.Mul(R(1).Sub(R(q.Rate))))
				add(moved, s.weight.Mul(R(q.Rate)))
			} else {
				add(moved, s.weight)
			}
		}
		states, order = next, after
	}
	var out []Real
	for _, k := range order {
		s := states[k]
		for i, m := range q.Kernel(s.sums) {
			if i == len(out) {
				out = append(out, R(0))
			}
			out[i] = out[i].Add(s.weight.Mul(m))
		}
	}
	return out
}

// Neighbours are the pairs of data sets of one person with the given number of records:
// all of them there or not, or under replace all of them others. Each record is of one
// of the kinds.
func Neighbours(kinds, group int, replace bool) (pairs [][2][]int) {
	var choices [][]int
	var choose func(list []int, from int)
	choose = func(list []int, from int) {
		if len(list) == group {
			choices = append(choices, append([]int(nil), list...))
			return
		}
		for k := from; k < kinds; k++ {
			choose(append(list, k), k)
		}
	}
	choose(nil, 0)
	for i, a := range choices {
		if !replace {
			pairs = append(pairs, [2][]int{a, nil})
			continue
		}
		for _, b := range choices[i+1:] {
			pairs = append(pairs, [2][]int{a, b})
		}
	}
	return pairs
}
