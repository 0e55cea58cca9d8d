package accounting

// names are the theorems as people write them, where that differs from the word of
// the file format.
var names = map[Method]string{
	AdvancedKOV: "advanced KOV",
	Optimal:     "optimal KOV",
	RDP:         "RDP",
	RDPPinned:   "RDP pinned",
	RDPClassic:  "RDP classic",
	ZCDP:        "zCDP",
	ZCDPClassic: "zCDP classic",
	GDP:         "GDP",
}

// Name is a theorem as tables, legends and sentences for people print it.
func (m Method) Name() string {
	if name, ok := names[m]; ok {
		return name
	}
	return string(m)
}
