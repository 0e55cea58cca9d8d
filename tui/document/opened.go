package document

import "epsiloscope/scenarios"

// Opened is the state the file holds or, if no file does, the first one that can
// still be undone to; nil if the document has no past.
func (d *Document) Opened() *scenarios.Scenario {
	switch {
	case d.saved != nil:
		return d.saved
	case len(d.past) > 0:
		return d.past[0].scenario
	}
	return nil
}
