package emu_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// product is a small wgmma.mma_async with the accumulator %f0 to %f3 and the fragments %r1 to %r4; wide has another
// shape.
const (
	product = smallMMA + "%p1, 1, 1, 0;\n"
	wide    = "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, {%r1, %r2, %r3, %r4}, %b, %p1, 1, 1, 0;\n"
	begin   = "wgmma.fence.sync.aligned;\n"
	commit  = "wgmma.commit_group.sync.aligned;\n"
	waitAll = "wgmma.wait_group.sync.aligned 0;\n"
	waitOld = "wgmma.wait_group.sync.aligned 1;\n"
)

// TestProductRegisters: the rules of PTX ISA, "wgmma.fence" and "wgmma.wait_group".
func TestProductRegisters(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"complete", begin + product + commit + waitAll + "add.f32 %f0, %f0, %f1;", ""},
		{"read early", begin + product + commit + "add.f32 %f5, %f0, %f0;" + waitAll, "%f0 is read before wgmma.wait_group has waited for its group"},
		{"written early", begin + product + commit + "mov.f32 %f0, 0f00000000;" + waitAll, "%f0 is overwritten before wgmma.wait_group has waited"},
		{"copied, and read early", begin + product + commit + "mov.f32 %f4, %f0; add.f32 %f5, %f4, %f4;" + waitAll, "%f4 is read before wgmma.wait_group has waited"},
		{"copied, and read after the wait", begin + product + commit + "mov.f32 %f4, %f0;" + waitAll + "add.f32 %f5, %f4, %f4;", ""},
		{"not committed", begin + product + waitAll + "add.f32 %f5, %f0, %f0;", "%f0 is read before wgmma.commit_group and wgmma.wait_group"},
		{"two groups, first waited for", begin + product + commit + "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f4, %f5, %f6, %f7}, {%r1, %r2, %r3, %r4}, %b, %p1, 1, 1, 0;" +
			commit + waitOld + "add.f32 %f0, %f0, %f0;" + waitAll, ""},
		{"two groups, second read", begin + product + commit + "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f4, %f5, %f6, %f7}, {%r1, %r2, %r3, %r4}, %b, %p1, 1, 1, 0;" +
			commit + waitOld + "add.f32 %f4, %f4, %f4;" + waitAll, "%f4 is read and overwritten before wgmma.wait_group has waited"},
		{"fragment written early", begin + product + commit + "add.u32 %r1, %r1, 1;" + waitAll, "%r1 is read and overwritten before wgmma.wait_group has waited"},
		{"fragment read early", begin + product + commit + "add.u32 %r6, %r1, 1;" + waitAll, ""},
		{"fragment written after the wait", begin + product + commit + waitAll + "add.u32 %r1, %r1, 1;", ""},
		{"no fence", product + commit + waitAll, "no wgmma.fence before the first wgmma.mma_async of the warpgroup"},
		{"accumulator changed after the fence", begin + "add.f32 %f0, %f0, %f0;" + product + commit + waitAll, "no wgmma.fence since %f0 was accessed in line"},
		{"accumulator set by mov after the fence", begin + "mov.f32 %f0, 0f3F800000;" + product + commit + waitAll, ""},
		{"fragment written after the fence", begin + "add.u32 %r2, %r0, 1;" + product + commit + waitAll, "no wgmma.fence since %r2 was written in line"},
		{"fragment read after the fence", begin + "add.u32 %r6, %r2, 1;" + product + commit + waitAll, ""},
		{"second product of one shape", begin + product + product + commit + waitAll, ""},
		{"second product of another shape", begin + product + wide + commit + waitAll, "no wgmma.fence since %f0 was accumulated with another shape in line"},
		{"another shape behind a fence", begin + product + begin + wide + commit + waitAll, ""},
		{"loop, waited for at its end", "mov.u32 %r6, 0; LOOP: " + begin + product + commit + waitAll + "add.u32 %r1, %r1, 1; add.u32 %r6, %r6, 1; setp.lt.u32 %p0, %r6, 4; @%p0 bra LOOP;", ""},
		{"loop, accumulator in flight at its end", "mov.u32 %r6, 0; LOOP: " + begin + product + commit + waitOld + "add.u32 %r6, %r6, 1; setp.lt.u32 %p0, %r6, 4; @%p0 bra LOOP;" + waitAll + "add.f32 %f0, %f0, %f1;", ""},
		{
			"loop, fragment of the round before", "mov.u32 %r6, 0; LOOP: add.u32 %r1, %r6, 1;" + begin + product + commit + waitOld + "add.u32 %r6, %r6, 1; setp.lt.u32 %p0, %r6, 4; @%p0 bra LOOP;" + waitAll,
			"%r1 is overwritten before wgmma.wait_group has waited",
		},
		{"on a path that nobody takes", begin + product + commit + "setp.gt.u32 %p0, %r0, 5000; @%p0 bra SKIP;" + waitAll + "SKIP: add.f32 %f5, %f0, %f0;" + waitAll, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer(".b32 %r<8>", ".b32 %r<9>", ".f32 %f<4>", ".f32 %f<8>").Replace(warpgroupKernel(c.body))
			expectRegisterFault(t, load(t, text, emu.Config{}), 128, c.want)
		})
	}
}

// TestLoadRegisters: tcgen05.ld is complete after tcgen05.wait::ld (PTX ISA, "tcgen05.wait").
func TestLoadRegisters(t *testing.T) {
	const ld, wait = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];\n", "tcgen05.wait::ld.sync.aligned;\n"
	for _, c := range []struct{ name, body, want string }{
		{"waited for", ld + wait + "add.u32 %r3, %r2, 1;", ""},
		{"read", ld + "add.u32 %r3, %r2, 1;" + wait, "%r2 is read before tcgen05.wait::ld: line"},
		{"overwritten", ld + "add.u32 %r2, %r0, 1;" + wait, "%r2 is overwritten before tcgen05.wait::ld"},
		{"loaded again", ld + ld + wait, "%r2 is overwritten before tcgen05.wait::ld"},
		{"read after another load", ld + wait + "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1]; add.u32 %r4, %r2, 1;" + wait, ""},
		{"wait for stores", ld + "tcgen05.wait::st.sync.aligned; add.u32 %r3, %r2, 1;" + wait, "%r2 is read before tcgen05.wait::ld"},
		{"source of a store", wait + "mov.u32 %r3, 1; tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r3}; add.u32 %r3, %r3, 1; tcgen05.wait::st.sync.aligned;", ""},
		{"waited for in a function", ld + "call waits, (); add.u32 %r3, %r2, 1;", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := `.version 8.8
.target sm_100a
.address_size 64
.func waits() .noinline { tcgen05.wait::ld.sync.aligned; ret; }
.visible .entry k() {
	.reg .b32 %r<8>; .shared .align 4 .b32 slot;
	mov.u32 %r0, %tid.x;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
	ld.shared.b32 %r1, [slot];
` + c.body + `
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;
	ret;
}`
			expectRegisterFault(t, load(t, text, emu.Config{}), 32, c.want)
		})
	}
}

// expectRegisterFault launches the kernel k and compares its only fault, if any is expected, which stops nothing.
func expectRegisterFault(t *testing.T, m *emu.Machine, threads uint32, want string) {
	t.Helper()
	r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(threads)})
	switch {
	case err != nil:
		t.Fatal(err)
	case want == "":
		clean(t, r)
	case len(r.Faults) != 1:
		t.Fatalf("faults %v, expected one with %q", r.Faults, want)
	case r.Faults[0].Class != "async-register" || !r.Faults[0].Continued || !strings.Contains(r.Faults[0].Message, want):
		t.Errorf("got %v (continued: %v), expected %q", r.Faults[0], r.Faults[0].Continued, want)
	case r.Faults[0].Count%32 != 0:
		t.Errorf("%d threads, expected those of whole warps", r.Faults[0].Count)
	}
}

// TestStuckBehindRegisterFault: a kernel that cannot end is a fault of its own behind one that stops nothing.
func TestStuckBehindRegisterFault(t *testing.T) {
	m := load(t, `.version 8.8
.target sm_100a
.address_size 64
.visible .entry k() {
	.reg .b32 %r<8>; .reg .pred %p; .shared .align 4 .b32 slot; .shared .align 4 .b32 flag;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
	ld.shared.b32 %r1, [slot];
	tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];
	add.u32 %r3, %r2, 1;
	tcgen05.wait::ld.sync.aligned;
WAIT:
	ld.volatile.shared.b32 %r4, [flag];
	setp.ne.u32 %p, %r4, 1;
	@%p bra WAIT;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;
	ret;
}`, emu.Config{})
	r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(32)})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Faults) != 2 || r.Faults[0].Class != "async-register" || r.Faults[1].Class != "livelock" {
		t.Errorf("faults %v, expected async-register and livelock", r.Faults)
	}
}
