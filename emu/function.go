// Decoded functions and their activation frames; which functions are decoded.

package emu

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// function is a decoded function: its code, and the layout of its frames.
type function struct {
	src   *rewrite.Func
	index int    // position in Machine.functions
	code  []inst // branch targets, joins and program counters index this
	// sources are the instructions that code was decoded from: those of src, then those of inlined functions.
	sources []source
	bodies  []*body // the function itself, then inlined ones, in the order of their code, each after the bodies around it
	addr    uint64  // address of the function

	frameSize     uintptr // bytes of the register file
	constants     []constant
	specials      []special
	blockSpecials []special // those of specials that are equal for all threads of a block
	stackRefs     []stackRef
	zeroed        []slotRange // registers that may be read before they are written

	// stackSize is the number of bytes of a thread's stack that an activation needs: .local and .param variables of the
	// body, formal parameters and return values.
	stackSize uint64
	dynamic   slot       // slot with the bytes taken by alloca, by lane; 0 without alloca
	params    []stackVar // formal parameters
	returns   []stackVar // formal return values

	// live[pc] lists the registers live at the target of a backward branch.
	live map[int32]*liveSet
	// barriers[pc] is the barrier operation at pc; it may be shorter than code.
	barriers []*barrierOp

	// reconvergences are, by pc, those of the branches that need more than one join; only under the lockstep policy.
	reconvergences map[int32]*reconvergence

	vector     *vectorCode // the code's program in assembly
	preface    *function   // code that a warp executes before its first block of a launch; nil if there is none
	calls      []*function // direct callees and functions whose address is taken
	inlined    []*function // callees of inlined calls
	wasInlined bool        // a decoded function has inlined a call of this one
	sharedRefs []sharedRef
	stored     *launchReuse // storage from the last launch of the kernel, nil for none

	formals     []Param // offsets of a kernel's parameters in the parameter block
	formalBytes uint64  // size of the parameter block
	shared      *sharedLayout
}

// bodyAt returns the innermost body that contains an instruction of the code, nil for none.
func (fn *function) bodyAt(pc int32) *body {
	n, _ := slices.BinarySearchFunc(fn.bodies, pc+1, func(b *body,
		pc int32,
	) int {
		return cmp.Compare(b.starts[0], pc)
	})
	if n == 0 {
		return nil
	}
	b := fn.bodies[n-1] // the last one that begins at pc or before
	for b != nil && pc >= b.starts[len(b.starts)-1] {
		b = b.outer
	}
	return b
}

// source is an instruction, the inlined call that it was decoded in place of, nil for none, and whether it is an
// observer's.
type source struct {
	in    *rewrite.Inst
	at    *inlinedAt
	aside bool
}

// joinAtReturn is the join of a branch whose sides reconverge only in the caller.
const joinAtReturn = vector.MeetAtReturn

// constant is a slot preloaded with one value for all lanes, or with a value for each lane.
type constant struct {
	slot slot
	bits int // 1, 32 or 64
	val  uint64
	each *vec32 // a value for each lane, instead of val
}

// special is a slot preloaded with a special register of the warp.
type special struct {
	slot slot
	reg  specialReg
	bits int // of the slot: 1, 32 or 64
	specialValue
}

// stackRef is a slot preloaded with the address of a stack variable.
type stackRef struct {
	slot slot
	wide bool
	off  uint64 // from the frame's stack base
}

// sharedRef is a slot preloaded with the address of a shared variable, which depends on the kernel.
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

// stackVar is a formal parameter or return value: its place in the stack of the activation, or the register that holds
// it.
type stackVar struct {
	off, size uint64
	reg       operand // .reg parameters only
	isReg     bool
}

// frame is one activation of a function, shared by the lanes that entered it together.
type frame struct {
	regs   unsafe.Pointer // register file, 64-byte aligned, function.frameSize bytes
	fn     *function
	memory *guard.Block // holds the register file

	stackBase uint64 // offset of this activation in every lane's stack
	live      lanes  // lanes that have not returned
	depth     int
	caller    *frame // nil for the kernel's own frame
	site      *callSite
	ret       *join // join of the returning lanes; nil for the kernel's own frame
	warp      *warp
	serial    uint64 // number of this activation
	launch    uint64 // launch.id of the last use
	filledFor uint64 // warp.serial for which special registers were filled in, 0 for none yet
	next      *frame // in a free list
	undefined undefined.Registers
	async     asyncRegisters // nil unless something may be wrong with some
}

// GuardPages places register files, local, shared and small pieces of global memory that are allocated from now on
// directly before an inaccessible page: an access beyond their end crashes. It is for tests, also of programs that use
// the emulator. On systems other than Linux it does nothing.
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

// slotBits returns the width of the slot that holds a register of type t: 1, 32, 64 or 128.
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

// slotBytes returns the size in bytes of a slot of that width.
func slotBytes(bits int) slot {
	if bits == 1 {
		return 8
	}
	return slot(bits / 8 * warpSize)
}

// Decode decodes a kernel and all functions that it may call, unless that has been done. Launch calls it. The error is
// a ptxgrammar.ErrorList, as from Load, unless there is no such kernel.
func (m *Machine) Decode(kernel string) error {
	fn, err := m.kernel(kernel)
	if err != nil || fn.code != nil {
		return err
	}
	return m.decodeReachable([]*function{fn})
}

// addressesKey is the memo key of takesAddresses.
type addressesKey struct{}

// takesAddresses reports whether an instruction takes the address of a function. Then threads may call functions, or
// launch kernels, that their kernel does not name.
func takesAddresses(mod *rewrite.Module) bool {
	return mod.Memo(addressesKey{}, func() any {
		return slices.ContainsFunc(mod.Funcs, func(f *rewrite.Func) bool {
			return slices.ContainsFunc(f.Insts,
				takesAddress)
		})
	}).(bool)
}

func takesAddress(in *rewrite.Inst) bool {
	c, call := in.Call()
	if call && c.Func == nil {
		return true // of any function
	}
	return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		f, is := o.Sym.(*rewrite.Func)
		return is && (!call || f != c.Func)
	})
}

// decodeReachable decodes kernels and all functions that they may call, except those that are decoded already.
// Functions all of whose calls are inlined are not decoded separately.
func (m *machine) decodeReachable(kernels []*function) error {
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
		m.sharedLayout(k) // computed here because launches need it
	}
	return nil
}
