package peers

import (
	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

// toolRow holds what a tool prints, and how that stands beside the interval of a result.
type toolRow struct {
	ToolResult
	standing Standing
}

var toolColumns = []sheet.Column[toolRow]{
	sheet.Words("tool", "tool", func(r toolRow) string { return r.Peer }),
	sheet.Words("accountant", "accountant", func(r toolRow) string { return r.Accountant }),
	// not rounded up
	{Head: "ε", Align: sheet.Decimal, Key: "epsilon", Show: func(r toolRow) string { return r.PrintedEpsilon() },
		Value: func(r toolRow) any { return r.Epsilon }, Role: toolRow.role},
	{Head: "beside ours", Key: "standing", Show: func(r toolRow) string { return string(r.standing) },
		Value: func(r toolRow) any { return string(r.standing) }, Role: toolRow.role},
	{Head: "because", Key: "because", Show: func(r toolRow) string { return r.Why }, Value: func(r toolRow) any { return r.Why },
		Prose: true, Role: func(toolRow) report.Role { return report.Note }},
}

// role marks an ε that is below the certified lower end.
func (r toolRow) role() report.Role {
	if r.standing == TooSmall {
		return report.Worse
	}
	return report.Text
}

// Sheet sets what other tools print beside a result.
func Sheet(list []ToolResult, r *scenarios.Result) *sheet.Sheet {
	rows, tooSmall := make([]toolRow, len(list)), false
	for i, f := range list {
		rows[i] = toolRow{f, f.Standing(r)}
		tooSmall = tooSmall || rows[i].standing == TooSmall
	}
	s := sheet.NewSheet("What others would print, by their own defaults: their values, not ours, and none to quote", toolColumns, rows)
	if tooSmall {
		s.AddWarning("too small: below the certified lower end, so not true of this training as it is described here")
	}
	return s
}
