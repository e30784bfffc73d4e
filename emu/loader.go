// Loading: addresses and initial values of variables, addresses of functions, layouts of parameters and shared memory.

package emu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// loadModule assigns an address to every variable and function of the module, writes initial values, and decodes the
// functions that kernels reach. Variables and functions that old, an earlier version of the module, has too are kept;
// old may be nil.
func (m *machine) loadModule(old *machine) error {
	if err := m.layOut(old); err != nil {
		return ptxgrammar.ErrorList{err}
	}
	if m.cfg.DecodeLate && len(m.inTables) == 0 && !takesAddresses(m.src) {
		return nil
	}
	var kernels []*function
	for _, k := range m.src.Kernels() {
		kernels = append(kernels, m.bySource[k])
	}
	return m.decodeReachable(kernels)
}

// layOut is loadModule without decoding.
func (m *machine) layOut(old *machine) *ptxgrammar.Error {
	m.vars = map[*rewrite.Var]uint64{}
	known := old.addresses()
	m.number(known.funcs)
	alloc := m.dev.mem.Alloc
	if old != nil { // variables that the earlier version did not have are not the program's own
		alloc = m.dev.mem.AllocPrivate
	}
	fresh, err := m.placeAll(known.vars, alloc)
	if err != nil {
		return err
	}
	inits, err := m.initialValues(deviceVars(m.src))
	if err != nil {
		return err
	}
	for i := range inits {
		if !fresh[inits[i].v] {
			continue
		}
		if err := m.initialise(&inits[i]); err != nil {
			return err
		}
	}
	return nil
}

// number assigns an address to every function, the known one if there is one, and collects data for the decoders.
func (m *machine) number(known map[string]uint64) {
	m.bySource, m.byAddress = map[*rewrite.Func]*function{}, map[uint64]*function{}
	for _, f := range m.src.Funcs {
		if !f.Defined() {
			continue
		}
		addr, ok := known[f.Name]
		if !ok {
			addr = m.dev.functionAddress()
		}
		fn := &function{src: f, index: len(m.functions), addr: addr}
		fn.formals, fn.formalBytes = paramLayout(f)
		m.functions = append(m.functions, fn)
		m.bySource[f], m.byAddress[addr] = fn, fn
	}
}

// initial is the initial value of a variable.
type initial struct {
	v      *rewrite.Var
	data   []byte
	relocs []rewrite.Reloc
}

// initialValues evaluates initialisers. Functions whose address is in an initialiser may be called by any kernel.
func (m *machine) initialValues(vars []*rewrite.Var) ([]initial, *ptxgrammar.Error) {
	var inits []initial
	for _, v := range vars {
		data, relocs, err := v.Init(m.src)
		var e *ptxgrammar.Error
		switch {
		case errors.As(err, &e):
			return nil, e
		case err != nil:
			return nil, m.errorAt(v, "%v", err)
		case data == nil:
			continue
		}
		inits = append(inits, initial{v, data, relocs})
		for _, r := range relocs {
			f, ok := r.Sym.(*rewrite.Func)
			if fn := m.bySource[definition(f)]; ok && fn != nil && !fn.src.Entry {
				m.inTables = append(m.inTables, fn)
			}
		}
	}
	return inits, nil
}

// Restore gives the variables of a program in global memory their initial values. If the machine was made of another
// version of the program, the variables that only that version has keep their values.
func (m *Machine) Restore(program *rewrite.Module) error {
	own := make(map[variableKey]bool)
	for _, v := range deviceVars(program) {
		own[keyOf(v)] = v.Space == isa.SpaceGlobal
	}
	var vars []*rewrite.Var
	for _, v := range deviceVars(m.src) {
		if own[keyOf(v)] {
			vars = append(vars, v)
		}
	}
	for _, v := range vars {
		if err := m.dev.mem.Zero(m.vars[v], v.Size); err != nil {
			return err
		}
	}
	tables := m.inTables
	inits, err := m.initialValues(vars)
	if m.inTables = tables; err != nil {
		return err
	}
	for i := range inits {
		if err := m.initialise(&inits[i]); err != nil {
			return err
		}
	}
	return nil
}

// deviceVars lists the variables in device memory, of a module and of its functions.
func deviceVars(src *rewrite.Module) []*rewrite.Var {
	var vars []*rewrite.Var
	add := func(list []*rewrite.Var) {
		for _, v := range list {
			if v.Space == isa.SpaceGlobal || v.Space == isa.SpaceConst {
				vars = append(vars, v)
			}
		}
	}
	add(src.Globals)
	for _, f := range src.Funcs {
		add(f.Locals)
	}
	return vars
}

// allocator is gmem.Memory's Alloc or AllocPrivate.
type allocator func(name string, size uint64, readonly bool) (*gmem.Allocation, error)

// placeAll assigns addresses to the variables in device memory, known ones if there are any. It returns the variables
// for which memory was allocated.
func (m *machine) placeAll(known map[variableKey]uint64,
	alloc allocator,
) (fresh map[*rewrite.Var]bool, err *ptxgrammar.Error) {
	fresh = map[*rewrite.Var]bool{}
	for _, v := range deviceVars(m.src) {
		addr, ok := known[keyOf(v)]
		if !ok {
			a, failed := m.allocate(v, alloc)
			if failed != nil {
				return nil, m.errorAt(v, "%v", failed)
			}
			addr, fresh[v] = a.Base, true
		}
		m.vars[v] = addr
		if v.Func == nil {
			m.symbols[v.Name] = v
		}
	}
	return fresh, nil
}

// allocate allocates the memory of a variable; that of a managed variable is accessible to the host.
func (m *machine) allocate(v *rewrite.Var, alloc allocator) (*gmem.Allocation, error) {
	if v.Managed() {
		return m.dev.mem.AllocManaged(v.Name, v.Size)
	}
	return alloc(v.Name, v.Size, v.Space == isa.SpaceConst)
}

func (m *machine) errorAt(v *rewrite.Var, format string, args ...any) *ptxgrammar.Error {
	return &ptxgrammar.Error{Pos: m.src.AST.File.Position(v.AST.Start), Msg: fmt.Sprintf(format, args...)}
}

// definition returns the function that an alias stands for.
func definition(f *rewrite.Func) *rewrite.Func {
	if f != nil && f.Alias != nil {
		return f.Alias
	}
	return f
}

// initialise writes a variable's initial value.
func (m *machine) initialise(in *initial) *ptxgrammar.Error {
	for _, r := range in.relocs {
		addr, ok := m.relocAddr(&r)
		if !ok {
			return m.errorAt(in.v, "initialiser of %s: the address of %s is not known", in.v.Name, r.Sym.SymbolName())
		}
		addr = (addr + uint64(r.Addend)) & r.Mask >> bits.TrailingZeros64(r.Mask)
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], addr)
		copy(in.data[r.Offset:], b[:r.Size])
	}
	if err := m.dev.mem.Write(m.vars[in.v], in.data); err != nil {
		return m.errorAt(in.v, "%v", err)
	}
	return nil
}

// relocAddr returns the address that an initialiser refers to. Device addresses are generic; the address of a shared
// variable differs between kernels.
func (m *machine) relocAddr(r *rewrite.Reloc) (uint64, bool) {
	switch s := r.Sym.(type) {
	case *rewrite.Var:
		a, ok := m.vars[s]
		return a, ok
	case *rewrite.Func:
		fn := m.bySource[definition(s)]
		if fn == nil {
			return 0, false
		}
		return fn.addr, true
	}
	return 0, false
}

// varAddr returns the address of a variable in its state space, as mov gives it in fn: an offset for kernel parameters,
// the generic address for device memory.
func (m *machine) varAddr(fn *function, v *rewrite.Var) (uint64, bool) {
	if v.Space == isa.SpaceParam && v.Func == fn.src {
		for _, p := range fn.formals {
			if p.Var == v {
				return p.Offset, true
			}
		}
	}
	a, ok := m.vars[v]
	return a, ok
}

// Param is one kernel parameter in the parameter block.
type Param struct {
	Var          *rewrite.Var
	Offset, Size uint64
}

// paramLayout places a kernel's parameters in order, each at its alignment.
func paramLayout(f *rewrite.Func) ([]Param, uint64) {
	var ps []Param
	top := uint64(0)
	for _, v := range f.Params {
		var at uint64
		at, top = placeAfter(top, v.Size, uint64(v.Align))
		ps = append(ps, Param{v, at, v.Size})
	}
	return ps, top
}

// sharedLayout has the offsets of the shared variables of a kernel.
type sharedLayout struct {
	offsets  map[*rewrite.Var]uint64
	reserved uint64 // size of the reserved part, which is first
	static   uint64 // size of the variables with a fixed size, and of the alignment of the dynamic ones
}

// size returns the size of the reserved part and of the variables with a fixed size.
func (l *sharedLayout) size() uint64 { return l.reserved + l.static }

// sharedLayout places the reserved shared memory if a kernel or its callees ask where it is, and the shared variables
// that they use: sized ones in order of declaration, then, all at the same offset, the unsized extern arrays, which are
// dynamic shared memory. It is cached for decoded kernels.
func (m *machine) sharedLayout(kernel *function) *sharedLayout {
	if kernel.shared != nil {
		return kernel.shared
	}
	l := m.placeShared(kernel)
	if kernel.code != nil {
		kernel.shared = l
	}
	return l
}

// placeShared computes a sharedLayout.
func (m *machine) placeShared(kernel *function) *sharedLayout {
	used := map[*rewrite.Var]bool{}
	seen := map[*function]bool{}
	var reached []*function
	for _, root := range append([]*function{kernel}, m.inTables...) {
		m.walk(root, seen, func(fn *function) {
			reached = append(reached, fn)
			for _, r := range fn.sharedRefs {
				used[r.v] = true
			}
		})
	}
	l := &sharedLayout{offsets: map[*rewrite.Var]uint64{}}
	top, dynamicAlign := uint64(0), uint64(1)
	if r := m.src.Reserved; used[r] {
		l.offsets[r], l.reserved, top = 0, r.Size, r.Size
	}
	place := func(vars []*rewrite.Var) {
		for _, v := range vars {
			if !used[v] || v.Space != isa.SpaceShared {
				continue
			}
			align := uint64(v.Align)
			if v.Size == 0 {
				dynamicAlign = max(dynamicAlign, align)
				continue
			}
			l.offsets[v], top = placeAfter(top, v.Size, align) // the launch reports a size that is too large
		}
	}
	place(m.src.Globals)
	slices.SortFunc(reached, func(f, g *function) int { return f.index - g.index })
	for _, fn := range reached {
		place(fn.src.Locals)
	}
	top, _ = placeAfter(top, 0, dynamicAlign)
	for v := range used {
		if v.Size == 0 {
			l.offsets[v] = top
		}
	}
	l.static = top - l.reserved
	return l
}

// walk calls f for a function, its callees, and the functions whose address it takes.
func (m *machine) walk(fn *function, seen map[*function]bool, f func(*function)) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	f(fn)
	for _, callee := range fn.calls {
		m.walk(callee, seen, f)
	}
}

// Sizes and alignments of variables come from the program. Their sums are computed here, without overflow.

// tooFar is an offset beyond every limit on memory. A sum that overflows becomes tooFar, so that the comparison with
// the limit fails.
const tooFar = 1 << 62

// placeAfter places an object with a size and an alignment, a power of two, after the offset top. It returns the
// object's start and end, tooFar at most.
func placeAfter(top, size, align uint64) (at, end uint64) {
	at, over := bits.Add64(top, align-1, 0)
	if at &^= align - 1; over != 0 || at > tooFar {
		return tooFar, tooFar
	}
	if end, over = bits.Add64(at, size, 0); over != 0 || end > tooFar {
		end = tooFar
	}
	return at, end
}
