package iguard_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	hosthalf "github.com/ptxsan/ptxsan/internal/detect/iguard"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// harness performs one event: the hooks are called as the pass would have them
// called, by the named lanes of one warp of one block.
const harness = `.version 7.0
.target sm_70
.address_size 64

.extern .func (.param .b32 r) __ptxsan_iguard_block();
.extern .func (.param .b64 r) __ptxsan_iguard_own_counters(.param .b32 b);
.extern .func (.param .b64 r) __ptxsan_iguard_self(.param .b64 c);
.extern .func (.param .b64 r) __ptxsan_iguard_warp_locks(.param .b32 b, .param .b64 w);
.extern .func (.param .b64 r) __ptxsan_iguard_entries();
.extern .func __ptxsan_iguard_load(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_store(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_atomic_load(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_atomic(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_cas(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_exch(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_generic_load(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_generic_store(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_generic_atomic(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_wide_load(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_wide_store(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_wide_atomic(.param .b64 a, .param .b32 s, .param .b32 i, .param .b32 b, .param .b32 w, .param .b32 x, .param .b64 l, .param .b64 e);
.extern .func __ptxsan_iguard_any_load(.param .b64 a, .param .b32 s, .param .b32 i);
.extern .func __ptxsan_iguard_any_store(.param .b64 a, .param .b32 s, .param .b32 i);
.extern .func (.param .b64 w) __ptxsan_iguard_block_fence(.param .b32 b, .param .b64 o, .param .b64 c, .param .b64 l);
.extern .func (.param .b64 w) __ptxsan_iguard_device_fence(.param .b32 b, .param .b64 o, .param .b64 c, .param .b64 l);
.extern .func (.param .b64 w) __ptxsan_iguard_block_barrier(.param .b64 o, .param .b64 c);
.extern .func (.param .b64 w) __ptxsan_iguard_partial_barrier(.param .b32 i, .param .b32 n, .param .b32 b, .param .b64 o, .param .b64 c);
.extern .func (.param .b64 w) __ptxsan_iguard_warp_barrier(.param .b32 m, .param .b32 b, .param .b64 o, .param .b64 c);

.visible .entry event(.param .u64 addr, .param .u32 op, .param .u32 info, .param .u32 site,
	.param .u32 block, .param .u32 warp, .param .u32 lanes)
{
	.reg .pred %p;
	.reg .b32 %r<16>;
	.reg .b64 %rd<4>;
	.shared .align 16 .b8 window[1664];
	.param .b64 a64;
	.param .b64 w64;
	.param .b64 c64;
	.param .b64 l64;
	.param .b64 e64;
	.param .b32 low32;
	.param .b32 high32;
	.param .b32 a32;
	.param .b32 b32;
	.param .b32 s32;
	.param .b32 n32;
	ld.param.u64 %rd1, [addr];
	ld.param.u32 %r1, [op];
	ld.param.u32 %r2, [info];
	shr.u64 %rd2, %rd1, 32;
	setp.ne.u64 %p, %rd2, 0;
	@%p bra $GLOBAL;
	mov.u64 %rd2, window;
	add.u64 %rd1, %rd1, %rd2;
	cvta.shared.u64 %rd1, %rd1;
$GLOBAL:
	ld.param.u32 %r3, [site];
	ld.param.u32 %r4, [block];
	ld.param.u32 %r5, [warp];
	ld.param.u32 %r6, [lanes];
	mov.u32 %r7, %ctaid.x;
	setp.ne.u32 %p, %r7, %r4;
	@%p exit;
	call (n32), __ptxsan_iguard_block;
	call (c64), __ptxsan_iguard_own_counters, (n32);
	call (w64), __ptxsan_iguard_self, (c64);
	call (l64), __ptxsan_iguard_warp_locks, (n32, w64);
	call (e64), __ptxsan_iguard_entries;
	ld.param.b64 %rd2, [w64];
	mov.b64 {%r12, %r13}, %rd2;
	st.param.b32 [low32], %r12;
	st.param.b32 [high32], %r13;
	setp.eq.u32 %p, %r1, 3;
	@%p bra $BAR;
	mov.u32 %r8, %tid.x;
	shr.u32 %r9, %r8, 5;
	setp.ne.u32 %p, %r9, %r5;
	@%p exit;
	and.b32 %r8, %r8, 31;
	shr.u32 %r9, %r6, %r8;
	and.b32 %r9, %r9, 1;
	setp.eq.u32 %p, %r9, 0;
	@%p exit;
	bar.warp.sync %r6; // a random schedule may have parted them, and may do so again before accesses
	setp.eq.u32 %p, %r1, 2;
	@%p bra $FENCE;
	setp.eq.u32 %p, %r1, 4;
	@%p bra $PART;
	setp.eq.u32 %p, %r1, 5;
	@%p bra $WARP;
	st.param.b64 [a64], %rd1;
	st.param.b32 [s32], %r3;
	st.param.b32 [a32], %r2;
	setp.eq.u32 %p, %r1, 0;
	@%p bra $LD;
	setp.eq.u32 %p, %r1, 1;
	@%p bra $ST;
	setp.eq.u32 %p, %r1, 6;
	@%p bra $ATOM;
	setp.eq.u32 %p, %r1, 7;
	@%p bra $ANYLD;
	setp.eq.u32 %p, %r1, 9;
	@%p bra $CAS;
	setp.eq.u32 %p, %r1, 10;
	@%p bra $EXCH;
	setp.eq.u32 %p, %r1, 16;
	@%p bra $ATOMICLD;
	setp.eq.u32 %p, %r1, 17;
	@%p bra $GENLD;
	setp.eq.u32 %p, %r1, 18;
	@%p bra $GENST;
	setp.eq.u32 %p, %r1, 19;
	@%p bra $GENATOM;
	setp.eq.u32 %p, %r1, 20;
	@%p bra $WIDELD;
	setp.eq.u32 %p, %r1, 21;
	@%p bra $WIDEST;
	setp.eq.u32 %p, %r1, 22;
	@%p bra $WIDEATOM;
	bar.warp.sync %r6;
	call __ptxsan_iguard_any_store, (a64, s32, a32);
	exit;
$LD:
	bar.warp.sync %r6;
	call __ptxsan_iguard_load, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$ST:
	bar.warp.sync %r6;
	call __ptxsan_iguard_store, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$ATOM:
	bar.warp.sync %r6;
	call __ptxsan_iguard_atomic, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$ATOMICLD:
	bar.warp.sync %r6;
	call __ptxsan_iguard_atomic_load, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$GENLD:
	bar.warp.sync %r6;
	call __ptxsan_iguard_generic_load, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$GENST:
	bar.warp.sync %r6;
	call __ptxsan_iguard_generic_store, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$GENATOM:
	bar.warp.sync %r6;
	call __ptxsan_iguard_generic_atomic, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$WIDELD:
	bar.warp.sync %r6;
	call __ptxsan_iguard_wide_load, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$WIDEST:
	bar.warp.sync %r6;
	call __ptxsan_iguard_wide_store, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$WIDEATOM:
	bar.warp.sync %r6;
	call __ptxsan_iguard_wide_atomic, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$CAS:
	bar.warp.sync %r6;
	call __ptxsan_iguard_cas, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$EXCH:
	bar.warp.sync %r6;
	call __ptxsan_iguard_exch, (a64, s32, a32, n32, low32, high32, l64, e64);
	exit;
$ANYLD:
	bar.warp.sync %r6;
	call __ptxsan_iguard_any_load, (a64, s32, a32);
	exit;
$WARP:
	st.param.b32 [a32], %r6;
	call (w64), __ptxsan_iguard_warp_barrier, (a32, n32, w64, c64);
	exit;
$FENCE:
	setp.eq.u32 %p, %r2, 1;
	@%p bra $DEVICEFENCE;
	call (w64), __ptxsan_iguard_block_fence, (n32, w64, c64, l64);
	exit;
$DEVICEFENCE:
	call (w64), __ptxsan_iguard_device_fence, (n32, w64, c64, l64);
	exit;
$PART:
	st.param.b32 [a32], 1;
	st.param.b32 [b32], 32;
	call (w64), __ptxsan_iguard_partial_barrier, (a32, b32, n32, w64, c64);
	exit;
$BAR:
	call (w64), __ptxsan_iguard_block_barrier, (w64, c64);
	exit;
}
`

// deviceRun is the device library in the emulator.
type deviceRun struct {
	t      testing.TB
	m      *emu.Machine
	host   *hosthalf.Detector
	c      config
	memory uint64
}

func linkedHarness(t testing.TB) *rewrite.Module {
	m := passtest.Load(t, "harness.ptx", []byte(harness))
	library := device.IGuard()
	linked, err := rewrite.Link(m, passtest.Load(t, library.Name, library.PTX))
	if err != nil {
		t.Fatal(err)
	}
	return linked
}

func startDevice(t testing.TB, mod *rewrite.Module, c config, policy emu.Policy) *deviceRun {
	t.Helper()
	m, err := emu.New(mod, emu.Config{Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	d := &deviceRun{t: t, m: m, c: c}
	const size = 26 * 64 // also of the shared memory of harness
	if d.memory, err = m.Alloc("memory", size); err != nil {
		t.Fatal(err)
	}
	d.host, err = hosthalf.New(abi.IGuardOptions{Granularity: c.granularity, Locks: c.locks, ITS: c.its, Contention: true, Pairs: true, Scope: c.scope, LockScope: c.lockScope, Cumulative: c.cumulative, Counters: c.counters})
	if err != nil {
		t.Fatal(err)
	}
	err = d.host.Prepare(leftovers{m}, detect.LaunchShape{
		Grid: [3]uint32{uint32(c.blocks), 1, 1}, Block: [3]uint32{uint32(c.threads), 1, 1},
		LargestAllocation: size, Slots: d.memory>>32 + 1, Shared: size,
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// leftovers is a machine on which memory of the detector that need not be zero holds what earlier launches may have
// left there: in entries, all but the accessors.
type leftovers struct{ *emu.Machine }

// Alloc implements abi.Device.
func (m leftovers) Alloc(name string, size uint64) (uint64, error) {
	addr, err := m.Machine.Alloc(name, size)
	if err != nil || !strings.HasSuffix(name, "metadata") {
		return addr, err
	}
	accessors := size / abi.IGuardEntryBytes * abi.IGuardSideBytes
	return addr, m.Write(addr+accessors, bytes.Repeat([]byte{0xff}, int(size-accessors)))
}

// step performs one event and takes the races out of the table.
func (d *deviceRun) step(e event) []found {
	d.t.Helper()
	info := e.info(d.c.granularity)
	d.launch(e, e.hook(info), info)
	return d.collect()
}

// info is the argument that the pass would give the event's hook.
func (e *event) info(granularity int) uint32 {
	info := uint32(e.size)
	set := func(on bool, bit uint32) {
		if on {
			info |= bit
		}
	}
	set(e.atomic, abi.IGuardInfoAtomic)
	set(e.atomic && e.blockScope, abi.IGuardInfoBlockScope)
	set(e.cas, abi.IGuardInfoCAS)
	set(e.exch, abi.IGuardInfoExch)
	set(e.size > granularity, abi.IGuardInfoWide)
	if e.op == opFence {
		info = 1
		if e.blockScope {
			info = 0
		}
	}
	set((e.shared || e.site%8 < 3) && e.op <= opStore, abi.IGuardInfoGeneric)
	return info
}

// launch calls a hook for the threads of an event: op is the harness's number of it.
func (d *deviceRun) launch(e event, op, info uint32) {
	d.t.Helper()
	if e.op == opPartialBarrier {
		e.lanes = ^uint32(0)
	}
	addr := d.memory + e.addr
	if e.shared {
		addr = e.addr
	}
	params := binary.LittleEndian.AppendUint64(nil, addr)
	for _, v := range []uint32{op, info, e.site, uint32(e.block), uint32(e.warp), e.lanes} {
		params = binary.LittleEndian.AppendUint32(params, v)
	}
	res, err := d.m.Launch(d.t.Context(), emu.LaunchConfig{
		Kernel: "event", Grid: emu.Dim3{X: uint32(d.c.blocks), Y: 1, Z: 1}, Block: emu.Dim3{X: uint32(d.c.threads), Y: 1, Z: 1}, Params: params,
	})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, f := range res.Faults {
		d.t.Fatalf("%s: %s: %s", e.text, f.Class, f.Message)
	}
}

// Further operations of the harness: the other hooks of loads and stores.
const (
	hookAtomic        = 6
	hookAnyLoad       = 7
	hookAnyStore      = 8
	hookCAS           = 9
	hookExch          = 10
	hookAtomicLoad    = 16
	hookGenericLoad   = 17
	hookGenericStore  = 18
	hookGenericAtomic = 19
	hookWideLoad      = 20
	hookWideStore     = 21
	hookWideAtomic    = 22
)

// hook is the operation of the harness for an event: it calls the hook that the pass
// would.
func (e *event) hook(info uint32) uint32 {
	usual := info&abi.IGuardInfoUnusual == 0
	generic, wide := info&abi.IGuardInfoUnusual == abi.IGuardInfoGeneric, info&abi.IGuardInfoUnusual == abi.IGuardInfoWide
	switch {
	case generic && e.op == opLoad && !e.atomic:
		return hookGenericLoad
	case generic && e.op == opStore && !e.atomic:
		return hookGenericStore
	case generic && e.op == opStore && !e.cas && !e.exch:
		return hookGenericAtomic
	case wide && e.op == opLoad && !e.atomic:
		return hookWideLoad
	case wide && e.op == opStore && !e.atomic:
		return hookWideStore
	case wide && e.op == opStore && !e.cas && !e.exch:
		return hookWideAtomic
	case e.op == opLoad && (!usual || e.atomic && e.site%2 == 0):
		return hookAnyLoad
	case e.op == opLoad && e.atomic:
		return hookAtomicLoad
	case e.op == opStore && !usual:
		return hookAnyStore
	case e.op == opStore && e.cas && e.site%4 != 0:
		return hookCAS
	case e.op == opStore && e.exch && e.site%4 != 0:
		return hookExch
	case e.op == opStore && e.atomic && !e.cas && !e.exch && e.site%2 == 0: // read-modify-write, the others store
		return hookAtomic
	case e.op == opStore && e.atomic:
		return hookAnyStore
	}
	return uint32(e.op)
}

func (d *deviceRun) collect() []found {
	d.t.Helper()
	races, err := d.host.Collect(d.m)
	if err != nil {
		d.t.Fatal(err)
	}
	var list []found
	for _, r := range races {
		var f found
		if _, err := fmt.Sscanf(r.Detail, "iGUARD R%d", &f.rule); err != nil {
			d.t.Fatal(err)
		}
		f.first = thread{int(r.First.Block[0]), int(r.First.Thread[0])}
		f.second = thread{int(r.Second.Block[0]), int(r.Second.Thread[0])}
		f.firstSite, f.secondSite = r.First.Site, r.Second.Site
		list = append(list, f)
	}
	if list != nil {
		d.clearRaces()
	}
	return list
}

// clearRaces empties the race table, whose address is in the state variable.
func (d *deviceRun) clearRaces() {
	d.t.Helper()
	addr, _, _ := d.m.Symbol(abi.IGuardState)
	state := make([]byte, abi.IGuardStateBytes)
	if err := d.m.Read(addr, state); err != nil {
		d.t.Fatal(err)
	}
	if err := d.m.Write(binary.LittleEndian.Uint64(state[72:]), make([]byte, abi.IGuardRaces*abi.IGuardRaceBytes)); err != nil {
		d.t.Fatal(err)
	}
}

func TestTable2Device(t *testing.T) {
	mod := linkedHarness(t)
	for _, p := range []struct {
		name   string
		policy emu.Policy
	}{{"its", emu.ITS}, {"lockstep", emu.Lockstep}, {"random", emu.Random}} {
		t.Run(p.name, func(t *testing.T) {
			testScenarios(t, func(c config) stepper { return startDevice(t, mod, c, p.policy) })
		})
	}
}

// TestRandomHistories compares the device library with the model on random
// histories.
func TestRandomHistories(t *testing.T) {
	mod := linkedHarness(t)
	runs, events := 40, 60
	if testing.Short() {
		runs = 8
	}
	rules := map[int]int{}
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		c := config{its: r.IntN(4) > 0, locks: r.IntN(4) > 0, granularity: []int{1, 4, 4, 8, 16}[r.IntN(5)], scope: r.IntN(2) == 0, lockScope: r.IntN(2) == 0, cumulative: r.IntN(2) == 0, blocks: 2, threads: 64}
		c.counters = abi.IGuardCounters{Fence: 1 + r.IntN(6), Barrier: 1 + r.IntN(8), WarpBarrier: 1 + r.IntN(6)}
		d, m := startDevice(t, mod, c, emu.ITS), c.model()
		var history []string
		for i := range events {
			e := randomEvent(r, uint32(i+1))
			history = append(history, e.text)
			got, want := d.step(e), merge(m.step(e))
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %+v, after\n%s\n got %+v\nwant %+v", seed, c, strings.Join(history, "\n"), got, want)
			}
			for _, f := range got {
				rules[f.rule]++
			}
		}
	}
	for rule := 1; rule <= 5 && !testing.Short(); rule++ {
		if rules[rule] == 0 {
			t.Errorf("no history has a race by R%d", rule)
		}
	}
	t.Logf("races by rule: %v", rules)
}

// merge keeps the first of the races that share a record, in the order of Collect.
func merge(races []found) []found {
	var list []found
	kind := func(f found) int {
		switch {
		case f.first.block != f.second.block:
			return 2
		case f.first.warp() != f.second.warp():
			return 1
		}
		return 0
	}
	for _, f := range races {
		if !slices.ContainsFunc(list, func(g found) bool {
			return g.rule == f.rule && g.firstSite == f.firstSite && kind(g) == kind(f)
		}) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b found) int {
		if a.firstSite != b.firstSite {
			return int(a.firstSite) - int(b.firstSite)
		}
		if kind(a) != kind(b) {
			return kind(a) - kind(b)
		}
		return a.rule - b.rule
	})
	return list
}

// randomEvent draws an event on two words and two locks.
func randomEvent(r *rand.Rand, site uint32) event {
	e := event{block: r.IntN(2), warp: r.IntN(2), lanes: 1 << r.IntN(3), site: site, size: 4}
	if r.IntN(4) == 0 {
		e.lanes |= 1<<r.IntN(3) | 1<<r.IntN(32)
	}
	e.addr, e.shared = uint64(r.IntN(2))*64, r.IntN(3) == 0
	word, scope := "XY"[e.addr/64:][:1], "gpu"
	if e.blockScope = r.IntN(2) == 0; e.blockScope {
		scope = "cta"
	}
	name := ""
	switch k := r.IntN(20); {
	case k < 5:
		name, e.op = "ld", opLoad
		e.size = 1 << r.IntN(4)
	case k < 10:
		name, e.op = "st", opStore
		e.size = 1 << r.IntN(4)
	case k < 12:
		name, e.op, e.atomic = "atom."+scope, opStore, true
	case k < 13:
		name, e.op, e.atomic = "ld.relaxed."+scope, opLoad, true
	case k < 14:
		name, e.op, e.atomic, e.cas = "cas."+scope, opStore, true, true
		e.addr, word = e.addr+128, string("LM"[e.addr/64])
	case k < 15:
		name, e.op, e.atomic, e.exch = "exch."+scope, opStore, true, true
		e.addr, word = e.addr+128, string("LM"[e.addr/64])
	case k < 17:
		name, e.op = "fence."+scope, opFence
	case k < 18:
		name, e.op = "bar", opBlockBarrier
	case k < 19:
		name, e.op = "warpbar", opWarpBarrier
		if r.IntN(2) == 0 {
			e.lanes = ^uint32(0)
		}
	default:
		name, e.op = "barpart", opPartialBarrier
	}
	if e.op != opLoad && e.op != opStore {
		word = ""
	}
	if e.shared {
		word = "s" + word
	}
	e.text = fmt.Sprintf("%d: b%d w%d lanes %#x %s/%d %s", site, e.block, e.warp, e.lanes, name, e.size, word)
	return e
}
