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
.entry k()
{
	.reg .b64 %d;
	mov.u64 %d, 0;
	ret;
}
`
	m := load(t, "k.ptx", src)
	in := m.Func("k").Insts[0]
	e := NewEditor(m, "test")
	for _, result := range []string{"%d", ""} {
		if err := e.CallAfter(in, &Hook{Func: m.Func("one"), Result: result}); err != nil {
			t.Fatal(err)
		}
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	text := string(out.Source())
	if calls, loads := strings.Count(text, "_result), one;"), strings.Count(text, "ld.param.b64 %d, ["); calls != 2 || loads != 1 {
		t.Errorf("%d calls and %d loads of the result in\n%s", calls, loads, text)
	}
	e = NewEditor(m, "test")
	for want, hook := range map[string]*Hook{
		"it returns nothing": {Func: m.Func("none"), Result: "%d"},
		"it returns what is not one scalar in .param space": {Func: m.Func("array"), Result: "%d"},
	} {
		if err := e.CallAfter(in, hook); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
