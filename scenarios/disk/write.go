package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Reasons not to save, to be asked about with [errors.Is].
var (
	// ErrChanged means that the file on disk is no longer the one that was loaded.
	ErrChanged = errors.New("the file changed on disk since it was loaded")
	// ErrExists means that another file is already there.
	ErrExists = errors.New("another file of that name is already there")
	// ErrBusy means that another explorer has been saving into the folder all the time.
	ErrBusy = errors.New("another program is saving into the same folder; try again")
)

// Write makes data the content of the file that a path means, whole or not at all. While it
// works no other explorer writes into the same folder; programs that know nothing of that
// lock are noticed by looking again just before the new file takes the old one's place.
// may is asked each time whether what is there now may be replaced; nil allows everything.
func Write(d Disk, path string, data []byte, may func(target string, current []byte) error) error {
	target, err := Resolve(path)
	if err != nil {
		return fmt.Errorf("%s: %s", path, Reason(err))
	}
	unlock, err := d.Lock(filepath.Dir(target))
	if err != nil {
		return fmt.Errorf("%s could not be saved: %s", path, Reason(err))
	}
	defer unlock()
	check := func() error {
		if may != nil {
			switch current, err := d.ReadFile(target); {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return errors.New(Reason(err))
			default:
				if err := may(target, current); err != nil {
					return err
				}
			}
		}
		if again, err := Resolve(path); err != nil || again != target {
			return ErrChanged
		}
		return nil
	}
	if err := check(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch err := replace(d, target, data, check); {
	case errors.Is(err, ErrChanged), errors.Is(err, ErrExists):
		return fmt.Errorf("%s: %w", path, err)
	case err != nil:
		return fmt.Errorf("%s could not be saved: %s", path, Reason(err))
	}
	return nil
}
