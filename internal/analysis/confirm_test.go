package analysis_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// confirmHead begins a kernel with the thread in %r1, parameter a in %rd1, b in %rd2, n in %r2, and a + 4 * thread in
// %rd3.
const confirmHead = `.version 7.5
.target sm_70
.address_size 64
.global .texref tex;
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	ld.param.u32 %r2, [n];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd3, %r1, 4, %rd1;
`

// TestConfirmed: a race is reported if an execution of its witness shows it, and is possible if none does.
func TestConfirmed(t *testing.T) {
	for name, c := range map[string]struct {
		body, block       string
		severity, verdict string
		reason            string // of a possible race
	}{
		"lanes that store different values": {"st.global.u32 [%rd1], %r1;", "32", report.Error, report.Racy, ""},
		"lanes that store equal values":     {"st.global.u32 [%rd1], 1;", "32", report.Info, report.Unknown, "equal values"},
		"warps that store equal values":     {"st.global.u32 [%rd1], 1;", "64", report.Error, report.Racy, ""},
		"lanes that store what memory holds": {
			"mad.wide.u32 %rd4, %r1, 4, %rd2; ld.global.u32 %r3, [%rd4]; st.global.u32 [%rd1], %r3;", "32", report.Error, report.Racy, "",
		},
		"another thread's access before what a pointer leads to": {
			"setp.eq.u32 %p1, %r1, 5; @%p1 ld.global.u32 %r3, [%rd2+-64]; st.global.u32 [%rd1], %r1;", "32", report.Error, report.Racy, "",
		},
		"a texture": {
			"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex, {%r1, %r1}]; st.global.u32 [%rd1], %r1;", "32", report.Error, report.Racy, "",
		},
		"a fault before the race": {
			"setp.eq.u32 %p1, %r1, 31; @%p1 trap; bar.warp.sync -1; st.global.u32 [%rd1], %r1;", "32", report.Warning, report.Unknown, "ends in a fault",
		},
		"a parameter with which no buffer is large enough": {
			"setp.lt.u32 %p1, %r2, 1000; @%p1 bra.uni E; st.global.u32 [%rd1], 1; mad.wide.u32 %rd4, %r2, 0x1000000, %rd3; st.global.u32 [%rd4], 1; E:", "64", report.Warning, report.Unknown, "ends in a fault",
		},
		"a parameter that may be smaller": {
			"setp.ne.u32 %p1, %r2, 0x7fffffff; @%p1 bra.uni S; bra.uni S; S: st.global.u32 [%rd1], 1; mad.wide.u32 %rd4, %r2, 4, %rd3; add.s64 %rd4, %rd4, 512; st.global.u32 [%rd4], 1;", "64", report.Error, report.Racy, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			body := strings.NewReplacer("; ", ";\n\t", "S: ", "S:\n\t", "E:", "E:\n").Replace(c.body)
			prog, err := session.Parse("k.ptx", []byte(confirmHead+"\t"+body+"\n\tret;\n}\n"))
			if err != nil {
				t.Fatal(err)
			}
			f, err := factfile.Parse("f.yaml", []byte("launches:\n  - {kernel: k, grid: [1, 1, 1], block: ["+c.block+", 1, 1]}\n"))
			if err != nil {
				t.Fatal(err)
			}
			out, err := analysis.Run(context.Background(), prog, analysis.Options{Facts: []*facts.File{f}, Disjoint: true})
			if err != nil {
				t.Fatal(err)
			}
			out.Report.SettleStatic(report.Error)
			if out.Report.Verdict != c.verdict || len(out.Report.Races) == 0 {
				t.Fatalf("%s with %d findings, want %s: %+v", out.Report.Verdict, len(out.Report.Races), c.verdict, out.Report.Races)
			}
			x := out.Report.Races[0]
			if x.Severity != c.severity || x.Possible != (c.reason != "") || !strings.Contains(x.Reason, c.reason) || x.Witness.Confirmed == x.Possible {
				t.Errorf("severity %s, possible %v: %q, confirmed %v", x.Severity, x.Possible, x.Reason, x.Witness.Confirmed)
			}
			if c.verdict == report.Racy {
				checkWitness(t, prog, out)
			}
		})
	}
}

// checkWitness executes the launch file of the first race as `ptxsan check` does, which must report an error.
func checkWitness(t *testing.T, prog *session.Program, out *analysis.Outcome) {
	t.Helper()
	text, _, err := out.Witness(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	file, err := launch.Parse("w.yaml", []byte(text), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(prog, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: detectors})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	rep, err := plan.Check(context.Background(), s)
	if err != nil || rep.Count(report.Error) == 0 {
		t.Errorf("check finds no race with %s: %v", text, err)
	}
}

// TestWitnessOfSomeSchedules: the launch file of a race that the default schedule orders, as those of two threads of
// one warp, says that other schedules are needed.
func TestWitnessOfSomeSchedules(t *testing.T) {
	const swaps = "rem.u32 %r3, %r1, 7; mad.wide.u32 %rd4, %r3, 4, %rd2; mad.wide.u32 %rd3, %r3, 4, %rd1; atom.global.exch.b32 %r4, [%rd4], 1; atom.global.exch.b32 %r5, [%rd4], 2; setp.ne.u32 %p1, %r5, 1; @%p1 bra E; st.global.u32 [%rd3], %r1; E:"
	for name, c := range map[string]struct {
		body string
		some bool
	}{
		"threads that find what others have put there": {swaps, true},
		"any schedule": {"st.global.u32 [%rd1], %r1;", false},
	} {
		body := strings.NewReplacer("; ", ";\n\t", "E:", "E:\n").Replace(c.body)
		prog, err := session.Parse("k.ptx", []byte(confirmHead+"\t"+body+"\n\tret;\n}\n"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := factfile.Parse("f.yaml", []byte("launches:\n  - {kernel: k, grid: [1, 1, 1], block: [8, 1, 1]}\n"))
		if err != nil {
			t.Fatal(err)
		}
		out, err := analysis.Run(context.Background(), prog, analysis.Options{Facts: []*facts.File{f}, Disjoint: true})
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := out.Witness(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(text, "# Only some schedules show it"); got != c.some {
			t.Errorf("%s: %t\n%s", name, got, text)
		}
	}
}

// TestWitnessByFile: the user's launch file as a witness says that other schedules are needed, if the default one does
// not show the race.
func TestWitnessByFile(t *testing.T) {
	const (
		given = "buffers: {a: {type: u32, count: 64}, b: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: 4, block: 1, args: [a, b, 0]}]\n"
		take  = "L: atom.global.cas.b32 %r4, [%rd2], 0, 1; setp.ne.u32 %p1, %r4, 0; @%p1 bra L; membar.gl; ld.global.u32 %r5, [%rd1]; add.u32 %r5, %r5, 1; st.global.u32 [%rd1], %r5; "
		give  = "membar.gl; mov.u32 %r3, 0; E: atom.global.exch.b32 %r6, [%rd2], 0; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 40; @%p1 bra E; "
	)
	for name, c := range map[string]struct {
		body string
		some bool
	}{
		"a lock that is given back too often": {take + give, true},
		"a lock that is given back unfenced":  {take + strings.Replace(give, "membar.gl; ", "", 1), false},
	} {
		body := strings.NewReplacer("; ", ";\n\t", "E:", "E:\n", "L:", "L:\n").Replace(c.body)
		prog, err := session.Parse("k.ptx", []byte(confirmHead+"\t"+body+"\n\tret;\n}\n"))
		if err != nil {
			t.Fatal(err)
		}
		file, err := launch.Parse("k.yaml", []byte(given), launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := analysis.Run(context.Background(), prog, analysis.Options{File: file, Facts: []*facts.File{factfile.FromLaunches(file)}})
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := out.Witness(context.Background(), "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Contains(text, "# Only some schedules show it"); got != c.some {
			t.Errorf("%s: %t\n%s", name, got, text)
		}
	}
}
