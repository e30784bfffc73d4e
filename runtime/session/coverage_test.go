package session_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// spaces has two kernels: of own, a thread reads what nobody writes and writes to words that
// its neighbour accesses, in shared memory by way of a function; other is never launched.
const spaces = `.version 7.8
.target sm_80
.address_size 64
.shared .align 4 .b8 tile[256];
.func bump(.param .u64 where)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [where];
	ld.shared.u32 %r1, [%rd1];
	st.shared.u32 [%rd1+4], %r1;
	ret;
}
.visible .entry own(.param .u64 in, .param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	.local .align 4 .b8 mine[4];
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd4, %rd1, %rd3;
	add.u64 %rd5, %rd2, %rd3;
	ld.global.u32 %r2, [%rd4];
	st.local.u32 [mine], %r2;
	st.global.u32 [%rd5], %r2;
	st.global.u32 [%rd5+4], %r2;
	mov.u64 %rd4, tile;
	cp.async.ca.shared.global [%rd4], [%rd1], 4;
	{
		.param .u64 p;
		st.param.u64 [p], %rd4;
		call bump, (p);
	}
	ret;
}
.visible .entry other(.param .u64 out)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], %r1;
	ret;
}
`

// updates has atomic operations of device scope: on p nothing else, on q also of another kind, on r also of block
// scope, and on h of half a word.
const updates = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q, .param .u64 r, .param .u64 h)
{
	.reg .b16 %h<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.param.u64 %rd3, [r];
	ld.param.u64 %rd4, [h];
	atom.global.add.u32 %r1, [%rd1], 1;
	red.sys.global.or.b32 [%rd1], 1;
	atom.global.cas.b32 %r1, [%rd1], 0, 1;
	atom.global.exch.b32 %r1, [%rd1], 1;
	atom.global.add.u32 %r1, [%rd2], 1;
	ld.relaxed.gpu.global.u32 %r1, [%rd2];
	atom.global.add.u32 %r1, [%rd3], 1;
	atom.cta.global.add.u32 %r1, [%rd3], 1;
	atom.global.cas.b16 %h1, [%rd4], %h1, %h1;
	atom.global.add.noftz.f16 %h1, [%rd4], %h1;
	ret;
}
`

// onlyShared accesses shared memory and nothing else.
const onlyShared = `.version 7.8
.target sm_80
.address_size 64
.shared .align 4 .b8 tile[256];
.visible .entry k()
{
	.reg .b32 %r<4>;
	mov.u32 %r1, %tid.x;
	ld.shared.u32 %r2, [tile];
	st.shared.u32 [tile], %r1;
	ret;
}
`

// covered is what a report says of coverage, in one line for each detector and kernel.
func covered(rep *report.Report) (lines []string) {
	for _, c := range rep.Coverage {
		line := fmt.Sprintf("%s %s: %d of %d, %d proved", c.Detector, c.Kernel, c.Watched, c.Accesses, c.Proved)
		for _, u := range c.NotCovered {
			line += fmt.Sprintf(", %d %s", u.Accesses, u.What)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestCoverage: a report says what each detector looked at, in the kernels that were launched.
func TestCoverage(t *testing.T) {
	for detector, want := range map[string]string{
		"precise":                        "precise own: 6 of 7, 1 proved",
		"precise<elide=false>":           "precise own: 7 of 7, 0 proved",
		"scord":                          "scord own: 3 of 7, 1 proved, 3 shared memory",
		"iguard":                         "iguard own: 2 of 7, 1 proved, 2 shared memory, 2 asynchronous copies",
		"barracuda":                      "barracuda own: 6 of 7, 1 proved",
		"barracuda<instrumented>":        "barracuda own: 6 of 7, 1 proved",
		"barracuda<instrumented,across>": "barracuda own: 6 of 7, 1 proved",
	} {
		s := open(t, detector, spaces)
		in, out := buffer(t, s, "in", make([]uint32, 66)), buffer(t, s, "out", make([]uint32, 66))
		launch(t, s, session.Launch{Kernel: "own", Block: emu.Dim3{X: 64}, Args: []any{in, out}})
		rep := s.Report()
		if got := strings.Join(covered(rep), "; "); got != want || rep.Blind() {
			t.Errorf("%s: %s, want %s", detector, got, want)
		}
	}
}

// TestCoverageOfUpdates: scord leaves out atomic operations of device scope that meet only each other, except those
// from which it infers locks and those that may share an entry with other objects.
func TestCoverageOfUpdates(t *testing.T) {
	for detector, want := range map[string]string{
		"scord":                 "scord k: 8 of 10, 2 proved",
		"scord<release>":        "scord k: 10 of 10, 0 proved",
		"scord<granularity=8>":  "scord k: 10 of 10, 0 proved",
		"scord<cache>":          "scord k: 10 of 10, 0 proved",
		"scord<its,lockvalues>": "scord k: 8 of 10, 2 proved",
		"precise":               "precise k: 10 of 10, 0 proved",
		"iguard":                "iguard k: 2 of 10, 8 proved",
	} {
		s := open(t, detector, updates)
		var args []any
		for _, name := range []string{"p", "q", "r", "h"} {
			args = append(args, buffer(t, s, name, make([]uint32, 1)))
		}
		launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 2}, Block: emu.Dim3{X: 64}, Args: args})
		rep := s.Report()
		if got := strings.Join(covered(rep), "; "); got != want {
			t.Errorf("%s: %s, want %s", detector, got, want)
		}
	}
}

// TestBlind: a detector that looked at nothing says so, in text and JSON, unless another one did.
func TestBlind(t *testing.T) {
	for detector, blind := range map[string]bool{
		"iguard": true, "scord": true, "iguard,scord": true, "precise": false, "scord,barracuda": false, "ldetector": false,
	} {
		s := open(t, detector, onlyShared)
		launch(t, s, session.Launch{Kernel: "k", Block: emu.Dim3{X: 64}})
		rep := s.Report()
		var text, doc strings.Builder
		if err := rep.WriteText(&text, report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := rep.WriteJSON(&doc); err != nil {
			t.Fatal(err)
		}
		var back report.Report
		if err := json.Unmarshal([]byte(doc.String()), &back); err != nil {
			t.Fatal(err)
		}
		if rep.Blind() != blind || strings.Contains(text.String(), "errors; no access was watched\n") != blind {
			t.Errorf("%s: blind %v:\n%s", detector, rep.Blind(), text.String())
		}
		names, _, _ := strings.Cut(detector, "<")
		for name := range strings.SplitSeq(names, ",") {
			nothing := slices.ContainsFunc(back.Notes, func(n string) bool { return strings.HasPrefix(n, name+" watched no access") })
			shared := slices.Contains(back.Notes, name+" does not check 2 accesses to shared memory: the detector checks global memory only")
			if global := name == "scord" || detector == "iguard" || detector == "iguard,scord"; nothing != global || shared != global {
				t.Errorf("%s: %s: notes %q", detector, name, back.Notes)
			}
		}
	}
}
