package ledger

import (
	"context"
	"fmt"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/internal/gauge"
)

// Only blocks whose sums no other covers are asked; every other one grants what these grant, and none has less left.
func TestFullBlocksDecide(t *testing.T) {
	gauge.Check(t, gauge.Cases(30, 500), func(rt *rapid.T) {
		kind := rapid.SampledFrom([]adaptive.Kind{adaptive.Mixture, adaptive.ZCDP}).Draw(rt, "filter")
		f, _ := create(t, Promise{Filter: kind, Epsilon: "3", Delta: "1e-6", Blocks: "city"})
		l := mustRead(t, f)
		var names []string
		for i := range rapid.IntRange(1, 8).Draw(rt, "blocks") {
			name := fmt.Sprint("city ", i)
			names = append(names, name)
			a := l.account(name)
			for range rapid.IntRange(0, 3).Draw(rt, "releases") {
				// at small orders one costs more, at large orders the other
				s := scenarioOf(t, rapid.SampledFrom([]string{"{mechanism: laplace, epsilon: 0.5}", "{mechanism: gaussian, sigma: 3}", "{mechanism: laplace, epsilon: 0.01}"}).Draw(rt, "release"))
				a.spent = a.spent.Plus(must(l.Filter.Price(must(l.Entries(must(newRequest(s)))))))
			}
		}
		cost := must(l.Filter.Price(must(l.Entries(must(newRequest(scenarioOf(t, "{mechanism: laplace, epsilon: 0.4}")))))))
		n := big.NewInt(int64(rapid.IntRange(0, 6).Draw(rt, "copies")))
		grants, most := true, new(big.Int)
		for _, b := range names {
			grants = grants && l.Filter.Fits(l.total(b).Plus(cost.Times(n))) == nil
			if spent := l.Filter.Spent(l.account(b).sum()); spent.Cmp(most) > 0 {
				most = spent
			}
		}
		if err := l.checkFits(cost.Times(n), names); (err == nil) != grants {
			rt.Fatalf("%s: all blocks together grant: %t, yet %v", kind, grants, err)
		}
		if b := l.bindingBlock(names, adaptive.Cost{}); l.Filter.Spent(l.account(b).sum()).Cmp(most) != 0 {
			rt.Fatalf("%s: %q binds, and another has less left", kind, b)
		}
	})
}

// counted counts what a filter is asked.
type counted struct {
	adaptive.Filter
	asked *int
}

func (c counted) Fits(sum adaptive.Cost) error {
	*c.asked++
	return c.Filter.Fits(sum)
}

func (c counted) Spent(sum adaptive.Cost) *big.Int {
	*c.asked++
	return c.Filter.Spent(sum)
}

// To show a ledger takes no more questions to its filter with 300 blocks than with 3, if their sums grow alike: a
// question to a mixture of orders takes long.
func TestManyBlocksTakeFewQuestions(t *testing.T) {
	questions := func(blocks int) (asked int) {
		f, s := manyBlocks(t, 1, 30, func(i int) (list []string) {
			for j := range blocks {
				if j <= i*blocks/20 {
					list = append(list, fmt.Sprint("city ", j))
				}
			}
			return list
		})
		l := mustRead(t, f)
		l.Filter = counted{l.Filter, &asked}
		l.Status(context.Background(), time.Now())
		if _, err := l.Ask(s, l.Blocks(), "", time.Now()); err != nil {
			t.Fatal(err)
		}
		return asked
	}
	if few, many := questions(3), questions(300); many > 2*few {
		t.Errorf("%d questions with 3 blocks, %d with 300", few, many)
	}
}
