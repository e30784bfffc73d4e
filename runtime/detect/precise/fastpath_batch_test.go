package precise_test

import (
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// batcher hands accesses to a detector many at a time.
type batcher struct {
	d       abi.Receiver
	classes map[abi.AccessClass]*abi.AccessClass
	batch   abi.Batch
}

// add adds the access of an event to the batch, and reports whether it is one for batches.
func (b *batcher) add(ev *abi.Event) bool {
	if ev.Kind != abi.EventAccess || ev.Async != abi.Synchronous {
		return false
	}
	if b.batch.Block != ev.Block || b.batch.Warp != ev.Warp {
		b.flush()
	}
	s := abi.AccessClass{
		Site: ev.Site, Bytes: ev.Bytes, Scalar: ev.Scalar, Space: ev.Space, Access: ev.Access, Atomic: ev.Atomic, Sem: ev.Sem,
		Scope: ev.Scope, Proxy: ev.Proxy, Wide: ev.Wide, Reduces: ev.Reduces,
	}
	if b.classes[s] == nil {
		b.classes[s] = &s
	}
	b.batch.Block, b.batch.Cluster, b.batch.Warp, b.batch.Live = ev.Block, ev.Cluster, ev.Warp, ev.Live
	a := abi.Access{AccessClass: b.classes[s], Mask: ev.Mask, Next: ev.Next, Same: ev.Same, Wrote: ev.Wrote}
	lanes := lanesOf(ev.Mask)
	if first := lanes[0]; ev.Mask == ev.Next|1<<first {
		a.Base, a.Step = ev.Addr[first]-uint64(first)*uint64(ev.Bytes), uint64(ev.Bytes)
	} else if ev.Mask == ev.Same|1<<first {
		a.Base = ev.Addr[first]
	} else if step, even := evenly(ev, lanes); even {
		a.Base, a.Step = ev.Addr[first]-uint64(first)*step, step
	} else {
		addr := ev.Addr
		a.Addr = &addr
	}
	if ev.Valued {
		written, found := ev.New, ev.Old
		a.New, a.Old = &written, &found
	}
	b.batch.List = append(b.batch.List, a)
	return true
}

// evenly is the difference between the addresses of neighbours, and whether it is the same for all lanes.
func evenly(ev *abi.Event, lanes []int) (step uint64, even bool) {
	first := lanes[0]
	step = (ev.Addr[lanes[1]] - ev.Addr[first]) / uint64(lanes[1]-first)
	for _, lane := range lanes[1:] {
		if ev.Addr[lane] != ev.Addr[first]+uint64(lane-first)*step {
			return 0, false
		}
	}
	return step, true
}

// flush hands over what there is.
func (b *batcher) flush() {
	if len(b.batch.List) > 0 {
		b.d.Accesses(&b.batch)
	}
	b.batch.List = b.batch.List[:0]
}
