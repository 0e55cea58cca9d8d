package cli

import (
	"bytes"
	"fmt"
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
func (p *picture) settle(c *call) error {
	if p.to != "" && !c.cmd.Flags().Changed("output") {
		ending := strings.ToLower(filepath.Ext(p.to))
		if picture := strings.TrimPrefix(ending, "."); slices.Contains(draw.Formats(), picture) {
			c.format = picture
		} else if named, ok := endings[ending]; ok {
			c.format = named
		} else {
			return fmt.Errorf("--to %s: the ending must be one of .%s, .csv, .json, .md, .tex, .txt; or give the format with -o", printable(p.to), strings.Join(draw.Formats(), ", ."))
		}
	}
	if slices.Contains(draw.Formats(), c.format) && p.to == "" {
		return fmt.Errorf("-o %s needs --to PATH", c.format)
	}
	return nil
}

// of is the chart, as a picture or as its numbers.
func (p picture) of(c chart.Chart) output {
	return p.into(written(func(w io.Writer, format string) error {
		if slices.Contains(draw.Formats(), format) {
			return draw.Write(w, c, format, p.options)
		}
		return c.Sheet().Write(w, format)
	}))
}

// into writes what is finished where it belongs: on standard output or into the file.
func (p picture) into(out output) output {
	return written(func(stdout io.Writer, format string) error {
		var b bytes.Buffer
		if err := out.Write(&b, format); err != nil {
			return wrong(err)
		}
		if p.to == "" {
			return text(b.Bytes()).Write(stdout, format)
		}
		if err := os.WriteFile(p.to, b.Bytes(), 0o644); err != nil {
			return notWritten(p.to, err)
		}
		return nil
	})
}

func (a *app) shareCommand() *cobra.Command {
	var to picture
	cmd := &cobra.Command{
		Use:   "share FILE|NAME",
		Short: "one HTML page to pass on: statement, table, charts, scenario",
		Long: `Write one HTML page with what may be quoted, every bound, the charts, the
scenario and the command that reproduces it. The page needs no network and has
no script. The scores of candidates, which come from the data, are left out.`,
		Example: `  epsiloscope share welcome --to page.html
  epsiloscope share plan.yaml --epsilon 2 > page.html`,
	}
	cmd.Flags().StringVar(&to.to, "to", "", "write to the file `PATH`")
	return a.results(cmd, nil, func(q *question, r *scenarios.Result) (output, error) {
		return to.into(written(func(w io.Writer, _ string) error { return share.Page(q, w, q.Scenario, r) })), nil
	})
}
