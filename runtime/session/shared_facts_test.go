// What sessions of one program share.

package session

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

const sharedKernel = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n) { ret; }
`

// TestSharedFacts: sessions in which the same launches come conclude from one and the same program of them, so that a
// module does not keep more with each session.
func TestSharedFacts(t *testing.T) {
	p, err := Parse("k.ptx", []byte(sharedKernel))
	if err != nil {
		t.Fatal(err)
	}
	programs := make(map[any]bool)
	for i := range 20 {
		s, err := Open(Options{})
		if err == nil {
			err = s.Load(p)
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := Buffer(s, "b", make([]uint32, 4))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.Launch(t.Context(), Launch{Kernel: "k", Grid: emu.Dim3{X: 2}, Args: []any{b, i % 2}}); err != nil {
			t.Fatal(err)
		}
		programs[s.facts[p].Program] = true
	}
	if len(programs) != 2 {
		t.Errorf("%d programs of two different launches", len(programs))
	}
}
