package scenarios

import (
	"cmp"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms/param"
)

// checkRecords finds entries that count more records than the data has.
func (s *Scenario) checkRecords(c *format.Checker, path string, list []Entry) {
	for i := range list {
		e, at := &list[i], format.WithIndex(path, i)
		if e.Disabled {
			continue
		}
		for j, branch := range e.Parallel {
			s.checkRecords(c, format.WithIndex(at+".parallel", j), branch)
		}
		if p := s.recordsProblem(e); p != nil {
			c.Add(at+"."+p.Param, p.Problem)
		}
	}
}

// recordsProblem refuses an entry that counts more records than the data has: a sampling rate, a crowd or a
// sensitivity that follows from them would be that of other data, and its ε too small. A request that a ledger has
// granted is not refused afterwards.
func (s *Scenario) recordsProblem(e *Entry) *param.Error {
	most := cmp.Or(s.Records, s.wholeRecords)
	if most == 0 || s.granted || e.Parallel != nil {
		return nil
	}
	spec := e.Spec()
	field, n := spec.Records, e.Values[spec.Records].Number
	if e.Query.People > most {
		field, n = "query.people", e.Query.People
	}
	if n <= most {
		return nil
	}
	return param.Errorf(field, "must be at most the number of records that the data has, %s (records of the scenario), got %s",
		numeral.Format(most), numeral.Format(n))
}
