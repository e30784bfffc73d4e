// Launches of which detectors watch only some blocks.

package session

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/observe"
)

// sampled identifies launches of a kernel with the same numbers of blocks and of watched blocks.
type sampled struct {
	kernel string
	observe.Sample
}

// sample counts a launch of which only some blocks are watched.
func (r *run) sample(b *boundLaunch) {
	of := sampled{b.kernel.Name, observe.SampleOf(atLeastOne(b.Grid), atLeastOne(b.Block), r.s.opts.MaxThreads)}
	if of.First == 0 {
		return
	}
	if r.samples == nil {
		r.samples = make(map[sampled]int)
	}
	if r.samples[of] == 0 {
		r.sampleOrder = append(r.sampleOrder, of)
	}
	r.samples[of]++
}

// sampleNotes returns notes about what was left out.
func (r *run) sampleNotes() (list []string) {
	for _, of := range r.sampleOrder {
		times := "1 launch"
		if n := r.samples[of]; n > 1 {
			times = fmt.Sprintf("%d launches", n)
		}
		first := "the first block"
		if of.First > 1 {
			first = fmt.Sprintf("the first %d blocks", of.First)
		}
		list = append(list, fmt.Sprintf("%s: %s with %d blocks: of the accesses only those of %s and the last one were watched, for the limit of %d threads",
			of.kernel, times, of.Blocks, first, r.s.opts.MaxThreads))
	}
	return list
}
