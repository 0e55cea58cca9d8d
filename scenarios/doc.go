// Package scenarios is what a user saves: a stack of mechanisms with its budget,
// its unit and its adjacency, in a YAML file.
//
// Start with [Load] (or [LibraryInfos] for the embedded library), change the
// [Scenario] (directly, or by path and text with [Scenario.Set]), ask [Evaluate]
// what it costs (or package plan what would fit), and [Scenario.Save] it. Decoding is
// strict and reports every error of a file with line, column and field; saving
// keeps the comments, order and formatting of whatever did not change.
//
// It may import mechanisms, accounting and the readers of files in internal; it knows neither reports nor any feature.
//
// # The file
//
// A scenario file is YAML with these fields; version and stack are required, and
// a stack may be empty.
//
//	version: 1
//	name, description, unit: text
//	adjacency: add-remove | replace | zero-out (add-remove)
//	budget: {epsilon: ε, delta: δ}             either may be left out
//	alpha: auto | a Rényi order above 1        (auto)
//	rounds: how often the whole stack is run   (1, up to 1e12)
//	group: records one person may contribute   (1)
//	records: how many units the data has       for the review of δ
//	claim: {epsilon, delta, by, text}          what is said of the releases, for a review
//	answers: {POINT: text}                     answers to questions of a review
//	deployment: who publishes what, for a register of deployments: [Deployment]
//	stack: a list of entries
//	expect: bounds to reproduce, {method, epsilon, tolerance, source}
//
// An entry has a mechanism with its parameters, as declared in the catalogue of
// package mechanisms, or parallel, a list of branches of which each is a list of
// entries; and label, count (1, up to 1e12), sampling: {rate: q}, weight and typical
// (for dividing a budget: no bound depends on them) and disabled
// (false: true keeps the entry in the file and leaves it out of the cost). A number
// holds for the scenario's adjacency; an entry may claim more of it with also:
// add-remove or also: {add-remove: NUMBER}, and a block with moves: never. An entry
// may say what is asked, query: {kind: histogram, max_groups: 3, per_group: 5}, from
// which its sensitivity follows ([query.Query]), and a block in how many branches one
// person can be, max_branches.
//
// A program that evaluates the same scenario again and again, with one knob
// turned, keeps an [Evaluator]. One that only runs the same entries more or less often prices them once,
// by [Evaluator.Price].
package scenarios
