package syncs

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// helper has a kernel into which a function with a barrier is inlined twice, and a barrier of its own.
const helper = `.version 7.5
.target sm_70
.address_size 64
.visible .entry k() {
.loc 1 5 1
.loc 2 3 1, function_name F, inlined_at 1 5 1
bar.sync 0;
.loc 1 6 1
.loc 2 3 1, function_name F, inlined_at 1 6 1
bar.sync 0;
.loc 1 7 1
bar.sync 0;
ret;
}
.file 1 "k.cu"
.file 2 "helper.cuh"
`

// found is a result about helper: the barriers of the function can go at the first call only, or the last barrier can.
func found(t *testing.T) *Result {
	t.Helper()
	p, err := session.Parse("k.ptx", []byte(helper))
	if err != nil {
		t.Fatal(err)
	}
	sites := sitesOf(p.Module.Funcs, false)
	if len(sites) != 3 {
		t.Fatalf("%d sites", len(sites))
	}
	r := &Result{Original: p.Module, Module: p.Module, Verified: "100 schedules"}
	for _, s := range sites {
		r.Answers = append(r.Answers, &Answer{Site: s, Verdict: NotNeededHere, Holds: report.Holds{Schedules: report.EverySchedule}})
		s.Executions = 2
	}
	return r
}

// TestFill: one place in the source has one answer, the strictest, for the copies of all calls; two that cannot go
// together name each other.
func TestFill(t *testing.T) {
	r, rep := found(t), &report.Report{}
	last := r.Answers[2]
	r.Answers[1].Verdict, r.Answers[1].Because = Needed, &report.SyncReason{Result: "other results: out = [1]"}
	last.Or = r.Answers[0].Site
	r.Fill(rep)
	if len(rep.Sync) != 2 || rep.SyncSet != nil {
		t.Fatalf("%+v, set %v", rep.Sync, rep.SyncSet)
	}
	s := rep.Sync[0]
	if s.Verdict != Needed || s.Copies != 2 || s.Executions != 4 || s.Holds != nil || s.Because == nil || s.Set || s.Or != nil || s.PTX.Line != 10 {
		t.Errorf("the function: %+v", s)
	}
	if s = rep.Sync[1]; s.Verdict != NotNeededHere || s.Copies != 1 || s.Or == nil || s.Or.PTX.Line != 7 || s.Instruction != "bar.sync" {
		t.Errorf("the kernel: %+v", s)
	}
	r.Answers[1].Verdict = NotNeededHere
	rep = &report.Report{}
	if r.Fill(rep); rep.Sync[0].Or == nil || rep.Sync[0].Or.PTX.Line != 12 {
		t.Errorf("what the other one cannot go with: %+v", rep.Sync[0])
	}
}

// TestFillSet: the set has its changes, and a patch that makes its module; answers until an interrupt have none.
func TestFillSet(t *testing.T) {
	r, rep := found(t), &report.Report{}
	r.Answers[2].Chosen = true
	c, _ := r.Answers[2].removal()
	r.Set = []*repair.Edit{c.edit}
	r.Fill(rep)
	if rep.SyncSet != nil || rep.Sync[1].Set {
		t.Errorf("a set that was not verified: %+v", rep.SyncSet)
	}
	var err error
	if r.Module, err = repair.Apply(r.Original, r.Set); err != nil {
		t.Fatal(err)
	}
	r.Fill(rep)
	set := rep.SyncSet
	if set == nil || !rep.Sync[1].Set || rep.Sync[0].Set || len(set.Changes) != 1 || set.Changes[0].PTX.Line != 12 || set.Verified != "100 schedules" {
		t.Fatalf("%+v", set)
	}
	if !strings.HasPrefix(set.Diff, "--- a/k.ptx\n") || !strings.Contains(set.Diff, "\n-bar.sync 0;\n") {
		t.Errorf("patch %s", set.Diff)
	}
	left := slices.DeleteFunc(slices.Clone(r.Module.Funcs[0].Insts), func(in *rewrite.Inst) bool { return in.Sync() != isa.SyncBarrier })
	if len(left) != 2 {
		t.Errorf("%d barriers are left", len(left))
	}
}

// TestFillCounts: an arrival names the initialisation whose count it changes.
func TestFillCounts(t *testing.T) {
	r := found(t)
	arrival, other := r.Answers[0], r.Answers[1].First()
	c, _ := arrival.removal()
	c.edit.Changes = append(c.edit.Changes, repair.Change{At: other, Place: repair.Instead})
	arrival.change = c
	rep := &report.Report{}
	if r.Fill(rep); len(rep.Sync[0].With) != 1 || rep.Sync[0].With[0].PTX.Line != 10 {
		t.Errorf("%+v", rep.Sync[0].With)
	}
}

// TestFillReplays: findings have no schedules of the engine's own runs.
func TestFillReplays(t *testing.T) {
	r := found(t)
	r.Answers[0].Verdict = Needed
	r.Answers[0].Because = &report.SyncReason{Race: &report.Race{Replay: "x", Also: []*report.Race{{Replay: "y"}}}}
	rep := &report.Report{}
	r.Fill(rep)
	if x := rep.Sync[0].Because.Race; x.Replay+x.Also[0].Replay != "" {
		t.Errorf("%+v", x)
	}
}
