package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/draw"
	"epsiloscope/scenarios/report/share"
)

// picture is where a chart goes and how it is drawn.
type picture struct {
	to      string
	options draw.Options
}

func (p *picture) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.to, "to", "", "write to the file `PATH`; its ending chooses svg or png")
	f.BoolVar(&p.options.Dark, "dark", false, "svg, png: light ink on a dark ground")
	f.IntVar(&p.options.Width, "width", 0, "svg, png: width in `pixels` (default 860)")
	f.IntVar(&p.options.Height, "height", 0, "svg, png: height in `pixels` (default 520)")
}

// endings are the formats that a path's ending may choose.
var endings = map[string]string{".csv": asCSV, ".json": asJSON, ".md": asMarkdown, ".tex": asLaTeX, ".txt": asTable}

// settle takes the format from the path's ending where -o is not given, and asks
// for a path where a picture has none.
func (p *picture) settle(cmd *cobra.Command, format *choiceFlag) error {
	if p.to != "" && !cmd.Flags().Changed("output") {
		ending := strings.ToLower(filepath.Ext(p.to))
		if picture := strings.TrimPrefix(ending, "."); slices.Contains(draw.Formats(), picture) {
			format.value = picture
		} else if named, ok := endings[ending]; ok {
			format.value = named
		} else {
			return wrongf("--to %s: the ending must be one of .%s, .csv, .json, .md, .tex, .txt; or give the format with -o", printable(p.to), strings.Join(draw.Formats(), ", ."))
		}
	}
	if slices.Contains(draw.Formats(), format.value) && p.to == "" {
		return wrongf("-o %s needs --to PATH", format.value)
	}
	return nil
}

// write puts the chart on standard output or into the file.
func (p *picture) write(stdout io.Writer, format string, c chart.Chart) error {
	return p.put(stdout, func(w io.Writer) error {
		if slices.Contains(draw.Formats(), format) {
			return draw.Write(w, c, format, p.options)
		}
		return c.Sheet().Write(w, format)
	})
}

// put writes what is finished where it belongs.
func (p *picture) put(stdout io.Writer, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return wrong(err)
	}
	if p.to == "" {
		_, err := stdout.Write(b.Bytes())
		return err
	}
	if err := os.WriteFile(p.to, b.Bytes(), 0o644); err != nil {
		return notWritten(p.to, err)
	}
	return nil
}

func (a *app) shareCommand() *cobra.Command {
	var target targetFlags
	var to picture
	cmd := &cobra.Command{
		Use:   "share FILE|NAME",
		Short: "one HTML page to pass on: statement, table, charts, scenario",
		Long: `Write one HTML page with what may be quoted, every bound, the charts, the
scenario and the command that reproduces it. The page needs no network and has
no script. The scores of candidates, which come from the data, are left out.`,
		Args: arguments(1, 1, "one FILE or NAME"),
		Example: `  epsiloscope share welcome --to page.html
  epsiloscope share plan.yaml --epsilon 2 > page.html`,
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	cmd.Flags().StringVar(&to.to, "to", "", "write to the file `PATH`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := a.open(args[0], &target)
		if err != nil {
			return err
		}
		r, err := scenarios.Evaluate(cmd.Context(), s, target.options())
		if err != nil {
			return wrong(err)
		}
		return to.put(a.stdout, func(w io.Writer) error { return share.Page(cmd.Context(), w, s, r) })
	}
	return cmd
}
