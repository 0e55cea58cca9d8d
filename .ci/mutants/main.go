// Mutants plants known mistakes, one at a time, in a copy of the tree and shows that
// the tests catch each one. The list is made of errors that accounting libraries and
// lecture slides have really made, and of those found here.
//
//	go run ./.ci/mutants          all of them
//	go run ./.ci/mutants -quick   the first few
//
// It prints a table and fails if a mistake survives.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// mutant is one mistake: in file, old (found exactly once) becomes fresh; the tests of
// pack named by run must fail.
type mutant struct{ mistake, file, old, fresh, pack, run string }

var mutants = []mutant{
	{"a count dropped from the Rényi sum", "accounting/rdp.go", "sum += e.Count * r\n", "sum += r\n", "./accounting", "Permutation|Figures|Order"},
	{"the two dearest branches under replace: one forgotten", "accounting/parallel.go", "return first + second, nil", "return first, nil", "./scenarios", "ManyBranches|Parallel"},
	{"one direction of a sampled block only", "accounting/pld/parallel.go", `side(key+"′", func(p Pair)`, `side(key, func(p Pair)`, "./accounting/pld", "Parallel"},
	{"a group capped at 2³⁰ records", "accounting/group.go", "return pld.Group(p, int(k))", "return pld.Group(p, int(math.Min(k, 1<<30)))", "./accounting", "Groups"},
	{"Gaussian sensitivity not squared", "accounting/gaussian.go", "return math.Max(1, alpha) * g.mu * g.mu / 2, nil", "return math.Max(1, alpha) * g.mu / 2, nil", "./accounting", "Figures|Order"},
	{"one direction of a stack only", "accounting/pld/direction.go", "return []direction{remove, add}, err", "return []direction{add, add}, map[bool]error{true: err}[len(remove.lines) >= 0]", "./accounting/pld", "Reference|Directions|Sampled|NeverBelow"},
	{"a count dropped from the numerical column", "accounting/pld/direction.go", "counts[l.Key()] += p.Count", "counts[l.Key()] = 1", "./accounting/internal/oracle", "Truth"},
	{"masses of the grid rounded down", "accounting/pld/cells.go", "up = math.Min(up, math.Max(0, d/-math.Expm1(a-b)))", "up = math.Min(up, 0.5*math.Max(0, d/-math.Expm1(a-b)))", "./accounting/pld", "Reference|Never"},
	{"δ instead of δ′", "accounting/advanced.go", "return delta - stated", "return delta + 0*stated", "./accounting/internal/oracle", "Forms"},
	{"stated δ's not taken out of δ", "accounting/ledger.go", "hazard*(1+1e-14))", "0*hazard)", "./accounting/internal/oracle", "Forms|Exact"},
	{"halting at > c", "mechanisms/labs/sparse_vector.go", "positives >= limit", "positives > limit", "./mechanisms/labs", "Sparse|Labs|Halt"},
	{"bounded range for permute-and-flip", "mechanisms/noisy_max.go", `if n.Shape == "gumbel"`, `if n.Shape != "laplace"`, "./mechanisms", ""},
	{"continuous Laplace for geometric noise", "mechanisms/geometric.go", `return accounting.Named(accounting.PureDP(g.Epsilon), "Geometric")`, `return Laplace{g.Epsilon, 1}.Release()`, "./accounting/internal/oracle", "Curves|Truth"},
	{"α capped, ∞ forgotten", "accounting/rdp.go", "alpha, epsilon, edge := math.Inf(1), c.at(math.Inf(1)), false", "alpha, epsilon, edge := math.Inf(1), math.Inf(1), false", "./accounting", "Order"},
	{"replace charged as one step", "mechanisms/entries.go", "entries = transform(entries, accounting.Replaced)", "_ = accounting.Replaced", "./mechanisms", ""},
	{"amplification by q·ε", "accounting/subsample.go", "return logMix(s.q, epsilon), s.q * delta, nil", "return s.q * epsilon, s.q * delta, nil", "./accounting", ""},
	{"mean loss halved in the improved form", "accounting/advanced.go", "m.tanh += count * epsilon * math.Tanh(epsilon/2)", "m.tanh += count * epsilon * math.Tanh(epsilon/4)", "./accounting/internal/oracle", "Forms"},
	{"tight conversion without its last term", "accounting/convert.go", "(logDelta+math.Log1p(s))/s)", "(logDelta+2*math.Log1p(s))/s)", "./accounting/internal/oracle", "Forms|Exact|Gaussians"},
	{"figures rounded to nearest in the table", "scenarios/report/figure.go", "return figure(x, ceil)", "return figure(x, math.Round)", "./scenarios/report", ""},
	{"a spreadsheet formula let through", "scenarios/report/csv.go", `row[i] = "'" + text`, `row[i] = text`, "./cli", "NamesStay"},
	{"a moving record as two removals", "accounting/pld/parallel.go", "append([]Part(nil), branches[i]...), turned(branches[j])...)", "append([]Part(nil), branches[i]...), branches[j]...)", "./accounting/pld", "Parallel"},
	{"the old file overwritten in place", "scenarios/save.go", "f, err := createBeside(path)", "f, err := os.Create(path)", "./scenarios", "Save"},
}

const quick = 4

func main() {
	short := flag.Bool("quick", false, "plant only the first few")
	flag.Parse()
	list := mutants
	if *short {
		list = list[:quick]
	}
	if err := hunt(list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func hunt(list []mutant) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := copyTree(dir); err != nil {
		return err
	}
	survivors := 0
	for _, m := range list {
		begin := time.Now()
		verdict, err := m.plant(dir)
		if err != nil {
			return err
		}
		if verdict != "caught" {
			survivors++
		}
		fmt.Printf("%-10s %-58s %-44s %4.0f s\n", verdict, m.mistake, m.pack+" "+m.run, time.Since(begin).Seconds())
	}
	fmt.Printf("%d of %d mistakes caught\n", len(list)-survivors, len(list))
	if survivors > 0 {
		return fmt.Errorf("%d planted mistakes were not caught", survivors)
	}
	return nil
}

// plant makes the mistake, asks the tests and takes it back.
func (m mutant) plant(dir string) (verdict string, err error) {
	path := filepath.Join(dir, m.file)
	sound, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(sound), m.old); n != 1 {
		return "", fmt.Errorf("%s: %q is found %d times, not once: the list is out of date", m.file, m.old, n)
	}
	// Tests that fail without the mistake would show nothing.
	if out, err := m.ask(dir); err != nil {
		return "", fmt.Errorf("%s %s fails on the sound tree:\n%s", m.pack, m.run, out)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(sound), m.old, m.fresh, 1)), 0o644); err != nil {
		return "", err
	}
	defer os.WriteFile(path, sound, 0o644)
	out, err := m.ask(dir)
	switch {
	case err == nil:
		return "SURVIVES", nil
	case strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]"):
		return "", fmt.Errorf("%s: the mistake does not compile:\n%s", m.mistake, out)
	}
	return "caught", nil
}

// ask runs the tests that should notice.
func (m mutant) ask(dir string) (out []byte, err error) {
	cmd := exec.Command("go", "test", "-timeout=5m", "-run", m.run, m.pack)
	cmd.Dir = dir
	return cmd.CombinedOutput()
}

// copyTree copies what git knows of, as it stands now.
func copyTree(dir string) error {
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return err
	}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
