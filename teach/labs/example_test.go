package labs_test

import (
	"context"
	"fmt"
	"log"

	"epsiloscope/mechanisms/param"
	"epsiloscope/teach/labs"
)

// The same parameters and the same seed give the same run.
func ExampleRun() {
	out, err := labs.Run(context.Background(), "differencing", labs.Options{
		Seed: 7, Values: param.Values{"epsilon": param.NumberValue(0.5)},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, sentence := range out.Says {
		fmt.Println(sentence)
	}
	// Output:
	// Without noise the attack is arithmetic: 400 − 395 = 5.
	// One noisy difference is off by about 20; after 1000 repeats by 0.6325. The ε of all answers add up to 1000 (basic composition); the cost of the run is the best closed-form bound at a δ above 0.
}
