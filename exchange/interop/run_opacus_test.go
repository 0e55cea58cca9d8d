package interop

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// askOpacus loads states into both accountants of Opacus. Its source is enough, without
// torch: the accountants import that package's optimizer for a type only.
const askOpacus = `
import json, sys, types
package = types.ModuleType("opacus")
package.__path__ = [sys.argv[1] + "/opacus"]
optimizers = types.ModuleType("opacus.optimizers")
optimizers.DPOptimizer = object
sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})
from opacus.accountants import create_accountant
for path in sys.argv[2:]:
    for mechanism in ("rdp", "prv"):
        accountant = create_accountant(mechanism)
        with open(path) as f:
            state = json.load(f)
        state["mechanism"] = mechanism
        accountant.load_state_dict(state)
        try:
            print(mechanism, accountant.get_epsilon(delta=1e-6), flush=True)
        except Exception as e:
            print(mechanism, "none", type(e).__name__, flush=True)
`

// Opacus reads every state exported from the library, and no figure of its accountants
// lies below ours, but under replace, where the file says so. EPSILOSCOPE_OPACUS is the
// directory of its source; EPSILOSCOPE_PYTHON a Python with numpy and scipy.
func TestOpacusExportsRun(t *testing.T) {
	source := os.Getenv("EPSILOSCOPE_OPACUS")
	if source == "" {
		t.Skip("takes minutes, and the source of Opacus: EPSILOSCOPE_OPACUS")
	}
	runs, figures, none, replaced := 0, 0, 0, 0
	for _, info := range scenarios.LibraryInfos() {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		state, _, err := Export("opacus", s)
		if err != nil {
			continue
		}
		file := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(file, state, 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(cmp.Or(os.Getenv("EPSILOSCOPE_PYTHON"), "python3"), "-W", "ignore", "-c", askOpacus, source, file).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %s", info.Name, out)
			continue
		}
		runs++
		s.Budget.Delta = 1e-6
		ours, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
			var mechanism string
			var theirs float64
			if _, err := fmt.Sscan(lines.Text(), &mechanism, &theirs); err != nil {
				none++
				t.Logf("%s: %s", info.Name, lines.Text())
				continue
			}
			if figures++; s.Adjacency == mechanisms.Replace {
				replaced++
				continue
			}
			below(t, info.Name, map[string]accounting.Method{"rdp": "rdp", "prv": "numerical"}[mechanism], theirs, ours)
		}
	}
	t.Logf("%d states loaded, %d figures, %d under replace, %d times none", runs, figures, replaced, none)
}
