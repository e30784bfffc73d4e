// Strong accesses and atomic operations in place of weak accesses.

package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// strong proposes relaxed accesses in place of the weak ones of the race. It excludes pairs of accesses in updates,
// where an update could be lost without a race, and pairs of writes one of which may be lost if no result shows whether
// it is.
func (p *proposer) strong() {
	a, b := p.r.First, p.r.Second
	both := !a.Strong() && !b.Strong()
	lossy := p.r.Lossy()
	if lossy && !p.r.Compared || both && p.at.updates(a) && p.at.updates(b) {
		return
	}
	var changes []Change
	for _, in := range []*rewrite.Inst{a, b} {
		c := Change{At: in, Place: Strengthen, Sem: isa.SemRelaxed, Scope: p.r.Scope()}
		if weak(in) && !slices.Contains(changes, c) {
			changes = append(changes, c)
		}
	}
	if len(changes) == 0 {
		return
	}
	extra := 0
	if both {
		extra = doubtful
	}
	e := p.add(Strong, p.scaled(costStrong)*len(changes)+extra, "cuda::atomic_ref, relaxed", changes...)
	e.Unordered = both || lossy
}

// Lossy reports whether the accesses are writes whose result depends on their order because one may be lost: a store
// over an addition, say. An exchange is meant to be overwritten, and so is a compare-and-swap from one constant to
// another, as of a lock.
func (r *Race) Lossy() bool {
	a, b := r.First, r.Second
	stores := a.Access.Kind == isa.AccessStore && b.Access.Kind == isa.AccessStore
	store := a.Access.Kind == isa.AccessStore || b.Access.Kind == isa.AccessStore
	if !store || !a.Access.Writes() || !b.Access.Writes() || exchanges(a) || exchanges(b) {
		return false
	}
	x, y := constant(a, 1), constant(b, 1)
	return !stores || x == "" || x != y
}

// exchanges reports whether an atomic operation writes a value that does not depend on the old one.
func exchanges(in *rewrite.Inst) bool {
	return in.Access.AtomOp == "exch" || in.Access.AtomOp == "cas" && len(in.Operands) == 4 && constant(in, 2) != "" &&
		constant(in, 3) != ""
}

// constant returns the immediate value of an operand, given directly or as the only value of a register; "" if it has
// none.
func constant(in *rewrite.Inst, n int) string {
	if o := Immediate(in, n); o != nil {
		return fmt.Sprint(o.Imm, o.Float)
	}
	return ""
}

// Immediate returns the immediate operand itself, or the one that is the only value of a register; nil if there is
// none.
func Immediate(in *rewrite.Inst, n int) *rewrite.Operand {
	if n >= len(in.Operands) {
		return nil
	}
	o := &in.Operands[n]
	if from := copied(in.Func, o.Reg); from != nil {
		o = from
	}
	if o.Kind != rewrite.OperandImm {
		return nil
	}
	return o
}

// weak reports whether an instruction is a weak load or store that can be made strong.
func weak(in *rewrite.Inst) bool {
	return !in.Strong() && in.Instr.Class == isa.ClassMemory && len(in.Accesses) == 1 &&
		in.Access.Kind != isa.AccessNone
}

// atomic proposes an atomic operation in place of a load, a calculation and a store.
func (p *proposer) atomic() {
	for _, in := range []*rewrite.Inst{p.r.First, p.r.Second} {
		if u := p.at.updateOf(in); u != nil {
			p.add(Atomic, p.scaled(costAtomic), atomicAdvice(u.op), u.changes(p.r.Scope())...)
		}
		if in.Func != p.at.f {
			continue
		}
		if k := p.at.keptOf(in); k != nil {
			p.add(Atomic, p.scaled(costAtomic)*len(k.stores)+p.scaled(costStrong)*len(k.loads), atomicAdvice(k.op),
				k.changes(p.r.Scope())...)
		}
	}
}

// atomicAdvice returns the function of an atomic operation in CUDA C++.
func atomicAdvice(op string) string { return "atomic" + strings.ToUpper(op[:1]) + op[1:] + "()" }

// update is a load, an operation on the loaded value, and a store of the result to the same address.
type update struct {
	load, calc, store *rewrite.Inst
	op, value         string // the operation, and its other operand
	alone             bool   // the loaded value and the result have no other uses
}

// updateOf returns the update that an access is part of, nil if there is none.
func (p *places) updateOf(in *rewrite.Inst) *update {
	if in.Func != p.f || in.Instr.Class != isa.ClassMemory || len(in.Operands) != 2 || in.Guard != nil {
		return nil
	}
	b := p.g.BlockOf[in.Index]
	for _, load := range p.f.Insts[b.Start:b.End] {
		if load.Access.Kind != isa.AccessLoad || load.Instr.Class != isa.ClassMemory || load.Guard != nil ||
			load.Operands[0].Reg == nil {
			continue
		}
		if u := p.updateAt(load, b.End); u != nil && (u.load == in || u.store == in) {
			return u
		}
	}
	return nil
}

// updateAt returns the update that begins with a load.
func (p *places) updateAt(load *rewrite.Inst, end int) *update {
	address := OperandText(load, 1)
	u := &update{load: load}
	for _, in := range p.f.Insts[load.Index+1 : end] {
		switch {
		case u.calc == nil && reads(in, load.Operands[0].Reg):
			if len(in.Operands) != 3 || in.Guard != nil || in.Access.Kind != isa.AccessNone ||
				in.Operands[0].Reg == nil {
				return nil
			}
			u.calc = in
		case u.calc != nil && in.Access.Kind == isa.AccessStore && in.Guard == nil && OperandText(in, 0) == address &&
			reads(in, u.calc.Operands[0].Reg):
			u.store = in
			return p.complete(u)
		case writesAny(in, &load.Operands[1]) || u.calc == nil && in.Writes(load.Operands[0].Reg) ||
			u.calc != nil && in.Writes(u.calc.Operands[0].Reg):
			return nil
		}
	}
	return nil
}

// complete sets the operation of an update; it returns nil if that does not have two operands.
func (p *places) complete(u *update) *update {
	if size := u.calc.Type(0).Size(); u.load.Type(0).Size() != size || u.store.Type(0).Size() != size {
		return nil
	}
	d, r := u.load.Operands[0].Reg, u.calc.Operands[0].Reg
	n := 1
	if u.calc.Operands[1].Reg != d {
		n = 2
	}
	if u.calc.Operands[n].Reg != d || u.calc.Operands[3-n].Reg == d {
		return nil
	}
	other := &u.calc.Operands[3-n]
	if slices.ContainsFunc(p.f.Insts[u.load.Index:u.store.Index],
		func(in *rewrite.Inst) bool { return writesAny(in, other) && in.Index > u.calc.Index }) {
		return nil
	}
	u.op, u.value = u.calc.Instr.Name, OperandText(u.calc, 3-n)
	u.alone = p.uses(d) == 1 && p.uses(r) == 1
	if !u.alone && slices.ContainsFunc(p.f.Insts[u.load.Index:u.calc.Index],
		func(in *rewrite.Inst) bool { return writesAny(in, other) }) {
		return nil
	}
	return u
}

// changes returns the change to a single atomic operation. Whether that operation exists is checked with the result.
func (u *update) changes(scope isa.Scope) []Change {
	words := stronglyAtomic("red", scope, u.load, u.op, atomicType(u.calc).String())
	address := OperandText(u.load, 1)
	if u.alone {
		return []Change{
			{At: u.load, Place: Instead},
			{At: u.calc, Place: Instead},
			{At: u.store, Place: Instead, Text: strings.Join(words, ".") + " " + address + ", " + u.value + ";"},
		}
	}
	words[0] = "atom"
	return []Change{
		{At: u.load, Place: Instead, Text: strings.Join(words, ".") + " " + OperandText(u.load, 0) + ", " + address + ", " + u.value + ";"},
		{At: u.store, Place: Instead},
	}
}

// spaceWords returns the modifiers of an instruction that name a state space.
func spaceWords(in *rewrite.Inst) (words []string) {
	for _, w := range strings.Split(in.Opcode(), ".") {
		if _, ok := isa.SpaceOf(w); ok {
			words = append(words, w)
		}
	}
	return words
}

// atomicType returns the type of an atomic operation for a calculation.
func atomicType(calc *rewrite.Inst) isa.Type {
	if t := calc.Type(0); t != isa.S64 || calc.Instr.Calc != isa.CalcAdd {
		return t
	}
	return isa.U64 // the type of atomic addition
}

// coherent proposes ordinary loads in place of those of read-only data (ld.global.nc, ldu). What else orders the
// accesses, or is missing, counts from then on.
func (p *proposer) coherent() {
	for _, in := range []*rewrite.Inst{p.r.First, p.r.Second} {
		if in.Proxy() != isa.ProxyReadOnly {
			continue
		}
		opcode, operands, _ := strings.Cut(in.Text(), " ")
		words := slices.DeleteFunc(strings.Split(opcode, "."), func(w string) bool { return w == "nc" })
		words[0] = "ld"
		e := p.add(Coherent, costStrong, "an ordinary load, without __ldg, or const or __restrict__ of the pointer",
			Change{At: in, Place: Instead, Text: guardText(in) + strings.Join(words, ".") + suffix(operands) + ";"})
		e.Named = true
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

// OperandText returns an operand as written.
func OperandText(in *rewrite.Inst, n int) string {
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
