// Tensor memory: tcgen05 except its products, which are in sem_tcgen_mma.go.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/tmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// semTensorMemory is the semantics of PTX ISA, "TensorCore 5th Generation Family Instructions".
var semTensorMemory = map[string]decodeFunc{"tcgen05": decodeTcgen}

func decodeTcgen(d *decoder, in *rewrite.Inst) (inst, error) {
	out, err := d.tcgen(in)
	if group := in.Mod("cta_group"); err == nil && group != "" {
		out.body = inOneGroup(in, group, out.body)
	}
	return out, err
}

// inOneGroup returns a body that raises a fault if the block has executed an instruction with another .cta_group ("All
// tcgen05 instructions within a kernel must specify the same value for the .cta_group qualifier", PTX ISA).
func inOneGroup(in *rewrite.Inst, group string, body bodyFunc) bodyFunc {
	return func(x *engine, i *inst, m lanes) {
		first := &x.cta.tensor.first
		switch {
		case *first == nil:
			*first = in
		case *first != in && (*first).Mod("cta_group") != group:
			x.raise(i, m.first(), "tensor-memory", 0,
				".%s after .%s in line %d: all instructions of tcgen05 of a kernel must have one .cta_group", group,
				(*first).Mod("cta_group"), (*first).Position().Line)
			return
		}
		body(x, i, m)
	}
}

// tcgen decodes the tcgen05 instructions.
func (d *decoder) tcgen(in *rewrite.Inst) (inst, error) {
	switch {
	case in.Has("alloc"):
		return d.tensorAlloc(in)
	case in.Has("dealloc"):
		return d.tensorDealloc(in)
	case in.Has("relinquish_alloc_permit"):
		return d.wholeWarp(&syncOp{body: func(x *engine, in *inst, m lanes) {
			if t := x.tensorMemory(x.cta); t != nil {
				t.Relinquish()
			}
		}}, inst{flags: flagFaults}), nil
	case in.Has("ld") || in.Has("st"):
		return d.tensorMove(in)
	case in.Has("wait::ld"):
		return d.tensorWait(abi.AsyncTensorLoads), nil
	case in.Has("wait::st"):
		return d.tensorWait(abi.AsyncTensorStores), nil
	case in.Has("commit"):
		return d.tensorCommit(in)
	case in.Has("cp"):
		return d.tcgenCopy(in)
	case in.Has("shift"):
		return d.tensorShift(in)
	case in.Has("mma"):
		return d.tensorMultiply(in)
	}
	return decodeFence(d, in)
}

// inPair reports whether an instruction has .cta_group::2.
func inPair(in *rewrite.Inst) bool { return in.Mod("cta_group") == "cta_group::2" }

// tensorAlloc: tcgen05.alloc [dst], nCols. The first lane writes the address to shared memory.
func (d *decoder) tensorAlloc(in *rewrite.Inst) (inst, error) {
	ac, out, err := d.decodeAccess(in, 0, isa.AccessStore, 4)
	if err != nil {
		return inst{}, err
	}
	if ac.space != isa.SpaceNone && ac.space != isa.SpaceShared {
		return inst{}, d.errorf(in, "%s: the address goes to .shared memory, not to .%s", in.Text(), ac.space)
	}
	ac.cluster = false
	n, err := d.count(in, 1)
	if err != nil {
		return inst{}, err
	}
	pair := inPair(in)
	columns := operand{n, isa.U32}
	op := &syncOp{
		reads:  slotsOf(columns, operand{out.a, isa.U64}),
		ready:  func(x *engine, f *frame, lane int) bool { return x.canAllocate(f.r32(n)[lane], pair) },
		awaits: "wait for tensor memory",
		body: func(x *engine, in *inst, m lanes) {
			v, ok := x.uniform(in, columns, m, "the number of columns")
			if !ok || pair && x.tensorGroup(in, m.first(), true) == nil {
				return
			}
			a, ok := x.allocate(in, m.first(), uint32(v))
			if !ok {
				return
			}
			x.emitMemory(abi.EventTensorAlloc, in, m.first(), tensorAddr(x.cta, 0, a.Column()), v*4)
			lane := m & -m
			ac.emit(x, in, in.a, lane)
			w, i := ac.window(x), m.first()
			addr := x.frame.r64(in.a)[i] + ac.off
			if !x.checkShared(in, addr, ac.space == isa.SpaceNone, i) {
				return
			}
			if p := ac.locate(x, in, &w, addr, i); p != nil {
				*(*uint32)(p) = uint32(a)
				x.wrote()
			}
		},
	}
	return d.wholeWarp(op, inst{a: out.a, flags: flagFaults}), nil
}

// tensorDealloc: tcgen05.dealloc taddr, nCols. For listeners it is a write to all of the deallocated memory. With
// .cta_group::2 each block frees its own memory, when its warp executes the instruction.
func (d *decoder) tensorDealloc(in *rewrite.Inst) (inst, error) {
	a, err := d.word(in, &in.Operands[0], isa.U32)
	if err != nil {
		return inst{}, err
	}
	n, err := d.count(in, 1)
	if err != nil {
		return inst{}, err
	}
	addr, columns, ac := operand{a, isa.U32}, operand{n, isa.U32}, tensorAccess(isa.AccessStore, abi.Synchronous)
	ac.silent = !d.m.interest.NeedsSite(in)
	return d.wholeWarp(&syncOp{reads: slotsOf(addr, columns), body: func(x *engine, in *inst, m lanes) {
		at, ok := x.uniform(in, addr, m, "the address")
		if !ok {
			return
		}
		v, ok := x.uniform(in, columns, m, "the number of columns")
		t := x.tensorMemory(x.cta)
		if !ok || t == nil {
			return
		}
		if bad := t.Free(tmem.Addr(at), uint32(v)); bad != nil {
			x.raise(in, m.first(), bad.Class, 0, "%s", bad.Msg)
			return
		}
		for lane := range tmem.Lanes {
			x.emitTensor(in, ac, x.cta, lane, tmem.Addr(at).Column(), int(v), m.first())
		}
		x.retrySyncs(x.cta)
		if peer := peerOf(x.cta); peer != nil {
			x.retrySyncs(peer)
		}
	}}, inst{flags: flagFaults}), nil
}

// tensorAt is a decoded address in tensor memory.
type tensorAt struct {
	base slot
	off  uint64
}

func (d *decoder) tensorAt(in *rewrite.Inst, i int) (tensorAt, error) {
	a, err := d.addr(in, i)
	return tensorAt{a.base, uint64(a.off)}, err
}

func (a tensorAt) of(f *frame, lane int) tmem.Addr { return tmem.Addr(f.r64(a.base)[lane] + a.off) }

// tensorMove decodes tcgen05.ld and tcgen05.st. A load writes its registers immediately. The manual leaves the time
// open until tcgen05.wait::ld: async_registers.go reports accesses before that.
func (d *decoder) tensorMove(in *rewrite.Inst) (inst, error) {
	loads := in.Has("ld")
	regsAt, addrAt, rest := 1, 0, 1
	if loads {
		regsAt, addrAt, rest = 0, 1, 2
	}
	var red *tcgenReduction
	if in.Has("red") {
		red = &tcgenReduction{}
		if err := d.tcgenReduction(in, red); err != nil {
			return inst{}, err
		}
		addrAt, rest = 2, 3
	}
	move := &tmem.Move{Shape: in.Mod("shape"), Packed: in.Has("pack::16b") || in.Has("unpack::16b")}
	if move.Shape == "16x32bx2" {
		op := &in.Operands[rest]
		if !loads {
			op, regsAt = &in.Operands[1], 2
		}
		if op.Kind != rewrite.OperandImm || op.Imm > tmem.Columns {
			return inst{}, d.errorf(in, "%s: distance %s, expected a constant of at most %d columns", in.Text(),
				d.text(op), tmem.Columns)
		}
		move.Split = int(op.Imm)
	}
	at, err := d.tensorAt(in, addrAt)
	if err != nil {
		return inst{}, err
	}
	move.Regs = len(d.elems(in, regsAt))
	regs, err := d.registers(in, regsAt, move.Regs, 32, loads)
	if err != nil {
		return inst{}, err
	}
	v := &tensorTransfer{
		move: move, at: at, regs: regs, red: red,
		ac: tensorAccess(isa.AccessStore, abi.AsyncTensorStores),
	}
	op := &syncOp{reads: slotsOf(append(regs, operand{at.base, isa.U64})...), body: v.store}
	if loads {
		v.ac = tensorAccess(isa.AccessLoad, abi.AsyncTensorLoads)
		op = &syncOp{reads: slotsOf(operand{at.base, isa.U64}), writes: slotsOf(regs...), body: v.load}
		if red != nil {
			op.writes = append(op.writes, slotsOf(red.dst)...)
		}
	}
	v.ac.silent = !d.m.interest.NeedsSite(in)
	return d.wholeWarp(op, inst{flags: flagFaults}), nil
}

// tensorTransfer is a decoded tcgen05.ld or .st.
type tensorTransfer struct {
	move *tmem.Move
	at   tensorAt
	regs []operand
	red  *tcgenReduction
	ac   *access
}

// begin checks the access and emits it.
func (v *tensorTransfer) begin(x *engine, in *inst, m lanes) (tmem.Addr, *tmem.Memory, bool) {
	addr, ok := x.uniform(in, operand{v.at.base, isa.U64}, m, "the address in tensor memory")
	t := x.tensorMemory(x.cta)
	if !ok || t == nil {
		return 0, nil, false
	}
	index := x.warp.index % groupWarps
	a := v.move.Own(tmem.Addr(addr+v.at.off), index)
	if bad := v.move.Check(t, a, index); bad != nil {
		x.raise(in, m.first(), bad.Class, 0, "%s", bad.Msg)
		return 0, nil, false
	}
	x.beginAsync()
	for r := range v.regs {
		v.emit(x, in, m, a, r)
	}
	return a, t, true
}

// emit emits the lanes' accesses for one register.
func (v *tensorTransfer) emit(x *engine, in *inst, m lanes, a tmem.Addr, r int) {
	if x.ignored(v.ac) {
		return
	}
	v.ac.size = 4
	if v.move.Packed {
		v.ac.size = 8
	}
	for lane := range warpSize {
		row, column := v.move.Place(lane, r)
		x.addrs[lane] = tensorAddr(x.cta, a.Lane()+row, a.Column()+column)
	}
	x.emitAccess(in, v.ac, m, &x.addrs)
}

func (v *tensorTransfer) load(x *engine, in *inst, m lanes) {
	a, t, ok := v.begin(x, in, m)
	if !ok {
		return
	}
	x.warp.waits.loads++
	for left := m; left != 0; left &= left - 1 {
		lane := left.first()
		for r, reg := range v.regs {
			x.frame.r32(reg.slot)[lane] = v.move.Load(t, a, lane, r)
		}
		if v.red != nil {
			x.frame.r32(v.red.dst.slot)[lane] = v.red.of(len(v.regs),
				func(r int) uint32 { return v.move.Load(t, a, lane, r) })
		}
	}
}

func (v *tensorTransfer) store(x *engine, in *inst, m lanes) {
	a, t, ok := v.begin(x, in, m)
	if !ok {
		return
	}
	vals := make([]uint32, warpSize*len(v.regs))
	for r, reg := range v.regs {
		copy(vals[r*warpSize:], x.frame.r32(reg.slot)[:])
	}
	index := x.warp.index % groupWarps
	x.startFlight(in, flight{kind: flightTensorStore, copied: uint64(4 * len(vals)), work: func() *diag.Violation {
		if bad := v.move.Check(t, a, index); bad != nil {
			return bad
		}
		for i, val := range vals {
			if lane := i % warpSize; m.has(lane) {
				v.move.Store(t, a, lane, i/warpSize, val)
			}
		}
		return nil
	}}, m.first())
}

// tcgenReduction is the reduction by tcgen05.ld.red over the registers that a lane loads.
type tcgenReduction struct {
	dst     operand
	combine func(old, v [2]uint64) [2]uint64
	abs     uint32 // mask of the bits that .abs clears
}

func (d *decoder) tcgenReduction(in *rewrite.Inst, red *tcgenReduction) error {
	t := in.Type(len(in.Types) - 1)
	dst, err := d.target(in, &in.Operands[1], t)
	if err != nil {
		return err
	}
	if err := d.fitsType(in, &in.Operands[1], t, dst); err != nil {
		return err
	}
	red.dst = dst
	if in.Has("abs") {
		red.abs = 1 << 31
	}
	if red.combine = reduction(modOf(in, "min", "max"), t); t == isa.F32 {
		pick := num.MinMax{Max: in.Has("max"), NaN: in.Has("NaN")}
		red.combine = func(a, b [2]uint64) [2]uint64 { return [2]uint64{pick.Select(num.F32, a[0], b[0])} }
	}
	return nil
}

func (red *tcgenReduction) of(n int, reg func(r int) uint32) uint32 {
	out := [2]uint64{uint64(reg(0) &^ red.abs)}
	for r := 1; r < n; r++ {
		out = red.combine(out, [2]uint64{uint64(reg(r) &^ red.abs)})
	}
	return uint32(out[0])
}

// tensorWait: tcgen05.wait::ld and ::st wait for the warp's loads or stores.
func (d *decoder) tensorWait(of abi.AsyncKind) inst {
	return d.wholeWarp(&syncOp{body: func(x *engine, in *inst, m lanes) {
		if of == abi.AsyncTensorLoads {
			x.warp.waits.loaded = x.warp.waits.loads
		} else {
			x.completeSome(x.warp, func(f *flight) bool { return f.kind == flightTensorStore })
		}
		x.emitAsyncGroupsOf(in, m, abi.EventAsyncCommit, of, nil, false)
		x.emitAsyncGroupsOf(in, m, abi.EventAsyncWait, of, &vec32{}, false)
	}}, inst{flags: flagFaults})
}
