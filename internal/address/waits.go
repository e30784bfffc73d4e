// Waits: loads that a loop repeats, with no other effect, until a condition on their value holds.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Wait is a load, or an atomic operation that changes nothing, by which a thread waits: one that Awaited returns, in a
// loop that does nothing else. The first round may stand in front of the loop. End evaluates what the loop decides.
type Wait struct {
	Load *rewrite.Inst
	// Inputs are the registers that may decide, besides the value, whether the wait ends. They do not change in the
	// loop. Own maps the index of an input to the atomic operation on the same location that has returned it.
	Inputs []*rewrite.Reg
	Own    map[int]*rewrite.Inst

	loop    *rewrite.Loop
	again   []*rewrite.Inst                   // loads of the loop: a thread that gets there waits on
	changed map[*rewrite.Reg]bool             // registers that the loop writes
	live    map[*rewrite.Block][]*rewrite.Reg // at the beginning of each block after the loop
	entered []*rewrite.Reg                    // live where a first round in front of the loop leads to it
}

// maxWaitSteps limits the instructions between a load and the decision.
const maxWaitSteps = 64

// Waits returns the waits of f by their loads.
func Waits(f *rewrite.Func) map[*rewrite.Inst]*Wait {
	return f.Memo(waitsKey{}, func() any {
		d, out := &loadFlow{f: f, du: f.DefUse()}, make(map[*rewrite.Inst]*Wait)
		for in := range Awaited(f) {
			if isPoll(in) && d.loop(in) != nil && d.again(in) && d.leaves(in) {
				out[in] = d.wait(in, in)
			}
		}
		for _, in := range f.Insts {
			if load := d.loopOf(in, out); load != nil {
				out[in] = d.wait(in, load)
			}
		}
		return out
	}).(map[*rewrite.Inst]*Wait)
}

// waitsKey is the key under which a function caches its Waits.
type waitsKey struct{}

// loopOf returns the load of a wait of which an instruction in front of its loop may be the first round: it reads the
// same location in the same way. It returns nil for other instructions.
func (d *loadFlow) loopOf(first *rewrite.Inst, waits map[*rewrite.Inst]*Wait) *rewrite.Inst {
	if waits[first] != nil || !isPoll(first) {
		return nil
	}
	g := d.f.CFG()
	for _, load := range d.f.Insts {
		if w := waits[load]; w != nil && load == w.again[0] && first.Opcode() == load.Opcode() &&
			g.Dominates(g.BlockOf[first.Index], w.loop.Header) && SamePlace(first, load) {
			return load
		}
	}
	return nil
}

// isPoll reports whether an instruction may poll: it is a strong load of one scalar of at most 8 bytes, or an atomic
// operation that returns one and changes nothing.
func isPoll(in *rewrite.Inst) bool {
	a := in.Access
	loads := a.Kind == isa.AccessLoad && in.Strong() && in.Instr.Calc == isa.CalcLoad
	return (loads || a.Kind == isa.AccessAtomic && Keeps(in)) && len(in.Accesses) == 1 && ofThreads(a.Space) &&
		a.Size == a.ElemSize && a.Size <= 8 && in.Operands[0].Kind == rewrite.OperandReg && in.Operands[0].Reg.Vec <= 1
}

// Keeps reports whether an atomic operation writes what it has read, whatever that is: the addition of 0, or a
// compare-and-swap of equal values.
func Keeps(in *rewrite.Inst) bool {
	if in.Access.Kind != isa.AccessAtomic && in.Access.Kind != isa.AccessReduce || in.Value() == nil {
		return false
	}
	value := in.Value()
	switch in.Access.AtomOp {
	case "add", "or", "xor":
		n, ok := ConstantOf(in, value)
		return ok && n == 0 && !in.Type(in.Access.Addr+1).Float()
	case "cas":
		swap := in.Operands[in.Access.Value+1:]
		if len(swap) == 0 {
			return false
		}
		x, known := ConstantOf(in, value)
		y, also := ConstantOf(in, &swap[0])
		return known && also && x == y
	}
	return false
}

// ConstantOf returns the value of an operand that is the same number in all threads: an immediate, or a register to
// which one is copied.
func ConstantOf(in *rewrite.Inst, o *rewrite.Operand) (uint64, bool) {
	for range maxSources {
		switch {
		case o.Kind == rewrite.OperandImm && !o.Float:
			return o.Imm, true
		case o.Kind != rewrite.OperandReg || o.Neg || o.Not || o.Member != "":
			return 0, false
		}
		defs, undefined := in.Func.DefUse().Defs(in, o.Reg)
		if undefined || len(defs) != 1 || defs[0].Instr.Calc != isa.CalcCopy || len(defs[0].Operands) != 2 ||
			defs[0].Guard != nil || defs[0].Operands[0].Kind != rewrite.OperandReg {
			return 0, false
		}
		in = defs[0]
		o = &in.Operands[1]
	}
	return 0, false
}

// wait returns the wait of a load; loop is the load itself, or the one in the loop of which it is the first round.
func (d *loadFlow) wait(load, loop *rewrite.Inst) *Wait {
	w := &Wait{Load: load, Own: make(map[int]*rewrite.Inst), loop: d.loop(loop), again: []*rewrite.Inst{loop}}
	if load != loop {
		w.again = append(w.again, load)
		w.entered = liveAt(d.f, w.loop.Header)
	}
	w.findChanged()
	w.read(func(in *rewrite.Inst, r *rewrite.Reg) {
		if slices.Contains(w.Inputs, r) {
			return
		}
		if own := d.resultOf(in, r); own != nil && SamePlace(own, load) {
			w.Own[len(w.Inputs)] = own
		}
		w.Inputs = append(w.Inputs, r)
	})
	return w
}

// findChanged finds the registers that the loop changes, and what is live after it.
func (w *Wait) findChanged() {
	f := w.Load.Func
	w.changed, w.live = make(map[*rewrite.Reg]bool), make(map[*rewrite.Block][]*rewrite.Reg)
	for _, b := range w.loop.Blocks {
		for _, in := range f.Insts[b.Start:b.End] {
			in.Defs(func(r *rewrite.Reg) { w.changed[r] = true })
		}
		for _, to := range b.Succs {
			if slices.Contains(w.loop.Blocks, to) || w.live[to] != nil {
				continue
			}
			w.live[to] = liveAt(f, to)
		}
	}
}

// liveAt returns the registers of f that are live at the beginning of a block.
func liveAt(f *rewrite.Func, b *rewrite.Block) []*rewrite.Reg {
	live := f.Liveness().In(b)
	return slices.DeleteFunc(slices.Clone(f.Regs), func(r *rewrite.Reg) bool { return !live.Has(r) })
}

// read calls f for the registers that instructions of a wait read and its loop does not write.
func (w *Wait) read(f func(*rewrite.Inst, *rewrite.Reg)) {
	insts, g := w.Load.Func.Insts, w.Load.Func.CFG()
	note := func(list []*rewrite.Inst) {
		for _, in := range list {
			in.Uses(func(r *rewrite.Reg) {
				if in.Access.Kind == isa.AccessNone && r.Vec <= 1 && r.Type.Bits() <= 64 && !w.changed[r] &&
					r != w.Load.Operands[0].Reg {
					f(in, r)
				}
			})
		}
	}
	for _, b := range w.loop.Blocks {
		note(insts[b.Start:b.End])
	}
	if w.Load != w.again[0] {
		note(insts[w.Load.Index+1 : g.BlockOf[w.Load.Index].End])
	}
}

// resultOf returns the atomic operation that has defined a register which an instruction reads, nil if another kind of
// instruction has.
func (d *loadFlow) resultOf(in *rewrite.Inst, r *rewrite.Reg) *rewrite.Inst {
	for range maxSources {
		defs, undefined := d.du.Defs(in, r)
		switch {
		case undefined || len(defs) != 1 || defs[0].Guard != nil:
			return nil
		case defs[0].Access.Kind == isa.AccessAtomic:
			return defs[0]
		case defs[0].Instr.Calc != isa.CalcCopy || len(defs[0].Operands) != 2 || defs[0].Operands[1].Reg == nil:
			return nil
		}
		in, r = defs[0], defs[0].Operands[1].Reg
	}
	return nil
}

// Only reports whether a wait alone uses the result of an atomic operation, and only to decide when it ends.
func (w *Wait) Only(own *rewrite.Inst) bool {
	d := &loadFlow{f: own.Func, du: own.Func.DefUse()}
	for in := range d.flow(own) {
		inside := slices.Contains(w.loop.Blocks, d.f.CFG().BlockOf[in.Index])
		switch {
		case in == own, !inside && in.Instr.Calc == isa.CalcCopy:
			continue
		case !inside, in.Access.Kind != isa.AccessNone, in.Effects() != 0:
			return false
		}
		leaves := false
		if in.Defs(func(r *rewrite.Reg) { leaves = leaves || w.leaves(r) }); leaves {
			return false
		}
	}
	decides, data := d.follow(own)
	return decides && !data
}

// leaves reports whether a register is live after the loop.
func (w *Wait) leaves(r *rewrite.Reg) bool {
	for _, live := range w.live {
		if slices.Contains(live, r) {
			return true
		}
	}
	return false
}

// WaitExit is where a thread goes on after a load by which it waits.
type WaitExit struct {
	Known bool
	To    int  // index of the instruction, WaitsOn if it loads again
	Used  bool // the value is used for more than this decision
}

// WaitsOn is the WaitExit.To of a thread that waits on.
const WaitsOn = -1

// End returns where a thread goes on that has loaded a value, with those values of the inputs. A load in front of the
// loop must decide as that of the loop does, which the thread executes instead if it comes earlier.
func (w *Wait) End(value uint64, inputs []uint64) WaitExit {
	x := w.from(w.Load, value, inputs)
	if loop := w.again[0]; loop != w.Load {
		y := w.from(loop, value, inputs)
		if x.Known = x.Known && y.Known && x.To == y.To; !x.Known {
			return WaitExit{}
		}
		x.Used = x.Used || y.Used
	}
	return x
}

// from evaluates the round that begins with a load.
func (w *Wait) from(load *rewrite.Inst, value uint64, inputs []uint64) WaitExit {
	e := waitRound{wait: w, load: load, regs: make(map[*rewrite.Reg]roundValue)}
	for i, r := range w.Inputs {
		e.regs[r] = roundValue{bits: inputs[i], known: true}
	}
	dst, of := load.Operands[0].Reg, load.Type(0)
	e.regs[dst] = roundValue{bits: dst.Type.Truncate(of.Extend(value)), known: true, loaded: true}
	return e.run()
}

// waitRound is the evaluation of a round of a loop that waits: what is in registers, as far as it is known.
type waitRound struct {
	wait *Wait
	load *rewrite.Inst
	regs map[*rewrite.Reg]roundValue
}

// roundValue is the value of a register; loaded says that it depends on the load.
type roundValue struct {
	bits          uint64
	known, loaded bool
}

// run executes the instructions after the load up to the decision.
func (e *waitRound) run() WaitExit {
	w := e.wait
	insts, g := w.Load.Func.Insts, w.Load.Func.CFG()
	for at, steps := e.load.Index+1, 0; at < len(insts) && steps < maxWaitSteps; steps++ {
		if b := g.BlockOf[at]; at == b.Start && w.live[b] != nil {
			return e.exit(b)
		}
		if slices.Contains(w.again, insts[at]) {
			return WaitExit{Known: !e.remembers(w.entered), To: WaitsOn}
		}
		next, ok := e.step(insts[at])
		if !ok {
			break
		}
		at = next
	}
	return WaitExit{}
}

// remembers reports whether one of some registers has something of the value of a load in front of the loop, which the
// loop does not replace by that of a later load.
func (e *waitRound) remembers(live []*rewrite.Reg) bool {
	return e.load != e.wait.again[0] && slices.ContainsFunc(live, func(r *rewrite.Reg) bool {
		return e.regs[r].loaded && !e.wait.changed[r]
	})
}

// exit returns that the thread goes on at the beginning of a block, unless it goes on with something that the loop has
// changed otherwise than by the value of the load, or with what only a load in front of the loop has found.
func (e *waitRound) exit(b *rewrite.Block) WaitExit {
	if e.remembers(e.wait.live[b]) {
		return WaitExit{}
	}
	out := WaitExit{Known: true, To: b.Start}
	for _, r := range e.wait.live[b] {
		v, has := e.regs[r]
		out.Used = out.Used || v.loaded
		if e.wait.changed[r] && (!has || !v.known) {
			return WaitExit{}
		}
	}
	return out
}

// step executes an instruction, and returns the index of the next one. It is not ok if the instruction does anything
// but compute, or if it is not known where the thread goes on.
func (e *waitRound) step(in *rewrite.Inst) (next int, ok bool) {
	guard := roundValue{bits: 1, known: true}
	if in.Guard != nil {
		if guard = e.regs[in.Guard]; in.GuardNot {
			guard.bits ^= 1
		}
	}
	switch {
	case in.Branches():
		label, isLabel := in.Operands[len(in.Operands)-1].Sym.(*rewrite.Label)
		if !isLabel || !guard.known || in.Effects()&isa.Calls != 0 {
			return 0, false
		} else if guard.bits&1 != 0 {
			return label.Inst, true
		}
		return in.Index + 1, true
	case in.Access.Kind == isa.AccessLoad && (in.Access.Space == isa.SpaceParam || in.Access.Space == isa.SpaceConst):
	case in.Access.Kind != isa.AccessNone || in.Effects()&^isa.Orders != 0 || in.Unknown():
		return 0, false
	}
	e.compute(in, guard)
	return in.Index + 1, true
}

// compute computes the results of an instruction.
func (e *waitRound) compute(in *rewrite.Inst, guard roundValue) {
	if guard.known && guard.bits&1 == 0 {
		if guard.loaded {
			e.decide(in)
		}
		return
	}
	result := roundValue{known: guard.known && in.Access.Kind == isa.AccessNone, loaded: guard.loaded}
	var sources []uint64
	for n := 1; n < len(in.Operands); n++ {
		v := e.operand(&in.Operands[n])
		result.known, result.loaded = result.known && v.known, result.loaded || v.loaded
		sources = append(sources, v.bits)
	}
	if result.known {
		result.bits, result.known = query.Evaluate(in, sources)
	}
	e.put(in, result)
}

// decide records that the value of the load decides what the registers that an instruction defines contain.
func (e *waitRound) decide(in *rewrite.Inst) {
	in.Defs(func(r *rewrite.Reg) {
		v := e.regs[r]
		v.loaded = true
		e.regs[r] = v
	})
}

// put writes a result to the registers that an instruction defines.
func (e *waitRound) put(in *rewrite.Inst, result roundValue) {
	if len(in.Operands) == 0 {
		return
	}
	switch dst := &in.Operands[0]; {
	case dst.Kind == rewrite.OperandReg && dst.Member == "" && dst.Reg.Vec <= 1:
		v := result
		v.bits = dst.Reg.Type.Truncate(result.bits)
		e.regs[dst.Reg] = v
	case dst.Kind == rewrite.OperandPair:
		for i := range dst.Elems {
			if r := dst.Elems[i].Reg; r != nil {
				e.regs[r] = roundValue{bits: result.bits >> i & 1, known: result.known, loaded: result.loaded}
			}
		}
	default:
		in.Defs(func(r *rewrite.Reg) { e.regs[r] = roundValue{loaded: result.loaded} })
	}
}

// operand returns the value of an operand.
func (e *waitRound) operand(o *rewrite.Operand) roundValue {
	switch {
	case o.Kind == rewrite.OperandImm && !o.Float:
		return roundValue{bits: o.Imm, known: true}
	case o.Kind == rewrite.OperandReg && o.Member == "" && o.Reg.Vec <= 1:
		v := e.regs[o.Reg]
		if o.Not {
			v.bits ^= 1
		}
		v.known = v.known && !o.Neg
		return v
	}
	v := roundValue{}
	o.EachReg(func(r *rewrite.Reg) { v.loaded = v.loaded || e.regs[r].loaded })
	return v
}
