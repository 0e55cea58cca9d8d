package tui_test

import (
	"fmt"
	"path/filepath"
	"strings"

	"epsiloscope/tui"
)

func ExamplePaths() {
	at := tui.Paths(func(name string) string { return map[string]string{"HOME": "/home/ada"}[name] })
	fmt.Println(filepath.ToSlash(at.Recovery))
	// Output: /home/ada/.local/state/epsiloscope/recovery
}

func ExampleKeysMarkdown() {
	fmt.Println(strings.Split(tui.KeysMarkdown(), "\n")[0])
	// Output: # Keys
}
