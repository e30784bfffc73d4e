// The recorder of a loop iteration: which words a spinning group reads.

package emu

import (
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// roundRecorder records the words that a group accesses in one iteration of the loop in which it
// spins. It is a Listener that forwards all events to the listener of the launch. An iteration
// that does more than access memory, or accesses more than maxWords words, cannot be recorded.
type roundRecorder struct {
	Listener
	x      *engine
	outer  Listener // nil for none
	failed bool     // the iteration cannot be recorded
	words  []watchedWord
}

const (
	maxWords  = 64 // that a group may watch
	maxPoints = 64 // scheduling points that a round may have
)

// begin starts recording the running group, which stands at the head of the loop.
func (t *roundRecorder) begin(x *engine) {
	t.x, t.outer, t.failed, t.words = x, x.listener, false, nil
	t.Listener = t.outer
	if t.outer == nil {
		t.Listener = NopListener{}
	}
	x.listener, x.all, x.recording = t, true, true
}

// end stops recording.
func (t *roundRecorder) end() {
	t.x.listener, t.x.all, t.x.recording = t.outer, false, false
}

// Access implements Listener.
func (t *roundRecorder) Access(ev *AccessEvent) {
	if t.outer != nil && t.x.interest.needsAccess(ev.Inst, ev.Space) {
		t.outer.Access(ev)
	}
	if ev.Async != Synchronous || ev.Size == 0 || ev.Size > len(watchedWord{}.val)*8 {
		t.failed = true
	}
	if ev.Space == isa.SpaceConst {
		return
	}
	for m := lanes(ev.Mask &^ ev.Same); m != 0 && !t.failed; m &= m - 1 {
		t.note(ev.Space, ev.Addrs[m.first()], uint64(ev.Size))
	}
}

// note adds a word.
func (t *roundRecorder) note(space isa.Space, addr, size uint64) {
	w := watchedWord{size: size}
	data, off := t.x.cta.shared, addr-gmem.SharedWindow
	if space == isa.SpaceGlobal {
		if w.of = t.x.m.mem.Find(addr); w.of == nil {
			t.failed = true
			return
		}
		data, off = w.of.Data, addr-w.of.Base
	}
	if n := uint64(len(data)); off > n || size > n-off || len(t.words) == maxWords {
		t.failed = true
		return
	}
	w.ptr = unsafe.Pointer(&data[off])
	if !slices.ContainsFunc(t.words, func(o watchedWord) bool { return o.ptr == w.ptr && o.size >= size }) {
		t.words = append(t.words, w)
	}
}

// Barrier implements Listener.
func (t *roundRecorder) Barrier(ev *BarrierEvent) {
	t.failed = true
	if t.x.interest.needsSync(ev) {
		t.Listener.Barrier(ev)
	}
}

// Mbarrier implements Listener.
func (t *roundRecorder) Mbarrier(ev *MbarrierEvent) { t.failed = true; t.Listener.Mbarrier(ev) }

// Async implements Listener.
func (t *roundRecorder) Async(ev *AsyncEvent) { t.failed = true; t.Listener.Async(ev) }

// Heap implements Listener.
func (t *roundRecorder) Heap(ev *HeapEvent) { t.failed = true; t.Listener.Heap(ev) }

// spins is called when the running group spins. It reports whether the turn goes on, to record
// one iteration; otherwise the group is parked.
func (x *engine) spins(g *group) bool {
	switch ws := &x.l.waitSets; {
	case x.recording:
		t := &x.recorder
		t.end()
		if !t.failed && len(t.words) > 0 {
			for i := range t.words {
				t.words[i].val = t.words[i].load()
			}
			x.parkUntil(g, t.words)
			return false
		}
		g.spin.notRecordable = true
	case ws.enabled && !g.spin.notRecordable && g.frame.fn.recordable:
		x.quantum = max(x.quantum, maxPoints)
		x.recorder.begin(x)
		return true
	}
	x.park(g)
	return false
}

// endRecording gives a recording up when the turn ends before the round does.
func (x *engine) endRecording(g *group) {
	if x.recording {
		x.recorder.end()
		g.spin.notRecordable = true
	}
}

// recordable reports whether iterations of the function's loops can be recorded: as far as the
// code shows, they depend on registers and memory alone.
func recordable(f *rewrite.Func) bool { return !slices.ContainsFunc(f.Insts, notRecordable) }

func notRecordable(in *rewrite.Inst) bool {
	return in.Effects().Has(isa.Calls) ||
		slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool { return o.Kind == rewrite.OperandSpecial && o.Special.Volatile })
}
