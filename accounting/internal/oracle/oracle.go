// Package oracle says what privacy figures truly are, slowly and by the shortest
// route, so that tests can hold the accountants against it. It shares no code with
// them: closed forms are evaluated in 320-bit arithmetic (numbers.go, forms.go,
// curves.go), composed losses by listing outcomes (law.go), many equal releases by
// the binomial recurrence (binomial.go).
//
// Start with [Law]: a list of outcomes of one mechanism on two neighbouring data
// sets. Whatever an attacker does with outcomes, such as throwing several into one
// bin, can only lose information; so a binned law bounds the truth from below, and
// a bound that lies under it is wrong.
package oracle
