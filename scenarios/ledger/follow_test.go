package ledger

import (
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// However a ledger is spent, what Follow makes of it step by step is what a fresh
// reading says.
func TestFollow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		terms := zcdp()
		terms.Blocks = "day"
		if rapid.Bool().Draw(rt, "window") {
			terms.Window = "48h"
		}
		f, clock := create(t, terms)
		followed := mustRead(t, f)
		var held []string
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			clock.add(time.Duration(rapid.IntRange(0, 30).Draw(rt, "hours")) * time.Hour)
			var err error
			switch what := rapid.SampledFrom([]string{"reserve", "commit", "cancel"}).Draw(rt, "what"); {
			case what == "reserve" || len(held) == 0:
				held = append(held, mustReserve(t, f, gaussian(t), []string{"mon", "tue"}[:rapid.IntRange(1, 2).Draw(rt, "blocks")]...))
			case what == "commit":
				_, err = f.Commit(held[0], nil, "")
				held = held[1:]
			default:
				_, err = f.Cancel(held[0], "it never ran")
				held = held[1:]
			}
			if err == nil && rapid.Bool().Draw(rt, "look") {
				followed, err = followed.Follow()
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		followed, err := followed.Follow()
		if err != nil {
			rt.Fatal(err)
		}
		fresh := mustRead(t, f)
		if followed.Head() != fresh.Head() || followed.size != fresh.size || followed.tail != fresh.tail {
			rt.Fatal("following ends elsewhere than reading")
		}
		have, want := followed.Balances(clock.now), fresh.Balances(clock.now)
		for i, b := range want {
			if have[i].Block != b.Block || have[i].Left.Cmp(b.Left) != 0 || have[i].Held.Cmp(b.Held) != 0 {
				rt.Fatalf("followed %v, read %v", have[i], b)
			}
		}
		if by := followed.Askers(); len(by) != 1 || by[0].Spent.Cmp(fresh.Askers()[0].Spent) != 0 {
			rt.Fatal("the askers differ")
		}
	})
}

// A file that was put in the place of the one followed is read as a whole, and what is
// wrong with it is told.
func TestFollowAnotherFile(t *testing.T) {
	f, _ := create(t, zcdp())
	mustReserve(t, f, gaussian(t))
	l := mustRead(t, f)
	other, clock := create(t, zcdp())
	clock.add(time.Second)
	mustReserve(t, other, gaussian(t))
	data, err := os.ReadFile(other.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err = l.Follow(); err != nil || l.Head() != mustRead(t, other).Head() {
		t.Fatal("the other file was not read:", err)
	}
	if open, err := Opening(f.Path); err != nil || open.Hash != l.Open.Hash {
		t.Errorf("the opening is %q, %v", open.Hash, err)
	}
	if err := os.WriteFile(f.Path, append(data, "{\"v\":1"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Follow(); err == nil {
		t.Error("a torn line was not told")
	}
}
