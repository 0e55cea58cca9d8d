package cli

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a file must be left alone before it is read: editors write in
// several steps.
const settle = 100 * time.Millisecond

// watchFile tells of every save of a file until the context ends. It watches the
// folder, not the file: editors that write a new file and rename it over the old one
// would otherwise be lost after the first save. A link's target is watched too.
// Saves that nobody has taken yet are one.
func watchFile(ctx context.Context, path string) (<-chan struct{}, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{filepath.Clean(path): true}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		names[filepath.Clean(target)] = true
	}
	for name := range names {
		if err := watcher.Add(filepath.Dir(name)); err != nil {
			watcher.Close()
			return nil, err
		}
	}
	saves := make(chan struct{}, 1)
	go func() {
		defer watcher.Close()
		quiet := time.NewTimer(settle)
		quiet.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case e, ok := <-watcher.Events:
				if !ok {
					return
				}
				if names[filepath.Clean(e.Name)] && !e.Has(fsnotify.Chmod) {
					quiet.Reset(settle)
				}
			case _, ok := <-watcher.Errors:
				if !ok {
					return
				}
				quiet.Reset(settle) // events may be lost: look again
			case <-quiet.C:
				select {
				case saves <- struct{}{}:
				default:
				}
			}
		}
	}()
	return saves, nil
}
