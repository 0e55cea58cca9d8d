package accounting

import (
	"errors"

	"epsiloscope/accounting/pld"
)

var errNoPair = errors.New("the numerical accountant does not know this release")

func purePair(float64) (pld.Pair, error)                 { return pld.Pair{}, errNoPair }
func approximatePair(float64, float64) (pld.Pair, error) { return pld.Pair{}, errNoPair }
func gaussianPair(float64) (pld.Pair, error)             { return pld.Pair{}, errNoPair }
func boundedRangePair(float64) (pld.Pair, error)         { return pld.Pair{}, errNoPair }
