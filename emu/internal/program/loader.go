// Addresses of variables and functions, initial values; reloading.

package program

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// VariableKey identifies a variable across versions of a module. A variable with a different size is a different one.
type VariableKey struct {
	function, name string
	size           uint64
}

// KeyOf returns the key of a variable.
func KeyOf(v *rewrite.Var) VariableKey {
	k := VariableKey{name: v.Name, size: v.Size}
	if v.Func != nil {
		k.function = v.Func.Name
	}
	return k
}

// oldAddresses are the addresses that the next version of a module keeps.
type oldAddresses struct {
	vars  map[VariableKey]uint64
	Funcs map[string]uint64
}

// Addresses returns the addresses of the machine's variables and functions. The result is empty for a nil machine.
func Addresses(m *state.Machine) oldAddresses {
	o := oldAddresses{vars: map[VariableKey]uint64{}, Funcs: map[string]uint64{}}
	if m == nil {
		return o
	}
	for v, addr := range m.Vars {
		o.vars[KeyOf(v)] = addr
	}
	for _, fn := range m.Functions {
		o.Funcs[fn.Src.Name] = fn.Addr
	}
	return o
}

// functionAddress returns the next address for a function, from CodeWindow on.
func functionAddress(d *state.Device) uint64 {
	d.Functions++
	return exec.CodeWindow + (d.Functions-1)*exec.CodeStep
}

// LoadModule assigns an address to every variable and function of the module, writes initial values, and decodes the
// functions that kernels reach. Variables and functions that old, an earlier version of the module, has too are kept;
// old may be nil.
func LoadModule(m *state.Machine, old *state.Machine) error {
	if err := LayOut(m, old); err != nil {
		return ptxgrammar.ErrorList{err}
	}
	if m.Cfg.DecodeLate && len(m.InTables) == 0 && !takesAddresses(m.Src) {
		return nil
	}
	var kernels []*state.Function
	for _, k := range m.Src.Kernels() {
		kernels = append(kernels, m.BySource[k])
	}
	return DecodeReachable(m, kernels)
}

// LayOut is LoadModule without decoding.
func LayOut(m *state.Machine, old *state.Machine) *ptxgrammar.Error {
	m.Vars = map[*rewrite.Var]uint64{}
	known := Addresses(old)
	Number(m, known.Funcs)
	alloc := m.Dev.Mem.Alloc
	if old != nil { // variables that the earlier version did not have are not the program's own
		alloc = m.Dev.Mem.AllocPrivate
	}
	fresh, err := placeAll(m, known.vars, alloc)
	if err != nil {
		return err
	}
	inits, err := InitialValues(m, DeviceVars(m.Src))
	if err != nil {
		return err
	}
	for i := range inits {
		if !fresh[inits[i].v] {
			continue
		}
		if err := Initialise(m, &inits[i]); err != nil {
			return err
		}
	}
	return nil
}

// Number assigns an address to every function, the known one if there is one, and collects data for the decoders.
func Number(m *state.Machine, known map[string]uint64) {
	m.BySource, m.ByAddress = map[*rewrite.Func]*state.Function{}, map[uint64]*state.Function{}
	for _, f := range m.Src.Funcs {
		if !f.Defined() {
			continue
		}
		addr, ok := known[f.Name]
		if !ok {
			addr = functionAddress(m.Dev)
		}
		fn := &state.Function{Src: f, Index: len(m.Functions), Addr: addr}
		fn.Formals, fn.FormalBytes = paramLayout(f)
		m.Functions = append(m.Functions, fn)
		m.BySource[f], m.ByAddress[addr] = fn, fn
	}
}

// initial is the initial value of a variable.
type initial struct {
	v      *rewrite.Var
	data   []byte
	relocs []rewrite.Reloc
}

// InitialValues evaluates initialisers. Functions whose address is in an initialiser may be called by any kernel.
func InitialValues(m *state.Machine, vars []*rewrite.Var) ([]initial, *ptxgrammar.Error) {
	var inits []initial
	for _, v := range vars {
		data, relocs, err := v.Init(m.Src)
		var e *ptxgrammar.Error
		switch {
		case errors.As(err, &e):
			return nil, e
		case err != nil:
			return nil, errorAt(m, v, "%v", err)
		case data == nil:
			continue
		}
		inits = append(inits, initial{v, data, relocs})
		for _, r := range relocs {
			f, ok := r.Sym.(*rewrite.Func)
			if fn := m.BySource[decode.Definition(f)]; ok && fn != nil && !fn.Src.Entry {
				m.InTables = append(m.InTables, fn)
			}
		}
	}
	return inits, nil
}

// DeviceVars lists the variables in device memory, of a module and of its functions.
func DeviceVars(src *rewrite.Module) []*rewrite.Var {
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
func placeAll(m *state.Machine, known map[VariableKey]uint64,
	alloc allocator,
) (fresh map[*rewrite.Var]bool, err *ptxgrammar.Error) {
	fresh = map[*rewrite.Var]bool{}
	for _, v := range DeviceVars(m.Src) {
		addr, ok := known[KeyOf(v)]
		if at, shared := m.Cfg.Managed[v.Name]; shared && v.Managed() {
			addr, ok = at, true
		}
		if !ok {
			a, failed := allocate(m, v, alloc)
			if failed != nil {
				return nil, errorAt(m, v, "%v", failed)
			}
			addr, fresh[v] = a.Base, true
		}
		m.Vars[v] = addr
		if v.Func == nil {
			m.Symbols[v.Name] = v
		}
	}
	return fresh, nil
}

// allocate allocates the memory of a variable; that of a managed variable is accessible to the host.
func allocate(m *state.Machine, v *rewrite.Var, alloc allocator) (*gmem.Allocation, error) {
	if v.Managed() {
		return m.Dev.Mem.AllocManaged(v.Name, v.Size)
	}
	return alloc(v.Name, v.Size, v.Space == isa.SpaceConst)
}

func errorAt(m *state.Machine, v *rewrite.Var, format string, args ...any) *ptxgrammar.Error {
	return &ptxgrammar.Error{Pos: m.Src.AST.File.Position(v.AST.Start), Msg: fmt.Sprintf(format, args...)}
}

// Initialise writes a variable's initial value.
func Initialise(m *state.Machine, in *initial) *ptxgrammar.Error {
	for _, r := range in.relocs {
		addr, ok := relocAddr(m, &r)
		if !ok {
			return errorAt(m, in.v, "initialiser of %s: the address of %s is not known", in.v.Name, r.Sym.SymbolName())
		}
		addr = (addr + uint64(r.Addend)) & r.Mask >> bits.TrailingZeros64(r.Mask)
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], addr)
		copy(in.data[r.Offset:], b[:r.Size])
	}
	if err := m.Dev.Mem.Write(m.Vars[in.v], in.data); err != nil {
		return errorAt(m, in.v, "%v", err)
	}
	return nil
}

// relocAddr returns the address that an initialiser refers to. Device addresses are generic; the address of a shared
// variable differs between kernels.
func relocAddr(m *state.Machine, r *rewrite.Reloc) (uint64, bool) {
	switch s := r.Sym.(type) {
	case *rewrite.Var:
		a, ok := m.Vars[s]
		return a, ok
	case *rewrite.Func:
		fn := m.BySource[decode.Definition(s)]
		if fn == nil {
			return 0, false
		}
		return fn.Addr, true
	}
	return 0, false
}

// paramLayout places a kernel's parameters in order, each at its alignment.
func paramLayout(f *rewrite.Func) ([]state.Param, uint64) {
	var ps []state.Param
	top := uint64(0)
	for _, v := range f.Params {
		var at uint64
		at, top = grids.PlaceAfter(top, v.Size, uint64(v.Align))
		ps = append(ps, state.Param{Var: v, Offset: at, Size: v.Size})
	}
	return ps, top
}
