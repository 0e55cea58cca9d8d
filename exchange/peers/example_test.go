package peers_test

import (
	"context"
	"fmt"

	"epsiloscope/exchange/peers"
	"epsiloscope/scenarios"
)

// What other tools print for one training, and how they stand to the certified interval.
func ExamplePrint() {
	s, err := scenarios.LoadBundled("dpsgd-abadi")
	if err != nil {
		fmt.Println(err)
		return
	}
	figures, err := peers.AskTools(context.Background(), s)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range figures {
		if f.HasValue() {
			fmt.Println(f.Peer, f.Accountant, f.PrintedEpsilon())
		}
	}
	// Output:
	// Opacus 1.5.4 PRV, its default 0.9569
	// Opacus 1.5.4 RDP 1.035
	// Opacus 1.5.4 GDP 0.9424
	// dp_accounting 0.6.0 PLD 0.9470
	// dp_accounting 0.6.0 RDP 1.035
	// TF-Privacy 0.9.0 statement, once per epoch 35.082
	// TF-Privacy 0.9.0 statement, Poisson 2.353
	// TF-Privacy 0.9.0 compute_dp_sgd_privacy 1.035
}
