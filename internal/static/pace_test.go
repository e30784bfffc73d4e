// The time between two looks at the context: all loops of an analysis notice soon that the time is over.

package static

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// paced is a context that counts the objects that are allocated between two looks at it: a measure of time that does
// not depend on the machine.
type paced struct {
	context.Context
	last, most uint64
	stack      string // at the end of the longest time
}

func (p *paced) Err() error {
	now := allocated()
	if n := now - p.last; p.last > 0 && n > p.most {
		text := make([]byte, 1<<14)
		p.most, p.stack = n, string(text[:runtime.Stack(text, false)])
	}
	p.last = allocated()
	return nil
}

// allocated returns the number of objects allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// mostAllocated is the number of objects that an analysis may allocate between two looks at the context: a tenth of a
// second.
const mostAllocated = 300_000

// TestPace: an analysis looks at the context often, with many values, many pairs, locks, and executions of threads.
func TestPace(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	var chain, locks, bits strings.Builder
	chain.WriteString("mov.u32 %r6, %r2;")
	for range 300 {
		chain.WriteString("mul.lo.u32 %r6, %r6, %r6; xor.b32 %r6, %r6, %r2; add.u32 %r6, %r6, %r6;")
	}
	chain.WriteString("and.b32 %r6, %r6, 31; mul.wide.u32 %rd3, %r6, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2;")
	for i := range 40 {
		fmt.Fprintf(&locks, "A%d:\n atom.global.cas.b32 %%r10, [%%rd2+%d], 0, 1; setp.ne.u32 %%p1, %%r10, 0; @%%p1 bra A%d; membar.gl;", i, 4*i, i)
		fmt.Fprintf(&locks, "ld.global.u32 %%r11, [%%rd1+%d]; st.global.u32 [%%rd1+%d], %%r11; membar.gl; atom.global.exch.b32 %%r10, [%%rd2+%d], 0;", 4*i, 4*i, 4*i)
	}
	for i := range 12 {
		fmt.Fprintf(&bits, "xor.b32 %%r6, %%r2, %%r1; mul.lo.u32 %%r6, %%r6, %%r2; and.b32 %%r6, %%r6, 1023; or.b32 %%r6, %%r6, %d; mul.wide.u32 %%rd3, %%r6, 4; add.s64 %%rd3, %%rd1, %%rd3; st.global.u32 [%%rd3], %%r2;", 1<<i)
	}
	kernels := map[string]string{"a chain of values": kernelText(chain.String()), "locks": kernelText(locks.String()), "bits": kernelText(bits.String())}
	for _, name := range []string{"suite/apps/convolution-1d/correct.ptx", "hgrd/tissue.ptx"} {
		text, err := os.ReadFile("../../examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		kernels[name] = string(text)
	}
	for name, text := range kernels {
		p := &paced{Context: t.Context()}
		if _, err := Analyze(p, loadText(t, text).Kernels()[0], &facts.Given{Disjoint: true}, Options{Partial: true, Contents: true}); err != nil {
			t.Fatal(err)
		}
		if p.most > mostAllocated {
			t.Errorf("%s: %d objects between two looks at the context, the latter at\n%s", name, p.most, p.stack)
		}
	}
}
