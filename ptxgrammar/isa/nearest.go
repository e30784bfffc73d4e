// The most similar known name, for suggestions.

package isa

import (
	"cmp"
	"iter"
	"strings"
)

// maxTypo is the length of the longest word for which suggestions are made. Longer words are names mangled by a
// compiler.
const maxTypo = 64

// maxEdits is the maximum number of changed letters in a suggestion.
const maxEdits = 3

// Nearest returns the candidate that results from word by the fewest insertions, deletions, replacements and swaps of
// neighbours. Of equals, it returns the one with the longest common prefix, then the alphabetically first, so that the
// candidates' order does not matter. It returns "" when more than a third of the word or more than three letters would
// change. It is for "did you mean" hints in error messages.
func Nearest(word string, candidates iter.Seq[string]) string {
	if len(word) > maxTypo {
		return ""
	}
	best, bestDistance := "", max(1, min(len(word)/3, maxEdits))+1
	for c := range candidates {
		if c == word || max(len(c)-len(word), len(word)-len(c)) > bestDistance {
			continue
		}
		d := editDistance(word, c)
		if d < bestDistance || d == bestDistance && best != "" && closer(word, c, best) {
			best, bestDistance = c, d
		}
	}
	return best
}

// closer reports whether a is the better of two candidates at the same distance.
func closer(word, a, b string) bool {
	return cmp.Or(cmp.Compare(commonPrefix(word, b), commonPrefix(word, a)), strings.Compare(a, b)) < 0
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// editDistance returns the number of insertions, deletions, replacements and swaps of neighbours.
func editDistance(a, b string) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			change := prev[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			cur[j] = min(change, prev[j]+1, cur[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
