package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "the manual page",
		Example: "  epsiloscope man > epsiloscope.1",
		Hidden:  true,
		Args:    arguments(0, 0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return writeManual(a.stdout, cmd.Root()) },
	}
}

// writeManual writes one page for the whole program, made from its commands. It
// bears no date and no version, so that the page changes only when they do.
//
// Cobra's own generator (cobra/doc) was tried in its place. It writes 39 pages, one a
// command, which an installation by hand would have to put into place one by one, with the
// date and "[=false]" behind every switch, without exit status and environment, by way of
// Markdown and three more modules.
func writeManual(w io.Writer, root *cobra.Command) error {
	m := &manual{}
	m.line(".TH EPSILOSCOPE 1")
	m.section("NAME")
	m.text("epsiloscope - " + root.Short)
	m.section("SYNOPSIS")
	m.line(".B epsiloscope")
	m.text("[FILE|NAME]")
	m.line(".br")
	m.line(".B epsiloscope")
	m.text("COMMAND [ARGUMENTS] [OPTIONS]")
	m.section("DESCRIPTION")
	m.text(root.Long)
	m.options(root)
	m.section("COMMANDS")
	m.commands(root)
	m.section("EXIT STATUS")
	for _, s := range [][2]string{
		{"0", "Done."}, {"1", "A budget given with --check is exceeded, or a ledger refuses."},
		{"2", "The input is wrong; the message names file, line and field."}, {"3", "Anything else."},
	} {
		m.item(s[0], s[1])
	}
	m.section("ENVIRONMENT")
	m.item("NO_COLOR", "If set, the explorer uses no colours.")
	m.section("FILES")
	m.text(`"epsiloscope paths" lists where configuration, state and recovery files are.`)
	_, err := io.WriteString(w, m.String())
	return err
}

// manual collects a page in the man macros of roff.
type manual struct{ strings.Builder }

func (m *manual) line(text string) { m.WriteString(text + "\n") }

func (m *manual) section(title string) { m.line(".SH " + title) }

// text writes running text; what is indented stays as it is.
func (m *manual) text(text string) {
	verbatim := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		switch {
		case indented && !verbatim:
			m.line(".nf")
		case !indented && verbatim:
			m.line(".fi")
		}
		verbatim = indented
		if line == "" {
			m.line(".PP")
		} else {
			m.line(roff(line))
		}
	}
	if verbatim {
		m.line(".fi")
	}
}

func (m *manual) item(term, text string) {
	m.line(".TP")
	m.line(".B " + roff(term))
	m.text(text)
}

// commands writes every command that can be seen, and those below it.
func (m *manual) commands(parent *cobra.Command) {
	for _, c := range parent.Commands() {
		if c.Hidden {
			continue
		}
		if c.HasSubCommands() {
			m.commands(c)
			continue
		}
		path := strings.TrimPrefix(c.CommandPath(), "epsiloscope ")
		_, arguments, _ := strings.Cut(c.Use, " ")
		m.line(".SS " + roff(strings.TrimSpace(path+" "+arguments)))
		about := c.Long
		if about == "" {
			about = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
		}
		m.text(about)
		m.options(c)
		if c.Example != "" {
			m.line(".PP")
			m.text(c.Example)
		}
	}
}

func (m *manual) options(c *cobra.Command) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		term, help := flagTerm(f)
		m.item(term, strings.ToUpper(help[:1])+help[1:]+".")
	})
}

// roff keeps text from being read as a request or an escape.
func roff(text string) string {
	text = strings.ReplaceAll(text, `\`, `\e`)
	text = strings.ReplaceAll(text, "-", `\-`)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
