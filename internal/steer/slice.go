// Backward slices: the sources from which an operand's value may be computed.

package steer

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Rounds is the Order of values that are computed from one round of a wait loop to the next.
const Rounds = "the number of rounds of a wait loop"

// slicer collects the sources of some operands.
type slicer struct {
	w    *Flow
	seen *visits
	work []int32 // nodes, doubled; plus one if the value is an offset away
	out  map[Source]bool
}

// visits has for each node, and whether its value is an offset away, the last slice that has visited it.
type visits struct {
	last  []uint32
	slice uint32
}

func (w *Flow) slicer() *slicer { return w.slicerBy(&w.seen) }

func (w *Flow) slicerBy(v *visits) *slicer {
	v.slice++
	return &slicer{w: w, seen: v, out: make(map[Source]bool)}
}

// step expands a node, and reports whether there was one.
func (s *slicer) step() bool {
	if len(s.work) == 0 || s.w.Exceeded() {
		return false
	}
	s.w.steps++
	n := s.work[len(s.work)-1]
	s.work = s.work[:len(s.work)-1]
	s.expand(n>>1, n&1 != 0)
	return true
}

// sourceless reports whether what an instruction reads in an operand comes from no source.
func (w *Flow) sourceless(in *rewrite.Inst, o *rewrite.Operand) bool {
	s := w.slicerBy(&w.around)
	s.operand(in, o, false)
	if len(s.work) != 1 {
		return len(s.work) == 0 && len(s.out) == 0
	}
	node := s.work[0] >> 1
	plain, known := w.plain[node]
	if !known {
		for len(s.out) == 0 && s.step() {
		}
		plain = len(s.out) == 0
		w.plain[node] = plain
	}
	return plain
}

// sources returns what the slicer has found, in the order of the text.
func (s *slicer) sources() []Source {
	for s.step() {
	}
	list := make([]Source, 0, len(s.out))
	for x := range s.out {
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b Source) int {
		if a.Inst == nil || b.Inst == nil {
			return cmp.Or(b2i(a.Inst != nil)-b2i(b.Inst != nil), cmp.Compare(a.Order, b.Order),
				b2i(a.Param != nil)-b2i(b.Param != nil))
		}
		return cmp.Or(cmp.Compare(s.w.index[a.Inst.Func], s.w.index[b.Inst.Func]), a.Inst.Index-b.Inst.Index,
			cmp.Compare(a.Order, b.Order), b2i(a.Undefined)-b2i(b.Undefined))
	})
	return list
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// visit adds a node, of a value that is the wanted one, or that plus a number.
func (s *slicer) visit(node int32, offset bool) {
	if node < 0 {
		return
	}
	at := 2 * node
	if offset {
		at++
	}
	if v := s.seen; v.last[at] != v.slice && v.last[2*node] != v.slice {
		v.last[at] = v.slice
		s.work = append(s.work, at)
	}
}

// operand adds what an instruction reads in an operand.
func (s *slicer) operand(in *rewrite.Inst, o *rewrite.Operand, offset bool) {
	if o.Reg != nil {
		i := s.w.index[in.Func]
		if val := s.w.ssa[i].Use(in, o.Reg); val != rewrite.NoValue {
			s.value(in.Func, val, in.Func.CFG().BlockOf[in.Index], offset && o.Kind != rewrite.OperandSum)
		}
	}
	if o.Kind == rewrite.OperandSpecial {
		if o.Special.Volatile {
			s.out[Source{Inst: in, Order: o.Special.Name}] = true
		}
		if s.w.launched && o.Special.Launched {
			s.out[Source{Inst: in, Grid: true}] = true
		}
	}
	for i := range o.Elems {
		s.operand(in, &o.Elems[i], false)
	}
}

// guard adds the guard of an instruction.
func (s *slicer) guard(in *rewrite.Inst) {
	if in.Guard != nil {
		s.operand(in, &rewrite.Operand{Kind: rewrite.OperandReg, Reg: in.Guard}, false)
	}
}

// expand adds what the value of a node is computed from.
func (s *slicer) expand(node int32, offset bool) {
	if node >= s.w.first {
		if p := s.w.params[node]; p != nil {
			s.out[Source{Param: p}] = true
		}
		for _, x := range s.w.into[node-s.w.first] {
			if x.o != nil {
				s.operand(x.in, x.o, offset)
			} else {
				s.visit(x.node, offset)
			}
			if x.in != nil {
				s.guard(x.in)
			}
			if x.returned {
				s.outside(x.in)
			}
		}
		return
	}
	i, val := s.w.of(node)
	f, v := s.w.Funcs[i], &s.w.ssa[i].Values[val]
	s.inputs(f, v, offset)
	switch v.Kind {
	case rewrite.SSAEntry:
		s.entered(f, v.Reg, offset)
	case rewrite.SSAPhi:
		for _, branch := range slices.Concat(s.w.under[v.Block], s.w.behind[v.Block]) {
			s.guard(branch)
		}
		if loop, ok := s.w.spins[v.Block]; ok {
			s.out[Source{Inst: loop.test, Order: Rounds}] = true
		} else if test := s.w.met[v.Block]; test != nil {
			s.out[Source{Inst: test, Order: Rounds}] = true
		}
	case rewrite.SSAWrite:
		s.guard(v.Inst)
		s.result(v.Inst, v.Reg, offset)
	}
}

// inputs adds the values from which a value may be chosen.
func (s *slicer) inputs(f *rewrite.Func, v *rewrite.SSAValue, offset bool) {
	if v.Old != rewrite.NoValue {
		s.value(f, v.Old, f.CFG().BlockOf[v.Inst.Index], offset)
	}
	for k, from := range v.In {
		switch {
		case from == rewrite.NoValue:
		case k < len(v.Block.Preds):
			s.value(f, from, v.Block.Preds[k], offset)
		default: // the start of the function
			s.visit(s.w.base[s.w.index[f]]+from, offset)
		}
	}
}

// entered adds where what a register contains at the start of a function comes from: an argument, or nothing.
func (s *slicer) entered(f *rewrite.Func, r *rewrite.Reg, offset bool) {
	for _, p := range f.Params {
		if p.Reg == r {
			s.visit(s.w.node(p), offset)
			return
		}
	}
	s.out[Source{Order: "register " + r.Name + ", which may not have been written,"}] = true
}

// result adds what an instruction computes the value of a register from.
func (s *slicer) result(in *rewrite.Inst, r *rewrite.Reg, offset bool) {
	if c, ok := in.Call(); ok {
		s.returned(in, &c, r, offset)
		return
	}
	if what := s.w.differs(in); what != "" {
		s.out[Source{Inst: in, Order: what}] = true
	}
	if m := in.Mbarrier(); m != isa.MbarrierNone {
		return // of the operands, none reaches the result
	}
	if in.Effects().Has(isa.Shuffles) && in.Has("sync") {
		s.out[Source{Inst: in, Undefined: true}] = true
	}
	shared := readsShared(in)
	if in.Access.Kind == isa.AccessLoad {
		nodes, also := s.w.places(in)
		for _, n := range nodes {
			if s.visit(n, offset); s.w.local[n] {
				s.out[Source{Inst: in, Undefined: true}] = true
			}
		}
		shared = shared && also
	}
	if shared {
		s.out[Source{Inst: in, Offset: offset}] = true
	}
	if in.Effects().Has(isa.ReadsCarry) {
		s.carry(in)
	}
	for n := range in.Operands {
		if computes(in, n) {
			s.operand(in, &in.Operands[n], offset && s.w.keeps(in, n))
		}
	}
}

// returned adds what the functions that a call may execute return in a register.
func (s *slicer) returned(in *rewrite.Inst, c *rewrite.Call, r *rewrite.Reg, offset bool) {
	for i := range c.Returns {
		if c.Returns[i].Reg != r {
			continue
		}
		for _, f := range targets(in.Func.Module, c) {
			if f.Defined() && i < len(f.Returns) {
				s.visit(s.w.node(f.Returns[i]), offset)
				s.register(f, f.Returns[i].Reg)
			}
		}
	}
	s.outside(in)
}

// register adds all values of a register of a function, which it returns.
func (s *slicer) register(f *rewrite.Func, r *rewrite.Reg) {
	if r == nil {
		return
	}
	for i := range f.SSA().Values {
		if f.SSA().Values[i].Reg == r {
			s.visit(s.w.base[s.w.index[f]]+int32(i), false)
		}
	}
}

// outside adds what functions without a body return to a call.
func (s *slicer) outside(in *rewrite.Inst) {
	c, _ := in.Call()
	for _, f := range targets(in.Func.Module, &c) {
		if !f.Defined() && !harmless[f.Name] {
			s.out[Source{Inst: in, Order: "the result of " + f.Name}] = true
		}
	}
}

// carry adds what the carry flag that an instruction reads was computed from: by the last instruction before it that
// writes the flag, or by any of the function if that is in another basic block.
func (s *slicer) carry(in *rewrite.Inst) {
	f := in.Func
	b := f.CFG().BlockOf[in.Index]
	for i := in.Index - 1; i >= b.Start; i-- {
		if f.Insts[i].Effects().Has(isa.WritesCarry) {
			s.flag(f.Insts[i])
			if f.Insts[i].Guard == nil {
				return
			}
		}
	}
	if len(s.w.spins)+len(s.w.met) > 0 { // the flag may tell on which way the thread has come
		s.out[Source{Inst: in, Order: Rounds}] = true
	}
	written := false
	for _, x := range f.Insts {
		if x.Effects().Has(isa.WritesCarry) {
			s.flag(x)
			of := f.CFG().BlockOf[x.Index]
			written = written || x.Guard == nil && of != b && f.CFG().Dominates(of, b)
		}
	}
	if !written {
		s.out[Source{Order: "the carry flag, which may not have been written,"}] = true
	}
}

// flag adds the sources of the carry flag that an instruction writes. An instruction that reads the flag, too, is found
// by its result.
func (s *slicer) flag(in *rewrite.Inst) {
	s.guard(in)
	in.Defs(func(r *rewrite.Reg) {
		if val := in.Func.SSA().Def(in, r); val != rewrite.NoValue {
			s.visit(s.w.base[s.w.index[in.Func]]+val, false)
		}
	})
	for n := range in.Operands {
		if in.Role(n) != isa.RoleDst {
			s.operand(in, &in.Operands[n], false)
		}
	}
}
