package render

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// writeSVG writes the picture by hand: a dozen element kinds need no library, and
// the text of the file can be read and compared.
func writeSVG(w io.Writer, p picture) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" font-family="Go, 'Helvetica Neue', Arial, sans-serif">`+"\n",
		num(p.w), num(p.h), num(p.w), num(p.h))
	if p.title != "" {
		fmt.Fprintf(b, "<title>%s</title>\n", escape(p.title))
	}
	fmt.Fprintf(b, `<rect width="%s" height="%s" fill="%s"/>`+"\n", num(p.w), num(p.h), p.ground)
	for _, s := range p.shapes {
		s.svg(b)
	}
	fmt.Fprint(b, "</svg>\n")
	return b.Flush()
}

func (s box) svg(w io.Writer) {
	fmt.Fprintf(w, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n", num(s.x), num(s.y), num(s.w), num(s.h), s.colour)
}

func (s disc) svg(w io.Writer) {
	ring := ""
	if s.ring != "" {
		ring = fmt.Sprintf(` stroke="%s" stroke-width="1.5"`, s.ring)
	}
	fmt.Fprintf(w, `<circle cx="%s" cy="%s" r="%s" fill="%s"%s/>`+"\n", num(s.x), num(s.y), num(s.r), s.colour, ring)
}

func (s stroke) svg(w io.Writer) {
	var points, dashes []string
	for _, p := range s.points {
		points = append(points, num(p.x)+","+num(p.y))
	}
	for _, d := range s.dash {
		dashes = append(dashes, num(d))
	}
	dash := ""
	if len(dashes) > 0 {
		dash = fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(dashes, " "))
	}
	fmt.Fprintf(w, `<polyline points="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round"%s/>`+"\n",
		strings.Join(points, " "), s.colour, num(s.width), dash)
}

func (s label) svg(w io.Writer) {
	extra := map[anchor]string{middle: ` text-anchor="middle"`, end: ` text-anchor="end"`}[s.anchor]
	if s.bold {
		extra += ` font-weight="bold"`
	}
	if s.turned {
		extra += fmt.Sprintf(` transform="rotate(-90 %s %s)"`, num(s.x), num(s.y))
	}
	fmt.Fprintf(w, `<text x="%s" y="%s" font-size="%s" fill="%s"%s>%s</text>`+"\n",
		num(s.x), num(s.y), num(s.size), s.colour, extra, escape(s.text))
}

// num prints a length to a tenth of a pixel, so that rounding differences between processors do not
// change the file.
func num(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64)
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return b.String()
}
