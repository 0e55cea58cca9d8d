package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/pgserver"
	"epsiloscope/scenarios"
)

// player plays a program on one store and notes what was decided, with the ids of the reservations by their number.
type player struct {
	f     *Stored
	ids   []string
	known []*Ledger
	said  []string
}

func (p *player) note(err error) {
	text := "done"
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		text = "refused: " + refused.Refusal
	case err != nil:
		text = err.Error()
	}
	p.said = append(p.said, p.anonymous(text))
}

// anonymous replaces what two stores cannot have in common.
func (p *player) anonymous(text string) string {
	text = strings.ReplaceAll(text, p.f.Path, "LEDGER")
	for i, id := range p.ids {
		text = strings.ReplaceAll(text, id, fmt.Sprintf("ID%d", i))
	}
	return text
}

func (p *player) reserve(s *scenarios.Scenario, command bool) {
	p.f.Command = command
	id, l, err := p.f.Reserve(s, nil, "", "")
	if err == nil {
		p.ids, p.known = append(p.ids, id), append(p.known, l)
	}
	p.note(err)
}

func (p *player) finish(i int, success bool) {
	var status *int
	if success {
		status = new(int)
	}
	before := len(p.known[i].Records)
	l, found, err := p.f.Finish(p.ids[i], p.known[i], status)
	p.learn(l, before)
	p.note(err)
	p.said = append(p.said, p.anonymous(found))
}

func (p *player) commit(i int) {
	l, err := p.f.Commit(p.ids[i], nil, "")
	p.learn(l, 0)
	p.note(err)
}

// learn names reservations that were charged again.
func (p *player) learn(l *Ledger, from int) {
	if l == nil {
		return
	}
	for _, r := range l.Records[min(from, len(l.Records)):] {
		if r.From == "" || l.reservations[r.ID] == nil || strings.Contains(strings.Join(p.ids, " "), r.ID) {
			continue
		}
		p.ids, p.known = append(p.ids, r.ID), append(p.known, l)
	}
}

// lines returns the records without times, ids, nonces, places and hashes.
func (p *player) lines(t *rapid.T) (list []string) {
	l, err := p.f.Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range l.Records {
		if r.From != "" {
			r.From = "a line"
		}
		r.At, r.Nonce, r.Prev, r.Hash, r.Home = "", "", "", "", ""
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p.anonymous(string(text)))
	}
	return list
}

// One random program of requests, commits, cancellations and killed processes has the same decisions and leaves the
// same lines in a file and on a server, and never grants more than the promise.
func TestFileAndServerDecideAlike(t *testing.T) {
	server := pgserver.SharedServer(t)
	requests := map[string]*scenarios.Scenario{}
	for _, epsilon := range []string{"0.05", "0.3", "0.6"} {
		requests[epsilon] = scenarioOf(t, laplace(t, epsilon))
	}
	gauge.Check(t, gauge.Cases(3, 40), func(rt *rapid.T) {
		folder := filepath.Join(t.TempDir(), "case")
		n := served(t, server, basic("1"))
		file := NewStored(&FileStore{Path: filepath.Join(t.TempDir(), "case.ledger"), state: folder})
		if _, err := file.Create(context.Background(), opening(basic("1")), nil, 0); err != nil {
			rt.Fatal(err)
		}
		players := []*player{{f: file}, {f: at(t, n, "steward")}}
		for range rapid.IntRange(3, 14).Draw(rt, "steps") {
			action := rapid.SampledFrom([]string{"reserve", "reserve", "finish", "fail", "commit", "cancel", "force", "give back"}).Draw(rt, "action")
			epsilon := rapid.SampledFrom([]string{"0.05", "0.3", "0.6"}).Draw(rt, "ε")
			command := rapid.Bool().Draw(rt, "command")
			which := rapid.IntRange(0, 9).Draw(rt, "which")
			for _, p := range players {
				if len(p.ids) == 0 {
					action = "reserve"
				}
				i := 0
				if len(p.ids) > 0 {
					i = which % len(p.ids)
				}
				switch action { // a process that was reserved and is never named again was killed
				case "reserve":
					p.reserve(requests[epsilon], command)
				case "finish", "fail":
					p.finish(i, action == "finish")
				case "commit":
					p.commit(i)
				case "cancel", "force":
					_, err := p.f.Cancel(p.ids[i], "never read", action == "force")
					p.note(err)
				case "give back":
					_, err := p.f.GiveBack(p.ids[i])
					p.note(err)
				}
			}
			a, b := players[0].said, players[1].said
			if fmt.Sprint(a) != fmt.Sprint(b) {
				rt.Fatalf("%s:\nfile:   %q\nserver: %q", action, a, b)
			}
		}
		a, b := players[0].lines(rt), players[1].lines(rt)
		if strings.Join(a, "\n") != strings.Join(b, "\n") {
			rt.Fatalf("file:\n%s\nserver:\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
	})
}
