package ledger

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/scenarios"
)

// long writes a ledger of n records, as many requests and commits would.
func long(t testing.TB, n int) *Stored {
	t.Helper()
	f, _ := create(t, basicTerms(1e6, 0))
	l := mustRead(t, f)
	cost := map[string]*Amounts{}
	var data []byte
	for i := 0; len(l.Records) < n; i++ {
		epsilon := fmt.Sprintf("0.%03d", 1+i%97)
		r := Record{Kind: KindReserve, ID: fmt.Sprintf("id%06d", i), By: "stats-team", Why: "weekly table 4 of the survey, by region and age",
			Request: Request{Stack: []byte(`[{"mechanism":"laplace","label":"counts by region","epsilon":` + epsilon + `}]`)}}
		if cost[epsilon] == nil {
			entries, err := l.Entries(r.Request)
			if err != nil {
				t.Fatal(err)
			}
			c, err := l.Filter.Price(entries)
			if err != nil {
				t.Fatal(err)
			}
			cost[epsilon] = amounts(l.Filter, c)
		}
		r.Cost = cost[epsilon]
		r.After = amounts(l.Filter, l.account("").sum().Plus(r.Cost.Cost))
		for _, r := range []Record{r, {Kind: KindCommit, ID: r.ID}} {
			line, err := f.sealNext(l, r)
			if err != nil {
				t.Fatal(err)
			}
			data = append(data, line...)
		}
	}
	file, err := os.OpenFile(f.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(data); err != nil {
		t.Fatal(err)
	}
	return f
}

// Asking a ledger of 100,000 records: read, hashed, replayed, summed, priced.
func BenchmarkAsk(b *testing.B) {
	f := long(b, 100_000)
	s := pureOf(b, "0.1")
	info, _ := os.Stat(f.Path)
	b.SetBytes(info.Size())
	b.ResetTimer()
	defer reportComputing(b)()
	for b.Loop() {
		l, err := Read(f.Path)
		if err != nil {
			b.Fatal(err)
		}
		if a, err := l.Ask(s, nil, "", time.Now()); err != nil || !a.Fits {
			b.Fatal(a, err)
		}
	}
}

// reportComputing measures the time of computing, whatever else the machine does.
func reportComputing(b *testing.B) (done func()) {
	before := computing()
	return func() { b.ReportMetric((computing()-before).Seconds()/float64(b.N), "cpu-s/op") }
}

// Asking a mixture of orders with blocks, after 1,000 reservations that read two blocks each.
func BenchmarkAskMixture(b *testing.B) {
	f, _ := create(b, Promise{Filter: adaptive.Mixture, Epsilon: "30", Delta: "1e-6", Alpha: "4",
		Orders: formatNumbers(adaptive.DefaultOrders), Blocks: "city"})
	s := scenarioOf(b, "{mechanism: gaussian, sigma: 40}")
	l := mustRead(b, f)
	entries, err := l.Entries(must(newRequest(s)))
	if err != nil {
		b.Fatal(err)
	}
	cost, err := l.Filter.Price(entries)
	if err != nil {
		b.Fatal(err)
	}
	var data []byte
	for i := range 1000 {
		blocks := []string{fmt.Sprintf("city %d", i%40), fmt.Sprintf("town %d", i%37)}
		r := Record{Kind: KindReserve, ID: fmt.Sprintf("id%06d", i), Blocks: blocks, Request: must(newRequest(s)),
			Cost: amounts(l.Filter, cost)}
		r.After = amounts(l.Filter, l.account(blocks[0]).sum().Plus(cost))
		for _, r := range []Record{r, {Kind: KindCommit, ID: r.ID}} {
			data = append(data, must(f.sealNext(l, r))...)
		}
	}
	old, err := os.ReadFile(f.Path)
	if err != nil {
		b.Fatal(err)
	}
	writeFile(b, f.Path, append(old, data...))
	b.ResetTimer()
	defer reportComputing(b)()
	for b.Loop() {
		l, err := Read(f.Path)
		if err != nil {
			b.Fatal(err)
		}
		if a, err := l.Ask(s, []string{"city 1", "town 3"}, "", time.Now()); err != nil || !a.Fits {
			b.Fatal(a, err)
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// manyBlocks writes a ledger of a mixture of orders in which n reservations of some kinds read some blocks each.
func manyBlocks(b testing.TB, some, n int, blocks func(i int) []string) (*Stored, *scenarios.Scenario) {
	f, _ := create(b, Promise{Filter: adaptive.Mixture, Epsilon: "30", Delta: "1e-6", Alpha: "4",
		Orders: formatNumbers(adaptive.DefaultOrders), Blocks: "city"})
	l := mustRead(b, f)
	var kinds []*scenarios.Scenario
	var costs []adaptive.Cost
	for i := range some {
		s := scenarioOf(b, fmt.Sprintf("{mechanism: gaussian, sigma: %d}", 40+i))
		kinds, costs = append(kinds, s), append(costs, must(l.Filter.Price(must(l.Entries(must(newRequest(s)))))))
	}
	var data []byte
	for i := range n {
		k := i * i % len(kinds)
		r := Record{Kind: KindReserve, ID: fmt.Sprintf("id%06d", i), Blocks: blocks(i),
			Request: must(newRequest(kinds[k])), Cost: amounts(l.Filter, costs[k])}
		r.After = amounts(l.Filter, l.sumWith(r.Blocks, costs[k]))
		for _, r := range []Record{r, {Kind: KindCommit, ID: r.ID}} {
			data = append(data, must(f.sealNext(l, r))...)
		}
	}
	old, err := os.ReadFile(f.Path)
	if err != nil {
		b.Fatal(err)
	}
	writeFile(b, f.Path, append(old, data...))
	return f, kinds[0]
}

// Asking, showing and listing the blocks of a mixture of orders with hundreds of blocks, of which every one of 1,000
// reservations reads two, or 200: none may take much longer than asking.
func BenchmarkManyBlocks(b *testing.B) {
	city := func(i int) string { return fmt.Sprintf("city %d", i) }
	for size, blocks := range map[string]func(i int) []string{
		"two": func(i int) []string { return []string{city(i % 250), city(250 + i*i%251)} },
		"200": func(i int) (list []string) {
			for j := range 200 {
				list = append(list, city((i*i+j)%400))
			}
			return list
		},
	} {
		f, s := manyBlocks(b, 300, 1000, blocks)
		for _, c := range []struct {
			name string
			do   func(l *Ledger)
		}{
			{"read", func(*Ledger) {}},
			{"ask", func(l *Ledger) { must(l.Ask(s, blocks(1), "", time.Now())) }},
			{"status", func(l *Ledger) { l.Status(context.Background(), time.Now()) }},
			{"history", func(l *Ledger) { must(l.History("city 1", 400)) }},
			{"balances", func(l *Ledger) { l.Balances(time.Now()) }},
		} {
			b.Run(size+"/"+c.name, func(b *testing.B) {
				defer reportComputing(b)()
				for b.Loop() {
					c.do(must(f.Read()))
				}
			})
		}
	}
}
