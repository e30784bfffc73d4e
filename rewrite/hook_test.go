package rewrite

import (
	"strings"
	"testing"
)

// TestHookResult calls functions that return something, for it and not.
func TestHookResult(t *testing.T) {
	const src = `.version 7.0
.target sm_70
.address_size 64
.func none() { ret; }
.func (.param .b64 r) one() { .reg .b64 %d; mov.u64 %d, 5; st.param.b64 [r], %d; ret; }
.func (.param .b64 r[2]) array() { ret; }
.func (.param .b32 r) word() { st.param.b32 [r], 5; ret; }
.entry k()
{
	.reg .b64 %d; .reg .b32 %r<3>;
	mov.u32 %r1, 0;
	mov.u32 %r2, 0;
	mov.u64 %d, 0;
	ret;
}
`
	m := load(t, "k.ptx", src)
	in := m.Func("k").Insts[0]
	e := NewEditor(m, "test")
	halves := [2]string{"%r1", "%r2"}
	for _, hook := range []*Hook{{Result: "%d"}, {}, {Result: "%d", Halves: halves}} {
		hook.Func = m.Func("one")
		if err := e.CallAfter(in, hook); err != nil {
			t.Fatal(err)
		}
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	text := string(out.Source())
	for part, want := range map[string]int{"_result), one;": 3, "ld.param.b64 %d, [": 2, "mov.b64 {%r1, %r2}, %d;": 1} {
		if n := strings.Count(text, part); n != want {
			t.Errorf("%q is %d times, want %d times, in\n%s", part, n, want, text)
		}
	}
	e = NewEditor(m, "test")
	for want, hook := range map[string]*Hook{
		"it returns nothing": {Func: m.Func("none"), Result: "%d"},
		"it returns what is not one scalar in .param space": {Func: m.Func("array"), Result: "%d"},
		"there are no halves of a result of 64 bits":        {Func: m.Func("word"), Result: "%r1", Halves: halves},
	} {
		if err := e.CallAfter(in, hook); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
