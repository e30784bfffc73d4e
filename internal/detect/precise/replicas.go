// Replicas: weak stores by which warps of a block store the same values to the same words, as some compilers let them.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// replicas compares the values of the stores that SetReplicated names. A site differs once two of its stores to one
// address, between two barriers of the block, store different values, or when a value is not known. The model does not
// use it: a pair of such stores is a race all the same, and the report says of it that the values are equal
// (detect.Race.Replicated).
type replicas struct {
	sites   evidence.SiteSet                        // SetReplicated
	differs map[uint32]bool                         // sites
	blocks  map[uint64]map[uint32]map[uint64]uint64 // values that each block has stored since its latest barrier, by site and address
	event   abi.Event

	incomplete bool // the rest of the launch has not been seen
}

// SetReplicated sets the sites of weak stores that their compiler may let several warps execute alike.
func (d *Detector) SetReplicated(sites map[uint32]bool) {
	d.replicas.sites = nil
	if sites != nil {
		d.replicas.sites = evidence.NewSiteSet(sites)
	}
}

// fresh returns the state at the beginning of a launch.
func (r *replicas) fresh() replicas { return replicas{sites: r.sites} }

// observe records the stores of a batch.
func (r *replicas) observe(b *abi.Batch) {
	for i := range b.List {
		if x := &b.List[i]; !r.sites.Has(x.Site) {
			continue
		} else if len(b.Loops) > 0 {
			b.Each(&r.event, r.store)
			return
		} else if !r.differs[x.Site] {
			b.Event(x, &r.event)
			r.store(&r.event)
		}
	}
}

// store records the access of an event, if it is a store by one of the sites. Addresses are aligned, so that stores of
// one site overlap completely or not at all.
func (r *replicas) store(ev *abi.Event) {
	if !r.sites.Has(ev.Site) || r.differs[ev.Site] {
		return
	}
	if r.blocks == nil {
		r.blocks, r.differs = make(map[uint64]map[uint32]map[uint64]uint64), make(map[uint32]bool)
	}
	if r.blocks[ev.Block] == nil {
		r.blocks[ev.Block] = make(map[uint32]map[uint64]uint64)
	}
	stored := r.blocks[ev.Block][ev.Site]
	if stored == nil {
		stored = make(map[uint64]uint64)
		r.blocks[ev.Block][ev.Site] = stored
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if ev.Same>>lane&1 != 0 && ev.Valued && ev.New[lane] == ev.New[lane-1] {
			continue
		}
		before, again := stored[ev.Addr[lane]]
		if !ev.Valued || ev.Async != abi.Synchronous || again && before != ev.New[lane] {
			r.differs[ev.Site] = true
			return
		}
		stored[ev.Addr[lane]] = ev.New[lane]
	}
}

// separate forgets the stores of a block: a barrier of all its threads orders them before what follows.
func (r *replicas) separate(block uint64) {
	for _, stored := range r.blocks[block] {
		clear(stored)
	}
}

// end forgets a block that has ended.
func (r *replicas) end(block uint64) { delete(r.blocks, block) }

// mark says of the races which ones are between stores of equal values by one instruction.
func (r *replicas) mark(races []detect.Race) {
	for i := range races {
		x := &races[i]
		x.Replicated = x.First.Site == x.Second.Site && x.Kind == detect.IntraBlock && r.sites.Has(x.First.Site) &&
			!r.incomplete && !r.differs[x.First.Site]
	}
}
