// Operands that steer, and what instructions write to memory that threads share.

package steer

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Sink is what some operands of an instruction decide.
type Sink struct {
	Inst    *rewrite.Inst
	Steers  detect.Steering
	Sources []Source // at least one
}

// sinkOrder is the order of an instruction's sinks.
var sinkOrder = []detect.Steering{
	detect.SteersTrap, detect.SteersBranch, detect.SteersGuard, detect.SteersCall, detect.SteersAddress,
	detect.SteersDescribed, detect.SteersBarrier, detect.SteersLanes, detect.SteersSize, detect.SteersSwap,
}

// Sinks returns what steers and comes from a source, in the order of the text.
func (w *Flow) Sinks() []Sink { return w.steered }

// Steering reports whether anything that steers comes from a source that counts even where PTX defines it.
func (w *Flow) Steering() bool {
	return slices.ContainsFunc(w.steered, func(s Sink) bool {
		return slices.ContainsFunc(s.Sources, func(x Source) bool { return !x.Undefined })
	})
}

// ReadsLocal reports whether what steers or is stored may come from memory that belongs to one thread.
func (w *Flow) ReadsLocal() bool {
	local := func(x Source) bool { return x.Undefined && x.Inst.Access.Kind == isa.AccessLoad }
	for _, from := range w.stores {
		if slices.ContainsFunc(from, local) {
			return true
		}
	}
	return slices.ContainsFunc(w.steered, func(s Sink) bool { return slices.ContainsFunc(s.Sources, local) })
}

// Stores returns the instructions that write memory that threads share, and whose value comes from a source.
func (w *Flow) Stores() map[*rewrite.Inst][]Source { return w.stores }

// find finds the sinks and the stores.
func (w *Flow) find() {
	w.stores = make(map[*rewrite.Inst][]Source)
	defer func() {
		if w.Exceeded() {
			w.steered, w.stores = nil, nil
		}
	}()
	for _, f := range w.Funcs {
		for _, in := range f.Insts {
			if w.Exceeded() {
				return
			}
			w.steered = append(w.steered, w.sinks(in)...)
			if !writesShared(in) {
				continue
			}
			if from := w.stored(in); len(from) > 0 {
				w.stores[in] = from
			}
		}
	}
}

// sinks returns the sinks of an instruction.
func (w *Flow) sinks(in *rewrite.Inst) (list []Sink) {
	for _, kind := range sinkOrder {
		var s *slicer
		slice := func() *slicer {
			if s == nil {
				s = w.slicer()
			}
			return s
		}
		if in.Guard != nil && w.guards(in) == kind {
			slice().guard(in)
		}
		c, calls := in.Call()
		if calls && kind == detect.SteersCall {
			w.calls(in, &c, slice())
		}
		for n := range in.Operands {
			if !calls && steers(in, n) == kind && (!w.launched || !globalAddress(in, n)) {
				slice().operand(in, &in.Operands[n], tensorAddress(in, n))
			}
		}
		switch {
		case kind == detect.SteersSwap && in.Access.AtomOp == "cas":
			slice().out[Source{Inst: in, Found: true}] = true
		case kind == detect.SteersDescribed && mapInMemory(in):
			slice().out[Source{Inst: in, Map: true}] = true
		}
		if s == nil {
			continue
		}
		if from := slices.DeleteFunc(s.sources(), func(x Source) bool { return expected(in, x) }); len(from) > 0 {
			list = append(list, Sink{in, kind, from})
		}
	}
	return list
}

// expected reports whether a source steers an instruction as it should in every schedule: a wait for the phase whose
// state an arrival has returned.
func expected(in *rewrite.Inst, from Source) bool {
	if from.Inst == nil {
		return false
	}
	m := from.Inst.Mbarrier()
	return in.Mbarrier().Waits() && (m == isa.MbarrierArrive || m == isa.MbarrierDrop)
}

// guards returns what the guard of an instruction decides, "" if that is only the value of a register or of memory that
// belongs to the thread.
func (w *Flow) guards(in *rewrite.Inst) detect.Steering {
	const effects = isa.ReadsMemory | isa.WritesMemory | isa.Orders | isa.Synchronises | isa.Calls | isa.Convergent
	own := in.Access.Kind != isa.AccessNone &&
		(in.Access.Space == isa.SpaceLocal || in.Access.Space == isa.SpaceParam)
	switch e := in.Effects(); {
	case w.stays(in) || w.optional[in] || w.launched && optionalAccess(in):
		return ""
	case e.Has(isa.Aborts):
		return detect.SteersTrap
	case e&(isa.Branches|isa.Terminates) != 0:
		return detect.SteersBranch
	case e&effects != 0 && !own || in.Instr.Class == isa.ClassTexture || in.Instr.Class == isa.ClassAsync:
		return detect.SteersGuard
	}
	return ""
}

// calls adds what decides which function a call executes, and the arguments of functions outside of the module that
// steer.
func (w *Flow) calls(in *rewrite.Inst, c *rewrite.Call, s *slicer) {
	if c.Target != nil {
		s.operand(in, &rewrite.Operand{Kind: rewrite.OperandReg, Reg: c.Target}, false)
	}
	for _, f := range targets(in.Func.Module, c) {
		if f.Defined() || f.Name == assertFail {
			continue
		}
		if f.Name == printf && printsStrings(f.Module) {
			s.printed()
		}
		for i := range c.Args {
			if v, ok := c.Args[i].Sym.(*rewrite.Var); ok {
				s.visit(w.node(v), false)
			} else {
				s.operand(in, &c.Args[i], false)
			}
		}
	}
}

// mapInMemory reports whether an instruction copies a tensor whose map may be in memory that threads share: it is no
// parameter of a kernel.
func mapInMemory(in *rewrite.Inst) bool {
	i := slices.IndexFunc(in.Accesses, func(a isa.Access) bool { return a.Indirect && a.Space == isa.SpaceGlobal })
	if i < 0 {
		return false
	}
	root := address.RootsOf(in.Func).Address(in, in.Accesses[i].Addr)
	return root.Kind != address.RootVar || root.Var.Space != isa.SpaceParam || !in.Func.Entry
}

// steers returns what an operand of an instruction decides, "" for nothing.
func steers(in *rewrite.Inst, n int) detect.Steering {
	if n >= len(in.Decoded.Operands) || in.Prefetches() {
		return ""
	}
	info := &in.Decoded.Operands[n]
	switch {
	case info.Role == isa.RoleDst:
		return ""
	case info.Role == isa.RoleAddr || in.Operands[n].Kind == rewrite.OperandAddr && in.Tcgen05():
		return detect.SteersAddress
	case in.Effects().Has(isa.Branches):
		return detect.SteersBranch
	case in.Access.AtomOp == "cas" && n == in.Access.Value:
		return detect.SteersSwap
	}
	if kind, ok := named[info.Spec.Name]; ok {
		return kind
	}
	return ofClass(in, n, info.Spec.Name)
}

// named says what operands decide that have one meaning in all instructions.
var named = map[string]detect.Steering{
	"membermask": detect.SteersLanes, "ctaMask": detect.SteersAddress, "taddr": detect.SteersAddress,
	"idesc": detect.SteersDescribed, "s_desc": detect.SteersDescribed, "zero_column_mask_desc": detect.SteersDescribed,
	"enable_input_d": detect.SteersGuard, "disable_output_lane": detect.SteersAddress, "nCols": detect.SteersSize,
	"stride": detect.SteersAddress, "cache_policy": "", "suspendTimeHint": "",
}

// ofClass returns what an operand decides by the class of its instruction.
func ofClass(in *rewrite.Inst, n int, name string) detect.Steering {
	o := &in.Operands[n]
	switch {
	case in.Instr.Class == isa.ClassBarrier && (name == "a" || name == "b"), in.Mbarrier() != isa.MbarrierNone &&
		in.Mbarrier() != isa.MbarrierPending:
		return detect.SteersBarrier
	case (in.Wgmma() || in.Tcgen05()) && (name == "a" || name == "b") &&
		o.Kind == rewrite.OperandReg && o.Reg.Type.Size() == 8:
		return detect.SteersDescribed
	case in.SizesCopy(name):
		return detect.SteersSize
	}
	return ""
}

// tensorAddress reports whether an operand is an address in tensor memory, where one that is shifted by as much in all
// instructions of a block is as good.
func tensorAddress(in *rewrite.Inst, n int) bool {
	return in.Tcgen05() && steers(in, n) == detect.SteersAddress &&
		(in.Operands[n].Kind != rewrite.OperandAddr || in.Access.Kind == isa.AccessNone)
}

// writesShared reports whether an instruction writes memory that threads share, other than objects that synchronise.
func writesShared(in *rewrite.Inst) bool {
	a := in.Access
	switch {
	case in.Mbarrier() != isa.MbarrierNone:
		return false
	case a.Writes():
		return a.Space != isa.SpaceLocal && a.Space != isa.SpaceParam
	case in.Tcgen05():
		return in.Has("st") || in.Has("mma") || in.Has("cp") || in.Has("shift")
	}
	return in.Effects().Has(isa.WritesMemory)
}

// stored returns the sources of what an instruction writes to memory, other than what it reads there.
func (w *Flow) stored(in *rewrite.Inst) []Source {
	s := w.slicer()
	switch {
	case in.CancelsLaunch():
		s.out[Source{Inst: in, Order: "the answer of clusterlaunchcontrol.try_cancel"}] = true
	case in.Tcgen05() && in.Has("alloc"):
		s.out[Source{Inst: in, Order: Allocated, Offset: true}] = true
	}
	for n := range in.Operands {
		if role := in.Role(n); (role == isa.RoleSrc || role == isa.RoleNone) && steers(in, n) != detect.SteersSize {
			s.operand(in, &in.Operands[n], true)
		}
	}
	return s.sources()
}

// Allocated is the Order of addresses that tcgen05.alloc returns.
const Allocated = "the address that tcgen05.alloc returns"
