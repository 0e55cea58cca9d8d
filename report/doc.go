// Package report puts an evaluated scenario into words. The command line and the explorer
// print what this package and those below it return, so a number that appears twice is computed
// once.
//
// [Nearest] and [Upper] write numbers, [Answer] and [Verdict] the result in a line, [Explain]
// and [NewStatement] put it into words, [NewPerson] says what it means for a person in the
// data. Package sheet writes tables in every format, package chart holds the charts.
//
// It may import scenarios and everything below. It imports no feature (teach, exchange, ledger, certificate): a feature
// declares its own sheets and texts, on top of this package. Only package share, where features meet, imports them.
package report
