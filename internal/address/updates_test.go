package address

import (
	"strings"
	"testing"
)

// TestUpdates: which stores are the second half of an update in two steps.
func TestUpdates(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       string // the loads
	}{
		{"increment", "ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1; st.global.u32 [%rd1], %r2;", "ld.global.u32 %r1, [%rd1]"},
		{"two addresses, one place", "ld.global.u32 %r1, [%rd1+8]; add.u64 %rd2, %rd1, 4; st.global.u32 [%rd2+4], %r1;", "ld.global.u32 %r1, [%rd1+8]"},
		{"another element", "ld.global.u32 %r1, [%rd1+4]; st.global.u32 [%rd1], %r1;", ""},
		{"not the value", "ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd1], %r2;", ""},
		{"an index", "ld.global.u32 %r1, [%rd1]; mul.wide.u32 %rd2, %r1, 4; ld.global.u32 %r2, [%rd2]; st.global.u32 [%rd1], %r2;", ""},
		{"one of two ways", "ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; mov.u32 %r1, 7; W: st.global.u32 [%rd1], %r1;", "ld.global.u32 %r1, [%rd1]"},
		{"own memory", "ld.local.u32 %r1, [%rd1]; st.local.u32 [%rd1], %r1;", ""},
		{"atomic", "atom.global.add.u32 %r1, [%rd1], 1; st.global.u32 [%rd1], %r1;", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n"+c.body+"\nret;")
			for _, in := range f.Insts {
				if !strings.HasPrefix(in.Text(), "st.") {
					continue
				}
				got := ""
				for _, load := range Updates(f)[in] {
					got += load.Text()
				}
				if got != c.want {
					t.Errorf("%s: loads %q, want %q", in.Text(), got, c.want)
				}
			}
		})
	}
}

// TestIndirect: which addresses are computed from what a thread has loaded from memory of several threads.
func TestIndirect(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"a parameter", "", false},
		{"an index of the thread", "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;", false},
		{"an index from global memory", "ld.global.u32 %r1, [%rd1]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;", true},
		{"an index that an atomic operation returns", "atom.global.add.u32 %r1, [%rd1], 1; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;", true},
		{"a variable of the thread", "ld.local.u64 %rd1, [%rd1];", false},
		{"one of two ways", "ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; ld.shared.u64 %rd1, [%r2]; W:", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n"+c.body+"\nst.global.u32 [%rd1], 1;\nret;")
			for _, in := range f.Insts {
				if strings.HasPrefix(in.Text(), "st.") && Indirect(in) != c.want {
					t.Errorf("%s: got %t, want %t", in.Text(), !c.want, c.want)
				}
			}
		})
	}
}
