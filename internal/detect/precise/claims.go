// What the verdict about a launch depends on, in other schedules.

package precise

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

var _ detect.Claiming = (*Detector)(nil)

// Dependences implements detect.Claiming. It finds out nothing unless Options.Claims or Enforced is set.
func (d *Detector) Dependences() (list []detect.Dependence, undecided string) {
	switch {
	case !d.opts.Claims && !d.opts.Enforced:
		return nil, "the dependences are not recorded"
	case d.parts != nil:
		list, undecided = d.parts.dependences, d.parts.undecided
	case d.opts.Claims:
		list, undecided = d.phases.Reasons()
	}
	x := d.unordered()
	list, undecided = slices.Concat(list, x.list), cmp.Or(x.undecided, undecided)
	if d.Overflowed {
		undecided = cmp.Or(undecided, "the rest of the launch is not checked")
	}
	slices.SortFunc(list, func(a, b detect.Dependence) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Sink, b.Sink), cmp.Compare(a.What, b.What))
	})
	return slices.Compact(list), undecided
}

// OrderDependent returns, after End of a detector of enforced order, the sites of strong accesses whose values, or what
// they leave in memory, depend on the order of threads.
func (d *Detector) OrderDependent() map[uint32]bool {
	return d.unordered().sites
}

// First returns, after End of a detector of enforced order, the sites of polls that may come before all strong writes
// to what they read.
func (d *Detector) First() map[uint32]bool { return d.unordered().first }

// unorderedAccesses is what the strong accesses of a launch depend on that enforced order does not order.
type unorderedAccesses struct {
	list      []detect.Dependence
	sites     map[uint32]bool
	first     map[uint32]bool
	undecided string
}

// unordered returns what the strong accesses of the launch depend on. It looks once.
func (d *Detector) unordered() *unorderedAccesses {
	x := &d.enforced
	if x.found == nil {
		x.found = new(unorderedAccesses)
		if x.launch != nil {
			x.found.list, x.found.sites, x.found.undecided = x.launch.Finish()
			x.found.first = x.launch.First
		}
		if len(d.Losses) > 0 {
			x.found.undecided = d.Losses[0]
		}
		x.found.undecided = cmp.Or(x.stopped, x.found.undecided)
	}
	return x.found
}
