package stand

import (
	"testing"

	"epsiloscope/tui/kit"
)

// A test that names an action must press the key that takes it, and fail where another action would be taken.
func TestKeyOf(t *testing.T) {
	pane := kit.NewTable("pane", kit.Action("pane.add", "a", "add", "Add", nil), kit.Action("pane.end", "end", "", "End", nil))
	screen := kit.NewTable("screen", kit.Action("screen.audit", "a", "audit", "Audit", nil),
		kit.Action("screen.plan", "a p", "plan", "Plan", nil))
	for _, c := range []struct{ name, want string }{
		{"a", "a"}, {"end", "end"}, {"ctrl+d", "ctrl+d"}, {".", "."}, {"pane.add", "a"}, {"screen.plan", "p"},
		{"screen.audit", "refused"}, {"screen.none", "refused"}, {"undo", "refused"},
	} {
		got := func() (got string) {
			defer func() {
				if recover() != nil {
					got = "refused"
				}
			}()
			return KeyOf(c.name, pane, screen)
		}()
		if got != c.want {
			t.Errorf("%s is %q, want %q", c.name, got, c.want)
		}
	}
}
