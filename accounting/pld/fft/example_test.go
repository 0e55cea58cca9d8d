package fft_test

import (
	"context"
	"fmt"
	"math/cmplx"

	"epsiloscope/accounting/pld/fft"
)

// One period of a cosine over eight points has all its weight, 8/2, at frequency 1.
func ExamplePlan_Forward() {
	x := []float64{1, 0.7071, 0, -0.7071, -1, -0.7071, 0, 0.7071}
	for k, bin := range fft.PlanForLength(context.Background(), 8).Forward(context.Background(), x) {
		fmt.Printf("%d: %.2f\n", k, cmplx.Abs(bin))
	}
	// Output:
	// 0: 0.00
	// 1: 4.00
	// 2: 0.00
	// 3: 0.00
	// 4: 0.00
}
