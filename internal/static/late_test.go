// The end of the time of an analysis.

package static_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestLate: when the time is over, what is not decided is left open if the pairs so far are wanted, and is an error
// otherwise.
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

// ending is a context whose time is over after a number of looks at it.
type ending struct {
	context.Context
	looks int
}

func (c *ending) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestLateAnywhere ends the time at each look at the context: no result is clean, and the pairs that are decided have
// the verdicts of the whole analysis.
func TestLateAnywhere(t *testing.T) {
	text, err := os.ReadFile("../../examples/hgrd/matrix-multiplication.ptx")
	if err != nil {
		t.Fatal(err)
	}
	p, err := session.Parse("k.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	k := p.Module.Kernels()[0]
	whole, err := static.Analyze(t.Context(), k, nil, static.Options{Partial: true, ProofOnly: true})
	if err != nil || whole.Late {
		t.Fatalf("%v, %+v", err, whole)
	}
	verdicts := make(map[[2]int]static.Verdict)
	for _, p := range whole.Pairs {
		verdicts[[2]int{p.First.Inst.Line, p.Second.Inst.Line}] = p.Verdict
	}
	c := &ending{Context: t.Context()}
	each := 8
	if testing.Short() {
		each = 2
	}
	for n := 0; ; n += 1 + n/each {
		c.looks = n
		r, err := static.Analyze(c, k, nil, static.Options{Partial: true, ProofOnly: true})
		if err != nil {
			t.Fatalf("%d looks: %v", n, err)
		}
		if c.looks >= 0 {
			if n < 20 || r.Late {
				t.Errorf("the analysis looks at the context %d times", n)
			}
			break
		}
		if !r.Late || r.Verdict == static.Clean {
			t.Errorf("%d looks: %s, late: %t", n, r.Verdict, r.Late)
		}
		for _, p := range r.Pairs {
			if p.Verdict == static.Clean && verdicts[[2]int{p.First.Inst.Line, p.Second.Inst.Line}] != static.Clean {
				t.Errorf("%d looks: %s | %s: clean", n, p.First.Inst.Text(), p.Second.Inst.Text())
			}
		}
	}
}
