// Kernels of clusters: which of their accesses may be to other blocks' memory, and which of these follow the start and
// precede the end.

package static_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// clusterKernel is a kernel of which some accesses are to other blocks' shared memory. %r2 is the address in the other
// block's memory of this thread's element of s, %r1 that in the own one, %p1 holds in block 1, and %p2 in thread 0.
func clusterKernel(body string) string {
	return `.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
	.reg .pred %p<9>;
	.reg .b16 %h<9>;
	.reg .b32 %r<20>;
	.reg .b64 %rd<20>;
	.shared .align 128 .b8 s[4096];
	.shared .align 8 .b64 bar;
	ld.param.u64 %rd1, [a];
	mov.u32 %r3, %tid.x;
	mov.u32 %r1, s;
	shl.b32 %r4, %r3, 2;
	add.u32 %r1, %r1, %r4;
	mov.u32 %r5, %cluster_ctarank;
	setp.eq.u32 %p1, %r5, 1;
	setp.eq.u32 %p2, %r3, 0;
	xor.b32 %r6, %r5, 1;
	mapa.shared::cluster.u32 %r2, %r1, %r6;
	mov.u32 %r7, bar;
	mapa.shared::cluster.u32 %r8, %r7, %r6;
	cvta.shared.u64 %rd2, s;
` + "\t" + strings.ReplaceAll(body, "; ", ";\n\t") + "\n\tret;\n}\n"
}

const (
	clusterSync  = "barrier.cluster.arrive; barrier.cluster.wait; "
	relaxedSync  = "barrier.cluster.arrive.relaxed; barrier.cluster.wait; "
	remoteLoad   = "ld.shared::cluster.u32 %r9, [%r2]; "
	afterAndEnd  = "start clean, end clean"
	neitherKnown = "start possible, end possible"
)

// TestClusterLives: of which accesses barriers of the cluster are proved to keep the start and the end of the other
// block away.
func TestClusterLives(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"barriers around", clusterSync + remoteLoad + clusterSync, afterAndEnd},
		{"relaxed before", relaxedSync + remoteLoad + clusterSync, afterAndEnd},
		{"relaxed behind", clusterSync + remoteLoad + relaxedSync, "start clean, end possible"},
		{"relaxed behind, and another", clusterSync + remoteLoad + relaxedSync + clusterSync, afterAndEnd},
		{"none", remoteLoad, neitherKnown},
		{"none before", remoteLoad + clusterSync, "start possible, end clean"},
		{"none behind", clusterSync + remoteLoad, "start clean, end possible"},
		{"no wait before", "barrier.cluster.arrive; " + remoteLoad + "barrier.cluster.wait; " + clusterSync, "start possible, end clean"},
		{"between arrival and wait", clusterSync + "barrier.cluster.arrive; " + remoteLoad + "barrier.cluster.wait; ", "start clean, end possible"},
		{"a barrier of the block", "bar.sync 0; " + remoteLoad + "bar.sync 0; ", neitherKnown},
		{"some threads", clusterSync + "@%p2 " + remoteLoad + clusterSync, afterAndEnd},
		{"threads that end before the last barrier", clusterSync + remoteLoad + "@%p2 bra D; " + clusterSync + "D:", "start clean, end possible"},
		{"threads that end early", "@%p2 bra D; " + clusterSync + remoteLoad + clusterSync + "D:", "start clean, end possible"},
		{"blocks that end early", "@%p1 bra D; " + clusterSync + remoteLoad + clusterSync + "D:", "start clean, end possible"},
		{"guarded waits", "barrier.cluster.arrive; @%p2 barrier.cluster.wait; " + remoteLoad + clusterSync, "start possible, end possible"},
		{"in a loop", "mov.u32 %r10, 0; L: " + clusterSync + remoteLoad + clusterSync + "add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 4; @%p3 bra L;", afterAndEnd},
		{"one barrier in a loop", clusterSync + "mov.u32 %r10, 0; L: " + remoteLoad + clusterSync + "add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 4; @%p3 bra L;", afterAndEnd},
		{"as often as the block says", clusterSync + "mov.u32 %r10, %ctaid.x; L: " + remoteLoad + clusterSync + "add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 4; @%p3 bra L;", "start clean, end possible"},
		{"a store", clusterSync + "st.shared::cluster.u32 [%r2], 1; " + clusterSync, afterAndEnd},
		{"an atomic operation", clusterSync + "red.shared::cluster.add.u32 [%r2], 1; ", "start clean, end possible"},
		{"a generic address", "mapa.u64 %rd3, %rd2, %r6; " + "ld.u32 %r9, [%rd3]; " + clusterSync, "start possible, end clean"},
		{"an arrival at an mbarrier", clusterSync + "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8]; ", "start clean, end possible"},
		{"an asynchronous store", clusterSync + "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r2], 1, [%r8]; " + clusterSync, "start clean, end possible"},
		{"a bulk copy", clusterSync + "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2], [%r1], 16, [%r8]; " + clusterSync, "start clean, end possible"},
		{"a copy to both", clusterSync + "mov.u16 %h1, 3; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1], 16, [%r7], %h1; " + clusterSync, "start clean, end possible"},
		{"a bulk copy to the own block", "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r7]; ", ""},
		{"arithmetic", "selp.b32 %r10, 0x1000000, 0xff000000, %p1; add.u32 %r11, %r1, %r10; st.shared::cluster.u32 [%r11], 1; ", neitherKnown},
		{"the own element", "st.shared::cluster.u32 [%r1], 1; ", ""},
		{"the own block's memory", "st.shared.u32 [%r2], 1; ", ""},
		{"a generic address of the own block", "cvt.u64.u32 %rd4, %r4; add.s64 %rd3, %rd2, %rd4; st.u32 [%rd3], 1; ", ""},
		{"a generic address 16 MiB on", "add.s64 %rd3, %rd2, 0x1000000; st.u32 [%rd3], 1; ", neitherKnown},
	} {
		program, err := session.Parse("k.ptx", []byte(clusterKernel(c.body)))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := clusterLives(t, program.Module.Kernels()[0], nil); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		one := &facts.Launch{Kernel: "k", Site: facts.Pos{File: "k.yaml", Line: 1, Col: 1}}
		if got := clusterLives(t, program.Module.Kernels()[0], one.Given(nil, nil)); got != "" {
			t.Errorf("%s, in clusters of one block: got %q", c.name, got)
		}
	}
}

// TestClusterAddresses: an address 16 MiB from a variable is another block's memory in a cluster, and outside of the
// variable without one.
func TestClusterAddresses(t *testing.T) {
	one := (&facts.Launch{Kernel: "k", Site: facts.Pos{File: "k.yaml", Line: 1, Col: 1}}).Given(nil, nil)
	for _, c := range []struct {
		name, body string
		given      *facts.Given
		faults     int
	}{
		{"in clusters", "add.u32 %r10, %r1, 0x1000000; st.shared::cluster.u32 [%r10], 1;", nil, 0},
		{"without clusters", "add.u32 %r10, %r1, 0x1000000; st.shared::cluster.u32 [%r10], 1;", one, 1},
		{"down, in clusters", "add.u32 %r10, %r1, -0x2000000; ld.shared::cluster.u32 %r9, [%r10];", nil, 0},
		{"generic, in clusters", "add.s64 %rd3, %rd2, 0x1000000; st.u32 [%rd3], 1;", nil, 0},
		{"of the own block only", "add.u32 %r10, %r1, 0x1000000; st.shared.u32 [%r10], 1;", nil, 1},
		{"beside the variable in each block", "add.u32 %r10, %r1, 0x1100000; st.shared::cluster.u32 [%r10], 1;", nil, 1},
	} {
		program, err := session.Parse("k.ptx", []byte(clusterKernel(c.body)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := static.Analyze(t.Context(), program.Module.Kernels()[0], c.given, static.Options{NoWrap: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Faults) != c.faults {
			t.Errorf("%s: %d faults, want %d", c.name, len(r.Faults), c.faults)
		}
	}
}

// clusterLives returns the verdicts of the pairs with starts and ends of blocks.
func clusterLives(t *testing.T, k *rewrite.Func, given *facts.Given) string {
	t.Helper()
	r, err := static.Analyze(t.Context(), k, given, static.Options{ProofOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range r.Pairs {
		switch p.Second.Event {
		case "start":
			out = append(out, "start "+p.Verdict.String())
		case "end":
			out[len(out)-1] += ", end " + p.Verdict.String()
		}
	}
	return strings.Join(out, "; ")
}
