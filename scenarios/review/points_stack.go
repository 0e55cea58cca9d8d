package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Points about the stack: sensitivities, groups, branches, bounds, batches, reports, tuning.

func (f *referee) sensitivityPoint() *Point {
	var stated, open, queried, calibrated []item // queried entries state their noise, calibrated ones an ε
	for _, it := range f.items {
		has, given := hasSensitivity(it.e)
		switch {
		case !has:
		case it.e.Query.IsSet() && it.e.Values.Has("epsilon"):
			calibrated = append(calibrated, it)
		case it.e.Query.IsSet():
			queried = append(queried, it)
		default:
			stated = append(stated, it)
			if !given && f.own.Adjacency == mechanisms.Replace {
				open = append(open, it)
			}
		}
	}
	p := &Point{Name: scenarios.PointSensitivity, Sign: OK}
	switch {
	case len(stated) > 0:
		f.askSensitivity(p, stated, open)
	case len(calibrated) > 0:
		p.Sign, p.Entries, p.Field = Ask, indicesOf(calibrated), "answers.sensitivity"
		p.Says = "does the noise match ε and Δ?"
		p.Text = fmt.Sprintf("These entries state ε, and Δ, how far one unit can move an answer, follows from their queries. Does the code draw the noise that belongs to both? %s.",
			upperFirst(f.sensitivityValues(calibrated)))
	case len(queried) > 0:
		p.Entries, p.Says = indicesOf(queried), "from the queries"
		p.Text = "Δ follows from the queries: " + f.sensitivityValues(queried) + "."
	default:
		return nil
	}
	return f.settle(p)
}

// askSensitivity asks about entries that state their Δ, or leave it open under replace.
func (f *referee) askSensitivity(p *Point, all, open []item) {
	p.Sign, p.Entries, p.effect, p.Field = Ask, indicesOf(all), raises, all[0].path+".sensitivity"
	p.Says = "Δ stated for " + numeral.Plural(len(all), "entry", "entries")
	p.Text = fmt.Sprintf("Δ, how far one unit can move an answer, is taken as stated: %s. The file does not say what is asked, so that Δ cannot be checked.",
		f.sensitivityValues(all))
	p.Text += f.meanLabel(all)
	p.Other = newOther("Δ as stated", "Δ twice as large", func(s *scenarios.Scenario) error {
		return halveNoiseOf(s, func(e *scenarios.Entry) bool {
			has, _ := hasSensitivity(e)
			return has && !e.Query.IsSet()
		})
	})
	p.Answers = []string{"query: {kind: count, total: 1} (in the entry)", `answers: {sensitivity: "yes, …"}`}
	if len(open) > 0 {
		p.Entries, p.Field = indicesOf(open), open[0].path+".sensitivity"
		p.Says = "not stated under replace"
		p.Text = fmt.Sprintf("Δ, how far one unit can move an answer, is 1 for a count and 2 for a histogram under replace. It is not stated in %s: priced is 1.", namesOf(open))
	}
}

// sensitivityValues lists the entries with their Δ.
func (f *referee) sensitivityValues(items []item) string {
	text := ""
	for i, it := range items {
		if i == 3 && len(items) > 4 {
			return text + fmt.Sprintf("; and %d more", len(items)-i)
		}
		if i > 0 {
			text += "; "
		}
		spec, delta := it.e.Spec(), "1 by default"
		p, _ := spec.ParamOrRun("sensitivity")
		if v, given := it.e.Values[p.Name]; given {
			delta = numeral.Format(v.Number)
		}
		if d, err := f.own.Sensitivity(it.e); err == nil && it.e.Query.IsSet() {
			delta = d.Sentence()
			if v, given := it.e.Values["epsilon"]; given {
				delta += fmt.Sprintf("; ε = %s", numeral.Format(v.Number)) + f.noiseOf(it.e)
			}
		}
		if !strings.HasPrefix(delta, "Δ") {
			delta = "Δ " + delta
		}
		text += it.name() + ": " + delta
	}
	return text
}

// noiseOf returns the noise that belongs to the ε that an entry states and to its Δ; "" for one that adds none.
func (f *referee) noiseOf(e *scenarios.Entry) string {
	known := f.own.Equivalents(e)
	for _, name := range []string{"scale", "sigma"} {
		if x, ok := known[name]; ok {
			return fmt.Sprintf(", so noise of %s %s", name, numeral.Short(x, 4, numeral.Up))
		}
	}
	return ""
}

// meanLabel returns a sentence if a label names a mean under add-remove, whose divisor changes with the data.
func (f *referee) meanLabel(items []item) string {
	if f.own.Adjacency != mechanisms.AddRemove {
		return ""
	}
	for _, it := range items {
		for _, w := range wordsOf(it.e.Label) {
			if slices.Contains(meanWords, singular(w)) && findPhrase(it.e.Label, numeratorWords) == "" {
				return fmt.Sprintf(" The label of entry %s says “%s”: under add-remove the number that it is divided by changes too, and a Δ worked out for a fixed n holds under replace only.", it.path, w)
			}
		}
	}
	return ""
}

func (f *referee) groupsPoint() *Point {
	p := &Point{Name: scenarios.PointGroups, Sign: OK}
	private := slices.IndexFunc(f.items, func(it item) bool { return it.e.Mechanism == "partition-selection" })
	words, raised := f.findWords(p.Name, func(it item) bool { return choosingKinds[it.e.Mechanism] })
	answer := f.own.Answer(p.Name)
	switch {
	case private >= 0:
		p.Entries, p.Says = indicesOf(f.items[private:private+1]), "selected privately"
		p.Text = fmt.Sprintf("%s is partition-selection, which decides privately which groups are shown.", upperFirst(f.items[private].name()))
		return p
	case !raised && answer == "":
		return nil
	case raised:
		p.Says = "“" + words.quote + "”"
		p.Text = fmt.Sprintf("The text says “%s” (%s). If the data decide which groups are shown, the list of groups gives people away, however noisy the counts are.", words.quote, words.field)
		if words.entry > 0 {
			p.Entries = []int{words.entry}
		}
	default:
		p.Text = "Groups that come from the data give people away unless they are selected privately, by partition-selection."
	}
	p.Sign, p.Answers = Ask, []string{`answers: {groups: "public, …"}`, "- {mechanism: partition-selection, …} (in the stack)"}
	return f.settle(p)
}

// splitBlocks returns the blocks that state in how many branches a person may be, and those that leave it open: their
// labels name times or places, of which it quotes the first, or there are no labels.
func (f *referee) splitBlocks() (stated, open []item, quote string) {
	for _, it := range f.items {
		if len(it.e.Parallel) < 2 {
			continue
		}
		if it.e.Branches > 0 {
			stated = append(stated, it)
			continue
		}
		text, labelled := it.e.Label, false
		for _, inner := range scenarios.EnabledEntries(slices.Concat(it.e.Parallel...)) {
			text += ". " + inner.Label
			labelled = labelled || inner.Label != ""
		}
		if words := findPhrase(text, raisingWords[scenarios.PointBranches]); words != "" || !labelled {
			open = append(open, it)
			if quote == "" {
				quote = words
			}
		}
	}
	return stated, open, quote
}

// useStatedBranches makes the point of blocks that state max_branches. It is wrong if the author answers otherwise.
func (f *referee) useStatedBranches(p *Point, stated []item) {
	n := numeral.Format(stated[0].e.Branches)
	p.Entries, p.Says, p.Stated = indicesOf(stated), "max_branches: "+n, fmt.Sprintf("“%s” (%s.max_branches)", n, stated[0].path)
	p.Text = fmt.Sprintf("%s states max_branches: %s, and is priced so.", upperFirst(namesOf(stated)), n)
	rule, _ := scenarios.AnswerRuleOf(p.Name)
	if answer := plain(f.own.Answer(p.Name)); n == "1" && slices.Contains(rule.Opens, scenarios.FirstWord(answer)) {
		p.Sign, p.Says, p.Stated, p.Field = Wrong, answer, "", stated[0].path+".max_branches"
		p.Text += fmt.Sprintf(" %s The author answers: “%s” (answers.%s). Both cannot be true.", rule.Question, answer, p.Name)
		p.Other = newOther("one branch", "everybody in every branch", flattenBlocks)
	}
}

func (f *referee) branchesPoint() *Point {
	if !slices.ContainsFunc(f.items, func(it item) bool { return it.e.Parallel != nil }) {
		return nil
	}
	stated, blocks, quote := f.splitBlocks()
	p := &Point{Name: scenarios.PointBranches, Sign: OK, Entries: indicesOf(blocks), effect: raises}
	if len(blocks) == 0 && len(stated) > 0 {
		f.useStatedBranches(p, stated)
		return p
	}
	if kindOf(f.own.Unit) == unitRecord || len(blocks) == 0 && f.own.Answer(p.Name) == "" {
		p.Says = "one branch per unit"
		p.Text = fmt.Sprintf("The branches of a block are disjoint parts of the data; one unit (“%s”) is in one of them.",
			orNone(plain(f.own.Unit)))
		return p
	}
	if len(blocks) == 0 {
		for _, it := range f.items {
			if it.e.Parallel != nil {
				blocks = append(blocks, it)
			}
		}
		p.Entries = indicesOf(blocks)
	}
	p.Sign, p.Says = Ask, "priced as one branch per person"
	p.Text = fmt.Sprintf("%s is priced as if %s were in one branch only.", upperFirst(namesOf(blocks)), oneUnit(f.own.Unit))
	if quote != "" {
		p.Text += fmt.Sprintf(" The branches are times or places (“%s”), and a person may be in several.", quote)
	} else {
		p.Text += " Its branches have no labels, so nothing says what they are."
	}
	p.Other = newOther("one branch", "everybody in every branch", flattenBlocks)
	p.Field = blocks[0].path + ".max_branches"
	p.Answers = []string{"max_branches: 1 (in the block)", "max_branches: 2", `answers: {branches: "no, …"}`}
	return f.settle(p)
}

// flattenBlocks replaces every block by the entries of all its branches: a person may be in each.
func flattenBlocks(s *scenarios.Scenario) error {
	var flatten func(stack []scenarios.Entry, times float64) []scenarios.Entry
	flatten = func(stack []scenarios.Entry, times float64) (list []scenarios.Entry) {
		for _, e := range stack {
			switch {
			case e.Disabled:
			case e.Parallel == nil:
				e.Count *= times
				list = append(list, e)
			default:
				for _, branch := range e.Parallel {
					list = append(list, flatten(branch, times*e.Count)...)
				}
			}
		}
		return list
	}
	s.Stack = flatten(s.Stack, 1)
	return nil
}

// upperFirst returns a text that begins as a sentence does.
func upperFirst(text string) string {
	_, first := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:first]) + text[first:]
}

func (f *referee) boundsPoint() *Point {
	words, raised := f.findWords(scenarios.PointBoundsFromData, nil)
	if !raised && f.own.Answer(scenarios.PointBoundsFromData) == "" {
		return nil
	}
	p := &Point{Name: scenarios.PointBoundsFromData, Sign: Ask, Says: "“" + words.quote + "”"}
	if words.entry > 0 {
		p.Entries = []int{words.entry}
	}
	p.Text = fmt.Sprintf("The text says “%s” (%s). If a bound or a range was looked up in the data, that is a release of its own, and it is not priced.", words.quote, words.field)
	if !raised {
		p.Says, p.Text = "answered", "A clipping bound or a range that was looked up in the data is a release of its own."
	}
	return f.settle(p)
}

func (f *referee) batchesPoint() *Point {
	var open, given, idle []item
	for _, it := range f.items {
		if it.e.Mechanism != "dp-sgd" {
			continue
		}
		m, err := mechanisms.New(it.e.Mechanism, it.e.Values)
		d, training := m.(mechanisms.DPSGD)
		switch {
		case err != nil || !training:
		case it.e.Values.Has("max_batch") && d.Batches != "truncated":
			idle = append(idle, it)
		case it.e.Values.Has("batches"):
			given = append(given, it)
		case it.e.Values.Has("sampling_rate") && it.e.Values["sampling_rate"].Number >= 1:
		default:
			open = append(open, it)
		}
	}
	p := &Point{Name: scenarios.PointBatches, Sign: OK, effect: raises}
	shuffled := newOther("Poisson batches", "shuffled batches", shuffleBatches)
	if f.own.Adjacency == mechanisms.AddRemove {
		shuffled.Note = "priced under zero-out: no proof covers shuffled batches under add-remove"
	}
	words, raised := f.findWords(p.Name, nil)
	switch {
	case len(idle) > 0:
		p.Sign, p.Entries, p.Field = Wrong, indicesOf(idle), idle[0].path+".batches"
		p.Says = "max_batch without truncated batches"
		p.Text = fmt.Sprintf("In %s two fields contradict each other: max_batch limits the size of a batch, and batches are not “truncated”, so that nothing limits it.", namesOf(idle))
		p.Answers = []string{"batches: truncated"}
		return p
	case len(open) > 0:
		p.Sign, p.Entries, p.Field, p.Other = Ask, indicesOf(open), open[0].path+".batches", shuffled
		p.Says = "how are they drawn?"
		p.Text = fmt.Sprintf("How are batches drawn in %s? The file gives a sampling rate only. Priced is Poisson sampling: a coin for each record and batch. A loader that shuffles the data and cuts them into batches does something else.",
			namesOf(open))
		if raised {
			p.Text += fmt.Sprintf(" The text says “%s” (%s).", words.quote, words.field)
		}
		p.Answers = []string{"batches: poisson", "batches: shuffled", "batches: fixed"}
	case len(given) == 0:
		return nil
	default:
		scheme := given[0].e.Values["batches"].Text
		p.Says, p.Stated = scheme, fmt.Sprintf("batches: %s (%s)", scheme, given[0].path)
		p.Text = fmt.Sprintf("%s states batches: %s.", upperFirst(namesOf(given)), scheme)
		if raised && scheme == "poisson" {
			p.Sign, p.Entries, p.Field, p.Other, p.Stated = Ask, indicesOf(given), given[0].path+".batches", shuffled, ""
			p.Text += fmt.Sprintf(" The text says “%s” (%s). Does the loader shuffle?", words.quote, words.field)
		}
	}
	return f.settle(p)
}

// shuffleBatches makes the batches of every training that are not stated, or Poisson, shuffled ones. Under add-remove
// no proof covers them, so that the scenario is priced under zero-out.
func shuffleBatches(s *scenarios.Scenario) (err error) {
	if s.Adjacency == mechanisms.AddRemove {
		s.Adjacency = mechanisms.ZeroOut
	}
	s.Stack, err = scenarios.Map(s.Stack, func(e *scenarios.Entry) error {
		if e.Mechanism != "dp-sgd" || e.Values.Has("batches") && e.Values["batches"].Text != "poisson" {
			return nil
		}
		e.Values = e.Values.Clone()
		return e.Set("batches", "shuffled")
	})
	return err
}

func (f *referee) reportsPoint() *Point {
	var many, memoised, beside []item
	for _, it := range f.items {
		m, err := mechanisms.New(it.e.Mechanism, it.e.Values)
		if err != nil || it.e.Parallel != nil {
			continue
		}
		oracle, isOracle := m.(mechanisms.Frequency)
		switch {
		case isOracle && oracle.Memoised:
			memoised = append(memoised, it)
		case isLocal(it.e) || isStated(it.e) && it.e.Mechanism == "pure":
			beside = append(beside, it)
		}
		if isLocal(it.e) && it.e.Count*f.own.Rounds > 1 {
			many = append(many, it)
		}
	}
	p := &Point{Name: scenarios.PointReports, Sign: Ask, effect: harmless}
	switch {
	case len(memoised) > 0 && len(beside) > 0:
		p.Entries = indicesOf(append(slices.Clone(memoised), beside...))
		p.Says = "a memoised report and another"
		p.Text = fmt.Sprintf("%s is memoised, and %s is priced beside it as if its coins were independent. If it is made from the memoised report (RAPPOR's second level) it costs nothing more: disable one of them.",
			upperFirst(memoised[0].name()), beside[0].name())
		p.Field = beside[0].path + ".disabled"
		return f.settle(p)
	case len(many) == 0:
		return nil
	}
	n := many[0].e.Count * f.own.Rounds
	p.Entries, p.Says = indicesOf(many), numeral.Format(n)+" reports"
	p.Text = fmt.Sprintf("%s has %s reports: one person %s times, as it is priced, or %s people once each?", upperFirst(many[0].name()), numeral.Format(n), numeral.Format(n), numeral.Format(n))
	p.Other = newOther("one person sends all", "one report each", func(s *scenarios.Scenario) (err error) {
		s.Rounds = 1
		s.Stack, err = scenarios.Map(s.Stack, func(e *scenarios.Entry) error {
			if isLocal(e) {
				e.Count = 1
			}
			return nil
		})
		return err
	})
	return f.settle(p)
}

// otherRuns is the number of runs that the question about tuning prices.
const otherRuns = 3

func (f *referee) tuningPoint() *Point {
	var trainings, selected []item
	for _, it := range f.items {
		if run, ok := it.e.Run(); ok && isTraining(&run) {
			selected = append(selected, it)
		} else if isTraining(it.e) {
			trainings = append(trainings, it)
		}
	}
	p := &Point{Name: scenarios.PointTuning, Sign: OK}
	switch {
	case len(trainings) > 0:
	case len(selected) > 0:
		p.Entries, p.Says = indicesOf(selected), "priced by select"
		p.Text = fmt.Sprintf("%s is the best of several runs, and priced so.", upperFirst(namesOf(selected)))
		return p
	default:
		return nil
	}
	p.Sign, p.Entries, p.Says = Ask, indicesOf(trainings), "one of several runs?"
	p.Text = fmt.Sprintf("Priced is one run only: %s. Was it, or were its settings, chosen among several runs on the same data? Each run costs, also one that was thrown away.", namesOf(trainings))
	if words, raised := f.findWords(p.Name, nil); raised {
		p.Text += fmt.Sprintf(" The text says “%s” (%s).", words.quote, words.field)
	}
	p.Other = newOther("1 run", fmt.Sprintf("%d runs", otherRuns), func(s *scenarios.Scenario) (err error) {
		s.Stack, err = scenarios.Map(s.Stack, func(e *scenarios.Entry) error {
			if isTraining(e) {
				e.Count *= otherRuns
			}
			return nil
		})
		return err
	})
	p.Answers = []string{`answers: {tuning: "none, …"}`, "mechanism: select (around the entry)"}
	return f.settle(p)
}
