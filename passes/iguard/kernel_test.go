package iguard_test

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	hosthalf "github.com/ptxsan/ptxsan/internal/detect/iguard"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// kernels are instrumented and run whole. Accesses that races name have a comment
// with a capital letter; races are expected as "A-B kind cause", sides in alphabetical
// order, with the space unless it is global.
var kernels = []struct {
	name     string
	pipeline string
	grid     uint32
	block    uint32
	body     string // %t: thread, %b: block, %rd0: the buffer, %rd1: its word for the thread
	want     []string
	its      bool // in a lock-step warp the kernel does not end
}{
	{name: "threads on their own words", grid: 2, block: 64, body: `
		st.global.u32 [%rd1], %t;
		ld.global.u32 %r1, [%rd1];`},
	{
		name: "missing barrier", grid: 1, block: 64, body: `
		st.global.u32 [%rd1], %t; // A
		xor.b32 %r1, %t, 32;
		mad.wide.u32 %rd2, %r1, 4, %rd0;
		ld.global.u32 %r2, [%rd2]; // B`,
		want: []string{"A-B intra-block missing-barrier"},
	},
	{
		name: "two races", grid: 1, block: 64, body: twoRaces,
		want: []string{"A-B intra-block missing-barrier", "C-D intra-block missing-barrier"},
	},
	{
		name: "stop after the first race", pipeline: "iguard<stop>", grid: 1, block: 64, body: twoRaces,
		want: []string{"A-B intra-block missing-barrier"},
	},
	{
		name: "contention for metadata without what helps against it", pipeline: "iguard<contention=false>", grid: 1, block: 64, body: `
		ld.global.u32 %r1, [%rd0];
		ld.global.u32 %r1, [%rd0+4]; // A
		atom.global.add.u32 %r1, [%rd0+8], 1; // B
		bar.sync 0;
		setp.ne.u32 %p1, %t, 40;
		@%p1 exit;
		st.global.u32 [%rd0], 1;
		st.global.u32 [%rd0+8], 1;`,
	},
	{name: "barrier", grid: 1, block: 64, body: `
		st.global.u32 [%rd1], %t;
		bar.sync 0;
		xor.b32 %r1, %t, 32;
		mad.wide.u32 %rd2, %r1, 4, %rd0;
		ld.global.u32 %r2, [%rd2];`},
	{name: "barrier that some threads do not live to see", grid: 1, block: 96, body: `
		setp.lt.u32 %p1, %t, 32;
		@%p1 exit;
		st.global.u32 [%rd1], %t;
		bar.sync 0;
		xor.b32 %r1, %t, 96;
		mad.wide.u32 %rd2, %r1, 4, %rd0;
		ld.global.u32 %r2, [%rd2];`},
	{name: "barrier in a loop", grid: 1, block: 64, body: `
		mov.u32 %r3, 0;
		xor.b32 %r1, %t, 32;
		mad.wide.u32 %rd2, %r1, 4, %rd0;
	$L:
		st.global.u32 [%rd1], %t;
		bar.sync 0;
		ld.global.u32 %r2, [%rd2];
		bar.sync 0;
		add.u32 %r3, %r3, 1;
		setp.lt.u32 %p1, %r3, 20;
		@%p1 bra $L;`},
	{
		name: "one barrier short in a loop", grid: 1, block: 64, body: `
		mov.u32 %r3, 0;
		xor.b32 %r1, %t, 32;
		mad.wide.u32 %rd2, %r1, 4, %rd0;
	$L:
		st.global.u32 [%rd1], %t; // A
		bar.sync 0;
		ld.global.u32 %r2, [%rd2]; // B
		add.u32 %r3, %r3, 1;
		setp.lt.u32 %p1, %r3, 20;
		@%p1 bra $L;`,
		want: []string{"A-B intra-block missing-barrier"},
	},
	{name: "barrier of two of three warps", grid: 1, block: 96, body: `
		setp.ge.u32 %p1, %t, 64;
		@%p1 exit;
		st.global.u32 [%rd1], %t;
		bar.sync 1, 64;
		xor.b32 %r1, %t, 32;
		mad.wide.u32 %rd2, %r1, 4, %rd0;
		ld.global.u32 %r2, [%rd2];`},
	{name: "two barriers of two warps each, interleaved", grid: 1, block: 128, body: `
		shr.u32 %r3, %t, 6;
		add.u32 %r3, %r3, 1;
		xor.b32 %r1, %t, 32;
		mad.wide.u32 %rd2, %r1, 4, %rd0;
		st.global.u32 [%rd1], %t;
		bar.sync %r3, 64;
		ld.global.u32 %r2, [%rd2];
		bar.sync %r3, 64;
		st.global.u32 [%rd1], %t;
		setp.eq.u32 %p1, %r3, 2;
		@%p1 bar.sync 2, 64;
		@%p1 ld.global.u32 %r2, [%rd2];`},
	{name: "producer arrives, consumer waits", grid: 1, block: 64, body: `
		setp.ge.u32 %p1, %t, 32;
		@%p1 bra $CONSUMER;
		st.global.u32 [%rd1], %t;
		bar.arrive 1, 64;
		bra $END;
	$CONSUMER:
		bar.sync 1, 64;
		ld.global.u32 %r1, [%rd1+-128];
	$END:`},
	{name: "warp barrier", its: true, grid: 1, block: 32, body: `
		setp.ge.u32 %p1, %t, 16;
		@%p1 bra $HIGH;
		st.global.u32 [%rd1], %t;
		bar.warp.sync -1;
		bra $END;
	$HIGH:
		bar.warp.sync -1;
		ld.global.u32 %r1, [%rd1+-64];
	$END:`},
	{name: "warp barrier of half a warp", its: true, grid: 1, block: 32, body: `
		setp.ge.u32 %p1, %t, 16;
		@%p1 exit;
		setp.ge.u32 %p1, %t, 8;
		@%p1 bra $HIGH;
		st.global.u32 [%rd1], %t;
		bar.warp.sync 65535;
		bra $END;
	$HIGH:
		bar.warp.sync 65535;
		ld.global.u32 %r1, [%rd1+-32];
	$END:`},
	{
		name: "missing warp barrier", grid: 1, block: 32, body: `
		setp.ge.u32 %p1, %t, 16;
		@%p1 bra $HIGH;
		st.global.u32 [%rd1], %t; // A
		bra $END;
	$HIGH:
		ld.global.u32 %r1, [%rd1+-64]; // B
	$END:`,
		want: []string{"A-B intra-warp missing-warp-sync"},
	},
	{name: "missing warp barrier in a lock-step warp", pipeline: "iguard<its=false>", grid: 1, block: 32, body: `
		setp.ge.u32 %p1, %t, 16;
		@%p1 bra $HIGH;
		st.global.u32 [%rd1], %t;
		bra $END;
	$HIGH:
		ld.global.u32 %r1, [%rd1+-64];
	$END:`},
	{name: "release and acquire", grid: 2, block: 1, body: `
		setp.eq.u32 %p1, %b, 1;
		@%p1 bra $CONSUMER;
		st.global.u32 [%rd0], 42;
		st.release.gpu.global.u32 [%rd0+64], 1;
		bra $END;
	$CONSUMER:
		ld.acquire.gpu.global.u32 %r1, [%rd0+64];
		setp.eq.u32 %p1, %r1, 0;
		@%p1 bra $CONSUMER;
		ld.global.u32 %r1, [%rd0];
	$END:`},
	{
		name: "release of too narrow a scope", grid: 2, block: 1, body: `
		setp.eq.u32 %p1, %b, 1;
		@%p1 bra $CONSUMER;
		st.global.u32 [%rd0], 42; // A
		st.release.cta.global.u32 [%rd0+64], 1; // F
		bra $END;
	$CONSUMER:
		ld.acquire.gpu.global.u32 %r1, [%rd0+64]; // G
		setp.eq.u32 %p1, %r1, 0;
		@%p1 bra $CONSUMER;
		ld.global.u32 %r1, [%rd0]; // B
	$END:`,
		want: []string{"A-B inter-block insufficient-fence-scope", "F-G inter-block insufficient-atomic-scope"},
	},
	{
		name: "relaxed flag without a release", grid: 2, block: 1, body: `
		setp.eq.u32 %p1, %b, 1;
		@%p1 bra $CONSUMER;
		st.global.u32 [%rd0], 42; // A
		st.relaxed.gpu.global.u32 [%rd0+64], 1;
		bra $END;
	$CONSUMER:
		ld.acquire.gpu.global.u32 %r1, [%rd0+64];
		setp.eq.u32 %p1, %r1, 0;
		@%p1 bra $CONSUMER;
		ld.global.u32 %r1, [%rd0]; // B
	$END:`,
		want: []string{"A-B inter-block missing-fence"},
	},
	{name: "volatile flag", pipeline: "iguard<volatile>", grid: 2, block: 1, body: volatileFlag},
	{
		name: "volatile flag, as in the paper", grid: 2, block: 1, body: volatileFlag,
		want: []string{"F-G inter-block missing-fence"},
	},
	{name: "acquire completes a lock", grid: 2, block: 1, body: `
	$L:
		atom.acquire.gpu.global.cas.b32 %r1, [%rd0+64], 0, 1;
		setp.ne.u32 %p1, %r1, 0;
		@%p1 bra $L;
		ld.global.u32 %r1, [%rd0];
		add.u32 %r1, %r1, 1;
		st.global.u32 [%rd0], %r1;
		atom.release.gpu.global.exch.b32 %r1, [%rd0+64], 0;`},
	{name: "lanes whose guard fails access nothing", grid: 2, block: 32, body: `
		mov.u32 %r1, 0;
		setp.eq.u32 %p1, %b, 0;
		@%p1 setp.eq.u32 %p1, %t, 0;
		@%p1 st.global.u32 [%rd0], 1;`},
	{name: "generic addresses of shared memory", grid: 1, block: 64, body: `
		mov.u64 %rd2, tile;
		cvta.shared.u64 %rd2, %rd2;
		st.u32 [%rd2], %t;
		ld.u32 %r1, [%rd2];
		atom.cas.b32 %r1, [%rd2], 0, 1;`},
	{
		name: "generic addresses of global memory", grid: 1, block: 64, body: `
		and.b32 %r1, %t, 31;
		setp.ne.u32 %p1, %r1, 0;
		@%p1 exit;
		mov.u64 %rd2, word;
		cvta.global.u64 %rd2, %rd2;
		st.u32 [%rd2], %t; // A`,
		want: []string{"A-A intra-block missing-barrier"},
	},
	{
		name: "generic addresses of global and of shared memory", grid: 1, block: 64, body: `
		.shared .align 4 .b8 window[256];
		mov.u64 %rd2, window;
		mad.wide.u32 %rd2, %t, 4, %rd2;
		cvta.shared.u64 %rd2, %rd2;
		and.b32 %r1, %t, 1;
		setp.eq.u32 %p1, %r1, 0;
		@%p1 bra $GLOBAL;
		mov.u64 %rd1, %rd2;
	$GLOBAL:
		ld.u32 %r1, [%rd1];
		atom.add.u32 %r1, [%rd1], 1; // B
		and.b32 %r1, %t, 33;
		setp.ne.u32 %p1, %r1, 32;
		@%p1 exit;
		ld.u32 %r1, [%rd0+8]; // A
		st.u32 [%rd2], %r1;`,
		want: []string{"A-B intra-block missing-barrier"},
	},
	{
		name: "vector against scalar", grid: 1, block: 64, body: `
		and.b32 %r1, %t, 31;
		setp.ne.u32 %p1, %r1, 0;
		@%p1 exit;
		setp.eq.u32 %p1, %t, 0;
		@%p1 st.global.v4.u32 [%rd0], {%t, %t, %t, %t}; // A
		@!%p1 ld.global.u16 %h, [%rd0+14]; // B`,
		want: []string{"A-B intra-block missing-barrier"},
	},
	{name: "reductions are atomics", grid: 4, block: 64, body: `
		red.global.add.u32 [%rd0], 1;
		atom.global.add.u32 %r1, [%rd0], 1;
		red.cta.global.add.u32 [%rd1+64], 1;`},
	{name: "shared memory, not watched", grid: 1, block: 64, body: sharedRace},
	{name: "flag in shared memory for global data", grid: 1, block: 64, body: sharedFlag},
	{
		name: "fence in a device function, before", grid: 2, block: 1, body: `
		setp.eq.u32 %p1, %b, 0;
		call fenced;
		@%p1 st.global.u32 [%rd0], 1; // A
		@!%p1 ld.global.u32 %r1, [%rd0]; // B`,
		want: []string{"A-B inter-block missing-fence"},
	},
	{
		name: "accesses in a device function", grid: 2, block: 1, body: `
		{
		.param .b64 a;
		st.param.b64 [a], %rd0;
		call touch, (a);
		}`,
		want: []string{"T-T inter-block missing-fence"},
	},
}

const volatileFlag = `
		setp.eq.u32 %p1, %b, 1;
		@%p1 bra $CONSUMER;
		st.global.u32 [%rd0], 42;
		membar.gl;
		st.volatile.global.u32 [%rd0+64], 1; // F
		bra $END;
	$CONSUMER:
		ld.volatile.global.u32 %r1, [%rd0+64]; // G
		setp.eq.u32 %p1, %r1, 0;
		@%p1 bra $CONSUMER;
		ld.global.u32 %r1, [%rd0];
	$END:`

// sharedRace is a store and loads of shared memory without a barrier.
const sharedRace = `
		setp.ne.u32 %p1, %t, 0;
		@%p1 bra $READ;
		st.shared.u32 [tile], 1;
	$READ:
		setp.ne.u32 %p1, %t, 32;
		@%p1 bra $END;
		ld.shared.u32 %r1, [tile];
	$END:`

// sharedFlag passes a word of each block from one warp to another.
const sharedFlag = `
		mad.wide.u32 %rd2, %b, 4, %rd0;
		setp.eq.u32 %p1, %t, 32;
		@%p1 bra $CONSUMER;
		setp.ne.u32 %p1, %t, 0;
		@%p1 bra $END;
		st.global.u32 [%rd2], 42;
		st.release.cta.shared.u32 [tile], 1;
		bra $END;
	$CONSUMER:
		ld.acquire.cta.shared.u32 %r1, [tile];
		setp.eq.u32 %p1, %r1, 0;
		@%p1 bra $CONSUMER;
		ld.global.u32 %r1, [%rd2];
	$END:`

// twoRaces has a race before a barrier and one after it.
const twoRaces = `
		xor.b32 %r1, %t, 32;
		mad.wide.u32 %rd2, %r1, 4, %rd0;
		st.global.u32 [%rd1], %t; // A
		ld.global.u32 %r2, [%rd2]; // B
		bar.sync 0;
		st.global.u32 [%rd1+512], %t; // C
		ld.global.u32 %r2, [%rd2+512]; // D`

const kernelHead = `.version 7.0
.target sm_70
.address_size 64
.global .u32 word;
.shared .u32 tile;
.func fenced() {
	membar.gl;
	ret;
}
.func touch(.param .b64 a) {
	.reg .b64 %rd0;
	ld.param.u64 %rd0, [a];
	st.u32 [%rd0], 1; // T
	ret;
}
.visible .entry k(.param .u64 p) {
	.reg .pred %p<4>;
	.reg .b16 %h;
	.reg .b32 %r<8>, %t, %b;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd0, [p];
	mov.u32 %t, %tid.x;
	mov.u32 %b, %ctaid.x;
	mov.u32 %r0, %ntid.x;
	mad.lo.u32 %r0, %b, %r0, %t;
	mad.wide.u32 %rd1, %r0, 4, %rd0;
`

func TestKernels(t *testing.T) {
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) {
			src := kernelHead + strings.TrimPrefix(k.body, "\n") + "\n\tret;\n}\n"
			pipeline := k.pipeline
			if pipeline == "" {
				pipeline = "iguard"
			}
			out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(src)), pipeline, iguard.Pass)
			for _, cfg := range []emu.Config{{}, {Policy: emu.Lockstep}, {Policy: emu.Random, Seed: 1}, {Policy: emu.Random, Seed: 2}} {
				want := k.want
				if k.its && cfg.Policy == emu.Lockstep {
					want = []string{"fault: deadlock"}
				}
				if got := runKernel(t, src, out, k.grid, k.block, cfg); !slices.Equal(got, want) {
					t.Errorf("policy %d, seed %d:\n got %q\nwant %q", cfg.Policy, cfg.Seed, got, want)
				}
			}
		})
	}
}

var tag = regexp.MustCompile(`// ([A-Z])$`)

// runKernel runs the kernel k of an instrumented module on a buffer of 4 KB and
// returns its faults and races, with accesses named by the tags in the source.
func runKernel(t *testing.T, src string, out *passes.Output, grid, block uint32, cfg emu.Config) []string {
	t.Helper()
	m, err := emu.New(out.Module, cfg)
	if err != nil {
		t.Fatal(err)
	}
	const size = 1 << 12
	buffer, err := m.Alloc("buffer", size)
	if err != nil {
		t.Fatal(err)
	}
	host, err := hosthalf.New(out.Results["iguard"].(*iguard.Result).Options)
	if err != nil {
		t.Fatal(err)
	}
	shape := detect.LaunchShape{Grid: [3]uint32{grid, 1, 1}, Block: [3]uint32{block, 1, 1}, LargestAllocation: size, Slots: buffer>>32 + 1}
	if shape.Shared, err = m.SharedSize("k", 0); err != nil {
		t.Fatal(err)
	}
	if err = host.Prepare(leftovers{m}, shape); err != nil {
		t.Fatal(err)
	}
	res, err := m.Launch(t.Context(), emu.LaunchConfig{
		Kernel: "k", Grid: emu.Dim3{X: grid, Y: 1, Z: 1}, Block: emu.Dim3{X: block, Y: 1, Z: 1},
		Params: binary.LittleEndian.AppendUint64(nil, buffer),
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range res.Faults {
		list = append(list, "fault: "+f.Class)
	}
	races, err := host.Collect(m)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(src, "\n")
	name := func(site uint32) string {
		line := out.Sites[site-1].PTX.Line
		if m := tag.FindStringSubmatch(lines[line-1]); m != nil {
			return m[1]
		}
		return fmt.Sprintf("line %d", line)
	}
	for _, r := range races {
		sides := []string{name(r.First.Site), name(r.Second.Site)}
		slices.Sort(sides)
		list = append(list, strings.TrimSuffix(fmt.Sprintf("%s-%s %s %s %s", sides[0], sides[1], r.Kind, r.Cause, r.Space), " global"))
	}
	slices.Sort(list)
	return list
}
