package interop

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// readCSV reads rows of mechanism, epsilon, delta, count. The header names the
// columns, in any order; any parameter of a mechanism may be a column (sigma,
// scale, rho, …), and label too. An empty cell is not given.
func readCSV(data []byte) (*Record, error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), "\ufeff")))
	r.TrimLeadingSpace = true
	r.Comment = '#'
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("line 1: expected a header such as mechanism,epsilon,delta,count")
	}
	for i := range header {
		header[i] = strings.ToLower(strings.TrimSpace(header[i]))
	}
	rec := record("CSV")
	stated := 0.0
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var pe *csv.ParseError
			if errors.As(err, &pe) {
				return nil, fmt.Errorf("line %d: the number of fields or the quotes do not match the header", pe.Line)
			}
			return nil, err
		}
		line, _ := r.FieldPos(0)
		e, err := csvEntry(header, row)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if e.Mechanism == "approximate" {
			stated += e.Count * e.Values["delta"].Number
		}
		rec.add(e)
	}
	rec.noDelta()
	if stated > rec.Scenario.Budget.Delta && stated < 0.5 {
		rec.Scenario.Budget.Delta = stated
		rec.Remarks = []string{fmt.Sprintf("the stated δ's add up to %s, which became the total δ", mechanisms.FormatNumber(stated))}
	}
	return rec, nil
}

func csvEntry(header, row []string) (scenarios.Entry, error) {
	cells := map[string]string{}
	for i, name := range header {
		if cell := strings.TrimSpace(row[i]); cell != "" {
			cells[name] = strings.TrimPrefix(cell, "'") // our own export quotes = + - @
		}
	}
	name := cells["mechanism"]
	delete(cells, "mechanism")
	if name == "" {
		name = "pure"
		if d := cells["delta"]; d != "" && d != "0" {
			name = "approximate"
		}
	}
	spec, ok := mechanisms.Lookup(name)
	if !ok {
		return scenarios.Entry{}, errors.New(mechanisms.UnknownMechanism(name))
	}
	if _, has := spec.Param("delta"); !has {
		if d := cells["delta"]; d != "" {
			if x, err := strconv.ParseFloat(d, 64); err != nil || x != 0 {
				return scenarios.Entry{}, fmt.Errorf("delta: %s has no δ of its own", name)
			}
			delete(cells, "delta")
		}
	}
	e := scenarios.Entry{Mechanism: name, Count: 1, Sampling: 1, Values: mechanisms.Values{}, Label: cells["label"]}
	delete(cells, "label")
	if c, ok := cells["count"]; ok {
		x, err := strconv.ParseFloat(c, 64)
		if err != nil {
			return e, fmt.Errorf("count: %q is not a number", c)
		}
		if err := wholeCount("count", x); err != nil {
			return e, err
		}
		e.Count = x
		delete(cells, "count")
	}
	for _, field := range sortedKeys(cells) {
		v, err := csvValue(spec, field, cells[field])
		if err != nil {
			return e, err
		}
		e.Values[field] = v
	}
	if wrong := mechanisms.Check(spec, e.Values); len(wrong) > 0 {
		return e, wrong[0]
	}
	return e, nil
}

// csvValue reads one cell as the parameter it stands for.
func csvValue(spec mechanisms.Spec, field, cell string) (mechanisms.Value, error) {
	p, ok := spec.Param(field)
	if !ok {
		return mechanisms.Value{}, fmt.Errorf("%s: %s", field, spec.UnknownField(field, "count", "label"))
	}
	switch p.Type {
	case mechanisms.Number, mechanisms.Whole:
		x, err := mechanisms.ParseNumber(cell)
		if err != nil {
			return mechanisms.Value{}, fmt.Errorf("%s: %w", field, err)
		}
		return mechanisms.Value{Type: p.Type, Number: x}, nil
	case mechanisms.Choice:
		return mechanisms.ChoiceValue(cell), nil
	case mechanisms.Flag:
		on, err := strconv.ParseBool(cell)
		if err != nil {
			return mechanisms.Value{}, fmt.Errorf("%s: must be true or false, got %q", field, cell)
		}
		return mechanisms.FlagValue(on), nil
	}
	return mechanisms.Value{}, fmt.Errorf("%s: a list does not fit into a table cell", field)
}
