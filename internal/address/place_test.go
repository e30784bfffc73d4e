package address

import (
	"strings"
	"testing"
)

// TestPlace names places in comments: equal names, equal places. Without a name the place
// is not known.
func TestPlace(t *testing.T) {
	m := load(t, "k.ptx", header+`
.global .align 4 .b8 table[64];
.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)
{
	.reg .b32 %r<4>; .reg .b64 %rd<19>; .reg .pred %t;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [p];
	ld.param.u64 %rd3, [q];
	ld.param.u32 %r1, [n];
	cvta.to.global.u64 %rd4, %rd2;
	st.global.u32 [%rd1+8], 0; // p+8
	add.s64 %rd5, %rd4, 4;
	st.global.u32 [%rd5+4], 0; // p+8
	st.global.u32 [%rd5], 0; // p+4
	st.global.u32 [%rd3+8], 0; // q+8
	mov.u64 %rd6, table;
	st.global.u32 [%rd6+4], 0; // table+4
	st.global.u32 [table+4], 0; // table+4
	mul.wide.s32 %rd7, %r1, 4;
	add.s64 %rd8, %rd1, %rd7;
	add.s64 %rd9, %rd8, 12;
	mov.u64 %rd10, %rd9;
	st.global.u32 [%rd10], 0; // p[n]+12
	st.global.u32 [%rd8+12], 0; // p[n]+12
	add.s64 %rd11, %rd1, %rd7;
	st.global.u32 [%rd11+12], 0; // another sum
	ld.global.u64 %rd12, [%rd1];
	ld.global.u64 %rd13, [%rd1];
	st.global.u32 [%rd12], 0; // loaded
	st.global.u32 [%rd13], 0; // loaded again
	setp.eq.u32 %t, %r1, 0;
	mov.u64 %rd14, %rd12;
	@%t mov.u64 %rd14, %rd13;
	st.global.u32 [%rd14], 0; // either
	add.s64 %rd15, %rd14, -8;
	st.global.u32 [%rd15+8], 0; // either
	add.sat.u32 %r2, %r1, 8;
	add.u8x4 %r3, %r1, 8;
	st.shared.u32 [%r1+8], 0; // n+8
	st.shared.u32 [%r2], 0; // saturated
	st.shared.u32 [%r3], 0; // added byte by byte
	st.global.u32 [256], 0; // absolute
	ret;
}
`)
	k, roots := m.Funcs[0], RootsOf(m.Funcs[0])
	names, places := map[Place]string{}, map[string]Place{}
	for _, in := range k.Insts {
		_, name, ok := strings.Cut(m.AST.File.LineText(in.Line), "// ")
		if !ok {
			continue
		}
		p, ok := roots.Place(in, in.Access.Addr)
		if !ok {
			t.Errorf("line %d: the place is not known, want %q", in.Line, name)
			continue
		}
		if n, seen := names[p]; seen && n != name {
			t.Errorf("line %d: %q is the place of %q", in.Line, name, n)
		}
		if q, seen := places[name]; seen && q != p {
			t.Errorf("line %d: two places for %q: %+v and %+v", in.Line, name, p, q)
		}
		names[p], places[name] = name, p
	}
	if len(places) != 13 {
		t.Errorf("%d places, want 13", len(places))
	}
	if _, ok := roots.Place(k.Insts[0], 0); ok {
		t.Error("a register has a place")
	}
}
