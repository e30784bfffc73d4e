package address

import (
	"strings"
	"testing"
)

// TestStoresBack: which stores store back what the thread has loaded.
func TestStoresBack(t *testing.T) {
	const load = "ld.global.u32 %r1, [%rd1];"
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"a copy", load + "mov.u32 %r2, %r1; st.global.u32 [%rd1], %r2;", true},
		{"computation and a load between", load + "ld.global.u32 %r3, [%rd1+4]; add.u32 %r3, %r3, 1; st.global.u32 [%rd1], %r1;", true},
		{"in some threads", load + "setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd1], %r1;", true},
		{"a vector", "ld.global.v2.u32 {%r1, %r2}, [%rd1]; st.global.v2.u32 [%rd1], {%r1, %r2};", true},
		{"a vector, turned", "ld.global.v2.u32 {%r1, %r2}, [%rd1]; st.global.v2.u32 [%rd1], {%r2, %r1};", false},
		{"a part of a vector", "ld.global.v2.u32 {%r1, %r2}, [%rd1]; st.global.u32 [%rd1], %r1;", false},
		{"another value", load + "add.u32 %r1, %r1, 0; st.global.u32 [%rd1], %r1;", false},
		{"another value in some threads", load + "setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r1, 7; st.global.u32 [%rd1], %r1;", false},
		{"another element", load + "st.global.u32 [%rd1+4], %r1;", false},
		{"another width", "ld.global.u16 %r1, [%rd1]; st.global.u32 [%rd1], %r1;", false},
		{"a barrier between", load + "bar.sync 0; st.global.u32 [%rd1], %r1;", false},
		{"a store between", load + "st.global.u32 [%rd1], 5; st.global.u32 [%rd1], %r1;", false},
		{"a fence between", load + "membar.gl; st.global.u32 [%rd1], %r1;", false},
		{"a branch between", load + "setp.eq.u32 %p1, %r1, 0; @%p1 bra W; st.global.u32 [%rd1], %r1; W:", false},
		{"strong", "ld.relaxed.gpu.global.u32 %r1, [%rd1]; st.global.u32 [%rd1], %r1;", false},
		{"volatile", load + "st.volatile.global.u32 [%rd1], %r1;", false},
		{"own memory", "ld.local.u32 %r1, [%rd1]; st.local.u32 [%rd1], %r1;", false},
	} {
		f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n"+c.body+"\nret;")
		for i := len(f.Insts) - 1; i >= 0; i-- {
			if in := f.Insts[i]; strings.Contains(in.Text(), "st.") {
				if load := StoresBack(in); (load != nil) != c.want || c.want && !strings.HasPrefix(load.Text(), "ld.global") {
					t.Errorf("%s: %v", c.name, load)
				}
				break
			}
		}
	}
}
