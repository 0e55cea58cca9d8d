package param

import "strings"

// Nearest returns the name in the list closest to a mistyped one by edit distance, or
// "" if none is close enough to be worth asking about.
func Nearest(name string, list []string) string {
	name = strings.ToLower(name)
	best, bestDistance := "", len(name)/3+2
	for _, candidate := range list {
		if d := editDistance(name, candidate, bestDistance); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// editDistance returns the Levenshtein distance, or limit if it is at least that: a
// name of ten thousand characters costs no more than its length difference.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return min(row[len(b)], limit)
}
