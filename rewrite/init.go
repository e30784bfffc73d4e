// Initial values of variables, and the addresses in them.

package rewrite

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Reloc is an address in the initial value of a variable, to be filled in when
// addresses are known: the Size bytes at Offset become
// ((address of Sym) + Addend) & Mask >> trailing zeros of Mask, little-endian.
type Reloc struct {
	Offset  uint64
	Size    int
	Sym     Symbol // *Var or *Func
	Addend  int64
	Generic bool   // the generic address rather than the offset in Sym's state space
	Mask    uint64 // all ones for the whole address
}

// maxInitData bounds the data that one initialiser is expanded to.
const maxInitData = 1 << 32

// Init returns the initial value of a variable: Size bytes, zero where nothing is initialised, or nil data without an
// initialiser. Load has checked the initialiser: the only error, a *ptxgrammar.Error, is for one too large to expand.
func (v *Var) Init(m *Module) (data []byte, relocs []Reloc, err error) {
	if v.AST.Init < 0 {
		return nil, nil, nil
	}
	w := &initWriter{m: m, v: v}
	if v.Size > maxInitData {
		return nil, nil, w.errorf(&m.AST.Operands[v.AST.Init], "%q is too large for an initialiser", v.Name)
	}
	w.data = make([]byte, v.Size)
	if err := w.run(); err != nil {
		return nil, nil, err
	}
	return w.data, w.relocs, nil
}

// checkInit returns an error if an initialiser is wrong.
func (v *Var) checkInit(m *Module) error {
	if v.AST.Init < 0 {
		return nil
	}
	return (&initWriter{m: m, v: v}).run()
}

// InitAddresses reports whether the initial value has addresses. Load has checked it.
func (v *Var) InitAddresses(m *Module) bool {
	w := &initWriter{m: m, v: v}
	return w.run() == nil && w.addresses
}

// InitFuncs returns the functions whose addresses the initial value of the variable contains, each once. [Load] has
// checked the value.
func (v *Var) InitFuncs(m *Module) []*Func {
	if v.AST.Init < 0 {
		return nil
	}
	w := &initWriter{m: m, v: v}
	_ = w.run()
	return w.funcs
}

// initWriter walks an initialiser. With nil data it only checks.
type initWriter struct {
	m      *Module
	v      *Var
	data   []byte
	relocs []Reloc

	addresses bool    // there are relocations, even if not recorded
	funcs     []*Func // of all relocations, even if not recorded
}

func (w *initWriter) run() error {
	dims := w.v.Dims
	if w.v.Vec > 1 {
		dims = append(dims[:len(dims):len(dims)], int64(w.v.Vec))
	}
	return w.value(&w.m.AST.Operands[w.v.AST.Init], dims, 0, w.v.Size)
}

func (w *initWriter) errorf(o *ptxgrammar.Operand, format string, args ...any) error {
	at := w.m.AST.OperandRange(o).Start
	return &ptxgrammar.Error{Pos: w.m.AST.File.Position(at), Msg: fmt.Sprintf(format, args...)}
}

// value writes the initialiser of an array of the given dimensions, or of a scalar,
// which occupies size bytes from off.
func (w *initWriter) value(o *ptxgrammar.Operand, dims []int64, off, size uint64) error {
	if len(dims) == 0 {
		if o.Kind == ptxgrammar.OperandVector {
			return w.errorf(o, "too many braces in the initialiser of %q", w.v.Name)
		}
		return w.scalar(o, off)
	}
	if o.Kind != ptxgrammar.OperandVector {
		return w.errorf(o, "expected braces in the initialiser of array %q, got %q", w.v.Name, shown(w.m.AST, o))
	}
	kids := w.m.AST.Children(o)
	if int64(len(kids)) > dims[0] {
		return w.errorf(&kids[dims[0]], "%q has %d elements, the initialiser %d", w.v.Name, dims[0], len(kids))
	}
	if len(kids) == 0 {
		return nil
	}
	step := size / uint64(dims[0])
	for i := range kids {
		if err := w.value(&kids[i], dims[1:], off+uint64(i)*step, step); err != nil {
			return err
		}
	}
	return nil
}

// scalar writes one element.
func (w *initWriter) scalar(o *ptxgrammar.Operand, off uint64) error {
	if c, err := EvalConst(w.m.AST, o); err == nil {
		bits, err := initBits(c, w.v.Type)
		if err != nil {
			return w.errorf(o, "%v", err)
		}
		w.put(off, bits)
		return nil
	}
	r := Reloc{Offset: off, Size: w.v.Type.Size(), Mask: math.MaxUint64}
	if err := w.symbol(o, &r); err != nil {
		return err
	}
	w.addresses = true
	if f, ok := r.Sym.(*Func); ok && !slices.Contains(w.funcs, f) {
		w.funcs = append(w.funcs, f)
	}
	if w.data != nil {
		w.relocs = append(w.relocs, r)
	}
	return nil
}

// put writes the low bytes of an element.
func (w *initWriter) put(off uint64, bits uint64) {
	if w.data == nil {
		return
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	copy(w.data[off:], b[:min(w.v.Type.Size(), 8)])
}

// initBits converts a constant to the bits of an element of type t.
func initBits(c Const, t isa.Type) (uint64, error) {
	bits := t.Kind() == isa.KindBits
	switch {
	case c.Single && t.Bits() == 32 && (bits || t == isa.F32):
		return c.Bits, nil
	case c.Float && (t == isa.F32 || bits && t.Bits() == 32):
		return uint64(math.Float32bits(float32(c.Float64()))), nil
	case c.Float && (t == isa.F64 || bits && t.Bits() == 64):
		return math.Float64bits(c.Float64()), nil
	case c.Float:
		return 0, fmt.Errorf("a floating-point constant cannot initialise a .%s variable", t)
	case t == isa.F32:
		return uint64(math.Float32bits(float32(int64(c.Bits)))), nil
	case t == isa.F64:
		return math.Float64bits(float64(int64(c.Bits))), nil
	}
	return c.Bits, nil // half types are given as bits
}

// symbol resolves name, name+off, generic(...) and mask(...).
func (w *initWriter) symbol(o *ptxgrammar.Operand, r *Reloc) error {
	a := w.m.AST
	kids := a.Children(o)
	switch o.Kind {
	case ptxgrammar.OperandName:
		s, ok := w.m.symbols[a.Name(o)]
		if !ok {
			return w.errorf(o, "undefined name %q in the initialiser of %q", a.Name(o), w.v.Name)
		}
		r.Sym = s
		return nil
	case ptxgrammar.OperandBinary:
		op := a.Operator(o)
		if c, err := EvalConst(a, &kids[1]); err == nil && !c.Float && (op == "+" || op == "-") {
			if op == "-" {
				c.Bits = -c.Bits
			}
			r.Addend += int64(c.Bits)
			return w.symbol(&kids[0], r)
		}
	case ptxgrammar.OperandCall:
		if name := a.Name(o); name == "generic" {
			r.Generic = true
		} else if o.Value != 0 {
			r.Mask = o.Value
		} else {
			break
		}
		return w.symbol(&kids[0], r)
	}
	return w.errorf(o, "%q is neither a constant nor an address", shown(a, o))
}
