// Package cli is the command line: it reads arguments, asks package scenarios,
// and prints what package report makes of the answer. No figure is computed here.
//
// [Main] is the whole program without its process: tests call it with their own
// input and output.
//
// It may import every other package; here features meet.
package cli
