package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"epsiloscope/accounting/adaptive"
)

// Amounts is a cost as the file has it: {"rho":"3750000000000"}, with a list in place of the number if the filter adds
// up several quantities, with "delta" if releases have a δ of their own, and with "rounding" if rounding up to a
// whole unit has added a part of one: a third of ε is {"epsilon":"333333333333334","rounding":"2/3"}.
type Amounts struct {
	Quantity string
	adaptive.Cost
}

func amounts(f adaptive.Filter, c adaptive.Cost) *Amounts {
	return &Amounts{f.Describe().Quantity, c}
}

var quantities = []string{"epsilon", "rho", "mu_squared", "renyi", "tickets"}

func (a Amounts) MarshalJSON() ([]byte, error) {
	fields := map[string]any{}
	list := make([]string, len(a.Parts))
	for i, p := range a.Parts {
		list[i] = p.String()
	}
	if fields[a.Quantity] = list; len(list) == 1 {
		fields[a.Quantity] = list[0]
	}
	if a.Failures != nil && a.Failures.Sign() != 0 {
		fields["delta"] = a.Failures.String()
	}
	if a.Rounding != nil {
		fields["rounding"] = a.Rounding.String()
	}
	return json.Marshal(fields)
}

func (a *Amounts) UnmarshalJSON(data []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	a.Failures = new(big.Int)
	for name, raw := range fields {
		var err error
		switch {
		case name == "delta":
			var failures []*big.Int
			if failures, err = parseWholes(raw); err == nil && len(failures) != 1 {
				err = errors.New("a cost has one δ")
			} else if err == nil {
				a.Failures = failures[0]
			}
		case name == "rounding":
			var text string
			if err = json.Unmarshal(raw, &text); err == nil {
				a.Rounding, err = parseRounding(text)
			}
		case slices.Contains(quantities, name) && a.Quantity == "":
			a.Quantity = name
			a.Parts, err = parseWholes(raw)
		default:
			err = fmt.Errorf("a cost cannot be in %q", name)
		}
		if err != nil {
			return err
		}
	}
	if a.Quantity == "" {
		return fmt.Errorf("a cost without a quantity")
	}
	return a.checkRounding()
}

// checkRounding refuses a rounding of what is never rounded so, or of nothing.
func (a *Amounts) checkRounding() error {
	if a.Rounding != nil && (a.Quantity != "epsilon" || len(a.Parts) != 1 || a.Parts[0].Sign() == 0) {
		return errors.New("only a cost in epsilon has a rounding")
	}
	return nil
}

// parseRounding reads a part of a unit, above 0 and below 1: a fraction in lowest terms.
func parseRounding(text string) (*big.Rat, error) {
	if !strings.Contains(text, "/") || strings.Trim(text, "0123456789/") != "" || len(text) > 320 {
		return nil, errors.New("a rounding must be a fraction of two whole numbers")
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || r.Sign() <= 0 || r.Cmp(big.NewRat(1, 1)) >= 0 || r.String() != text {
		return nil, errors.New("a rounding must lie above 0 and below 1, in lowest terms")
	}
	return r, nil
}

// parseWholes reads one whole number in quotes, or a list of them.
func parseWholes(raw json.RawMessage) (numbers []*big.Int, err error) {
	list := make([]string, 1)
	if bytes.HasPrefix(raw, []byte("[")) {
		err = json.Unmarshal(raw, &list)
	} else {
		err = json.Unmarshal(raw, &list[0])
	}
	if err != nil {
		return nil, fmt.Errorf("a cost must be a whole number in quotes")
	}
	for _, digits := range list {
		n, ok := new(big.Int).SetString(digits, 10)
		if !ok || strings.Trim(digits, "0123456789") != "" || len(digits) > 200 {
			return nil, fmt.Errorf("a cost must be a whole number of at least 0, not %s", raw)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// number returns an amount as a decimal number for JSON.
func number(f adaptive.Filter, amount *big.Int) json.Number {
	return json.Number(adaptive.Decimal(amount, f.Describe().Unit))
}
