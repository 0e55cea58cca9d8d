package cli

import (
	"cmp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/report"
)

// Version names the build if it cannot be read from the build information: a
// packager who builds from an archive without its history sets main.version.
var Version string

// buildVersion describes the program's build; an unknown field is empty.
type buildVersion struct {
	Version string `json:"version"` // a tag, a pseudo-version, or "dev"
	Commit  string `json:"commit"`
	Date    string `json:"date"` // of the commit, as YYYY-MM-DD
	Go      string `json:"go"`
}

// readVersion reads a build's version from its build information. set, if it is not empty, is used in
// place of the module's version.
func readVersion(info *debug.BuildInfo, set string) buildVersion {
	v := buildVersion{Version: set}
	if info == nil {
		v.Version = cmp.Or(v.Version, "dev")
		return v
	}
	v.Go = info.GoVersion
	modified := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value[:min(len(s.Value), 12)]
		case "vcs.time":
			v.Date, _, _ = strings.Cut(s.Value, "T")
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if modified && v.Commit != "" {
		v.Commit += "+changes"
	}
	if module := info.Main.Version; module != "(devel)" {
		v.Version = cmp.Or(v.Version, module)
	}
	if v.Version == "" && v.Commit == "" {
		v.Version = "dev"
	}
	return v
}

// String returns the version in one line, as --version prints it after the program's name.
func (v buildVersion) String() string {
	var about []string
	if v.Commit != "" {
		about = append(about, "commit "+v.Commit)
	}
	if v.Date != "" {
		about = append(about, v.Date)
	}
	rest := strings.Join(about, ", ")
	switch {
	case v.Version == "":
		return rest
	case rest == "":
		return v.Version
	}
	return v.Version + " (" + rest + ")"
}

// currentVersion returns the version of the running program.
func currentVersion() buildVersion {
	info, _ := debug.ReadBuildInfo()
	return readVersion(info, Version)
}

func (a *app) versionCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:   "version",
		Short: "the version of this program",
		Long: `The version of this program: its tag, or the commit it was built from and that
commit's date; "dev" if the build has neither.`,
	}, []string{asTable, asJSON}, func(c *call) (output, error) {
		v := currentVersion()
		return facts{[]report.Line{{Name: "epsiloscope", Text: cmp.Or(v.Version, "dev")}, {Name: "commit", Text: v.Commit},
			{Name: "date", Text: v.Date}, {Name: "go", Text: v.Go}}, v}, nil
	})
}
