package emu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// increment adds 3 to the thread's word of a.
const increment = "ld.global.u32 %r1, [%ai]; add.u32 %r1, %r1, 3; st.global.u32 [%ai], %r1; "

// stagesRun is a launch of 2^15 blocks of 256 threads, each of which has a word of a, on a buffer of 32 MiB; b has 16
// words.
func stagesRun(t *testing.T, m *Machine) (LaunchConfig, [2]uint64) {
	t.Helper()
	const blocks, threads = 1 << 15, 256
	var buf [2]uint64
	for i, size := range []uint64{4 * blocks * threads, 64} {
		addr, err := m.Alloc(string(rune('a'+i)), size)
		if err != nil {
			t.Fatal(err)
		}
		buf[i] = addr
	}
	params := binary.LittleEndian.AppendUint64(nil, buf[0])
	params = binary.LittleEndian.AppendUint64(params, buf[1])
	params = binary.LittleEndian.AppendUint32(params, 0)
	return LaunchConfig{
		Kernel: "k", Grid: Dim3{X: blocks, Y: 1, Z: 1}, Block: Dim3{X: threads, Y: 1, Z: 1}, Params: params,
	}, buf
}

// TestStages: what a launch writes is saved in small pieces. Whatever fails in one of the later stages, each thread has
// added 3 at most once, all of the stages before have, and results are the same for any number of workers.
func TestStages(t *testing.T) {
	const hit, late = "setp.ne.u32 %p1, %i, 0x700000; ", 0x600000 // words of the stages before
	for _, c := range []struct {
		name, body, fault string
		steps             uint64
	}{
		{name: "all in order", body: increment},
		{name: "counter", body: increment + "red.global.add.u32 [%b], 1;"},
		{name: "fault", body: increment + hit + "@!%p1 ld.global.u32 %r1, [%b+64];", fault: "out-of-bounds"},
		{name: "counter and fault", body: increment + "red.global.add.u32 [%b], 1; " + hit + "mov.u64 %rd9, g; @!%p1 ld.global.u32 %r1, [%rd9+32768];", fault: "out-of-bounds"},
		{name: "read of another block's word", body: increment + hit + "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %a, %rd2; @!%p1 ld.global.u32 %r2, [%rd2]; @!%p1 st.global.u32 [%ai+0], %r1;"},
		{name: "too many steps", body: increment, fault: "timeout", steps: 3 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want string
			for _, workers := range []int{1, 3} {
				m := blocksOf(t, c.body, Config{Workers: workers, MaxSteps: c.steps})
				lc, buf := stagesRun(t, m)
				r, err := m.Launch(t.Context(), lc)
				if err != nil {
					t.Fatal(err)
				}
				if (c.fault == "") != (len(r.Faults) == 0) || c.fault != "" && r.Faults[0].Class != c.fault {
					t.Fatalf("faults %v, expected %q", r.Faults, c.fault)
				}
				p, counter := make([]byte, lc.Grid.Count()*lc.Block.Count()*4), make([]byte, 4)
				if err := errorsOf(m.Read(buf[0], p), m.Read(buf[1], counter)); err != nil {
					t.Fatal(err)
				}
				added := uint32(bytes.Count(p, []byte{3, 0, 0, 0}))
				if n := binary.LittleEndian.Uint32(counter); strings.Contains(c.body, "[%b], 1") && n != added {
					t.Errorf("%d threads have been counted, %d have added", n, added)
				}
				for i := range len(p) / 4 {
					if w := binary.LittleEndian.Uint32(p[4*i:]); w != 3 && (w != 0 || c.fault == "" || i < late && c.steps == 0) {
						t.Fatalf("%d workers: word %#x is %d", workers, i, w)
					}
				}
				got := fmt.Sprint(r.Stats, r.Faults, added)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%d workers: %.400s\nexpected %.400s", workers, got, want)
				}
			}
		})
	}
}

func errorsOf(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestStageSize: what a stage saves, of launches that write 32 MiB.
func TestStageSize(t *testing.T) {
	for _, c := range []struct {
		name, body string
		most       uint64
	}{
		{"own word", increment, stageBytes},
		{"backwards", "sub.u32 %r1, 0x7fffff, %i; mul.wide.s32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; st.global.u32 [%rd1], %i;", stageBytes},
		{"columns", "mad.lo.u32 %r1, %t, 0x8000, %c; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; st.global.u32 [%rd1], %i;", 16 << 20},
		{"partners", "xor.b32 %r3, %i, 4096; setp.le.u32 %p1, %r3, %i; @%p1 ret; mul.wide.u32 %rd1, %r3, 4; add.s64 %rd1, %a, %rd1; st.global.u32 [%rd1], %i;", 32 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := blocksOf(t, c.body, Config{})
			lc, _ := stagesRun(t, m)
			l, err := grids.Prepare(m.state, &lc)
			if err != nil {
				t.Fatal(err)
			}
			if l.Independent = independent(m.state, l); l.Independent == nil {
				t.Fatal("the blocks are not independent")
			}
			x := &state.Engine{M: m.state, Ctx: t.Context(), L: l}
			if !runParts(x) {
				t.Fatal("not executed in parts")
			}
			n := partsOfStage(m.state, l) * partSize(l)
			var saved uint64
			for _, e := range l.Independent.Writes(0, min(n, l.Total)) {
				saved += e.Hi - e.Lo
			}
			if saved > c.most {
				t.Errorf("%d blocks: %d bytes are saved, expected at most %d", n, saved, c.most)
			}
		})
	}
}
