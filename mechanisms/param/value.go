package param

import "maps"

// Value is one parameter's value.
type Value struct {
	Type   Type
	Number float64 // Number, Whole
	Text   string  // Choice
	Flag   bool    // Flag
	Items  []Item  // Scores, Points
}

// Item is one named score, or one Rényi point (Order, Value).
type Item struct {
	Name  string  // candidate's name; "" in a plain list
	Order float64 // Points only
	Value float64
}

// Values are the parameters as given, by name. Defaults are not filled in.
type Values map[string]Value

func NumberValue(x float64) Value { return Value{Type: Number, Number: x} }

// WholeValue is a whole number; counts reach 1e12 and beyond, hence float64.
func WholeValue(x float64) Value { return Value{Type: Whole, Number: x} }

func ChoiceValue(word string) Value { return Value{Type: Choice, Text: word} }

func FlagValue(on bool) Value { return Value{Type: Flag, Flag: on} }

// ScoresValue is a plain list of scores, without names.
func ScoresValue(scores ...float64) Value {
	items := make([]Item, len(scores))
	for i, s := range scores {
		items[i].Value = s
	}
	return Value{Type: Scores, Items: items}
}

// CandidatesValue is a list of named scores.
func CandidatesValue(items ...Item) Value { return Value{Type: Scores, Items: items} }

func PointsValue(items ...Item) Value { return Value{Type: Points, Items: items} }

func (v Values) Has(name string) bool { _, ok := v[name]; return ok }

// Clone copies the values; the lists inside are shared.
func (v Values) Clone() Values {
	c := make(Values, len(v))
	maps.Copy(c, v)
	return c
}
