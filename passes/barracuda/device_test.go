package barracuda_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	host "github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/passes/barracuda"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// everything is a kernel that does all that is logged; the buffer has a word for each
// thread and some more.
const everything = `.version 7.8
.target sm_80
.address_size 64
.func callee(.param .b64 p)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	ld.u32 %r1, [%rd1];
	ret;
}
.visible .entry kernel(.param .u64 p)
{
	.reg .b64 %rd<8>;
	.reg .b32 %r<16>;
	.reg .pred %p<8>;
	.shared .align 16 .b8 tile[512];
	.local .align 4 .b8 own[16];
	ld.param.u64 %rd0, [p];
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mad.lo.u32 %r3, %r1, %r2, %r0;
	mad.wide.u32 %rd1, %r3, 4, %rd0;
	mov.u64 %rd2, tile;
	mad.wide.u32 %rd2, %r0, 4, %rd2;
	setp.lt.u32 %p1, %r0, 7;
	setp.lt.u32 %p2, %r0, 3;
	setp.eq.u32 %p3, %r1, 0;
	st.global.u32 [%rd1], %r0;
	@%p1 bra $LOW;
	ld.global.u32 %r4, [%rd1];
	st.global.u32 [%rd0+1024], 5;
	st.global.u32 [%rd0+1024], %r0;
	st.global.u32 [%rd0+1024], %r1;
	bra.uni $MEET;
$LOW:
	@%p2 bra $LOWER;
	st.shared.u32 [%rd2], %r0;
	bra.uni $MEETLOW;
$LOWER:
	@%p3 st.shared.u32 [%rd2], 3;
$MEETLOW:
	ld.shared.u32 %r4, [%rd2];
$MEET:
	and.b32 %r5, %r0, 3;
	ts: .branchtargets $A, $B, $A, $C;
	brx.idx %r5, ts;
$A:
	ld.global.u32 %r6, [%rd1];
	bra $END;
$B:
	ld.global.v2.u32 {%r6, %r7}, [%rd0+1032];
	bra $END;
$C:
	st.global.v2.u32 [%rd0+1040], {%r1, %r1};
$END:
	mov.u64 %rd4, own;
	cvta.local.u64 %rd4, %rd4;
	cvta.shared.u64 %rd5, %rd2;
	setp.eq.u32 %p4, %r1, 1;
	selp.b64 %rd6, %rd5, %rd4, %p4;
	selp.b64 %rd6, %rd1, %rd6, %p3;
	st.u32 [%rd6], %r0; // some blocks to each space
	bar.sync 0;
	@%p1 bar.warp.sync 127;
	membar.gl;
	atom.global.exch.b32 %r8, [%rd0+1048], 1;
	red.global.add.u32 [%rd0+1052], 1;
	ld.acquire.gpu.global.u32 %r9, [%rd0+1056];
	atom.acq_rel.cta.shared.add.u32 %r10, [tile], %r1;
	{
	.param .b64 a;
	st.param.b64 [a], %rd1;
	call callee, (a);
	}
	mov.u32 %r11, 0;
$LOOP:
	ld.global.u32 %r12, [%rd1];
	add.u32 %r11, %r11, 1;
	setp.lt.u32 %p4, %r11, %r5;
	@%p4 bra $LOOP;
	@%p3 cp.async.ca.shared.global [%rd2], [%rd1], 4;
	@%p2 exit;
	bar.sync 1;
	ret;
}
`

// TestOps: the operations of each warp that the instrumented kernel tells are those of
// the events of the program as it is, but that its convergence points tell nothing of
// lanes that meet elsewhere, and tell of meetings of lanes that never parted.
func TestOps(t *testing.T) {
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep} {
		for _, queues := range []int{1, 3} {
			compareOps(t, warpOps{}, policy, queues, 10)
		}
	}
}

// TestFullQueues: with queues so small that warps wait for the host at every record,
// lanes do not wait for each other as long as else, but what each thread accesses stays.
func TestFullQueues(t *testing.T) {
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
		for capacity := range 2 {
			compareOps(t, threadOps{}, policy, 2, capacity)
		}
	}
}

// log takes down operations.
type log interface {
	add(op *host.Op, line int, machine *emu.Machine)
	lists() map[string][]string
	empty() log
}

func compareOps(t *testing.T, l log, policy emu.Policy, queues, capacity int) {
	t.Helper()
	m := passtest.Load(t, "k.ptx", []byte(everything))
	events, records := l.empty(), l.empty()
	fromEvents(t, m, policy, events.add)
	fromRecords(t, m, policy, queues, capacity, records.add)
	want, got := events.lists(), records.lists()
	for who, ops := range want {
		if !slices.Equal(ops, got[who]) {
			t.Errorf("policy %d, %d queues of 2^%d: %s:\nevents\n\t%s\nrecords\n\t%s", policy, queues, capacity, who,
				strings.Join(ops, "\n\t"), strings.Join(got[who], "\n\t"))
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d warps or threads, want %d", len(got), len(want))
	}
}

// threadOps are the accesses of threads as text, by block, warp and lane.
type threadOps map[string][]string

func (o threadOps) empty() log                 { return threadOps{} }
func (o threadOps) lists() map[string][]string { return o }

func (o threadOps) add(op *host.Op, line int, machine *emu.Machine) {
	switch op.Kind {
	default:
		return
	case host.Read, host.Write, host.Atomic, host.AtomicRead:
	}
	for lane := range abi.WarpLanes {
		if op.Mask>>lane&1 != 0 {
			who := fmt.Sprintf("%d/%d/%d", op.Block, op.Warp, lane)
			name, off, _ := machine.Describe(op.Addr[lane])
			o[who] = append(o[who], fmt.Sprintf("%d %d %d %+v %s+%d line %d", op.Kind, op.Space, op.Bytes, op.Order, name, off, line))
		}
	}
}

const blocks, threads = 3, 70

var shape = detect.LaunchShape{Grid: [3]uint32{blocks, 1, 1}, Block: [3]uint32{threads, 1, 1}}

// run launches the kernel.
func run(t *testing.T, machine *emu.Machine, buffer uint64) {
	t.Helper()
	res, err := machine.Launch(context.Background(), emu.LaunchConfig{
		Kernel: "kernel", Grid: emu.Dim3{X: blocks, Y: 1, Z: 1}, Block: emu.Dim3{X: threads, Y: 1, Z: 1},
		Params: binary.LittleEndian.AppendUint64(nil, buffer),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Faults {
		t.Fatal(f)
	}
}

// warpOps are operations as text, by block and warp.
type warpOps map[string][]string

func (w warpOps) empty() log { return warpOps{} }

// lists are in alphabetical order: paths of one warp take turns.
func (w warpOps) lists() map[string][]string {
	for _, ops := range w {
		slices.Sort(ops)
	}
	return w
}

func (w warpOps) add(op *host.Op, line int, machine *emu.Machine) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", op.Kind)
	switch op.Kind {
	case host.BlockBegin, host.BlockEnd, host.KernelBegin, host.KernelEnd, host.Complete, host.Exit, host.Fi:
		return
	case host.Sync:
		return // the acquire after what is both, which events tell at once
	case host.Arrive:
		fmt.Fprintf(&b, " barrier %d %t", op.Barrier, op.Goes)
	case host.If:
		fmt.Fprintf(&b, " then %x", op.Then)
	case host.Read, host.Write, host.Atomic, host.AtomicRead:
		fmt.Fprintf(&b, " %d %d %+v %t", op.Space, op.Bytes, op.Order, op.Valued)
		values := map[uint64]uint64{}
		for lane := range abi.WarpLanes {
			if op.Mask>>lane&1 == 0 {
				continue
			}
			name, off, _ := machine.Describe(op.Addr[lane])
			fmt.Fprintf(&b, " %s+%d", name, off)
			if v, ok := values[op.Addr[lane]]; op.Valued && ok && v != op.Value[lane] {
				b.WriteString("!")
			} else if op.Valued && !ok {
				values[op.Addr[lane]] = op.Value[lane]
			}
		}
	}
	if op.Kind != host.Else {
		fmt.Fprintf(&b, " line %d", line)
	}
	warp := fmt.Sprintf("%d/%d", op.Block, op.Warp)
	w[warp] = append(w[warp], fmt.Sprintf("%s mask %x", &b, op.Mask))
}

// fromEvents runs the program as it is and hands what the events tell to add, with lines.
func fromEvents(t *testing.T, m *rewrite.Module, policy emu.Policy, add func(*host.Op, int, *emu.Machine)) {
	t.Helper()
	orders := host.Orders{}
	var machine *emu.Machine
	to := &struct{ *host.FromEvents }{} // which need the sites
	events := observe.NewEvents(m, abi.Needs{Values: true, Shared: true, Branches: true, Lanes: true}, to)
	for _, p := range passtest.Run(t, m, "acqrel", acqrel.Pass).Results["acqrel"].(*acqrel.Result).Patterns {
		for _, s := range events.Sites() {
			if s.PTX.Line == p.Inst.Line {
				o := host.Order{Acquire: p.Acquires(), Release: p.Releases()}
				o.Scope = map[isa.Scope]host.Scope{isa.ScopeCTA: host.ScopeBlock, isa.ScopeGPU: host.ScopeGlobal}[p.Scope]
				orders[s.ID] = o
			}
		}
	}
	to.FromEvents = host.NewFromEvents(orders, func(op *host.Op) {
		line := 0
		if op.Site > 0 {
			line = events.Sites()[op.Site-1].PTX.Line
		}
		add(op, line, machine)
	})
	machine, err := emu.New(m, emu.Config{Policy: policy, Listener: events})
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := machine.Alloc("buffer", 4096)
	if err != nil {
		t.Fatal(err)
	}
	run(t, machine, buffer)
}

// fromRecords runs the program instrumented and hands what the records tell to add.
func fromRecords(t *testing.T, m *rewrite.Module, policy emu.Policy, queues, capacity int, add func(*host.Op, int, *emu.Machine)) {
	t.Helper()
	out := passtest.RunVerified(t, m, "barracuda<prune=false>", barracuda.Pass)
	var machine *emu.Machine
	from := host.NewFromRecords(shape, func(op *host.Op) {
		line := 0
		if op.Site > 0 {
			line = out.Sites[op.Site-1].PTX.Line
		}
		add(op, line, machine)
	})
	q, err := host.NewQueues(queues, capacity, from.Record)
	if err != nil {
		t.Fatal(err)
	}
	machine, err = emu.New(passtest.Load(t, "k.ptx", out.Module.Source()), emu.Config{Policy: policy, Poll: func() bool {
		some, failure := q.Poll(machine)
		if failure != nil {
			t.Fatal(failure)
		}
		return some
	}})
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := machine.Alloc("buffer", 4096)
	if err == nil {
		err = q.Prepare(machine)
	}
	if err != nil {
		t.Fatal(err)
	}
	run(t, machine, buffer)
	if err := q.Finish(machine); err != nil {
		t.Fatal(err)
	}
}
