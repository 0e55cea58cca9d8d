package disk

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// FollowDelay is the time for which a file must be left alone before a save is reported: editors write in
// several steps. A file that is never left alone is reported after the maxFollowDelay wait.
const (
	FollowDelay    = 100 * time.Millisecond
	maxFollowDelay = time.Second
)

// Follow reports every save of a file until the context ends. It watches the folder, not the file:
// editors that write a new file and rename it over the old one would otherwise be lost after the
// first save. A link's target is watched too. Saves that were not received yet are merged into
// one.
func Follow(ctx context.Context, path string) (<-chan struct{}, error) {
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
		quiet := time.NewTimer(FollowDelay)
		quiet.Stop()
		var since time.Time // the first change not reported yet
		changed := func() {
			if since.IsZero() {
				since = time.Now()
			}
			if time.Since(since) < maxFollowDelay {
				quiet.Reset(FollowDelay)
			}
		}
		for {
			select {
			case <-ctx.Done():
				return
			case e, ok := <-watcher.Events:
				if !ok {
					return
				}
				if names[filepath.Clean(e.Name)] && !e.Has(fsnotify.Chmod) {
					changed()
				}
			case _, ok := <-watcher.Errors:
				if !ok {
					return
				}
				changed() // events may be lost: look again
			case <-quiet.C:
				since = time.Time{}
				select {
				case saves <- struct{}{}:
				default:
				}
			}
		}
	}()
	return saves, nil
}
