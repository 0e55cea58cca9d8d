package interop

import (
	"fmt"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

type writer struct {
	name, about string
	write       func(*scenarios.Scenario) ([]byte, error)
}

var writers = []writer{
	{"dp-accounting", "Python that rebuilds the stack as a DpEvent and prints its ε", writeDpEvent},
	{"opacus", "accountant state as JSON", writeOpacus},
	{"opendp", "serialized measurement as JSON", writeOpenDP},
}

// ExportFormats lists the export formats with one line on each.
func ExportFormats() (names, about []string) {
	for _, w := range writers {
		names, about = append(names, w.name), append(about, w.about)
	}
	return names, about
}

// Export writes the scenario in the named format. It fails, naming every entry, if
// the other tool has no place for one: a record that leaves a release out would
// promise too much.
func Export(format string, s *scenarios.Scenario) ([]byte, error) {
	for _, w := range writers {
		if w.name == format {
			if s.Group > 1 {
				return nil, fmt.Errorf("%s: group %s has no place in the export; set group to 1 and convert the result", format, mechanisms.FormatNumber(s.Group))
			}
			out, err := w.write(s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", format, err)
			}
			return out, nil
		}
	}
	names, _ := ExportFormats()
	return nil, fmt.Errorf("unknown export format %q; known: %s", format, strings.Join(names, ", "))
}

// mechanism builds the entry's mechanism; a parallel block has none. A training comes
// with its rate and its steps, if its batches are Poisson samples: no peer's format says
// how others were drawn.
func mechanism(s *scenarios.Scenario, e scenarios.Entry) (mechanisms.Mechanism, error) {
	if e.Parallel != nil {
		return nil, nil
	}
	m, err := mechanisms.New(e.Mechanism, e.Values)
	training, is := m.(mechanisms.DPSGD)
	switch {
	case err != nil || !is:
		return m, err
	case training.Batches != mechanisms.Poisson:
		return nil, nil
	}
	return training.Of(s.Records)
}

// refusal words what could not be written, or is nil.
func refusal(why string, refused []string) error {
	if len(refused) == 0 {
		return nil
	}
	return fmt.Errorf("%s; not expressible: %s", why, strings.Join(refused, "; "))
}

// oneLine keeps a user's text from leaving its comment.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)), " ")
}
