package tui

import (
	"bytes"
	"context"
	"os"
	"testing"

	"epsiloscope/certificate/certify"
	"epsiloscope/scenarios"
)

// A certificate beside the file shows a badge while it is about the stack on the screen, and only then; one that
// is not proved shows none.
func TestProofBadge(t *testing.T) {
	const badge = "proved in exact arithmetic, check.py"
	a, path := onDisk(t)
	if onScreen(a, badge) {
		t.Fatal("a badge without a certificate")
	}
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := certify.Make(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	write := func(data []byte) {
		if err := os.WriteFile(certify.CertificatePath(path), data, 0o600); err != nil {
			t.Fatal(err)
		}
		drain(a, a.read(path, "", nil))
	}
	write(bytes.Replace(data, []byte(`"eps_upper": "0.`), []byte(`"eps_upper": "0.0`), 1))
	if onScreen(a, badge) {
		t.Error("a false certificate has a badge")
	}
	write(data)
	if !onScreen(a, badge) {
		t.Fatalf("no badge:\n%s", plainView(a))
	}
	press(a, "knob.up")
	if onScreen(a, badge) {
		t.Error("the badge outlives the stack")
	}
	press(a, "undo")
	if !onScreen(a, badge) {
		t.Error("the badge is gone after undo")
	}
}
