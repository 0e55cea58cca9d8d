package ledger

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"epsiloscope/accounting/adaptive"
)

// Amounts are a cost in a file: {"rho":"3750000000000"}, or a list where the filter
// adds up several things, and "delta" where releases have a δ of their own.
type Amounts struct {
	Quantity string
	adaptive.Cost
}

func amounts(f adaptive.Filter, c adaptive.Cost) *Amounts {
	return &Amounts{f.About().Quantity, c}
}

var quantities = []string{"epsilon", "rho", "mu_squared", "renyi", "tickets"}

func (a Amounts) MarshalJSON() ([]byte, error) {
	fields := map[string]any{}
	if len(a.Parts) == 1 {
		fields[a.Quantity] = a.Parts[0].String()
	} else {
		list := make([]string, len(a.Parts))
		for i, p := range a.Parts {
			list[i] = p.String()
		}
		fields[a.Quantity] = list
	}
	if a.Failures != nil && a.Failures.Sign() != 0 {
		fields["delta"] = a.Failures.String()
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
			a.Failures, err = wholeOf(raw)
		case slices.Contains(quantities, name) && a.Quantity == "":
			a.Quantity = name
			a.Parts, err = wholesOf(raw)
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
	return nil
}

func wholesOf(raw json.RawMessage) ([]*big.Int, error) {
	if len(raw) > 0 && raw[0] != '[' {
		n, err := wholeOf(raw)
		return []*big.Int{n}, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	numbers := make([]*big.Int, len(list))
	for i := range list {
		var err error
		if numbers[i], err = wholeOf(list[i]); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

func wholeOf(raw json.RawMessage) (*big.Int, error) {
	if len(raw) < 3 || raw[0] != '"' || len(raw) > 200 {
		return nil, fmt.Errorf("a cost must be a whole number in quotes")
	}
	digits := string(raw[1 : len(raw)-1])
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok || strings.Trim(digits, "0123456789") != "" {
		return nil, fmt.Errorf("a cost must be a whole number of at least 0, not %s", raw)
	}
	return n, nil
}

// number writes an amount for a reader that takes decimals.
func number(f adaptive.Filter, amount *big.Int) json.Number {
	return json.Number(adaptive.Decimal(amount, f.About().Unit))
}
