package rewrite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// checkBody checks a kernel with registers of all kinds and the given statement,
// which stands in line 12, and returns the messages without their file name.
func checkBody(t *testing.T, statement string) string {
	t.Helper()
	return checkText(t, `.version 6.5
.target sm_75
.address_size 64
.global .align 16 .b32 g[8];
.shared .align 16 .b32 s[8];
.func (.reg .b32 r) f(.reg .b32 a) { ret; }
.visible .entry k(.param .u64 p)
{
	.reg .pred p1, p2; .reg .b16 h1, h2; .reg .b32 b1, b2; .reg .u32 u1, u2; .reg .s32 i1;
	.reg .f32 f1, f2; .reg .b64 q1, q2; .reg .s64 l1; .reg .f64 d1, d2; .reg .f16 x1; .reg .f16x2 y1;
	.reg .v2 .b32 w1; .local .align 8 .b8 loc[8];
	`+statement+`
L:	ret;
}
`)
}

func checkText(t *testing.T, src string) string {
	t.Helper()
	tree, err := ptxgrammar.Parse("k", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Check(tree); err == nil {
		return ""
	}
	return strings.TrimSpace(strings.ReplaceAll(messages(err), "k:12:", ""))
}

// TestCheckAccepts: what PTX ISA 9.4 and its tables 27 and 28 allow.
func TestCheckAccepts(t *testing.T) {
	for _, s := range []string{
		"add.s32 u1, i1, b1;", // integers of either sign and bits agree
		"add.f32 b1, f1, b2;", // bits hold floating point
		"and.b32 f1, f2, b1;", // bit-size instructions take any type
		"mov.b32 f1, u1;", "mov.b64 d1, q1;", "selp.f32 f1, b1, f2, p1;",
		"ld.global.u8 q1, [q1];", // table 28: wider destination
		"ld.global.s16 u1, [q1];", "st.global.u8 [q1], h1;", "st.global.b32 [q1], d1;",
		"ld.global.f32 b1, [q1];", "ld.global.f32 q1, [q1];", // bits may be wider for floats, too
		"cvt.u8.u32 u1, u2;", "cvt.rn.f16.f32 h1, f1;", "cvt.f32.f16 f1, x1;",
		"fma.rn.f16x2 y1, b1, b2, y1;", "add.f16 x1, h1, h2;",
		"mov.b64 {b1, f1}, d1;", "ld.global.v2.f32 {f1, b1}, [g];", "ld.global.v2.b32 w1, [g];",
		"setp.lt.f32 p1|p2, f1, 0f3F800000;", "setp.eq.and.s32 p1, i1, 1, !p2;",
		"mul.wide.u16 u1, h1, h2;", "mad.wide.s32 l1, i1, i1, q1;",
		"atom.shared.add.f32 f1, [s], f2;", "red.global.add.u32 [g+4], 1;", "shl.b64 q1, q2, u1;",
		"mov.u64 q1, g;", "mov.u32 u1, %tid.x;", "mov.u32 u1, %clock;", "@!p1 bra L;", "ld.global.u32 u1, [b1];",
		"call (b1), f, (u1);", "shfl.sync.idx.b32 f1|p1, f2, 0, 31, -1;", "ld.param.u64 q1, [p];",
		"mov.u16 h1, -1;", "vadd.u32.u32.s32 u1, u2.b0, i1.h1;", "vadd4.u32.u32.u32 u1.b10, u2.b7654, u2.b3210, u1;", "mov.b32 b1, w1.y;", "ts: .branchtargets L; brx.idx u1, ts;", "mov.u64 q1, f;", "mov.pred p1, p2;", "add.u64 q1, q1, g;", "mov.b32 b1, 0f3F800000;", "cvta.to.global.u64 q1, q2;",
	} {
		if got := checkBody(t, s); got != "" {
			t.Errorf("%s: %s", s, got)
		}
	}
}

// TestCheckConstants: operands that must be constants of certain values. ptxas 13.5 accepts and refuses the same.
func TestCheckConstants(t *testing.T) {
	const head = ".version 8.7\n.target sm_100a\n.address_size 64\n.entry k() {\n.reg .b64 q;\n.reg .b32 r;\n.reg .pred p;\n"
	for _, c := range []struct{ form, right, wrong, want string }{
		{"fence.proxy.tensormap::generic.acquire.gpu [q], %;", "128 0x80 64+64", "0 1 129 -128 r", "expected 128, expected a constant"},
		{"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [q], [r], %;", "128", "0 256 r", "expected 128, expected a constant"},
		{"discard.global.L2 [q], %;", "128", "0 64 r", "expected 128, expected a constant"},
		{"applypriority.global.L2::evict_normal [q], %;", "128", "0 64 r", "expected 128, expected a constant"},
		{"st.bulk.shared::cta [q], 64, %;", "0", "1 q", "expected 0, expected a constant"},
		{"cp.async.ca.shared.global [r], [q], %;", "4 8 16", "0 12 32 r", "expected 4, 8 or 16, expected a constant"},
		{"cp.async.cg.shared.global [r], [q], %, r;", "16", "4 8 r", "expected 16, expected a constant"},
		{"cp.async.wait_group %;", "0 7", "r", "expected a constant"},
		{"setmaxnreg.inc.sync.aligned.u32 %;", "24 240", "16 25 264 r", "expected 24 to 256 in steps of 8, expected a constant"},
		{"lop3.b32 r, r, r, r, %;", "0 255 -1", "r", "expected a constant"},
	} {
		for value := range strings.FieldsSeq(c.right) {
			if got := checkText(t, head+strings.Replace(c.form, "%", value, 1)+"\nret;\n}\n"); got != "" {
				t.Errorf("%s with %s: %s", c.form, value, got)
			}
		}
		for value := range strings.FieldsSeq(c.wrong) {
			got := checkText(t, head+strings.Replace(c.form, "%", value, 1)+"\nret;\n}\n")
			_, got, _ = strings.Cut(got, ": expected")
			got, _, _ = strings.Cut(got, ", got ")
			if got == "" || !strings.Contains(c.want, "expected"+got) {
				t.Errorf("%s with %s: %q, want one of %q", c.form, value, got, c.want)
			}
		}
	}
}

// TestCheckTensors: the operand with a tensor map has coordinates.
func TestCheckTensors(t *testing.T) {
	const head = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {\n.reg .b64 q;\n.reg .b32 r;\n"
	for _, s := range []string{
		"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [q], [q, {r, r}], [q];",
		"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [q, {r}], [q];",
		"cp.async.bulk.prefetch.tensor.3d.L2.global [q, {r, r, r}];",
	} {
		if got := checkText(t, head+s+"\nret;\n}\n"); got != "" {
			t.Errorf("%s: %s", s, got)
		}
	}
}

// TestCheckRefuses: messages name column, operand, what was expected, and the form.
func TestCheckRefuses(t *testing.T) {
	for _, c := range []struct{ statement, want string }{
		{"add.s32 f1, i1, i1;", `10: add.s32: "f1" is a .f32 register, expected .s32: form add`},
		{"add.f32 f1, f2, u1;", `18: add.f32: "u1" is a .u32 register, expected .f32: form `},
		{"add.s32 i1, i1, q1;", `18: add.s32: "q1" is a .b64 register, expected .s32`},
		{"add.s32 i1, i1, 1.5;", `18: add.s32: "1.5" is a floating-point constant, expected .s32`},
		{"mov.u32 u1, f1;", `14: mov.u32: "f1" is a .f32 register, expected .u32`},
		{"mov.b32 b1, q1;", `14: mov.b32: "q1" is a .b64 register, expected .b32`},
		{"ld.global.f64 f1, [q1];", `16: ld.global.f64: "f1" is a .f32 register, expected .f64`},
		{"ld.global.u32 d1, [q1];", `16: ld.global.u32: "d1" is a .f64 register, expected .u32`},
		{"ld.global.f32 d1, [q1];", `16: ld.global.f32: "d1" is a .f64 register, expected .f32`},
		{"st.global.u32 [q1], f1;", `22: st.global.u32: "f1" is a .f32 register, expected .u32`},
		{"ld.global.u32 u1, [f1];", `20: ld.global.u32: a .f32 register cannot hold the address "[f1]"`},
		{"ld.shared.u32 u1, [g];", `20: ld.shared.u32: "g" is in .global, not in .shared`},
		{"ld.global.u32 u1, [k];", `20: ld.global.u32: "k" is not a variable`},
		{"ld.global.u32 u1, [q1, 4];", `20: ld.global.u32: "[q1, 4]" has 2 parts, expected one`},
		{"ld.global.v2.u32 u1, [g];", `19: ld.global.v2.u32: "u1" is one value, expected a vector of 2`},
		{"add.s32 p1, i1, i1;", `10: add.s32: "p1" is a .pred register, expected .s32`},
		{"setp.eq.s32 i1, i1, i1;", `14: setp.eq.s32: "i1" is a .s32 register, expected .pred`},
		{"add.s32 i1|p1, i1, i1;", `10: add.s32: "i1|p1" is a pair, expected one operand`},
		{"add.s32 i1, !p1, i1;", `14: `},
		{"add.f32 f1, f1, %tid.x;", `18: add.f32: "%tid.x" is a .u32 register, expected .f32`},
		{"mov.u32 u1, %tid;", `14: mov.u32: "%tid" is a vector, expected one of its components such as %tid.x`},
		{"add.u32 u1, u1, L;", `18: add.u32: "L" is no variable and has no value, expected .u32`},
		{"add.u64 q1, q1, f;", `18: add.u64: "f" is no variable and has no value, expected .u64`},
		{"add.f32 f1, f1, g;", `18: add.f32: "g" is an address, expected .f32`},
		{"brx.idx u1, L;", `14: brx.idx: "L" is no list of .branchtargets`},
		{"ld.global.u32 u1, g;", `20: ld.global.u32: expected an address in brackets, got "g"`},
		{"bar.sync q1;", `11: bar.sync: "q1" is a .b64 register, expected .u32`},
		{"ret u1;", `2: ret takes 0 operands, got 1`},
		{"mov.b32 b1, w1.z;", `14: "w1" has no component ".z"`},
		{"add.u32 u1, u1.b0, 1;", `14: "u1" has no component ".b0"`},
		{"vadd.u32.u32.u32 u1, u2.b9, 1;", `23: "u2" has no component ".b9"`},
		{"mov.u64 q1, g.x;", `14: "g" has no component ".x"`},
		{"add.f16 x1, x1, f1;", `18: add.f16: "f1" is a .f32 register, expected .f16`},
		{"fma.rn.f16x2 y1, y1, y1, f1;", `27: fma.rn.f16x2: "f1" is a .f32 register, expected .f16x2`},
		{"call (b1), f, (u1, u1);", `2: call of "f" with 2 arguments, it has 1`},
		{"frob.u32 u1, u1;", `2: unknown instruction "frob"`},
		{"ad.u32 u1, u1, u1;", `2: unknown instruction "ad", did you mean "add"?`},
		{"add.u33 u1, u1, u1;", `2: add.u33: unknown modifier ".u33" (did you mean ".u32"?)`},
		{"add.u32 u1, u1;", `2: add.u32 takes 3 operands, got 2`},
		{"add.u32 u1, u1, u3;", `18: undefined name "u3", did you mean`},
		{"bra M;", `6: undefined label "M"`},
		{".reg .b32 u1;", `12: "u1" is already declared in this scope`},
		{".local .b8 x[];", `13: array "x" has no size: expected a number, an initialiser, or .extern`},
		{".reg .u4 x;", `11: "x" cannot have type .u4, which is of instructions only`},
		{".shared .pred x;", `16: "x" cannot have type .pred in .shared: predicates are registers`},
		{".local .v4 .f64 x;", `18: vector "x" is wider than 128 bits`},
		{"vote.all.pred p1, p2;", `2: vote.all.pred is gone for sm_70 and later since PTX 6.4; the module says .version 6.5, .target sm_75`},
		{"redux.sync.add.u32 u1, u2, -1;", `2: redux.sync.add.u32 needs PTX 7.0 and sm_80; the module says .version 6.5, .target sm_75`},
		{"mov.u32 u1, %clusterid.x;", `14: %clusterid needs PTX 7.8 and sm_90; the module says .version 6.5, .target sm_75`},
	} {
		if got := checkBody(t, c.statement); !strings.Contains(got, c.want) || got == "" && c.want != "" {
			t.Errorf("%s\n got: %s\nwant: %s", c.statement, got, c.want)
		}
	}
}

// TestCheckModule: rules about the module as a whole.
func TestCheckModule(t *testing.T) {
	const head = ".version 7.0\n.target sm_70\n.address_size 64\n"
	for _, c := range []struct{ name, src, want string }{
		{"order of functions", head + ".visible .entry k()\n{\n\tcall f;\n\tret;\n}\n.func f() { ret; }\n", `k:6:7: "f" is used before its declaration at line 9`},
		{"prototype first", head + ".func f();\n.visible .entry k()\n{\n\tcall f;\n\tret;\n}\n.func f() { ret; }\n", ""},
		{"recursion", head + ".func f()\n{\n\tcall f;\n\tret;\n}\n", ""},
		{"order of variables", head + ".global .u64 a = generic(b);\n.global .u32 b;\n", `k:4:26: "b" is used before its declaration at line 5`},
		{"no version", ".target sm_70\n.address_size 64\n", "k:1:1: missing .version directive"},
		{"no target", ".version 7.0\n", "k:1:1: missing .target directive"},
		{"target unknown", ".version 7.0\n.target sm_71\n", `k:2:9: unknown target "sm_71"`},
		{"target too new", ".version 7.0\n.target sm_90\n", `k:2:9: .target sm_90 needs PTX 7.8; the module says .version 7.0`},
		{"alias", ".version 6.0\n.target sm_70\n.func f() { ret; }\n.func g();\n.alias g, f;\n", "k:5:1: .alias needs PTX 6.3 and sm_30; the module says .version 6.0, .target sm_70"},
		{"header directive", ".version 7.0\n.target sm_70\n.entry k() .maxclusterrank 8 { ret; }\n", "k:3:12: .maxclusterrank needs PTX 7.8 and sm_90"},
		{"unknown directive", ".version 7.0\n.target sm_70\n.entry k() .maxtid 8 { ret; }\n", `k:3:12: unknown directive ".maxtid"`},
		{"attribute", ".version 3.2\n.target sm_30\n.global .attribute(.managed) .u32 m;\n", "k:3:35: .managed needs PTX 4.0"},
		{"linkage", ".version 3.0\n.target sm_30\n.weak .func f() { ret; }\n", "k:3:1: .weak needs PTX 3.1"},
		{"options", ".version 7.0\n.target sm_70, debug, texmode_independent\n", ""},
	} {
		if got := checkText(t, c.src); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s\n got: %s\nwant: %s", c.name, got, c.want)
		}
	}
}

// TestCheckInlined: ptxas wants the place that a location is inlined at further up,
// where another function may stand.
func TestCheckInlined(t *testing.T) {
	const head, tail = ".version 7.2\n.target sm_70\n.address_size 64\n", ".file 1 \"a.cu\"\n.file 2 \"b.cu\"\n.section .debug_str { $I: .b8 102, 0 }\n"
	const inlined = ".loc 1 5 2, function_name $I, inlined_at 1 3 1\n"
	for _, c := range []struct{ name, body, want string }{
		{"above", ".func f()\n{\n.loc 1 3 1\n" + inlined + "ret;\n}\n", ""},
		{"in another function", ".func g()\n{\n.loc 1 3 1\nret;\n}\n.func f()\n{\n" + inlined + "ret;\n}\n", ""},
		{"inlined itself", ".func f()\n{\n.loc 1 3 1\n" + inlined + ".loc 2 9 1, function_name $I, inlined_at 1 5 2\nret;\n}\n", ""},
		{"below", ".func f()\n{\n" + inlined + ".loc 1 3 1\nret;\n}\n", "k:6:1: inlined_at 1 3 1: expected the file, line and column of an earlier .loc"},
		{"another column", ".func f()\n{\n.loc 1 3 2\n" + inlined + "ret;\n}\n", "k:7:1: inlined_at 1 3 1: expected the file, line and column of an earlier .loc"},
		{"another file", ".func f()\n{\n.loc 2 3 1\n" + inlined + "ret;\n}\n", "k:7:1: inlined_at 1 3 1: expected the file, line and column of an earlier .loc"},
	} {
		if got := checkText(t, head+c.body+tail); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestCheckMany: all problems are found in one go, in order, up to 50.
func TestCheckMany(t *testing.T) {
	const head = ".version 7.0\n.target sm_70\n.visible .entry k()\n{\n\t.reg .b32 %r<2>;\n"
	tree, err := ptxgrammar.Parse("k", []byte(head+strings.Repeat("\tadd.s32 %r1, %r2, 1.0;\n", 60)+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Check(tree)
	var list ptxgrammar.ErrorList
	if !errors.As(err, &list) || len(list) != 50 {
		t.Fatalf("%d messages: %v", len(list), err)
	}
	for i, e := range list {
		if e.Pos.Line != 6+i {
			t.Fatalf("message %d is about line %d", i, e.Pos.Line)
		}
	}
}

// TestCheckCorpus: what compilers emit passes.
func TestCheckCorpus(t *testing.T) {
	for _, pattern := range []string{"testdata/corpus/*.ptx", "../examples/*/*.ptx", "../passes/device/lib/*.ptx", "../ptxgrammar/testdata/corpus/clang_*.ptx"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if errs := problems(src); len(errs) > 0 {
				t.Errorf("%s: %s", name, messages(errs))
			}
		}
	}
}

// TestCheckLinked: a library's functions are declared before use in the result of
// Link, too.
func TestCheckLinked(t *testing.T) {
	lib := load(t, "lib.ptx", header+".func second();\n.func first() { call second; ret; }\n.func second() { ret; }\n")
	user := load(t, "user.ptx", header+".func second() { exit; }\n.visible .entry k() { call second; ret; }\n")
	out, err := Link(user, lib, "first")
	if err != nil {
		t.Fatal(err)
	}
	if errs := problems(out.Source()); len(errs) > 0 {
		t.Errorf("%s\n%s", messages(errs), out.Source())
	}
}

// TestWholeVectorRegisters: a vector register as a whole is no scalar operand, as in ptxas;
// mov alone packs and unpacks one.
func TestWholeVectorRegisters(t *testing.T) {
	for _, s := range []string{"st.global.v2.b32 [q1], w1;", "ld.global.v2.b32 w1, [q1];", "mov.b64 q1, w1;", "mov.b64 w1, q1;", "st.global.b32 [q1], w1.y;"} {
		if got := checkBody(t, s); got != "" {
			t.Errorf("%s: %s", s, got)
		}
	}
	for _, s := range []string{
		"st.global.b32 [q1], w1;", "st.global.b64 [q1], w1;", "ld.global.b32 w1, [q1];", "ld.global.b64 w1, [q1];", "cvt.u32.u32 u1, w1;",
		"setp.eq.b64 p1, w1, w1;", "atom.global.exch.b64 q1, [q1], w1;", "mov.b64 w1, w1;", "st.param.b32 [loc], w1;",
	} {
		if got := checkBody(t, s); !strings.Contains(got, `"w1" is a vector of 2, expected one value`) {
			t.Errorf("%s: got %q", s, got)
		}
	}
}

// TestWholeSpecialRegisters: %tid and the like are vectors of four (PTX ISA, "Special Registers": .sreg .v4 .u32 %tid),
// which a mov of vectors copies; ptxas accepts and refuses the same.
func TestWholeSpecialRegisters(t *testing.T) {
	for _, s := range []string{
		"mov.v4.u32 {u1, u1, u1, u1}, %tid;", "mov.v4.b32 {u1, _, _, _}, %ctaid;", "mov.v4.u32 {_, u1, _, _}, %ntid;", "mov.v4.u32 {u1, u1, u1, _}, %nctaid;",
		"mov.v4.u32 {w1.x, w1.y, u1, _}, %tid;", "ldmatrix.sync.aligned.m8n8.x2.shared.b16 w1, [u1];",
	} {
		if got := checkBody(t, s); got != "" {
			t.Errorf("%s: %s", s, got)
		}
	}
	for s, want := range map[string]string{
		"mov.v2.u32 {u1, u1}, %tid;":         "is one value, expected a vector of 2",
		"mov.v4.f32 {f1, f1, f1, f1}, %tid;": "expected .f32",
		"mov.u32 u1, %tid;":                  "is a vector, expected one of its components",
		"cvt.u64.u32 q1, %ntid;":             "is a vector, expected one of its components",
	} {
		if got := checkBody(t, s); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, expected %q", s, got, want)
		}
	}
}

// FuzzCheck: no text makes the checker panic, and what it accepts loads.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(header + ".entry k(.param .u64 p)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [p];\nadd.s32 %r2|%r1, {%r1, %r2}, !%r1;\n}\n"))
	f.Add([]byte(header + ".global .u32 a[] = {1, 2};\n.func f(.reg .b32 x)\n{\ncall f, (x.y);\nbra.uni L;\n}\n.alias g, f;\n"))
	f.Add([]byte(header + ".entry k()\n{\n.reg .v4 .f32 v;\ntex.2d.v4.f32.f32 v, [t, {v.x, v.y}];\nmov.b64 {_, v}, %tid;\n}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		tree, err := ptxgrammar.Parse("fuzz.ptx", src)
		if err != nil {
			return
		}
		if _, err := Check(tree); err != nil {
			return
		}
		if _, err := Load(tree); err != nil {
			t.Errorf("accepted by Check, refused by Load: %v", err)
		}
	})
}
