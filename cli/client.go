package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/exchange/client"
)

func (a *app) clientCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:   "client python",
		Short: "a client for Python: one file, standard library only",
		Long: `A client for Python 3.9 and newer, as one file that needs only the standard
library. It runs this program and reads its JSON: price, plan, scenarios,
ledgers, and accountants for Opacus and dp_accounting. Other languages:
docs/python.md shows the same over a pipe.`,
		Args:      arguments(1, 1, "one language: python"),
		ValidArgs: []string{"python"},
		Example:   "  epsiloscope client python > epsiloscope.py",
	}, document, func(c *call) (output, error) {
		if c.args[0] != "python" {
			return nil, fmt.Errorf("there is no client for %q: it has python", c.args[0])
		}
		return text(client.Python), nil
	})
}
