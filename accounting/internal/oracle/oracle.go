// Package oracle computes exact privacy guarantees, slowly and by the shortest
// route, so that tests can hold the accountants against it. It shares no code with
// them. Outside its own tests it is the arithmetic of 320 bits that all of it rests on, for
// the tests of other packages.
//
// Its test files are of two kinds. Those of package oracle compute: closed forms and Rényi
// divergences in full precision (closed_test.go, renyi_test.go), composed losses by listing
// outcomes (distribution_test.go), many equal releases by the binomial recurrence (binomial_test.go),
// mechanisms on small data sets and attacks on them (kernel_test.go, query_test.go,
// attack_test.go, spend_test.go). Those of package oracle_test compare.
//
// Start with LossDistribution: a list of outcomes of one mechanism on two neighbouring data
// sets. Whatever an attacker does with outcomes, such as throwing several into one
// bin, can only lose information; so a binned distribution bounds the truth from below, and
// a bound that lies under it is wrong.
package oracle
