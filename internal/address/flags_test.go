package address

import (
	"strings"
	"testing"
)

// TestFlags compares the accesses to flags with those that are marked. None is one when pointers may be equal.
func TestFlags(t *testing.T) {
	m := load(t, "k.ptx", header+`
.visible .entry waiting(.param .u64 p, .param .u64 q, .param .u64 n, .param .u64 m, .param .u64 o, .param .u64 s, .param .u64 t)
{
	.local .u32 at; .shared .u32 tile; .reg .pred %p<4>; .reg .b16 %h<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.param.u64 %rd3, [n];
	ld.param.u64 %rd4, [m];
	ld.param.u64 %rd5, [o];
	ld.param.u64 %rd6, [s];
	ld.param.u64 %rd7, [t];
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
	ld.volatile.global.u32 %r4, [%rd6];
	setp.lt.u32 %p2, %r4, 7;
	atom.global.add.u32 %r6, [%rd6], 1;
	@%p2 atom.global.add.u32 %r7, [%rd6+4], %r6;
wait:
	ld.volatile.global.u32 %r8, [%rd7]; // flag
	setp.eq.u32 %p2, %r8, 0;
	@%p2 bra wait;
	st.local.u32 [at], %r8;
	st.shared.u32 [tile], %r8;
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
	two := load(t, "two.ptx", header+`
.visible .entry two(.param .u64 p, .param .u64 q)
{
	.reg .pred %p<2>; .reg .b16 %h<2>; .reg .b32 %r<2>; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.volatile.global.u32 %r1, [%rd1];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 st.volatile.global.u32 [%rd1], 1;
	ld.volatile.global.u8 %h1, [%rd2];
	setp.eq.u16 %p1, %h1, 0;
	@%p1 ret;
	ret;
}
`).Func("two")
	if got := Flags(two, Given{}); len(got) > 0 {
		t.Errorf("%d accesses to flags that are accessed in two sizes", len(got))
	}
	if got := Flags(two, Given{AliasOptions: AliasOptions{Distinct: DistinctParams}}); len(got) != 3 {
		t.Errorf("%d accesses to flags, expected 3", len(got))
	}
	if got := Flags(f, Given{Refuted: true}); got != nil {
		t.Error("an access is to a flag although the proofs are refuted")
	}
}
