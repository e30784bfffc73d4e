// Tests of inlining and passing in registers.

package inlining_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/inlining"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

const header = ".version 8.7\n.target sm_90\n.address_size 64\n"

// callee returns a function with a parameter a, a result r and the body.
func callee(t *testing.T, body string) (*rewrite.Module, *rewrite.Func) {
	t.Helper()
	tree, err := ptxgrammar.Parse("t.ptx", []byte(header+".visible .func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %r<9>; .reg .pred %p<9>;\n"+body+"\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m, m.Func("f")
}

// TestPassing has functions whose parameter and result are passed in registers, and functions where another use of
// them, or of the register, prevents it.
func TestPassing(t *testing.T) {
	for _, c := range []struct {
		name, body  string
		load, store bool
	}{
		{"loaded and stored once", "ld.param.b32 %r1, [a]; add.s32 %r2, %r1, 1; st.param.b32 [r], %r2; ret;", true, true},
		{"loaded twice", "ld.param.b32 %r1, [a]; ld.param.b32 %r3, [a]; add.s32 %r2, %r1, %r3; st.param.b32 [r], %r2; ret;", false, true},
		{"part of the parameter", "ld.param.u16 %r1, [a]; st.param.b32 [r], %r1; ret;", false, true},
		{"register written again", "ld.param.b32 %r1, [a]; add.s32 %r1, %r1, 1; st.param.b32 [r], %r1; ret;", false, true},
		{"result changed after its store", "ld.param.b32 %r1, [a]; add.s32 %r2, %r1, 1; st.param.b32 [r], %r2; add.s32 %r2, %r1, 2; ret;", true, false},
		{"result stored twice", "ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; st.param.b32 [r], %r1; ret;", true, false},
		{"guarded load", "setp.eq.s32 %p1, 0, 0; @%p1 ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; ret;", false, true},
	} {
		_, f := callee(t, c.body)
		p := inlining.PassingOf(f)
		if load, store := p.Loads[0] >= 0, p.Stores[0] >= 0; load != c.load || store != c.store {
			t.Errorf("%s: parameter in a register %v, result %v; want %v, %v", c.name, load, store, c.load, c.store)
		}
	}
}

// TestInlinable has functions that can be inlined, and others.
func TestInlinable(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"arithmetic", "ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; ret;", true},
		{"barrier of the block", "bar.sync 0; ret;", false},
		{"barrier of the warp", "bar.warp.sync -1; ret;", true},
		{"vote of all lanes", "setp.eq.s32 %p1, 0, 0; vote.sync.ballot.b32 %r1, %p1, -1; ret;", false},
		{"vote of the active lanes", "setp.eq.s32 %p1, 0, 0; activemask.b32 %r2; vote.sync.ballot.b32 %r1, %p1, %r2; ret;", true},
		{"carry", "mov.b32 %r1, 1; add.cc.u32 %r2, %r1, %r1; ret;", false},
		{"register read before it is written", "st.param.b32 [r], %r1; ret;", false},
		{"too long", "mov.b32 %r1, 1;" + strings.Repeat(" add.s32 %r1, %r1, 1;", inlining.MaxInlined) + " ret;", false},
	} {
		m, f := callee(t, c.body)
		if got := inlining.Inlinable(m, f); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
