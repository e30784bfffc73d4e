// Launches of applications that are repeated to find advice.

package cuda_test

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// stale races if a word of its buffer and variables have certain values, and changes them.
const stale = `.version 7.0
.target sm_70
.address_size 64
.visible .const .align 4 .u32 step;
.global .align 4 .u32 at;
.func (.reg .u32 %r) where()
{
	ld.global.u32 %r, [at];
	ret;
}
.visible .entry k(.param .u64 data)
{
	.reg .pred %p;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	ld.global.u32 %r2, [%rd1];
	call (%r3), where, ();
	ld.const.u32 %r4, [step];
	add.u32 %r5, %r2, %r3;
	setp.ne.u32 %p, %r5, %r4;
	bar.sync 0;
	@%p bra END;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	st.global.u32 [%rd2+4], %r1;
	xor.b32 %r6, %r1, 32;
	mad.wide.u32 %rd3, %r6, 4, %rd1;
	ld.global.u32 %r7, [%rd3+4];
	setp.ne.u32 %p, %r1, 0;
	@%p bra END;
	st.global.u32 [%rd1], 7;
	st.global.u32 [at], 8;
END:
	ret;
}
.visible .entry other()
{
	ret;
}
`

// repeating makes the options of a process repeat launches as exec does. The function that it returns counts them.
func repeating(o *cuda.Options) (repeated func() int) {
	n := 0
	o.Repeat = func(ctx context.Context, plan *session.Plan, ran emu.Stats) *report.Report {
		n++
		return fix.Repeat(ctx, fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Detectors: o.Detectors}}}, ran)
	}
	return func() int { return n }
}

// TestRepeat: a launch that races is repeated once, with its buffers and variables as they were before it, and its
// module may be gone when the report is made. A launch with too much memory is not, and the report names no edit.
func TestRepeat(t *testing.T) {
	for _, c := range []struct {
		bytes            uint64
		repeated, edited int
	}{{512, 1, 1}, {9 << 20, 0, 0}} {
		var o cuda.Options
		repeated := repeating(&o)
		p := newProcess(t, &o)
		id, err := p.LoadModule([]byte(stale), cuda.In{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := p.Kernel(id, "k")
		if err != nil {
			t.Fatal(err)
		}
		data, err := p.Alloc(c.bytes, cuda.OnDevice, waits, nil)
		if err != nil {
			t.Fatal(err)
		}
		step, _, err := p.Variable(id, "step")
		if err != nil {
			t.Fatal(err)
		}
		at, _, err := p.Variable(id, "at")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for to, value := range map[uint64]uint32{step: 5, at: 2, data: 3} {
				if err = p.Fill(to, 0, 4, value, 1, 1, waits); err != nil {
					t.Fatal(err)
				}
			}
			if err = launch(p, k, 64, binary.LittleEndian.AppendUint64(nil, data)); err != nil {
				t.Fatal(err)
			}
		}
		if err = p.Unload(id); err != nil {
			t.Fatal(err)
		}
		rep := p.Report()
		edited := 0
		for _, x := range rep.Races {
			if x.Advice.Verified > 0 {
				edited++
			} else if !strings.HasPrefix(x.Hint, "no edit has been verified") && !x.Advice.None {
				t.Errorf("%d bytes: %s: %q", c.bytes, x.Cause, x.Hint)
			}
		}
		if len(rep.Races) != 1 || edited != c.edited || repeated() != c.repeated {
			t.Errorf("%d bytes: %d races, %d launches repeated, %d with edits; expected %d and %d", c.bytes, len(rep.Races), repeated(), edited, c.repeated, c.edited)
		}
	}
}
