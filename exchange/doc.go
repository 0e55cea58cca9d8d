// Package exchange holds what enters from other tools and leaves for them: their records, the numbers that they
// print, and clients that call this program. Each is a package of its own.
//
// They may import report, scenarios and everything below, and no other feature; report imports none of them.
package exchange
