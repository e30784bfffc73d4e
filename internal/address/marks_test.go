package address

import (
	"strings"
	"testing"
)

// TestMarks: which of the stores of a kernel mark something, and which of them alike. Equal letters are equal marks, a
// dot is a store that is none.
func TestMarks(t *testing.T) {
	const head = `.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .b32 s; .shared .b32 t; .local .b32 l;
		.loc 1 3 0
		ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;
		cvta.to.global.u64 %rd4, %rd1; setp.eq.u32 %p1, %r2, 1; mov.b16 %h1, 1; add.u32 %r3, %r1, 1; add.u32 %r4, %r2, 1;
		`
	for name, c := range map[string]struct{ body, marks string }{
		"one value in one element":     {"st.global.u32 [%rd4], 1; .loc 1 4 0\nst.global.u32 [%rd4], 1;", "aa"},
		"copied":                       {"st.global.u8 [%rd4], %h1; .loc 1 4 0\nst.global.u8 [%rd4], 1;", "aa"},
		"two values":                   {"st.global.u32 [%rd4], 1; st.global.u32 [%rd4], 0;", "ab"},
		"two sizes":                    {"st.global.u32 [%rd4], 1; st.global.u8 [%rd4], 1;", "ab"},
		"two elements":                 {"st.global.u32 [%rd4], 1; st.global.u32 [%rd4+4], 1;", "ab"},
		"one line":                     {"st.global.u32 [%rd3], 1; st.global.u32 [%rd3+4], 1;", "aa"},
		"two lines":                    {"st.global.u32 [%rd3], 1; .loc 1 4 0\nst.global.u32 [%rd3+4], 1;", "ab"},
		"a parameter":                  {"st.global.u32 [%rd4], %r1; .loc 1 4 0\nst.global.u32 [%rd4], %r1;", "aa"},
		"computed from a parameter":    {"st.global.u32 [%rd4], %r3; .loc 1 4 0\nst.global.u32 [%rd4], %r1;", "ab"},
		"shared":                       {"st.shared.u32 [s], 1; .loc 1 4 0\nst.shared.u32 [s], 1;", "aa"},
		"variables":                    {"st.shared.u32 [s], 1; .loc 1 4 0\nst.shared.u32 [t], 1;", "ab"},
		"guarded":                      {"@%p1 st.global.u32 [%rd4], 1;", "a"},
		"the thread":                   {"st.global.u32 [%rd4], %r2;", "."},
		"computed from the thread":     {"st.global.u32 [%rd4], %r4;", "."},
		"loaded":                       {"ld.global.u32 %r5, [%rd4]; st.global.u32 [%rd4], %r5;", "."},
		"one of two":                   {"selp.u32 %r5, 1, 0, %p1; st.global.u32 [%rd4], %r5;", "."},
		"written in some threads only": {"mov.u32 %r5, 1; @%p1 mov.u32 %r5, 2; st.global.u32 [%rd4], %r5;", "."},
		"of two branches":              {"mov.u32 %r5, 1; @%p1 bra L; mov.u32 %r5, 2; L: st.global.u32 [%rd4], %r5;", "."},
		"strong":                       {"st.relaxed.gpu.global.u32 [%rd4], 1;", "."},
		"volatile":                     {"st.volatile.global.u32 [%rd4], 1;", "."},
		"a vector":                     {"st.global.v2.u32 [%rd4], {1, 1};", "."},
		"local":                        {"st.local.u32 [l], 1;", "."},
		"atomic":                       {"atom.global.exch.b32 %r5, [%rd4], 1; red.global.or.b32 [%rd4], 1;", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := load(t, "k.ptx", header+".file 1 \"k.cu\"\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"+head+c.body+"\nret;\n}\n").Kernels()[0]
			letters, got := map[string]string{}, ""
			for _, in := range f.Insts {
				if !strings.Contains(in.Text(), "st.") {
					continue
				}
				text, ok := Marks(f)[in]
				if !ok {
					got += "."
					continue
				}
				if letters[text] == "" {
					letters[text] = string(rune('a' + len(letters)))
				}
				got += letters[text]
			}
			if got != c.marks {
				t.Errorf("%q, want %q", got, c.marks)
			}
		})
	}
}

// TestMarksOfFunctions: what a function that is called takes as its arguments may differ from thread to thread.
func TestMarksOfFunctions(t *testing.T) {
	m := load(t, "f.ptx", header+`.func f(.param .u64 p, .param .u32 v)
{
	.reg .b64 %rd<2>; .reg .b32 %r<2>;
	ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v];
	st.global.u32 [%rd1], %r1;
	st.global.u32 [%rd1], 1;
	ret;
}
`)
	if got := len(Marks(m.Func("f"))); got != 1 {
		t.Errorf("%d marks, want that of a constant alone", got)
	}
}

// TestBulkStore: st.bulk stores zeros, and has no operand with a value (PTX ISA, "st.bulk"): it is neither a mark, nor
// an update, nor a store of what was loaded.
func TestBulkStore(t *testing.T) {
	const module = ".version 8.6\n.target sm_100\n.address_size 64\n.visible .entry k()\n{\n.reg .b64 %d<2>; .shared .align 16 .b8 s[4096];\nmov.u64 %d1, s;\n"
	for _, text := range []string{"st.bulk.weak.shared::cta [%d1], 4096, 0;", "st.bulk [%d1], 4096, 0;"} {
		f := load(t, "k.ptx", module+text+"\nret;\n}\n").Kernels()[0]
		in := f.Insts[1]
		if !strings.HasPrefix(in.Text(), "st.bulk") || in.Value() != nil || len(Marks(f)) != 0 || len(Updates(f)) != 0 || StoresBack(in) != nil {
			t.Errorf("%s: value %v, %d marks, %d updates, stores back %v", in.Text(), in.Value(), len(Marks(f)), len(Updates(f)), StoresBack(in))
		}
	}
}
