package session_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// heapKernels allocate memory: cycle has a word for each thread and round; share has one of each block, whose address
// it stores to out; later accesses it in another launch.
const heapKernels = `.version 7.0
.target sm_70
.address_size 64

.extern .func (.param .b64 pointer) malloc(.param .b64 size);
.extern .func free(.param .b64 pointer);

.visible .entry cycle(.param .u64 out, .param .u32 rounds)
{
	.reg .pred %p;
	.reg .b32 %r<5>;
	.reg .b64 %rd<6>;
	mov.u32 %r1, %tid.x;
	ld.param.u32 %r2, [rounds];
round:
	{
		.param .b64 size;
		.param .b64 pointer;
		st.param.b64 [size], 16;
		call.uni (pointer), malloc, (size);
		ld.param.b64 %rd1, [pointer];
	}
	st.u32 [%rd1], %r1;
	ld.u32 %r3, [%rd1];
	{
		.param .b64 pointer;
		st.param.b64 [pointer], %rd1;
		call.uni free, (pointer);
	}
	sub.s32 %r2, %r2, 1;
	setp.ne.s32 %p, %r2, 0;
	@%p bra round;
	mov.u32 %r4, %ctaid.x;
	mad.lo.s32 %r4, %r4, 64, %r1;
	ld.param.u64 %rd2, [out];
	mad.wide.u32 %rd2, %r4, 4, %rd2;
	st.global.u32 [%rd2], %r3;
	ret;
}

.visible .entry share(.param .u64 out)
{
	.reg .pred %p;
	.reg .b32 %r<3>;
	.reg .b64 %rd<4>;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	ld.param.u64 %rd2, [out];
	mad.wide.u32 %rd2, %r2, 8, %rd2;
	setp.ne.u32 %p, %r1, 0;
	@%p bra met;
	{
		.param .b64 size;
		.param .b64 pointer;
		st.param.b64 [size], 16;
		call.uni (pointer), malloc, (size);
		ld.param.b64 %rd1, [pointer];
	}
	st.global.u64 [%rd2], %rd1;
met:
	bar.sync 0;
	ld.global.u64 %rd3, [%rd2];
	st.u32 [%rd3], %r1;
	ret;
}

.visible .entry later(.param .u64 out)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	mov.u32 %r1, %tid.x;
	ld.param.u64 %rd1, [out];
	ld.global.u64 %rd2, [%rd1];
	st.u32 [%rd2], %r1;
	ret;
}
`

// Memory that kernels allocate is told apart from other memory, however many allocations there are, and in later
// launches.
func TestMemoryOfKernels(t *testing.T) {
	for _, detector := range session.DetectorNames() {
		if detector == "ldetector" || detector == "collide" { // the one looks at shared memory only, the other samples
			continue
		}
		s := open(t, detector, heapKernels)
		out := buffer(t, s, "out", make([]uint32, 128))
		grid, block := emu.Dim3{X: 2}, emu.Dim3{X: 64}
		if res := launch(t, s, session.Launch{Kernel: "cycle", Grid: grid, Block: block, Args: []any{out, uint32(40)}}); len(res.Races) > 0 {
			t.Errorf("%s: a race between allocations: %+v", detector, res.Races[0])
		}
		if res := launch(t, s, session.Launch{Kernel: "share", Grid: grid, Block: block, Args: []any{out}}); len(res.Races) == 0 {
			t.Errorf("%s: no race between threads that share an allocation", detector)
		}
		if res := launch(t, s, session.Launch{Kernel: "later", Block: block, Args: []any{out}}); len(res.Races) == 0 {
			t.Errorf("%s: no race in an allocation of an earlier launch", detector)
		}
	}
}
