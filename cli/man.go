package cli

import (
	"cmp"
	"io"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"epsiloscope/scenarios/report"
)

func (a *app) manCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{Use: "man", Short: "the manual page", Example: "  epsiloscope man > epsiloscope.1", Hidden: true}, nil,
		func(c *call) (output, error) {
			return written(func(w io.Writer, _ string) error { return manual.Execute(w, c.cmd.Root()) }), nil
		})
}

// manual writes one page for the whole program, made from its commands. It
// bears no date and no version, so that the page changes only when they do.
//
// Cobra's own generator (cobra/doc) was tried in its place. It writes 39 pages, one a
// command, which an installation by hand would have to put into place one by one, with the
// date and "[=false]" behind every switch, without exit status and environment, by way of
// Markdown and three more modules.
var manual = template.Must(template.New("manual").Funcs(template.FuncMap{
	"roff": roff, "text": running, "options": options, "commands": leaves, "synopsis": synopsis,
	"about": func(c *cobra.Command) string { return cmp.Or(c.Long, report.UpperFirst(c.Short)+".") },
}).Parse(`.TH EPSILOSCOPE 1
.SH NAME
{{text (print "epsiloscope - " .Short)}}.SH SYNOPSIS
.B epsiloscope
[FILE|NAME]
.br
.B epsiloscope
COMMAND [ARGUMENTS] [OPTIONS]
.SH DESCRIPTION
{{text .Long}}{{template "options" .}}.SH COMMANDS
{{range commands .}}.SS {{roff (synopsis .)}}
{{text (about .)}}{{template "options" .}}{{with .Example}}.PP
{{text .}}{{end}}{{end}}.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
{{text "A budget given with --check is exceeded, or a ledger refuses."}}.TP
.B 2
The input is wrong; the message names file, line and field.
.TP
.B 3
Anything else.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If set, the explorer uses no colours.
.SH FILES
"epsiloscope paths" lists where configuration, state and recovery files are.
{{define "options"}}{{range options .}}.TP
.B {{roff .Name}}
{{text .Text}}{{end}}{{end}}`))

// running is running text; what is indented stays as it is.
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

// leaves are the commands that can be seen and have none below them.
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

// synopsis is a command with its arguments.
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
