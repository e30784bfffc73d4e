package report

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestExplainDevices: what is missing between operations of two devices, and of one of several.
func TestExplainDevices(t *testing.T) {
	for _, c := range []struct {
		cause         detect.Cause
		repair        detect.Repair
		same          bool // the operations are on one device
		missing, hint string
	}{
		{detect.MissingStreamOrder, "", false, "on different devices", "acquires at system scope"},
		{detect.MissingStreamOrder, "", true, "in different streams", "one stream for both"},
		{detect.InsufficientFenceScope, "", false, "system-scope fence", "__threadfence_system()"},
		{detect.InsufficientFenceScope, "", true, "threads of one block only", "__threadfence()"},
		{detect.InsufficientAtomicScope, "", false, "system-scope access", "cuda::thread_scope_system"},
		{detect.MissingFence, "", false, "system-scope release and acquire", "ld.acquire.sys"},
		{detect.MissingFence, detect.RepairMove, false, "before the flag is written", "a flag of their own"},
		{detect.NotStrong, "", false, "strong accesses", "relaxed.sys"},
	} {
		first, second := uint32(0), uint32(1)
		if c.same {
			second = first
		}
		x := &Race{
			Kind: detect.InterKernel, Cause: c.cause, Repair: c.repair, Publish: &Operation{},
			First: Access{Access: "write", Device: &first}, Second: Access{Access: "read", Device: &second},
		}
		if e := Explain(x); !strings.Contains(e.Missing, c.missing) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s, same device %v: %q, %q; want %q, %q", c.cause, c.same, e.Missing, e.Hint, c.missing, c.hint)
		}
		if scope := x.scope(); (scope == "sys") == c.same {
			t.Errorf("same device %v: scope %s", c.same, scope)
		}
		x.Advice = &Advice{Repair: detect.RepairScope}
		if x.Unverified() != c.same {
			t.Errorf("same device %v: a search for an edit: %v", c.same, x.Unverified())
		}
	}
}
