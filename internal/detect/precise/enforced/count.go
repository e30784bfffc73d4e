// Waits for a count, which only a complete set of additions reaches.

package enforced

import (
	"cmp"
	"fmt"
	"slices"
)

// addends is how often writes add an amount.
type addends struct {
	amount uint64
	times  int
}

// addendsOf returns what writes add, by amount.
func (x *verification) addendsOf(list []Access) (out []addends) {
	for i := range list {
		amount := x.of(list[i].New - list[i].Old)
		n, found := slices.BinarySearchFunc(out, amount, func(a addends, amount uint64) int {
			return cmp.Compare(a.amount, amount)
		})
		if !found {
			out = slices.Insert(out, n, addends{amount: amount})
		}
		out[n].times++
	}
	return out
}

// partial returns a value with the sum of each part of some addends added, without that of all; ok is false if there
// are too many.
func partial(value uint64, all []addends) (sums []uint64, ok bool) {
	sums = []uint64{value}
	for _, a := range all {
		if len(sums)*(a.times+1) > maxSums {
			return nil, false
		}
		for _, s := range sums[:len(sums):len(sums)] {
			for n := 1; n <= a.times; n++ {
				sums = append(sums, s+uint64(n)*a.amount)
			}
		}
	}
	return sums[:len(sums)-1], true // the last one is the sum of all
}

// total returns a value with some addends added.
func total(value uint64, all []addends) uint64 {
	for _, a := range all {
		value += uint64(a.times) * a.amount
	}
	return value
}

// count verifies a wait at a location to which threads only add: the condition is false as long as a write of open is
// missing, and true from then on.
func (x *verification) count() bool {
	for i := range x.later {
		if !x.followsAll(&x.later[i], x.open) {
			return false
		}
	}
	value := total(x.from, x.addendsOf(x.before))
	open, later := x.addendsOf(x.open), x.addendsOf(x.later)
	inputs, ok := x.inputsOf()
	if !ok {
		return false
	}
	key := fmt.Sprint(x.Site, x.exit, value, open, later, inputs)
	known, found := x.known[key]
	if !found {
		known = x.counts(value, open, later, inputs)
		x.known[key] = known
	}
	return known
}

// counts is the part of count that evaluates the condition, for each of some inputs.
func (x *verification) counts(value uint64, open, later []addends, inputs [][]uint64) bool {
	early, ok := partial(value, open)
	value = total(value, open)
	late, also := partial(value, later)
	if !ok || !also || (len(early)+len(late)+1)*len(inputs) > maxSums {
		return false
	}
	late = append(late, total(value, later))
	for _, in := range inputs {
		if slices.ContainsFunc(early, func(v uint64) bool { return !x.goesOn(v, in) }) ||
			slices.ContainsFunc(late, func(v uint64) bool { return !x.ends(v, in) }) {
			return false
		}
	}
	return true
}

// inputsOf returns the inputs of the condition that other schedules may have: those that are results of an addition
// by the thread depend on which others came before it.
func (x *verification) inputsOf() (list [][]uint64, ok bool) {
	list = [][]uint64{x.inputs}
	for i, site := range x.Own {
		if site == 0 {
			continue
		}
		results, ok := x.results(site, x.inputs[i])
		if !ok || len(list) > 1 || len(results) > maxSums {
			return nil, false
		}
		list = list[:0]
		for _, r := range results {
			in := slices.Clone(x.inputs)
			in[i] = r
			list = append(list, in)
		}
	}
	return list, true
}

// results returns the results that the thread's latest addition by an instruction may have in other schedules. In the
// run it was result.
func (x *verification) results(site uint32, result uint64) ([]uint64, bool) {
	own := -1
	for i := range x.before {
		if w := &x.before[i]; w.Thread == x.Thread && w.Site == site {
			own = i
		}
	}
	if own < 0 || x.before[own].Old != x.of(result) {
		return nil, false
	}
	by := &x.before[own]
	var before, other []Access
	for i, w := range slices.Concat(x.before, x.open, x.later) {
		switch {
		case i < own && x.follows(by, &w):
			before = append(before, w)
		case i != own && (i < own || !x.follows(&w, by)):
			other = append(other, w)
		}
	}
	first, rest := total(x.from, x.addendsOf(before)), x.addendsOf(other)
	sums, ok := partial(first, rest)
	for i := range sums {
		sums[i] = x.of(sums[i])
	}
	return append(sums, x.of(total(first, rest))), ok
}
