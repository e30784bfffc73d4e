package session_test

import (
	"context"
	"slices"
	"testing"

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
