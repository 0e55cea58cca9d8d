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

// recover opens unsaved work that an earlier run left, or discards it.
func (s *session) recover() error {
	lost := s.Store.ListRecoverable()
	if len(lost) == 0 {
		return errors.New("there is no unsaved work of an earlier run")
	}
	if lose, err := s.mayLose("Open other work without saving?"); err != nil || !lose {
		return err
	}
	work := lost[0]
	s.say("Unsaved work on %s, kept in %s.", cmp.Or(work.Path, "a scenario without a file"), work.File)
	do, err := s.choose("What is to be done with it?", []string{"open", "discard"}, "open")
	if err != nil {
		return err
	}
	if do == "discard" {
		if err := work.Discard(); err != nil {
			return err
		}
		s.say("Discarded.")
		return nil
	}
	opened, err := scenarios.Parse(work.File, work.Data)
	if err != nil {
		return err
	}
	if err := s.Store.Backup(s, work.Path, work.Data); err != nil { // before the old copy goes
		return err
	}
	s.doc = document.Recover(opened)
	s.doc.Path = work.Path
	if err := work.Discard(); err != nil {
		return err
	}
	return s.show()
}

// mayLose asks whether changes may be lost; it returns true if there are none.
func (s *session) mayLose(question string) (bool, error) {
	if !s.doc.Dirty() {
		return true, nil
	}
	return s.confirm("There are changes that are not saved. " + question)
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
		replace, asked := s.confirm("Replace what is in that file?")
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
	s.Store.Forget()
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
	s.Store.Forget()
	return errQuit
}
