package emu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// accessLog is a listener that writes down accesses and fences.
type accessLog struct {
	emu.Follower
	values, shared, branches bool
	loops                    bool // it takes batches with loops
	lines                    []string
	rows                     int // lanes that follow another one
	batches, batched         int // batches, and accesses in them
}

// Interest implements emu.Listener.
func (l *accessLog) Interest() emu.Interest {
	return l.Following(emu.Interest{Needs: abi.Needs{Values: l.values, Shared: l.shared, Branches: l.branches, Lanes: true}})
}

// TakesLoops implements abi.LoopReceiver.
func (l *accessLog) TakesLoops() bool { return l.loops }

// Accesses implements abi.Receiver.
func (l *accessLog) Accesses(b *abi.Batch) {
	l.batches++
	for a := range b.All() {
		l.access(b, a)
		l.batched++
	}
}

func (l *accessLog) access(b *abi.Batch, a *abi.Access) {
	line := fmt.Sprintf("%s %d/%d %08x %08x %s %d", l.Inst(a.Site).Text(), b.Warp, b.Block, a.Mask, b.Live, a.Space, a.Bytes)
	var next, same uint32
	for i, before := uint32(0), uint32(0); i < 32; i++ {
		if a.Mask>>i&1 == 0 {
			continue
		}
		at := a.At(int(i))
		line += fmt.Sprintf(" %x", at)
		if a.New != nil && a.Wrote>>i&1 != 0 {
			line += fmt.Sprintf("=%x", a.New[i])
			if a.Old != nil {
				line += fmt.Sprintf("<%x", a.Old[i])
			}
		}
		if i > 0 && before == i-1 && a.Mask>>before&1 != 0 {
			next |= b2u(at == a.At(int(before))+uint64(a.Bytes)) << i
			same |= b2u(at == a.At(int(before))) << i
		}
		before = i
	}
	if a.Next != next || a.Same != same {
		line += fmt.Sprintf(": Next %08x, Same %08x, expected %08x, %08x", a.Next, a.Same, next, same)
		l.rows = -1 << 30
	}
	if next != 0 {
		l.rows++
	}
	l.lines = append(l.lines, line)
}

// Event implements abi.Receiver.
func (l *accessLog) Event(ev *abi.Event) {
	if ev.Kind == abi.EventFence {
		l.lines = append(l.lines, fmt.Sprintf("%s %d/%d/%d %08x %08x", l.Inst(ev.Site).Text(), ev.Warp, ev.Block, ev.Cluster, ev.Mask, ev.Live))
	}
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// TestVectorAccesses: listeners get the same accesses in the same order in assembly and in Go, with and without loops,
// also when some of an access's lanes fault, and the relations of adjacent lanes are right.
func TestVectorAccesses(t *testing.T) {
	n := *vectorPrograms
	if testing.Short() {
		n = 100
	}
	rows, batches, batched := 0, 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 17))
		input := memoryInput(r)
		text := memoryProgram(r)
		cfg := emu.Config{MaxFaults: []int{1, 50}[r.IntN(2)]}
		values, shared := r.IntN(2) == 0, r.IntN(2) == 0
		var logs [3]accessLog
		var outs [3]memoryOutcome
		for i := range logs {
			logs[i] = accessLog{values: values, shared: shared, loops: i == 2}
			cfg.NoVector, cfg.Listener = i == 1, &logs[i]
			outs[i] = runMemory(t, text, cfg, input)
		}
		for i := range logs[1:] {
			l, k := &logs[1+i], 0
			if slices.Equal(logs[0].lines, l.lines) && outs[0].faults == outs[1+i].faults && outs[0].stats == outs[1+i].stats {
				continue
			}
			for k < min(len(logs[0].lines), len(l.lines)) && logs[0].lines[k] == l.lines[k] {
				k++
			}
			t.Fatalf("seed %d, values %v, shared %v: differ from access %d on:\n%q\nin assembly\n%q\nin run %d\n%+v\n%+v\n%s", seed, values, shared, k,
				logs[0].lines[k:min(k+1, len(logs[0].lines))], l.lines[k:min(k+1, len(l.lines))], 1+i, outs[0].stats, outs[1+i].stats, text)
		}
		if logs[0].rows < 0 {
			t.Fatalf("seed %d: wrong about neighbours: %q", seed, logs[0].lines)
		}
		rows += logs[0].rows
		batches, batched = batches+logs[2].batches, batched+logs[2].batched
	}
	if rows < int(n) {
		t.Errorf("%d accesses to rows in %d programs", rows, n)
	}
	if emu.HasVectors() && batched <= batches {
		t.Errorf("%d accesses in %d batches", batched, batches)
	}
}

// logged runs a kernel of two blocks of 64 threads in assembly, in Go, and in assembly for listeners that need values
// or branches, or take loops. It reports whether all get the same accesses, and how many.
func logged(t *testing.T, text string, words int, cfg emu.Config) (same bool, accesses int) {
	var logs [6]accessLog
	for i := range logs {
		l := &logs[i]
		l.shared, l.branches, l.values, l.loops = true, i == 4, i >= 2, i == 5
		cfg.Listener, cfg.NoVector = l, i == 1 || i == 2
		m := load(t, text, cfg)
		clean(t, launch(t, m, 2, 64, alloc(t, m, "out", words)))
	}
	same = true
	for i, like := range []int{0, 0, 2, 2, 2, 2} {
		same = same && slices.Equal(logs[i].lines, logs[like].lines)
	}
	return same && len(logs[0].lines) == len(logs[2].lines), len(logs[0].lines)
}

// TestVectorNoteCounts: an access or a fence whose counter is 0 is not noted before it can be executed.
func TestVectorNoteCounts(t *testing.T) {
	const text = `.entry k(.param .u64 out) {
	.reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p;
	ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
	setp.gt.u32 %p, %r1, 40;
	ld.global.u32 %r2, [%d1]; add.u32 %r2, %r2, %r1; @%p st.global.u32 [%d1], %r2;
	membar.gl; @!%p atom.global.add.u32 %r3, [%d1], 5; fence.acq_rel.cta; @%p fence.sc.gpu; red.global.add.u32 [%d1], %r3; st.global.u32 [%d1+4], %r1;
	ret;
}`
	for name, p := range policies {
		for seed := range uint64(20) {
			if same, n := logged(t, text, 65, emu.Config{Policy: p, Seed: seed}); !same || n == 0 {
				t.Errorf("%s, seed %d: %d accesses, or others", name, seed, n)
			}
		}
	}
}

// TestVectorNoteDiverged: the accesses of diverged lanes are reported separately, whether or not a listener needs
// branch events.
func TestVectorNoteDiverged(t *testing.T) {
	const text = `.entry k(.param .u64 out) {
	.reg .b32 %r<6>; .reg .b64 %d<4>; .reg .pred %p<3>;
	ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2;
	and.b32 %r2, %r1, 7; mov.u32 %r3, 0;
L:	setp.ge.u32 %p1, %r3, %r2; @%p1 bra END;
	ld.global.u32 %r4, [%d2]; fence.sc.gpu; and.b32 %r5, %r4, 1; setp.ne.u32 %p2, %r5, 0; @%p2 bra ODD;
	add.u32 %r4, %r4, 1; st.global.u32 [%d2], %r4; bra NEXT;
ODD:	membar.cta; add.u32 %r4, %r4, 3; @%p1 st.global.u32 [%d2], 9; red.global.add.u32 [%d1+512], %r4;
	st.global.u32 [%d2], %r4;
	atom.global.cas.b32 %r5, [%d2+256], %r3, %r4; atom.global.max.s32 %r4, [%d1+516], %r5;
NEXT:	add.u32 %r3, %r3, 1; bra L;
END:	st.global.u32 [%d2], %r3;
	ret;
}`
	for name, p := range policies {
		for seed := range uint64(5) {
			if same, n := logged(t, text, 193, emu.Config{Policy: p, Seed: seed}); !same || n < 50 {
				t.Errorf("%s, seed %d: %d accesses, or others", name, seed, n)
			}
		}
	}
}

// TestVectorNoteRest: when the assembly leaves an atomic operation to Go for some lanes, earlier notes are emitted
// unchanged, whether or not the operation is reported, and faulting lanes have written nothing.
func TestVectorNoteRest(t *testing.T) {
	const text = `.entry k(.param .u64 out) {
	.reg .b32 %r<8>; .reg .b64 %d<3>; .reg .pred %p<3>; .shared .b32 tile[32];
	ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
	mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; mov.u32 %r4, 0;
L:	st.global.u32 [%d1], %r4; atom.shared.add.u32 %r5, [%r2], %r1; atom.global.max.u32 %r6, [%d1], %r1;
	setp.eq.u32 %p1, %r1, 5; @%p1 add.u32 %r2, %r2, 4096; setp.eq.u32 %p2, %r1, 9; setp.eq.and.u32 %p2, %r4, 1, %p2; @%p2 add.u64 %d1, %d1, 1048576;
	add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 3; @%p1 bra L;
	ret;
}`
	for _, faults := range []int{1, 50} {
		for _, shared := range []bool{false, true} {
			var logs [3]accessLog
			for i := range logs {
				l := &logs[i]
				l.values, l.shared, l.loops = true, shared, i == 2
				m := load(t, text, emu.Config{Listener: l, NoVector: i == 1, MaxFaults: faults})
				if r := launch(t, m, 1, 32, alloc(t, m, "out", 32)); len(r.Faults) == 0 {
					t.Fatal("no faults")
				}
			}
			if !slices.Equal(logs[0].lines, logs[1].lines) || !slices.Equal(logs[0].lines, logs[2].lines) || len(logs[0].lines) < 3 {
				t.Errorf("at most %d faults, shared %v: in assembly\n%q\nin Go\n%q\nmany at a time\n%q", faults, shared, logs[0].lines, logs[1].lines, logs[2].lines)
			}
		}
	}
}
