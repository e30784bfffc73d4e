// Tests of lifetimes and of copies that share the place of what they are copied from.

package lifetime

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// load returns the last function of a module.
func load(t *testing.T, text string) *rewrite.Func {
	t.Helper()
	tree, err := ptxgrammar.Parse("k.ptx", []byte(".version 9.0\n.target sm_90\n.address_size 64\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m.Funcs[len(m.Funcs)-1]
}

// paramUses are the indices of instructions that name .param variables.
func paramUses(f *rewrite.Func) map[*rewrite.Var][]int {
	uses := map[*rewrite.Var][]int{}
	var each func(i int, ops []rewrite.Operand)
	each = func(i int, ops []rewrite.Operand) {
		for _, o := range ops {
			if v, ok := o.Sym.(*rewrite.Var); ok {
				uses[v] = append(uses[v], i)
			}
			each(i, o.Elems)
		}
	}
	for i, in := range f.Insts {
		each(i, in.Operands)
	}
	return uses
}

func isMove(in *rewrite.Inst) bool {
	return in.Instr.Name == "mov" && in.Guard == nil && slices.Contains([]rewrite.OperandKind{rewrite.OperandReg, rewrite.OperandSpecial}, in.Operands[1].Kind)
}

// TestCopies has copies that can share a place, and copies that cannot.
func TestCopies(t *testing.T) {
	const kernel = ".visible .entry k(.param .u32 a)\n{\n.reg .b32 %r<9>; .reg .pred %p;\n"
	for _, c := range []struct{ name, text, want string }{
		{"both stay", "ld.param.u32 %r1, [a]; mov.u32 %r2, %r1; add.u32 %r3, %r2, %r1; ret;", "%r2=%r1"},
		{"special register", "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; ret;", "%r1=%tid"},
		{"copy of a copy", "ld.param.u32 %r1, [a]; mov.u32 %r2, %r1; mov.u32 %r3, %r2; add.u32 %r4, %r3, %r2; ret;", "%r2=%r1 %r3=%r1"},
		{"copy of a copied special register", "mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; add.u32 %r3, %r1, %r2; ret;", "%r1=%tid %r2=%r1"},
		{"original written while the copy is needed", "ld.param.u32 %r1, [a]; mov.u32 %r2, %r1; add.u32 %r1, %r1, 1; add.u32 %r3, %r2, %r1; ret;", ""},
		{"original written once, after its copy", "mov.u32 %r2, %r1; ld.param.u32 %r1, [a]; add.u32 %r3, %r2, %r1; ret;", ""},
		{"original written once, after the copy's last use", "mov.u32 %r2, %r1; add.u32 %r3, %r2, 1; ld.param.u32 %r1, [a]; ret;", "%r2=%r1"},
		{"copy written twice", "ld.param.u32 %r1, [a]; mov.u32 %r2, %r1; add.u32 %r2, %r2, 1; ret;", ""},
		{"copy read before", "ld.param.u32 %r1, [a]; add.u32 %r3, %r2, 1; mov.u32 %r2, %r1; add.u32 %r3, %r2, 1; ret;", ""},
		{"guarded", "ld.param.u32 %r1, [a]; @%p mov.u32 %r2, %r1; add.u32 %r3, %r2, 1; ret;", ""},
		{"copy from the round before", "L: add.u32 %r3, %r2, 1; ld.param.u32 %r1, [a]; mov.u32 %r2, %r1; setp.lt.u32 %p, %r3, 9; @%p bra L; ret;", ""},
		{"copy in each round", "ld.param.u32 %r1, [a]; L: mov.u32 %r2, %r1; add.u32 %r3, %r2, %r3; setp.lt.u32 %p, %r3, 9; @%p bra L; ret;", "%r2=%r1"},
		{"original of the round before", "L: mov.u32 %r2, %r1; add.u32 %r3, %r2, %r3; add.u32 %r1, %r3, 1; setp.lt.u32 %p, %r3, %r2; @%p bra L; ret;", ""},
		{"exchange", "ld.param.u32 %r1, [a]; L: mov.u32 %r2, %r1; mov.u32 %r1, %r3; mov.u32 %r3, %r2; setp.lt.u32 %p, %r3, 9; @%p bra L; ret;", ""},
	} {
		f := load(t, kernel+c.text+"\n}\n")
		lives := Of(f, paramUses(f))
		var got []string
		for _, c := range lives.Copies(f, isMove) {
			from := "%tid"
			if c.From != nil {
				from = c.From.Name
				if r := lives[c.From.Index]; !r.Shared && (r.To < lives[c.To.Index].To || r.From > c.At) {
					t.Errorf("%s lives from %d to %d, its copy to %d", from, r.From, r.To, lives[c.To.Index].To)
				}
			} else if c.Special.Special.Name != from {
				t.Errorf("copy of %s", c.Special.Special.Name)
			}
			if !lives[c.To.Index].Shared || f.Insts[c.At].Operands[0].Reg != c.To {
				t.Errorf("%s: %+v of %s", c.To.Name, lives[c.To.Index], f.Insts[c.At].Text())
			}
			got = append(got, c.To.Name+"="+from)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: copies are %q, want %q", c.name, s, c.want)
		}
	}
}

// TestPassed: a register loaded from a parameter is live from the beginning, one stored to a result to the end, and a
// result is not a copy; a register stored for a call is live until the call.
func TestPassed(t *testing.T) {
	f := load(t, `.func (.param .b32 r) g(.param .b32 a)
{
	.reg .b32 %r<9>;
	mov.u32 %r0, %tid.x;
	ld.param.u32 %r1, [a];
	mov.u32 %r2, %r1;
	{
	.param .b32 x; .param .b32 y;
	st.param.b32 [x], %r2;
	add.u32 %r4, %r1, 1;
	call (y), g, (x);
	ld.param.b32 %r3, [y];
	}
	mov.u32 %r5, %r3;
	st.param.b32 [r], %r5;
	ret;
}
`)
	lives := Of(f, paramUses(f))
	last := len(f.Insts)
	for name, want := range map[string][2]int{"%r1": {0, last}, "%r2": {2, 5}, "%r3": {6, 7}, "%r5": {7, last}} {
		i := slices.IndexFunc(f.Regs, func(r *rewrite.Reg) bool { return r.Name == name })
		if r := lives[i]; r.From != want[0] || r.To != want[1] {
			t.Errorf("%s lives from %d to %d, want %v", name, r.From, r.To, want)
		}
	}
	var to []string
	for _, c := range lives.Copies(f, isMove) {
		to = append(to, c.To.Name)
	}
	if want := []string{"%r0", "%r2"}; !slices.Equal(to, want) {
		t.Errorf("copies %v, want %v", to, want)
	}
}
