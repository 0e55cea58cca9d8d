package tui

import "testing"

// A key of the configuration does what the key it stands for does, the foot shows it, and what is wrong is said while all keys keep
// their meaning.
func TestConfiguredKeys(t *testing.T) {
	a := start(t, 120, 36, setup{})
	before := len(a.Doc.Scenario().Stack)
	a.useKeys(map[string]string{"ctrl+d": "x", "x": "a"}, "config.yaml")
	if press(a, "ctrl+d"); len(a.Doc.Scenario().Stack) != before-1 || !onScreen(a, "ctrl+d drop") {
		t.Errorf("%d entries of %d are left", len(a.Doc.Scenario().Stack), before)
	}
	if press(a, "x"); len(a.Dialogs) != 1 {
		t.Error("x does not add")
	}
	press(a, "esc")
	a = start(t, 120, 36, setup{})
	a.useKeys(map[string]string{"ctrl+d": "nothing"}, "config.yaml")
	if press(a, "ctrl+d"); len(a.Doc.Scenario().Stack) != before || len(a.Keymap) > 0 {
		t.Error("a key that was refused acts")
	}
	a.useKeys(map[string]string{"ctrl+d": "nothing"}, "config.yaml")
	if !onScreen(a, `config.yaml: keys: ctrl+d: no action has the key "nothing"`) {
		t.Errorf("it is not said: %q", a.Status.Text)
	}
}
