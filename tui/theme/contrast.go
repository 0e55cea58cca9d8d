package theme

import "math"

// Luminance is the relative luminance of an sRGB colour with parts in [0, 1]
// (WCAG 2.1, "relative luminance").
func Luminance(r, g, b float64) float64 {
	lin := func(c float64) float64 {
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

// Contrast is the WCAG 2.1 contrast ratio of two luminances, from 1 to 21.
func Contrast(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return (a + 0.05) / (b + 0.05)
}
