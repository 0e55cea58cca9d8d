package gauge

import (
	"cmp"
	"flag"
	"os"
)

// SeedVariable names the environment variable that holds the seed of all property tests. Without it every run draws
// the same cases, so that a change is judged by what it changes; 0 draws new ones, as .ci/soak does.
const SeedVariable = "EPSILOSCOPE_SEED"

const usualSeed = "20261117"

// seedFromEnvironment returns the seed that the environment asks for.
func seedFromEnvironment() string { return cmp.Or(os.Getenv(SeedVariable), usualSeed) }

// init sets the seed; a flag given on the command line is parsed later and wins.
func init() {
	if err := flag.Set("rapid.seed", seedFromEnvironment()); err != nil {
		panic(SeedVariable + ": " + err.Error())
	}
}
