// Which undecided pairs a report lists, where there are very many.

package analysis

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxListed limits the undecided pairs without a witness that a report lists, so that each of its formats is written
// within the seconds that a command has for that after its time limit. Proofs count all pairs.
const maxListed = 5_000

// list leaves out undecided pairs beyond maxListed. Each kernel keeps the first of its own, up to a number that is the
// same for all.
func (out *Outcome) list() {
	open := func(f *finding) bool { return f.pair.Verdict == static.Possible && f.pair.Witness == nil }
	of := make(map[*rewrite.Func]int)
	for _, f := range out.found {
		if open(f) {
			of[f.kernel]++
		}
	}
	most, left := share(of, maxListed), 0
	clear(of)
	out.found = slices.DeleteFunc(out.found, func(f *finding) bool {
		if !open(f) {
			return false
		}
		of[f.kernel]++
		if of[f.kernel] > most {
			left++
			return true
		}
		return false
	})
	if left > 0 {
		out.Report.Notes = append(out.Report.Notes,
			fmt.Sprintf("%d undecided pairs are not listed: the report has the first %d of each kernel", left, most))
	}
}

// share returns the largest number, from 1 on, for which the sum of the counts is within a limit if none exceeds that
// number.
func share(of map[*rewrite.Func]int, limit int) int {
	var counts []int
	for _, n := range of {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	for i, n := range counts {
		if most := limit / (len(counts) - i); n > most {
			return max(most, 1)
		}
		limit -= n
	}
	return max(limit, 1)
}
