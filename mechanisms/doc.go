// Package mechanisms holds the differentially private mechanisms themselves: their
// parameters, what one run promises, the noise they add and how useful the answer
// still is.
//
// Start with [Catalogue], which lists every mechanism with its declared
// parameters, and [New], which builds one from values. [Entries] turns a mechanism
// into what the accountants of package accounting compose.
//
// What a mechanism can say beyond its cost is found by interface: [Noisy] for the
// noise it adds (and [Answers] for the answers of two neighbours), [Selector] for which
// candidate it picks, [Additive] for what its variance costs; [ErrorOf] is the error of
// its answers. Each is also a plain struct with exported parameters, for
// programs that need no catalogue: Laplace{Epsilon: 0.5, Sensitivity: 1}. Programs
// above this package do not ask for a mechanism by name: they ask what it can do ([As]).
//
// Each mechanism is one file that declares its parameters once, in its [Spec]. The
// scenario decoder, the editing form, the --set flag and the documentation table
// all read that declaration.
//
// It may import accounting, internal/yamltree and what is below them; it knows no scenario.
package mechanisms
