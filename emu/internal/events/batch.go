// Batches of accesses: accesses noted by the assembly are passed to listeners many at a time.

package events

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// class returns the class of the accesses to a space.
func class(s *state.NotedSite, x *state.Engine, space isa.Space) *abi.AccessClass {
	if c := s.Classes[space]; c != nil {
		return c
	}
	return newClass(s, x, space)
}

// newClass is class for the first access to a space.
func newClass(s *state.NotedSite, x *state.Engine, space isa.Space) *abi.AccessClass {
	if !s.Fact.Accessed {
		accesses(x, s.Inst, s.Fact)
	}
	s.Classes[space] = newClassOf(x.M, s.Fact, s.Ac, space)
	return s.Classes[space]
}

// emit passes everything that has been noted to a receiver: accesses in batches, fences as events. Accesses that only
// blocks need which are watched are left out if the block is not.
func emit(b *state.NotedAccesses, to abi.Receiver, watched bool) {
	m, loops := &b.Batch, &b.X.M.Facts.Loops
	for b.Left.Mask != 0 || b.At != b.End {
		if len(m.List) == cap(m.List) {
			m.List = slices.Grow(m.List, 1)
		}
		m.List = m.List[:len(m.List)+1]
		// Each field separately: a literal would be built elsewhere and copied.
		a := &m.List[len(m.List)-1]
		s, t := next(b, a)
		switch {
		case s.Ac == nil:
			m.List = m.List[:len(m.List)-1]
			flush(b, to)
			emitNotedFence(b.X, s, t.Mask, to)
		case !watched && a.Weak():
			m.List = m.List[:len(m.List)-1]
			loops.Skipped()
		case b.X.Loops:
			loops.Add(m, &s.At, producer(b, t != nil))
		}
	}
	flush(b, to)
}

// flush passes the batch to a receiver, if it has any accesses.
func flush(b *state.NotedAccesses, to abi.Receiver) {
	if m := &b.Batch; len(m.List) > 0 {
		to.Accesses(m)
		m.List, m.Loops = m.List[:0], m.Loops[:0]
	}
	b.X.M.Facts.Loops.Begin()
}

// next sets a to the next access, or returns the site and the note of a fence. The note is nil unless the addresses are
// even, in one space, and there are no values.
func next(b *state.NotedAccesses, a *abi.Access) (*state.NotedSite, *vector.Note) {
	if b.Left.Mask != 0 {
		s := b.Of
		*a = b.Left
		b.Left.Mask = 0
		separate(b, a, s)
		return s, nil
	}
	t := (*vector.Note)(unsafe.Add(b.Notes, uintptr(b.At)))
	b.At += vector.NoteBytes
	s := b.Sites[t.PC]
	if s.Ac == nil {
		return s, t
	}
	a.Mask, a.Wrote, a.Again = t.Mask, t.Mask&s.Writes, false
	a.Next, a.Same = t.Neighbours(s.Ac.Size)
	a.Base, a.Step = t.Base, t.Step
	a.Addr, a.New, a.Old, a.Ages = nil, nil, nil, nil
	space := s.Space
	if s.Plain && t.Even && (space != isa.SpaceNone || inOneSlot(t)) {
		a.AccessClass = class(s, b.X, b.X.M.Dev.Mem.SpaceIn(space, t.Base))
		return s, t
	}
	if !t.Even {
		a.Addr = row(b)
	}
	if s.Writes != 0 && b.X.Interest.Values {
		values(b, a, s.Ac, t)
	}
	if space == isa.SpaceNone {
		separate(b, a, s)
	} else {
		a.AccessClass = class(s, b.X, b.X.M.Dev.Mem.SpaceIn(space, a.At(state.Lanes(a.Mask).First())))
	}
	return s, nil
}

// inOneSlot reports whether the even addresses of a note are in one slot of memory, and so in one space. It may return
// false for some that are, such as those of few lanes at the end of a slot.
func inOneSlot(t *vector.Note) bool {
	return (t.Base^(t.Base+31*t.Step))>>gmem.SlotBits == 0 // the assembly notes a step of more than a slot as uneven
}

// producer returns b if a loop may leave accesses out.
func producer(b *state.NotedAccesses, plain bool) abi.Repeats {
	if plain {
		return b
	}
	return nil
}

// values sets the values of a write, from the record t that the assembly has made of the instruction.
func values(b *state.NotedAccesses, a *abi.Access, ac *state.Access, t *vector.Note) {
	if a.New = row(b); ac.Kind == isa.AccessStore {
		for range (ac.Size - 1) / 8 {
			Fingerprint(a.New, row(b))
		}
		return
	}
	expected := a.New
	if ac.Compares {
		expected = row(b)
	}
	a.Old = row(b)
	a.Wrote = uint32(ac.Redo(a.New, expected, a.Old, state.Lanes(t.Mask&^t.Lanes)))
}

// row returns the next noted row.
func row(b *state.NotedAccesses) *vector.Row {
	r := (*vector.Row)(unsafe.Add(b.Notes, uintptr(b.At)))
	b.At += vector.RowBytes
	return r
}

// separate reduces a, an access at generic addresses, to the lanes of one space.
func separate(b *state.NotedAccesses, a *abi.Access, s *state.NotedSite) {
	m := state.Lanes(a.Mask)
	begins := m &^ state.Lanes(a.Next|a.Same)
	first, last := a.At(m.First()), a.At(31-bits.LeadingZeros32(a.Mask))
	if begins&(begins-1) == 0 || a.Addr == nil && first>>gmem.SlotBits == last>>gmem.SlotBits {
		a.AccessClass = class(s, b.X, b.X.M.Dev.Mem.SpaceOf(first))
		limit(a)
		return
	}
	if a.Addr == nil {
		b.Spread = append(b.Spread, vector.Row{})
		a.Addr = &b.Spread[len(b.Spread)-1]
		for i := range a.Addr {
			a.Addr[i] = a.Base + uint64(i)*a.Step
		}
	}
	space, part := spaceOfFirst(b.X.M.Dev.Mem, a.Addr, m, begins)
	if part != m {
		b.Left, b.Of = *a, s
		b.Left.Mask = uint32(m &^ part)
	}
	a.AccessClass, a.Mask = class(s, b.X, space), uint32(part)
	limit(a)
}

// limit restricts the lane sets of a to the lanes in Mask.
func limit(a *abi.Access) {
	a.Next &= a.Mask
	a.Same &= a.Mask
	a.Wrote &= a.Mask
}

// Fingerprint hashes the next eight bytes that each lane stores into the lane's entry of values, for stores of more
// than the eight bytes that a row has. Lanes that store equal bytes get equal entries. Lanes that store other bytes get
// equal entries with a probability of 2^-64.
func Fingerprint(values, rest *vector.Row) {
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

// ReserveNotes gives the assembly space for notes; valued says that they have values. It reuses the space of the
// machine if no launch uses it.
func ReserveNotes(a *state.VectorRunner, m *state.Machine, valued bool) {
	if a.Notes, m.Notes = m.Notes, nil; a.Notes == nil {
		a.Notes = make([]vector.Note, valuedNoteBytes/vector.NoteBytes)
	}
	a.C.Notes, a.C.NoteRoom = unsafe.Pointer(unsafe.SliceData(a.Notes)), noteBytes-maxNoteBytes
	if valued {
		a.C.NoteRoom = valuedNoteBytes - maxNoteBytes
	}
}

// ReturnRunner leaves the space for notes, and the rest of the runner, to the next launch.
func ReturnRunner(x *state.Engine) {
	if x.Vec == nil {
		return
	}
	if x.Vec.Notes != nil {
		x.M.Notes = x.Vec.Notes
	}
	x.M.Runner, x.Vec = x.Vec, nil
}

// EmitNotes emits the noted accesses of the running group, and frees their space.
func EmitNotes(x *state.Engine) {
	EmitNotesTo(x, x.Vec.C.Noted)
	x.Vec.C.Noted, x.Vec.Emitted = 0, 0
}

// EmitNotesTo emits the accesses of x.warp in the first end bytes of the notes that have not been emitted yet.
func EmitNotesTo(x *state.Engine, end uint32) {
	b, w, from := &x.Vec.Reading, x.Warp, x.Vec.Emitted
	if from == end {
		return
	}
	x.Vec.Emitted = end
	m := &b.Batch
	m.Block, m.Cluster, m.Warp, m.Live = w.CTA.Linear, w.CTA.Cluster.Linear, uint32(w.Index), uint32(w.Live)
	b.X, b.Sites, b.Notes, b.End = x, x.Frame.Fn.Vector.Noted, unsafe.Add(x.Vec.C.Notes, uintptr(from)), end-from
	b.At, b.Spread = 0, b.Spread[:0]
	emit(b, x.Batches, !w.CTA.Unwatched)
	checkContextSoon(x)
}

// emitNotedFence emits a fence that the assembly has noted.
func emitNotedFence(x *state.Engine, s *state.NotedSite, m uint32, to abi.Receiver) {
	f, ev := beginEvent(x, abi.EventFence, x.Warp, s.Inst, state.Lanes(m)), &x.Ev
	ev.Kind, ev.Sem, ev.Scope, ev.Proxy = f.Fence, f.Sem, f.Scope, f.Proxy
	to.Event(ev)
}

// checkContextSoon makes CheckProgress due if the launch has been interrupted or has exceeded its time, so that it
// ends. A listener may take longer for its events than the emulator for the instructions between two checks.
func checkContextSoon(x *state.Engine) {
	if x.Ctx.Err() == nil {
		return
	}
	x.L.CheckAt = 0
	if x.Vec != nil {
		x.Vec.C.Limit = math.MinInt64
	}
}

// EmitRest executes an instruction in Go for the lanes in m. The assembly has already recorded their access, so that the
// body reports none. Then the listener receives all recorded accesses.
func EmitRest(x *state.Engine, in *state.Inst, m state.Lanes) {
	l, ac := x.Listener, in.Form.Ac
	valued := x.Interest.Values && ac.Kind >= isa.AccessAtomic && !Ignored(&x.Emitter, ac)
	x.Listener = nil
	if valued {
		x.Listener = state.NopListener{} // makes the body record values
	}
	in.Body(x, in, m)
	if x.Listener = l; valued {
		noteRest(x, in, m)
	}
	if x.Vec.C.Noted != 0 {
		EmitNotes(x)
	}
}

// noteRest adds to the note of the operation in the values that its lanes have found: those in m in Go, up to a lane
// that has faulted, the others in assembly.
func noteRest(x *state.Engine, in *state.Inst, m state.Lanes) {
	c := x.Vec.C
	t := (*vector.Note)(unsafe.Add(c.Notes, uintptr(c.LastNote)))
	old := (*vector.Row)(unsafe.Add(c.Notes, uintptr(c.Noted)))
	c.Noted += vector.RowBytes
	for i := range old {
		switch {
		case m.Has(i):
			old[i] = x.Values.Old[i]
		case in.Form.Ac.Size == 8:
			old[i] = x.Frame.R64(in.D)[i]
		default:
			old[i] = uint64(x.Frame.R32(in.D)[i])
		}
	}
	if x.Fault != nil {
		t.Lanes = t.Mask &^ (1<<x.FaultLane - 1)
	}
}
