package review

import (
	"fmt"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/query"
	"epsiloscope/scenarios"
)

// What the points ask of an entry.

// statedKinds are guarantees without a mechanism: the file states the number itself.
var statedKinds = map[string]bool{"pure": true, "approximate": true, "zcdp": true, "rdp": true}

// trainingKinds are mechanisms that fit a model, of which one run among several may have been kept.
var trainingKinds = map[string]bool{"dp-sgd": true, "matrix": true, "output-perturbation": true, "objective-perturbation": true}

// choosingKinds are mechanisms that choose groups or candidates privately.
var choosingKinds = map[string]bool{"partition-selection": true, "exponential": true, "noisy-max": true, "above-threshold": true, "sparse-vector": true,
	"frequency": true, "select": true}

func isStated(e *scenarios.Entry) bool { return statedKinds[e.Mechanism] }

// isLocal reports whether people randomise their own records: a report each.
func isLocal(e *scenarios.Entry) bool {
	spec, _ := mechanisms.Lookup(e.Mechanism)
	return spec.Local || e.Mechanism == "shuffle"
}

func isTraining(e *scenarios.Entry) bool { return trainingKinds[e.Mechanism] }

// hasSensitivity reports whether an entry has a Δ; stated tells whether the file gives it.
func hasSensitivity(e *scenarios.Entry) (has, stated bool) {
	if e.Parallel != nil || isLocal(e) {
		return false, false
	}
	spec := e.Spec()
	p, has := spec.ParamOrRun("sensitivity")
	return has, has && e.Values.Has(p.Name)
}

// halveNoiseOf halves the noise of the entries for which which reports true, which is what a Δ twice as large means:
// the noise is as it is, and one record moves the answer twice as far.
func halveNoiseOf(s *scenarios.Scenario, which func(*scenarios.Entry) bool) (err error) {
	s.Stack, err = scenarios.Map(s.Stack, func(e *scenarios.Entry) error {
		if e.Parallel != nil || !which(e) {
			return nil
		}
		field, x, ok, err := mechanisms.ScaleNoise(e.Mechanism, e.Values, 0.5)
		if err != nil || !ok {
			return err
		}
		e.Values = e.Values.Clone()
		return e.SetNumber(field, x)
	})
	return err
}

// halveNoise halves the noise of every entry whose stated Δ, or whose stated guarantee, is for adding or removing a
// record: replacing one is a removal and an addition. The Δ of a query follows the adjacency by itself.
func halveNoise(s *scenarios.Scenario) error {
	return halveNoiseOf(s, func(e *scenarios.Entry) bool {
		has, _ := hasSensitivity(e)
		return (has || isStated(e)) && !e.Query.IsSet()
	})
}

// boundsContributions reports whether an entry bounds what one unit contributes: its query does, or it keeps a limited
// number of groups per person.
func boundsContributions(e *scenarios.Entry) bool {
	q := e.Query
	switch {
	case e.Mechanism == "partition-selection":
		return true
	case !q.IsSet():
		return false
	case q.Kind == query.People || q.Kind == query.Mean || q.Kind == query.Vector:
		return true // one number, or one value, per person
	default:
		return q.MaxGroups > 0 || q.PerGroup > 0 || q.Total > 0
	}
}

// contradictingBounds makes the point if one entry keeps more groups of one unit than another, and reports whether it
// does.
func (f *referee) contradictingBounds(p *Point) bool {
	for _, a := range f.items {
		if a.e.Mechanism != "partition-selection" {
			continue
		}
		kept := 1.0
		if v, given := a.e.Values["partitions"]; given {
			kept = v.Number
		}
		for _, b := range f.items {
			if b.e.Query.MaxGroups > kept {
				p.Sign, p.Entries, p.Field = Wrong, indicesOf([]item{a, b}), a.path+".partitions"
				p.Says = fmt.Sprintf("%s groups and %s groups", numeral.Format(kept), numeral.Format(b.e.Query.MaxGroups))
				p.Text = fmt.Sprintf("%s keeps %s of a person, and %s keeps %s: one of the two is not what is done.", upperFirst(a.name()),
					numeral.Plural(int(kept), "group", "groups"), b.name(), numeral.Plural(int(b.e.Query.MaxGroups), "group", "groups"))
				p.Answers = []string{"partitions: " + numeral.Format(b.e.Query.MaxGroups) + " (in the entry)"}
				return true
			}
		}
	}
	return false
}
