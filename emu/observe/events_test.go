package observe_test

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

const eventsHead = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	.reg .pred %p<3>;
	.shared .align 16 .b8 tile[256];
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	add.u32 %r2, %r1, 70;
	setp.eq.u32 %p1, %r1, 1;
`

var eventNames = [...]string{
	abi.EventKernelBegin: "kernel begins", abi.EventKernelEnd: "kernel ends", abi.EventBlockBegin: "block begins", abi.EventBlockEnd: "block ends",
	abi.EventAccess: "access", abi.EventFence: "fence", abi.EventBarrierArrive: "barrier arrive", abi.EventBarrierComplete: "barrier complete",
	abi.EventBarrierPass: "barrier pass", abi.EventWarpSync: "warp sync", abi.EventClusterArrive: "cluster arrive", abi.EventClusterWait: "cluster wait",
	abi.EventClusterPass: "cluster pass", abi.EventMbarrierInit: "mbarrier init", abi.EventMbarrierArrive: "mbarrier arrive",
	abi.EventMbarrierPass: "mbarrier pass", abi.EventMbarrierCopyArrive: "mbarrier copy arrive", abi.EventMbarrierExpect: "mbarrier expect",
	abi.EventLaunch: "launch", abi.EventJoin: "join",
	abi.EventAsyncCommit: "commit", abi.EventAsyncWait: "wait", abi.EventAsyncDone: "done", abi.EventDiverge: "diverge", abi.EventConverge: "converge",
}

// eventLine spells an event, with the site's instruction for its number.
func eventLine(e *observe.Events, ev *abi.Event) string {
	s := eventNames[ev.Kind]
	if ev.Kind == abi.EventKernelBegin && ev.Proxy == abi.ProxyAsync {
		s += " of a program with bulk operations"
	}
	if ev.Kind <= abi.EventBlockEnd {
		return s
	}
	if ev.Site > 0 {
		s += " " + e.Sites()[ev.Site-1].Instruction
	}
	s += fmt.Sprintf(" w%d %x", ev.Warp, ev.Mask)
	first := bits.TrailingZeros32(ev.Mask)
	switch ev.Kind {
	case abi.EventAccess:
		s += fmt.Sprintf(" access %d sem %d scope %d space %d bytes %d async %d at %x", ev.Access, ev.Sem, ev.Scope, ev.Space, ev.Bytes, ev.Async, ev.Addr[first]&0xffff)
		if ev.Valued {
			s += fmt.Sprintf(" wrote %x new", ev.Wrote)
			for m := ev.Mask; m != 0; m &= m - 1 {
				s += fmt.Sprintf(" %x", ev.New[bits.TrailingZeros32(m)])
			}
			for m := ev.Mask; m != 0 && ev.Access == abi.AccessRMW; m &= m - 1 {
				s += fmt.Sprintf(" old %x", ev.Old[bits.TrailingZeros32(m)])
			}
		}
	case abi.EventFence:
		s += fmt.Sprintf(" sem %d scope %d proxy %d", ev.Sem, ev.Scope, ev.Proxy)
	case abi.EventBarrierArrive, abi.EventBarrierPass:
		s += fmt.Sprintf(" id %d expects %d mode %d", ev.Barrier, ev.Expected, ev.Mode)
	case abi.EventDiverge:
		s += fmt.Sprintf(" taken %x", ev.Wrote)
	case abi.EventAsyncWait:
		s += fmt.Sprintf(" pending %d", ev.Pending[first])
	case abi.EventAsyncDone:
		s += fmt.Sprintf(" tells %x", ev.Signal&0xffff)
	case abi.EventMbarrierArrive, abi.EventMbarrierPass, abi.EventMbarrierInit:
		s += fmt.Sprintf(" at %x", ev.Addr[first]&0xffff)
	}
	return s
}

// TestEvents: what two threads of a block do, as events.
func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		body    string
		threads uint32
		want    string
	}{
		"stores": {body: "st.global.u8 [%rd1+4], %r2;\n st.volatile.global.v2.u16 [%rd1], {%r1, %r2};\n st.release.gpu.global.v4.u32 [%rd1], {%r1, %r1, %r1, %r1};\n ld.relaxed.cta.global.u32 %r3, [%rd1];", want: `
access st.global.u8 w0 3 access 1 sem 1 scope 0 space 4 bytes 1 async 0 at 4 wrote 3 new 46 47
access st.volatile.global.v2.u16 w0 3 access 1 sem 2 scope 0 space 4 bytes 4 async 0 at 0 wrote 3 new 460000 470001
access st.release.gpu.global.v4.u32 w0 3 access 1 sem 6 scope 3 space 4 bytes 16 async 0 at 0 wrote 3 new a035e2cc637f5704 52f6797d756f824d
access ld.relaxed.cta.global.u32 w0 3 access 0 sem 4 scope 1 space 4 bytes 4 async 0 at 0`},
		// The lanes of an atomic operation follow one another: the second finds what the
		// first has written. A compare-and-swap that fails writes nothing. The register
		// of the address is overwritten.
		"atomics": {body: "atom.global.cas.b32 %r3, [%rd1], 0, %r2;\n atom.acq_rel.cta.global.add.s32 %r3, [%rd1], -1;\n atom.global.exch.b64 %rd1, [%rd1+8], 5;", want: `
access atom.global.cas.b32 w0 3 access 2 sem 4 scope 3 space 4 bytes 4 async 0 at 0 wrote 1 new 46 46 old 0 old 46
access atom.acq_rel.cta.global.add.s32 w0 3 access 2 sem 7 scope 1 space 4 bytes 4 async 0 at 0 wrote 3 new 45 44 old 46 old 45
access atom.global.exch.b64 w0 3 access 2 sem 4 scope 3 space 4 bytes 8 async 0 at 8 wrote 3 new 5 5 old 0 old 5`},
		"fences": {body: "membar.cta;\n membar.gl;\n fence.acq_rel.cluster;\n fence.proxy.async;", want: `
fence membar.cta w0 3 sem 8 scope 1 proxy 0
fence membar.gl w0 3 sem 8 scope 3 proxy 0
fence fence.acq_rel.cluster w0 3 sem 7 scope 2 proxy 0
fence fence.proxy.async w0 3 sem 0 scope 0 proxy 2`},
		"branches": {body: "@%p1 bra L;\n st.shared.u32 [tile], %r1;\nL:\n bar.warp.sync 3;", want: `
diverge bra w0 3 taken 2
access st.shared.u32 w0 1 access 1 sem 1 scope 0 space 7 bytes 4 async 0 at 0 wrote 1 new 0
converge bar.warp.sync w0 3
warp sync bar.warp.sync w0 3`},
		"barriers": {threads: 64, body: "setp.gt.u32 %p2, %r1, 31;\n @%p2 bra L;\n bar.sync 2, 64;\n ret;\nL:\n bar.arrive 2, 64;", want: `
barrier arrive bar.sync w0 ffffffff id 2 expects 64 mode 0
barrier arrive bar.arrive w1 ffffffff id 2 expects 64 mode 1
barrier complete w1 ffffffff
barrier pass bar.sync w0 ffffffff id 2 expects 64 mode 0`},
		// Lane 1 is in shared memory, the others are not: an event for each space.
		"spaces": {threads: 4, body: "mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd2, %rd1, %rd2;\n mov.u64 %rd3, tile;\n cvta.shared.u64 %rd3, %rd3;\n" +
			" selp.b64 %rd2, %rd3, %rd2, %p1;\n st.u32 [%rd2], %r2;\n atom.add.u32 %r3, [%rd2], 5;", want: `
access st.u32 w0 d access 1 sem 1 scope 0 space 4 bytes 4 async 0 at 0 wrote d new 46 48 49
access st.u32 w0 2 access 1 sem 1 scope 0 space 7 bytes 4 async 0 at 0 wrote 2 new 47
access atom.add.u32 w0 d access 2 sem 4 scope 3 space 4 bytes 4 async 0 at 0 wrote d new 4b 4d 4e old 46 old 48 old 49
access atom.add.u32 w0 2 access 2 sem 4 scope 3 space 7 bytes 4 async 0 at 0 wrote 2 new 4c old 47`},
		// The last instruction of the kernel completes the barrier.
		"exits": {threads: 64, body: "setp.gt.u32 %p2, %r1, 31;\n @%p2 bra L;\n bar.sync 0;\nL:", want: `
barrier arrive bar.sync w0 ffffffff id 0 expects 0 mode 0
barrier complete w1 0
barrier pass bar.sync w0 ffffffff id 0 expects 0 mode 0`},
		"copies": {threads: 1, body: "mov.u32 %r3, tile;\n cp.async.ca.shared.global [%r3+16], [%rd1], 4;\n cp.async.commit_group;\n cp.async.wait_group 0;", want: `
access cp.async.ca.shared.global w0 1 access 0 sem 1 scope 0 space 4 bytes 4 async 1 at 0
access cp.async.ca.shared.global w0 1 access 1 sem 1 scope 0 space 7 bytes 4 async 1 at 10
commit cp.async.commit_group w0 1
wait cp.async.wait_group w0 1 pending 0`},
	} {
		t.Run(name, func(t *testing.T) {
			m := load(t, eventsHead+c.body+"\nret;\n}")
			var lines []string
			var e *observe.Events
			e = observe.NewEvents(m, abi.Needs{Values: true, Shared: true, Branches: true, Lanes: true}, each(func(ev *abi.Event) { lines = append(lines, eventLine(e, ev)) }))
			runModule(t, m, emu.Config{Listener: e}, 1, max(c.threads, 2)-c.threads%2)
			want := "kernel begins\nblock begins" + c.want + "\nblock ends\nkernel ends"
			if got := strings.Join(lines, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestMute: a receiver gets the events of the launches that are not muted, before and after muted ones.
func TestMute(t *testing.T) {
	m := load(t, eventsHead+"st.global.u32 [%rd1], 1;\nret;\n}")
	events := 0
	e := observe.NewEvents(m, abi.Needs{Values: true}, each(func(*abi.Event) { events++ }))
	var heard []int
	for _, muted := range []bool{false, true, false} {
		events = 0
		e.Mute(muted)
		runModule(t, m, emu.Config{Listener: e}, 1, 2)
		heard = append(heard, events)
	}
	if heard[0] == 0 || heard[1] != 0 || heard[2] != heard[0] {
		t.Errorf("%d events in three launches, the second of which is muted", heard)
	}
}

// TestUnless: a receiver that needs no more events gets none, and no steps are taken for it; muted, it gets no steps.
func TestUnless(t *testing.T) {
	m := load(t, eventsHead+"st.global.u32 [%rd1], 1;\nst.global.u32 [%rd1], 2;\nret;\n}")
	for _, c := range []struct {
		most, want, steps int
		muted             bool
	}{{most: 100, want: 6, steps: 2}, {most: 2, want: 2}, {most: 4, want: 4, steps: 2}, {most: 100, muted: true}} {
		events, steps := 0, 0
		e := observe.NewEvents(m, abi.Needs{Values: true}, each(func(*abi.Event) { events++ }))
		e.Steps(func(in *rewrite.Inst) bool { return in.Instr.Name == "st" }, func(*emu.Step) { steps++ })
		e.Unless(func() bool { return events >= c.most })
		e.Mute(c.muted)
		runModule(t, m, emu.Config{Listener: e}, 1, 2)
		if events != c.want || steps != c.steps {
			t.Errorf("at most %d events, muted %t: %d events, %d steps", c.most, c.muted, events, steps)
		}
	}
}

// TestEventsOfBulkCopies: a bulk copy's accesses, its completion, and the wait that observes it.
func TestEventsOfBulkCopies(t *testing.T) {
	m := load(t, eventsHead+`
	mov.u32 %r3, tile;
	mbarrier.init.shared.b64 [%r3], 1;
	mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r3], 32;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3+32], [%rd1], 32, [%r3];
	mbarrier.test_wait.shared.b64 %p2, [%r3], %rd2;
	ret;
}`)
	var lines []string
	var e *observe.Events
	ops := map[uint64]bool{}
	e = observe.NewEvents(m, abi.Needs{Shared: true, Branches: true, Lanes: true}, each(func(ev *abi.Event) {
		if ev.Kind == abi.EventKernelBegin || ev.Kind > abi.EventBlockEnd && (ev.Kind != abi.EventAccess || ev.Proxy == abi.ProxyAsync) {
			lines = append(lines, eventLine(e, ev))
		}
		if ev.Proxy == abi.ProxyAsync && ev.Kind == abi.EventAccess || ev.Kind == abi.EventAsyncDone {
			ops[ev.Op] = true
		}
	}))
	runModule(t, m, emu.Config{Listener: e}, 1, 1)
	const bulk = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes w0 1"
	want := strings.Join([]string{
		"kernel begins of a program with bulk operations",
		"mbarrier init mbarrier.init.shared.b64 w0 1 at 0",
		"mbarrier arrive mbarrier.arrive.expect_tx.shared.b64 w0 1 at 0",
		"access " + bulk + " access 0 sem 1 scope 0 space 4 bytes 32 async 4 at 0",
		"access " + bulk + " access 1 sem 1 scope 0 space 7 bytes 32 async 4 at 20",
		"done " + bulk + " tells 0",
		"mbarrier pass mbarrier.test_wait.shared.b64 w0 1 at 0",
	}, "\n")
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(ops) != 1 || ops[0] {
		t.Errorf("operations %v, expected one", ops)
	}
}

// TestEventsOfMulticast: a copy to several blocks is one operation for each, which writes that block's memory and
// signals its mbarrier.
func TestEventsOfMulticast(t *testing.T) {
	m := load(t, `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data) .reqnctapercluster 2, 1, 1 {
	.reg .pred %p<3>; .reg .b16 %h; .reg .b32 %r<4>; .reg .b64 %rd<3>;
	.shared .align 16 .b8 tile[64];
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; mov.u32 %r3, tile; mov.u16 %h, 3;
	mbarrier.init.shared.b64 [%r3], 1;
	barrier.cluster.arrive; barrier.cluster.wait;
	@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r3+32], [%rd1], 32, [%r3], %h;
	barrier.cluster.arrive; barrier.cluster.wait;
	ret;
}`)
	reads, writes, tells := map[uint64]uint64{}, map[uint64]uint64{}, map[uint64]uint64{} // by operation
	e := observe.NewEvents(m, abi.Needs{Shared: true, Branches: true, Lanes: true}, each(func(ev *abi.Event) {
		switch {
		case ev.Kind == abi.EventAsyncDone:
			tells[ev.Op] = ev.Signal
		case ev.Kind != abi.EventAccess || ev.Proxy != abi.ProxyAsync:
		case ev.Access == abi.AccessStore && ev.Space == abi.SpaceShared && ev.Bytes == 32:
			writes[ev.Op] = ev.Addr[0]
		case ev.Access == abi.AccessLoad && ev.Space == abi.SpaceGlobal && ev.Bytes == 32:
			reads[ev.Op] = ev.Addr[0]
		}
	}))
	runModule(t, m, emu.Config{Listener: e}, 2, 1)
	if len(reads) != 2 || len(writes) != 2 || len(tells) != 2 {
		t.Fatalf("%d operations read, %d write and %d tell an mbarrier, expected two each", len(reads), len(writes), len(tells))
	}
	places := map[uint64]bool{}
	for op, to := range writes {
		places[to] = true
		if tells[op]+32 != to {
			t.Errorf("operation %d writes at 0x%x and tells the mbarrier at 0x%x, expected one in the same block", op, to, tells[op])
		}
	}
	if len(places) != 2 {
		t.Errorf("both operations write the same place: %v", places)
	}
}

// TestEventsOfWarpgroupMatrices: each warp reads the slices of 16 bytes that hold B, 8 columns
// of 16 halves, in one group, which it commits and waits for.
func TestEventsOfWarpgroupMatrices(t *testing.T) {
	m := load(t, `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out) {
	.reg .pred %p; .reg .b32 %r<2>; .reg .b64 %rd; .reg .f32 %f<4>;
	.shared .align 256 .b8 tile[512];
	mov.u32 %r0, tile; mov.b64 %rd, 0x1000080010; mov.u32 %r1, 0; setp.eq.u32 %p, %r1, 0;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r1, %r1, %r1, %r1}, %rd, %p, 1, 1, 0;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 1;
	ret;
}`)
	read, groups := map[uint64]int{}, 0
	e := observe.NewEvents(m, abi.Needs{Shared: true, Branches: true, Lanes: true}, each(func(ev *abi.Event) {
		switch ev.Kind {
		case abi.EventAccess:
			if ev.Async != abi.AsyncMatrices || ev.Proxy != abi.ProxyAsync || ev.Access != abi.AccessLoad || ev.Bytes != 16 {
				t.Errorf("access %d of %d bytes, asynchronous kind %d, proxy %d", ev.Access, ev.Bytes, ev.Async, ev.Proxy)
			}
			for i, addr := range ev.Addr {
				if ev.Mask>>i&1 != 0 {
					read[addr&0xffff]++
				}
			}
		case abi.EventAsyncCommit:
			groups++
		case abi.EventAsyncWait:
			if ev.Async != abi.AsyncMatrices || ev.Mask != 1<<32-1 || ev.Pending[31] != 1 {
				t.Errorf("wait of kind %d, lanes 0x%x, %d groups pending", ev.Async, ev.Mask, ev.Pending[31])
			}
		}
	}))
	runModule(t, m, emu.Config{Listener: e}, 1, 128)
	if groups != 4 || len(read) != 16 {
		t.Errorf("%d groups, %d slices, expected 4 and 16", groups, len(read))
	}
	for at := uint64(256); at < 512; at += 16 {
		if read[at] != 4 {
			t.Errorf("the slice at %d is read %d times, expected once for each warp", at, read[at])
		}
	}
}

// TestEventsOfNestedKernels: blocks of the parent keep their numbers after a child.
func TestEventsOfNestedKernels(t *testing.T) {
	m := load(t, nested)
	var lines []string
	var e *observe.Events
	e = observe.NewEvents(m, abi.Needs{Shared: true, Branches: true, Lanes: true}, each(func(ev *abi.Event) {
		switch ev.Kind {
		case abi.EventAccess:
			lines = append(lines, fmt.Sprintf("%s of block %d", e.Sites()[ev.Site-1].Function, ev.Block))
		case abi.EventKernelBegin, abi.EventLaunch:
			lines = append(lines, fmt.Sprintf("%s %d", eventNames[ev.Kind], ev.Op))
		case abi.EventKernelEnd, abi.EventJoin:
			lines = append(lines, eventNames[ev.Kind])
		}
	}))
	runModule(t, m, emu.Config{Listener: e}, 1, 1)
	want := "kernel begins 0,k of block 0,launch 1,kernel begins 1,child of block 0,kernel ends,join,k of block 0,kernel ends"
	if got := strings.Join(lines, ","); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
