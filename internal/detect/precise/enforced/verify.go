// Whether waits end in every schedule as they have ended.

package enforced

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Limits of what is looked at to verify waits.
const (
	maxSums        = 1_000_000   // evaluations of a condition for one read
	maxComparisons = 200_000_000 // comparisons of accesses for a launch
	maxWrites      = 200_000     // writes of a launch that waits may read
)

// Finish returns, at the end of the launch, the reasons why memory or the end of a wait depends on the order, and the
// sites of accesses whose values, or what they leave in memory, do. Undecided is why something was not found out.
func (l *Launch) Finish() (list []detect.Dependence, dependent map[uint32]bool, undecided string) {
	list, dependent = slices.Clone(l.changes), maps.Clone(l.dependent)
	v := verifier{launch: l, known: make(map[string]bool)}
	if l.writes > maxWrites {
		return list, dependent, fmt.Sprintf("how waits end: more than %d writes", maxWrites)
	}
	failed, waits := map[uint32]bool{}, map[uint32]bool{}
	for _, e := range l.epochs {
		for i := range e.ends {
			r := &e.ends[i]
			if failed[r.Site] {
				continue
			}
			settled, ok := v.verify(e, r)
			if v.comparisons > maxComparisons {
				return list, dependent, fmt.Sprintf("how waits end: more than %d comparisons", maxComparisons)
			}
			for _, own := range r.Only {
				waits[own] = true
			}
			if !ok {
				failed[r.Site], dependent[r.Site] = true, true
				list = append(list, detect.Dependence{
					On: detect.OnOrder, Seed: r.Site, What: "which write ends the wait at {seed}",
				})
			} else if !settled && r.exit.Used {
				dependent[r.Site] = true
			}
		}
	}
	if len(failed) == 0 {
		maps.DeleteFunc(dependent, func(site uint32, _ bool) bool { return waits[site] })
	}
	return list, dependent, ""
}

// verifier verifies waits.
type verifier struct {
	launch      *Launch
	comparisons int
	known       map[string]bool // results of counts
}

// verification is what is known of one read that has ended a wait. Another schedule may execute, before the read, the
// writes in before and any of those in open and later, if with each of them all those that are ordered before it.
type verification struct {
	*verifier
	*epoch
	*end
	from   uint64   // value before all these
	before []Access // ordered before the read
	open   []Access // made before the wait was over, and not ordered with the read
	later  []Access // made from then on, and not ordered with the read
}

// verify reports whether a wait ends in every schedule as it has ended, and whether with the same value. The argument
// is an induction over the reads that end waits, in the order of another schedule: up to the first of them that ends
// in another way, the writes so far are a set that is closed under the order that holds in every schedule. So it is
// enough to look at all such sets: the condition must be false for all that lack a write of open, else the read would
// be ordered after fewer writes; and true for all others, else the thread might wait forever. The values that the
// writes store or add are taken to be the same in every schedule: a value that is not decides, through the condition,
// a branch.
func (v *verifier) verify(e *epoch, r *end) (settled, ok bool) {
	if e.unknown || e.at.foreign {
		return false, false
	}
	x := &verification{verifier: v, epoch: e, end: r, from: e.base}
	for i := range e.writes {
		w := &e.writes[i]
		switch {
		case i < r.behind && v.follows(&r.Access, w):
			x.before = append(x.before, *w)
		case i < r.over:
			x.open = append(x.open, *w)
		case i < r.behind || !v.follows(w, &r.Access):
			x.later = append(x.later, *w)
		}
	}
	if len(x.before) == 0 {
		v.launch.First[r.Site] = true
	}
	x.cut()
	if x.adds(x.before) && x.adds(x.open) && x.adds(x.later) {
		ok = x.count()
	} else {
		ok = x.flag()
	}
	return len(x.later) == 0, ok
}

// follows reports whether an access is ordered after an earlier one.
func (v *verifier) follows(a, earlier *Access) bool {
	v.comparisons++
	return a.follows(earlier.Thread, earlier.At)
}

// allFollow reports whether all accesses of a list are ordered after an earlier one.
func (v *verifier) allFollow(list []Access, earlier *Access) bool {
	return !slices.ContainsFunc(list, func(x Access) bool { return !v.follows(&x, earlier) })
}

// followsAll reports whether an access is ordered after all of a list.
func (v *verifier) followsAll(a *Access, list []Access) bool {
	return !slices.ContainsFunc(list, func(x Access) bool { return !v.follows(a, &x) })
}

// cut leaves out the writes up to the last store that is ordered with all others: its value is what they find.
func (x *verification) cut() {
	for i := len(x.before) - 1; i >= 0; i-- {
		w := &x.before[i]
		if w.Reads {
			continue
		}
		if x.followsAll(w, x.before[:i]) && x.allFollow(x.before[i+1:], w) && x.allFollow(x.open, w) &&
			x.allFollow(x.later, w) {
			x.from, x.before = w.New, x.before[i+1:]
		}
		return
	}
}

// adds reports whether writes are integer additions.
func (x *verification) adds(list []Access) bool {
	return !slices.ContainsFunc(list, func(w Access) bool {
		return !w.Reads || x.launch.operations[w.Site].Kind != Add
	})
}

// ends reports whether a wait that reads a value goes on as it did in the run.
func (x *verification) ends(value uint64, inputs []uint64) bool {
	to := x.after(x.of(value), inputs)
	return to.Known && to.To == x.exit.To
}

// goesOn reports whether a wait that reads a value reads again.
func (x *verification) goesOn(value uint64, inputs []uint64) bool {
	to := x.after(x.of(value), inputs)
	return to.Known && to.To == Again
}

// flag verifies a wait for one write: the last one in open, which is ordered after all others. Without open writes, the
// value that the read finds is there in any case.
func (x *verification) flag() bool {
	if slices.ContainsFunc(x.Own, func(site uint32) bool { return site != 0 }) {
		return false
	}
	value := x.from
	if n := len(x.before); n > 0 {
		last := &x.before[n-1]
		if !x.followsAll(last, x.before[:n-1]) {
			return false
		}
		value = last.New
	}
	if len(x.open) == 0 {
		return x.remains(nil) && x.ends(value, x.inputs)
	}
	n := len(x.open) - 1
	by := &x.open[n]
	earlier := slices.Concat(x.before, x.open[:n])
	return x.followsAll(by, earlier) && x.goesOn(value, x.inputs) && x.ends(by.New, x.inputs) && x.remains(by) &&
		!slices.ContainsFunc(x.open[:n], func(w Access) bool {
			return w.Reads && !x.isOrdered(&w, earlier) || !x.goesOn(w.New, x.inputs)
		})
}

// isOrdered reports whether a write is ordered with all of a list: what it leaves in memory is the same in every
// schedule.
func (x *verification) isOrdered(w *Access, list []Access) bool {
	return !slices.ContainsFunc(list, func(y Access) bool { return !x.follows(w, &y) && !x.follows(&y, w) })
}

// remains reports whether the condition holds for the values of all later writes. After a write by which the wait ends,
// these must be by the same thread: then each of them releases what that write releases. A store does not release what
// others have released by the writes that a read-modify-write has read.
func (x *verification) remains(by *Access) bool {
	return !slices.ContainsFunc(x.later, func(w Access) bool {
		return !x.ends(w.New, x.inputs) || by != nil && (w.Thread != by.Thread || by.Reads && !w.Reads) ||
			w.Reads && !x.isOrdered(&w, x.later)
	})
}
