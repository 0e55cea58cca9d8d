package plain

import (
	"cmp"
	"errors"
	"strings"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
	"epsiloscope/tui/document"
)

// open reads another scenario, a file or a bundled one.
func (s *session) open() error {
	if lose, err := s.mayLose("Open another scenario without saving?"); err != nil || !lose {
		return err
	}
	name, err := s.ask("Which file or bundled scenario?", "welcome")
	if err != nil {
		return err
	}
	if name == "-" {
		return errors.New("standard input has the answers; give a file or a name")
	}
	opened, err := scenarios.LoadNamed(name, strings.NewReader(""))
	if err != nil {
		return err
	}
	s.doc = document.New(opened)
	s.doc.Path = opened.Path()
	return s.show()
}

// mayLose asks whether changes may be lost; it returns true if there are none.
func (s *session) mayLose(question string) (bool, error) {
	if !s.doc.Dirty() {
		return true, nil
	}
	return s.confirm("There are changes that are not saved. "+question, false)
}

// save writes the scenario to a file. What is there already is replaced only after a question.
func (s *session) save() error {
	path, err := s.ask("Which file?", cmp.Or(s.doc.Path, "plan.yaml"))
	if err != nil {
		return err
	}
	copied, version := s.doc.ForSaving(), s.doc.Version()
	err = copied.Save(path)
	if errors.Is(err, disk.ErrExists) || errors.Is(err, disk.ErrChanged) {
		s.complain(err)
		replace, asked := s.confirm("Replace what is in that file?", false)
		if asked != nil {
			return asked
		}
		if !replace {
			return errors.New("nothing was saved")
		}
		err = copied.SaveForce(path)
	}
	if err != nil {
		return err
	}
	s.doc.MarkSaved(copied, path, version)
	s.say("Saved to %s.", path)
	return nil
}

func (s *session) quit() error {
	leave, err := s.mayLose("Leave without saving?")
	if err != nil {
		return err
	}
	if !leave {
		return nil
	}
	return errQuit
}
