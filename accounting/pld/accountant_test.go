package pld_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// entries returns 45 lines: Laplace, sampled Gaussian and sampled Laplace noise, Gaussians and
// randomized response; move changes one of them.
func entries(move float64) []pairs.Part {
	var parts []pairs.Part
	for i := range 15 {
		x := float64(i)
		scale := 0.01 + 0.003*x
		if i == 7 {
			scale += move
		}
		parts = append(parts,
			pairs.Part{Pair: pairs.Laplace(scale), Count: 10},
			pairs.Part{Pair: pairs.Subsample(0.01+0.001*x, pairs.Gaussian(0.7+0.01*x)), Count: 50},
			pairs.Part{Pair: pairs.Subsample(0.05+0.002*x, pairs.Laplace(0.3)), Count: 5})
	}
	return parts
}

// After one entry of many has changed only its values are computed, and the answers are
// those of an accountant that knows nothing.
func TestOneEntryChanged(t *testing.T) {
	ctx := context.Background()
	a := new(pld.Accountant)
	if _, err := pld.Epsilon(pld.NewContext(ctx, a), entries(0), 1e-6, pld.Options{}); err != nil {
		t.Fatal(err)
	}
	all := a.Computed()
	for k := range gauge.Cases(2, 5) {
		parts := entries(1e-4 * float64(k+1))
		before := a.Computed()
		got, err := pld.Epsilon(pld.NewContext(ctx, a), parts, 1e-6, pld.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if more := a.Computed() - before; more > all/10 {
			t.Errorf("change %d: %d values computed, %d for all 45 entries", k, more, all)
		}
		fresh, err := pld.Epsilon(ctx, parts, 1e-6, pld.Options{})
		if err != nil || got.Lower != fresh.Lower || got.Upper != fresh.Upper {
			t.Errorf("change %d: [%v, %v], from nothing [%v, %v], %v", k, got.Lower, got.Upper, fresh.Lower, fresh.Upper, err)
		}
	}
}

// What the cache counts is what it holds: 4,000 small losses, of which a few values each are computed, stay in it.
// When whole blocks of values were counted in advance, they drove each other out.
func TestManyEntriesStay(t *testing.T) {
	a := new(pld.Accountant)
	ctx := pld.NewContext(context.Background(), a)
	parts := make([]pairs.Part, 4000)
	for i := range parts {
		parts[i] = pairs.Part{Pair: pairs.Laplace(0.001 + 1e-6*float64(i)), Count: 10}
	}
	if _, err := pld.Epsilon(ctx, parts, 1e-6, pld.Options{}); err != nil {
		t.Fatal(err)
	}
	all := a.Computed()
	parts[0].Pair = pairs.Laplace(0.001005)
	if _, err := pld.Epsilon(ctx, parts, 1e-6, pld.Options{}); err != nil {
		t.Fatal(err)
	}
	if more := a.Computed() - all; more > all/100 {
		t.Errorf("%d values computed after one change, %d for all entries", more, all)
	}
}

// What an accountant was asked before, and by how many at once, changes no answer.
func TestAnswersWithoutMemory(t *testing.T) {
	shared := new(pld.Accountant)
	ctx := pld.NewContext(context.Background(), shared)
	var wg sync.WaitGroup
	for g := range uint64(3) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(g, 5))
			for range gauge.Cases(2, 15) {
				s := drawStack(r.Uint64N(40))
				if len(s.parts) == 0 {
					continue
				}
				a, errA := pld.Epsilon(ctx, s.parts, s.delta, s.option)
				b, errB := pld.Epsilon(context.Background(), s.parts, s.delta, s.option)
				if errA != nil || errB != nil || a.Lower != b.Lower || a.Upper != b.Upper {
					t.Errorf("[%v, %v] %v, alone [%v, %v] %v\n\t%s", a.Lower, a.Upper, errA, b.Lower, b.Upper, errB, s.text)
				}
			}
		}()
	}
	wg.Wait()
}

// What was asked before costs nothing, whoever asks; another δ, width, count or note is another question.
func TestAnswersAreKept(t *testing.T) {
	a := new(pld.Accountant)
	ctx := pld.NewContext(context.Background(), a)
	pair := pairs.Subsample(0.01, pairs.Gaussian(0.9))
	kept := 0
	noted := func(note string) pairs.Pair { return pairs.Bracket(pair, pairs.Gaussian(0.001), note) }
	for _, c := range []struct {
		part   pairs.Part
		delta  float64
		option pld.Options
		kept   bool
	}{
		{pairs.Part{Pair: pair, Count: 1000}, 1e-6, pld.Options{}, false},
		{pairs.Part{Pair: pair, Count: 1000}, 1e-6, pld.Options{}, true},
		{pairs.Part{Pair: pair, Count: 1000}, 1e-6, pld.Options{Width: pld.DefaultWidth}, true},
		{pairs.Part{Pair: pair, Count: 1000}, 1e-6, pld.Options{Width: 1e-9}, false},
		{pairs.Part{Pair: pair, Count: 1000}, 1e-9, pld.Options{}, false},
		{pairs.Part{Pair: pair, Count: 1001}, 1e-6, pld.Options{}, false},
		{pairs.Part{Pair: noted("one"), Count: 1000}, 1e-6, pld.Options{}, false},
		{pairs.Part{Pair: noted("two"), Count: 1000}, 1e-6, pld.Options{}, false},
		{pairs.Part{Pair: noted("two"), Count: 1000}, 1e-6, pld.Options{}, true},
	} {
		yields := 0
		var last pld.Interval
		err := pld.Refine(ctx, []pairs.Part{c.part}, c.delta, c.option, func(i pld.Interval) bool {
			yields++
			last = i
			return true
		})
		fresh, errFresh := pld.Epsilon(context.Background(), []pairs.Part{c.part}, c.delta, c.option)
		if err != nil || errFresh != nil || last != fresh {
			t.Errorf("%+v, %v: %+v, from nothing %+v, %v", c.part, c.delta, last, fresh, err)
		}
		if grew := a.Kept() > kept; grew == c.kept || c.kept && yields != 1 {
			t.Errorf("%+v, %v: %d intervals kept, before %d; yielded %d times", c.part, c.delta, a.Kept(), kept, yields)
		}
		kept = a.Kept()
	}
}

// Memory stays bounded whatever passes through.
func TestBoundedMemory(t *testing.T) {
	a := new(pld.Accountant)
	r := rand.New(rand.NewPCG(1, 8))
	most := 0
	for range gauge.Cases(40, 80) {
		parts := []pairs.Part{
			{Pair: pairs.Subsample(math.Exp(-2-6*r.Float64()), pairs.Gaussian(0.5+r.Float64())), Count: 1000},
			{Pair: pairs.Laplace(0.1 * r.Float64()), Count: 20},
		}
		if _, err := pld.Epsilon(pld.NewContext(context.Background(), a), parts, 1e-6, pld.Options{}); err != nil {
			t.Fatal(err)
		}
		most = max(most, a.Bytes())
	}
	if most > 32<<20 || most < 1<<18 {
		t.Errorf("%d bytes kept", most)
	}
}

// A context that ends stops the work at once: few values are computed before it is asked
// again, and none after it has said no; on the way out every caller asks once more.
func TestStopsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		parts []pairs.Part
		delta float64
	}{
		"45 entries":   {entries(0), 1e-6},
		"DP-SGD":       {[]pairs.Part{{Pair: pairs.Subsample(1e-4, pairs.Gaussian(1/0.6)), Count: 1e5}}, 1e-7},
		"few and far":  {[]pairs.Part{{Pair: pairs.Subsample(1e-5, pairs.Gaussian(1/0.8)), Count: 100}}, 1e-20},
		"a finer mesh": {[]pairs.Part{{Pair: pairs.Allocation(100, 1), Count: 1}}, 1e-6},
	} {
		whole := gauge.LookedAt(math.MaxInt64)
		if _, err := pld.Epsilon(whole, c.parts, c.delta, pld.Options{}); err != nil {
			t.Fatal(err)
		}
		asked := whole.Looks.Load()
		for _, part := range gauge.Some(5, []int64{3, 1, 7, 9, 0}) {
			pairs.Forget()
			ctx := gauge.LookedAt(asked * part / 10)
			_, err := pld.Epsilon(ctx, c.parts, c.delta, pld.Options{})
			if !errors.Is(err, context.Canceled) || ctx.After() > 10 {
				t.Errorf("%s, stopped after %d of %d looks: %v, looked %d times more", name, asked*part/10, asked, err, ctx.After())
			}
		}
	}
}

func BenchmarkOneOf45Changed(b *testing.B) {
	ctx := context.Background()
	for _, width := range []float64{1e-4, 1e-6} {
		opt := pld.Options{Width: width}
		b.Run(fmt.Sprintf("from nothing, %g", width), func(b *testing.B) {
			for i := range b.N {
				if _, err := pld.Epsilon(ctx, entries(1e-7*float64(i+1)), 1e-6, opt); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("one changed, %g", width), func(b *testing.B) {
			ctx := pld.NewContext(ctx, new(pld.Accountant))
			if _, err := pld.Epsilon(ctx, entries(0), 1e-6, opt); err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			for i := range b.N {
				if _, err := pld.Epsilon(ctx, entries(1e-7*float64(i+1)), 1e-6, opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
