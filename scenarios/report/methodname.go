package report

import "epsiloscope/accounting"

// names are the theorems as people write them, where that differs from the word of
// the file format.
var names = map[accounting.Method]string{
	accounting.AdvancedKOV: "advanced KOV",
	accounting.Optimal:     "optimal KOV",
	accounting.RDP:         "RDP",
	accounting.RDPPinned:   "RDP pinned",
	accounting.RDPClassic:  "RDP classic",
	accounting.ZCDP:        "zCDP",
	accounting.ZCDPClassic: "zCDP classic",
	accounting.GDP:         "GDP",
}

// MethodName is a theorem as tables and legends for people print it.
func MethodName(m accounting.Method) string {
	if name, ok := names[m]; ok {
		return name
	}
	return string(m)
}
