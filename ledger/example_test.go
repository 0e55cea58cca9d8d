package ledger_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"epsiloscope/ledger"
	"epsiloscope/scenarios"
)

// A ledger promises ε = 1. Two releases of ε = 0.4 are granted; a third one would break the promise and is refused.
func Example() {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	f := ledger.NewFile(filepath.Join(dir, "counts.ledger"))
	open := ledger.Record{Unit: "person", Adjacency: "add-remove", Promise: &ledger.Promise{Epsilon: "1", Delta: "0", Filter: "basic"}}
	if _, err := f.Create(context.Background(), open, nil, 0); err != nil {
		fmt.Println(err)
		return
	}
	request, err := scenarios.Parse("", []byte("version: 1\nunit: person\nstack:\n  - {mechanism: laplace, epsilon: 0.4}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		id, _, err := f.Reserve(request, nil, "analyst", "a count")
		if err == nil {
			_, err = f.Commit(id, nil, "")
		}
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// <nil>
	// refused: Σε would come to 1.2, above the budget of 1
}
