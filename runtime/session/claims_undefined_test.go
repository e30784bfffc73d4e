// Claims about kernels that use values which nothing has defined.

package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// undefinedHead begins a kernel of 64 threads. %r1 is the thread's index, %rs the address of shared memory,
// %rt that of the thread's word there, %rd1 the buffer x, %rd2 the thread's word of the buffer y.
const undefinedHead = `.version 8.7
.target sm_90a
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[4] = {37, 115, 10, 0};
.func (.param .b32 out) read(.param .b64 at) {
	.reg .b32 %r; .reg .b64 %a;
	ld.param.u64 %a, [at]; ld.u32 %r, [%a]; st.param.b32 [out], %r;
	ret;
}
.func (.param .b32 out) keep(.param .b32 first) {
	.reg .pred %p; .reg .b32 %r; .local .align 4 .b32 kept;
	ld.param.u32 %r, [first]; setp.ne.u32 %p, %r, 0; @%p st.local.u32 [kept], %r;
	ld.local.u32 %r, [kept]; st.param.b32 [out], %r;
	ret;
}
.visible .entry k(.param .u64 x, .param .u64 y)
{
	.reg .pred %p<6>; .reg .b32 %r<10>; .reg .b32 %rs, %rt; .reg .b64 %rd<10>; .reg .f32 %f<4>;
	.local .align 8 .b8 own[64];
	.shared .align 128 .b8 tile[4096];
	ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
	mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd2, %rd3; mov.u32 %rs, tile; mad.lo.u32 %rt, %r1, 4, %rs;
	setp.eq.u32 %p0, %r1, 0;
`

// TestClaimsOfUndefined: what no thread has defined must not steer, even if each run finds zeros there.
func TestClaimsOfUndefined(t *testing.T) {
	const (
		decide = `setp.gt.u32 %p1, %r2, 7; @%p1 bra END;` + "\nEND: ret;\n}\n"
		// signalled lets thread 32 wait for thread 0, which comes first.
		signalled = `@!%p0 bra POLL; st.release.cta.shared.u32 [%rs], 1; bra END;
			POLL: setp.ne.u32 %p2, %r1, 32; @%p2 bra END; mov.u32 %r9, 1000;
			W: sub.u32 %r9, %r9, 1; setp.ne.u32 %p3, %r9, 0; @%p3 bra W;
			L: ld.acquire.cta.shared.u32 %r2, [%rs]; setp.ne.u32 %p1, %r2, 1; @%p1 bra L;` + "\nEND: ret;\n}\n"
		signal = `bar.sync 0; ` + signalled
		// count lets thread 32 wait for all threads of its warp and the one before.
		count = `bar.sync 0; red.release.cta.shared.add.u32 [%rs], 1; setp.ne.u32 %p2, %r1, 32; @%p2 bra END;
			L: ld.acquire.cta.shared.u32 %r2, [%rs]; setp.lt.u32 %p1, %r2, 64; @%p1 bra L;` + "\nEND: ret;\n}\n"
		// twice lets thread 32 wait for thread 0 twice.
		twice = `bar.sync 0; @!%p0 bra POLL; st.release.cta.shared.u32 [%rs], 1; mov.u32 %r9, 2000;
			W: sub.u32 %r9, %r9, 1; setp.ne.u32 %p3, %r9, 0; @%p3 bra W; st.release.cta.shared.u32 [%rs], 2; bra END;
			POLL: setp.ne.u32 %p2, %r1, 32; @%p2 bra END;
			L: ld.acquire.cta.shared.u32 %r2, [%rs]; setp.lt.u32 %p1, %r2, 1; @%p1 bra L;
			M: ld.acquire.cta.shared.u32 %r2, [%rs]; setp.lt.u32 %p1, %r2, 2; @%p1 bra M;` + "\nEND: ret;\n}\n"
		index     = `and.b32 %r3, %r1, 7; mul.wide.u32 %rd4, %r3, 4; `
		generic   = `mov.u64 %rd5, own; cvta.local.u64 %rd5, %rd5; add.u64 %rd5, %rd5, %rd4; `
		call      = `{ .param .b64 a; .param .b32 r; st.param.b64 [a], %rd5; call (r), read, (a); ld.param.b32 %r2, [r]; } `
		keep      = `{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r9; call (r), keep, (a); ld.param.b32 %r2, [r]; } `
		local     = "local memory that the thread has not written decides"
		unwritten = "memory that no thread has written"
	)
	for name, c := range map[string]struct{ body, want string }{
		"a poll of a flag that nothing initialises":        {signal, unwritten},
		"a poll of a flag that a store initialises":        {`@%p0 st.shared.u32 [%rs], 0; ` + signal, ""},
		"a poll of a flag that a strong store initialises": {`@%p0 st.volatile.shared.u32 [%rs], 0; ` + signal, ""},
		"a poll of a flag that an exchange initialises":    {`@%p0 atom.exch.shared.b32 %r3, [%rs], 0; ` + signal, ""},
		"a poll of a flag that a copy initialises": {
			`@%p0 cp.async.ca.shared.global [%rs], [%rd1], 4; cp.async.wait_all; ` + signal, "",
		},
		"a poll of a flag that the waiting thread initialises": {
			`setp.eq.u32 %p4, %r1, 32; @%p4 st.volatile.shared.u32 [%rs], 0; ` + signal, "",
		},
		"a poll of a flag of which a byte is initialised":            {`@%p0 st.shared.u8 [%rs], 0; ` + signal, unwritten},
		"a poll of a flag that is initialised when it may be polled": {`@%p0 st.relaxed.cta.shared.u32 [%rs], 0; ` + signalled, unwritten},
		"a poll of a count that nothing initialises":                 {count, unwritten},
		"a poll of a count that is initialised":                      {`@%p0 st.shared.u32 [%rs], 0; ` + count, ""},
		"a second poll":                                              {`@%p0 st.volatile.shared.u32 [%rs], 0; ` + twice, ""},
		"a register that nothing has written":                        {`add.u32 %r2, %r7, 1; ` + decide, "register %r7, which may not have been written, decides a branch"},
		"a register that some threads write":                         {`@%p0 mov.u32 %r2, 9; ` + decide, "register %r2"},
		"a register that is written on one way":                      {`@%p0 bra D; mov.u32 %r2, 9; D: ` + decide, "register %r2"},
		"a predicate that nothing has written":                       {`@%p5 bra END; mov.u32 %r2, 0; ` + decide, "register %p5"},
		"a register without effect":                                  {`add.u32 %r3, %r7, 1; st.global.u32 [%rd2], %r3; mov.u32 %r2, 0; ` + decide, ""},
		"a register that all ways write":                             {`mov.u32 %r2, 9; @%p0 bra D; mov.u32 %r2, 3; D: ` + decide, ""},
		"a shuffle from a lane outside of its mask": {
			`setp.gt.u32 %p2, %r1, 15; @%p2 bra END; shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffff; ` + decide, "what a shuffle reads from a lane that does not take part decides a branch",
		},
		"a shuffle from a lane outside of its mask, through memory": {
			`setp.gt.u32 %p2, %r1, 15; @%p2 bra END; shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffff; st.shared.u32 [%rt], %r2; ld.shared.u32 %r2, [%rt]; ` + decide,
			"what a shuffle reads from a lane that does not take part decides a branch",
		},
		"a shuffle from a lane that has exited": {
			`setp.eq.u32 %p2, %r1, 5; @%p2 bra END; shfl.sync.idx.b32 %r2, %r1, 5, 31, 0xffffffff; ` + decide, "what a shuffle reads from a lane that does not take part",
		},
		"a shuffle from a lane outside of its mask without effect": {
			`setp.gt.u32 %p2, %r1, 15; @%p2 bra END; shfl.sync.down.b32 %r3, %r1, 8, 31, 0xffff; st.shared.u32 [%rt], %r3; mov.u32 %r2, 1; ` + decide, "",
		},
		"a shuffle from lanes of its mask": {`shfl.sync.bfly.b32 %r2, %r1, 8, 31, 0xffffffff; ` + decide, ""},
		"a shuffle out of range":           {`shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffffffff; ` + decide, ""},
		"a shuffle from lanes of a part of the warp": {
			`setp.gt.u32 %p2, %r1, 15; @%p2 bra END; shfl.sync.bfly.b32 %r2, %r1, 8, 31, 0xffff; ` + decide, "",
		},
		"local memory that the thread has not written":  {`ld.local.u32 %r2, [own+4]; ` + decide, local},
		"local memory of which a part is written":       {`st.local.u16 [own+4], 3; ld.local.u32 %r2, [own+4]; ` + decide, local},
		"local memory that some threads write":          {`@%p0 st.local.u32 [own+4], 9; ld.local.u32 %r2, [own+4]; ` + decide, local},
		"local memory at another place":                 {`st.local.u32 [own+8], 3; ld.local.u32 %r2, [own+4]; ` + decide, local},
		"local memory, through shared memory":           {`ld.local.u32 %r2, [own+4]; st.shared.u32 [%rt], %r2; ld.shared.u32 %r2, [%rt]; ` + decide, local},
		"local memory, as an address":                   {`ld.local.u32 %r2, [own+4]; add.u32 %rt, %rt, %r2; ld.shared.u32 %r3, [%rt]; mov.u32 %r2, 0; ` + decide, local},
		"local memory without effect":                   {`ld.local.u32 %r3, [own+4]; st.shared.u32 [%rt], %r3; mov.u32 %r2, 0; ` + decide, ""},
		"local memory that the thread has written":      {`st.local.v2.u32 [own], {%r1, %r1}; ld.local.u32 %r2, [own+4]; ` + decide, ""},
		"local memory at an index":                      {index + `mov.u64 %rd5, own; add.u64 %rd5, %rd5, %rd4; st.local.u32 [%rd5], %r1; ld.local.u32 %r2, [%rd5]; ` + decide, ""},
		"local memory by a generic address":             {index + generic + `st.u32 [%rd5], %r1; ld.u32 %r2, [%rd5]; ` + decide, ""},
		"local memory by a generic address, unwritten":  {index + generic + `ld.u32 %r2, [%rd5]; ` + decide, local},
		"local memory that a function reads":            {index + generic + `st.u32 [%rd5], %r1; ` + call + decide, ""},
		"local memory that a function reads, unwritten": {index + generic + call + decide, local},
		"local memory of a function that it has written in an earlier call": {
			`mov.u32 %r9, 1; ` + keep + `mov.u32 %r9, 0; ` + keep + decide, local,
		},
	} {
		t.Run(name, func(t *testing.T) {
			program, err := session.Parse("k.ptx", []byte(undefinedHead+c.body))
			if err != nil {
				t.Fatal(err)
			}
			file, err := launchfile.Parse("k.yaml", []byte(`
buffers:
  x: {type: u32, count: 64, init: 0}
  y: {type: u32, count: 64, init: 0}
launches:
  - {kernel: k, grid: 1, block: 64, args: [x, y]}
`), launchfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			rep := checkedWithClaims(t, program, file)
			lines := strings.Join(rep.ClaimLines(func(string) string { return "" }), "\n")
			switch h := rep.Weakest(); {
			case h == nil || h.Undecided != "":
				t.Errorf("not decided: %+v\n%v", h, rep.Verdict)
			case (h.Schedules == report.EverySchedule) != (c.want == "") || !strings.Contains(lines, c.want):
				t.Errorf("want %q: %s\n%s", c.want, h.Schedules, lines)
			}
		})
	}
}

// TestClaimsOfUnwrittenAllocations: what an application has allocated has no contents before something has written there.
func TestClaimsOfUnwrittenAllocations(t *testing.T) {
	const text = `.version 8.0
.target sm_80
.address_size 64
.visible .entry clear(.param .u64 x) {
	.reg .b64 %a;
	ld.param.u64 %a, [x]; st.global.u32 [%a], 0;
	ret;
}
.visible .entry clearIfZero(.param .u64 x, .param .u64 y) {
	.reg .pred %p; .reg .b32 %r; .reg .b64 %a<2>;
	ld.param.u64 %a0, [x]; ld.param.u64 %a1, [y]; ld.global.u32 %r, [%a1]; setp.ne.u32 %p, %r, 0; @%p bra END;
	st.volatile.global.u32 [%a0], 0;
END:	ret;
}
.visible .entry read(.param .u64 x) {
	.reg .pred %p; .reg .b32 %r; .reg .b64 %a;
	ld.param.u64 %a, [x]; ld.global.u32 %r, [%a]; setp.eq.u32 %p, %r, 7; @%p trap;
	ret;
}
.visible .entry poll(.param .u64 x) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %a;
	ld.param.u64 %a, [x]; mov.u32 %r1, %tid.x; setp.eq.u32 %p, %r1, 32; @%p bra POLL;
	setp.eq.u32 %p, %r1, 0; @%p st.release.gpu.global.u32 [%a], 1; ret;
POLL:	mov.u32 %r2, 1000;
W:	sub.u32 %r2, %r2, 1; setp.ne.u32 %p, %r2, 0; @%p bra W;
L:	ld.acquire.gpu.global.u32 %r2, [%a]; setp.ne.u32 %p, %r2, 1; @%p bra L;
	ret;
}
`
	u32, _ := launchfile.TypeOf("u32")
	for _, kernel := range []string{"read", "poll"} {
		for by, want := range map[string]report.Schedules{
			"nothing": report.ThisSchedule, "host": report.EverySchedule, "clear": report.EverySchedule,
			"clearIfZero": report.EverySchedule,
		} {
			s, _, y, _ := hostedBy(t, text, session.Options{Claims: true, Application: true})
			a, err := s.Alloc("a", u32, 4)
			if err != nil {
				t.Fatal(err)
			}
			launch := func(kernel string, threads uint32, args ...any) {
				if _, err := s.Launch(context.Background(), session.Launch{
					Kernel: kernel, Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: threads, Y: 1, Z: 1}, Args: args,
				}); err != nil {
					t.Fatal(err)
				}
			}
			switch by {
			case "host":
				if err := a.Write(0, make([]byte, 4)); err != nil {
					t.Fatal(err)
				}
			case "clear":
				launch(by, 1, a)
			case "clearIfZero":
				launch(by, 1, a, y)
			}
			launch(kernel, 64, a)
			rep := s.Report()
			i := slices.IndexFunc(rep.Claims, func(c *report.Claim) bool { return c.Kernel == kernel })
			if i < 0 || rep.Claims[i].Schedules != want || rep.Claims[i].Undecided != "" {
				t.Errorf("%s after a write by %s: %+v %+v, want %s", kernel, by, rep.Claims, rep.Depends, want)
			}
		}
	}
}
