//go:build !purego

package vector

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// runProgram is a program with the operations of a run, whose registers are number n of the run at reg(2n).
func runProgram(t *testing.T, r *rand.Rand, of *run, mask uint32) *machine {
	m := newMachine(t, mask)
	for i := range m.regs {
		for l := range m.regs[i] {
			m.regs[i][l] = randomWord(r)
			if i > 0 && r.IntN(3) > 0 { // values that are equal, so that tests hold
				m.regs[i][l] = m.regs[0][0] & 0x01010101
			}
		}
	}
	for _, s := range of.steps {
		in := Inst{Target: uint32(len(of.steps)) + 1, Imm: -1, C: -(r.Uint32() & 1)}
		accessing(r, s.op, &in)
		for _, o := range append(append([]operand{}, s.sources...), s.results...) {
			*map[field]*uint32{fieldA: &in.A, fieldB: &in.B, fieldC: &in.C, fieldD: &in.D, fieldE: &in.E}[o.in] = reg(2 * uint32(o.number))
		}
		if m.add(s.op, in); r.IntN(20) > 0 {
			m.inMemory(r, of, &s, mask)
		}
	}
	if of.lone && r.IntN(4) == 0 {
		m.c.Visible = int64(r.IntN(8)) // may run out in the middle
	}
	for range 3 {
		m.add(Slow, Inst{})
	}
	m.c.Notes = unsafe.Pointer(&new(noteRows)[1])
	return m
}

// accessing makes in an access to memory, if op is one.
func accessing(r *rand.Rand, op Op, in *Inst) {
	switch name := op.String(); {
	case name == "LoadUniformV4x32":
		in.Imm = 1<<20 + 16*int64(r.IntN(64)) + 4*int64(r.IntN(9)/8)
	case strings.HasPrefix(name, "Load"), strings.HasPrefix(name, "Store"), strings.HasPrefix(name, "Atom"):
		in.Imm = 8*int64(r.IntN(4)) + 4*int64(r.IntN(17)/16)
	case op != ActiveMask && op != MatchAny64:
		return
	}
	in.Count = CountVisible
}

// inMemory sets the registers from which a step takes or computes an address to one in memory, and those that say which
// lanes take part in a match.
func (m *machine) inMemory(r *rand.Rand, of *run, s *step, mask uint32) {
	row := func(k int) *Row { return (*Row)(unsafe.Pointer(&m.regs[2*s.sources[k].number])) }
	written := func(k int) bool {
		return slices.ContainsFunc(of.steps, func(other step) bool {
			return slices.ContainsFunc(other.results, func(o operand) bool { return o.number == s.sources[k].number })
		})
	}
	name := s.op.String()
	switch at := 1<<20 + 8*uint64(r.IntN(100)); {
	case s.op == MadWideU32:
		*row(1) = Row{}
		if !written(2) {
			for l := range row(2) {
				row(2)[l] = at
			}
		}
	case s.op == MatchAny64:
		for l := range m.regs[2*s.sources[1].number] {
			m.regs[2*s.sources[1].number][l] = mask
		}
	case len(s.sources) > 0 && (strings.HasPrefix(name, "Load") || strings.HasPrefix(name, "Store")) && !written(0):
		for l := range row(0) {
			row(0)[l] = at
		}
	}
}

// TestRuns: a run does what its operations do one by one, except that it does not store the results that it does not
// keep.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range runs {
		of, name := &runs[i], Op(numOps+i).String()
		jumped, whole, exits := 0, 0, map[Exit]int{}
		for round := range 600 {
			mask := [...]uint32{^uint32(0), 1 << r.IntN(Lanes), r.Uint32() & r.Uint32(), 0xff}[round%4]
			if of.lone && round%8 > 0 {
				mask = 1 << r.IntN(Lanes)
			}
			if mask == 0 {
				continue
			}
			m := runProgram(t, r, of, mask)
			single := m.copy(t)
			m.code[0].handlers = find(Op(numOps + i))
			if got := cmp.Or(m.code[0].Lone(), m.code[0].Run()); got != name {
				t.Fatalf("%s: %q", name, got)
			}
			m.run(0)
			single.run(0)
			for _, s := range of.steps {
				for _, o := range s.results {
					if of.keeps>>o.number&1 == 0 {
						m.regs[2*o.number], m.regs[2*o.number+1] = single.regs[2*o.number], single.regs[2*o.number+1]
					}
				}
			}
			if diff := m.difference(single); diff != "" {
				t.Fatalf("%s, mask %#x: %s", name, mask, diff)
			}
			if int(m.c.At/InstBytes) > len(of.steps) {
				jumped++
			}
			if mask&(mask-1) == 0 {
				exits[m.c.Exit]++
				if int(m.c.At/InstBytes) == len(of.steps) {
					whole++
				}
			}
		}
		if of.lone && (whole < 10 || exits[ExitRest] == 0 || exits[ExitCount] == 0) {
			t.Errorf("%s was executed to its end in %d rounds, and left by %v", name, whole, exits)
		}
		if branches := strings.HasSuffix(of.steps[len(of.steps)-1].op.String(), "Branch"); branches && (jumped == 0 || jumped == 600) {
			t.Errorf("%s jumped in %d of 600 rounds", name, jumped)
		}
	}
}

// TestLoneKeeps: a lone run stores what operations read after a place where the program may be left.
func TestLoneKeeps(t *testing.T) {
	for i := range runs {
		of, name := &runs[i], Op(numOps+i).String()
		for k, s := range of.steps {
			for _, o := range s.results {
				if of.lone && of.keeps>>o.number&1 == 0 && of.readLater(k, o.number) {
					t.Errorf("%s does not store the result of operation %d", name, k)
				}
			}
		}
	}
}

// readLater reports whether a result of step k is read after the run may be left behind it.
func (r *run) readLater(k, number int) bool {
	left := false
	for _, s := range r.steps[k+1:] {
		branch := strings.HasSuffix(s.op.String(), "Branch")
		var in Inst
		accessing(rand.New(rand.NewPCG(1, 1)), s.op, &in)
		left = left || in.Count != 0 || s.op == Stop
		if left && slices.ContainsFunc(s.sources, func(o operand) bool { return o.number == number }) {
			return true
		}
		left = left || branch
	}
	return false
}

// always and never are what a program may say of registers that are read later.
func always(uint32, uint32, int) bool { return true }
func never(uint32, uint32, int) bool  { return false }

// TestRunsBegin: a sequence of operations is a run unless values go elsewhere than in the run, or are read afterwards.
func TestRunsBegin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range runs {
		of, name := &runs[i], Op(numOps+i).String()
		m := runProgram(t, r, of, 1)
		if !of.begins(m.code, always) {
			t.Errorf("%s is none", name)
		}
		stored := true
		for _, s := range of.steps {
			for _, o := range s.results {
				stored = stored && of.keeps>>o.number&1 != 0
			}
		}
		if of.begins(m.code, never) != stored {
			t.Errorf("%s, although its results are read", name)
		}
		if of.begins(m.code[:len(of.steps)-1], always) {
			t.Errorf("%s without its last operation", name)
		}
		first := slices.IndexFunc(of.steps, func(s step) bool { return len(s.results) > 0 })
		for k := first + 1; k < len(of.steps); k++ {
			for _, o := range of.steps[k].sources {
				m := runProgram(t, r, of, 1)
				in := &m.code[k]
				*map[field]*uint32{fieldA: &in.A, fieldB: &in.B, fieldC: &in.C}[o.in] = m.code[first].field(of.steps[first].results[0].in)
				if inside := in.field(o.in) == reg(2*uint32(o.number)); of.begins(m.code, always) != inside {
					t.Errorf("%s with another source of operation %d", name, k)
				}
			}
		}
	}
}

// TestRunOverwrites: a sequence of operations is no run if one overwrites what a later one reads. Results may share a
// register.
func TestRunOverwrites(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	locate := &runs[RunLocate-numOps]
	m := runProgram(t, r, locate, 1)
	m.code[1].D, m.code[2].C = m.code[0].B, m.code[0].B // the shifted half in place of the half
	if !locate.begins(m.code, always) {
		t.Error("refused, although only values are overwritten that are not read any more")
	}
	m.code[1].D, m.code[2].C = m.code[2].B, m.code[2].B // in place of a factor
	if locate.begins(m.code, always) {
		t.Error("accepted, although a factor is overwritten before it is read")
	}
	m = runProgram(t, r, locate, 1)
	m.code[1].D, m.code[2].C = m.code[0].C, m.code[0].C // in place of the other half
	if locate.begins(m.code, always) {
		t.Error("accepted, although a half is overwritten before it is read")
	}
}

// TestCombine: each run of a program is found.
func TestCombine(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	m := runProgram(t, r, &runs[RunLocate-numOps], 1)
	low := runProgram(t, r, &runs[RunUnpackLow-numOps], 1)
	m.code = append(low.code[:1], m.code...)
	Combine(m.code, always)
	var got []string
	for i := range m.code {
		if run := m.code[i].Run(); run != "" {
			got = append(got, run)
		}
	}
	if want := []string{"RunUnpackLow", "RunLocate"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	m = runProgram(t, r, &runs[LoneCheck-numOps], 1) // begins with a run for any number of lanes
	Combine(m.code, always)
	if run, lone := m.code[0].Run(), m.code[0].Lone(); run != "RunLocate" || lone != "LoneCheck" {
		t.Errorf("%s, and %s for one lane", run, lone)
	}
	if m.code[0].handlers.masked != find(RunLocate).masked || m.code[0].handlers.one != find(LoneCheck).one {
		t.Errorf("handlers %+v", m.code[0].handlers)
	}
	if op, ok := m.code[0].Op(); op != Unpack64 || !ok {
		t.Errorf("the operation of a run's first instruction is %v", op)
	}
}
