// Updates over several instructions: of a value kept in a register, and of one stored after a comparison.

package repair

import (
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// accumulator is all loads and stores of one address, where each store updates the value of a load: compilers load a
// value once before a loop that updates it, and store it in each iteration.
type accumulator struct {
	loads, stores []*rewrite.Inst
	atomics       []string // for each store: the operation without semantics and scope, such as max.s32 [%rd1], %r2
	op            string
}

// keptOf returns the update that an access is part of, nil if there is none. The address must be a variable, or in a
// register that is written once.
func (p *places) keptOf(in *rewrite.Inst) *accumulator {
	k := &accumulator{}
	address := p.fixedAddress(in)
	if address == "" {
		return nil
	}
	for _, x := range p.f.Insts {
		switch {
		case p.fixedAddress(x) != address:
		case x.Access.Kind == isa.AccessLoad:
			k.loads = append(k.loads, x)
		default:
			k.stores = append(k.stores, x)
		}
	}
	if len(k.loads) == 0 || len(k.stores) == 0 {
		return nil
	}
	for _, s := range k.stores {
		text := p.storedUpdate(k, s)
		if text == "" {
			return nil
		}
		k.atomics = append(k.atomics, text)
	}
	return k
}

// fixedAddress returns the address of a load or store of a scalar, "" for other instructions and if the address
// changes.
func (p *places) fixedAddress(in *rewrite.Inst) string {
	n := 1
	switch {
	case in.Instr.Class != isa.ClassMemory || len(in.Operands) != 2 || len(in.Accesses) != 1:
		return ""
	case in.Access.Kind == isa.AccessStore:
		n = 0
	case in.Access.Kind != isa.AccessLoad || in.Operands[0].Reg == nil:
		return ""
	}
	if in.Operands[n].Reg != nil && p.only(in.Operands[n].Reg) == nil {
		return ""
	}
	return OperandText(in, n)
}

// storedUpdate returns the atomic operation that replaces a store, "" if there is none.
func (p *places) storedUpdate(k *accumulator, s *rewrite.Inst) string {
	op, typ, value := p.calculated(k, s)
	if op == "" {
		op, typ = p.compared(k, s)
		value = OperandText(s, 1)
	}
	if op == "" || k.op != "" && k.op != op {
		return ""
	}
	k.op = op
	if slices.ContainsFunc(slices.Concat(k.loads, []*rewrite.Inst{s}),
		func(in *rewrite.Inst) bool { return in.Type(0).Size() != typ.Size() }) {
		return ""
	}
	return op + "." + typ.String() + " " + OperandText(s, 0) + ", " + value
}

// calculated returns the operation for a store of the minimum, maximum, conjunction, disjunction or sum of a loaded
// value and other values. For a sum, each intermediate result must be stored: the operation adds the last summand.
func (p *places) calculated(k *accumulator, s *rewrite.Inst) (op string, typ isa.Type, value string) {
	v := s.Operands[1].Reg
	f := p.flowFrom(k)
	if v == nil || !f.from(v) || !f.reached || len(f.calcs) == 0 {
		return "", 0, ""
	}
	calc := f.calcs[0]
	if calc.Instr.Calc != isa.CalcAdd {
		return calc.Instr.Name, calc.Type(0), OperandText(s, 1)
	}
	for _, c := range f.calcs {
		if !slices.ContainsFunc(k.stores, func(x *rewrite.Inst) bool {
			return p.lastWrite(x,
				x.Operands[1].Reg) == c
		}) {
			return "", 0, ""
		}
	}
	last := p.lastWrite(s, v)
	if !slices.Contains(f.calcs, last) {
		return "", 0, ""
	}
	n := 1
	if f.seen[last.Operands[1].Reg] {
		n = 2
	}
	added := &last.Operands[n]
	if added.Reg != nil && (f.seen[added.Reg] || slices.ContainsFunc(p.f.Insts[last.Index:s.Index],
		func(in *rewrite.Inst) bool { return in.Writes(added.Reg) })) {
		return "", 0, ""
	}
	return last.Instr.Name, atomicType(last), OperandText(last, n)
}

// lastWrite returns the last instruction before another, in the same basic block, that writes a register; nil if there
// is none.
func (p *places) lastWrite(in *rewrite.Inst, r *rewrite.Reg) *rewrite.Inst {
	for i := in.Index - 1; r != nil && i >= p.g.BlockOf[in.Index].Start; i-- {
		if p.f.Insts[i].Writes(r) {
			return p.f.Insts[i]
		}
	}
	return nil
}

// compared returns max or min for a store that is executed only if the loaded value is less or greater than the stored
// one.
func (p *places) compared(k *accumulator, s *rewrite.Inst) (op string, typ isa.Type) {
	guard, holds := s.Guard, !s.GuardNot
	if guard == nil {
		b := p.g.BlockOf[s.Index]
		if len(b.Preds) != 1 || p.forks(b.Preds[0]) == nil {
			return "", 0
		}
		branch := p.forks(b.Preds[0])
		guard, holds = branch.Guard, (b.Preds[0].Succs[0] == b) != branch.GuardNot
	}
	test := p.only(guard)
	if test == nil || len(test.Operands) != 3 {
		return "", 0
	}
	c, ok := test.Comparison()
	if !ok || test.Guard != nil {
		return "", 0
	}
	for n := 1; n <= 2; n++ {
		f := p.flowFrom(k)
		r := test.Operands[n].Reg
		if r == nil || !f.from(r) || len(f.calcs) > 0 || OperandText(test, 3-n) != OperandText(s, 1) {
			continue
		}
		less, greater := c.Less == holds, c.Greater == holds
		if n == 2 {
			less, greater = greater, less
		}
		switch {
		case less && !greater:
			return "max", test.Type(0)
		case greater && !less:
			return "min", test.Type(0)
		}
	}
	return "", 0
}

// flow follows values backwards, through copies and operations of one kind, to loads or to stored values: a register
// that is copied from one of these holds what is in memory then.
type flow struct {
	p       *places
	of      *accumulator
	calcs   []*rewrite.Inst
	seen    map[*rewrite.Reg]bool
	reached bool
}

func (p *places) flowFrom(k *accumulator) *flow {
	return &flow{p: p, of: k, seen: make(map[*rewrite.Reg]bool)}
}

// from reports whether all values written to a register are loaded, or calculated from such values.
func (x *flow) from(r *rewrite.Reg) bool {
	if x.seen[r] {
		return true
	}
	x.seen[r] = true
	return !slices.ContainsFunc(x.p.f.Writers(r), func(in *rewrite.Inst) bool { return !x.through(in) })
}

func (x *flow) through(in *rewrite.Inst) bool {
	switch {
	case slices.Contains(x.of.loads, in):
		x.reached = true
		return true
	case in.Guard != nil:
		return false
	case in.Instr.Calc == isa.CalcCopy && len(in.Operands) == 2 && in.Operands[1].Reg != nil:
		from := in.Operands[1].Reg
		return slices.ContainsFunc(x.of.stores, func(s *rewrite.Inst) bool { return s.Operands[1].Reg == from }) ||
			x.from(from)
	case len(in.Operands) != 3 || !slices.Contains([]isa.Calc{
		isa.CalcMin, isa.CalcMax, isa.CalcAnd, isa.CalcOr,
		isa.CalcAdd,
	}, in.Instr.Calc):
		return false
	case len(x.calcs) > 0 && (x.calcs[0].Instr.Calc != in.Instr.Calc || x.calcs[0].Type(0) != in.Type(0)):
		return false
	}
	x.calcs = append(x.calcs, in)
	for _, o := range in.Operands[1:] {
		if o.Reg == nil {
			continue
		}
		y := &flow{p: x.p, of: x.of, calcs: slices.Clone(x.calcs), seen: maps.Clone(x.seen), reached: x.reached}
		if y.from(o.Reg) {
			*x = *y
			return true
		}
	}
	return false
}

// changes returns changes that make the loads strong and the stores atomic operations.
func (k *accumulator) changes(scope isa.Scope) (list []Change) {
	for _, in := range k.loads {
		if !in.Strong() {
			list = append(list, Change{At: in, Place: Strengthen, Sem: isa.SemRelaxed, Scope: scope})
		}
	}
	for i, in := range k.stores {
		list = append(list, Change{
			At: in, Place: Instead,
			Text: guardText(in) + strings.Join(stronglyAtomic("red", scope, in, k.atomics[i]), ".") + ";",
		})
	}
	return list
}

// updates reports whether an access is part of an update of its address.
func (p *places) updates(in *rewrite.Inst) bool {
	return in.Func == p.f && (p.updateOf(in) != nil || p.keptOf(in) != nil)
}
