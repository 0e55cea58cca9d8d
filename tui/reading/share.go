package reading

import (
	"strings"

	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
	"epsiloscope/tui/share"
	"epsiloscope/tui/text"
)

// Share gives the whole text, not only what is in sight.
func (r *reading) Share() share.Subject {
	lines := r.content.Last()
	whole := make([]string, len(lines))
	for i, l := range lines {
		whole[i] = strings.TrimRight(text.Strip(l), " ")
	}
	return share.Subject{Text: strings.Join(whole, "\n")}
}

// Share gives the statement in the format shown.
func (s *Statement) Share() share.Subject {
	var b strings.Builder
	if s.statement == nil || sheet.Statement(&b, s.statement, report.StatementFormats[s.format]) != nil {
		return s.reading.Share()
	}
	return share.Subject{Text: b.String()}
}
