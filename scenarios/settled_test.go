package scenarios

import (
	"context"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios/disk"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A file that is written in two halves over and over is read whole or not at all.
func TestLoadSettled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only time tells here, and a busy machine may make a writer wait for longer")
	}
	path := filepath.Join(t.TempDir(), "plan.yaml")
	whole := version(39)
	ctx, cancel := context.WithCancel(context.Background())
	begun, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		defer cancel()
		for i := range gauge.Cases(300, 1000) {
			f, err := os.Create(path)
			if err != nil {
				ended <- err
				return
			}
			f.WriteString(whole[:len(whole)/2]) // ends within a comment: a scenario of half as many entries
			if i == 0 {
				close(begun)
			}
			f.WriteString(whole[len(whole)/2:])
			f.Close()
		}
		ended <- nil
	}()
	<-begun
	for ctx.Err() == nil {
		s, err := LoadSettled(ctx, path)
		switch {
		case errors.Is(err, disk.ErrUnsettled), errors.Is(err, context.Canceled):
		case err != nil:
			t.Fatal(err)
		case len(s.Stack) != 39:
			t.Fatalf("half a file was taken for a whole one: %d entries", len(s.Stack))
		}
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if s, err := LoadSettled(context.Background(), path); err != nil || len(s.Stack) != 39 {
		t.Errorf("left alone, the file is not read: %v", err)
	}
}

// What is wrong with a file that nobody writes is said at once, as by Load.
func TestLoadSettledErrors(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // nothing may wait
	for name, text := range map[string]string{"bad.yaml": "version: 7\n", "large.yaml": strings.Repeat("#", 5<<20)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		_, err := LoadSettled(ctx, path)
		_, want := Load(path)
		if err == nil || want == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if _, err := LoadSettled(ctx, filepath.Join(dir, "gone")); err == nil || !strings.HasSuffix(err.Error(), "no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
	path := filepath.Join(dir, "ahead.yaml")
	if err := os.WriteFile(path, []byte(version(1)), 0o600); err != nil {
		t.Fatal(err)
	}
	ahead := time.Now().Add(time.Hour) // by the clock of another machine
	if err := os.Chtimes(path, ahead, ahead); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadSettled(context.Background(), path); err != nil {
		t.Errorf("a file from the future: %v", err)
	}
}
