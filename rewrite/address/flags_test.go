package address

import (
	"strings"
	"testing"
)

// TestFlags compares the accesses to flags with those that are marked. None is one when pointers may be equal.
func TestFlags(t *testing.T) {
	m := load(t, "k.ptx", header+`
.visible .entry waiting(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 m, .param .u64 o)
{
	.reg .pred %p<4>; .reg .b16 %h<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.param.u64 %rd3, [n];
	ld.param.u64 %rd4, [m];
	ld.param.u64 %rd5, [o];
poll:
	ld.volatile.global.u32 %r1, [%rd1]; // flag
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra poll;
	atom.global.add.u32 %r5, [%rd1+4], 1; // flag
	ld.relaxed.sys.global.u32 %r2, [%rd1+8]; // flag
	setp.lt.u32 %p2, %r2, 7;
	@%p2 st.volatile.global.u32 [%rd1+8], 1; // flag
	ld.volatile.global.u32 %r3, [%rd2];
	setp.lt.u32 %p3, %r3, 7;
	@%p3 st.volatile.global.u32 [%rd2+4], %r3;
	st.volatile.global.u32 [%rd3], 1;
	ld.volatile.global.u8 %h1, [%rd4];
	setp.lt.u16 %p2, %h1, 7;
	@%p2 st.volatile.global.u32 [%rd4+4], 1;
	ld.relaxed.cta.global.u32 %r4, [%rd5];
	setp.lt.u32 %p2, %r4, 7;
	@%p2 st.volatile.global.u32 [%rd5], 1;
	ret;
}
`)
	f := m.Func("waiting")
	lines := strings.Split(string(m.Source()), "\n")
	if got := Flags(f, Given{}); len(got) > 0 {
		t.Errorf("%d accesses to flags when pointers may be equal", len(got))
	}
	got := Flags(f, Given{AliasOptions: AliasOptions{Distinct: DistinctParams}})
	for _, in := range f.Insts {
		if want := strings.HasSuffix(lines[in.Line-1], "// flag"); got[in] != want {
			t.Errorf("%q is to a flag: %t", in.Text(), got[in])
		}
	}
	if got := Flags(f, Given{Refuted: true}); got != nil {
		t.Error("an access is to a flag although the proofs are refuted")
	}
}
