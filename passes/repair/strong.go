// Strong accesses and atomic operations in place of weak accesses.

package repair

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// strong proposes relaxed accesses in place of the weak ones of the race.
func (p *proposer) strong() {
	var changes []Change
	extra := 0
	for _, in := range []*rewrite.Inst{p.r.First, p.r.Second} {
		if in.Strong() || in.Instr.Class != isa.ClassMemory || len(in.Accesses) != 1 {
			continue
		}
		if len(changes) == 0 || changes[0].At != in {
			changes = append(changes, Change{At: in, Place: Strengthen, Sem: isa.SemRelaxed, Scope: p.r.Scope()})
		}
	}
	if len(changes) == 0 {
		return
	}
	both := !p.r.First.Strong() && !p.r.Second.Strong()
	if both {
		extra = doubtful
	}
	e := p.add(Strong, p.scaled(costStrong)*len(changes)+extra, "cuda::atomic_ref, relaxed", changes...)
	e.Unordered = both
}

// atomic proposes an atomic operation in place of a load, a calculation and a store.
func (p *proposer) atomic() {
	for _, in := range []*rewrite.Inst{p.r.First, p.r.Second} {
		if u := p.at.updateOf(in); u != nil {
			p.add(Atomic, p.scaled(costAtomic), "atomic"+strings.ToUpper(u.op[:1])+u.op[1:]+"()", u.changes(p.r.Scope())...)
		}
	}
}

// update is a load, a calculation with what it loaded, and a store of the result to the same
// place.
type update struct {
	load, calc, store *rewrite.Inst
	op, value         string // of the calculation: the operation, and the other operand
	alone             bool   // nothing else uses what was loaded or calculated
}

// updateOf is the update that an access is part of, nil when there is none.
func (p *places) updateOf(in *rewrite.Inst) *update {
	if in.Func != p.f || in.Instr.Class != isa.ClassMemory || len(in.Operands) != 2 || in.Guard != nil {
		return nil
	}
	b := p.g.BlockOf[in.Index]
	for _, load := range p.f.Insts[b.Start:b.End] {
		if load.Access.Kind != isa.AccessLoad || load.Instr.Class != isa.ClassMemory || load.Guard != nil || load.Operands[0].Reg == nil {
			continue
		}
		if u := p.updateAt(load, b.End); u != nil && (u.load == in || u.store == in) {
			return u
		}
	}
	return nil
}

// updateAt is the update that begins with a load.
func (p *places) updateAt(load *rewrite.Inst, end int) *update {
	address := operandText(load, 1)
	u := &update{load: load}
	for _, in := range p.f.Insts[load.Index+1 : end] {
		switch {
		case u.calc == nil && reads(in, load.Operands[0].Reg):
			if len(in.Operands) != 3 || in.Guard != nil || in.Access.Kind != isa.AccessNone || in.Operands[0].Reg == nil {
				return nil
			}
			u.calc = in
		case u.calc != nil && in.Access.Kind == isa.AccessStore && in.Guard == nil && operandText(in, 0) == address && reads(in, u.calc.Operands[0].Reg):
			u.store = in
			return p.complete(u)
		case writesAny(in, &load.Operands[1]):
			return nil
		}
	}
	return nil
}

// complete fills in the operation of an update, nil when the calculation is none of two operands.
func (p *places) complete(u *update) *update {
	d, r := u.load.Operands[0].Reg, u.calc.Operands[0].Reg
	n := 1
	if u.calc.Operands[1].Reg != d {
		n = 2
	}
	if u.calc.Operands[n].Reg != d || u.calc.Operands[3-n].Reg == d {
		return nil
	}
	other := &u.calc.Operands[3-n]
	if slices.ContainsFunc(p.f.Insts[u.load.Index:u.store.Index], func(in *rewrite.Inst) bool { return writesAny(in, other) && in.Index > u.calc.Index }) {
		return nil
	}
	u.op, u.value = u.calc.Instr.Name, operandText(u.calc, 3-n)
	u.alone = p.uses(d) == 1 && p.uses(r) == 1
	if !u.alone && slices.ContainsFunc(p.f.Insts[u.load.Index:u.calc.Index], func(in *rewrite.Inst) bool { return writesAny(in, other) }) {
		return nil
	}
	return u
}

// changes makes the update one operation. Which operations there are, the check of the result
// knows.
func (u *update) changes(scope isa.Scope) []Change {
	words := []string{"red", isa.SemRelaxed.String(), scope.String()}
	for _, w := range strings.Split(opcode(u.load), ".") {
		if _, ok := isa.SpaceOf(w); ok {
			words = append(words, w)
		}
	}
	typ := u.calc.Type(0)
	if typ == isa.S64 {
		typ = isa.U64 // which atomic addition has
	}
	words = append(words, u.op, typ.String())
	address := operandText(u.load, 1)
	if u.alone {
		return []Change{
			{At: u.load, Place: Instead},
			{At: u.calc, Place: Instead},
			{At: u.store, Place: Instead, Text: strings.Join(words, ".") + " " + address + ", " + u.value + ";"},
		}
	}
	words[0] = "atom"
	return []Change{
		{At: u.load, Place: Instead, Text: strings.Join(words, ".") + " " + operandText(u.load, 0) + ", " + address + ", " + u.value + ";"},
		{At: u.store, Place: Instead},
	}
}

// uses counts the instructions that read a register.
func (p *places) uses(r *rewrite.Reg) (n int) {
	for _, in := range p.f.Insts {
		if reads(in, r) {
			n++
		}
	}
	return n
}

func reads(in *rewrite.Inst, r *rewrite.Reg) (found bool) {
	in.Uses(func(u *rewrite.Reg) { found = found || u == r })
	return found
}

// writesAny reports whether an instruction writes a register of an operand.
func writesAny(in *rewrite.Inst, o *rewrite.Operand) (found bool) {
	o.EachReg(func(r *rewrite.Reg) { found = found || in.Writes(r) })
	return found
}

// opcode is the opcode of an instruction with its modifiers.
func opcode(in *rewrite.Inst) string {
	word, _, _ := strings.Cut(in.Text(), " ")
	return word
}

// operandText is an operand as it is written.
func operandText(in *rewrite.Inst, n int) string {
	_, text, _ := strings.Cut(in.Text(), " ")
	depth, start := 0, 0
	for i, c := range text {
		switch c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',':
			if depth > 0 {
				continue
			}
			if n == 0 {
				return strings.TrimSpace(text[start:i])
			}
			n, start = n-1, i+1
		}
	}
	return strings.TrimSpace(text[start:])
}
