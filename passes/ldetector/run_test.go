package ldetector_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes/ldetector"
	"github.com/ptxsan/ptxsan/passes/passtest"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	hosthalf "github.com/ptxsan/ptxsan/runtime/detect/ldetector"
)

// program is a kernel around a body: %t is the thread, %at the address of its word in tile, %other
// that of the thread of the next warp, %out that of its word in the buffer.
func program(before, body string) string {
	return `.version 7.8
.target sm_80
.address_size 64
.extern .shared .align 4 .b8 dyn[];
` + before + `
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<9>;
	.reg .b16 %h<9>;
	.reg .b32 %t, %n, %w, %l, %at, %other, %r<20>;
	.reg .f32 %f<9>;
	.reg .b64 %out, %rd<9>;
	.reg .f64 %fd<9>;
	.reg .v4 .b32 %v;
	.shared .align 16 .b8 tile[1024];
	.local .align 8 .b8 stack[64];
	ld.param.u64 %out, [out];
	mov.u32 %t, %tid.x;
	mov.u32 %n, %ntid.x;
	shr.u32 %w, %t, 5;
	and.b32 %l, %t, 31;
	mov.u32 %r3, %ctaid.x;
	mad.lo.u32 %r3, %r3, %n, %t;
	mad.wide.u32 %out, %r3, 4, %out;
	mov.u32 %r0, tile;
	shl.b32 %r1, %t, 2;
	add.u32 %at, %r0, %r1;
	add.u32 %r2, %t, 32;
	rem.u32 %r2, %r2, %n;
	shl.b32 %r2, %r2, 2;
	add.u32 %other, %r0, %r2;
	st.shared.u32 [%at], 0;
	bar.sync 0;
` + body + `
}
`
}

// kernels are bodies and the races that they have, as the report words them.
var kernels = []struct {
	name, before, body string
	dynamic            uint64
	want               []string
	its                bool // lanes of a warp wait at different barriers
}{
	{name: "barrier between", body: `
	st.shared.u32 [%at], %t;
	bar.sync 0;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], %r3;
	ret;`},
	{name: "write-write", body: `
	mul.lo.u32 %r4, %l, 4;
	add.u32 %r4, %r4, %r0;
	add.u32 %r5, %t, 1;
	st.shared.u32 [%r4], %r5;
	ret;`, want: []string{"write st.shared.u32 by 0, write st.shared.u32 by 1: bytes 0x0 to 0x0"}},
	{name: "equal values cannot be seen", body: `
	st.shared.u32 [tile+8], 0;
	ret;`},
	{name: "read-write, left by a store", body: `
	add.u32 %r5, %t, 1;
	st.shared.u32 [%at], %r5;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "read-write, left in a register", body: `
	add.u32 %r5, %t, 1;
	st.shared.u32 [%at], %r5;
	ld.shared.u32 %r3, [%other];
	bar.sync 0;
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "read-write, left in shared memory", body: `
	add.u32 %r5, %t, 1;
	st.shared.u32 [%at], %r5;
	ld.shared.u32 %r3, [%other];
	st.shared.u32 [%at+512], %r3;
	bar.sync 0;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "a predicate and a vector leave", body: `
	st.shared.u32 [%at], %t;
	ld.shared.v4.u32 {%v.x, %v.y, %v.z, %v.w}, [tile+128];
	setp.eq.u32 %p1, %v.y, 33;
	bar.sync 0;
	selp.u32 %r3, 1, 2, %p1;
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.v4.u32 by 0: bytes 0x80 to 0x80"}},
	{name: "rounds, registers of all sorts", body: `
	mov.u32 %r6, 0;
	mov.f32 %f1, 0f3F800000;
	mov.f64 %fd1, 0d3FF0000000000000;
	mov.b16 %h1, 1;
	setp.eq.u32 %p2, %t, 3;
	mov.u32 %v.x, %t;
$ROUND:
	cvt.u32.u16 %r7, %h1;
	add.u32 %r7, %r7, %v.x;
	add.u32 %r7, %r7, %r6;
	st.shared.u32 [%at], %r7;
	add.rn.f32 %f1, %f1, %f1;
	add.rn.f64 %fd1, %fd1, %fd1;
	add.u16 %h1, %h1, 3;
	not.pred %p2, %p2;
	bar.sync 0;
	ld.shared.u32 %r8, [%other];
	add.u32 %v.x, %v.x, %r8;
	add.u32 %r6, %r6, 1;
	bar.sync 0;
	setp.lt.u32 %p1, %r6, 4;
	@%p1 bra $ROUND;
	cvt.rzi.u32.f32 %r9, %f1;
	cvt.rzi.u32.f64 %r10, %fd1;
	add.u32 %r9, %r9, %r10;
	add.u32 %r9, %r9, %v.x;
	selp.u32 %r10, 7, 9, %p2;
	add.u32 %r9, %r9, %r10;
	st.global.u32 [%out], %r9;
	ret;`},
	{name: "global and local memory is updated", body: `
	st.local.u32 [stack], 5;
	mov.u64 %rd1, stack;
	cvta.local.u64 %rd1, %rd1;
	bar.sync 0;
	ld.local.u32 %r3, [stack];
	add.u32 %r3, %r3, %t;
	st.local.u32 [stack], %r3;
	ld.global.u32 %r4, [%out];
	add.u32 %r4, %r4, %r3;
	st.global.u32 [%out], %r4;
	ld.global.u16 %h1, [%out];
	add.u16 %h1, %h1, 1;
	st.global.u16 [%out], %h1;
	ld.u32 %r5, [%rd1];
	add.u32 %r5, %r5, 1;
	st.u32 [%rd1], %r5;
	st.shared.u32 [%at], %r5;
	bar.sync 0;
	ld.shared.u32 %r6, [%other];
	ld.local.u32 %r7, [stack];
	add.u32 %r6, %r6, %r7;
	ld.global.u32 %r4, [%out];
	add.u32 %r4, %r4, %r6;
	st.global.u32 [%out], %r4;
	ret;`},
	{name: "threads leave early", body: `
	setp.lt.u32 %p1, %t, 20;
	@%p1 ret;
	st.shared.u32 [%at], %t;
	bar.sync 0;
	setp.gt.u32 %p2, %t, 90;
	@%p2 exit;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], %r3;
	bar.sync 0;
	st.shared.u32 [%at], %r3;
	ret;`, its: true},
	{name: "a race after threads have left", body: `
	setp.lt.u32 %p1, %t, 20;
	@%p1 ret;
	st.shared.u32 [%at], %t;
	bar.sync 0;
	ld.shared.u32 %r3, [%other];
	add.u32 %r3, %r3, 1000;
	st.shared.u32 [%at], %r3;
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.shared.u32 by 0: bytes 0xd0 to 0xd1"}, its: true},
	{name: "a guarded barrier", body: `
	setp.gt.u32 %p1, %n, 0;
	st.shared.u32 [%at], %t;
	@%p1 bar.sync 0;
	@!%p1 bar.sync 0;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], %r3;
	ret;`},
	{name: "a barrier that votes, in braces", body: `
	st.shared.u32 [%at], %t;
	setp.eq.u32 %p1, %t, 5;
	selp.u32 %r3, 1, 0, %p1;
	{
	.reg .pred %p1, %q;
	setp.ne.u32 %p1, %r3, 0;
	bar.red.or.pred %q, 0, %p1;
	selp.u32 %r4, 1, 0, %q;
	}
	ld.shared.u32 %r5, [%other];
	add.u32 %r5, %r5, %r4;
	st.global.u32 [%out], %r5;
	ret;`},
	{name: "a function, pointers and dynamic memory", before: `
.visible .func (.param .b32 r) get(.param .b64 p)
{
	.reg .b32 %r;
	.reg .b64 %p;
	ld.param.u64 %p, [p];
	ld.u32 %r, [%p];
	st.param.b32 [r], %r;
	ret;
}
.visible .func put(.param .b32 i, .param .b32 v)
{
	.reg .b32 %i, %v, %a;
	ld.param.b32 %i, [i];
	ld.param.b32 %v, [v];
	mov.u32 %a, dyn;
	mad.lo.u32 %a, %i, 4, %a;
	st.shared.u32 [%a], %v;
	ret;
}`, dynamic: 512, body: `
	add.u32 %r5, %t, 1;
	{ .param .b32 i; .param .b32 v;
	st.param.b32 [i], %t;
	st.param.b32 [v], %r5;
	call put, (i, v); }
	mov.u64 %rd1, dyn;
	cvta.shared.u64 %rd1, %rd1;
	add.u64 %rd1, %rd1, 128;
	{ .param .b64 p; .param .b32 r;
	st.param.b64 [p], %rd1;
	call (r), get, (p);
	ld.param.b32 %r3, [r]; }
	st.global.u32 [%out], %r3;
	ret;`, want: []string{"write st.shared.u32 by 1, read ld.u32 by 0: bytes 0x480 to 0x480"}},
	{name: "atomic operations are not looked at", body: `
	st.shared.u32 [%at], %t;
	atom.shared.add.u32 %r3, [tile+4], 1;
	ld.shared.u32 %r3, [%other];
	st.global.u32 [%out], 0;
	ret;`},
	{name: "lanes of a warp are not looked at", body: `
	st.shared.u32 [%at], %t;
	xor.b32 %r3, %t, 1;
	mad.lo.u32 %r3, %r3, 4, %r0;
	ld.shared.u32 %r4, [%r3];
	st.global.u32 [%out], 0;
	ret;`},
}

var policies = []struct {
	policy emu.Policy
	seed   uint64
}{{emu.ITS, 0}, {emu.Lockstep, 0}, {emu.Random, 1}}

const threads = 128

// execute runs a module's kernel, with the host half unless result is nil, and returns the
// buffer and the races.
func execute(t *testing.T, m *rewrite.Module, result any, dynamic uint64, p emu.Policy, seed uint64) ([]byte, []detect.Race) {
	t.Helper()
	k := passtest.Kernel{
		Name: "k", Grid: emu.Dim3{X: 2, Y: 1, Z: 1}, Block: emu.Dim3{X: threads, Y: 1, Z: 1},
		Buffers: [][]byte{make([]byte, 8*threads)}, Policy: p, Seed: seed,
	}
	dev := k.NewDevice(t, m)
	var host *hosthalf.Detector
	lc := emu.LaunchConfig{Kernel: "k", Grid: k.Grid, Block: k.Block, Shared: dynamic, Params: binary.LittleEndian.AppendUint64(nil, dev.Addresses[0])}
	if result != nil {
		var err error
		if host, err = hosthalf.New(result.(*ldetector.Result)); err != nil {
			t.Fatal(err)
		}
		size, err := dev.SharedSize("k", dynamic)
		if err == nil {
			err = host.Launching("k", dynamic)
		}
		if err == nil {
			err = host.Prepare(dev.Machine, detect.LaunchShape{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{threads, 1, 1}, Shared: size})
		}
		if err != nil {
			t.Fatal(err)
		}
		lc.Shared = host.DynamicShared()
	}
	res, err := dev.Machine.Launch(context.Background(), lc)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Faults {
		t.Fatal(f)
	}
	if host == nil {
		return dev.Buffer(t, 0), nil
	}
	races, err := host.Collect(dev.Machine)
	if err != nil {
		t.Fatal(err)
	}
	if notes := host.Notes(); notes != nil {
		t.Error(notes)
	}
	return dev.Buffer(t, 0), races
}

// TestKernels: the races of kernels are found, with their accesses and bytes, and nothing
// else is; without races the results are those of the kernel as it is; under all schedules,
// with the copies in shared memory and in global memory, and without a host half.
func TestKernels(t *testing.T) {
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) {
			in := passtest.Load(t, "k.ptx", []byte(program(k.before, k.body)))
			for _, pipeline := range []string{"ldetector", "ldetector<global>", "ldetector<spec>"} {
				out := passtest.Run(t, in, pipeline, ldetector.Pass)
				for i, p := range policies {
					if i > 0 && pipeline == "ldetector<global>" || p.policy != emu.Random && pipeline == "ldetector<spec>" || p.policy == emu.Lockstep && k.its {
						continue
					}
					at := fmt.Sprintf("%s, policy %v, seed %d", pipeline, p.policy, p.seed)
					want, _ := execute(t, in, nil, k.dynamic, p.policy, p.seed)
					got, races := execute(t, out.Module, out.Results["ldetector"], k.dynamic, p.policy, p.seed)
					if list := describe(races, out.Sites); !slices.Equal(list, k.want) {
						t.Errorf("%s:\n%s\nexpected\n%s", at, strings.Join(list, "\n"), strings.Join(k.want, "\n"))
					}
					if k.want != nil {
						continue
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%s: results differ:\n%x\n%x", at, got, want)
					}
					if i > 0 {
						continue
					}
					if alone, _ := execute(t, out.Module, nil, k.dynamic, p.policy, p.seed); !bytes.Equal(alone, want) {
						t.Errorf("%s: without a host half results differ:\n%x\n%x", at, alone, want)
					}
				}
			}
		})
	}
}

// describe words races by their accesses, warps and bytes.
func describe(races []detect.Race, sites []abi.Site) (list []string) {
	for _, r := range races {
		list = append(list, fmt.Sprintf("%s %s by %d, %s %s by %d: bytes %#x to %#x", r.First.Access, sites[r.First.Site-1].Instruction, r.First.Thread[0]/32,
			r.Second.Access, sites[r.Second.Site-1].Instruction, r.Second.Thread[0]/32, r.Address, r.Address+uint64(r.Size)-1))
	}
	return list
}
