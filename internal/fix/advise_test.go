// Advice as it is reported, applied to the PTX.

package fix_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func detectorsOf(t *testing.T) []*session.Detector {
	t.Helper()
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	return dets
}

// advised checks a plan, adds advice, and returns the report as readers of its JSON get it.
func advised(t *testing.T, plan *session.Plan) *report.Report {
	t.Helper()
	rep := checked(t, plan)
	if err := fix.Advise(context.Background(), fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Detectors: detectorsOf(t)}}}, rep); err != nil {
		t.Fatal(err)
	}
	return read(t, rep)
}

// checked checks a plan.
func checked(t *testing.T, plan *session.Plan) *report.Report {
	t.Helper()
	s, err := session.Open(session.Options{Detectors: detectorsOf(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rep, err := plan.Check(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// read returns a report as readers of its JSON get it.
func read(t *testing.T, rep *report.Report) *report.Report {
	t.Helper()
	var text bytes.Buffer
	err := rep.WriteJSON(&text)
	if err == nil {
		rep, err = report.Read("k.json", text.Bytes())
	}
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// apply makes the changes of an advice to a module.
func apply(t *testing.T, m *rewrite.Module, a *report.Advice) *rewrite.Module {
	t.Helper()
	e := rewrite.NewEditor(m, "advice")
	for _, c := range a.Changes {
		insts := m.Func(c.Function).Insts
		i := slices.IndexFunc(insts, func(in *rewrite.Inst) bool { return in.Line == c.PTX.Line && in.Text()+";" == c.Old })
		if i < 0 {
			t.Fatalf("line %d: no %s", c.PTX.Line, c.Old)
		}
		switch c.Place {
		case "before":
			e.InsertBefore(insts[i], c.New)
		case "after":
			e.InsertAfter(insts[i], c.New)
		default:
			e.Replace(insts[i], c.New)
		}
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// explored returns the races and faults of a plan under several schedules, with everything checked that can go wrong at
// barriers.
func explored(t *testing.T, plan *session.Plan) *report.Report {
	t.Helper()
	o := session.Options{Detectors: detectorsOf(t)}
	o.Emulator.Synccheck = true
	e := &session.Exploration{Options: o, Scenario: plan, Search: session.Search{Name: session.SearchNames[0], Runs: 8}}
	for i := range plan.File.Buffers {
		e.Outcomes = append(e.Outcomes, &plan.File.Buffers[i])
	}
	rep, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// pairsOf returns the pairs of lines of the original that race in a module.
func pairsOf(m *rewrite.Module, races []*report.Race) map[[2]int]bool {
	line := func(a *report.Access) int {
		if o := m.Origin(a.PTX.Line); o.Line > 0 {
			return o.Line
		} else {
			return o.For
		}
	}
	pairs := make(map[[2]int]bool)
	for _, x := range races {
		for _, y := range x.Each() {
			if a, b := line(&y.First), line(&y.Second); y.Severity == report.Error {
				pairs[[2]int{min(a, b), max(a, b)}] = true
			}
		}
	}
	return pairs
}

// outcomes counts what advice does: it removes the race, says that there is none, or that none is known.
type outcomes struct{ gone, words, none, unknown, bad int }

// judge applies each advice of a report for a plan, and checks that the race is gone and that there is no new race or
// fault. before is the report of the original under several schedules. Words without changes name no edit of a kernel.
func (n *outcomes) judge(t *testing.T, name string, plan *session.Plan, rep, before *report.Report) {
	t.Helper()
	original := plan.Program.Module
	known := pairsOf(original, append(slices.Clone(rep.Races), before.Races...))
	for _, x := range rep.Races {
		a := x.Advice
		if a != nil && a.Repair == detect.RepairGridWait && a.Before != nil {
			in := original.Func(x.Second.Kernel).Insts[0]
			a.Changes = []report.Change{{PTX: report.Place{Line: in.Line}, Function: x.Second.Kernel, Place: "before", Old: in.Text() + ";", New: "griddepcontrol.wait;"}}
		}
		switch {
		case x.Severity != report.Error:
		case strings.TrimSpace(x.Hint) == "":
			n.bad++
			t.Errorf("%s: %s: empty advice", name, x.Cause)
		case a == nil || a.None && !strings.HasPrefix(x.Hint, "no single edit"):
			n.bad++
			t.Errorf("%s: %s: no advice: %s", name, x.Cause, x.Hint)
		case a.None:
			n.none++
		case strings.Contains(x.Hint, "no edit has been verified"):
			n.unknown++
		case len(a.Changes) == 0:
			n.words++
			if a.Repair != detect.RepairSize && a.Repair != detect.RepairShape {
				t.Errorf("%s: %s: an edit that nothing has verified: %s", name, x.Cause, x.Hint)
			}
		case n.holds(t, plan, a, x, known, before):
			n.gone++
		default:
			n.bad++
			t.Errorf("%s: %s: applied as written: %s", name, x.Cause, x.Hint)
		}
	}
}

// holds reports whether changes remove a finding and make nothing worse: no other race, no fault, no results that
// depend on the schedule.
func (n *outcomes) holds(t *testing.T, plan *session.Plan, a *report.Advice, x *report.Race, known map[[2]int]bool, before *report.Report) bool {
	t.Helper()
	m := apply(t, plan.Program.Module, a)
	p, err := session.Parse(m.AST.File.Name, m.AST.File.Src)
	if err != nil {
		t.Fatal(err)
	}
	edited, err := session.NewPlan(p, plan.File, 0)
	if err != nil {
		t.Fatal(err)
	}
	after := explored(t, edited)
	own := pairsOf(plan.Program.Module, []*report.Race{x})
	for p := range pairsOf(m, after.Races) {
		if own[p] || !known[p] {
			return false
		}
	}
	if len(after.Exploration.Outcomes) > 1 && len(pairsOf(m, after.Races)) == 0 && settled(t, plan) {
		return false // the order of the accesses still decides the results
	}
	for _, f := range after.Faults {
		if !slices.ContainsFunc(before.Faults, func(g *report.FaultEvent) bool { return g.Class == f.Class && g.Schedules >= f.Schedules }) {
			return false
		}
	}
	return true
}

// settled reports whether the results of a kernel that is mended do not depend on the schedule: those of the variant
// without the race, if there is one. What an exchange writes is meant to be overwritten, whichever write is the last.
func settled(t *testing.T, plan *session.Plan) bool {
	t.Helper()
	for _, f := range plan.Program.Module.Funcs {
		if slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool { return in.Access.AtomOp == "exch" }) {
			return false
		}
	}
	name := strings.Replace(plan.File.Name, "racy.yaml", "fixed.yaml", 1)
	if name == plan.File.Name {
		return true
	}
	return len(explored(t, open(t, name)).Exploration.Outcomes) <= 1
}

// unrolled is a loop in which lanes add the element at a distance, halved in each round, as compilers unroll it.
func unrolled() string {
	var b strings.Builder
	b.WriteString(`
	.shared .align 4 .b32 s[128];
	.file 1 "k.cu"
	shl.b32 %r3, %r1, 2;
	mov.u32 %r4, s;
	add.u32 %r3, %r3, %r4;
	st.shared.u32 [%r3], %r1;
	bar.sync 0;`)
	for d := 64; d > 0; d /= 2 {
		fmt.Fprintf(&b, `
	.loc 1 10 5
	setp.ge.u32 %%p1, %%r1, %d;
	@%%p1 bra NEXT%[1]d;
	.loc 1 11 7
	ld.shared.u32 %%r7, [%%r3+%d];
	ld.shared.u32 %%r8, [%%r3];
	add.u32 %%r7, %%r7, %%r8;
	st.shared.u32 [%%r3], %%r7;
NEXT%[1]d:`, d, 4*d)
	}
	return b.String()
}

// TestAdviseKinds: a race from one round of a loop to the next gets a barrier that all threads reach, also if the loop
// is unrolled; an element that all read and one thread overwrites gets no atomic operation, and lanes that vote in
// groups wait for their group.
func TestAdviseKinds(t *testing.T) {
	for name, c := range map[string]struct{ body, hint string }{
		"tree": {`
	.shared .align 4 .b32 s[128];
	.file 1 "k.cu"
	shl.b32 %r3, %r1, 2;
	mov.u32 %r4, s;
	add.u32 %r3, %r3, %r4;
	st.shared.u32 [%r3], %r1;
	bar.sync 0;
	.loc 1 10 3
	mov.u32 %r5, 64;
LOOP:
	.loc 1 11 5
	setp.ge.u32 %p1, %r1, %r5;
	@%p1 bra NEXT;
	.loc 1 12 7
	shl.b32 %r6, %r5, 2;
	add.u32 %r6, %r6, %r3;
	ld.shared.u32 %r7, [%r6];
	ld.shared.u32 %r8, [%r3];
	add.u32 %r7, %r7, %r8;
	st.shared.u32 [%r3], %r7;
NEXT:
	.loc 1 10 9
	shr.u32 %r5, %r5, 1;
	setp.ne.u32 %p2, %r5, 0;
	@%p2 bra LOOP;`, "__syncthreads() before k.cu:11"},
		"unrolled": {unrolled(), "__syncthreads() before k.cu:10"},
		"a loop unrolled in another one": {`
	.shared .align 4 .b32 s[128];
	.file 1 "k.cu"
	mov.u32 %r4, s;
	shl.b32 %r3, %r1, 2;
	add.u32 %r3, %r3, %r4;
	mov.u32 %r5, 2;
	.loc 1 12 5
	xor.b32 %r6, %r3, 128;
LOOP:
	.loc 1 9 5
	st.shared.u32 [%r3], %r5;
	.loc 1 12 9
	ld.shared.u32 %r7, [%r6];
	.loc 1 13 5
	bar.sync 0;
	.loc 1 8 3
	sub.u32 %r5, %r5, 1;
	setp.ne.u32 %p2, %r5, 0;
	@%p2 bra LOOP;`, "__syncthreads() before k.cu:12"},
		"overwritten": {`
	.file 1 "k.cu"
	.loc 1 5 3
	ld.global.u32 %r3, [%rd1];
	.loc 1 6 3
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra END;
	.loc 1 7 5
	add.u32 %r3, %r3, 1;
	st.global.u32 [%rd1], %r3;
END:`, "__syncthreads() before k.cu:6"},
		"groups": {`
	.shared .align 4 .b32 s[128];
	.file 1 "k.cu"
	shl.b32 %r3, %r1, 2;
	mov.u32 %r4, s;
	add.u32 %r3, %r3, %r4;
	and.b32 %r5, %r1, 24;
	shl.b32 %r5, 255, %r5;
	.loc 1 5 3
	st.shared.u32 [%r3], %r1;
	.loc 1 6 3
	setp.ge.u32 %p3, %r1, 104;
	@%p3 bra END;
	vote.sync.any.pred %p1, %p2, %r5;
	.loc 1 7 3
	xor.b32 %r6, %r3, 4;
	ld.shared.u32 %r7, [%r6];
END:`, "__syncwarp()"},
	} {
		rep := advised(t, bodyPlan(t, c.body, "grid: 1, block: 128"))
		if len(rep.Races) == 0 {
			t.Errorf("%s: no race", name)
		}
		for _, x := range rep.Races {
			if !strings.HasPrefix(x.Hint, c.hint) || len(x.Advice.Changes) == 0 {
				t.Errorf("%s: %q, expected %q", name, x.Hint, c.hint)
			}
		}
	}
}

// TestAdviseCost: a search of which the limit allows no edit is not begun. Each run costs the instructions that are
// executed, and buffers.
func TestAdviseCost(t *testing.T) {
	const body = `
	.shared .align 4 .b32 s[128];
	shl.b32 %r3, %r1, 2;
	mov.u32 %r4, s;
	add.u32 %r3, %r3, %r4;
	st.shared.u32 [%r3], %r1;
	xor.b32 %r3, %r3, 256;
	ld.shared.u32 %r7, [%r3];`
	for name, c := range map[string]struct {
		bytes, instructions uint64
		verified            bool
	}{"small": {1, 0, true}, "buffers": {130 << 20, 0, false}, "instructions": {1, 3_000_000, false}} {
		plan := bodyPlan(t, body, "grid: 1, block: 128")
		plan.File.Buffers = append(plan.File.Buffers, launch.Buffer{Name: "large", Type: launch.U8, Count: c.bytes})
		rep := checked(t, plan)
		rep.Stats.ThreadInstructions += c.instructions
		if err := fix.Advise(context.Background(), fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Detectors: detectorsOf(t)}}}, rep); err != nil {
			t.Fatal(err)
		}
		for _, x := range rep.Races {
			if (x.Advice.Verified > 0) != c.verified || (len(x.Advice.Changes) > 0) != c.verified {
				t.Errorf("%s: verified under %d schedules, %d changes", name, x.Advice.Verified, len(x.Advice.Changes))
			}
		}
		if len(rep.Races) == 0 {
			t.Errorf("%s: no race", name)
		}
	}
}

// TestAdviseSuite applies the advice for every third kernel of the race suite and for bugs of applications: that for
// launches of a file and that for an application; with -suite for all kernels and for the suite's applications, with
// -advise for other launch files.
func TestAdviseSuite(t *testing.T) {
	globs := []string{suite + "/*/*-racy.yaml", filepath.Dir(suite) + "/../bugs/*/racy.yaml", "testdata/*.yaml"}
	if *whole {
		globs = append(globs, filepath.Dir(suite)+"/apps/*/*.yaml")
	}
	if *more != "" {
		globs = []string{*more}
	}
	each := 3 // of the kernels of the suite
	if testing.Short() {
		each = 60
	}
	ways := []string{"check", "application"}
	all := make([]outcomes, len(ways))
	for i, glob := range globs {
		for n, name := range cases(t, glob) {
			if i == 0 && n%each != 0 && !*whole && *more == "" {
				continue
			}
			plan := open(t, name)
			before := explored(t, plan)
			for i, rep := range []*report.Report{advised(t, plan), executed(t, plan)} {
				all[i].judge(t, name+": "+ways[i], plan, rep, before)
			}
		}
	}
	for i, n := range all {
		t.Logf("%s: %d remove the race, %d are no edits, for %d there is none, for %d none is known, %d leave or make a fault", ways[i], n.gone, n.words, n.none, n.unknown, n.bad)
	}
}
