// Leaks: their verdict, their text, and those of several processes.

package report_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// leaky is a report with leaks of two calls, one of which is known by its line.
func leaky() *report.Report {
	line := &report.Source{File: "src/app.c", Line: 7}
	r := &report.Report{Faults: []*report.FaultEvent{
		{Class: report.LeakClass, Address: 0x1000, Size: 64, Count: 1, Source: line, Call: &report.Call{Function: "cudaMalloc", Source: line}},
		{Class: report.LeakClass, Address: 0x2000, Size: 30, Count: 3, Call: &report.Call{Function: "cuMemAlloc"}},
	}}
	r.Finish()
	return r
}

func TestLeaks(t *testing.T) {
	r := leaky()
	if r.Verdict != report.Leak || r.Count(report.Error) != 2 {
		t.Errorf("verdict %s with %d errors, want leak with 2", r.Verdict, r.Count(report.Error))
	}
	var b strings.Builder
	if err := r.WriteText(&b, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	const want = `========= PTXSAN
========= Leaked 64 bytes at 0x1000
=========     allocated by cudaMalloc at app.c:7
=========     Fault: leak: the application ended without freeing 64 bytes at 0x1000
=========
========= Leaked 30 bytes in 3 allocations, the first at 0x2000
=========     allocated by cuMemAlloc
=========     Fault: leak: the application ended without freeing 30 bytes in 3 allocations, the first at 0x2000
=========
========= LEAK SUMMARY: 94 bytes leaked in 4 allocations
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("the text is\n%swant\n%s", b.String(), want)
	}
	r.Faults = append(r.Faults, &report.FaultEvent{Class: "trap", Kernel: "k"})
	if r.Finish(); r.Verdict != report.Fault {
		t.Errorf("with a fault of a kernel the verdict is %s", r.Verdict)
	}
}

// TestLeaksMerge: leaks of one call add up over processes, and are one finding in comparisons.
func TestLeaksMerge(t *testing.T) {
	r := leaky()
	r.Merge(leaky())
	if r.Finish(); len(r.Faults) != 2 || r.Faults[0].Size != 128 || r.Faults[1].Count != 6 {
		t.Errorf("two processes with the same leaks have %+v and %+v", r.Faults[0], r.Faults[1])
	}
	if !strings.Contains(r.Faults[0].Message, "128 bytes in 2 allocations") {
		t.Errorf("message %q", r.Faults[0].Message)
	}
	fewer := leaky()
	fewer.Faults = fewer.Faults[1:]
	if d := report.Compare(fewer, r); len(d.NewFaults) != 1 || len(d.GoneFaults) != 0 {
		t.Errorf("%d new and %d gone, want 1 and 0", len(d.NewFaults), len(d.GoneFaults))
	}
}
