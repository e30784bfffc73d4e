package emu_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// Kernels get the address of a buffer of words; %out is the address of the
// thread's own word. body is the rest of the kernel.
func kernel(body string) string {
	return `.visible .entry k(.param .u64 p) {
	.reg .pred %p<10>; .reg .b32 %r<30>; .reg .b64 %rd<10>; .reg .b64 %out, %base;
	ld.param.u64 %base, [p];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
	mad.lo.s32 %r4, %r2, %r3, %r1;
	mad.wide.u32 %out, %r4, 4, %base;
` + body + `
}
`
}

// eachPolicy runs a test under every policy, random under several seeds.
func eachPolicy(t *testing.T, f func(t *testing.T, cfg emu.Config)) {
	for name, p := range policies {
		t.Run(name, func(t *testing.T) { f(t, emu.Config{Policy: p, Seed: 1}) })
	}
	for seed := range uint64(20) {
		f(t, emu.Config{Policy: emu.Random, Seed: seed})
		f(t, emu.Config{Policy: emu.Random, Seed: seed, NoVector: true})
		f(t, emu.Config{Policy: emu.PCT, Seed: seed, Length: 300})
	}
}

// TestResults runs kernels whose result per thread is a function of its index,
// whatever the schedule.
func TestResults(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32
	}{
		{"straight", "add.u32 %r5, %r4, 100; st.global.u32 [%out], %r5; ret;", func(i uint32) uint32 { return i + 100 }},
		{
			"if-else", `
			and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0;
			@%p1 bra EVEN;
			mov.u32 %r6, 7; bra.uni DONE;
		EVEN:	mov.u32 %r6, 5;
		DONE:	add.u32 %r6, %r6, %r4; st.global.u32 [%out], %r6; ret;`,
			func(i uint32) uint32 { return i + 5 + 2*(i%2) },
		},
		{
			"loop by lane", `
			mov.u32 %r5, 0; mov.u32 %r6, 0;
		LOOP:	setp.ge.u32 %p1, %r5, %r4; @%p1 bra DONE;
			add.u32 %r6, %r6, %r5; add.u32 %r5, %r5, 1; bra LOOP;
		DONE:	st.global.u32 [%out], %r6; ret;`,
			func(i uint32) uint32 { return i * (i - 1) / 2 },
		},
		{
			"early return", `
			setp.lt.u32 %p1, %r4, 10; @%p1 ret;
			st.global.u32 [%out], 3; exit;`,
			func(i uint32) uint32 {
				if i < 10 {
					return 0
				}
				return 3
			},
		},
		{
			"brx.idx", `
			and.b32 %r5, %r4, 3; TARGETS: .branchtargets A, B, C, B;
			brx.idx %r5, TARGETS;
		A:	mov.u32 %r6, 10; bra D;
		B:	mov.u32 %r6, 20; bra D;
		C:	mov.u32 %r6, 30;
		D:	st.global.u32 [%out], %r6; ret;`,
			func(i uint32) uint32 { return []uint32{10, 20, 30, 20}[i%4] },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachPolicy(t, func(t *testing.T, cfg emu.Config) {
				for i, v := range run(t, kernel(c.body), cfg, 3, 50, 150) {
					if want := c.want(uint32(i)); v != want {
						t.Fatalf("thread %d: got %d, want %d", i, v, want)
					}
				}
			})
		})
	}
}
