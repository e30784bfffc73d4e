// Decoded functions and their frames; which functions are decoded.

package emu

import (
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// function is a decoded function: code, and the plan of its frames.
type function struct {
	src   *rewrite.Func
	index int    // position in Machine.functions
	code  []inst // branch targets, joins and program counters index this
	// sources are the instructions that code was made from: those of src, then those of inlined
	// functions.
	sources []source
	bodies  []*body // itself, then inlined ones, each after those around it: for listings
	addr    uint64  // what taking the function's address yields

	frameSize uintptr // bytes of the register file
	constants []constant
	specials  []special
	stackRefs []stackRef
	zeroed    []slotRange // registers that may be read before they are written

	// stackSize is the bytes of a thread's stack that an activation needs: .local
	// and .param variables of the body, formal parameters and return values.
	stackSize uint64
	dynamic   slot       // bytes that alloca has taken, by lane; 0 without alloca
	params    []stackVar // formal parameters
	returns   []stackVar // formal return values

	// live[pc] lists the registers live at the target of a backward branch.
	live map[int32]*liveSet
	// barriers[pc] is the barrier operation there, if pc is that far.
	barriers []*barrierOp

	// partings are those of the branches, by pc, that one join does not describe; only
	// under the lockstep policy.
	partings map[int32]*parting

	vector     *vectorCode // the code as far as it runs in assembly
	calls      []*function // direct callees and functions whose address is taken
	inlined    []*function // callees of the calls that were inlined
	wasInlined bool        // a decoded function has inlined a call of this one
	sharedRefs []sharedRef
	stored     *launchReuse // of the last launch of the kernel, nil for none

	formals     []Param // where the parameters of a kernel lie in their block
	formalBytes uint64  // of the block
	shared      *sharedLayout
}

// source is an instruction and where its function was decoded in place of a call, nil for
// none.
type source struct {
	in *rewrite.Inst
	at *inlinedAt
}

// joinAtReturn is the join of a branch whose paths meet only in the caller.
const joinAtReturn = -1

// constant is a slot preloaded with one value in all lanes, or with one in each.
type constant struct {
	slot slot
	bits int // 1, 32 or 64
	val  uint64
	each *vec32 // in place of val, nil for one in all
}

// special is a slot preloaded with a special register of the warp.
type special struct {
	slot slot
	reg  specialReg
	wide bool
	specialValue
}

// stackRef is a slot preloaded with the address of a stack variable.
type stackRef struct {
	slot slot
	wide bool
	off  uint64 // from the frame's stack base
}

// sharedRef is a slot preloaded with the address of a shared variable, which
// depends on the kernel.
type sharedRef struct {
	slot slot
	wide bool
	v    *rewrite.Var
	off  uint64
}

// slotRange is one register, for copying and comparing.
type slotRange struct {
	slot slot
	lane uint8 // bytes per lane; 0 for a predicate word
}

// appendRange appends the register of type t at s.
func appendRange(rs []slotRange, s slot, t isa.Type) []slotRange {
	switch slotBits(t) {
	case 1:
		return append(rs, slotRange{s, 0})
	case 32:
		return append(rs, slotRange{s, 4})
	case 128:
		return append(rs, slotRange{s, 8}, slotRange{s + 8*warpSize, 8})
	}
	return append(rs, slotRange{s, 8})
}

// liveSet is the registers live at one place, by width.
type liveSet struct{ preds, r32, r64 []slot }

// newLiveSet sorts registers by width.
func newLiveSet(rs []slotRange) *liveSet {
	l := &liveSet{}
	for _, r := range rs {
		switch r.lane {
		case 0:
			l.preds = append(l.preds, r.slot)
		case 4:
			l.r32 = append(l.r32, r.slot)
		default:
			l.r64 = append(l.r64, r.slot)
		}
	}
	return l
}

// stackVar is a formal parameter or return value: its place in the stack of the
// activation, or the register that holds it.
type stackVar struct {
	off, size uint64
	reg       operand // .reg parameters only
	isReg     bool
}

// frame is one activation of a function, shared by the lanes that entered it
// together.
type frame struct {
	regs   unsafe.Pointer // register file, 64-byte aligned, function.frameSize bytes
	fn     *function
	memory *guard.Block // holds the register file

	stackBase uint64 // of this activation in every lane's stack
	live      lanes  // lanes that have not returned
	depth     int
	caller    *frame // nil for the kernel's own frame
	site      *callSite
	ret       *join // where returning lanes meet; nil for the kernel's own frame
	warp      *warp
	serial    uint64 // of this activation
	launch    uint64 // launch.id of the last use
	filledFor uint64 // warp.serial that specials were filled for, 0 for none yet
	next      *frame // in a free list
}

// GuardPages has register files, local, shared and small pieces of global memory that are allocated from now on end at a page that nobody may
// access: an access behind them crashes. It is for tests, of programs that use the emulator too; on systems other than Linux nothing happens.
func GuardPages() { guard.Pages() }

// newFrame allocates a register file with the constants in place.
func newFrame(fn *function) *frame {
	memory := guard.New(uint64(fn.frameSize), 64)
	f := &frame{regs: memory.Start(), fn: fn, memory: memory}
	*f.p(slotTrue) = allLanes
	for _, c := range fn.constants {
		if c.each != nil {
			*f.r32(c.slot) = *c.each
			continue
		}
		f.broadcast(c.slot, c.bits, c.val)
	}
	return f
}

// broadcast sets all lanes of a slot.
func (f *frame) broadcast(s slot, bits int, v uint64) {
	switch bits {
	case 1:
		*f.p(s) = -lanes(v & 1)
	case 32:
		r := (*[warpSize / 2]uint64)(unsafe.Pointer(f.r32(s)))
		for i := range r {
			r[i] = v<<32 | v&(1<<32-1)
		}
	default:
		r := f.r64(s)
		for i := range r {
			r[i] = v
		}
	}
}

// slotBits is the width of the slot that holds a register of type t: 1, 32, 64
// or 128.
func slotBits(t isa.Type) int {
	switch b := t.Bits(); {
	case t == isa.Pred:
		return 1
	case b <= 32:
		return 32
	default:
		return b
	}
}

// slotBytes is the size in bytes of a slot of that width.
func slotBytes(bits int) slot {
	if bits == 1 {
		return 8
	}
	return slot(bits / 8 * warpSize)
}

// Decode decodes a kernel and whatever it may call, unless that has been done. Launch calls it. The error is a
// ptxgrammar.ErrorList, as of Load, unless there is no such kernel.
func (m *Machine) Decode(kernel string) error {
	fn, err := m.kernel(kernel)
	if err != nil || fn.code != nil {
		return err
	}
	return m.decodeReachable([]*function{fn})
}

// addressesKey is the key under which a module keeps takesAddresses.
type addressesKey struct{}

// takesAddresses reports whether an instruction takes the address of a function: then threads may call functions, or
// launch kernels, that their kernel does not name.
func takesAddresses(mod *rewrite.Module) bool {
	return mod.Memo(addressesKey{}, func() any {
		return slices.ContainsFunc(mod.Funcs, func(f *rewrite.Func) bool { return slices.ContainsFunc(f.Insts, takesAddress) })
	}).(bool)
}

func takesAddress(in *rewrite.Inst) bool {
	c, call := in.Call()
	if call && c.Func == nil {
		return true // of whatever there is
	}
	return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		f, is := o.Sym.(*rewrite.Func)
		return is && (!call || f != c.Func)
	})
}

// decodeReachable decodes kernels and whatever they may call, as far as that has not been done. Functions of which all calls are inlined
// are not decoded by themselves.
func (m *Machine) decodeReachable(kernels []*function) error {
	var errs ptxgrammar.ErrorList
	var work []*function
	seen := map[*function]bool{}
	visit := func(fn *function) {
		if !seen[fn] {
			seen[fn] = true
			work = append(work, fn)
		}
	}
	for _, k := range kernels {
		visit(k)
	}
	for _, fn := range m.inTables {
		visit(fn)
	}
	for len(work) > 0 && len(errs) < maxProblems {
		fn := work[0]
		work = work[1:]
		if fn.code == nil {
			if found := m.decode(fn); len(found) > 0 {
				errs, fn.code = append(errs, found...), nil
			}
		}
		for _, callee := range fn.calls {
			visit(callee)
		}
	}
	if len(errs) > 0 {
		errs.Sort()
		return slices.CompactFunc(errs, func(a, b *ptxgrammar.Error) bool { return *a == *b }) // of an instruction that is inlined twice
	}
	for _, k := range kernels {
		m.sharedLayout(k) // which launches need at once
	}
	return nil
}
