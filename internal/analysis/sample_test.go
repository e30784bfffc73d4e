package analysis_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// turns is a kernel whose first thread of each block adds one to a word of global memory under a lock, n times.
const turns = `.version 7.5
.target sm_70
.address_size 64
.visible .entry turns(.param .u64 data, .param .u64 lock, .param .u32 n)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	ld.param.u64 %rd2, [lock];
	ld.param.u32 %r4, [n];
	mov.u32 %r1, %tid.x;
	setp.ne.u32 %p1, %r1, 0;
	setp.lt.s32 %p2, %r4, 1;
	or.pred %p1, %p1, %p2;
	@%p1 bra End;
Take:
	atom.global.cas.b32 %r2, [%rd2], 0, 1;
	setp.ne.s32 %p2, %r2, 0;
	@%p2 bra Take;
	fence.acq_rel.SCOPE;
	ld.global.u32 %r3, [%rd1];
	setp.eq.s32 %p3, %r3, 7;
	@%p3 bra Same;
	add.s32 %r3, %r3, 1;
Same:
	st.global.u32 [%rd1], %r3;
	fence.acq_rel.SCOPE;
	atom.global.exch.b32 %r5, [%rd2], 0;
	sub.s32 %r4, %r4, 1;
	setp.gt.s32 %p2, %r4, 0;
	@%p2 bra Take;
End:
	ret;
}
`

// hostFactsOf returns what host code says of launches.
func hostFactsOf(t *testing.T, src string) []*facts.File {
	t.Helper()
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19, which reads host code, is not installed")
	}
	name := filepath.Join(t.TempDir(), "a.cu")
	if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := hostcode.Load(t.Context(), []string{name}, hostcode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSample tests that executions with possible contents of allocations show races, and no false ones.
func TestSample(t *testing.T) {
	const (
		fresh   = "cudaMalloc(&lock, 4);"
		copied  = fresh + " cudaMemcpy(lock, from, 4, cudaMemcpyHostToDevice);"
		zeroed  = fresh + " cudaMemset(lock, 0, 4);"
		managed = "cudaMallocManaged(&lock, 4); *lock = 0;"
		once    = "turns<<<8, 64>>>(data, lock, n);"
	)
	for _, c := range []struct {
		name, scope, lock, launch string
		want                      string
	}{
		{"fences of a block, zeroed", "cta", zeroed, once, report.Racy},
		{"fences of a block, fresh", "cta", fresh, once, report.Racy},
		{"fences of a block, zeroed before a loop", "cta", zeroed, "for (int i = 0; i < n; i++) " + once, report.Racy},
		{"fences of a block that starts with what a file has", "cta", copied, once, report.Unknown},
		{"fences of a block that host code writes to", "cta", managed, once, report.Unknown},
		{"fences of a block in the second launch", "cta", zeroed + "other<<<1, 1>>>(lock);", once, report.Unknown},
		{"fences of the device", "gpu", fresh, once, report.Clean},
		{"fences of the device, in a loop", "gpu", zeroed, "for (int i = 0; i < n; i++) " + once, report.Clean},
		{"fences of a block, one block", "cta", fresh, strings.Replace(once, "8,", "1,", 1), report.Clean},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := session.Parse("turns.ptx", []byte(strings.ReplaceAll(turns, "SCOPE", c.scope)))
			if err != nil {
				t.Fatal(err)
			}
			src := "#include <stdlib.h>\nextern \"C\" __global__ void turns(int *data, int *lock, int n) {}\n__global__ void other(int *lock) {}\nextern int *from;\nint main(int c, char **v) { int n = atoi(v[1]), *data, *lock; cudaMalloc(&data, 4); cudaMemcpy(data, from, 4, cudaMemcpyHostToDevice); " + c.lock + c.launch + " }"
			out, err := analysis.Run(context.Background(), p, analysis.Options{Facts: hostFactsOf(t, src), Chosen: func(kernel string) bool { return report.Matches("turns", kernel) }})
			if err != nil {
				t.Fatal(err)
			}
			out.Report.SettleStatic(report.Error)
			if got := out.Report.Verdict; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if c.want == report.Racy {
				text, _, err := out.Witness(context.Background(), "")
				if err != nil || !strings.Contains(text, "grid: [8, 1, 1]") {
					t.Errorf("witness %q, %v", text, err)
				}
			}
		})
	}
}
