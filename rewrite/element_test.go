package rewrite

import (
	"strings"
	"testing"
)

// TestIndexedOperands: array[index] is an address in elements of the array's type, and
// %r+4 is a value, where ptxas takes them.
func TestIndexedOperands(t *testing.T) {
	f := kernel(t, `.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .b16 %h;
.shared .u32 sh[16]; .shared .u16 m[4][5]; .shared .v4 .f32 v[4]; .local .b8 l[32]; .param .align 4 .b8 q[8];
	mov.u64 %rd1, l[3];
	mov.u32 %r1, sh[2];
	mov.u32 %r1, sh[1+1];
	mov.u32 %r1, sh[-1];
	mov.u32 %r1, m[3];
	mov.u32 %r1, v[1];
	mov.u32 %r1, sh[%r2];
	mov.u32 %r1, sh[%r2+3];
	cvta.shared.u64 %rd1, sh[2];
	ld.shared.u32 %r1, sh[2];
	ld.shared.u32 %r1, sh[%rd2];
	st.shared.u32 sh[%r3+1], %r1;
	st.param.b32 q[4], %r1;
	st.global.u64 [%rd1], %rd2+8;
	st.global.u16 [%rd1], %h+1;
	add.u32 %r1, %r2+1, %r3;
	st.shared.u32 [sh], sh+4;
`)
	want := []string{
		"reg %rd1, sym l+3", "reg %r1, sym sh+8", "reg %r1, sym sh+8", "reg %r1, sym sh-4", "reg %r1, sym m+6",
		"reg %r1, sym v+4", "reg %r1, sum sh+0+%r2*4", "reg %r1, sum sh+12+%r2*4", "reg %rd1, sym sh+8",
		"reg %r1, addr sh+8", "reg %r1, sum sh+0+%rd2*4", "sum sh+4+%r3*4, reg %r1", "addr q+4, reg %r1",
		"addr %rd1+0, sum +8+%rd2*1", "addr %rd1+0, sum +1+%h*1", "reg %r1, sum +1+%r2*1, reg %r3", "addr sh+0, sym sh+4",
	}
	for i, in := range f.Insts {
		var ops []string
		for j := range in.Operands {
			ops = append(ops, describe(&in.Operands[j]))
		}
		if got := strings.Join(ops, ", "); got != want[i] {
			t.Errorf("%s: got %q, want %q", in.Text(), got, want[i])
		}
	}
}

// TestIndexedOperandsRefused: what ptxas refuses, too.
func TestIndexedOperandsRefused(t *testing.T) {
	for statement, want := range map[string]string{
		"ld.shared.u32 b1, [s[2]];":          `"s[2]" is neither a constant nor a name with an offset`,
		"mov.b32 b1, s[2]+4;":                `"s[2]" is neither a constant nor a name`,
		"mov.b64 q1, p[1];":                  `"p" is not an array and cannot be indexed`,
		"mov.b64 q1, f[0];":                  `"f" is not an array and cannot be indexed`,
		"mov.b32 b1, b2[1];":                 `"b2" is not an array and cannot be indexed`,
		"mov.b32 b1, s[1.5];":                `"1.5" is not an index`,
		"mov.b32 b1, s[f1];":                 `"f1" is not an index`,
		"mov.b32 b1, s[%tid.x];":             `"%tid.x" is not an index`,
		"mov.b32 b1, s[nowhere];":            `undefined name "nowhere"`,
		"mov.b32 b1, s[0x7fffffffffffffff];": `index 9223372036854775807 of "s" is out of range`,
		"add.u32 b1, s[1], 4;":               "only mov and cvta take the address of an element of an array",
		"setp.eq.b64 p1, q1, g[1];":          "only mov and cvta take",
		"st.global.b64 [q1], g[1];":          "only mov and cvta take",
		"atom.global.add.u32 u1, g[1], 2;":   "only ld, ldu and st take an element of an array as an address",
		"ld.global.b32 b1, q1+4;":            "expected an address in brackets",
		"mov.b32 b1+4, b2;":                  "expected a register",
		"mov.b32 b1, w1.x+4;":                "neither a constant nor",
		"add.f32 f1, f2+1, f2;":              "neither a constant nor a symbol or integer register",
		"st.global.v2.b32 [q1], {b1+1, b2};": `"b1+1" can only be a whole operand`,
		"call (u1), f, (u2+1);":              `"u2+1" can only be a whole operand`,
		"call (u1), f, (s[1]);":              `"s[1]" can only be a whole operand`,
		"mov.b16 h1, q1+1;":                  "expected .b16",
		"bra s[1];":                          "expected a label",
		".global .b64 t = g[1];":             "neither a constant nor an address",
	} {
		got := checkBody(t, statement)
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", statement, got, want)
		}
	}
}

// TestRenameIndexedOperands: both names of array[%r] change.
func TestRenameIndexedOperands(t *testing.T) {
	m := load(t, "k.ptx", header+".global .u32 g[4];\n.visible .entry k()\n{\n.reg .b32 %r<3>;\n.shared .u32 sh[4];\nld.shared.u32 %r1, sh[%r2+1];\nld.global.u32 %r1, g[%r2];\n}\n")
	e := NewEditor(m, "test")
	f := m.Func("k")
	if err := e.RenameRange(f, f.Regs[0], "%word"); err != nil {
		t.Fatal(err)
	}
	if err := e.Rename(m.Globals[0], "whole"); err != nil {
		t.Fatal(err)
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(out.Source()); !strings.Contains(text, "sh[%word2+1]") || !strings.Contains(text, "whole[%word2]") {
		t.Error(text)
	}
}
