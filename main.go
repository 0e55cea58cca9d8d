// Epsiloscope is a privacy-budget explorer for the terminal: it stacks
// differentially private mechanisms and shows, side by side, what every
// composition theorem says the stack costs.
package main

import (
	"os"

	_ "epsiloscope/tui/early" // before anything that would query the terminal

	"epsiloscope/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
