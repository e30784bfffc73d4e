// Batches of accesses: accesses noted by the assembly are passed to listeners many at a time.

package emu

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The assembly notes accesses and fences, and continues. When it returns, the engine emits them as one batch, before
// any other event.

// notedAccesses are consecutive accesses and fences of a warp that the assembly has noted.
type notedAccesses struct {
	x       *engine
	sites   []*notedSite // by pc
	notes   unsafe.Pointer
	at, end uint32       // byte offsets in notes
	left    abi.Access   // rest of an access to several spaces; Mask is empty when there is none
	of      *notedSite   // of that access
	spread  []vector.Row // addresses of such accesses
	batch   abi.Batch    // what has been read and not been emitted
}

// notedSite is the static part of the accesses, or of the fences, of one instruction.
type notedSite struct {
	inst    *rewrite.Inst
	ac      *access // nil for a fence
	space   isa.Space
	plain   bool   // its values are not noted
	writes  uint32 // all lanes if its accesses write, else none
	at      int    // for abi.Loops.Add
	fact    *facts
	classes [isa.Spaces]*abi.AccessClass
}

// class returns the class of the accesses to a space.
func (s *notedSite) class(x *engine, space isa.Space) *abi.AccessClass {
	if c := s.classes[space]; c != nil {
		return c
	}
	return s.newClass(x, space)
}

// newClass is class for the first access to a space.
func (s *notedSite) newClass(x *engine, space isa.Space) *abi.AccessClass {
	if !s.fact.accessed {
		x.accesses(s.inst, s.fact)
	}
	s.classes[space] = x.m.newClass(s.fact, s.ac, space)
	return s.classes[space]
}

// emit passes everything that has been noted to a receiver: accesses in batches, fences as events. Accesses that only
// blocks need which are watched are left out if the block is not.
func (b *notedAccesses) emit(to abi.Receiver, watched bool) {
	m, loops := &b.batch, &b.x.m.facts.loops
	for b.left.Mask != 0 || b.at != b.end {
		if len(m.List) == cap(m.List) {
			m.List = slices.Grow(m.List, 1)
		}
		m.List = m.List[:len(m.List)+1]
		// Each field separately: a literal would be built elsewhere and copied.
		a := &m.List[len(m.List)-1]
		s, t := b.next(a)
		switch {
		case s.ac == nil:
			m.List = m.List[:len(m.List)-1]
			b.flush(to)
			b.x.emitNotedFence(s, t.Mask, to)
		case !watched && a.Weak():
			m.List = m.List[:len(m.List)-1]
			loops.Skipped()
		case b.x.loops:
			loops.Add(m, &s.at, b.producer(t != nil))
		}
	}
	b.flush(to)
}

// flush passes the batch to a receiver, if it has any accesses.
func (b *notedAccesses) flush(to abi.Receiver) {
	if m := &b.batch; len(m.List) > 0 {
		to.Accesses(m)
		m.List, m.Loops = m.List[:0], m.Loops[:0]
	}
	b.x.m.facts.loops.Begin()
}

// next sets a to the next access, or returns the site and the note of a fence. The note is nil unless the addresses are
// even, in one space, and there are no values.
func (b *notedAccesses) next(a *abi.Access) (*notedSite, *vector.Note) {
	if b.left.Mask != 0 {
		s := b.of
		*a = b.left
		b.left.Mask = 0
		b.separate(a, s)
		return s, nil
	}
	t := (*vector.Note)(unsafe.Add(b.notes, uintptr(b.at)))
	b.at += vector.NoteBytes
	s := b.sites[t.PC]
	if s.ac == nil {
		return s, t
	}
	a.Mask, a.Wrote, a.Again = t.Mask, t.Mask&s.writes, false
	a.Next, a.Same = t.Neighbours(s.ac.size)
	a.Base, a.Step = t.Base, t.Step
	a.Addr, a.New, a.Old, a.Ages = nil, nil, nil, nil
	space := s.space
	if s.plain && t.Even && (space != isa.SpaceNone || inOneSlot(t)) {
		if space == isa.SpaceNone {
			space = b.x.m.dev.mem.SpaceOf(t.Base)
		}
		a.AccessClass = s.class(b.x, space)
		return s, t
	}
	if !t.Even {
		a.Addr = b.row()
	}
	if s.writes != 0 && b.x.interest.Values {
		b.values(a, s.ac, t)
	}
	if space == isa.SpaceNone {
		b.separate(a, s)
	} else {
		a.AccessClass = s.class(b.x, space)
	}
	return s, nil
}

// inOneSlot reports whether the even addresses of a note are in one slot of memory, and so in one space. It may return
// false for some that are, such as those of few lanes at the end of a slot.
func inOneSlot(t *vector.Note) bool {
	return (t.Base^(t.Base+31*t.Step))>>gmem.SlotBits == 0 // the assembly notes a step of more than a slot as uneven
}

// producer returns b if a loop may leave accesses out.
func (b *notedAccesses) producer(plain bool) abi.Repeats {
	if plain {
		return b
	}
	return nil
}

// Repeats implements abi.Repeats. It skips accesses that repeat the latest period accesses, each at addresses as far
// from the repeated ones as those are from the ones before them, and returns their number. The latest two periods must
// have come from next with a note.
func (b *notedAccesses) Repeats(period int) int {
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

// values sets the values of a write, whose note is t.
func (b *notedAccesses) values(a *abi.Access, ac *access, t *vector.Note) {
	if a.New = b.row(); ac.kind == isa.AccessStore {
		for range (ac.size - 1) / 8 {
			fingerprint(a.New, b.row())
		}
		return
	}
	expected := a.New
	if ac.compares {
		expected = b.row()
	}
	a.Old = b.row()
	a.Wrote = uint32(ac.redo(a.New, expected, a.Old, lanes(t.Mask&^t.Lanes)))
}

// row returns the next noted row.
func (b *notedAccesses) row() *vector.Row {
	r := (*vector.Row)(unsafe.Add(b.notes, uintptr(b.at)))
	b.at += vector.RowBytes
	return r
}

// separate reduces a, an access at generic addresses, to the lanes of one space.
func (b *notedAccesses) separate(a *abi.Access, s *notedSite) {
	m := lanes(a.Mask)
	begins := m &^ lanes(a.Next|a.Same)
	first, last := a.At(m.first()), a.At(31-bits.LeadingZeros32(a.Mask))
	if begins&(begins-1) == 0 || a.Addr == nil && first>>gmem.SlotBits == last>>gmem.SlotBits {
		a.AccessClass = s.class(b.x, b.x.m.dev.mem.SpaceOf(first))
		limit(a)
		return
	}
	if a.Addr == nil {
		b.spread = append(b.spread, vector.Row{})
		a.Addr = &b.spread[len(b.spread)-1]
		for i := range a.Addr {
			a.Addr[i] = a.Base + uint64(i)*a.Step
		}
	}
	space, part := spaceOfFirst(b.x.m.dev.mem, a.Addr, m, begins)
	if part != m {
		b.left, b.of = *a, s
		b.left.Mask = uint32(m &^ part)
	}
	a.AccessClass, a.Mask = s.class(b.x, space), uint32(part)
	limit(a)
}

// limit restricts the lane sets of a to the lanes in Mask.
func limit(a *abi.Access) {
	a.Next &= a.Mask
	a.Same &= a.Mask
	a.Wrote &= a.Mask
}

// fingerprint hashes the next eight bytes that each lane stores into the lane's entry of values, for stores of more
// than the eight bytes that a row has. Lanes that store equal bytes get equal entries. Lanes that store other bytes get
// equal entries with a probability of 2^-64.
func fingerprint(values, rest *vector.Row) {
	for i := range values {
		high, low := bits.Mul64(values[i]^0x9e3779b97f4a7c15, rest[i]^0xbf58476d1ce4e5b9)
		values[i] = (high ^ low) + 0x94d049bb133111eb*values[i] // the sum keeps the first value when the product is 0
	}
}

// noteBytes is the space for the notes of one run in assembly: 512 accesses with a constant step, or a ninth as many
// others. If values are noted, which take as much space as addresses, it is valuedNoteBytes, so that a batch has as
// many rounds of a loop.
const (
	noteBytes       = 512 * vector.NoteBytes
	valuedNoteBytes = 4 * noteBytes
)

// maxNoteBytes is the maximum size of the notes of one access: with addresses and the 32 bytes that a store writes, or
// two operands and the values found in memory.
const maxNoteBytes = vector.NoteBytes + 5*vector.RowBytes

// reserveNotes gives the assembly space for notes; valued says that they have values. It reuses the space of the
// machine if no launch uses it.
func (a *vectorRunner) reserveNotes(m *machine, valued bool) {
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
	b, w, from := &x.vec.reading, x.warp, x.vec.emitted
	if from == end {
		return
	}
	x.vec.emitted = end
	m := &b.batch
	m.Block, m.Cluster, m.Warp, m.Live = w.cta.linear, w.cta.cluster.linear, uint32(w.index), uint32(w.live)
	b.x, b.sites, b.notes, b.end = x, x.frame.fn.vector.noted, unsafe.Add(x.vec.c.Notes, uintptr(from)), end-from
	b.at, b.spread = 0, b.spread[:0]
	b.emit(x.batches, !w.cta.unwatched)
	x.checkContextSoon()
}

// emitNotedFence emits a fence that the assembly has noted.
func (x *engine) emitNotedFence(s *notedSite, m uint32, to abi.Receiver) {
	f, ev := x.beginEvent(abi.EventFence, x.warp, s.inst, lanes(m)), &x.ev
	ev.Kind, ev.Sem, ev.Scope, ev.Proxy = f.fence, f.sem, f.scope, f.proxy
	to.Event(ev)
}

// checkContextSoon makes checkProgress due if the launch has been interrupted or has exceeded its time, so that it
// ends. A listener may take longer for its events than the emulator for the instructions between two checks.
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

// noteRest adds to the note of the operation in the values that its lanes have found: those in m in Go, up to a lane
// that has faulted, the others in assembly.
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
