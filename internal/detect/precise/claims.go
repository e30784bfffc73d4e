// What a verdict depends on.

package precise

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

var _ detect.Claiming = &Detector{}

// Dependences implements detect.Claiming. It finds out nothing unless Options.Claims is set.
func (d *Detector) Dependences() (list []detect.Dependence, undecided string) {
	switch {
	case !d.opts.Claims:
		return nil, "the dependences are not recorded"
	case d.parts != nil:
		list, undecided = d.parts.dependences, d.parts.undecided
	default:
		list, undecided = d.phases.Reasons()
	}
	if d.Overflowed {
		undecided = "the rest of the launch is not checked"
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b detect.Dependence) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Sink, b.Sink), cmp.Compare(a.What, b.What))
	})
	return slices.Compact(list), undecided
}
