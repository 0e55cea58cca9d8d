package pld

import "math"

// legendreX and legendreW are the 8-point Gauss–Legendre rule on [−1, 1]
// (Abramowitz & Stegun, table 25.4), positive half.
var (
	legendreX = [4]float64{0.1834346424956498049394761, 0.5255324099163289858177390, 0.7966664774136267395915539, 0.9602898564975362316835609}
	legendreW = [4]float64{0.3626837833783619829651504, 0.3137066458778872873379622, 0.2223810344533744705443560, 0.1012285362903762591525314}
)

// risingNodes is a quadrature rule for a continuous part whose P-density is
// e^{logScale + L/2} on [lo, hi]: that of Laplace noise and of bounded range. Panels
// are short enough that e^{αL} changes by at most e³ over one: the 16th derivative
// that the error hangs on then leaves 7e-16 of the integral.
func risingNodes(lo, hi, logScale, alpha float64) []node {
	panels := int(math.Ceil((hi - lo) * (alpha + 2) / 3))
	panels = max(4, min(panels, 1366))
	if (hi-lo)*(alpha+2) > 4096 { // only the top matters at such orders
		keep := math.Min(hi-lo, 60/(alpha+2)*8)
		out := risingPanels(hi-keep, hi, logScale, 512)
		return append(out, risingPanels(lo, hi-keep, logScale, 2048)...)
	}
	return risingPanels(lo, hi, logScale, panels)
}

func risingPanels(lo, hi, logScale float64, panels int) []node {
	out := make([]node, 0, 8*panels)
	half := (hi - lo) / float64(2*panels)
	for k := 0; k < panels; k++ {
		mid := lo + half*float64(2*k+1)
		for i, x := range legendreX {
			for _, s := range [2]float64{-1, 1} {
				l := mid + s*x*half
				out = append(out, node{l, logScale + l/2 + math.Log(legendreW[i]*half)})
			}
		}
	}
	return out
}
