package tui

import (
	"errors"
	"testing"
)

// A key of the configuration does what the action it names does, the foot shows it, and what is wrong is said while all
// keys keep their meaning.
func TestConfiguredKeys(t *testing.T) {
	a := start(t, 120, 36, setup{})
	before := len(a.Doc.Scenario().Stack)
	a.useKeys(map[string]string{"ctrl+d": "stack.drop", "x": "stack.add"}, "config.yaml")
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
	if !onScreen(a, `config.yaml: keys: ctrl+d: no action is called "nothing"`) {
		t.Errorf("it is not said: %q", a.Status.Text)
	}
}

// Of two actions with the same key only the one that is named is moved; where it is not on the screen the key says so,
// and does nothing else.
func TestConfiguredKeyMeansOneAction(t *testing.T) {
	a := start(t, 120, 36, setup{})
	a.useKeys(map[string]string{"f5": "plan.lock", "f6": "screen.plan", "f7": "tour", "f8": "tour.next"}, "config.yaml")
	version, marks := a.Doc.Version(), a.Doc.Marks()
	if press(a, "f5"); a.Doc.Version() != version || a.Doc.Marks() != marks || !onScreen(a, "f5 is plan.lock, which is not on this screen") {
		t.Errorf("it marks an entry, as space does here, or does not say why not: %q", a.Status.Text)
	}
	if press(a, "f6", "tab", "f5"); !onScreen(a, "= counts") && !onScreen(a, "locked") {
		t.Errorf("f6 and f5 do not lock on the plan:\n%s", plainView(a))
	}
	press(a, "0", "f7", "f8")
	if !onScreen(a, "Tour 2/") {
		t.Errorf("an action without a key cannot be given one:\n%s", plainView(a))
	}
}

// What else is wrong with the configuration is said beside a key that is.
func TestEveryProblemOfTheConfigurationIsSaid(t *testing.T) {
	a := start(t, 120, 36, setup{})
	a.opt.notice = errors.New("config.yaml:1:1: thme: unknown field; the rest of the configuration holds")
	a.useKeys(map[string]string{"ctrl+d": "x"}, "config.yaml")
	if !onScreen(a, "thme: unknown field") || !onScreen(a, `no action is called "x"`) || !onScreen(a, "stack.drop") {
		t.Errorf("%q", a.Status.Text)
	}
}
