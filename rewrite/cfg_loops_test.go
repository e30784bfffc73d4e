package rewrite

import (
	"strings"
	"testing"
)

// TestInvariant: the comments name the outermost loop that does not change an address.
func TestInvariant(t *testing.T) {
	f := kernel(t, `
	.reg .b32 %r<4>; .reg .b64 %rd<9>; .reg .pred %p;
	ld.param.u64 %rd1, [p];
OUTER:
	add.s64 %rd2, %rd1, 8;
INNER:
	st.global.u32 [%rd1], 0; // outer
	st.global.u32 [%rd2], 0; // inner
	ld.global.u64 %rd3, [%rd1]; // outer
	st.global.u32 [%rd3], 0; // none
	@%p bra INNER;
	@%p bra OUTER;
	st.global.u32 [%rd1], 0; // none
	ret;`)
	header := map[string]int{"outer": 1, "inner": 2}
	for _, in := range f.Insts {
		_, want, ok := strings.Cut(f.Module.AST.File.LineText(in.Line), "// ")
		if !ok {
			continue
		}
		l := f.Invariant(in, in.Access.Addr)
		if (l == nil) != (want == "none") || l != nil && l.Header.Index != header[want] {
			t.Errorf("%q is invariant in %+v, expected %s", in.Text(), l, want)
		}
	}
}
