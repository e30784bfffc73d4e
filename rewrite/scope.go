package rewrite

import (
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// scope is one brace-enclosed region: names declared in it hide those outside.
type scope struct {
	parent *scope
	names  map[string]Symbol
	ranges []*ptxgrammar.Var // register ranges: %r<10> declares %r0 to %r9
}

// add declares a name and reports whether it was free in this scope.
func (s *scope) add(name string, sym Symbol) bool {
	if s.names[name] != nil || s.inRange(name) != nil {
		return false
	}
	if s.names == nil {
		s.names = make(map[string]Symbol)
	}
	s.names[name] = sym
	return true
}

// addRange declares a register range and reports whether its prefix was free in
// this scope.
func (s *scope) addRange(v *ptxgrammar.Var) bool {
	for _, r := range s.ranges {
		if r.Name == v.Name {
			return false
		}
	}
	for name := range s.names {
		if inRange(v, name) {
			return false
		}
	}
	s.ranges = append(s.ranges, v)
	return true
}

// inRange returns the range of this scope that declares name.
func (s *scope) inRange(name string) *ptxgrammar.Var {
	for _, r := range s.ranges {
		if inRange(r, name) {
			return r
		}
	}
	return nil
}

// inRange reports whether a register range declares name: its prefix followed by
// a decimal number below the count, without leading zeros.
func inRange(r *ptxgrammar.Var, name string) bool {
	digits, ok := strings.CutPrefix(name, r.Name)
	if !ok || digits == "" || digits[0] == '0' && len(digits) > 1 {
		return false
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	return err == nil && n < uint64(r.Count)
}

// closest returns the candidate that is most probably meant by a misspelt name,
// "" when none is near: at most a third of the letters, and never more than
// three, inserted, deleted, replaced or swapped.
func closest(name string, candidates func(yield func(string) bool)) string {
	best, bestDist := "", min(len(name)/3, 3)+1
	if len(name) > 64 {
		return "" // mangled: nobody typed that
	}
	for c := range candidates {
		if c == name || abs(len(c)-len(name)) > bestDist {
			continue
		}
		if d := editDistance(name, c); d < bestDist || d == bestDist && best != "" && c < best {
			best, bestDist = c, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours between a and b.
func editDistance(a, b string) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		cur[0] = i + 1
		for j := range len(b) {
			d := prev[j]
			if a[i] != b[j] {
				d++
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			cur[j+1] = min(d, prev[j+1]+1, cur[j]+1)
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

func abs(n int) int { return max(n, -n) }
