package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// Behaviour probes: small kernels with which emulators crash, hang, or go wrong
// silently. Each must end with the right result or with a fault of the right class,
// under every policy with independent threads. Races are no faults of the emulator:
// racing kernels end, with a result that some interleaving explains.

var probes = []struct {
	name, body  string
	grid, block uint32
	class       string // of the fault, "" when the kernel ends
	text        string // in the message of the fault
	ok          func(w []uint32) bool
	config      emu.Config
}{
	{name: "global store 1 MiB out of bounds", body: "st.global.u32 [%base+1048576], 1;", class: "out-of-bounds", text: "is 1047552 bytes after the allocation out of size 1024"},
	{name: "global store just past a 1 KiB buffer", body: "st.global.u32 [%base+1024], 1;", class: "out-of-bounds", text: "is 0 bytes after the allocation out"},
	{name: "load from a wild address", body: "mov.u64 %rd1, 0x123456789abc; ld.global.u32 %r5, [%rd1];", class: "out-of-bounds", text: "0x123456789abc"},
	{name: "load from null", body: "mov.u64 %rd1, 0; ld.u32 %r5, [%rd1];", class: "out-of-bounds", text: "null page"},
	{name: "shared store beyond the allocation", body: "mov.u32 %r5, sh; st.shared.u32 [%r5+512], 1;", class: "out-of-bounds", text: "is 0 bytes after the shared memory of the block (512 bytes)"},
	{name: "misaligned global access", body: "ld.global.u32 %r5, [%base+2];", class: "misaligned", text: "of 4 bytes"},
	{name: "misaligned shared access", body: "mov.u32 %r5, sh; st.shared.u64 [%r5+4], %base;", class: "misaligned", text: "of 8 bytes at shared address 0x4"},
	{name: "misaligned generic access", body: "st.u16 [%base+1], %r1;", class: "misaligned", text: "of 2 bytes"},
	{
		name: "uninitialised register", body: "add.u32 %r20, %r20, 5; st.global.u32 [%base], %r20;",
		ok: func(w []uint32) bool { return w[0] == 5 }, // zero: every run is the same
	},
	{
		name: "uninitialised shared value", body: "ld.shared.u32 %r5, [sh]; st.global.u32 [%base], %r5;",
		class: "uninitialised", text: "shared address 0x0", config: emu.Config{Uninitialised: true},
	},
	{
		name: "branch on uninitialised shared value", body: "ld.shared.u32 %r5, [sh+8]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L; mov.u32 %r6, 1;\nL:",
		class: "uninitialised", text: "shared address 0x8", config: emu.Config{Uninitialised: true},
	},
	{
		name: "write and read race inside a warp", block: 32,
		body: "shl.b32 %r5, %r1, 2; mov.u32 %r6, sh; add.u32 %r7, %r6, %r5; st.shared.u32 [%r7], 1; xor.b32 %r5, %r5, 4; add.u32 %r7, %r6, %r5; ld.shared.u32 %r8, [%r7]; st.global.u32 [%out], %r8;",
		ok:   func(w []uint32) bool { return w[0] <= 1 && w[31] <= 1 && w[0]+w[1] >= 1 },
	},
	{
		name: "write and read race across warps", block: 64,
		body: "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [sh], 9; setp.eq.u32 %p2, %r1, 32; @%p2 ld.shared.u32 %r5, [sh]; @%p2 st.global.u32 [%base], %r5;",
		ok:   func(w []uint32) bool { return w[0] == 0 || w[0] == 9 },
	},
	{
		name: "writes of the same value", block: 64, body: "st.shared.u32 [sh], 3; ld.shared.u32 %r5, [sh]; st.global.u32 [%out], %r5;",
		ok: func(w []uint32) bool { return w[0] == 3 && w[63] == 3 },
	},
	{
		name: "shared race through generic addresses", block: 64,
		body: "mov.u64 %rd1, sh; cvta.shared.u64 %rd1, %rd1; st.u32 [%rd1], %r1; ld.u32 %r5, [%rd1]; st.global.u32 [%out], %r5;",
		ok:   func(w []uint32) bool { return w[0] < 64 && w[63] < 64 },
	},
	{
		name: "many readers, then a writer that reads last", block: 64,
		body: "ld.shared.u32 %r5, [sh]; setp.eq.u32 %p1, %r1, 63; @%p1 st.shared.u32 [sh], 7; st.global.u32 [%out], %r5;",
		ok:   func(w []uint32) bool { return (w[0] == 0 || w[0] == 7) && w[63] == 0 },
	},
	{
		name: "shared atomic against plain read", block: 64,
		body: "atom.shared.add.u32 %r5, [sh], 1; ld.shared.u32 %r6, [sh]; st.global.u32 [%out], %r6;",
		ok:   func(w []uint32) bool { return w[0] >= 1 && w[0] <= 64 && w[63] <= 64 },
	},
	{
		name: "global counter without atomics", grid: 4, body: "ld.global.u32 %r5, [%base]; add.u32 %r5, %r5, 1; st.global.u32 [%base], %r5;",
		ok: func(w []uint32) bool { return w[0] >= 1 && w[0] <= 4 },
	},
	{
		name: "bar.sync by half a warp", block: 32, body: "setp.lt.u32 %p1, %r1, 16; @!%p1 bra E; bar.sync 0;\nE:",
		class: "barrier-divergence", text: "lanes 0xffff0000 of the warp have exited", config: emu.Config{Synccheck: true},
	},
	{
		name: "bar.sync in both arms", block: 32, body: "setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bar.sync 0; bra E;\nA: bar.sync 0;\nE:",
		class: "barrier-divergence", text: "from different instructions",
	},
	{
		name: "a warp exits early, the others meet at a barrier", block: 96,
		body: "setp.ge.u32 %p1, %r1, 64; @%p1 ret; bar.sync 0; st.global.u32 [%out], 1;",
		ok:   func(w []uint32) bool { return w[0] == 1 && w[63] == 1 && w[64] == 0 },
	},
	{
		name: "spin lock inside a warp", block: 32,
		body: `
		SPIN:	atom.global.cas.b32 %r5, [%base], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra SPIN;
			ld.volatile.global.u32 %r6, [%base+4]; add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6;
			membar.gl; atom.global.exch.b32 %r7, [%base], 0;`,
		ok: func(w []uint32) bool { return w[0] == 0 && w[1] == 32 },
	},
	{
		name: "lane 0 waits for lane 1", block: 2, body: waitFor("%r1"),
		ok: func(w []uint32) bool { return w[0] == 1 && w[1] == 5 },
	},
	{
		name: "warp 0 waits for warp 1", block: 33, body: "shr.u32 %r9, %r1, 5; and.b32 %r8, %r1, 31; setp.ne.u32 %p3, %r8, 0; @%p3 ret;" + waitFor("%r9"),
		ok: func(w []uint32) bool { return w[0] == 1 && w[1] == 5 },
	},
	{
		name: "block 0 waits for block 1", grid: 2, body: waitFor("%r2"),
		ok: func(w []uint32) bool { return w[0] == 1 && w[1] == 5 },
	},
	{
		name: "block 1 waits for block 0", grid: 2, body: "xor.b32 %r9, %r2, 1;" + waitFor("%r9"),
		ok: func(w []uint32) bool { return w[0] == 1 && w[1] == 5 },
	},
	{
		name: "membar in one warp before bar.sync", block: 64,
		body: `	setp.lt.u32 %p1, %r1, 32; @!%p1 bra B;
			membar.cta; bra J;
		B:	setp.eq.u32 %p2, %r1, 32; @%p2 st.shared.u32 [sh], 42;
		J:	bar.sync 0; ld.shared.u32 %r5, [sh]; st.global.u32 [%out], %r5;`,
		ok: func(w []uint32) bool { return w[0] == 42 && w[31] == 42 && w[63] == 42 },
	},
}

// waitFor is a kernel body in which the thread with 0 in the register waits for a flag
// that the other one sets, and then writes 5.
func waitFor(reg string) string {
	return `
		setp.eq.u32 %p1, ` + reg + `, 0; @!%p1 bra SET;
	WAIT:	ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p2, %r5, 0; @%p2 bra WAIT;
		st.volatile.global.u32 [%base+4], 5; bra END;
	SET:	membar.gl; st.volatile.global.u32 [%base], 1;
	END:`
}

func TestProbes(t *testing.T) {
	const shared = ".shared .align 16 .b8 sh[512];\n"
	schedules := []emu.Config{{}}
	for seed := range uint64(10) {
		schedules = append(schedules, emu.Config{Policy: emu.Random, Seed: seed}, emu.Config{Policy: emu.PCT, Seed: seed, Length: 100})
	}
	for _, p := range probes {
		t.Run(p.name, func(t *testing.T) {
			for _, s := range schedules {
				cfg := p.config
				cfg.Policy, cfg.Seed, cfg.Length = s.Policy, s.Seed, s.Length
				m := load(t, shared+kernel(p.body+" ret;"), cfg)
				out := alloc(t, m, "out", 256)
				r := launch(t, m, max(p.grid, 1), max(p.block, 1), out)
				if p.class == "" {
					clean(t, r)
					if w := words(t, m, out, 256); !p.ok(w) {
						t.Fatalf("policy %d seed %d: %v", s.Policy, s.Seed, w)
					}
					continue
				}
				if len(r.Faults) != 1 || r.Faults[0].Class != p.class || !strings.Contains(r.Faults[0].Message, p.text) || r.Faults[0].Inst == nil {
					t.Fatalf("policy %d seed %d: got %v, want %s with %q", s.Policy, s.Seed, r.Faults, p.class, p.text)
				}
			}
		})
	}
	if len(probes) != 27 {
		t.Errorf("there are %d probes", len(probes))
	}
}

// TestCounterLosesUpdates: the global counter of the probes loses updates under some
// schedules, as on hardware.
func TestCounterLosesUpdates(t *testing.T) {
	body := "ld.global.u32 %r5, [%base]; add.u32 %r5, %r5, 1; st.global.u32 [%base], %r5; ret;"
	seen := map[uint32]bool{}
	for seed := range uint64(40) {
		seen[run(t, kernel(body), emu.Config{Policy: emu.Random, Seed: seed}, 4, 1, 4)[0]] = true
	}
	if !seen[4] && !seen[3] || !seen[1] && !seen[2] {
		t.Errorf("final values %v", seen)
	}
}
