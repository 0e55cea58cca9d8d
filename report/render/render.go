// Package render writes a chart.Chart as a picture file: SVG for papers and pages,
// PNG for everything else. Both are made from one laid-out picture, with the ticks
// of package scale, so they show what the terminal shows. Output depends on the
// chart and the options alone: no clock, no system fonts. Start with Write.
package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"epsiloscope/report/chart"
)

// Options of a picture. The zero value is a light one of the default size.
type Options struct {
	Width, Height int     // in CSS pixels; 0 means 860 by 520
	Dark          bool    // light ink on a dark ground
	Scale         float64 // PNG only: dots per pixel; 0 means 2
}

// The sizes a picture may have. Below the smallest no label fits; above the largest
// a PNG would need gigabytes.
const (
	defaultWidth, defaultHeight = 860, 520
	smallest, largest           = 160, 8192
	maxDots                     = 1 << 26
)

// Formats lists what Write understands.
func Formats() []string { return []string{"svg", "png"} }

// Write draws the chart in a format named by Formats.
func Write(w io.Writer, c chart.Chart, format string, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	switch strings.ToLower(format) {
	case "svg":
		return writeSVG(w, compose(c, o))
	case "png":
		return writePNG(w, compose(c, o), o.Scale)
	default:
		return fmt.Errorf("unknown picture format %q: use %s", format, strings.Join(Formats(), " or "))
	}
}

func (o Options) withDefaults() (Options, error) {
	o.Width, o.Height, o.Scale = cmp.Or(o.Width, defaultWidth), cmp.Or(o.Height, defaultHeight), cmp.Or(o.Scale, 2)
	for i, size := range []int{o.Width, o.Height} {
		if size < smallest || size > largest {
			return o, fmt.Errorf("picture %s is %d pixels: use %d to %d", []string{"width", "height"}[i], size, smallest, largest)
		}
	}
	if !(o.Scale >= 0.25 && o.Scale <= 8) || float64(o.Width)*float64(o.Height)*o.Scale*o.Scale > maxDots {
		return o, fmt.Errorf("a picture of %d by %d pixels at scale %g is out of range: use a scale from 0.25 to 8 and at most %d million dots",
			o.Width, o.Height, o.Scale, maxDots>>20)
	}
	return o, nil
}
