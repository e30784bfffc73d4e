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

// TestClaimsOfLaterLaunches: what decides in one launch what is stored decides in a later one that steers by it, although
// it was not stored itself.
func TestClaimsOfLaterLaunches(t *testing.T) {
	const text = `.version 8.0
.target sm_80
.address_size 64
.visible .entry byContents(.param .u64 x, .param .u64 y) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %a<3>;
	ld.param.u64 %a1, [x]; ld.param.u64 %a2, [y];
	ld.global.u32 %r1, [%a1]; setp.eq.u32 %p, %r1, 0; @%p bra END;
	st.global.u32 [%a2], 1;
END:	ret;
}
.visible .entry byOrder(.param .u64 x, .param .u64 y) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %a<3>;
	ld.param.u64 %a1, [x]; ld.param.u64 %a2, [y];
	mov.u32 %r2, %ctaid.x; mul.wide.u32 %a0, %r2, 4; add.s64 %a2, %a2, %a0;
	atom.add.global.u32 %r1, [%a1], 1; setp.eq.u32 %p, %r1, 0; @%p bra END;
	st.global.u32 [%a2], 1;
END:	ret;
}
.visible .entry use(.param .u64 y, .param .u64 z) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %a<3>;
	ld.param.u64 %a1, [y]; ld.param.u64 %a2, [z];
	ld.global.u32 %r1, [%a1]; setp.eq.u32 %p, %r1, 0; @%p bra END;
	st.global.u32 [%a2], 1;
END:	ret;
}
`
	program, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for kernel, want := range map[string]report.Schedules{
		"byContents": report.EverySchedule, "byOrder": report.ThisSchedule,
	} {
		file, err := launchfile.Parse("k.yaml", []byte(`
buffers:
  x: {type: u32, count: 4, init: 1}
  y: {type: u32, count: 4, init: 0}
  z: {type: u32, count: 4, init: 0}
launches:
  - {kernel: `+kernel+`, grid: 2, block: 1, args: [x, y]}
  - {kernel: use, grid: 1, block: 1, args: [y, z]}
`), launchfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if kernel == "byContents" {
			file.Launches[0].Grid = [3]uint32{1, 1, 1}
		}
		rep := checkedWithClaims(t, program, file)
		i := slices.IndexFunc(rep.Claims, func(c *report.Claim) bool { return c.Kernel == "use" })
		if i < 0 || rep.Claims[i].Schedules != want ||
			slices.Contains(rep.Claims[i].Contents, "x") {
			t.Errorf("after %s: %+v, want %s, and not every content of x", kernel, rep.Claims, want)
		}
	}
}

// TestClaimsAfterHost: what the host has read may reach all that it writes, also what a launch has left that depends on
// the order of threads.
func TestClaimsAfterHost(t *testing.T) {
	const text = `.version 8.0
.target sm_80
.address_size 64
.visible .entry sum(.param .u64 x) {
	.reg .f32 %f; .reg .b32 %r; .reg .b64 %a;
	ld.param.u64 %a, [x]; mov.u32 %r, %tid.x; cvt.rn.f32.u32 %f, %r;
	red.global.add.f32 [%a], %f;
	ret;
}
.visible .entry use(.param .u64 y, .param .u64 z) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %a<3>;
	ld.param.u64 %a1, [y]; ld.param.u64 %a2, [z];
	ld.global.u32 %r1, [%a1]; setp.eq.u32 %p, %r1, 0; @%p bra END;
	st.global.u32 [%a2], 1;
END:	ret;
}
`
	for read, want := range map[bool]report.Schedules{false: report.EverySchedule, true: report.ThisSchedule} {
		s, x, y, z := hosted(t, text)
		launch := func(kernel string, args ...any) {
			one := emu.Dim3{X: 1, Y: 1, Z: 1}
			block := one
			if kernel == "sum" {
				block.X = 8
			}
			if _, err := s.Launch(context.Background(), session.Launch{Kernel: kernel, Grid: one, Block: block, Args: args}); err != nil {
				t.Fatal(err)
			}
		}
		launch("use", y, z)
		launch("sum", x)
		p := make([]byte, 4)
		if read {
			if err := x.Read(0, p); err != nil {
				t.Fatal(err)
			}
		}
		if err := y.Write(0, p); err != nil {
			t.Fatal(err)
		}
		launch("use", y, z)
		rep := s.Report()
		i := slices.IndexFunc(rep.Claims, func(c *report.Claim) bool { return c.Kernel == "use" })
		if i < 0 || rep.Claims[i].Schedules != want {
			t.Errorf("read %t: %+v %+v, want %s", read, rep.Claims, rep.Depends, want)
		}
	}
}

// hosted returns a session with claims for a program, with three buffers.
func hosted(t *testing.T, text string) (s *session.Session, x, y, z *session.Object) {
	t.Helper()
	return hostedBy(t, text, session.Options{Claims: true})
}

// hostedBy is hosted with other options.
func hostedBy(t *testing.T, text string, o session.Options) (s *session.Session, x, y, z *session.Object) {
	t.Helper()
	program, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if o.Detectors, err = session.ParseDetectors("precise"); err != nil {
		t.Fatal(err)
	}
	if s, err = session.Open(o); err == nil {
		err = s.Load(program)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]**session.Object{"x": &x, "y": &y, "z": &z} {
		if *to, err = session.Buffer(s, name, make([]uint32, 4)); err != nil {
			t.Fatal(err)
		}
	}
	return s, x, y, z
}

// TestClaimsOfManyAccesses: a launch with more strong accesses than are followed has no claim.
func TestClaimsOfManyAccesses(t *testing.T) {
	const text = `.version 8.0
.target sm_80
.address_size 64
.visible .entry count(.param .u64 x, .param .u32 n) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %a;
	ld.param.u64 %a, [x]; ld.param.u32 %r1, [n];
L:	red.release.gpu.global.add.u32 [%a], 1;
	sub.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra L;
	ret;
}
`
	const most = 200_000
	for rounds, undecided := range map[uint32]string{most / 256: "", most/256 + 1: "200000 strong accesses"} {
		s, x, _, _ := hosted(t, text)
		if _, err := s.Launch(context.Background(), session.Launch{
			Kernel: "count", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 256, Y: 1, Z: 1}, Args: []any{x, rounds},
		}); err != nil {
			t.Fatal(err)
		}
		if c := s.Report().Claims; len(c) != 1 || c[0].Undecided != undecided || (c[0].Schedules == report.EverySchedule) != (undecided == "") {
			t.Errorf("%d accesses: %+v", 256*rounds, c)
		}
	}
}

// TestClaimsOfLongCode: a kernel of which it takes too long to find out what steers it has no claim.
func TestClaimsOfLongCode(t *testing.T) {
	for guards, undecided := range map[int]string{100: "", 3500: "its code is too long"} {
		text := `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x) {
	.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %a;
	ld.param.u64 %a, [x]; ld.global.u32 %r1, [%a]; mov.u32 %r2, 0;
` + strings.Repeat("add.u32 %r2, %r2, %r1; setp.eq.u32 %p, %r2, 1; @%p st.global.u32 [%a+4], 1;\n", guards) + "ret;\n}\n"
		s, x, _, _ := hosted(t, text)
		launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 1}, Block: emu.Dim3{X: 1}, Args: []any{x}})
		if c := s.Report().Claims; len(c) != 1 || c[0].Undecided != undecided {
			t.Errorf("%d guards: %+v, want %q", guards, c, undecided)
		}
	}
}

// checkedWithClaims returns the report of a check with claims.
func checkedWithClaims(t *testing.T, program *session.Program, file *launchfile.File) *report.Report {
	t.Helper()
	plan, err := session.NewPlan(program, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	o := session.Options{Claims: true}
	if o.Detectors, err = session.ParseDetectors("precise"); err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := plan.Check(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
