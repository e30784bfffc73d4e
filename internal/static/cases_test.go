// Kernels on which a proof depends on something that is easily overlooked: the memory to which a parameter leads,
// extents that the kernel does not read, stores to constants, misaligned accesses, launches that do not exist.

package static_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// smallKernel returns a module with a kernel k. In its body, %r1 is %tid.x, %r2 is 4 * %r1 and %rd9 the same in 64
// bits; %rd1, %rd2 and %n are the first three parameters.
func smallKernel(params, variables, body string) string {
	return ".version 8.3\n.target sm_90\n.address_size 64\n" + variables + `
.visible .entry k(` + params + `)
{
	.reg .pred %p<9>;
	.reg .b32 %r<20>, %n;
	.reg .b64 %rd<20>;
	.shared .align 16 .b8 tile[4096];
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	ld.param.u32 %n, [n];
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	cvt.u64.u32 %rd9, %r2;
` + "\t" + strings.ReplaceAll(body, "; ", ";\n\t") + "\n\tret;\n}\n"
}

const (
	toShared = ".param .u64 .ptr .shared .align 16 a, .param .u64 .ptr .shared .align 16 b, .param .u32 n"
	toAny    = ".param .u64 a, .param .u64 b, .param .u32 n"
	constant = ".const .align 4 .u32 cc[64];"
	dynamics = ".extern .shared .align 16 .b8 dyn[];\n.extern .shared .align 4 .b8 more[];"
	picks    = "setp.eq.u32 %p1, %n, 0; "
	own      = "add.s64 %rd3, %rd1, %rd9; st.shared.u32 [%rd3], %r1;"
	plainY   = "block.y = 1 (assumed, as no fact gives it and the kernel does not read y)"
	plainZ   = "block.z = 1 (assumed, as no fact gives it and the kernel does not read z)"
	gridY    = "grid.y = 1 (assumed, as no fact gives it and the kernel does not read y)"
	gridZ    = "grid.z = 1 (assumed, as no fact gives it and the kernel does not read z)"
	disjoint = "disjoint: pointers of different parameters do not alias"
	align    = "aligned: each address is a multiple of the size of its access"
)

// overlooked is a kernel with what is to be said of it.
type overlooked struct {
	name, text string
	grid       [3]int64 // 0: unknown
	block      [3]int64
	opt        static.Options
	disjoint   bool
	want       static.Verdict
	needs      []string // of a proof
	reason     string   // part of the reason or the note of an open one
	racy       string   // grid, block, shared and args of a launch in which the kernel races
}

var overlookedKernels = []overlooked{
	{name: "shared memory by a parameter", text: smallKernel(toShared, "", own), want: static.Clean, needs: []string{plainY, plainZ}},
	{name: "shared memory by a parameter without an attribute", text: smallKernel(toAny, "", own), want: static.Clean, needs: []string{plainY, plainZ}},
	{
		name: "select of two", text: smallKernel(toShared, "", picks+"selp.b64 %rd4, %rd1, %rd2, %p1; atom.shared.add.u32 %r3, [%rd4], 1; "+own), want: static.Possible,
		racy: "grid: 1, block: 64, shared: 1024, args: [0, 512, 0]",
	},
	{
		name: "minimum of two", text: smallKernel(toShared, "", "min.u64 %rd4, %rd1, %rd2; atom.shared.add.u32 %r3, [%rd4], 1; "+own), want: static.Possible,
		racy: "grid: 1, block: 64, shared: 1024, args: [0, 512, 0]",
	},
	{
		name: "one of two by a branch", text: smallKernel(toShared, "", picks+"mov.b64 %rd4, %rd2; @!%p1 bra L; mov.b64 %rd4, %rd1; L: atom.shared.add.u32 %r3, [%rd4], 1; "+own), want: static.Possible,
		racy: "grid: 1, block: 64, shared: 1024, args: [0, 512, 0]",
	},
	{
		name: "the same, apart by assumption", text: smallKernel(toShared, "", "atom.shared.add.u32 %r3, [%rd2], 1; "+own), disjoint: true,
		want: static.Clean, needs: []string{plainY, plainZ, disjoint},
	},
	{
		name: "a parameter and a variable", text: smallKernel(toShared, "", "mov.u64 %rd4, tile; st.shared.u32 [%rd4], %r1; "+own), block: [3]int64{64, 1, 1}, want: static.Racy,
		racy: "grid: 1, block: 64, shared: 1024, args: [0, 0, 0]",
	},
	{
		name: "generic address of shared memory", text: smallKernel(toShared, "", "cvta.shared.u64 %rd4, %rd1; st.u32 [%rd4], %r1; "+own), block: [3]int64{64, 1, 1}, want: static.Racy,
		racy: "grid: 1, block: 64, shared: 1024, args: [0, 0, 0]",
	},
	{
		name: "generic address by a parameter without an attribute", text: smallKernel(toAny, "", "cvta.shared.u64 %rd4, %rd1; add.s64 %rd4, %rd4, %rd9; st.u32 [%rd4], %r1; ld.shared.u32 %r3, [%rd1+4]; setp.eq.u32 %p3, %r3, 77; @%p3 trap;"),
		grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Possible,
		racy: "grid: 1, block: 64, shared: 1024, args: [0, buf, 0]",
	},
	{
		name: "index of one dimension", text: smallKernel(toAny, "", "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.u32 %r5, %r3, %r4, %r1; mul.wide.u32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], 1;"),
		opt: static.Options{NoWrap: true}, want: static.Clean, needs: []string{plainY, plainZ, gridY, gridZ, "no-wrap: tid.x + ctaid.x * ntid.x fits its register"},
		racy: "grid: 1, block: [32, 2, 1], args: [buf, buf, 0]",
	},
	{
		name: "index of one dimension in a block of two", text: smallKernel(toAny, "", "add.s64 %rd4, %rd1, %rd9; st.global.u32 [%rd4], 1;"),
		grid: [3]int64{1, 1, 1}, block: [3]int64{32, 2, 1}, want: static.Racy,
		racy: "grid: 1, block: [32, 2, 1], args: [buf, buf, 0]",
	},
	{
		name: "one block", text: smallKernel(toAny, "", "add.s64 %rd4, %rd1, %rd9; mov.u32 %r3, %ctaid.x; st.global.u32 [%rd4], %r3;"),
		grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Clean, needs: []string{"block.y = 1", "block.z = 1", "grid.x = 1", "grid.y = 1", "grid.z = 1"},
		racy: "grid: 2, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "one thread", text: smallKernel(toAny, "", "st.global.u32 [%rd1], %r1;"), grid: [3]int64{1, 1, 1}, block: [3]int64{1, 1, 1}, want: static.Clean,
		needs: []string{"block.x = 1", "block.y = 1", "block.z = 1", "grid.x = 1", "grid.y = 1", "grid.z = 1"},
		racy:  "grid: 1, block: 2, args: [buf, buf, 0]",
	},
	{
		name: "one row of threads", text: smallKernel(toAny, "", "mov.u32 %r3, %tid.y; setp.ne.u32 %p1, %r3, 0; @%p1 bra L; mov.u64 %rd4, tile; add.s64 %rd4, %rd4, %rd9; st.shared.u32 [%rd4], %r1; L:"),
		want: static.Clean, needs: []string{plainZ},
		racy: "grid: 1, block: [32, 1, 2], args: [buf, buf, 0]",
	},
	{name: "any launch", text: smallKernel(toAny, "", "atom.global.add.u32 %r3, [%rd1], 1;"), want: static.Clean},
	{
		name: "a variable that a known block stays in", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Clean,
		text:  smallKernel(toAny, "", ".shared .align 4 .b8 other[256]; mov.u64 %rd4, other; mov.u64 %rd5, tile; add.s64 %rd6, %rd4, %rd9; add.s64 %rd7, %rd5, %rd9; st.shared.u32 [%rd6], 1; st.shared.u32 [%rd7], 2;"),
		needs: []string{"block.x = 64", "block.y = 1", "block.z = 1"},
	},
	{
		name: "two names of the dynamic shared memory", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Possible,
		text: smallKernel(toAny, dynamics, "mov.u64 %rd4, dyn; mov.u64 %rd5, more; add.s64 %rd6, %rd4, %rd9; sub.s64 %rd7, %rd5, %rd9; st.shared.u32 [%rd6], 1; st.shared.u32 [%rd7+252], 2;"),
		racy: "grid: 1, block: 64, shared: 1024, args: [buf, buf, 0]",
	},
	{
		name: "parts of the dynamic shared memory", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Clean,
		text:  smallKernel(toAny, dynamics, "mov.u64 %rd4, dyn; mov.u64 %rd5, more; add.s64 %rd6, %rd4, %rd9; sub.s64 %rd7, %rd5, %rd9; st.shared.u32 [%rd6], 1; st.shared.u32 [%rd7+508], 2;"),
		needs: []string{"block.x = 64", "block.y = 1", "block.z = 1"},
	},
	{
		name: "before the dynamic shared memory", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Possible,
		text: smallKernel(toAny, dynamics, "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile+4092], 1; mov.u32 %r3, dyn; ld.shared.u32 %r4, [%r3+-4]; red.global.add.u32 [%rd1], %r4;"),
		racy: "grid: 1, block: 64, shared: 1024, args: [buf, buf, 0]",
	},
	{
		name: "stores to a constant", text: smallKernel(toAny, constant, "cvta.const.u64 %rd4, cc; st.u32 [%rd4], %r1;"), want: static.Racy,
		racy: "grid: 2, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "stores to elements of a constant", text: smallKernel(toAny, constant, "cvta.const.u64 %rd4, cc; add.s64 %rd4, %rd4, %rd9; st.u32 [%rd4], %r1;"), grid: [3]int64{1, 1, 1}, want: static.Clean,
		needs: []string{plainY, plainZ, "grid.x = 1", "grid.y = 1", "grid.z = 1"},
		racy:  "grid: 2, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "one thread writes to a constant or a buffer", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Racy,
		text: smallKernel(toAny, constant, picks+"cvta.const.u64 %rd4, cc; selp.b64 %rd5, %rd4, %rd1, %p1; setp.ne.u32 %p2, %r1, 0; @!%p2 st.u32 [%rd5], %r1; mov.u32 %r4, 0; @%p2 ld.const.u32 %r4, [cc]; setp.eq.u32 %p3, %r4, 77; @%p3 trap;"),
	},
	{
		name: "a constant is written and read", text: smallKernel(toAny, constant, "setp.eq.u32 %p1, %r1, 0; mov.u32 %r3, %ctaid.x; setp.eq.and.u32 %p1, %r3, 0, %p1; cvta.const.u64 %rd4, cc; @%p1 st.u32 [%rd4], 1; ld.const.u32 %r4, [cc]; red.global.add.u32 [%rd1], %r4;"),
		want: static.Racy,
	},
	{name: "a constant is only read", text: smallKernel(toAny, constant, "ld.const.u32 %r4, [cc]; atom.global.add.u32 %r3, [%rd1], %r4;"), want: static.Clean},
	{
		name: "misaligned stores", text: smallKernel(toAny, "", "mov.u64 %rd4, tile; shl.b64 %rd5, %rd9, 1; add.s64 %rd4, %rd4, %rd5; st.shared.v2.b64 [%rd4], {%rd1, %rd2};"), block: [3]int64{64, 1, 1},
		want: static.Possible,
	},
	{
		name: "stores that are aligned for some parameters", block: [3]int64{64, 1, 1},
		text: smallKernel(toAny, "", "and.b32 %r3, %n, 1; add.s32 %r3, %r3, 3; mov.u64 %rd4, tile; mul.wide.u32 %rd5, %r3, %r1; add.s64 %rd4, %rd4, %rd5; st.shared.u32 [%rd4], 1;"),
		want: static.Clean, needs: []string{align, "block.y = 1", "block.z = 1"},
	},
	{
		name: "aligned stores", text: smallKernel(toAny, "", "mov.u64 %rd4, tile; shl.b64 %rd5, %rd9, 2; add.s64 %rd4, %rd4, %rd5; st.shared.v2.b64 [%rd4], {%rd1, %rd2};"),
		want: static.Clean, needs: []string{plainY, plainZ},
	},
	{
		name: "bulk copies that overlap", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Possible,
		text: smallKernel(toAny, "", "mov.u64 %rd4, tile; shl.b64 %rd5, %rd9, 2; add.s64 %rd5, %rd1, %rd5; cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%rd4], 32; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"),
		racy: "grid: 1, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "an or of bits that are apart", grid: [3]int64{4, 4, 1}, block: [3]int64{16, 16, 1}, want: static.Clean,
		text:  smallKernel(toAny, "", "mov.u32 %r3, %ctaid.y; mad.lo.u32 %r3, %r3, 16, %r1; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %tid.y; mad.lo.u32 %r4, %r4, 16, %r5; shl.b32 %r4, %r4, 6; or.b32 %r5, %r4, %r3; mul.wide.u32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], 1;"),
		needs: []string{"block.x = 16", "block.y = 16", "block.z = 1", "grid.x = 4", "grid.y = 4", "grid.z = 1"},
		racy:  "grid: [4, 5], block: [16, 16], args: [buf, buf, 0]",
	},
	{
		name: "rows exchanged by exclusive or", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Clean,
		text:  smallKernel(toAny, "", "shl.b32 %r3, %r1, 4; and.b32 %r4, %r1, 6; shl.b32 %r4, %r4, 3; xor.b32 %r3, %r3, %r4; mov.u32 %r5, tile; add.u32 %r5, %r5, %r3; st.shared.v4.b32 [%r5], {%r1, %r1, %r1, %r1};"),
		needs: []string{"block.x = 64", "block.y = 1", "block.z = 1"}, racy: "grid: 1, block: [64, 2], args: [buf, buf, 0]",
	},
	{
		name: "an exclusive or that loses a bit", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Racy,
		text: smallKernel(toAny, "", "shl.b32 %r3, %r1, 4; and.b32 %r4, %r1, 1; shl.b32 %r4, %r4, 4; xor.b32 %r3, %r3, %r4; mov.u32 %r5, tile; add.u32 %r5, %r5, %r3; st.shared.v4.b32 [%r5], {%r1, %r1, %r1, %r1};"), racy: "grid: 1, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "rows of matrices that the warp stores", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Clean,
		text:  smallKernel(toAny, "", "mov.u32 %r5, tile; shl.b32 %r3, %r1, 4; add.u32 %r5, %r5, %r3; st.shared.v4.b32 [%r5], {%r1, %r1, %r1, %r1}; bar.warp.sync 0xffffffff; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5];"),
		needs: []string{"block.y = 1", "block.z = 1"}, racy: "grid: 1, block: [64, 2], args: [buf, buf, 0]",
	},
	{
		name: "rows of matrices that another warp stores", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Possible,
		text: smallKernel(toAny, "", "mov.u32 %r5, tile; shl.b32 %r3, %r1, 4; add.u32 %r5, %r5, %r3; st.shared.v4.b32 [%r5], {%r1, %r1, %r1, %r1}; bar.warp.sync 0xffffffff; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5+16];"),
		racy: "grid: 1, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "one matrix, and stores to the rows behind it", grid: [3]int64{1, 1, 1}, block: [3]int64{32, 1, 1}, want: static.Clean,
		text:  smallKernel(toAny, "", "mov.u32 %r5, tile; shl.b32 %r3, %r1, 4; add.u32 %r5, %r5, %r3; setp.lt.u32 %p1, %r1, 8; @!%p1 st.shared.v4.b32 [%r5], {%r1, %r1, %r1, %r1}; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r5];"),
		needs: []string{"block.x = 32", "block.y = 1", "block.z = 1"}, racy: "grid: 1, block: [32, 2], args: [buf, buf, 0]",
	},
	{
		name: "two matrices, and stores to the rows behind one", grid: [3]int64{1, 1, 1}, block: [3]int64{32, 1, 1}, want: static.Possible,
		text: smallKernel(toAny, "", "mov.u32 %r5, tile; shl.b32 %r3, %r1, 4; add.u32 %r5, %r5, %r3; setp.lt.u32 %p1, %r1, 8; @!%p1 st.shared.v4.b32 [%r5], {%r1, %r1, %r1, %r1}; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r10, %r11}, [%r5+16];"),
		racy: "grid: 1, block: 32, args: [buf, buf, 0]",
	},
	{
		name: "products of 24 bits", grid: [3]int64{4, 1, 1}, block: [3]int64{64, 1, 1}, want: static.Clean,
		text:  smallKernel(toAny, "", "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad24.lo.s32 %r5, %r3, %r4, %r1; mul24.lo.u32 %r5, %r5, 4; cvt.u64.u32 %rd3, %r5; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], 1;"),
		needs: []string{"block.x = 64", "block.y = 1", "block.z = 1", "grid.x = 4", "grid.y = 1", "grid.z = 1"},
		racy:  "grid: 4, block: [64, 2], args: [buf, buf, 0]",
	},
	{
		name: "a scatter through a table", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, opt: static.Options{Contents: true}, disjoint: true, want: static.Possible,
		text: smallKernel(toAny, "", "add.s64 %rd4, %rd2, %rd9; ld.global.u32 %r3, [%rd4]; mul.wide.u32 %rd5, %r3, 4; add.s64 %rd6, %rd1, %rd5; st.global.u32 [%rd6], %r1;"),
		racy: "grid: 1, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "a scatter through one of two tables", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, opt: static.Options{Contents: true}, disjoint: true, want: static.Possible,
		text: smallKernel(toAny, "", "setp.gt.u32 %p1, %r1, %n; @%p1 bra L; add.s64 %rd4, %rd2, %rd9; ld.global.u32 %r3, [%rd4]; bra M; L: ld.global.u32 %r3, [%rd2+2048]; M: mul.wide.u32 %rd5, %r3, 4; add.s64 %rd6, %rd1, %rd5; st.global.u32 [%rd6], %r1;"),
		racy: "grid: 1, block: 64, args: [buf, buf, 7]",
	},
	{
		name: "a scatter to one of two elements that a table chooses", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, opt: static.Options{Contents: true}, disjoint: true, want: static.Possible,
		text: smallKernel(toAny, "", "add.s64 %rd4, %rd2, %rd9; ld.global.u32 %r3, [%rd4]; setp.eq.u32 %p1, %r3, 0; add.s64 %rd5, %rd1, %rd9; selp.b64 %rd6, %rd1, %rd5, %p1; st.global.u32 [%rd6], %r1;"),
		racy: "grid: 1, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "a scatter to one of two elements that a table chooses by a branch", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, opt: static.Options{Contents: true}, disjoint: true, want: static.Possible,
		text: smallKernel(toAny, "", "add.s64 %rd4, %rd2, %rd9; ld.global.u32 %r3, [%rd4]; setp.eq.u32 %p1, %r3, 0; mov.u64 %rd6, %rd1; @%p1 bra L; add.s64 %rd6, %rd1, %rd9; L: st.global.u32 [%rd6], %r1;"),
		racy: "grid: 1, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "a scatter to one of two buffers that a parameter chooses", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, opt: static.Options{Contents: true}, disjoint: true, want: static.Racy,
		text: smallKernel(toAny, "", picks+"selp.b64 %rd6, %rd1, %rd2, %p1; st.global.u32 [%rd6], %r1;"),
		racy: "grid: 1, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "a store that memory decides on", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, opt: static.Options{Contents: true}, disjoint: true, want: static.Racy,
		text: smallKernel(toAny, "", "add.s64 %rd4, %rd2, %rd9; ld.global.u32 %r3, [%rd4]; setp.eq.u32 %p1, %r3, 0; @%p1 st.global.u32 [%rd1], %r1;"),
		racy: "grid: 1, block: 64, args: [buf, buf, 0]",
	},
	{
		name: "from one half of a buffer to the other", grid: [3]int64{1, 1, 1}, block: [3]int64{64, 1, 1}, opt: static.Options{Contents: true}, want: static.Clean,
		text:  smallKernel(toAny, "", "setp.ge.u32 %p1, %r1, %n; @%p1 bra L; add.s64 %rd4, %rd1, %rd9; ld.global.u32 %r3, [%rd4]; mul.wide.u32 %rd5, %n, 4; add.s64 %rd6, %rd4, %rd5; st.global.u32 [%rd6], %r3; L:"),
		needs: []string{"block.x = 64", "block.y = 1", "block.z = 1", "grid.x = 1", "grid.y = 1", "grid.z = 1"},
		racy:  "grid: 2, block: 64, args: [buf, buf, 64]",
	},
	{name: "no block", text: smallKernel(toAny, "", "st.global.u32 [%rd1], %r1;"), grid: [3]int64{-1, 1, 1}, want: static.Possible, reason: "no launch satisfies the facts: grid.x = 0"},
	{name: "too many threads", text: smallKernel(toAny, "", "st.global.u32 [%rd1], %r1;"), block: [3]int64{32, 32, 2}, want: static.Possible, reason: "no launch satisfies the facts: block.x = 32; block.y = 32; block.z = 2"},
	{name: "too long a row of threads", text: smallKernel(toAny, "", "st.global.u32 [%rd1], %r1;"), block: [3]int64{2024, 1, 1}, want: static.Possible, reason: "no launch satisfies the facts: block.x = 2024"},
}

// launchFacts returns the facts of a launch with these extents; -1 stands for 0.
func (c *overlooked) launchFacts() *facts.Launch {
	l := &facts.Launch{Kernel: "k"}
	for i := range 3 {
		for _, of := range []struct {
			to   *[3]*expr.Int
			from int64
		}{{&l.Grid, c.grid[i]}, {&l.Block, c.block[i]}} {
			if of.from != 0 {
				of.to[i] = expr.Const(max(of.from, 0))
			}
		}
	}
	return l
}

// TestOverlooked: what is said of each kernel; the racy ones race in an execution, and of a proof's needs, nothing is
// left out.
func TestOverlooked(t *testing.T) {
	for i := range overlookedKernels {
		c := &overlookedKernels[i]
		t.Run(c.name, func(t *testing.T) {
			program, err := session.Parse("k.ptx", []byte(c.text))
			if err != nil {
				t.Fatalf("%v\n%s", err, c.text)
			}
			g := c.launchFacts().Given(nil, []int{64, 64, 32})
			g.Disjoint = c.disjoint
			r, err := static.Analyze(context.Background(), program.Module.Func("k"), g, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			needs := slices.Sorted(slices.Values(c.needs))
			if r.Verdict != c.want || r.Verdict == static.Clean && !slices.Equal(r.Needed, needs) {
				t.Errorf("%s, needs %q; want %s, %q", r.Verdict, r.Needed, c.want, needs)
			}
			if c.reason != "" && !strings.Contains(fmt.Sprint(r.Notes), c.reason) {
				t.Errorf("notes %q, want %q", r.Notes, c.reason)
			}
			for _, p := range r.Pairs {
				if strings.Contains(c.text, "st.shared") && p.Verdict == static.Racy && slices.Contains(p.Kinds, static.InterBlock) && p.First.Inst.Access.Space == p.Second.Inst.Access.Space {
					t.Errorf("a race of two blocks in shared memory: %s, %s", p.First.Inst.Text(), p.Second.Inst.Text())
				}
			}
			c.races(t, program)
			if r.Verdict == static.Clean {
				c.satisfied(t, program, r.Needed)
			}
		})
	}
}

// races checks that the kernel races in the launch of the case.
func (c *overlooked) races(t *testing.T, p *session.Program) {
	t.Helper()
	if c.racy == "" {
		return
	}
	says, err := playNeeds(p, "buffers: {buf: {type: u32, count: 4096}}\nlaunches: [{kernel: k, "+c.racy+"}]\n")
	if err != nil || says != "racy" {
		t.Errorf("the launch %s: %s, %v", c.racy, says, err)
	}
}

// satisfied checks that no launch races that satisfies the needs of the proof.
func (c *overlooked) satisfied(t *testing.T, p *session.Program, needed []string) {
	t.Helper()
	n, err := needsOf(needed)
	if err != nil {
		t.Fatal(err)
	}
	k := p.Module.Func("k")
	for seed := range uint64(20) {
		file := n.launch(k, session.KernelParams(k), rand.New(rand.NewPCG(seed, 7)))
		if says, err := playNeeds(p, file); err != nil || says == "racy" {
			t.Errorf("%s, %v, in a launch that satisfies %q:\n%s", says, err, needed, file)
		}
	}
}
