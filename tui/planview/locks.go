package planview

import "epsiloscope/scenarios"

// unlock forgets what was said of single entries.
func (p *Screen) unlock() {
	p.last = p.Doc.Scenario()
	p.locked, p.wishes = map[int]bool{}, map[int]float64{}
}

// isStackChanged reports whether an entry was added, removed or moved. Entries of one name are
// distinguished by their other fields.
func isStackChanged(was, now []scenarios.Entry) bool {
	if len(was) != len(now) {
		return true
	}
	at := map[string]int{} // of those that changed
	for i := range now {
		if now[i].Mechanism != was[i].Mechanism || now[i].Label != was[i].Label {
			return true
		}
		if !now[i].Equal(was[i]) {
			at[now[i].Describe()] = i
		}
	}
	for i := range was {
		if len(at) > 1 && !now[i].Equal(was[i]) {
			if j, ok := at[was[i].Describe()]; ok && j != i && now[j].Equal(was[i]) {
				return true
			}
		}
	}
	return false
}

// lock locks the entry and goes on, as marking does on home. A locked entry keeps its error: there is none to wish for.
func (p *Screen) lock() {
	if p.view == divideView && p.row < p.rows() {
		if entry := p.row + 1; p.locked[entry] {
			delete(p.locked, entry)
		} else {
			p.locked[entry] = true
			delete(p.wishes, entry)
		}
		p.move(+1)
	}
}
