// Relations between the events of an execution, as sets of bits.

package axioms

import "math/bits"

// maxEvents is the largest number of events of an execution.
const maxEvents = 64

// relation has, for each event, the set of events that it is related to.
type relation [maxEvents]uint64

func (r *relation) has(a, b int) bool { return r[a]>>b&1 != 0 }
func (r *relation) add(a, b int)      { r[a] |= 1 << b }

// close makes the relation of n events transitive.
func (r *relation) close(n int) {
	for k := range n {
		row := r[k]
		for a := range n {
			if r[a]>>k&1 != 0 {
				r[a] |= row
			}
		}
	}
}

// reflexive reports whether some event is related to itself.
func (r *relation) reflexive(n int) bool {
	for a := range n {
		if r.has(a, a) {
			return true
		}
	}
	return false
}

// acyclic reports whether the relation has no cycle. It closes the relation.
func (r *relation) acyclic(n int) bool {
	r.close(n)
	return !r.reflexive(n)
}

// join adds another relation.
func (r *relation) join(o *relation, n int) {
	for a := range n {
		r[a] |= o[a]
	}
}

// then returns the composition: a r x o b.
func (r *relation) then(o *relation, n int) *relation {
	var c relation
	for a := range n {
		for set := r[a]; set != 0; set &= set - 1 {
			c[a] |= o[bits.TrailingZeros64(set)]
		}
	}
	return &c
}

// each calls f for each pair.
func (r *relation) each(n int, f func(a, b int)) {
	for a := range n {
		for set := r[a]; set != 0; set &= set - 1 {
			f(a, bits.TrailingZeros64(set))
		}
	}
}
