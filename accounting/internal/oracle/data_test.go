package oracle

// Record is a row of a table: its number and the kind of what stands in it.
type Record struct{ Row, Kind int }

// Zero is the kind of a record that was zeroed out: the row is still there.
const Zero = -1

// Data is a data set. An absent record is a row that is not there.
type Data []Record

// Adjacency is which data sets one person tells apart.
type Adjacency string

const (
	AddRemove Adjacency = "add-remove" // the person's rows are there or not
	Replace   Adjacency = "replace"    // the person's rows hold something else
	ZeroOut   Adjacency = "zero-out"   // the person's rows are zeroed out
)

// Neighbours returns the pairs of data sets that differ in the records of one person, who
// has the first group rows; the rows after them are the others', the same in both.
func (a Adjacency) Neighbours(kinds, group int, others []int) (pairs [][2]Data) {
	var rest Data
	for i, kind := range others {
		rest = append(rest, Record{group + i, kind})
	}
	with := func(own []int) (d Data) {
		for row, kind := range own {
			d = append(d, Record{row, kind})
		}
		return append(d, rest...)
	}
	zeroed := make([]int, group)
	for i := range zeroed {
		zeroed[i] = Zero
	}
	for _, own := range words(kinds, group) {
		switch a {
		case AddRemove:
			pairs = append(pairs, [2]Data{with(own), rest})
		case ZeroOut:
			pairs = append(pairs, [2]Data{with(own), with(zeroed)})
		default:
			for _, other := range words(kinds, group) {
				if before(own, other) {
					pairs = append(pairs, [2]Data{with(own), with(other)})
				}
			}
		}
	}
	return pairs
}

// words returns all sequences of the given length.
func words(letters, length int) [][]int {
	list := [][]int{nil}
	for range length {
		var longer [][]int
		for _, w := range list {
			for letter := range letters {
				longer = append(longer, append(append([]int(nil), w...), letter))
			}
		}
		list = longer
	}
	return list
}

func before(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// Universe returns all data sets with at most the given rows, zeroed ones among them if
// asked for: everything a mechanism may be run on, after sampling and cutting too.
func Universe(kinds, rows int, zeroed bool) (all []Data) {
	all = []Data{nil}
	for row := range rows {
		for _, d := range all[:len(all):len(all)] {
			for kind := Zero; kind < kinds; kind++ {
				if kind != Zero || zeroed {
					all = append(all, append(d[:len(d):len(d)], Record{row, kind}))
				}
			}
		}
	}
	return all
}

// Without returns the data set without the record at place i.
func (d Data) Without(i int) Data { return append(append(Data(nil), d[:i]...), d[i+1:]...) }

// With returns the data set with another kind of record at place i.
func (d Data) With(i, kind int) Data {
	out := append(Data(nil), d...)
	out[i].Kind = kind
	return out
}

// Part returns what of the data a branch sees.
func (d Data) Part(sees func(Record) bool) (part Data) {
	for _, r := range d {
		if sees == nil || sees(r) {
			part = append(part, r)
		}
	}
	return part
}
