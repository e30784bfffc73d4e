// Proofs by runs of launch files: what the launches before the proved one must satisfy.

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

// In this module, fill stores what OPERATION leaves in r2, and copied waits for an asynchronous copy, unless the first
// thread has stored something else than 0.
const fillAndCopied = `.version 7.5
.target sm_80
.address_size 64
.visible .shared .align 8 .u64 ready;
.visible .shared .align 4 .b8 tile[128];
.visible .entry fill(.param .u64 counter, .param .u64 flags)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [counter];
	ld.param.u64 %rd2, [flags];
	mov.u32 %r1, %tid.x;
	OPERATION
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd2, %rd2, %rd3;
	st.global.u32 [%rd2], %r2;
	ret;
}
.visible .entry copied(.param .u64 data, .param .u64 out, .param .u64 flags)
{
	.reg .pred %p<4>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [data];
	ld.param.u64 %rd2, [out];
	ld.param.u64 %rd3, [flags];
	mov.u32 %r1, %tid.x;
	mov.u64 %rd4, ready;
	mov.u64 %rd5, tile;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra $start;
	mbarrier.init.shared.b64 [%rd4], 32;
$start:
	bar.sync 0;
	setp.ge.u32 %p1, %r1, 32;
	@%p1 bra $use;
	mul.wide.u32 %rd6, %r1, 4;
	add.s64 %rd5, %rd5, %rd6;
	add.s64 %rd1, %rd1, %rd6;
	cp.async.ca.shared.global [%rd5], [%rd1], 4;
	cp.async.mbarrier.arrive.noinc.shared.b64 [%rd4];
	bra.uni $end;
$use:
	ld.global.u32 %r2, [%rd3];
	setp.ne.u32 %p2, %r2, 0;
	@%p2 bra $read;
$wait:
	mbarrier.test_wait.parity.shared.b64 %p3, [%rd4], 0;
	@!%p3 bra $wait;
$read:
	sub.u32 %r3, 63, %r1;
	mul.wide.u32 %rd6, %r3, 4;
	add.s64 %rd5, %rd5, %rd6;
	ld.shared.u32 %r4, [%rd5];
	add.s64 %rd2, %rd2, %rd6;
	st.global.u32 [%rd2], %r4;
$end:
	ret;
}
`

const fillAndCopiedLaunches = `buffers:
  counter: {type: u32, count: 1, init: 0}
  flags: {type: u32, count: 64, init: 0}
  data: {type: u32, count: 32, init: iota}
  out: {type: u32, count: 32, init: 0}
launches:
  - {kernel: fill, grid: 1, block: 64, args: [counter, flags]}
  - {kernel: copied, grid: 1, block: 64, args: [data, out, flags]}
`

// TestEarlierLaunches: a run of a launch proves nothing if what an earlier launch leaves in memory depends on the order
// of threads and decides a branch.
func TestEarlierLaunches(t *testing.T) {
	for _, x := range []struct{ operation, verdict string }{
		{"mov.u32 %r2, %r1;", report.Clean},
		{"atom.global.add.u32 %r2, [%rd1], 1;", report.Racy},      // the first thread may be another
		{"sub.u32 %r2, 63, %r1;\n\tmov.u32 %r1, 0;", report.Racy}, // a race, whose last store may be another
	} {
		p, err := session.Parse("k.ptx", []byte(strings.ReplaceAll(fillAndCopied, "OPERATION", x.operation)))
		if err != nil {
			t.Fatal(err)
		}
		file, err := launch.Parse("k.yaml", []byte(fillAndCopiedLaunches), launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := analysis.Run(context.Background(), p, analysis.Options{
			Facts: []*facts.File{factfile.FromLaunches(file)}, File: file,
			Chosen: func(kernel string) bool { return kernel == "copied" },
		})
		if err != nil {
			t.Fatal(err)
		}
		proof := out.Report.Proofs[0]
		if proof.Verdict != x.verdict {
			t.Errorf("%s: %s, want %s", x.operation, proof.Verdict, x.verdict)
		}
		const need = "launch: as at k.yaml:8:5, with any contents of counter, flags, data, out"
		if claimed := strings.Contains(strings.Join(proof.Needed, "\n"), need); claimed != (x.verdict == report.Clean) {
			t.Errorf("%s: it needs %q", x.operation, proof.Needed)
		}
	}
}
