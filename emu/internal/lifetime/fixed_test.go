// Tests of instructions whose results are the same in every block.

package lifetime

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
)

// TestFixed has instructions whose results are the same in every block, and others. Of special registers, %tid is
// fixed.
func TestFixed(t *testing.T) {
	computes := func(in *rewrite.Inst, known func(*rewrite.Reg) bool) bool {
		switch in.Instr.Name {
		case "ld":
			return in.Guard == nil
		case "add", "mov", "setp":
		default:
			return false
		}
		for i := range in.Operands[1:] {
			switch op := &in.Operands[1+i]; op.Kind {
			case rewrite.OperandReg:
				if !known(op.Reg) {
					return false
				}
			case rewrite.OperandSpecial:
				if op.Special.Name != "%tid" {
					return false
				}
			}
		}
		return in.Guard == nil
	}
	for _, c := range []struct{ name, text, want string }{
		{"parameter and sum", "ld.param.u32 %r1, [a]; add.u32 %r2, %r1, 1; setp.lt.u32 %p, %r2, 9; ret;", "%r1 %r2 %p"},
		{"a copy lives where its source does", "ld.param.u32 %r1, [a]; mov.u32 %r2, %r1; add.u32 %r3, %r2, 1; ret;", "%r1 %r3"},
		{"special registers", "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; mov.u32 %r3, %ctaid.x; add.u32 %r4, %r3, 1; ret;", "%r2"},
		{"written twice", "ld.param.u32 %r1, [a]; add.u32 %r2, %r1, 1; add.u32 %r2, %r2, 1; ret;", "%r1"},
		{"guarded", "ld.param.u32 %r1, [a]; setp.lt.u32 %p, %r1, 9; @%p add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; ret;", "%r1 %p"},
		{"not written on one path", "ld.param.u32 %r1, [a]; setp.lt.u32 %p, %r1, 9; @%p bra L; add.u32 %r2, %r1, 1; L: add.u32 %r3, %r2, 1; ret;", "%r1 %p"},
		{"on one path only", "ld.param.u32 %r1, [a]; setp.lt.u32 %p, %r1, 9; @%p bra L; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; L: ret;", "%r1 %p %r2 %r3"},
		{"in a loop", "L: ld.param.u32 %r1, [a]; add.u32 %r2, %r2, %r1; setp.lt.u32 %p, %r2, 9; @%p bra L; ret;", "%r1"},
		{"of the round before", "ld.param.u32 %r1, [a]; L: add.u32 %r3, %r2, 1; add.u32 %r2, %r1, 1; setp.lt.u32 %p, %r3, 9; @%p bra L; ret;", "%r1"},
		{"no more than most", "ld.param.u32 %r1, [a]; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; add.u32 %r4, %r3, 1; add.u32 %r5, %r1, 1; ret;", "%r1 %r2 %r3 %r4"},
	} {
		f := load(t, ".visible .entry k(.param .u32 a)\n{\n.reg .b32 %r<9>; .reg .pred %p;\n"+c.text+"\n}\n")
		lives := Of(f, paramUses(f))
		lives.Copies(f, isMove)
		var got []string
		for _, i := range lives.Fixed(f, 4, computes) {
			to := f.Insts[i].Operands[0].Reg
			if r := lives[to.Index]; r.From != 0 || r.To != len(f.Insts) {
				t.Errorf("%s: %s lives from %d to %d", c.name, to.Name, r.From, r.To)
			}
			got = append(got, to.Name)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: fixed are %q, want %q", c.name, s, c.want)
		}
	}
}
