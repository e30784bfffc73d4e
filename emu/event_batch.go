// Batches of accesses: what the assembly has noted, handed to listeners many at a time.

package emu

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// The assembly notes accesses and goes on. When it returns, the engine emits them as one batch,
// before any other event.

// BatchListener is a Listener that takes accesses many at a time.
type BatchListener interface {
	Listener
	// Accesses is called in place of Access for accesses that a warp has made one after
	// the other, without another event in between. Access is called for
	// all others: what is asynchronous, for example, and everything on a machine without
	// vector instructions.
	Accesses(b *Accesses)
}

// Accesses are synchronous accesses by one warp. They and what they point to are valid
// during the call only.
type Accesses struct {
	Block   Dim3
	Cluster uint64 // as in SyncEvent
	Warp    uint32 // within the block
	Live    uint32 // threads of the warp that have not exited

	x       *engine
	fn      *function
	notes   unsafe.Pointer
	at, end uint32       // bytes in notes
	left    Access       // of an access to several spaces; Mask is empty when there is none
	spread  []vector.Row // addresses of such ones
}

// Access is what AccessEvent says of one access, in less space.
type Access struct {
	Inst       *rewrite.Inst
	Kind       isa.AccessKind
	Space      isa.Space
	Size       int // bytes
	Mask       uint32
	Next, Same uint32
	// Lane i accesses address Base + i*Step when Addrs is nil.
	Base, Step uint64
	Addrs      *[32]uint64
	// Done are the lanes that have written, as far as is known: not those of a
	// compare-and-swap that failed.
	Done uint32
	// New is what the lanes write, Old what read-modify-write operations found, the low eight
	// bytes of each. They are nil for others, and unless the listener needs values.
	New, Old *[32]uint64
}

// Next makes a the next access. It reports whether there is one.
func (b *Accesses) Next(a *Access) bool {
	switch {
	case b.left.Mask != 0:
		*a = b.left
	case b.at == b.end:
		return false
	default:
		b.load(a)
	}
	if b.left.Mask = 0; a.Space == isa.SpaceNone {
		b.separate(a)
	}
	return true
}

// load makes a the next access that was noted.
func (b *Accesses) load(a *Access) {
	t := (*vector.Note)(unsafe.Add(b.notes, uintptr(b.at)))
	b.at += vector.NoteBytes
	in := &b.fn.code[t.PC]
	ac := in.form.ac
	a.Inst, a.Kind, a.Space, a.Size = b.fn.sourceOf(in.src).in, ac.kind, ac.space, int(ac.size)
	a.Mask, a.Next, a.Same, a.Base, a.Step = t.Mask, t.Next, t.Same, t.Base, t.Step
	a.Addrs, a.New, a.Old, a.Done = nil, nil, nil, 0
	if t.Even == 0 {
		a.Addrs = b.row()
	}
	if ac.kind == isa.AccessLoad {
		return
	}
	a.Done = t.Mask
	if !b.x.interest.Values {
		return
	}
	if a.New = b.row(); ac.kind == isa.AccessStore {
		return
	}
	expected := a.New
	if ac.compares {
		expected = b.row()
	}
	a.Old = b.row()
	if !t.Redone {
		t.Redone, t.Done = true, uint32(ac.redo(a.New, expected, a.Old, lanes(t.Mask&^t.Missed)))
	}
	a.Done = t.Done
}

// row is the next row that was noted.
func (b *Accesses) row() *vector.Row {
	r := (*vector.Row)(unsafe.Add(b.notes, uintptr(b.at)))
	b.at += vector.RowBytes
	return r
}

// separate makes a, which is at generic addresses, the part that is to one space.
func (b *Accesses) separate(a *Access) {
	m := lanes(a.Mask)
	begins := m &^ lanes(a.Next|a.Same)
	first, last := a.At(m.first()), a.At(31-bits.LeadingZeros32(a.Mask))
	if begins&(begins-1) == 0 || a.Addrs == nil && first>>gmem.SlotBits == last>>gmem.SlotBits {
		a.Space = b.x.m.mem.SpaceOf(first)
		a.limit()
		return
	}
	if a.Addrs == nil {
		b.spread = append(b.spread, vector.Row{})
		a.Addrs = &b.spread[len(b.spread)-1]
		for i := range a.Addrs {
			a.Addrs[i] = a.Base + uint64(i)*a.Step
		}
	}
	space, part := spaceOfFirst(b.x.m.mem, a.Addrs, m, begins)
	if part != m {
		b.left = *a
		b.left.Mask = uint32(m &^ part)
	}
	a.Space, a.Mask = space, uint32(part)
	a.limit()
}

// limit makes what is said of lanes that of lanes in Mask.
func (a *Access) limit() {
	a.Next &= a.Mask
	a.Same &= a.Mask
	a.Done &= a.Mask
}

// At is the address that a lane in Mask accesses.
func (a *Access) At(lane int) uint64 {
	if a.Addrs != nil {
		return a.Addrs[lane]
	}
	return a.Base + uint64(lane)*a.Step
}

// rewind makes the first access the next one.
func (b *Accesses) rewind() { b.at, b.left.Mask, b.spread = 0, 0, b.spread[:0] }

// Emit hands all accesses to a listener: as one batch to a BatchListener, else one by one.
func (b *Accesses) Emit(l Listener) {
	b.rewind()
	if to, ok := l.(BatchListener); ok {
		to.Accesses(b)
		return
	}
	ev := &b.x.access
	ev.Block, ev.Cluster, ev.Warp, ev.Live = b.Block, b.Cluster, b.Warp, b.Live
	ev.Async, ev.Op = Synchronous, 0
	for a := (Access{}); b.Next(&a); {
		ev.Inst, ev.Kind, ev.Size, ev.Space = a.Inst, a.Kind, a.Size, a.Space
		ev.Mask, ev.Next, ev.Same = a.Mask, a.Next, a.Same
		if ev.Addrs = a.Addrs; a.Addrs == nil {
			ev.Addrs = &b.x.addrs
			for i := range ev.Addrs {
				ev.Addrs[i] = a.Base + uint64(i)*a.Step
			}
		}
		if ev.Values = nil; a.New != nil {
			ev.Values = &b.x.values
			ev.Values.New, ev.Values.Done, ev.Values.Wide = *a.New, a.Done, a.Size > 8
			if a.Old != nil {
				ev.Values.Old = *a.Old
			}
		}
		l.Access(ev)
	}
}

// noteBytes is the room for the notes of one run in assembly: 256 accesses with a constant step,
// or a fifth as many others.
const noteBytes = 256 * vector.NoteBytes

// maxNoteBytes is what one access may take up: with addresses, two operands and the values
// found.
const maxNoteBytes = vector.NoteBytes + 4*vector.RowBytes

// reserveNotes gives the assembly room for notes, which it takes from the machine when there
// is some that no launch uses.
func (a *vectorRunner) reserveNotes(m *Machine) {
	if a.notes, m.notes = m.notes, nil; a.notes == nil {
		a.notes = make([]vector.Note, noteBytes/vector.NoteBytes)
	}
	a.c.Notes, a.c.NoteRoom = unsafe.Pointer(unsafe.SliceData(a.notes)), noteBytes-maxNoteBytes
}

// returnNotes leaves the room for notes to the next launch.
func (x *engine) returnNotes() {
	if x.vec != nil && x.vec.notes != nil {
		x.m.notes = x.vec.notes
	}
}

// emitNotes emits the accesses of the running group that the assembly has noted, and makes room for others.
func (x *engine) emitNotes() {
	x.emitNotesTo(x.vec.c.Noted)
	x.vec.c.Noted, x.vec.emitted = 0, 0
}

// emitNotesTo emits the accesses of x.warp that have been noted, and not emitted yet, in the first bytes of the notes.
func (x *engine) emitNotesTo(end uint32) {
	b, w, from := &x.vec.batch, x.warp, x.vec.emitted
	if from == end {
		return
	}
	x.vec.emitted = end
	b.Block, b.Cluster, b.Warp, b.Live = w.cta.index, w.cta.cluster.linear, uint32(w.index), uint32(w.live)
	b.x, b.fn, b.notes, b.end = x, x.frame.fn, unsafe.Add(x.vec.c.Notes, uintptr(from)), end-from
	if x.batches == nil {
		b.Emit(x.listener)
	} else {
		b.rewind()
		x.batches.Accesses(b)
	}
	x.askContext()
}

// askContext has a launch that has been interrupted, or whose time is over, end at the next check of
// progress, which it has come due. A listener may take more time for what it is told than the emulator
// for the instructions between two checks.
func (x *engine) askContext() {
	if x.ctx.Err() == nil {
		return
	}
	x.l.checkAt = 0
	if x.vec != nil {
		x.vec.c.Limit = math.MinInt64
	}
}

// emitRest executes in for the lanes in m, of whose access has been noted what is known
// before, and emits all notes.
func (x *engine) emitRest(in *inst, m lanes) {
	l, ac := x.listener, in.form.ac
	valued := x.interest.Values && ac.kind >= isa.AccessAtomic && !x.ignored(ac)
	x.listener = nil
	if valued {
		x.listener = NopListener{} // for which values are noted
	}
	in.body(x, in, m)
	if x.listener = l; valued {
		x.noteRest(in, m)
	}
	if x.vec.c.Noted != 0 {
		x.emitNotes()
	}
}

// noteRest adds to what has been noted of the operation in what its lanes have found: those
// in m in Go, up to one that has faulted, the others in assembly.
func (x *engine) noteRest(in *inst, m lanes) {
	c := x.vec.c
	t := (*vector.Note)(unsafe.Add(c.Notes, uintptr(c.LastNote)))
	old := (*vector.Row)(unsafe.Add(c.Notes, uintptr(c.Noted)))
	c.Noted += vector.RowBytes
	for i := range old {
		switch {
		case m.has(i):
			old[i] = x.values.Old[i]
		case in.form.ac.size == 8:
			old[i] = x.frame.r64(in.d)[i]
		default:
			old[i] = uint64(x.frame.r32(in.d)[i])
		}
	}
	if x.fault != nil {
		t.Missed = t.Mask &^ (1<<x.faultLane - 1)
	}
}
