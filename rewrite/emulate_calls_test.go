package rewrite_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// switchKernel sends lanes four ways by an indirect branch, in a loop, and calls a
// function in some of them by a guarded call.
const switchKernel = `.version 7.0
.target sm_70
.address_size 64
.global .u32 met;
.func (.param .b32 r) twice(.param .b32 a)
{
	.reg .b32 %r<3>;
	ld.param.b32 %r1, [a];
	shl.b32 %r2, %r1, 1;
	st.param.b32 [r], %r2;
	ret;
}
.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)
{
	.reg .pred %p<4>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, 0;
	mov.u32 %r3, 0;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
ways: .branchtargets A, B, C, C, A;
LOOP:
	add.u32 %r4, %r1, %r2;
	rem.u32 %r4, %r4, 5;
	brx.idx %r4, ways;
A:
	add.u32 %r3, %r3, 1;
	bra MEET;
B:
	setp.gt.u32 %p1, %r1, 7;
	mov.u32 %r6, %r3;
	{
	.param .b32 a;
	.param .b32 r;
	st.param.b32 [a], %r3;
	@%p1 call (r), twice, (a);
	@%p1 ld.param.b32 %r6, [r];
	}
	add.u32 %r3, %r6, 3;
C:
	mad.lo.u32 %r3, %r3, 3, %r1;
MEET:
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p2, %r2, 9;
	@%p2 bra LOOP;
	st.global.u32 [%rd2], %r3;
	ret;
}
`

// Code where lanes meet behind an indirect branch executes once in each lane and
// round, and a region with a guarded call can be moved; neither changes a result.
func TestIndirectBranchesAndGuardedCalls(t *testing.T) {
	m := parse(t, "k.ptx", []byte(switchKernel))
	k := m.Func("k")
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
		want, _, _ := execute(t, m, "k", policy)
		e := rewrite.NewEditor(m, "meet")
		for _, b := range k.ConvergencePoints() {
			e.InsertBefore(k.Insts[b.Start], "red.global.add.u32 [met], 1;")
		}
		met, err := e.Apply()
		if err != nil {
			t.Fatal(err)
		}
		machine, err := emu.New(met, emu.Config{Policy: policy, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := launch(t, machine, "k")
		counter, _, _ := machine.Symbol("met")
		count := make([]byte, 4)
		if err = machine.Read(counter, count); err != nil {
			t.Fatal(err)
		}
		const threads, rounds = 48, 9
		if n := binary.LittleEndian.Uint32(count); !bytes.Equal(got, want) || n != threads*rounds {
			t.Errorf("policy %d: lanes met %d times, want %d; same results: %v", policy, n, threads*rounds, bytes.Equal(got, want))
		}

		e = rewrite.NewEditor(m, "outline")
		first, last := at(t, k, "setp.gt.u32"), at(t, k, "add.u32 %r3, %r6, 3")
		if _, err = e.Outline(first, last, "part"); err != nil {
			t.Fatal(err)
		}
		moved, err := e.Apply()
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ = execute(t, moved, "k", policy); !bytes.Equal(got, want) {
			t.Errorf("policy %d: results differ after moving a guarded call:\n%s", policy, moved.Source())
		}
	}
}

// at is the first instruction of a function whose text begins so.
func at(t *testing.T, f *rewrite.Func, text string) *rewrite.Inst {
	t.Helper()
	for _, in := range f.Insts {
		if strings.HasPrefix(in.Text(), text) {
			return in
		}
	}
	t.Fatalf("no %q", text)
	return nil
}
