//go:build !purego

package vector

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"
)

// TestOne: for one lane, every operation with code for one lane does what its handler for some of the lanes does, on
// random registers and memory.
func TestOne(t *testing.T) {
	const rounds = 150
	r := rand.New(rand.NewPCG(1, 2))
	compared, executed := 0, 0
	for op := range Op(numOps) {
		h := find(op)
		switch {
		case h.one == 0 || h.one == h.full && h.one != h.masked:
			t.Fatalf("%s: handlers %+v", op, h)
		case h.one == h.masked: // which TestVectorOps of package emu compares
			continue
		}
		compared++
		for range rounds {
			lane := r.IntN(Lanes)
			m := randomMachine(t, r, op, 1<<lane)
			slow := m.copy(t)
			slow.code[0].handlers.one = h.masked
			m.run(0)
			slow.run(0)
			if diff := m.difference(slow); diff != "" {
				t.Errorf("%s in lane %d: %s", op, lane, diff)
				break
			}
			if m.c.Exit == ExitSlow && m.c.At > 0 {
				executed++
			}
		}
	}
	if executed < compared*rounds/2 || compared < numOps*3/4 {
		t.Errorf("%d of %d instructions of %d operations were executed", executed, compared*rounds, compared)
	}
}

// randomMachine is about to execute an instruction with random operands.
func randomMachine(t *testing.T, r *rand.Rand, op Op, mask uint32) *machine {
	m := newMachine(t, mask)
	name := op.String()
	for i := range m.regs {
		for l := range m.regs[i] {
			m.regs[i][l] = randomWord(r)
		}
	}
	for i := range m.mem {
		m.mem[i] = r.Uint32() >> (r.IntN(3) * 12)
	}
	imm := int64(r.IntN(256))
	switch {
	case strings.HasPrefix(name, "LoadUniform"):
		imm = 1<<20 + 4*int64(r.IntN(260))
	case strings.HasPrefix(name, "Load"), strings.HasPrefix(name, "Store"), strings.HasPrefix(name, "Atom"):
		imm = 8 * int64(r.IntN(2))
	case strings.HasPrefix(name, "NoteValue"), strings.HasPrefix(name, "NoteHigh"):
		imm = -1
	}
	if strings.Contains(name, "Local") {
		m.sites[0].Limit, m.sites[0].Stride = 256, 16
	}
	if imm < 1<<20 && r.IntN(8) > 0 { // addresses in memory, mostly aligned
		addr := (*[Lanes]uint64)(unsafe.Pointer(m.regs))
		for l := range addr {
			addr[l] = 1<<20 + uint64(r.IntN(62))*16 + uint64(r.IntN(17)/16)
		}
	}
	if strings.HasPrefix(name, "Vote") || strings.HasPrefix(name, "Match") || name == "Ballot" || name == "WarpSync" {
		for l := range m.regs[2] {
			m.regs[2][l] = mask &^ uint32(r.IntN(8)/7)
		}
	}
	m.c.Notes, m.c.NoteRoom = unsafe.Pointer(&new(noteRows)[1]), 4*RowBytes
	m.add(op, Inst{D: reg(6), A: reg(0), B: reg(2), C: reg(4), E: reg(8), Count: CountVisible, Target: 2, Imm: imm})
	for range 3 {
		m.add(Slow, Inst{})
	}
	if strings.HasPrefix(name, "Note") {
		m.code[0].B, m.code[0].C = 4, 1 // the size, and what stands above addresses
	}
	if strings.HasSuffix(name, "Branch") || strings.HasPrefix(name, "Branch") {
		m.code[0].C = -(r.Uint32() & 1)
	}
	return m
}

// randomWord is a number of any magnitude, or one with which floating-point arithmetic is special.
func randomWord(r *rand.Rand) uint32 {
	special := []uint32{0, 1 << 31, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00400000, 0x7f7fffff, 0x4f000000, ^uint32(0), 31, 32, 33}
	switch r.IntN(4) {
	case 0:
		return special[r.IntN(len(special))]
	case 1:
		return r.Uint32() >> r.IntN(32)
	}
	return r.Uint32()
}

// copy is a machine in the same state, with memory of its own.
func (m *machine) copy(t *testing.T) *machine {
	c := newMachine(t, m.c.Mask)
	*c.regs, c.mem, c.code = *m.regs, m.mem, append([]Inst{}, m.code...)
	c.c = m.c
	c.sites = m.sites
	c.sites[0].Ptr = unsafe.Pointer(&c.mem)
	notes := *m.notes()
	c.c.Notes = unsafe.Pointer(&notes[1])
	return c
}

// noteRows is room for notes, from the second row on: a value may be added to what is before it.
type noteRows [8]Row

func (m *machine) notes() *noteRows { return (*noteRows)(unsafe.Add(m.c.Notes, -int(RowBytes))) }

// difference says in what two machines differ after a run, "" for nothing.
func (m *machine) difference(o *machine) string {
	a, b := m.c, o.c
	if *m.notes() != *o.notes() {
		return "other notes"
	}
	for _, c := range []*Context{&a, &b} {
		c.Regs, c.Code, c.Sites, c.Notes, c.changed = nil, nil, nil, nil, 0
	}
	switch {
	case *m.regs != *o.regs:
		return "other registers"
	case m.mem != o.mem:
		return "other memory"
	case a != b:
		return "another context"
	}
	return ""
}
