// Weak stores whose value is the same in all threads of a launch.

package address

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Marks returns the weak scalar stores of f that store the same value in all threads of a launch, as "changed = 1" and
// "visited[v] = 1" do. The result maps each to a text. Stores with equal texts store equal values of one size, and are
// in one source line or store to one address.
//
// Immediates, parameters of the kernel, addresses of variables, and values computed from these alone are the same in
// all threads.
func Marks(f *rewrite.Func) map[*rewrite.Inst]string {
	return f.Memo(marksKey{}, func() any { return newMarks(f) }).(map[*rewrite.Inst]string)
}

// marksKey is the key under which a function caches its Marks.
type marksKey struct{}

// maxConstantSteps limits the number of instructions that are followed to find one value.
const maxConstantSteps = 16

// constants finds the texts of values of a function.
type constants struct {
	f     *rewrite.Func
	v     *rewrite.SSA // made when the first register is looked up
	steps int          // left for the store in progress
}

func newMarks(f *rewrite.Func) map[*rewrite.Inst]string {
	out := make(map[*rewrite.Inst]string)
	c := constants{f: f}
	for _, in := range f.Insts {
		if in.Access.Kind != isa.AccessStore || in.Instr.Calc != isa.CalcStore || in.Strong() {
			continue
		}
		switch in.Access.Space {
		case isa.SpaceGlobal, isa.SpaceShared, isa.SpaceNone:
		default:
			continue
		}
		stored := in.Value()
		if stored == nil {
			continue
		}
		c.steps = maxConstantSteps
		if value, ok := c.operand(in, stored); ok {
			out[in] = fmt.Sprint(in.Access.Size, " ", value, " ", c.place(in))
		}
	}
	return out
}

// place returns the text of the address of a store if it is the same in all threads, and otherwise that of its source
// line.
func (c *constants) place(in *rewrite.Inst) string {
	o := &in.Operands[in.Access.Addr]
	base := ""
	if o.Sym != nil {
		base = c.symbol(o.Sym)
	}
	if o.Kind == rewrite.OperandAddr && len(o.Elems) == 0 {
		if o.Reg == nil {
			return fmt.Sprint("[", base, "+", o.Off, "]")
		}
		c.steps = maxConstantSteps
		if address, ok := c.register(in, o.Reg); ok {
			return fmt.Sprint("[", base, "+", address, "+", o.Off, "]")
		}
	}
	if in.Loc != nil && in.Loc.Line != 0 {
		return fmt.Sprint(c.f.Name, " ", in.Loc.File, ":", in.Loc.Line)
	}
	return fmt.Sprint(c.f.Name, " ", in.Index)
}

// operand returns the text of the value of an operand that an instruction reads, and whether the value is the same in
// all threads.
func (c *constants) operand(in *rewrite.Inst, o *rewrite.Operand) (text string, ok bool) {
	switch {
	case o.Kind == rewrite.OperandImm:
		return fmt.Sprintf("%#x %t %t", o.Imm, o.Float, o.Single), true
	case o.Kind == rewrite.OperandSymbol && o.Sym != nil:
		return fmt.Sprint(c.symbol(o.Sym), "+", o.Off), true
	case o.Kind != rewrite.OperandReg || o.Reg == nil || o.Reg.Vec > 1:
		return "", false
	}
	text, ok = c.register(in, o.Reg)
	return fmt.Sprint(strings.Repeat("!", count(o.Not)), strings.Repeat("-", count(o.Neg)), text), ok
}

// symbol returns the text of a name.
func (c *constants) symbol(s rewrite.Symbol) string {
	if v, ok := s.(*rewrite.Var); ok && v.Func == nil {
		return v.Name
	}
	return c.f.Name + "." + s.SymbolName()
}

// register is operand for a register.
func (c *constants) register(in *rewrite.Inst, r *rewrite.Reg) (text string, ok bool) {
	if c.v == nil {
		c.v = c.f.SSA()
	}
	n := c.v.Use(in, r)
	if n == rewrite.NoValue {
		return "", false
	}
	v := &c.v.Values[n]
	if v.Kind != rewrite.SSAWrite || v.Old != rewrite.NoValue {
		return "", false
	}
	return c.result(v.Inst)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// result returns the text of what an instruction computes.
func (c *constants) result(in *rewrite.Inst) (text string, ok bool) {
	if c.steps--; c.steps < 0 {
		return "", false
	}
	results := 0
	in.Defs(func(*rewrite.Reg) { results++ })
	switch calc := in.Instr.Calc; {
	case results != 1:
		return "", false
	case calc == isa.CalcLoad:
		from := &in.Operands[in.Access.Addr]
		v, _ := from.Sym.(*rewrite.Var)
		if in.Access.Space != isa.SpaceParam || !c.f.Entry || v == nil || from.Reg != nil || !c.f.Formal(v) {
			return "", false
		}
		return fmt.Sprintf("%s %s.%s+%d", in.Opcode(), c.f.Name, v.Name, from.Off), true
	case calc == isa.CalcCopy || calc == isa.CalcConvertAddress && in.Space == isa.SpaceGlobal:
		return c.operand(in, &in.Operands[1])
	case calc == isa.CalcNone || calc >= isa.CalcAddress || in.Effects() != 0 || len(in.Accesses) > 0:
		return "", false
	}
	words := []string{in.Opcode()}
	for n := range in.Operands {
		if in.Role(n) == isa.RoleDst {
			continue
		}
		word, ok := c.operand(in, &in.Operands[n])
		if !ok {
			return "", false
		}
		words = append(words, word)
	}
	return "(" + strings.Join(words, ", ") + ")", true
}
