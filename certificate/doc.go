// Package certificate is the format of a privacy claim that a stranger can check, and a checker of
// it that shares nothing with the accountants: it imports the standard library alone.
//
// A [Certificate] lists releases as named pairs of distributions with exact decimals, a δ, the ends
// that are claimed for ε, and choices that make the check narrow and quick. [Certificate.Check]
// believes nothing but the list of releases: it proves its own ends in integers, each rounded to
// its side, and compares. [Checker] returns a Python program that does the same, written
// independently, for those who would rather not believe a program about itself; docs/certificate.md
// has the theorem and the format.
//
// Package certify makes certificates; it may import report and everything below. No other feature imports either of
// them, and they import none.
package certificate
