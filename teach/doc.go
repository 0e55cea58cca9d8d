// Package teach holds what the lectures teach: the decks and their topics, labs, proofs, exercises, the guided
// start, and closed forms as slides print them. Each is a package of its own.
//
// They may import report, scenarios and everything below, and no other feature; report imports none of them.
package teach
