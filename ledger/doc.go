// Package ledger keeps a ledger: an append-only file that records every release, and refuses a
// request that would break the promise in its first record. It decides and records; other tools
// make the releases.
//
// [Stored.Create] opens a ledger with a [Promise]. [Stored.Reserve] is called before the data are
// touched, [Stored.Commit] after the release. [Read] replays a file into a [Ledger];
// [Ledger.Ask] decides on a request without writing.
//
// It may import report, scenarios and everything below, and no other feature.
//
// # The file
//
// The file is UTF-8 with one JSON object per line. Lines are only appended. Every line has its
// number, the hash of the line before it and its own hash: SHA-256 over its bytes without the
// hash. A reader who has kept the hash of some line (a head) detects any edit or change of order
// before it. The file alone does not show that its last lines were removed. The kinds of lines
// are listed at [Kind].
//
// Costs are whole multiples of 1e-15 of the filter's quantity, and of 1e-40 of δ, rounded up: their
// sums are exact. Where ε is a quotient of what was written, the part of a unit that rounding has added is kept
// beside it, so that three costs of a third add up to 1.
package ledger
