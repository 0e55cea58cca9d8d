// Package client holds clients of the program for other languages: each is one file that the command client prints.
package client

import _ "embed"

// Python runs the program and reads its JSON. It needs Python 3.9 or newer and its standard library alone.
//
//go:embed epsiloscope.py
var Python []byte
