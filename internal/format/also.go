package format

import (
	"errors"
	"math"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Also is an entry's claim about add-remove as a file has it: a word, or a mapping with a
// number.
type Also mechanisms.Also

// addRemoveNumber declares the number that an entry may state for add-remove alone.
var addRemoveNumber = param.Param{Name: string(mechanisms.AddRemove), Optional: true, OpenMin: true, Max: math.Inf(1),
	Help: "the number under add-remove, in the unit of the entry's own number"}

var alsoTable = TableOf([]Field[Also]{{Param: addRemoveNumber, Missing: "is missing; " + addRemoveNumber.Requirement(),
	At: func(a *Also) any { return &a.Number }}})

const alsoAllowed = "must be add-remove, or {add-remove: NUMBER} if add-remove has its own number"

func (a *Also) Decode(d *Decoder, _ param.Param, n *yamltree.Node, path string) {
	switch {
	case n.Kind == yamltree.Scalar && n.Text == addRemoveNumber.Name:
		a.AddRemove = true
	case n.Kind == yamltree.Mapping && len(n.Pairs) > 0:
		a.AddRemove = true
		alsoTable.DecodeStrict(d, a, n, path+".", " of also")
	default:
		d.Fail(n, path, alsoAllowed+", got "+n.Describe())
	}
}

func (a *Also) Check(c *Checker, path string) {
	switch {
	case a.Number != 0 && !a.AddRemove:
		c.Add(path, alsoAllowed)
	case a.Number != 0:
		c.Add(path+"."+addRemoveNumber.Name, addRemoveNumber.CheckNumber(a.Number))
	}
}

func (a *Also) Get() (v param.Value, given bool) {
	return param.Value{Type: param.Choice, Text: a.String(), Number: a.Number}, a.AddRemove
}

// Set reads add-remove, add-remove: 0.5 or {add-remove: 0.5}; none takes the claim back.
func (a *Also) Set(_ param.Param, text string) error {
	text = strings.TrimSpace(text)
	if text == "" || text == "none" {
		*a = Also{}
		return nil
	}
	if inside, ok := strings.CutPrefix(text, "{"); ok && strings.HasSuffix(inside, "}") {
		text = strings.TrimSuffix(inside, "}")
	}
	word, number, own := strings.Cut(text, ":")
	if strings.TrimSpace(word) != addRemoveNumber.Name {
		return errors.New(alsoAllowed + ", or none")
	}
	claim := Also{AddRemove: true}
	if own {
		var err error
		if claim.Number, err = parseNumber(addRemoveNumber, number); err != nil {
			return errors.New(err.(*param.Error).Problem)
		}
	}
	*a = claim
	return nil
}

// String returns the claim for people: "add-remove: 0.5", "" if there is none.
func (a *Also) String() string {
	switch {
	case !a.AddRemove:
		return ""
	case a.Number == 0:
		return addRemoveNumber.Name
	}
	return addRemoveNumber.Name + ": " + numeral.Format(a.Number)
}

func (a *Also) Tree(param.Param) (t *yamltree.Node, implied bool) {
	if a.Number != 0 {
		return alsoTable.Tree(a), !a.AddRemove
	}
	if a.AddRemove {
		return yamltree.TextOf(addRemoveNumber.Name), false
	}
	return nil, true
}

func (a *Also) Schema(p param.Param) Object {
	return Object{"description": p.Help, "oneOf": []Object{{"const": addRemoveNumber.Name}, alsoTable.Schema(a)}}
}
