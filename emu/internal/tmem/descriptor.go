// Instruction descriptors of tcgen05.mma: shapes and types of the matrices.

package tmem

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Form has the properties of a tcgen05.mma that the opcode determines.
type Form struct {
	Kind   string // f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4
	Sparse bool
	Pair   bool // .cta_group::2
	Ws     bool
	Scales int  // scale factors per row of A, 0 without block scaling; for K = 96 one and a half times as many
	Vector bool // .scale_vec specifies the number
	Long   bool // the target is sm_103a, on which K may be 96
}

// Multiply is a tcgen05.mma with an opcode and an instruction descriptor. A has M rows of K columns, B N columns of K
// rows.
type Multiply struct {
	Form
	M, N, K          int
	A, B, D          isa.Type
	NegateA, NegateB bool
	AcrossA, AcrossB bool // the matrix is stored along M or N, not along K
	Saturate         bool
	Selector         int      // sparsity selector: metadata of a sparse A
	Scale            isa.Type // of the scale factors
	ScaleA, ScaleB   int      // indices of the scale factors' sub-columns
}

// kinds has, by kind, the element types by their numbers in the descriptor, and K for a dense A. isa.TypeNone marks a
// type that the kind does not have.
var kinds = map[string]struct {
	types []isa.Type
	k     int
}{
	"f16":      {[]isa.Type{isa.F16, isa.BF16}, 16},
	"tf32":     {[]isa.Type{isa.TypeNone, isa.TypeNone, isa.TF32}, 8},
	"i8":       {[]isa.Type{isa.U8, isa.S8}, 32},
	"f8f6f4":   {narrowTypes, 32},
	"mxf8f6f4": {narrowTypes, 32},
	"mxf4":     {[]isa.Type{isa.TypeNone, isa.E2M1}, 64},
	"mxf4nvf4": {[]isa.Type{isa.TypeNone, isa.E2M1}, 64},
}

var narrowTypes = []isa.Type{isa.E4M3, isa.E5M2, isa.TypeNone, isa.E2M3, isa.E3M2, isa.E2M1}

// Narrow reports whether elements of fewer than eight bits are in 8-bit containers.
func (f *Form) Narrow() bool { return f.Kind == "f8f6f4" || f.Kind == "mxf8f6f4" }

// Decode reads an instruction descriptor (PTX ISA, "Instruction descriptor").
func (f Form) Decode(v uint32) (*Multiply, *diag.Violation) {
	field := func(at, bits int) int { return int(v >> at & (1<<bits - 1)) }
	p := &Multiply{
		Form: f, N: field(17, 6) * 8, NegateA: field(13, 1) != 0, NegateB: field(14, 1) != 0,
		AcrossA: field(15, 1) != 0, AcrossB: field(16, 1) != 0,
	}
	if sparse := field(2, 1) != 0; sparse != f.Sparse {
		return nil, invalid(v, "bit 2 (sparsity) is %d, and the instruction has a %s A", field(2, 1),
			map[bool]string{true: "sparse", false: "dense"}[f.Sparse])
	}
	var bad *diag.Violation
	if p.A, bad = f.element(v, "A", field(7, 3)); bad != nil {
		return nil, bad
	}
	if p.B, bad = f.element(v, "B", field(10, 3)); bad != nil {
		return nil, bad
	}
	p.K, p.D = kinds[f.Kind].k, isa.F32
	if f.Scales > 0 {
		bad = p.decodeScaled(v, field)
	} else {
		bad = p.decodePlain(v, field)
	}
	if bad != nil {
		return nil, bad
	}
	switch {
	case f.Sparse:
		p.K *= 2
	case f.Scales > 0 && !f.Narrow() && field(31, 1) != 0:
		p.K = longK
		p.Scales += p.Scales / 2
	}
	if bad := p.checkShape(v); bad != nil {
		return nil, bad
	}
	return p, p.checkMajor(v)
}

func invalid(v uint32, format string, args ...any) *diag.Violation {
	return diag.Violationf("unsupported", "instruction descriptor 0x%x: %s", v, fmt.Sprintf(format, args...))
}

func (f *Form) element(v uint32, matrix string, number int) (isa.Type, *diag.Violation) {
	if types := kinds[f.Kind].types; number < len(types) && types[number] != isa.TypeNone {
		return types[number], nil
	}
	return isa.TypeNone, invalid(v, "type %d of %s, which .kind::%s does not have", number, matrix, f.Kind)
}

// decodePlain reads the fields specific to descriptors without block scaling.
func (p *Multiply) decodePlain(v uint32, field func(at, bits int) int) *diag.Violation {
	p.M, p.Selector, p.Saturate = field(24, 5)*16, field(0, 2), field(3, 1) != 0
	types := map[string][]isa.Type{
		"f16": {isa.F16, isa.F32}, "tf32": {isa.TypeNone, isa.F32},
		"f8f6f4": {isa.F16, isa.F32}, "i8": {isa.TypeNone, isa.TypeNone, isa.S32},
	}[p.Kind]
	number := field(4, 2)
	if number >= len(types) || types[number] == isa.TypeNone || p.A == isa.BF16 && types[number] == isa.F16 ||
		p.B == isa.BF16 && types[number] == isa.F16 {
		return invalid(v, "type %d of D, which .kind::%s does not have", number, p.Kind)
	}
	p.D = types[number]
	switch {
	case p.Kind == "i8" && (p.NegateA || p.NegateB):
		return invalid(v, "integers cannot be negated")
	case p.Kind != "i8" && p.Saturate:
		return invalid(v, "only integers saturate")
	case p.Kind == "f16" && p.A != p.B:
		return invalid(v, "A is .%s and B .%s, expected one type", p.A, p.B)
	case !p.Sparse && p.Selector != 0:
		return invalid(v, "sparsity selector %d of a dense A", p.Selector)
	case (p.Kind == "i8" || p.Kind == "f8f6f4") && p.Selector != 0: // PTX ISA, "Sparsity selector"
		return invalid(v, "sparsity selector %d, which must be 0 for .kind::%s", p.Selector, p.Kind)
	}
	return nil
}

// decodeScaled reads the fields specific to descriptors with block scaling.
func (p *Multiply) decodeScaled(v uint32, field func(at, bits int) int) *diag.Violation {
	p.M, p.ScaleA, p.ScaleB, p.Scale = field(27, 2)*128, field(29, 2), field(4, 2), isa.UE8M0
	if field(23, 1) == 0 {
		p.Scale = isa.UE4M3
	}
	step := p.Scales
	if field(31, 1) != 0 {
		if problem := p.longProblem(); problem != "" {
			return invalid(v, "K = %d, %s", longK, problem)
		}
		step /= 2 // a factor may begin in any byte, six factors in every second byte
	}
	switch {
	case p.Scale == isa.UE4M3 && (p.Kind != "mxf4nvf4" || p.Scales != 4):
		return invalid(v, "scale factors of .ue4m3, which go with .kind::mxf4nvf4 and one for 16 elements")
	case p.ScaleA%step != 0 || p.ScaleB%step != 0:
		return invalid(v, "scale factor IDs %d and %d, expected multiples of %d", p.ScaleA, p.ScaleB, step)
	}
	return nil
}

// longK is K of a dense product with 48 bytes in a row (PTX ISA, "Matrix Shape").
const longK = 96

// longProblem describes why K cannot be 96, or returns "".
func (p *Multiply) longProblem() string {
	switch {
	case p.Kind == "mxf8f6f4" || p.Sparse:
		return "which only dense products of .kind::mxf4 and .kind::mxf4nvf4 have"
	case !p.Long:
		return "which sm_103a alone has"
	case p.Vector:
		return "which goes with .block16 and .block32, not with .scale_vec"
	case p.M != 128 && !p.Pair || p.M != 256 && p.Pair:
		return "which goes with one row of A for each lane"
	}
	return ""
}

// checkShape returns a violation if the kind does not have the shape (PTX ISA, "Matrix Shape").
func (p *Multiply) checkShape(v uint32) *diag.Violation {
	ms, step := []int{64, 128}, 8
	switch {
	case p.Pair:
		ms, step = []int{128, 256}, 16
	case p.Ws:
		ms = []int{32, 64, 128}
	}
	if p.Scales > 0 {
		ms = slices.DeleteFunc(ms, func(m int) bool { return m == 64 || p.Pair && p.Sparse && m == 128 })
	}
	if !slices.Contains(ms, p.M) {
		return invalid(v, "M = %d, expected one of %v", p.M, ms)
	}
	ok := p.N > 0 && p.N <= 256 && p.N%step == 0
	switch {
	case p.Ws:
		ok = p.N == 64 || p.N == 128 || p.N == 256 && !p.Sparse
	case p.Kind == "i8" && p.Pair:
		ok = ok && p.N%32 == 0
	case p.Kind == "i8":
		ok = ok && (p.N <= 32 || p.N%16 == 0)
	}
	if !ok {
		return invalid(v, "N = %d, which .kind::%s does not have with this M and these modifiers", p.N, p.Kind)
	}
	return nil
}

// checkMajor returns a violation if a type cannot be transposed (PTX ISA, "Valid Combinations of Type-Size, Major-ness
// and Swizzling").
func (p *Multiply) checkMajor(v uint32) *diag.Violation {
	if p.AcrossA && p.A.Bits() < 8 || p.AcrossB && p.B.Bits() < 8 {
		return invalid(v, "a transposed matrix of elements of fewer than eight bits")
	}
	return nil
}

// StoredK returns the number of stored elements of a row of A.
func (p *Multiply) StoredK() int {
	if p.Sparse {
		return p.K / 2
	}
	return p.K
}

// Rows returns the number of rows of A and D in each of the one or two blocks that take part.
func (p *Multiply) Rows() int {
	if p.Pair {
		return p.M / 2
	}
	return p.M
}
