package app

import (
	"fmt"
	"strings"
)

// Kernels at limits whose excess only the kernel can detect: then it prints "beyond".

// limitRuntime declares the functions that the kernels call, and the text.
const limitRuntime = limitHeader + `.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 p, .param .b64 q);
.global .b8 beyond[8] = {98, 101, 121, 111, 110, 100, 10, 0};
`

// printBeyond prints the text.
const printBeyond = `mov.u64 %rd1, beyond; cvta.global.u64 %rd1, %rd1;
{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd1; st.param.b64 [a], 0; call (r), vprintf, (f, a); }
`

// gridBuffer gets the buffer for the parameters of a launch of one thread in %rd2, null when there
// can be none.
func gridBuffer(kernel string) string {
	return "mov.u64 %rd1, " + kernel + `;
{ .param .b64 f; st.param.b64 [f], %rd1; .param .align 4 .b8 g[12]; st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
.param .align 4 .b8 b[12]; st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; .param .b32 s; st.param.b32 [s], 0;
.param .b64 q; call (q), cudaGetParameterBufferV2, (f, g, b, s); ld.param.b64 %rd2, [q]; }
`
}

// launchGrid launches the grid of the buffer in %rd2.
const launchGrid = `{ .param .b64 p; st.param.b64 [p], %rd2; .param .b64 t; st.param.b64 [t], 0; .param .b32 q; call (q), cudaLaunchDeviceV2, (p, t); }
`

// nested returns a grid with a number of nested grids, each launched by the previous one.
func nested(n int) limitCase {
	text := limitRuntime + ".entry k (.param .u32 n) { .reg .pred %p; .reg .b32 %r; .reg .b64 %rd<3>;\n" +
		"ld.param.u32 %r, [n]; setp.eq.u32 %p, %r, 0; @%p ret; sub.u32 %r, %r, 1;\n" +
		gridBuffer("k") + "setp.eq.u64 %p, %rd2, 0; @%p bra BEYOND; st.b32 [%rd2], %r;\n" + launchGrid + "ret;\nBEYOND:\n" + printBeyond + "ret; }\n"
	return limitCase{ptx: text, launch: oneLaunch(fmt.Sprintf(", args: [%d]", n))}
}

// pending returns a grid that launches a number of grids, and checks whether one of them has run.
func pending(n int) limitCase {
	text := limitRuntime + ".global .u32 ran;\n.entry child () { st.global.u32 [ran], 1; ret; }\n" +
		".entry k (.param .u32 n) { .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %rd<3>;\n" +
		"ld.param.u32 %r1, [n];\nL:\n" + gridBuffer("child") + launchGrid + "sub.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra L;\n" +
		"ld.volatile.global.u32 %r2, [ran]; setp.eq.u32 %p, %r2, 0; @%p ret;\n" + printBeyond + "ret; }\n"
	return limitCase{ptx: text, launch: oneLaunch(fmt.Sprintf(", args: [%d]", n))}
}

// joins returns a kernel whose branches, except the last, have a given total number of blocks after them. At the last
// one, the lanes of a warp diverge. At the convergence point, all are active if the search for joins got that far.
func joins(n int) limitCase {
	const after = 3 // the branch itself, the code after all branches, and the end
	branches, blocks := 0, 0
	for blocks+3*(branches+2)+after <= n { // behind the first branch there are three blocks for each
		branches++
		blocks += 3*(branches+1) + after
	}
	var b strings.Builder
	b.WriteString(limitRuntime + ".entry k () { .reg .pred %p, %q, %never; .reg .b32 %r; .reg .b64 %rd<2>;\n" +
		"mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 16; setp.gt.u32 %never, %r, 31; mov.pred %q, %never;\n")
	for i := range branches + 1 {
		if i == branches {
			b.WriteString("mov.pred %q, %p;\n")
		}
		fmt.Fprintf(&b, "@%%q bra S%d;\n", i)
		if i == 0 {
			for k := range n - blocks {
				fmt.Fprintf(&b, "bra X%d;\nX%[1]d:\n", k)
			}
		}
		fmt.Fprintf(&b, "bra M%d;\nS%[1]d: @%%never exit;\nM%[1]d:\n", i)
	}
	b.WriteString("activemask.b32 %r; setp.eq.s32 %p, %r, -1; @%p ret;\n" + printBeyond + "ret; }\n")
	return limitCase{ptx: b.String(), launch: "launches: [{kernel: k, grid: 1, block: 32}]\n", flags: []string{"--schedule", "lockstep"}}
}
