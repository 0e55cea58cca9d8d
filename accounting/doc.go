// Package accounting bounds what a stack of differentially private releases costs.
//
// A [Release] is the guarantee of one run of a mechanism, under every privacy notion in which it is
// known. A stack is a list of [Entry]. Each theorem of the literature is a
// [Method] that turns a stack and a [Target] into a [Bound]; start with [Compare],
// which asks all of them, and [Methods], which says what each states and where.
//
// [PureDP], [ApproximateDP], [ConcentratedDP], [GaussianDP], [BoundedRangeDP] and
// [RenyiPoints] are releases of which one guarantee is known; [Subsample], [GroupPrivacy],
// [AddRemoveToReplace], [Parallel] and [Composite] make releases of releases. [Solve] goes the
// other way, from a budget to a parameter.
//
// Two rules hold throughout. A bound errs upward, never downward. A theorem that
// cannot use a stack says why; it does not guess, and it never answers NaN.
//
// It may import the packages below it and nothing else of the module: no mechanism, no file format, no screen.
package accounting
