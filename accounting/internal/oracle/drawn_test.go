package oracle

// Drawn is a way in which batches may be drawn, and how likely it is.
type Drawn struct {
	Weight  Real
	Batches []Data
}

// batched returns the distribution of what all batches show together.
func (q *Query) batched(d Data) (out []Real) {
	for _, drawn := range q.Draws(d) {
		shown := []Real{drawn.Weight}
		for _, batch := range drawn.Batches {
			var next []Real
			for _, m := range q.Run(batch) {
				for _, x := range shown {
					next = append(next, x.Mul(m))
				}
			}
			shown = next
		}
		if out == nil {
			out = make([]Real, len(shown))
			for i := range out {
				out[i] = R(0)
			}
		}
		for i, x := range shown {
			out[i] = out[i].Add(x)
		}
	}
	return out
}

// subsets returns the ways to draw so many of the records.
func subsets(d Data, size int) (all []Data) {
	for chosen := range 1 << len(d) {
		var part Data
		for i, r := range d {
			if chosen>>i&1 == 1 {
				part = append(part, r)
			}
		}
		if len(part) == size {
			all = append(all, part)
		}
	}
	return all
}

// FixedSize draws one batch of so many records, evenly and without replacement; of fewer
// records all.
func FixedSize(size int) func(Data) []Drawn {
	return func(d Data) (ways []Drawn) {
		all := subsets(d, min(size, len(d)))
		for _, batch := range all {
			ways = append(ways, Drawn{Ratio(1, int64(len(all))), []Data{batch}})
		}
		return ways
	}
}

// Allocated puts each record into one of the batches, evenly and on its own.
func Allocated(batches int) func(Data) []Drawn {
	return func(d Data) (ways []Drawn) {
		all := words(batches, len(d))
		for _, word := range all {
			ways = append(ways, Drawn{Ratio(1, int64(len(all))), split(d, word, batches)})
		}
		return ways
	}
}

// Shuffled puts the records in random order and cuts them into batches of one size; what is
// left over is in none.
func Shuffled(batches int) func(Data) []Drawn {
	return func(d Data) (ways []Drawn) {
		size := len(d) / batches
		var even [][]int
		for _, word := range words(batches+1, len(d)) { // the last is for those left over
			count := make([]int, batches+1)
			for _, b := range word {
				count[b]++
			}
			fits := true
			for _, n := range count[:batches] {
				fits = fits && n == size
			}
			if fits {
				even = append(even, word)
			}
		}
		for _, word := range even {
			ways = append(ways, Drawn{Ratio(1, int64(len(even))), split(d, word, batches)})
		}
		return ways
	}
}

// Broken keeps the first batches of a pass that is broken off.
func Broken(draws func(Data) []Drawn, steps int) func(Data) []Drawn {
	return func(d Data) (ways []Drawn) {
		for _, w := range draws(d) {
			ways = append(ways, Drawn{w.Weight, w.Batches[:steps]})
		}
		return ways
	}
}

// Truncated draws each record with the same probability, and keeps of too many as many as
// are allowed, evenly.
func Truncated(rate float64, most int) func(Data) []Drawn {
	return func(d Data) (ways []Drawn) {
		for size := range len(d) + 1 {
			for _, drawn := range subsets(d, size) {
				weight := R(1)
				for i := range d {
					if i < size {
						weight = weight.Mul(R(rate))
					} else {
						weight = weight.Mul(R(1).Sub(R(rate)))
					}
				}
				kept := subsets(drawn, min(size, most))
				for _, batch := range kept {
					ways = append(ways, Drawn{weight.Div(R(float64(len(kept)))), []Data{batch}})
				}
			}
		}
		return ways
	}
}

// split puts record i into batch word[i], if there is such a one.
func split(d Data, word []int, batches int) []Data {
	parts := make([]Data, batches)
	for i, r := range d {
		if b := word[i]; b < batches {
			parts[b] = append(parts[b], r)
		}
	}
	return parts
}
