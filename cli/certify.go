package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"epsiloscope/certificate"
	"epsiloscope/certificate/certify"
	"epsiloscope/scenarios/disk"
	"epsiloscope/scenarios/review"
)

// checkLimit is the longest time that a check by this program may take.
const checkLimit = 10 * time.Minute

func (a *app) certifyCommand() *cobra.Command {
	var target targetFlags
	var check string
	var checker bool
	cmd := &cobra.Command{
		Use:   "certify FILE|NAME",
		Short: "a certificate of the claim, which a stranger can check",
		Long: `Write a certificate: the releases as named pairs of distributions with exact
decimals, δ, the claimed ends of ε, and the choices that make its check quick.
The check believes nothing but the list of releases. It proves ε in exact
integers with a program of fewer than 500 lines that needs only Python 3.9:

  epsiloscope certify --checker > check.py
  python3 check.py CERTIFICATE

Status of a check: 0 proved, 1 not proved, 2 not a certificate. A release that
the checker has no pair for (a zCDP or Rényi guarantee alone, a parallel block)
is refused, with the reason.`,
		Args: arguments(0, 1, "one FILE or NAME"),
		Example: `  epsiloscope certify welcome --to welcome.cert.json
  epsiloscope certify --checker --to check.py
  epsiloscope certify --check welcome.cert.json`,
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	f := cmd.Flags()
	f.BoolVar(&checker, "checker", false, "print the Python program that checks a certificate")
	f.StringVar(&check, "check", "", "check the certificate `CERT` with this program's own checker")
	return a.outputCommand(cmd, document, func(c *call) (output, error) {
		given := len(c.args)
		switch {
		case checker && (given > 0 || check != "") || check != "" && given > 0:
			return nil, errors.New("--checker and --check stand alone: give one of them, or a FILE or NAME")
		case given == 0:
			if err := target.refuseWithoutScenario(cmd); err != nil {
				return nil, err
			}
		}
		switch {
		case checker:
			return text(certificate.Checker()), nil
		case check != "":
			defer a.showProgress("certify")()
			c.to.inputs = append(c.to.inputs, a.inputs(check)...)
			return a.checkCertificate(c, check)
		case given == 0:
			return nil, errors.New("certify needs a FILE or NAME, --checker or --check CERT")
		}
		s, err := a.open(c.args[0], &target)
		if err != nil {
			return nil, err
		}
		done := a.showProgress("certify")
		cert, expected, err := certify.Make(c, s)
		done()
		if err != nil {
			return nil, err
		}
		data, err := cert.Marshal()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(a.stderr, "certificate %s: %s\n", certificate.Hash(data)[:12], expected)
		found, err := review.Quick(c, s, nil, review.Options{})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(a.stderr, "review: %s: %s\n", found.Claim, found.Headline()) // a certificate may be of a stack over its budget
		c.format = asJSON
		return text(data), nil
	})
}

// checkCertificate checks with the program's own checker; its error has the status of the verdict.
func (a *app) checkCertificate(c *call, path string) (output, error) {
	data, err := disk.Read(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", path, disk.Reason(err))
	}
	cert, err := certificate.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: malformed: %w", path, err)
	}
	ctx, cancel := context.WithTimeout(c, checkLimit)
	defer cancel()
	v, err := cert.Check(ctx)
	if err != nil {
		return nil, systemFailure(err)
	}
	lines := []string{"A program should not check itself: prefer \"epsiloscope certify --checker\", which runs without epsiloscope.",
		fmt.Sprintf("limits: %d lattice points, %.0f s", certificate.MaxPoints, checkLimit.Seconds()),
		"about, as the certificate says: " + cert.About.String()}
	for _, r := range cert.Releases {
		lines = append(lines, "release: "+r.String())
	}
	if out := textLines(append(lines, certificate.Believed, v.Line)); v.Proved {
		return out, nil
	} else {
		return out, &failure{statusExceeded, errors.New(path + ": not proved")}
	}
}

// certificateFlag is a certificate to be quoted.
type certificateFlag struct{ path string }

func (f *certificateFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "certificate", "", "check the certificate in `PATH` and quote what it proves")
}

// read returns the certificate's file, or nil if none was asked for.
func (f *certificateFlag) read() ([]byte, error) {
	if f.path == "" {
		return nil, nil
	}
	data, err := disk.Read(f.path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", f.path, disk.Reason(err))
	}
	return data, nil
}

// verify checks the certificate against the scenario and returns what it proves, if one was asked for.
func (f *certificateFlag) verify(q *question) (quote certify.Quote, err error) {
	data, err := f.read()
	if err != nil || data == nil {
		return quote, err
	}
	if quote, err = certify.Verify(q, data, q.Scenario); err != nil {
		return quote, fmt.Errorf("%s: %w", f.path, err)
	}
	return quote, nil
}
