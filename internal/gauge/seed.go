package gauge

import (
	"flag"
	"os"
)

// SeedVariable names the environment variable that holds the seed of all property tests. .ci/run sets it, so
// that two runs on the same code agree; without it every run draws cases of its own.
const SeedVariable = "EPSILOSCOPE_SEED"

// init sets the seed; a flag given on the command line is parsed later and wins.
func init() {
	if seed := os.Getenv(SeedVariable); seed != "" {
		if err := flag.Set("rapid.seed", seed); err != nil {
			panic(SeedVariable + ": " + err.Error())
		}
	}
}
