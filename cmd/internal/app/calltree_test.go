package app

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// callTree returns a kernel that calls f0, where each of depth functions stores to its argument and
// calls the next twice: 2^depth calls, without a jump backwards.
func callTree(depth int) string {
	var b strings.Builder
	b.WriteString(limitHeader)
	fmt.Fprintf(&b, ".func f%d (.param .u64 a) { ret; }\n", depth)
	for i := depth - 1; i >= 0; i-- {
		call := fmt.Sprintf("{ .param .u64 x; st.param.u64 [x], %%a; @%%p call f%d, (x); }\n", i+1)
		fmt.Fprintf(&b, ".func f%d (.param .u64 a) { .reg .u64 %%a; .reg .u32 %%v; .reg .pred %%p;\nld.param.u64 %%a, [a]; ld.u32 %%v, [%%a]; add.u32 %%v, %%v, 1; st.u32 [%%a], %%v; setp.ne.u64 %%p, %%a, 0;\n%s%sret; }\n", i, call, call)
	}
	b.WriteString(".entry k (.param .u64 out) { .reg .u64 %a; ld.param.u64 %a, [out];\n{ .param .u64 x; st.param.u64 [x], %a; call f0, (x); } ret; }\n")
	return b.String()
}

// TestCallTreeOfDetectors: a tree of calls ends at the limits when detectors watch it: those inside the kernel, which
// add calls of their own, and those that listen. On a busy machine the time may be over before a block has started.
func TestCallTreeOfDetectors(t *testing.T) {
	long(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"k.ptx":  callTree(41),
		"k.yaml": "buffers: {out: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [out]}]\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, what := range []string{"check --detector iguard", "check --detector precise", "check --detector iguard,barracuda", "emulate --passes barracuda", "emulate --passes instcount,coverage,boundscheck"} {
		for limit, says := range map[string]string{"--max-steps 100000": "not finished after 100000 warp instructions", "--timeout 200ms": "the time allowed, 200ms"} {
			var out bytes.Buffer
			code := run(context.Background(), strings.Fields("ptxsan "+what+" --launch k.yaml "+limit+" k.ptx"), nil, &out, &out)
			if code != command.Faulted || !strings.Contains(out.String(), says) {
				t.Errorf("%s %s: exit code %d, want %d and %q\n%.1000s", what, limit, code, command.Faulted, says, out.String())
			}
		}
	}
}
