package iguard_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/passes/passtest"
)

// edgeCall matches the calls of hooks, with their last argument where it is a constant.
var edgeCall = regexp.MustCompile(`__ptxsan_iguard_(\w+)`)

// TestEdgeHooks: the hooks that the option edge adds around an instruction, in order; "." is
// the instruction itself and what other options call.
func TestEdgeHooks(t *testing.T) {
	const head = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
	.reg .pred %q; .reg .b32 %r<4>; .reg .b64 %rd<3>;
	.shared .align 8 .b64 flag;
	ld.param.u64 %rd1, [p];
`
	for _, c := range []struct{ body, want string }{
		{"st.global.u32 [%rd1], 1;", "."},
		{"st.volatile.global.u32 [%rd1], 1;", "."},
		{"st.relaxed.gpu.global.u32 [%rd1], 1;", "strong ."},
		{"ld.relaxed.cta.global.u32 %r1, [%rd1];", "strong . observe"},
		{"atom.global.add.u32 %r1, [%rd1], 1;", "strong . observe"},
		{"red.global.add.u32 [%rd1], 1;", "strong ."},
		{"atom.shared.exch.b32 %r1, [flag], 1;", "strong . observe"},
		{"st.release.gpu.global.u32 [%rd1], 1;", "edge_fence strong ."},
		{"ld.acquire.gpu.global.u64 %rd1, [%rd1];", "strong . observe edge_fence"},
		{"atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1;", "edge_fence strong . observe edge_fence"},
		{"membar.gl;", "edge_fence ."},
		{"fence.proxy.async;", "."},
		{"bar.sync 0;", "edge_barrier ."},
		{"bar.warp.sync 3;", "."},
		{"barrier.cluster.arrive;", "edge_fence strong ."},
		{"barrier.cluster.arrive.relaxed;", "strong ."},
		{"barrier.cluster.wait;", "strong . observe"},
		{"mbarrier.arrive.shared.b64 %rd2, [flag];", "edge_fence strong . observe"},
		{"mbarrier.test_wait.shared.b64 %q, [flag], %rd2;", "strong . observe edge_fence"},
	} {
		text := withoutLibrary(passtest.Run(t, passtest.Load(t, "k.ptx", []byte(head+"\t"+c.body+"\n\tret;\n}\n")), "iguard<edge>", iguard.Pass).Module)
		_, text, _ = strings.Cut(text, "ld.param.u64 %rd1")
		var got []string
		for line := range strings.Lines(text) {
			word := ""
			switch m := edgeCall.FindStringSubmatch(line); {
			case m != nil && (m[1] == "strong" || m[1] == "observe" || strings.HasPrefix(m[1], "edge_")):
				word = m[1]
			case strings.Contains(line, strings.SplitN(c.body, " ", 2)[0]) && m == nil:
				word = "."
			default:
				continue
			}
			got = append(got, word)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: hooks %q, expected %q", c.body, s, c.want)
		}
	}
}
