// Batches of accesses: accesses noted by the assembly are passed to listeners many at a time.

package emu

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The assembly notes accesses and fences, and continues. When it returns, the engine emits them as one batch, before any other
// event.

// BatchListener is a Listener that receives many accesses in one call.
type BatchListener interface {
	Listener
	// Accesses is called in place of Access and Fence for consecutive accesses and fences of a warp, without another event in
	// between. Access and Fence are called for all others: for asynchronous accesses, for example, and for everything on a machine
	// without vector instructions.
	Accesses(b *Accesses)
}

// Accesses is a batch of synchronous accesses and fences by one warp. It and the data that it points to are valid only during the
// call.
type Accesses struct {
	Block   Dim3
	Cluster uint64 // as in SyncEvent
	Warp    uint32 // within the block
	Live    uint32 // threads of the warp that have not exited

	x       *engine
	sites   []*AccessSite // by pc
	notes   unsafe.Pointer
	at, end uint32       // byte offsets in notes
	left    Access       // rest of an access to several spaces; Mask is empty when there is none
	spread  []vector.Row // addresses of such accesses
}

// AccessSite is the static part of the accesses, or of the fences, of one instruction. It never changes: listeners may keep its
// address and compare addresses.
type AccessSite struct {
	Inst   *rewrite.Inst
	Kind   isa.AccessKind // AccessNone for a fence
	Space  isa.Space      // SpaceNone for generic addresses
	Size   int            // bytes
	Number int            // numbers the sites of a machine, from 0

	ac    *access
	plain bool // its values are not noted
}

// Fence reports whether the instruction is a fence.
func (s *AccessSite) Fence() bool { return s.Kind == isa.AccessNone }

// Access holds the data of an AccessEvent in a compact form, or of the SyncEvent of a fence, which has only a site and a mask.
type Access struct {
	*AccessSite
	Space      isa.Space // of the addresses
	Mask       uint32
	Next, Same uint32
	// Lane i accesses address Base + i*Step when Addrs is nil.
	Base, Step uint64
	Addrs      *[32]uint64
	// Done are the lanes that have written, as far as is known: it excludes those whose compare-and-swap failed.
	Done uint32
	// New are the values that the lanes write, Old those that read-modify-write operations found, as in Values. They are nil for
	// other accesses, and unless the listener needs values.
	New, Old *[32]uint64
}

// Next sets a to the next access or fence. It reports whether there is one.
func (b *Accesses) Next(a *Access) bool {
	switch {
	case b.left.Mask != 0:
		*a = b.left
	case b.at == b.end:
		return false
	default:
		b.load(a)
	}
	if b.left.Mask = 0; a.Space == isa.SpaceNone && !a.Fence() {
		b.separate(a)
	}
	return true
}

// Plain returns the site, the note and the space of the next access if its addresses are even, in one space, and it has no values,
// or of the next fence: what Next returns in that case, but not copied. Otherwise it returns nil.
func (b *Accesses) Plain() (*AccessSite, *vector.Note, isa.Space) {
	if b.at == b.end || b.left.Mask != 0 {
		return nil, nil, 0
	}
	t := (*vector.Note)(unsafe.Add(b.notes, uintptr(b.at)))
	s := b.sites[t.PC]
	if !s.plain || !t.Even {
		return nil, nil, 0
	}
	space := s.Space
	if space == isa.SpaceNone && !s.Fence() {
		if !inOneSlot(t) {
			return nil, nil, 0
		}
		space = b.x.m.mem.SpaceOf(t.Base)
	}
	b.at += vector.NoteBytes
	return s, t, space
}

// inOneSlot reports whether the even addresses of a note are in one slot of memory, and so in one space. It may return false for
// some that are, such as those of few lanes at the end of a slot.
func inOneSlot(t *vector.Note) bool {
	return (t.Base^(t.Base+31*t.Step))>>gmem.SlotBits == 0 // the assembly notes a step of more than a slot as uneven
}

// Repeats skips accesses that repeat the latest period accesses, each at addresses as far from the repeated ones as those are from
// the ones before them, and returns their number. The latest two periods must have come from Plain.
func (b *Accesses) Repeats(period int) int {
	back := period * int(vector.NoteBytes)
	at := b.at
	for ; at != b.end; at += vector.NoteBytes {
		p := unsafe.Add(b.notes, uintptr(at))
		t, u := (*vector.Note)(p), (*vector.Note)(unsafe.Add(p, -back))
		if t.PC != u.PC || t.Mask != u.Mask || !t.Even || t.Step != u.Step ||
			t.Base-u.Base != u.Base-(*vector.Note)(unsafe.Add(p, -2*back)).Base {
			break
		}
		if (t.Base^u.Base|(t.Base+31*t.Step)^u.Base)>>gmem.SlotBits != 0 { // generic addresses may be in another space
			break
		}
	}
	n := int((at - b.at) / vector.NoteBytes)
	b.at = at
	return n
}

// load sets a to what is noted next.
func (b *Accesses) load(a *Access) {
	t := (*vector.Note)(unsafe.Add(b.notes, uintptr(b.at)))
	b.at += vector.NoteBytes
	s := b.sites[t.PC]
	a.AccessSite, a.Space = s, s.Space
	a.Mask, a.Base, a.Step = t.Mask, t.Base, t.Step
	a.Next, a.Same = t.Neighbours(uint64(s.Size))
	a.Addrs, a.New, a.Old, a.Done = nil, nil, nil, 0
	if !t.Even {
		a.Addrs = b.row()
	}
	if s.Kind < isa.AccessStore {
		return
	}
	a.Done = t.Mask
	if b.x.interest.Values {
		b.values(a, t)
	}
}

// values sets the values of a write, whose note is t.
func (b *Accesses) values(a *Access, t *vector.Note) {
	ac := a.ac
	if a.New = b.row(); ac.kind == isa.AccessStore {
		for range (ac.size - 1) / 8 {
			if rest := b.row(); !t.Redone {
				fingerprint(a.New, rest)
			}
		}
		t.Redone = true
		return
	}
	expected := a.New
	if ac.compares {
		expected = b.row()
	}
	a.Old = b.row()
	if !t.Redone {
		t.Redone, t.Lanes = true, uint32(ac.redo(a.New, expected, a.Old, lanes(t.Mask&^t.Lanes)))
	}
	a.Done = t.Lanes
}

// row returns the next noted row.
func (b *Accesses) row() *vector.Row {
	r := (*vector.Row)(unsafe.Add(b.notes, uintptr(b.at)))
	b.at += vector.RowBytes
	return r
}

// separate reduces a, an access at generic addresses, to the lanes of one space.
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

// limit restricts the lane sets of a to the lanes in Mask.
func (a *Access) limit() {
	a.Next &= a.Mask
	a.Same &= a.Mask
	a.Done &= a.Mask
}

// At returns the address that a lane in Mask accesses.
func (a *Access) At(lane int) uint64 {
	if a.Addrs != nil {
		return a.Addrs[lane]
	}
	return a.Base + uint64(lane)*a.Step
}

// Sync returns the event of a fence. The next call changes it.
func (b *Accesses) Sync(a *Access) *SyncEvent {
	ev := &b.x.fence
	ev.Inst, ev.Block, ev.Cluster, ev.Warp, ev.Mask, ev.Live = a.Inst, b.Block, b.Cluster, b.Warp, a.Mask, b.Live
	return ev
}

// rewind makes the first access the next one.
func (b *Accesses) rewind() { b.at, b.left.Mask, b.spread = 0, 0, b.spread[:0] }

// Emit passes all accesses to a listener: as one batch to a BatchListener, else one by one.
func (b *Accesses) Emit(l Listener) {
	b.rewind()
	if to, ok := l.(BatchListener); ok {
		to.Accesses(b)
		return
	}
	ev := &b.x.access
	ev.Block, ev.Cluster, ev.Warp, ev.Live = b.Block, b.Cluster, b.Warp, b.Live
	ev.Async, ev.Op = abi.Synchronous, 0
	for a := (Access{}); b.Next(&a); {
		if a.Fence() {
			l.Fence(b.Sync(&a))
			continue
		}
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

// noteBytes is the space for the notes of one run in assembly: 512 accesses with a constant step, or a ninth as many others. If
// values are noted, which take as much space as addresses, it is valuedNoteBytes, so that a batch has as many rounds of a loop.
const (
	noteBytes       = 512 * vector.NoteBytes
	valuedNoteBytes = 4 * noteBytes
)

// maxNoteBytes is the maximum size of the notes of one access: with addresses and the 32 bytes that a store writes, or two operands
// and the values found in memory.
const maxNoteBytes = vector.NoteBytes + 5*vector.RowBytes

// reserveNotes gives the assembly space for notes; valued says that they have values. It reuses the space of the machine if no
// launch uses it.
func (a *vectorRunner) reserveNotes(m *Machine, valued bool) {
	if a.notes, m.notes = m.notes, nil; a.notes == nil {
		a.notes = make([]vector.Note, valuedNoteBytes/vector.NoteBytes)
	}
	a.c.Notes, a.c.NoteRoom = unsafe.Pointer(unsafe.SliceData(a.notes)), noteBytes-maxNoteBytes
	if valued {
		a.c.NoteRoom = valuedNoteBytes - maxNoteBytes
	}
}

// returnRunner leaves the space for notes, and the rest of the runner, to the next launch.
func (x *engine) returnRunner() {
	if x.vec == nil {
		return
	}
	if x.vec.notes != nil {
		x.m.notes = x.vec.notes
	}
	x.m.runner, x.vec = x.vec, nil
}

// emitNotes emits the noted accesses of the running group, and frees their space.
func (x *engine) emitNotes() {
	x.emitNotesTo(x.vec.c.Noted)
	x.vec.c.Noted, x.vec.emitted = 0, 0
}

// emitNotesTo emits the accesses of x.warp in the first end bytes of the notes that have not been emitted yet.
func (x *engine) emitNotesTo(end uint32) {
	b, w, from := &x.vec.batch, x.warp, x.vec.emitted
	if from == end {
		return
	}
	x.vec.emitted = end
	b.Block, b.Cluster, b.Warp, b.Live = w.cta.index, w.cta.cluster.linear, uint32(w.index), uint32(w.live)
	b.x, b.sites, b.notes, b.end = x, x.frame.fn.vector.noted, unsafe.Add(x.vec.c.Notes, uintptr(from)), end-from
	if x.batches == nil {
		b.Emit(x.listener)
	} else {
		b.rewind()
		x.batches.Accesses(b)
	}
	x.checkContextSoon()
}

// checkContextSoon makes checkProgress due if the launch has been interrupted or has exceeded its time, so that it ends. A
// listener may take longer for its events than the emulator for the instructions between two checks.
func (x *engine) checkContextSoon() {
	if x.ctx.Err() == nil {
		return
	}
	x.l.checkAt = 0
	if x.vec != nil {
		x.vec.c.Limit = math.MinInt64
	}
}

// emitRest executes in for the lanes in m, whose access has been noted in assembly, and emits all notes.
func (x *engine) emitRest(in *inst, m lanes) {
	l, ac := x.listener, in.form.ac
	valued := x.interest.Values && ac.kind >= isa.AccessAtomic && !x.ignored(ac)
	x.listener = nil
	if valued {
		x.listener = NopListener{} // makes the body record values
	}
	in.body(x, in, m)
	if x.listener = l; valued {
		x.noteRest(in, m)
	}
	if x.vec.c.Noted != 0 {
		x.emitNotes()
	}
}

// noteRest adds to the note of the operation in the values that its lanes have found: those in m in Go, up to a lane that has
// faulted, the others in assembly.
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
		t.Lanes = t.Mask &^ (1<<x.faultLane - 1)
	}
}
