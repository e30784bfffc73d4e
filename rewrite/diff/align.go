// Alignment of two sequences.

package diff

import (
	"iter"
	"slices"
	"sort"
)

// match says that a[a:a+n] equals b[b:b+n].
type match struct{ a, b, n int }

// Limits of the exact algorithm, in cells of its table. They make the cost of align linear in the length of its
// arguments. They are counts rather than times, so that the result is the same on every machine.
const (
	smallProblem = 1 << 16 // solved exactly at once
	largeProblem = 1 << 24 // never solved exactly
	cellsPerItem = 1 << 10 // of all problems that are not small
	maxItems     = 1 << 20 // of both sides of a problem solved exactly
	maxDepth     = 48      // depth of divisions
)

// align finds a long common subsequence of a and b: runs of equal items, in order.
//
// Small problems are solved exactly, for the fewest differences. Large ones are divided at items that occur once in
// both sides ("patience" diff), or failing that equally often. A problem that can neither be divided nor solved exactly
// within the limits gets no matches.
func align(a, b []uint32) []match {
	l := aligner{a: a, b: b, budget: cellsPerItem * (len(a) + len(b))}
	l.solve(0, len(a), 0, len(b), 0)
	return l.out
}

type aligner struct {
	a, b   []uint32
	budget int
	out    []match
}

// match records a run, and joins it to the previous one if they touch.
func (l *aligner) match(a, b, n int) {
	if n == 0 {
		return
	}
	if k := len(l.out) - 1; k >= 0 && l.out[k].a+l.out[k].n == a && l.out[k].b+l.out[k].n == b {
		l.out[k].n += n
		return
	}
	l.out = append(l.out, match{a, b, n})
}

// solve aligns a[a0:a1] with b[b0:b1].
func (l *aligner) solve(a0, a1, b0, b1, depth int) {
	head := 0
	for a0+head < a1 && b0+head < b1 && l.a[a0+head] == l.b[b0+head] {
		head++
	}
	l.match(a0, b0, head)
	a0, b0 = a0+head, b0+head
	tail := 0
	for a0 < a1-tail && b0 < b1-tail && l.a[a1-1-tail] == l.b[b1-1-tail] {
		tail++
	}
	if a1-tail > a0 && b1-tail > b0 {
		l.middle(a0, a1-tail, b0, b1-tail, depth)
	}
	l.match(a1-tail, b1-tail, tail)
}

// middle aligns a range after equal items at both ends have been removed.
func (l *aligner) middle(a0, a1, b0, b1, depth int) {
	cells := (a1 - a0) * (b1 - b0)
	if cells > smallProblem && depth < maxDepth {
		if at := l.anchors(a0, a1, b0, b1); len(at) > 0 {
			for _, m := range at {
				l.solve(a0, m.a, b0, m.b, depth+1)
				l.match(m.a, m.b, 1)
				a0, b0 = m.a+1, m.b+1
			}
			l.solve(a0, a1, b0, b1, depth+1)
			return
		}
	}
	if cells > smallProblem {
		if cells > min(largeProblem, l.budget) || a1-a0+b1-b0 > maxItems {
			return
		}
		l.budget -= cells
	}
	for _, m := range exact(l.a[a0:a1], l.b[b0:b1]) {
		l.match(a0+m.a, b0+m.b, m.n)
	}
}

// places holds the positions of an item.
type places struct {
	a, b []int32
}

// anchors returns pairs of items that can be taken as equal, ascending on both sides.
func (l *aligner) anchors(a0, a1, b0, b1 int) []match {
	at := make(map[uint32]*places, a1-a0)
	for i := a0; i < a1; i++ {
		p := at[l.a[i]]
		if p == nil {
			p = &places{}
			at[l.a[i]] = p
		}
		p.a = append(p.a, int32(i))
	}
	for i := b0; i < b1; i++ {
		if p := at[l.b[i]]; p != nil {
			p.b = append(p.b, int32(i))
		}
	}
	for _, most := range []int{1, len(l.a)} {
		var pairs []match
		for i := a0; i < a1; i++ {
			p := at[l.a[i]]
			if len(p.a) == len(p.b) && len(p.a) <= most {
				pairs = append(pairs, match{i, int(p.b[sort.Search(len(p.a),
					func(k int) bool { return int(p.a[k]) >= i })]), 1})
			}
		}
		if len(pairs) > 0 {
			return rising(pairs)
		}
	}
	return nil
}

// rising returns a longest subsequence of pairs, which ascend in a, that ascends in b too.
func rising(pairs []match) []match {
	var tops []int // index of the pair that ends the best sequence of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		k := sort.Search(len(tops), func(k int) bool { return pairs[tops[k]].b >= p.b })
		before[i] = -1
		if k > 0 {
			before[i] = tops[k-1]
		}
		if k == len(tops) {
			tops = append(tops, i)
		} else {
			tops[k] = i
		}
	}
	out := make([]match, 0, len(tops))
	for i := tops[len(tops)-1]; i >= 0; i = before[i] {
		out = append(out, pairs[i])
	}
	slices.Reverse(out)
	return out
}

// size returns the number of pairs.
func size(matches []match) int {
	n := 0
	for _, m := range matches {
		n += m.n
	}
	return n
}

// each yields the pairs.
func each(matches []match) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		for _, m := range matches {
			for k := range m.n {
				if !yield(m.a+k, m.b+k) {
					return
				}
			}
		}
	}
}
