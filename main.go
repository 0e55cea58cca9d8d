// Epsiloscope is a privacy-budget explorer for the terminal: it stacks
// differentially private mechanisms and shows, side by side, what every
// composition theorem says the stack costs.
package main

import (
	"os"

	"epsiloscope/cli"
)

// version is set by packagers who build without the history of the source:
// go build -ldflags "-X main.version=v1.2.3". Other builds leave it empty.
var version string

func main() {
	cli.Version = version
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
