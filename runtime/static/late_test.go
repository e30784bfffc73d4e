// The end of the time of an analysis.

package static_test

import (
	"context"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/static"
)

// TestLate: when the time is over, what is not decided is left open if the pairs so far are wanted, and is an error otherwise.
func TestLate(t *testing.T) {
	p, err := session.Parse("k.ptx", []byte(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .b64 %rd<2>; .reg .b32 %r<2>; ld.param.u64 %rd1, [p]; mov.u32 %r1, 0; st.global.u32 [%rd1], %r1; ret; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	r, err := static.Analyze(ctx, p.Module.Kernels()[0], nil, static.Options{Partial: true})
	if err != nil || !r.Late || r.Verdict != static.Possible {
		t.Errorf("partial: %v, %+v", err, r)
	}
	if _, err = static.Analyze(ctx, p.Module.Kernels()[0], nil, static.Options{}); err == nil {
		t.Error("not partial: no error")
	}
}
