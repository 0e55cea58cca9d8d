package main

// mutant is one mistake: in file, old (found exactly once) becomes fresh; the tests of
// pack named by run must fail.
type mutant struct{ mistake, file, old, fresh, pack, run string }

var mutants = []mutant{
	{"a count dropped from the Rényi sum", "accounting/theorem_rdp.go", "sum += e.Count * r\n", "sum += r\n", "./accounting", "Permutation|Figures|Order"},
	{"the two dearest branches under replace: one forgotten", "accounting/release_parallel.go", "return first + second, nil", "return first, nil", "./scenarios", "ManyBranches|Parallel"},
	{"one direction of a sampled block only", "accounting/pld/parallel.go", `side(key+"′", func(p Pair)`, `side(key, func(p Pair)`, "./accounting/pld", "Parallel"},
	{"a group capped at 2³⁰ records", "accounting/release_group.go", "return pld.Group(p, int(k))", "return pld.Group(p, int(math.Min(k, 1<<30)))", "./accounting", "Groups"},
	{"Gaussian sensitivity not squared", "accounting/release_gaussian.go", "return math.Max(1, alpha) * g.mu * g.mu / 2, nil", "return math.Max(1, alpha) * g.mu / 2, nil", "./accounting", "Figures|Order"},
	{"one direction of a stack only", "accounting/pld/direction.go", "return []direction{remove, add}, nil", "return []direction{add, add}, nil", "./accounting/pld", "Reference|Directions|Sampled|NeverBelow"},
	{"a count dropped from the numerical column", "accounting/pld/direction.go", "lines[l.Key()].count + count}", "1}", "./accounting/internal/oracle", "Truth"},
	{"masses of the grid rounded down", "accounting/pld/loss/cells.go", "c.RiseHigh = math.Max(0, math.Min(c.RiseHigh, p-lift*q+rest))", "c.RiseHigh = 0.5 * math.Max(0, math.Min(c.RiseHigh, p-lift*q+rest))", "./accounting/pld/exact", "Enclose"},
	{"δ instead of δ′", "accounting/theorem_advanced.go", "return delta - stated", "return delta + 0*stated", "./accounting/internal/oracle", "Forms"},
	{"stated δ's not taken out of δ", "accounting/ledger.go", "hazard*(1+1e-14))", "0*hazard)", "./accounting/internal/oracle", "Forms|Exact"},
	{"halting at > c", "mechanisms/labs/sparse_vector.go", "positives >= limit", "positives > limit", "./mechanisms/labs", "Sparse|Labs|Halt"},
	{"bounded range for permute-and-flip", "mechanisms/noisy_max.go", `if n.Shape == "gumbel"`, `if n.Shape != "laplace"`, "./mechanisms", ""},
	{"continuous Laplace for geometric noise", "mechanisms/geometric.go", `return accounting.Named(accounting.PureDP(g.Epsilon), "Geometric")`, `return Laplace{g.Epsilon, 1}.Release()`, "./accounting/internal/oracle", "Curves|Truth"},
	{"α capped, ∞ forgotten", "accounting/theorem_rdp.go", "alpha, epsilon, edge := math.Inf(1), c.at(math.Inf(1)), false", "alpha, epsilon, edge := math.Inf(1), math.Inf(1), false", "./accounting", "Order"},
	{"amplification by q·ε", "accounting/release_subsample.go", "return special.LogMix(s.q, epsilon), s.q * delta, nil", "return s.q * epsilon, s.q * delta, nil", "./accounting", ""},
	{"mean loss halved in the improved form", "accounting/theorem_advanced.go", "m.tanh += count * epsilon * math.Tanh(epsilon/2)", "m.tanh += count * epsilon * math.Tanh(epsilon/4)", "./accounting/internal/oracle", "Forms"},
	{"tight conversion without its last term", "accounting/convert.go", "-(logDelta + math.Log1p(s)) / s", "-logDelta / s", "./accounting/internal/oracle", "Forms|Exact|Gaussians"},
	{"figures rounded to nearest in the table", "scenarios/report/figure.go", "return figure(x, ceil)", "return figure(x, math.Round)", "./scenarios/report", ""},
	{"a spreadsheet formula let through", "scenarios/report/sheet/programs.go", `row[i] = "'" + text`, `row[i] = text`, "./cli", "NamesStay"},
	{"a moving record as two removals", "accounting/pld/parallel.go", "append([]Part(nil), branches[i]...), turned(branches[j])...)", "append([]Part(nil), branches[i]...), branches[j]...)", "./accounting/pld", "Parallel"},

	// Errors that other accountants have made.
	{"the Rényi curve of a pure release as (α−1)ε/α", "accounting/release_pure.go", "func (p pure) Renyi(alpha float64) (float64, error) { return pureRenyi(p.epsilon, alpha), nil }", "func (p pure) Renyi(alpha float64) (float64, error) { return (alpha - 1) * p.epsilon / alpha, nil }", "./accounting/internal/oracle", "Curves"},
	{"unsigned losses under the integral", "accounting/renyi/sampled_gaussian.go", "y := special.LogMix(q, mu*w-mu*mu/2)", "y := math.Abs(special.LogMix(q, mu*w-mu*mu/2))", "./accounting/internal/oracle", "Curves|WholeOrders"},
	{"a fractional order at the whole one below", "accounting/renyi/sampled_gaussian.go", "if r, ok := sampledGaussianIntegral(q, mu, alpha); ok {", "if r, ok := sampledGaussianIntegral(q, mu, max(1, math.Floor(alpha))); ok {", "./accounting/internal/oracle", "WholeOrders"},
	{"what round-off may have done is not charged", "accounting/pld/spectrum/nufft.go", "return values, 2.9*(unit*", "return values, 0*(unit*", "./accounting/pld/spectrum", "Uniform"},
	{"the central limit of sampled noise taken for a bound", "accounting/theorem_gdp.go", "b.Status = Approximate", "b.Status = Valid", "./accounting", ""},
	{"a bounded range of half the size", "mechanisms/exponential.go", `boundedRange("Exponential", e.Epsilon)`, `boundedRange("Exponential", e.Epsilon/2)`, "./accounting/internal/oracle", "Curves"},

	// Errors of lecture slides.
	{"advanced composition without its second term", "accounting/theorem_advanced.go", "return drvSpread(m.squares, prime) + m.expm1, ", "return drvSpread(m.squares, prime), ", "./accounting/internal/oracle", "Forms"},
	{"the classic Gaussian at ε ≥ 1", "mechanisms/gaussian.go", "if epsilon >= 1 {", "if epsilon >= 100 {", "./mechanisms", ""},
	{"report noisy max with Lap(Δ/ε) for scores that may rise and fall", "mechanisms/selection.go", "return 2 * w.sensitivity / w.epsilon", "return w.sensitivity / w.epsilon", "./mechanisms", ""},
	{"the tail of a selection with t outside the noise scale", "mechanisms/selection.go", "return scale * units", "return scale*math.Log(ratio) + t", "./mechanisms", ""},
	{"values released beside the answers of Thresholdout for nothing", "mechanisms/thresholdout.go", "Release(), Count: t.Budget},\n\t}", "Release(), Count: 0},\n\t}", "./accounting/internal/oracle", "Truth"},
	{"the classic zCDP conversion with half its root", "accounting/convert.go", "return rho + 2*math.Sqrt(rho)*math.Sqrt(-math.Log(delta))", "return rho + math.Sqrt(rho)*math.Sqrt(-math.Log(delta))", "./accounting/internal/oracle", "Forms"},

	// Groups, replace, sampling, blocks.
	{"a group's ρ grows with k, not k²", "accounting/release_group.go", "return g.k * g.k * rho, err", "return g.k * rho, err", "./accounting", "Group|Transform|Figures|Invariants"},
	{"a group's δ grows with k alone", "accounting/special/group.go", "factor = math.Expm1(k*epsilon) / math.Expm1(epsilon)", "factor = k", "./accounting", "Group|Transform|Figures"},
	{"rounds not counted", "scenarios/evaluator.go", "times(p.entries, e.Count*s.Rounds)", "times(p.entries, e.Count)", "./accounting/internal/oracle", "Truth|Enumeration"},
	{"a replaced record removed and not added", "accounting/pld/group.go", "[]Loss{p.Remove, p.Add}))", "[]Loss{p.Remove}))", "./accounting/pld", "SampledReplaceOrder"},
	{"a group sampled as one record", "mechanisms/entries.go", "entries, exact = sampled(m.Releases(), rate, accounting.Subsample), drawn", "if entries, exact = sampled(m.Releases(), rate, accounting.Subsample), drawn; knows {\n\t\t\tentries, group = sampled(g.releasesFor(group), rate, accounting.Subsample), 1\n\t\t}", "./mechanisms", "Entries"},
	{"all of a person's records in one branch", "scenarios/parallel.go", "return first >= 0 && first == accounting.Dearest(all)", "return first >= -1", "./scenarios", "NobodyLeaves|Spread|GroupsInBlocks"},
	{"a record that moves between branches one way only", "accounting/pld/parallel.go", "ways = append(ways, symmetric(p.Remove), symmetric(p.Add))", "ways = append(ways, symmetric(p.Add))", "./accounting/pld", "MovingInto"},

	// A number read for another adjacency than it was stated for.
	{"under replace the removal composed alone", "accounting/pld/sampled.go", "return sampledDoubled(q, l)", "return sampledRemove(q, l)", "./accounting/pld", "SwappingAnalyst"},
	{"under replace the larger of the two directions", "accounting/pld/sampled.go", "\treturn symmetric(each(key, inner.Remove, func(l *law) *law { return sampledDoubled(q, l) }))\n", "\treturn map[string]Pair{key: Subsample(q, inner)}[key]\n", "./accounting/pld", "SwappingAnalyst"},
	{"a number for a changed record amplified by sampling", "mechanisms/entries.go", "case rate < 1 && !absent && s.Also.AddRemove:", "case rate < 1 && !absent:", "./scenarios", "NeighbourFigures"},
	{"a sample of numbered answers amplified under add-remove", "mechanisms/entries.go", "case rate < 1 && absent && !public:", "case rate < 1 && absent && (!public || rate < 1):", "./mechanisms", "EntriesSizePublic"},
	{"a move priced with numbers for a changed record", "scenarios/moves.go", "e.Values, err = mechanisms.AbsentValues(e.Mechanism, e.Values, e.Also.Number)", "_ = e.Also.Number", "./scenarios", "ClaimsCount"},
	{"a move priced though nothing is said of absence", "scenarios/moves.go", "	if problem != nil {", "	if problem != nil && len(e.Parallel) == 0 {", "./scenarios", "NeighbourFigures|RefusedClaims"},
	{"a record that stays in its branch forgotten", "scenarios/parallel.go", "cost = dearer(moving, cost)", "cost = dearer(moving, moving)", "./scenarios", "NeighbourFigures|ClaimsCount"},
	{"what is feared as a lower end", "accounting/pld/families.go", "everything().Remove.ceiling(), nothing().Remove.floor(),", "everything().Remove.ceiling(), everything().Remove.ceiling(),", "./accounting/pld", "FallbacksAreNoLowerEnds"},
	{"a group too large to chain gives the record away", "accounting/pld/group.go", "return twoFaced(key, upper, p, notTight)", "return map[string]Pair{key: everything()}[key+upper.Key()[:0]]", "./accounting/pld", "FallbacksAreNoLowerEnds"},
	{"a revealed sample's δ by the rate twice", "accounting/pld/sampled.go", "return Revealed([]float64{1 - q, q}, []Pair{nothing(), inner})", "return Revealed([]float64{1 - q*q, q * q}, []Pair{nothing(), inner})", "./accounting/pld", "BinomialMixture"},
	{"the atom of a mirrored sample forgotten", "accounting/pld/loss/families.go", "if zero := 1 - d.Top - p - q; zero > 0 {", "if zero := 0 * (1 - d.Top - p - q); zero > 0 {", "./accounting/pld", "NeighbourLaws"},
	{"a changed gradient against none", "accounting/pld/draws.go", "draws{key + \"-replace\", mu, weights, weights, rest}", "draws{key + \"-replace\", mu, weights, []float64{1}, rest}", "./accounting/pld", "Draws"},
	{"draws of a group without their number", "accounting/pld/draws.go", "w.Mul(w, exactly(float64(n-j)))", "w.Mul(w, exactly(1))", "./accounting/pld", "Draws"},
	{"the least of two curves not made convex", "accounting/pld/absent.go", "mesh, value = minorant(mesh, value)\n", "", "./accounting/pld", "SampledAbsent"},
	{"slopes of close losses by e^x itself", "accounting/pld/absent.go", "(value[i]-v[n-1])/math.Expm1(m-x[n-1])", "(value[i]-v[n-1])/(math.Exp(m)/math.Exp(x[n-1])-1)", "./accounting/pld", "SampledAbsent"},
	{"the chance to draw nobody lost in rounding", "accounting/pld/loss/sum.go", "near := big < 30 && less > -0.5", "near := big < 30 && less >= -1", "./accounting/pld", "NearlyAll"},
	{"a rate near 1 lost in rounding", "accounting/special/mixed.go", "small > -0.5 {", "small > -1 {", "./accounting/special", "LogMix"},
	{"a ρ that underflows taken for nothing", "accounting/theorem_zcdp.go", "rho = l.sum(rho)", "rho = max(rho, 0)", "./accounting", "Tiny"},
	{"a claim of absence not part of what is remembered", "scenarios/evaluator.go", "b.WriteString(\"|also\")\n\t\twriteBits(&b, e.Also.Number)", "_ = b.Len()", "./scenarios", "ClaimsCount"},
	{"zero-out amplified where a zeroed record may be counted", "mechanisms/absent.go", "a == ZeroOut && ok && z.zeroIsAbsent()", "a == ZeroOut && (ok || z == nil)", "./scenarios", "ZeroOut"},
	{"ties of a chain taken for ties", "accounting/pld/forms.go", "math.Abs(possible-delta) <= 8*ulp*delta", "math.Abs(min(certain, possible)-delta) <= 8*ulp*delta", "./accounting/pld", "JustAsLarge"},

	// What is made of the figures.
	{"a budget exceeded by a tenth still fits", "accounting/accounting.go", "roundingSlack = 1e-9", "roundingSlack = 1e-1", "./accounting", "Fits|Ceiling"},
	{"a plan answered from the unsafe side", "accounting/solve.go", "return run.solution(safe), nil", "return run.solution(unsafe), nil", "./accounting", "Solve"},
	{"a plan's note understates a cost", "mechanisms/number.go", "return math.Max(x, roundTo(x, digits, +1))", "return math.Min(x, roundTo(x, digits, -1))", "./mechanisms", "RoundUp"},
	{"a statement that leaves the group out", "scenarios/report/statement.go", `fmt.Fprintf(&p, " (up to %s records of one person)", Short(s.Group))`, `_ = s.Group`, "./scenarios/report/sheet", "Statement"},
	{"a statement with ε rounded to nearest", "scenarios/report/facts.go", `with ε = %s and δ = %s", Upper(b.Epsilon)`, `with ε = %s and δ = %s", Figure(b.Epsilon)`, "./scenarios/report/sheet", "Statement"},

	// Shortcuts taken here.
	{"an order passed over too soon", "accounting/renyi/orders.go", "floor = visit(i, floor)", "floor = visit(i, 2*floor)", "./accounting/renyi", "Least"},
	{"the lattice of the discrete Gaussian counted twice", "mechanisms/discrete_gaussian.go", "line+(gain+2e-15*size)/(alpha-1)", "line+(2*gain+2e-15*size)/(alpha-1)", "./accounting/internal/oracle", "Curves"},
	{"a table of losses without what lies beyond it", "accounting/pld/list.go", "delta, weight := top, 0.0", "delta, weight := 0*top, 0.0", "./accounting/pld", "CurveTable"},
	{"a sampled divergence bounded too low", "accounting/pld/sampled.go", "special.LogMix(q, share*plain)/share", "special.LogMix(q, 0.9*share*plain)/share", "./accounting/pld", "SampledBound"},
	{"too much mass left where it is, too little below", "accounting/pld/list.go", "\t\tlist[0].p -= excess\n", "\t\tlist[len(list)-1].p -= 0 * excess\n", "./accounting/pld", "Estimate"},
	{"a cell from above left on its lower end", "accounting/pld/exact/list.go", "up = math.Min(p, rise/-math.Expm1(lo-hi))", "up = math.Min(p, 0.9*rise/-math.Expm1(lo-hi))", "./accounting/pld/exact", "Enclose"},
	{"a cell from below at its upper end", "accounting/pld/exact/list.go", "lo-math.Log1p(-math.Min(rise/p, 1-1e-9))", "lo-math.Log1p(-math.Min(1.1*rise/p, 1-1e-9))", "./accounting/pld/exact", "Enclose"},
	{"the cut end of a list forgotten", "accounting/pld/exact/list.go", "l.top += above * (1 + 1e-9)", "l.top += 0 * above", "./accounting/pld/exact", "Trim"},
	{"what lies beyond the cells of a density forgotten", "accounting/pld/exact/list.go", "out.top += above\n", "out.top += 0 * above\n", "./accounting/pld/exact", "Beyond"},
	{"scores of size 1e308 all alike", "mechanisms/selection.go", "d := half / w.sensitivity * w.epsilon", "d := half / (w.sensitivity / w.epsilon)", "./accounting/internal/oracle", "Selections"},

	// The spectrum: every error term, and what held it up on the way.
	{"aliases left in the lower end", "accounting/pld/spectrum/delta.go", "value - err - s.aliases(epsilon)", "value - err", "./accounting/pld/spectrum", "Overlap"},
	{"a bound of the aliases without those from below", "accounting/pld/spectrum/delta.go", "return (up + down) *", "return (up + 0*down) *", "./accounting/pld/spectrum", "Aliasing"},
	{"smoothing left in the lower end", "accounting/pld/spectrum/delta.go", "s.lower = s.with(s.bump())", "s.lower = s.with(0)", "./accounting/pld/spectrum", "Overlap"},
	{"frequencies left out for nothing", "accounting/pld/spectrum/spectrum.go", "s.left += left * s.whole()", "s.left += 0 * left * s.whole()", "./accounting/pld/spectrum", "Overlap"},
	{"truncated mass not taken off δ", "accounting/pld/spectrum/epsilon.go", "goal, low = math.Log(delta-s.top)", "goal, low = math.Log(delta-s.failed)", "./accounting/pld/spectrum", "Overlap"},
	{"a wrong sign in the missing mass", "accounting/pld/spectrum/cumulants.go", "excess := -r.Top + theta*(r.Bottom-r.Top)", "excess := -r.Top - theta*(r.Bottom-r.Top)", "./accounting/pld/spectrum", "Cumulants"},
	{"what is not a number taken for an end", "accounting/pld/spectrum/delta.go", "if math.IsNaN(x) || math.IsInf(x, 0) {", "if math.IsInf(x, 0) {", "./accounting/pld/spectrum", "NoNumber"},
	{"linear terms of tiny losses kept", "accounting/pld/spectrum/cumulants.go", "math.Abs(a) < 0.3 && math.Abs(l) < 0.3", "math.Abs(a) < 0 && math.Abs(l) < 0.3", "./accounting/pld/spectrum", "Limit|Tiny"},
	{"Gaussian noise turned twice", "accounting/pld/spectrum/spectrum.go", "out.log, out.mean = smooth(p.Theta), out.square*(p.Theta+0.5)", "out.log, out.mean = smooth(p.Theta), 2*out.square*(p.Theta+0.5)", "./accounting/pld/spectrum", "Overlap"},
	{"panels left out for nothing", "accounting/pld/loss/bound.go", "errs[j] = 2 * r * s.sup(l)", "errs[j] = 0 * r * s.sup(l)", "./accounting/pld/loss", "Rules"},
	{"the ellipse of a panel too large", "accounting/pld/loss/bound.go", "math.Pow(rho, -32)", "math.Pow(rho, -64)", "./accounting/pld/loss", "Rules"},
	{"patches heavier than they are", "accounting/pld/loss/spread.go", "least := math.Min(end(left, denL), end(right, denR))", "least := math.Max(end(left, denL), end(right, denR))", "./accounting/pld/loss", "Spread"},
	{"a sampled release that adds as one that is removed", "accounting/pld/sampled.go", "return loss.SampledAdd(q, inner.of())", "return loss.Sampled(q, inner.of())", "./accounting/pld", "LossesHaveTheirCurves"},
	{"a loss above the largest", "accounting/pld/spectrum/epsilon.go", "most - slack - moved*(1+1e-9)", "most - slack - 0*moved", "./accounting/pld", "AgainstExact"},

	// Records of other tools.
	{"a count in an imported record ignored", "scenarios/interop/dpevent_walk.go", "w.walk(inner, count*times)", "w.walk(inner, count+0*times)", "./scenarios/interop", "ChangedRecords"},
	{"an unknown argument of a record skipped", "scenarios/interop/tree.go", "			takes := strings.Join(names, \", \")", "			continue\n			takes := strings.Join(names, \", \")", "./scenarios/interop", "ChangedRecords"},
	{"an accountant's neighbouring relation ignored", "scenarios/interop/dpevent_script.go", "a.relation = r.text", "_ = r.text", "./scenarios/interop", "ChangedRecords"},
	{"a table's row behind # skipped", "scenarios/interop/table.go", "		e := csvEntry(n)\n", "		if strings.HasPrefix(row[0], \"#\") {\n			continue\n		}\n		e := csvEntry(n)\n", "./scenarios/interop", "ChangedRecords"},
	{"a number from any module", "scenarios/interop/python_eval.go", "if !slices.Contains(numberModules, n.text[:max(dot, 0)]) {", "if !slices.Contains(numberModules, n.text[:0]) {", "./scenarios/interop", "Hostile"},

	// Saving.
	{"the old file gone before the new one is there", "scenarios/disk/replace.go", "if err := d.Rename(name, path); err != nil {", "_ = d.Remove(path)\n\tif err := d.Rename(name, path); err != nil {", "./scenarios", "Save"},
	{"a short write taken for a whole one", "scenarios/disk/replace.go", "if err == nil && n < len(data) {", "if err == nil && n < 0 {", "./scenarios", "Save"},
	{"a save renamed before it was synced", "scenarios/disk/replace.go", "return f.Sync()", "return nil", "./scenarios", "SaveOn"},
	{"no second look before a save's rename", "scenarios/disk/replace.go", "if err := check(); err != nil {", "if err := check(); err != nil && len(data) < 0 {", "./scenarios", "SaveOn"},
	{"two saves at once not kept apart", "scenarios/disk/lock_unix.go", "syscall.LOCK_EX|syscall.LOCK_NB", "syscall.LOCK_SH|syscall.LOCK_NB", "./scenarios", "SameInstant"},
	{"a link followed by the look of its path", "scenarios/disk/resolve.go", "to = dir + string(filepath.Separator) + to", "to = filepath.Join(filepath.Dir(filepath.Clean(dir)), to)", "./scenarios", "SaveOn|Linked"},
	{"two runs of one process number share their backup", "tui/store/store.go", "rand.Uint32()", "rand.Uint32()*0", "./tui/store", "Apart"},
	{"recovered work let go before it is kept again", "tui/recovery.go", "if err := st.Backup(ctx, lost.Path, lost.Data); err != nil {", "if err := ctx.Err(); err != nil || st == nil {", "./tui", "CrashLeaves"},
}
