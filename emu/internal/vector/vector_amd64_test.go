//go:build !purego

package vector

import (
	"math/bits"
	"strings"
	"testing"
	"unsafe"
)

// TestMain runs the tests where there are handlers to run.
func TestMain(m *testing.M) {
	if Available() {
		m.Run()
	}
}

// machine is registers, memory and a program.
type machine struct {
	c     Context
	regs  *[2 * maxRegisters][Lanes]uint32 // register n has the offset 128*n
	mem   [256]uint32
	sites [1]Site
	code  []Inst
}

func reg(n uint32) uint32 { return 128 * n }

func newMachine(t *testing.T, mask uint32) *machine {
	t.Helper()
	buf := make([]byte, unsafe.Sizeof([2 * maxRegisters][Lanes]uint32{})+64)
	p := unsafe.Pointer(unsafe.SliceData(buf))
	m := &machine{regs: (*[2 * maxRegisters][Lanes]uint32)(unsafe.Add(p, -uintptr(p)&63))}
	m.sites[0] = Site{Base: 1 << 20, Limit: 4*256 - 3, Ptr: unsafe.Pointer(&m.mem)}
	m.c = Context{Mask: mask, Stop: NoPC, Visible: 100, Nothing: 1 << 40, Limit: 1 << 40}
	m.c.Spin.PC, m.c.Spin.Known = NoPC, NoPC
	return m
}

// add appends an instruction whose PC is its position.
func (m *machine) add(op Op, in Inst) {
	in.Set(op)
	in.PC = uint32(len(m.code))
	if in.Target *= InstBytes; strings.HasPrefix(op.String(), "Store") || strings.HasPrefix(op.String(), "Atom") {
		in.Target = ChangesProgress
	}
	in.Other *= InstBytes
	m.code = append(m.code, in)
}

// run runs the program from instruction at on, and returns where it ended.
func (m *machine) run(at uint32) uint32 {
	m.c.Regs, m.c.Code, m.c.Sites = unsafe.Pointer(m.regs), unsafe.Pointer(&m.code[0]), unsafe.Pointer(&m.sites)
	m.c.At, m.c.Executed, m.c.Active, m.c.Counted, m.c.Threads = at*InstBytes, -int64(at), m.c.Mask, 0, 0
	Run(&m.c)
	return m.c.At / InstBytes
}

// executed is how many instructions were, when the program was left at pc.
func (m *machine) executed(pc uint32) int64 { return m.c.Counted + m.c.Executed + int64(pc) }

func (m *machine) expect(t *testing.T, pc uint32, exit Exit, executed int64) {
	t.Helper()
	if got := m.c.At / InstBytes; got != pc || m.c.Exit != exit || m.executed(pc) != executed {
		t.Errorf("stopped at %d by exit %d after %d instructions, expected %d, %d, %d", got, m.c.Exit, m.executed(pc), pc, exit, executed)
	}
}

// TestMasks: only the lanes of the mask are written.
func TestMasks(t *testing.T) {
	for _, mask := range []uint32{^uint32(0), 1, 0x40, 0xff, 0x101, 0x80000000, 0x0000ffff, 0xffff0000, 0xa5a5f00f} {
		m := newMachine(t, mask)
		m.add(Add32, Inst{D: reg(2), A: reg(0), B: reg(1)})
		m.add(Slow, Inst{})
		for i := range uint32(Lanes) {
			m.regs[0][i], m.regs[1][i], m.regs[2][i] = i, 1000*i, 7
		}
		m.run(0)
		m.expect(t, 1, ExitSlow, 1)
		for i := range uint32(Lanes) {
			want := uint32(7)
			if mask>>i&1 != 0 {
				want = 1001 * i
			}
			if m.regs[2][i] != want {
				t.Errorf("mask %#x, lane %d: %d, expected %d", mask, i, m.regs[2][i], want)
			}
		}
	}
}

// TestExchangeMasks: lanes at consecutive words exchange those of the mask, and neither memory
// nor registers of others change.
func TestExchangeMasks(t *testing.T) {
	for _, mask := range []uint32{1, 0x40, 0x80000000, 0xff, 0x10f, 0x00f0ff3f, 0xffff0000, 0xfffffff0} {
		m := newMachine(t, mask)
		m.add(AtomExch64, Inst{D: reg(12), A: reg(0), B: reg(6), Count: CountVisible})
		m.add(Slow, Inst{})
		addr := (*[Lanes]uint64)(unsafe.Pointer(m.regs))
		data := (*[Lanes]uint64)(unsafe.Pointer(&m.regs[6]))
		old := (*[Lanes]uint64)(unsafe.Pointer(&m.regs[12]))
		for i := range Lanes {
			addr[i], data[i], old[i] = 1<<20+uint64(8*i), uint64(1)<<40+uint64(i), 7
			m.mem[2*i], m.mem[2*i+1] = uint32(100+i), 3
		}
		m.run(0)
		m.expect(t, 1, ExitSlow, 1)
		for i := range uint64(Lanes) {
			memory, register := 3<<32+100+i, uint64(7)
			if mask>>i&1 != 0 {
				memory, register = 1<<40+i, memory
			}
			if got := uint64(m.mem[2*i+1])<<32 | uint64(m.mem[2*i]); got != memory || old[i] != register {
				t.Errorf("mask %#x, lane %d: memory %#x, register %#x; expected %#x, %#x", mask, i, got, old[i], memory, register)
			}
		}
	}
}

// TestGuard: an instruction is executed by the lanes whose guard is true, by the full handler for all lanes, and not at
// all for none.
func TestGuard(t *testing.T) {
	for _, guard := range []uint32{^uint32(0), 0, 0x00ff00ff} {
		m := newMachine(t, ^uint32(0))
		m.add(Guard, Inst{A: reg(3), Target: 2, Other: 3})
		m.add(Mov32, Inst{D: reg(1), A: reg(0)})
		m.add(Slow, Inst{})
		m.add(Mov32, Inst{D: reg(1), A: reg(0)})
		m.add(Unguard, Inst{Target: 2})
		m.regs[3][0] = guard
		for i := range uint32(Lanes) {
			m.regs[0][i] = i + 1
		}
		m.run(0)
		m.expect(t, 2, ExitSlow, 2)
		for i := range uint32(Lanes) {
			if want := (i + 1) * (guard >> i & 1); m.regs[1][i] != want {
				t.Errorf("guard %#x, lane %d: %d, expected %d", guard, i, m.regs[1][i], want)
			}
		}
	}
}

// loop is r0 += r1 until it is r2.
func loop(t *testing.T) *machine {
	m := newMachine(t, ^uint32(0))
	m.add(Add32, Inst{D: reg(0), A: reg(0), B: reg(1)})
	m.add(SetNe32, Inst{D: reg(3), A: reg(0), B: reg(2)})
	m.add(BranchBack, Inst{A: reg(3), Target: 0, Imm: 3})
	m.add(Slow, Inst{})
	for i := range Lanes {
		m.regs[1][i], m.regs[2][i] = 1, 50
	}
	m.c.Spin.Next = 1 << 40
	return m
}

// TestLoop: every jump backwards is a visit and a scheduling point, instructions are
// counted.
func TestLoop(t *testing.T) {
	m := loop(t)
	m.run(0)
	m.expect(t, 3, ExitSlow, 150)
	if m.c.Visible != 51 || m.c.Spin.Visits != 49 || m.regs[0][31] != 50 {
		t.Errorf("%d points left, %d visits, sum %d; expected 51, 49, 50", m.c.Visible, m.c.Spin.Visits, m.regs[0][31])
	}
	m = loop(t)
	m.c.Visible = 10
	m.run(0)
	m.expect(t, 0, ExitCount, 30)
	m = loop(t)
	m.c.Limit = 12
	m.run(0)
	m.expect(t, 0, ExitBack, 12)
}

// TestSpin: a back edge is checked when it is due and when the witness has not changed, and otherwise not. Progress
// resets the count, and the first back edge to a known place is checked then.
func TestSpin(t *testing.T) {
	m := loop(t)
	m.c.Spin.Next = 8
	m.run(0)
	m.expect(t, 0, ExitBack, 24)
	if m.c.Spin.Visits != 7 {
		t.Errorf("%d visits, expected 7: the one to look at is not counted", m.c.Spin.Visits)
	}
	m = loop(t)
	m.c.Spin.PC, m.c.Spin.Mask, m.c.Spin.Witness, m.c.Spin.Value, m.c.Spin.Bits = 0, ^uint32(0), reg(0)+4*5, 20, ^uint32(0)
	m.run(0)
	m.expect(t, 0, ExitBack, 60)
	m = loop(t)
	m.c.Progress = 3
	m.c.Spin.Visits = 5
	m.run(0)
	m.expect(t, 0, ExitBack, 9) // reset at the first, to be looked at at the third
	if m.c.Spin.Progress != 3 || m.c.Spin.Visits != 1 || m.c.Spin.Next != 2 {
		t.Errorf("%+v", m.c.Spin)
	}
	m = loop(t)
	m.c.Progress, m.c.Spin.Known = 3, 0
	m.run(0)
	m.expect(t, 0, ExitBack, 3) // at the first after progress
	m = loop(t)
	m.c.Spin.Known, m.c.Spin.Next = 0, 8
	m.run(0)
	m.expect(t, 0, ExitBack, 24) // as if it were not known
}

// TestDivergence returns to Go, before the branch, if it is not known which lanes wait, or if there is no room to
// record them.
func TestDivergence(t *testing.T) {
	for _, full := range []bool{false, true} {
		m := loop(t)
		if full {
			m.code[2].B, m.code[2].E = WaitsOthers, 3
		}
		m.regs[2][9] = 20
		m.run(0)
		m.expect(t, 2, ExitSlow, 59)
	}
}

// TestPart: lanes that have left the loop wait for the others, each as long as it has to.
func TestPart(t *testing.T) {
	for _, mask := range []uint32{^uint32(0), 0x80f00ff1} {
		m := newMachine(t, mask)
		m.add(Add32, Inst{D: reg(0), A: reg(0), B: reg(1)})
		m.add(SetNe32, Inst{D: reg(3), A: reg(0), B: reg(2)})
		m.add(BranchBack, Inst{A: reg(3), B: WaitsOthers, E: 3, Target: 0, Imm: 3})
		m.add(Stop, Inst{})
		m.add(Slow, Inst{})
		m.c.Room, m.c.Under, m.c.Spin.Next = MaxJoins*JoinBytes, NoPC, 1<<40
		threads, most := int64(0), int64(0)
		for i := range uint32(Lanes) {
			m.regs[1][i], m.regs[2][i] = 1, 3+i*i%11
			if n := int64(m.regs[2][i]); mask>>i&1 != 0 {
				threads, most = threads+3*n, max(most, 3*n)
			}
		}
		m.run(0)
		m.expect(t, 4, ExitSlow, most+1)
		if m.c.Mask != mask || m.c.Depth != 0 || m.c.Stop != NoPC || m.c.Threads != threads || m.c.Limit != 1<<40-m.c.Counted {
			t.Errorf("mask %#x: %#x in the end, %d joins, stop at %d, %d thread instructions, expected %d", mask, m.c.Mask, m.c.Depth/JoinBytes, m.c.Stop, m.c.Threads, threads)
		}
		for i := range Lanes {
			if want := m.regs[2][i] * (mask >> i & 1); m.regs[0][i] != want {
				t.Errorf("mask %#x, lane %d: %d, expected %d", mask, i, m.regs[0][i], want)
			}
		}
	}
}

// TestMeet: lanes that jump to a join wait there; a join at which more lanes are expected ends the run.
func TestMeet(t *testing.T) {
	m := newMachine(t, 0xff)
	m.add(Branch, Inst{A: reg(0), B: WaitsTaken, E: 2, Target: 2, Imm: -1})
	m.add(Mov32, Inst{D: reg(2), A: reg(1)})
	m.add(Stop, Inst{})
	m.add(Slow, Inst{})
	m.c.Room, m.c.Under = MaxJoins*JoinBytes, NoPC
	m.c.Joins[0] = Join{PC: 2, Expected: 0xffff, Arrived: 0xf00}
	m.c.Depth, m.c.Low, m.c.Stop = JoinBytes, JoinBytes, 2
	m.regs[0][0] = 0x0f
	m.run(0)
	m.expect(t, 2, ExitStop, 2)
	if j := m.c.Joins[0]; m.c.Mask != 0xf0 || j.Arrived != 0xf0f || m.c.Depth != JoinBytes || m.c.Threads != 8+4 {
		t.Errorf("mask %#x, %+v, %d thread instructions", m.c.Mask, j, m.c.Threads)
	}
	m.c.Joins[0].Expected = 0xfff
	m.run(2)
	m.expect(t, 3, ExitSlow, 1)
	if m.c.Mask != 0xfff || m.c.Depth != 0 || m.c.Low != 0 {
		t.Errorf("mask %#x, %d joins", m.c.Mask, m.c.Depth/JoinBytes)
	}
}

// TestStop: the program stops at an instruction that is marked, and only there.
func TestStop(t *testing.T) {
	m := newMachine(t, 1)
	for range 3 {
		m.add(Stop, Inst{})
	}
	m.add(Slow, Inst{})
	m.c.Stop = 1
	m.run(0)
	m.expect(t, 1, ExitStop, 1)
	m.c.Stop = NoPC
	m.run(0)
	m.expect(t, 3, ExitSlow, 3)
}

// TestRest: a lane outside of the site ends a load: the lanes before it are done, it and those after it are not. The
// counter of the load is decremented.
func TestRest(t *testing.T) {
	m := newMachine(t, ^uint32(0))
	m.add(Load32, Inst{D: reg(8), A: 0, Imm: 4, Count: CountVisible})
	m.add(Slow, Inst{})
	addr := (*[Lanes]uint64)(unsafe.Pointer(m.regs))
	for i := range uint64(Lanes) {
		addr[i] = 1<<20 + 4*(i*5%Lanes)
		m.mem[i+1] = uint32(100 + i)
	}
	addr[20] = 1<<20 + 4*256
	m.run(0)
	m.expect(t, 0, ExitRest, 0)
	if m.c.Rest != 0xfff00000 || m.c.Visible != 99 {
		t.Errorf("rest %#x, %d points left", m.c.Rest, m.c.Visible)
	}
	if m.regs[8][19] != uint32(100+19*5%Lanes) || m.regs[8][21] != 0 {
		t.Errorf("lanes 19 and 21 have %d and %d", m.regs[8][19], m.regs[8][21])
	}
	m.c.Visible = 0
	m.run(0)
	m.expect(t, 0, ExitCount, 0)
}

// TestStoreProgress: a store is progress if it changes the memory of an active lane, whatever the registers of the
// others hold.
func TestStoreProgress(t *testing.T) {
	for _, op := range []struct {
		name  string
		store Op
		words int // of a value
	}{{"Store32", Store32, 1}, {"Store64", Store64, 2}} {
		for _, mask := range []uint32{0x00ff0f0f, 0x80000001, 0x0000fffe, 0xfffe0000} {
			for changed := -1; changed < Lanes; changed++ {
				m := newMachine(t, mask)
				m.add(op.store, Inst{A: 0, B: reg(8), Count: CountVisible})
				m.add(Slow, Inst{})
				addr := (*[Lanes]uint64)(unsafe.Pointer(m.regs))
				data := (*[2 * Lanes]uint32)(unsafe.Pointer(&m.regs[8]))
				for i := range Lanes {
					addr[i] = 1<<20 + uint64(4*op.words*i)
					for k := range op.words {
						data[op.words*i+k] = uint32(1000 + i)
						if mask>>i&1 != 0 {
							m.mem[op.words*i+k] = uint32(1000 + i)
						}
					}
				}
				want := uint64(0)
				if changed >= 0 {
					data[op.words*changed+op.words-1]++
					want = uint64(mask >> changed & 1)
				}
				m.run(0)
				m.expect(t, 1, ExitSlow, 1)
				if m.c.Progress != want {
					t.Errorf("%s, mask %#x, lane %d differs: progress %d, expected %d", op.name, mask, changed, m.c.Progress, want)
				}
			}
		}
	}
}

// TestLimit: a back edge is checked as soon as Limit instructions have been executed, including those before the loop.
func TestLimit(t *testing.T) {
	for limit, executed := range map[int64]int64{1: 5, 4: 5, 5: 5, 6: 8, 8: 8, 9: 11, 11: 11, 12: 14} {
		m := newMachine(t, ^uint32(0))
		m.add(Mov32, Inst{D: reg(4), A: reg(1)})
		m.add(Mov32, Inst{D: reg(4), A: reg(1)})
		m.add(Add32, Inst{D: reg(0), A: reg(0), B: reg(1)})
		m.add(SetNe32, Inst{D: reg(3), A: reg(0), B: reg(2)})
		m.add(BranchBack, Inst{A: reg(3), Target: 2, Imm: 3})
		m.add(Slow, Inst{})
		for i := range Lanes {
			m.regs[1][i], m.regs[2][i] = 1, 50
		}
		m.c.Spin.Next = 1 << 40
		m.c.Limit = limit
		m.run(0)
		m.expect(t, 2, ExitBack, executed)
	}
}

// listen makes room for n bytes of what is noted.
func (m *machine) listen(n uint32) []Note {
	notes := make([]Note, 64)
	m.c.Notes, m.c.NoteRoom = unsafe.Pointer(&notes[0]), n
	return notes
}

// addrs are the addresses that an entry says.
func (t *Note) addrs() (a Row) {
	if !t.Even {
		return *(*Row)(unsafe.Add(unsafe.Pointer(t), NoteBytes))
	}
	for i := range a {
		a[i] = t.Base + uint64(i)*t.Step
	}
	return a
}

// TestNote: accesses are noted with their addresses and the relations of adjacent lanes, in less space if the addresses
// are even, in any set of lanes and also where a window ends. Addresses that are uneven only because of inactive lanes
// count as even.
func TestNote(t *testing.T) {
	const size, imm = 4, 8
	patterns := map[string]func(i uint64) uint64{
		"row":     func(i uint64) uint64 { return 1<<20 + size*i },
		"same":    func(uint64) uint64 { return 1 << 33 },
		"column":  func(i uint64) uint64 { return 1<<20 + 4096*i },
		"far":     func(i uint64) uint64 { return 1<<20 + i<<32 },
		"down":    func(i uint64) uint64 { return 1<<20 - size*i },
		"end":     func(i uint64) uint64 { return 1<<32 - 40 + size*i },
		"begin":   func(i uint64) uint64 { return size*i - 80 },
		"row+one": func(i uint64) uint64 { return 1<<20 + size*min(i, 20) },
		"stairs":  func(i uint64) uint64 { return 1<<20 + size*uint64(bits.OnesCount64(0xd9b35c71&(2<<i-1))) },
		"holes":   func(i uint64) uint64 { return 1<<20 + size*i + i&1*size*(i&4) },
	}
	for name, pattern := range patterns {
		for _, mask := range []uint32{^uint32(0), 0xfff0fffd, 0xaaaaaaa0, 0xff000000, 1, 0x80000000} {
			for _, window := range []bool{false, true} {
				m := newMachine(t, mask)
				op := NoteAccess
				if window {
					op = NoteWindow
				}
				m.add(op, Inst{A: 0, B: size, C: 5, Imm: imm, Count: CountVisible})
				m.add(Slow, Inst{})
				notes := m.listen(NoteBytes)
				var want Row
				addr := (*Row)(unsafe.Pointer(m.regs))
				for i := range addr {
					addr[i] = pattern(uint64(i))
					if want[i] = addr[i] + imm; window {
						want[i] = want[i]&(1<<32-1) + 5<<32
					}
				}
				m.run(0)
				m.expect(t, 1, ExitSlow, 1)
				got := &notes[0]
				addrs := got.addrs()
				var next, same uint32
				for i := range addrs {
					if mask>>i&1 == 0 {
						continue
					}
					if addrs[i] != want[i] {
						t.Errorf("%s, mask %#x, window %v: address %d is %#x, expected %#x", name, mask, window, i, addrs[i], want[i])
					}
					if i > 0 && mask>>(i-1)&1 != 0 {
						if want[i] == want[i-1]+size {
							next |= 1 << i
						}
						if want[i] == want[i-1] {
							same |= 1 << i
						}
					}
				}
				gotNext, gotSame := got.Neighbours(size)
				if got.Mask != mask || gotNext != next || gotSame != same || got.PC != 0 {
					t.Errorf("%s, mask %#x, window %v: %+v, expected next %#x, same %#x", name, mask, window, got, next, same)
				}
				bytes := NoteBytes
				if !got.Even {
					bytes += RowBytes
				}
				if m.c.Noted != bytes {
					t.Errorf("%s, mask %#x, window %v: %d bytes, expected %d", name, mask, window, m.c.Noted, bytes)
				}
				neighbours := bits.OnesCount32(mask&-mask<<1&mask) == 1 // the first two lanes
				even := name == "row" || name == "same" || bits.OnesCount32(mask) == 1 || name == "column" && neighbours
				if even && !got.Even {
					t.Errorf("%s, mask %#x, window %v: not even", name, mask, window)
				}
			}
		}
	}
}

// TestNoteRoom: an access or a fence for which there is no room is noted when there is room; one whose counter is 0 is
// not noted.
func TestNoteRoom(t *testing.T) {
	for _, op := range []Op{NoteAccess, NoteFence} {
		for _, mask := range []uint32{^uint32(0), 0xff, 4} {
			testNoteRoom(t, op, mask)
		}
	}
}

func testNoteRoom(t *testing.T, op Op, mask uint32) {
	m := newMachine(t, ^uint32(0))
	m.add(GuardVisible, Inst{A: reg(20), Target: 4, Other: 5})
	m.add(op, Inst{A: 0, B: 4, Count: CountVisible})
	m.add(op, Inst{A: 0, B: 4, Count: CountVisible})
	m.add(Mov32, Inst{D: reg(8), A: reg(9)})
	m.add(Slow, Inst{})
	m.add(op, Inst{A: 0, B: 4, Count: CountVisible})
	m.add(op, Inst{A: 0, B: 4, Count: CountVisible})
	m.add(Mov32, Inst{D: reg(8), A: reg(9)})
	m.add(Unguard, Inst{Target: 4})
	m.regs[20][0] = mask
	notes := m.listen(NoteBytes - 1)
	for i := range m.regs[9] {
		m.regs[9][i] = 7
	}
	m.run(0)
	if m.c.Exit != ExitNote || m.c.Rest != mask || m.c.Noted != NoteBytes || notes[0].Mask != mask {
		t.Errorf("mask %#x: exit %d, lanes %#x, %d bytes", mask, m.c.Exit, m.c.Rest, m.c.Noted)
	}
	m.c.Noted, m.c.Active = 0, m.c.Rest
	Run(&m.c)
	m.expect(t, 4, ExitSlow, 4)
	for i, v := range m.regs[8] {
		if v != 7*(mask>>i&1) {
			t.Errorf("mask %#x: lane %d has %d", mask, i, v)
		}
	}
	m = newMachine(t, mask)
	m.add(op, Inst{Count: CountVisible})
	m.listen(NoteBytes - 1)
	m.c.Visible = 0
	m.run(0)
	if m.expect(t, 0, ExitCount, 0); m.c.Noted != 0 {
		t.Errorf("mask %#x: noted", mask)
	}
}

// TestNoteValue: a value added to an entry has 64 bits for each lane, of which those outside of the mask are 0.
func TestNoteValue(t *testing.T) {
	m := newMachine(t, 0xffff)
	notes := m.listen(0)
	const b = 0xfedc_ba98_7654_3210
	wide := (*Row)(unsafe.Pointer(&m.regs[2]))
	for i := range wide {
		m.regs[0][i], m.regs[1][i], wide[i] = 0x8000_0000+uint32(i), 0x1234_5678, b+uint64(i)
	}
	m.add(NoteValue32, Inst{A: reg(0), Imm: 0xffff_ffff})
	m.add(NotePart32, Inst{A: reg(1), B: 32, Imm: 0xffff_ffff})
	m.add(NoteValue64, Inst{A: reg(2), Imm: -1})
	m.add(NoteValue64, Inst{A: reg(2), Imm: 0xff})
	m.add(NoteValue32, Inst{A: reg(1), Imm: 0xffff})
	m.add(NotePart32, Inst{A: reg(0), B: 16, Imm: 0xff})
	m.add(Slow, Inst{})
	m.run(0)
	m.expect(t, 6, ExitSlow, 6)
	rows := (*[4]Row)(unsafe.Pointer(&notes[0]))
	for i := range uint64(Lanes) {
		got := [4]uint64{rows[0][i], rows[1][i], rows[2][i], rows[3][i]}
		if want := [4]uint64{0x1234_5678_8000_0000 + i, b + i, (b + i) & 0xff, i<<16 | 0x5678}; got != want {
			t.Errorf("lane %d: %x, expected %x", i, got, want)
		}
	}
	if m.c.Noted != 4*RowBytes {
		t.Errorf("%d bytes", m.c.Noted)
	}
}
