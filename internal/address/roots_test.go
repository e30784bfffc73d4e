package address

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Each kernel's comments say what the address on the line comes from.
func TestRoots(t *testing.T) {
	m := load(t, "k.ptx", header+`
.extern .shared .align 4 .b8 dyn[];
.global .align 4 .b8 table[64];
.func other(.param .b64 a)
{
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [a];
	st.global.u32 [%rd1+4], 1; // a+4
	ret;
}
.visible .entry k(.param .u64 p, .param .u64 q, .param .align 8 .b8 s[24], .param .u32 n, .param .u64 .ptr .shared .align 4 sp)
{
	.local .align 4 .b8 depot[16];
	.reg .b32 %r<9>; .reg .b64 %rd<29>; .reg .pred %p<3>; .reg .f64 %fd;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.param.u64 %rd3, [s+16];
	ld.param.u32 %r1, [n];
	cvta.to.global.u64 %rd4, %rd1;
	st.global.u32 [%rd4], 0; // p
	st.global.u32 [%rd4+-8], 0; // p-8
	add.s64 %rd5, %rd4, 16;
	st.global.u32 [%rd5+4], 0; // p+20
	mul.wide.s32 %rd6, %r1, 4;
	add.s64 %rd7, %rd2, %rd6;
	st.global.u32 [%rd7], 0; // q+?
	mad.wide.u32 %rd8, %r1, 4, %rd3;
	st.global.u32 [%rd8], 0; // s[16]+?
	st.global.u32 [%rd3+12], 0; // s[16]+12
	mov.u64 %rd9, table;
	st.global.u32 [%rd9+4], 0; // &table+4
	st.global.u32 [table+8], 0; // &table+8
	cvta.global.u64 %rd10, %rd9;
	st.u32 [%rd10], 0; // &table
	cvta.shared.u64 %rd27, %rd1;
	st.u32 [%rd27], 0; // unknown
	cvta.to.shared.u64 %rd27, %rd1;
	st.shared.u32 [%rd27], 0; // p
	mov.u64 %rd27, dyn;
	cvta.shared.u64 %rd28, %rd27;
	st.u32 [%rd28], 0; // &dyn
	ld.param.u64 %rd27, [sp];
	cvta.shared.u64 %rd28, %rd27;
	st.u32 [%rd28], 0; // sp
	mov.u32 %r2, dyn;
	shl.b32 %r3, %r1, 2;
	add.s32 %r4, %r2, %r3;
	st.shared.u32 [%r4], 0; // &dyn+?
	mov.u64 %rd11, depot;
	st.local.u32 [%rd11+8], 0; // &depot+8
	ld.global.u64 %rd12, [%rd4];
	st.global.u32 [%rd12], 0; // unknown
	add.s64 %rd13, %rd1, %rd12;
	st.global.u32 [%rd13], 0; // unknown
	shl.b64 %rd14, %rd12, 2;
	add.s64 %rd15, %rd1, %rd14;
	st.global.u32 [%rd15], 0; // unknown
	setp.eq.u32 %p1, %r1, 0;
	selp.b64 %rd16, %rd1, %rd2, %p1;
	st.global.u32 [%rd16], 0; // unknown
	selp.b64 %rd17, %rd1, %rd5, %p1;
	st.global.u32 [%rd17], 0; // p+?
	sub.s64 %rd18, %rd7, 4;
	st.global.u32 [%rd18], 0; // q+?
	sub.s64 %rd19, %rd5, %rd4;
	add.s64 %rd20, %rd2, %rd19;
	st.global.u32 [%rd20], 0; // q+?
	and.b64 %rd21, %rd7, -128;
	st.global.u32 [%rd21], 0; // q+?
	and.b64 %rd21, %rd7, -512;
	st.global.u32 [%rd21], 0; // unknown
	and.b64 %rd21, %rd9, -4;
	st.global.u32 [%rd21], 0; // &table+?
	and.b64 %rd21, %rd9, -8;
	st.global.u32 [%rd21], 0; // unknown
	and.b64 %rd22, %rd7, 127;
	st.global.u32 [%rd22], 0; // unknown
	st.global.u32 [4096], 0; // 0x1000
	@%p1 mov.u64 %rd4, %rd2;
	st.global.u32 [%rd4], 0; // unknown
	mov.u64 %rd23, %rd1;
LOOP:
	st.global.u32 [%rd23], 0; // p+?
	add.s64 %rd23, %rd23, 4;
	@%p1 bra LOOP;
	mov.u64 %rd1, %rd2;
	st.global.u32 [%rd1], 0; // q
	ret;
}
`)
	for _, f := range m.Funcs {
		roots := RootsOf(f)
		for _, in := range f.Insts {
			_, want, ok := strings.Cut(m.AST.File.LineText(in.Line), "// ")
			if !ok {
				continue
			}
			if got := roots.Address(in, in.Access.Addr).String(); got != want {
				t.Errorf("line %d: %q is at %s, expected %s", in.Line, in.Text(), got, want)
			}
		}
	}
}

// Addresses in kernels that clang has compiled, optimised and not.
func TestRootsOfCompiledKernels(t *testing.T) {
	for _, name := range []string{"kernels_O0", "kernels_O2"} {
		src, err := os.ReadFile("../../rewrite/testdata/corpus/" + name + ".ptx")
		if err != nil {
			t.Fatal(err)
		}
		m := load(t, name, string(src))
		var b strings.Builder
		for _, f := range m.Funcs {
			classes := aliasClassesOf(f, AliasOptions{Distinct: DistinctParams})
			for i, ref := range classes.refs {
				if ref.Space != isa.SpaceLocal {
					fmt.Fprintf(&b, "%s:%d %s: %s %s class %d\n", f.Name, ref.Inst.Line, ref.Inst.Text(), ref.Space, ref.Root, classes.class[i])
				}
			}
		}
		path := "testdata/roots/" + name + ".txt"
		if *update {
			if err = os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || string(want) != b.String() {
			t.Errorf("differs from %s (-update rewrites it): %v\n%s", path, err, b.String())
		}
	}
}

func TestMayAlias(t *testing.T) {
	f := load(t, "k.ptx", header+`
.extern .shared .align 4 .b8 dyn[];
.extern .shared .align 4 .b8 dyn2[];
.shared .u32 word;
.global .align 4 .b8 table[64];
.global .u32 other;
.visible .entry k(.param .u64 p, .param .u64 q)
{
	.reg .b32 %r<4>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.global.u64 %rd3, [%rd1];
	st.global.u32 [%rd1], 0;      // 0 p
	st.global.u32 [%rd1+4], 0;    // 1 p+4
	st.global.u64 [%rd1], 0;      // 2 p, 8 bytes
	st.global.u32 [%rd2], 0;      // 3 q
	st.global.u32 [table], 0;     // 4 table
	st.global.u32 [other], 0;     // 5 other
	st.u32 [%rd3], 0;             // 6 anything
	st.shared.u32 [dyn], 0;       // 7 dynamic
	st.shared.u32 [dyn2], 0;      // 8 dynamic too
	st.shared.u32 [word], 0;      // 9 static
	st.u32 [%rd1], 0;             // 10 p, generic
	ret;
}
`).Kernels()[0]
	refs := MemRefsOf(f)[1:]
	yes := map[[2]int]bool{
		{0, 2}: true, {0, 3}: true, {0, 4}: true, {0, 5}: true, {0, 6}: true, {0, 10}: true,
		{1, 2}: true, {1, 3}: true, {1, 4}: true, {1, 5}: true, {1, 6}: true,
		{2, 3}: true, {2, 4}: true, {2, 5}: true, {2, 6}: true, {2, 10}: true,
		{3, 4}: true, {3, 5}: true, {3, 6}: true, {3, 10}: true,
		{4, 6}: true, {4, 10}: true, {5, 6}: true, {5, 10}: true,
		{6, 7}: true, {6, 8}: true, {6, 9}: true, {6, 10}: true, {7, 8}: true,
	}
	distinct := func(p [2]int) bool { // what parameters that point to different objects rule out
		params := map[int]string{0: "p", 1: "p", 2: "p", 3: "q", 4: "table", 5: "other", 10: "p"}
		x, y := params[p[0]], params[p[1]]
		return x != "" && y != "" && x != y
	}
	for i := range refs {
		for j := i + 1; j < len(refs); j++ {
			p := [2]int{i, j}
			for _, opt := range []AliasOptions{{}, {Distinct: DistinctParams}} {
				want := yes[p] && (opt.Distinct == nil || !distinct(p))
				if got := MayAlias(refs[i], refs[j], opt); got != want || MayAlias(refs[j], refs[i], opt) != want {
					t.Errorf("%q and %q, distinct %t: %t, expected %t", refs[i].Inst.Text(), refs[j].Inst.Text(), opt.Distinct != nil, got, want)
				}
			}
		}
	}
}

func TestAliasClassesSeparate(t *testing.T) {
	corpus(t, func(t *testing.T, m *rewrite.Module) {
		for _, f := range m.Funcs {
			for _, opt := range []AliasOptions{{}, {Distinct: DistinctParams}} {
				c := aliasClassesOf(f, opt)
				for i := range c.refs {
					for j := range i {
						if c.class[i] != c.class[j] && MayAlias(c.refs[i], c.refs[j], opt) {
							t.Fatalf("%s: %q and %q may alias and are in classes %d and %d", f.Name, c.refs[i].Inst.Text(), c.refs[j].Inst.Text(), c.class[i], c.class[j])
						}
					}
				}
			}
		}
	})
}

// TestNarrowArguments: no part of an argument that is narrower than an address is one, also where memory carries it.
func TestNarrowArguments(t *testing.T) {
	for size, want := range map[int]string{4: "p+?", 7: "p+?", 8: "unknown", 16: "unknown"} {
		m := load(t, "k.ptx", header+fmt.Sprintf(`
.visible .entry k(.param .u64 p, .param .u64 q, .param .align 4 .b8 s[%d])
{
	.reg .b16 %%h; .reg .b32 %%r; .reg .b64 %%rd<5>;
	ld.param.u64 %%rd1, [p];
	ld.param.u64 %%rd2, [q];
	ld.param.u8 %%h, [s+1];
	st.global.u8 [%%rd2], %%h;
	ld.global.u32 %%r, [%%rd2+4];
	mul.wide.u32 %%rd3, %%r, 4;
	add.s64 %%rd4, %%rd1, %%rd3;
	st.global.u32 [%%rd4], 0;
	ret;
}
`, size))
		f := m.Funcs[0]
		last := f.Insts[len(f.Insts)-2]
		if got := RootsOf(f).Address(last, last.Access.Addr).String(); got != want {
			t.Errorf("%d bytes: the address of %s is %s, expected %s", size, last.Text(), got, want)
		}
	}
}
