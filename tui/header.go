package tui

import (
	"cmp"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

func (a *App) header() string {
	p, s := a.Pen, a.Doc.Scenario()
	l := p.Line(a.w).Skip(1).Put(p.Accent, "epsiloscope").Skip(2)
	right := p.Line(40)
	if of, ok := a.screens[a.screen].pane.(heading); ok {
		h := of.Heading()
		right.Put(h.Ink, h.State)
		l.Put(p.Strong, draw.Cut(h.Name, l.Room()-right.Column()-3))
		l.Put(p.Muted, draw.Cut(" · "+h.About, l.Room()-right.Column()-3))
		return l.FillTo(a.w-right.Column()-1).Raw(right.WithoutFill(), right.Column()).String()
	}
	if b := a.Full.BestBound(); b.Finite() {
		a.headAnswer(right, b, a.Full.Target.Epsilon)
	}
	switch {
	case a.hasUnsavedWork():
		right.Put(p.Warn, p.Glyphs.Dot+" unsaved")
	case a.Doc.Bundle != "":
		right.Put(p.Muted, "library")
	case a.Doc.Path == "":
		right.Put(p.Muted, "new")
	default:
		right.Put(p.Muted, "saved")
	}
	room := l.Room() - right.Column() - 3
	name := draw.Cut(draw.Clean(cmp.Or(s.Name, "(no name)")), room)
	l.Put(p.Strong, name).Put(p.Muted, unitAndAdjacency(s, room-draw.Width(name)))
	return l.FillTo(a.w-right.Column()-1).Raw(right.WithoutFill(), right.Column()).String()
}

// heading is a screen about something else than the scenario, which the header then names.
type heading interface{ Heading() kit.Heading }

// unitAndAdjacency names the unit and the adjacency: in fewer words if the width is small, then
// without what comes last.
func unitAndAdjacency(s *scenarios.Scenario, room int) string {
	var parts []string
	if s.Unit != "" {
		parts = append(parts, "unit: "+draw.Clean(s.Unit))
	}
	parts = append(parts, report.NeighboursOf(s.Adjacency).Short)
	if s.Rounds > 1 {
		parts = append(parts, report.FormatGiven(s.Rounds)+" rounds")
	}
	if s.Group > 1 {
		parts = append(parts, "groups of "+report.FormatGiven(s.Group))
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
	if a.screen == 0 && a.home.Lay.Slots[layout.Bounds].Visible() || !a.Doc.Scenario().Releases() {
		return
	}
	ink, mark := kit.Verdict(a.Pen, b, budget, a.Result.IsOpen())
	if a.Pending {
		ink = a.Pen.Stale
	}
	l.Put(ink, strings.TrimRight("ε = "+report.Upper(b.Epsilon)+" "+mark, " ")).Skip(2)
}
