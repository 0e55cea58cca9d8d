package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

// The version is what the build says: a tag, a commit with its date, what a packager set, and "dev" only
// if there is nothing.
func TestVersionOfBuilds(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}, {Key: "vcs.time", Value: "2026-11-17T01:02:03Z"}}
	changed := append(vcs[:2:2], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	module := func(version string, settings []debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: version}, Settings: settings}
	}
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		set  string
		want string
	}{
		{"go install at a tag", module("v1.2.3", nil), "", "v1.2.3"},
		{"a release built from its tag", module("v1.2.3", vcs), "", "v1.2.3 (commit 0123456789ab, 2026-11-17)"},
		{"a commit", module("(devel)", vcs), "", "commit 0123456789ab, 2026-11-17"},
		{"a commit with changes", module("(devel)", changed), "", "commit 0123456789ab+changes, 2026-11-17"},
		{"an archive without history", module("(devel)", nil), "", "dev"},
		{"a packager's archive", module("(devel)", nil), "v1.2.3", "v1.2.3"},
		{"no build information", nil, "", "dev"},
	} {
		if got := readVersion(c.info, c.set).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The command and the flag say the same.
func TestVersionCommand(t *testing.T) {
	for _, args := range [][]string{{"--version"}, {"version"}, {"version", "-o", "json"}} {
		var out, problems strings.Builder
		if status := Main(args, strings.NewReader(""), &out, &problems); status != 0 ||
			!strings.Contains(out.String(), currentVersion().Version) {
			t.Errorf("%v: status %d, %q, %q", args, status, out.String(), problems.String())
		}
	}
}
