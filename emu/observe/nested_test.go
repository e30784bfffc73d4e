package observe_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
)

// nested launches the kernel child, waits for it, and goes on.
const nested = `.version 8.3
.target sm_80
.address_size 64
.extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 n);
.extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s, .param .b64 q);
.extern .func (.param .b32 r) cudaDeviceSynchronize();
.visible .entry child(.param .u64 out)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], 1;
	ret;
}
.visible .entry k(.param .u64 out)
{
	.reg .b64 %rd<8>;
	.reg .b32 %r<8>;
	ld.param.u64 %rd1, [out];
	mov.u64 %rd2, child;
	{
	.param .b64 a; .param .b64 n; .param .b64 q;
	st.param.b64 [a], 64; st.param.b64 [n], 8;
	call (q), cudaGetParameterBuffer, (a, n);
	ld.param.b64 %rd3, [q];
	}
	st.u64 [%rd3], %rd1;
	{
	.param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 t; .param .b32 q;
	st.param.b64 [f], %rd2; st.param.b64 [p], %rd3; st.param.b32 [s], 0; st.param.b64 [t], 0;
	st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
	st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
	call (q), cudaLaunchDevice, (f, p, g, b, s, t);
	}
	{
	.param .b32 q;
	call (q), cudaDeviceSynchronize, ();
	}
	st.global.u32 [%rd1], 2;
	ret;
}
`

// TestNestedKernels: what follows a child in trace and timeline is the parent's again.
func TestNestedKernels(t *testing.T) {
	var text, events bytes.Buffer
	trace, line := observe.NewTrace(&text, observe.Names{}, nil), observe.NewTimeline(&events, observe.Names{}, nil)
	run(t, nested, emu.Config{Listener: observe.Tee(trace, line)}, 1, 1)
	if trace.Close() != nil || line.Close() != nil {
		t.Fatal("not written")
	}
	want := []string{
		"kernel k grid (1,1,1) block (1,1,1)\n", "launch 1 of child w0 00000001\n", "kernel child grid (1,1,1) block (1,1,1), launch 1 by a kernel\n",
		"st.global.u32 [%rd1], 1", "end of kernel child\n", "st.global.u32 [%rd1], 2",
	}
	rest := text.String()
	for _, w := range want {
		_, after, ok := strings.Cut(rest, w)
		if !ok {
			t.Fatalf("no %q in order in\n%s", w, text.String())
		}
		rest = after
	}
	var doc struct{ TraceEvents []entry }
	if err := json.Unmarshal(events.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	var pids []int // of the slices, in order
	for _, e := range doc.TraceEvents {
		if e.Ph == "X" && (len(pids) == 0 || pids[len(pids)-1] != e.Pid) {
			pids = append(pids, e.Pid)
		}
	}
	if !slices.Equal(pids, []int{1, 2, 1}) {
		t.Errorf("slices of the processes %v, expected 1, 2, 1", pids)
	}
}

// TestClusterBarrierShown: barriers of clusters have names.
func TestClusterBarrierShown(t *testing.T) {
	const text = `.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
.reqnctapercluster 2, 1, 1
{
	barrier.cluster.arrive;
	barrier.cluster.wait;
	ret;
}
`
	var out, events bytes.Buffer
	trace, line := observe.NewTrace(&out, observe.Names{}, nil), observe.NewTimeline(&events, observe.Names{}, nil)
	run(t, text, emu.Config{Listener: observe.Tee(trace, line)}, 2, 32)
	if err := trace.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"arrive barrier of the cluster w0 ffffffff\n", "wait barrier of the cluster w0 ffffffff\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
