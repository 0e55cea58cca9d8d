package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger"
)

// Where a ledger is kept: its schema on a server, copies for reading, and a place to go on.

func (a *app) ledgerExport() *cobra.Command {
	return a.verb(&cobra.Command{
		Use:   "export FROM TO",
		Short: "a read-only copy of the lines, in a new file",
		Long: `Write the lines of a ledger to a new file. The copy can be read, asked and
verified; nothing is granted there.`,
		Args:    arguments(2, 2, "a ledger FROM and a new file TO"),
		Example: "  epsiloscope ledger export postgres://ana@db.example.org/sales#prod prod.ledger",
	}, func(c *call, file *ledger.Stored) (output, error) {
		l, err := file.Export(c.args[1])
		if err != nil {
			return nil, err
		}
		return a.finishWrite(l, nil, "%s: %s, for reading", c.args[1], numeral.Plural(len(l.Records), "record", "records"))
	})
}

func (a *app) ledgerMove() *cobra.Command {
	return a.verb(&cobra.Command{
		Use:   "move FROM TO",
		Short: "seal a ledger and go on with it elsewhere",
		Long: `Seal FROM with a record that names TO, and then write all lines to TO, which
must not have a ledger. From then on only TO grants. If the move is interrupted,
the same command goes on with it. On a server only the owner of a ledger can
move it.`,
		Args:    arguments(2, 2, "a ledger FROM and a place TO without one"),
		Example: "  epsiloscope ledger move prod.ledger postgres://steward@db.example/sales#prod",
	}, func(c *call, file *ledger.Stored) (output, error) {
		to, err := ledger.Open(c.args[1], a.lockWait(ledger.DefaultWait))
		if err != nil {
			return nil, err
		}
		l, err := file.Move(to)
		if err != nil {
			return nil, a.withSchema(err)
		}
		return a.finishWrite(l, nil, "%s: goes on in %s; %s", c.args[0], c.args[1], numeral.Plural(len(l.Records), "record", "records"))
	})
}

func (a *app) ledgerReadmit() *cobra.Command {
	return a.verb(&cobra.Command{
		Use:   "readmit ADDRESS",
		Short: "append what this machine has seen and the server has forgotten",
		Long: `After a restore or a failover, a server may lack lines that were acknowledged.
Charge what this machine has seen of them, as releases already made. What no
longer fits is recorded as a breach, and the exit status is 4.`,
	}, func(c *call, file *ledger.Stored) (output, error) {
		l, err := file.Readmit()
		if errors.Is(err, ledger.ErrNothingForgotten) {
			return a.finishWrite(l, nil, "%s: %v", c.args[0], err)
		}
		if err != nil {
			return nil, err
		}
		a.printWithHead(l, "%s: what this machine has seen is charged; %s", c.args[0], numeral.Plural(len(l.Records), "record", "records"))
		return nil, breachError(c.args[0], l, "the promise is broken")
	})
}

func (a *app) ledgerHome() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "home ADDRESS --reason TEXT",
		Short: "let the server that answers now grant requests",
		Long: `A ledger on a server names the place that grants its requests: the server, its
timeline, the database and the schema. After a failover or a restore that is
another place, and nothing is granted until the owner of the ledger says so.
Make sure first that the old server cannot come back.`,
	}
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT`: why the place is another")
	return a.verb(cmd, func(c *call, file *ledger.Stored) (output, error) {
		if reason == "" {
			return nil, errors.New("ledger home needs --reason: why the place is another")
		}
		l, err := file.SetHome(reason)
		return a.finishWrite(l, err, "%s: requests are granted here", c.args[0])
	})
}

func (a *app) ledgerSchema() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema [NAME|ADDRESS]",
		Short: "the SQL that makes a ledger's schema in PostgreSQL",
		Long: `Print the SQL that makes the schema of a ledger, its roles and its functions,
for a role that may run it. The name is that behind the # in an address.`,
		Args:              arguments(0, 1, "at most one NAME or ADDRESS"),
		Example:           "  epsiloscope ledger schema prod | psql -v ON_ERROR_STOP=1 sales",
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	return a.outputCommand(cmd, document, func(c *call) (output, error) {
		name := "ledger"
		if len(c.args) == 1 {
			name = c.args[0]
		}
		sql, err := ledger.SchemaSQL(name)
		if err != nil {
			return nil, err
		}
		return textLines{sql}, nil
	})
}

// withSchema prints the SQL that somebody else has to run, if an error says so.
func (a *app) withSchema(err error) error {
	var needs *ledger.NeedsSchema
	if errors.As(err, &needs) {
		err = fmt.Errorf("%w. Somebody who may create roles and schemas runs this once, and then the command again: epsiloscope ledger schema %s | psql -v ON_ERROR_STOP=1 DATABASE", err, needs.Schema)
		if sql, failed := ledger.SchemaSQL(needs.Schema); failed == nil {
			fmt.Fprint(a.stdout, sql)
		}
	}
	return err
}
