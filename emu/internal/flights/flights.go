// Completion of asynchronous operations: copies, tensor operations, barrier objects.

package flights

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/tensor"
)

// refuseUnsubmitted raises a fault for an operation that its thread has not submitted when its block ends.
func refuseUnsubmitted(x *state.Engine, c *state.CTA) {
	for _, w := range c.Warps {
		for _, f := range w.Flights {
			if f.Kind == state.FlightFabric {
				faults.Fail(x, w, f.Lane, f.At, "mbarrier", 0,
					"the block ends before the thread has submitted this operation with fabric.submit")
				return
			}
		}
	}
}

func run(t *state.Transfer, x *state.Engine) {
	x.Wrote()
	if t.Sixes {
		tensor.PackSixes(t.To, t.From)
		return
	}
	if t.Swap != 0 {
		for u := range len(t.To) / tensor.Unit {
			copy(t.To[(u^t.Swap)*tensor.Unit:][:tensor.Unit], t.From[u*tensor.Unit:])
		}
		return
	}
	if t.Combine == nil {
		clear(t.To[copy(t.To, t.From):])
		return
	}
	for k := 0; k < len(t.To); k += t.Elem.Size() {
		p := unsafe.Pointer(&t.To[k])
		state.Poke(p, t.Elem, t.Combine(state.Peek(p, t.Elem), state.Peek(unsafe.Pointer(&t.From[k]), t.Elem)))
	}
}

// State returns the bytes that the operation occupies while it is in flight.
func State(f *state.Flight) uint64 {
	return f.Copied + uint64(unsafe.Sizeof(state.Flight{})) + uint64(len(f.Parts))*uint64(unsafe.Sizeof(state.Transfer{}))
}

// Complete completes an operation in flight of a thread of w.
func Complete(x *state.Engine, w *state.Warp, f *state.Flight) *diag.Violation {
	if f.Kind == state.FlightCommit {
		completeTensor(x, w.CTA, f.Op)
	}
	if f.Work != nil {
		if bad := f.Work(); bad != nil {
			return bad
		}
	}
	if f.To != nil {
		run(&f.Transfer, x)
	}
	for i := range f.Parts {
		run(&f.Parts[i], x)
	}
	if f.Signal == nil {
		return nil
	}
	lane, bytes, arrives := f.Lane, f.Bytes, f.Kind == state.FlightArrive || f.Kind == state.FlightCommit
	if f.Kind == state.FlightArrive {
		CompleteSome(x, w, func(g *state.Flight) bool { return g.Kind == state.FlightCopy && g.Lane == lane })
	}
	events.EmitAsyncDone(x, w, f)
	return Update(x, w.CTA.Cluster, f.Signal, func(b *mbar.Object) *diag.Violation {
		if arrives {
			return b.Arrive(mbar.Arrival{Count: 1})
		}
		if bad := report(f, b); bad != nil {
			return bad
		}
		return b.Done(uint32(min(bytes, mbar.MaxCount+1)))
	})
}

// report reports to the mbarrier b what the operation has found in its sources.
func report(f *state.Flight, b *mbar.Object) *diag.Violation {
	found := func(t *state.Transfer) bool { return t.Source != 0 && f.Looks.In(t.Source, t.From) }
	switch {
	case !f.Looks.Looks():
		return nil
	case !b.V1:
		return diag.Violationf("mbarrier",
			"a copy that reports what it finds completes on an mbarrier of layout::v0, expected layout::v1")
	case found(&f.Transfer), slices.ContainsFunc(f.Parts, func(t state.Transfer) bool { return found(&t) }):
		return b.ReportOn(0)
	}
	return nil
}

// Read copies the sources now, so that f does not depend on later writes to them.
func Read(f *state.Flight) {
	f.From = bytes.Clone(f.From)
	f.Copied = uint64(len(f.From))
	for i := range f.Parts {
		f.Parts[i].From = bytes.Clone(f.Parts[i].From)
		f.Copied += uint64(len(f.Parts[i].From))
	}
}

// CompleteSome completes the operations in flight of a warp for which wanted returns true, in the order in which they
// began. It reports whether there were any.
func CompleteSome(x *state.Engine, w *state.Warp, wanted func(f *state.Flight) bool) bool {
	if !slices.ContainsFunc(w.Flights, wanted) {
		return false
	}
	var due []*state.Flight
	w.Flights = slices.DeleteFunc(w.Flights, func(f *state.Flight) bool {
		if !wanted(f) {
			return false
		}
		due = append(due, f)
		return true
	})
	for _, f := range due {
		faults.Unclaim(x, State(f))
		if bad := Complete(x, w, f); bad != nil {
			faults.Fail(x, w, f.Lane, f.At, bad.Class, 0, bad.Msg)
		}
	}
	return true
}

// CompleteSignals completes the operations in flight in the cluster that complete on the mbarrier at p, for which a
// thread waits.
func CompleteSignals(x *state.Engine, p *uint64) {
	if !x.M.Cfg.LateAsync && !x.M.Fabric {
		return
	}
	for _, c := range x.CTA.Cluster.Blocks {
		if c != nil {
			completeBlock(x, c, func(f *state.Flight) bool { return f.Signal == p && f.Kind != state.FlightFabric })
		}
	}
}

// completeBlock completes the operations in flight of a block's threads for which wanted returns true. It reports
// whether there were any.
func completeBlock(x *state.Engine, c *state.CTA, wanted func(f *state.Flight) bool) bool {
	found := false
	for _, w := range c.Warps {
		if len(w.Flights) > 0 && CompleteSome(x, w, wanted) {
			found = true
		}
	}
	return found
}

// CompleteAll completes all operations in flight that may complete. It reports whether there were any.
func CompleteAll(x *state.Engine) bool {
	found := false
	for _, c := range x.L.Resident {
		if completeBlock(x, c, func(f *state.Flight) bool { return f.Kind != state.FlightFabric }) {
			found = true
		}
	}
	return found
}

// CompleteCluster completes the operations in flight of a cluster before one of its blocks ends: they may access the
// shared memory of that block.
func CompleteCluster(x *state.Engine, cl *state.Cluster) {
	for _, c := range cl.Blocks {
		if c != nil {
			refuseUnsubmitted(x, c)
			completeBlock(x, c, func(*state.Flight) bool { return true })
		}
	}
}

// Update calls f with the mbarrier at p in a block of a cluster and writes it back.
func Update(x *state.Engine, cl *state.Cluster, p *uint64, f func(b *mbar.Object) *diag.Violation) *diag.Violation {
	b, ok := mbar.Unpack(*p)
	if !ok {
		return memory.NoObject(cl, p)
	}
	if bad := f(&b); bad != nil {
		return bad
	}
	if w := b.Pack(); w != *p {
		e := memory.EntryOf(cl, p)
		if e == nil { // data that looks like an object
			return memory.NoObject(cl, p)
		}
		*p, e.Used = w, true
		x.Wrote()
	}
	return nil
}

// EndTensor is called when a block ends: all of its tensor memory must have been deallocated.
func EndTensor(x *state.Engine, c *state.CTA) {
	t := &c.Tensor
	if t.Memory == nil {
		return
	}
	if n := t.Leaks(); n > 0 && x.Fault == nil {
		faults.Fail(x, t.Warp, 0, t.At, "tensor-memory", 0, diag.Plural(n,
			"column")+" of tensor memory not deallocated when the block ends")
	}
	t.Reset()
	*t = state.TensorBlock{Memory: t.Memory}
}

// PeerOf returns the other block of a block's pair, nil if there is none or it has ended.
func PeerOf(c *state.CTA) *state.CTA {
	if blocks, rank := c.Cluster.Blocks, int(c.Rank^1); rank < len(blocks) {
		return blocks[rank]
	}
	return nil
}

// completeTensor completes the operations in flight of a block and its peer that began before the operation with the
// given number.
func completeTensor(x *state.Engine, c *state.CTA, before uint64) {
	type one struct {
		w *state.Warp
		f *state.Flight
	}
	var due []one
	for _, b := range []*state.CTA{c, PeerOf(c)} {
		if b == nil {
			continue
		}
		for _, w := range b.Warps {
			w.Flights = slices.DeleteFunc(w.Flights, func(f *state.Flight) bool {
				is := f.Kind == state.FlightTensor && f.Op < before
				if is {
					due = append(due, one{w, f})
				}
				return is
			})
		}
	}
	slices.SortFunc(due, func(p, q one) int { return int(int64(p.f.Op - q.f.Op)) })
	for _, d := range due {
		faults.Unclaim(x, State(d.f))
		if bad := Complete(x, d.w, d.f); bad != nil {
			faults.Fail(x, d.w, d.f.Lane, d.f.At, bad.Class, 0, bad.Msg)
		}
	}
}
