package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"epsiloscope/report"
)

func (a *app) manCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{Use: "man", Short: "the manual page", Example: "  epsiloscope man > epsiloscope.1", Hidden: true}, document,
		func(c *call) (output, error) {
			return text(manual(c.cmd.Root())), nil
		})
}

// manual returns one page for the whole program, made from its commands. It
// bears no date and no version, so that the page changes only when they do.
//
// Cobra's own generator (cobra/doc) was tried in its place. It writes 39 pages, one a
// command, which an installation by hand would have to put into place one by one, with the
// date and "[=false]" behind every switch, without exit status and environment, by way of
// Markdown and three more modules.
//
// It is written by hand and not by text/template, which would keep the linker from leaving
// out methods that are never called: some 4 MB.
func manual(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(".TH EPSILOSCOPE 1\n.SH NAME\n" + running("epsiloscope - "+root.Short))
	b.WriteString(".SH SYNOPSIS\n.B epsiloscope\n[FILE|NAME]\n.br\n.B epsiloscope\nCOMMAND [ARGUMENTS] [OPTIONS]\n")
	b.WriteString(".SH DESCRIPTION\n" + running(root.Long) + optionList(root) + ".SH COMMANDS\n")
	for _, c := range leaves(root) {
		b.WriteString(".SS " + roff(synopsis(c)) + "\n" +
			running(cmp.Or(c.Long, report.UpperFirst(c.Short)+".")) + optionList(c))
		if c.Example != "" {
			b.WriteString(".PP\n" + running(c.Example))
		}
	}
	b.WriteString(".SH EXIT STATUS\n.TP\n.B 0\nDone.\n.TP\n.B 1\n" +
		running("A budget given with --check is exceeded, or a ledger refuses.") +
		".TP\n.B 2\nThe input is wrong; the message names file, line and field.\n.TP\n.B 3\nAnything else.\n")
	b.WriteString(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set, the explorer uses no colours.\n" +
		".SH FILES\n\"epsiloscope paths\" lists where configuration, state and recovery files are.\n")
	return b.String()
}

// optionList returns the flags of a command, each with what it does.
func optionList(c *cobra.Command) string {
	var b strings.Builder
	for _, o := range options(c) {
		b.WriteString(".TP\n.B " + roff(o.Name) + "\n" + running(o.Text))
	}
	return b.String()
}

// running returns running text; what is indented stays as it is.
func running(text string) string {
	var b strings.Builder
	verbatim := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		switch {
		case indented && !verbatim:
			b.WriteString(".nf\n")
		case !indented && verbatim:
			b.WriteString(".fi\n")
		}
		verbatim = indented
		if line == "" {
			b.WriteString(".PP\n")
		} else {
			b.WriteString(roff(line) + "\n")
		}
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
	return b.String()
}

// leaves returns the commands that can be seen and have none below them.
func leaves(parent *cobra.Command) (list []*cobra.Command) {
	for _, c := range parent.Commands() {
		switch {
		case c.Hidden:
		case c.HasSubCommands():
			list = append(list, leaves(c)...)
		default:
			list = append(list, c)
		}
	}
	return list
}

// synopsis returns a command with its arguments.
func synopsis(c *cobra.Command) string {
	_, arguments, _ := strings.Cut(c.Use, " ")
	return strings.TrimSpace(strings.TrimPrefix(c.CommandPath(), "epsiloscope ") + " " + arguments)
}

func options(c *cobra.Command) (list []report.Fact) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			term, help := flagTerm(f)
			list = append(list, report.Fact{Name: term, Text: report.UpperFirst(help) + "."})
		}
	})
	return list
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
