package sheet

import (
	"epsiloscope/exchange/peers"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

type peerRow struct {
	peers.ToolResult
	standing peers.Standing
}

var peerColumns = []Column[peerRow]{
	words("tool", "tool", func(r peerRow) string { return r.Peer }),
	words("accountant", "accountant", func(r peerRow) string { return r.Accountant }),
	{Head: "ε", Align: Decimal, Key: "epsilon", Show: func(r peerRow) string { return r.PrintedEpsilon() }, // not rounded up
		Value: func(r peerRow) any { return r.Epsilon }, Role: peerRow.role},
	{Head: "beside ours", Key: "standing", Show: func(r peerRow) string { return string(r.standing) },
		Value: func(r peerRow) any { return string(r.standing) }, Role: peerRow.role},
	{Head: "because", Key: "because", Show: func(r peerRow) string { return r.Why }, Value: func(r peerRow) any { return r.Why },
		Prose: true, Role: func(peerRow) report.Role { return report.Note }},
}

// role marks an ε that is below the certified lower end.
func (r peerRow) role() report.Role {
	if r.standing == peers.TooSmall {
		return report.Worse
	}
	return report.Text
}

func peerRows(figures []peers.ToolResult, r *scenarios.Result) []peerRow {
	rows := make([]peerRow, len(figures))
	for i, f := range figures {
		rows[i] = peerRow{f, f.Standing(r)}
	}
	return rows
}

// Peers sets what other tools print beside a result; as JSON it is [JSON] with one
// member more, "peers".
func Peers(figures []peers.ToolResult, r *scenarios.Result) *Sheet {
	rows := peerRows(figures, r)
	s := NewSheet("What others would print, by their own defaults: their values, not ours, and none to quote", peerColumns, rows)
	s.Data = append(resultRecord(r), [2]any{"peers", RecordsOf(peerColumns, rows)})
	for _, row := range rows {
		if row.standing == peers.TooSmall {
			s.AddWarning("too small: below the certified lower end, so not true of this training as it is described here")
			break
		}
	}
	return s
}

// Append puts another sheet under this one; as JSON only the other is written.
func (s *Sheet) Append(other *Sheet) {
	s.More, s.Data = append(s.More, other), other.Data
}
