package sheet

import (
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/peers"
)

// PeersTitle stands over what other tools print.
const PeersTitle = "What others would print, by their own defaults: their values, not ours, and none to quote"

type peerRow struct {
	peers.Figure
	standing peers.Standing
}

var peerColumns = []Column[peerRow]{
	words("tool", "tool", func(r peerRow) string { return r.Peer }),
	words("accountant", "accountant", func(r peerRow) string { return r.Accountant }),
	{Head: "ε", Align: Decimal, Key: "epsilon", Show: func(r peerRow) string { return r.PrintedEpsilon() }, // not rounded up
		Value: func(r peerRow) any { return r.Epsilon }},
	words("beside ours", "standing", func(r peerRow) string { return string(r.standing) }),
	words("because", "because", func(r peerRow) string { return r.Why }),
}

func peerRows(figures []peers.Figure, r *scenarios.Result) []peerRow {
	rows := make([]peerRow, len(figures))
	for i, f := range figures {
		rows[i] = peerRow{f, f.Standing(r)}
	}
	return rows
}

// Peers sets what other tools print beside a result; as JSON it is [JSON] with one
// member more, "peers".
func Peers(figures []peers.Figure, r *scenarios.Result) *Sheet {
	rows := peerRows(figures, r)
	s := NewSheet(PeersTitle, peerColumns, rows)
	s.Data = append(resultRecord(r), [2]any{"peers", RecordsOf(peerColumns, rows)})
	for _, row := range rows {
		if row.standing == peers.TooSmall {
			s.Notes = append(s.Notes, TooSmallNote)
			break
		}
	}
	return s
}

// TooSmallNote says what a figure below the certified lower end means.
const TooSmallNote = "too small: below the certified lower end, so not true of this training as it is described here"

// Append puts another sheet under this one; as JSON only the other is written.
func (s *Sheet) Append(other *Sheet) {
	s.more, s.Data = append(s.more, other), other.Data
}
