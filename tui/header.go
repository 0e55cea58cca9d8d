package tui

import (
	"cmp"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

func (a *App) header() string {
	p, s := a.Pen, a.Doc.Scenario()
	l := p.Line(a.w).Skip(1).Put(p.Accent, "epsiloscope").Skip(2)
	right := p.Line(40)
	if b := a.Full.Winner(); b.Finite() {
		a.headAnswer(right, b, a.Full.Target.Epsilon)
	}
	switch {
	case a.unsaved():
		right.Put(p.Warn, p.Glyphs.Dot+" unsaved")
	case a.Doc.Bundle != "":
		right.Put(p.Muted, "library")
	case a.Doc.Path == "":
		right.Put(p.Muted, "new")
	default:
		right.Put(p.Muted, "saved")
	}
	room := l.Room() - right.At() - 3
	name := draw.Cut(draw.Clean(cmp.Or(s.Name, "(no name)")), room)
	l.Put(p.Strong, name).Put(p.Muted, about(s, room-draw.Width(name)))
	return l.To(a.w-right.At()-1).Raw(right.Unfilled(), right.At()).String()
}

// about says whose data is meant and which data sets are neighbours: in fewer words
// where room is short, then without what comes last.
func about(s *scenarios.Scenario, room int) string {
	var parts []string
	if s.Unit != "" {
		parts = append(parts, "unit: "+draw.Clean(s.Unit))
	}
	parts = append(parts, report.NeighboursOf(s.Adjacency).Short)
	if s.Rounds > 1 {
		parts = append(parts, report.Stated(s.Rounds)+" rounds")
	}
	if s.Group > 1 {
		parts = append(parts, "groups of "+report.Stated(s.Group))
	}
	line := func() string { return " · " + strings.Join(parts, " · ") }
	for i := 0; draw.Width(line()) > room && i < len(parts); i++ {
		parts[i] = strings.TrimPrefix(strings.TrimSuffix(parts[i], " one record"), "unit: ")
	}
	for len(parts) > 1 && draw.Width(line()) > room {
		parts = parts[:len(parts)-1]
	}
	if draw.Width(line()) > room && room < 12 { // a cut word says nothing
		return ""
	}
	return draw.Cut(line(), room)
}

// headAnswer keeps the answer in sight where its pane is not on the screen.
func (a *App) headAnswer(l *draw.Line, b accounting.Bound, budget float64) {
	if a.screen == 0 && a.home.Lay.Slots[layout.Bounds].Visible() {
		return
	}
	ink, mark := kit.Verdict(a.Pen, b, budget)
	if mark == a.Pen.Glyphs.Tick && a.Result.SensitivityIsOpen() {
		ink, mark = a.Pen.Warn, "?"
	}
	if a.Pending {
		ink = a.Pen.Stale
	}
	l.Put(ink, strings.TrimRight("ε = "+report.Upper(b.Epsilon)+" "+mark, " ")).Skip(2)
}
