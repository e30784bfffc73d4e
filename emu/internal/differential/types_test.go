// Types and variables of random programs.

package differential

import "fmt"

// A scalar is an arithmetic type.
type scalar struct {
	c          string // name in the programs
	ptx        string // in PTX
	constraint string // in inline assembly, "" if it has none
	bits       int
	signed     bool
	float      bool
}

// The arithmetic types.
var (
	typeU8  = scalar{"u8", "u8", "", 8, false, false}
	typeI8  = scalar{"i8", "s8", "", 8, true, false}
	typeU16 = scalar{"u16", "u16", "h", 16, false, false}
	typeI16 = scalar{"i16", "s16", "h", 16, true, false}
	typeU32 = scalar{"u32", "u32", "r", 32, false, false}
	typeI32 = scalar{"i32", "s32", "r", 32, true, false}
	typeU64 = scalar{"u64", "u64", "l", 64, false, false}
	typeI64 = scalar{"i64", "s64", "l", 64, true, false}
	typeF32 = scalar{"f32", "f32", "f", 32, true, true}
	typeF64 = scalar{"f64", "f64", "d", 64, true, true}

	integerTypes = []scalar{typeU8, typeI8, typeU16, typeI16, typeU32, typeI32, typeU64, typeI64}
	// Types are chosen from this list: frequent ones are listed more than once.
	commonTypes = []scalar{
		typeU8, typeI8, typeU16, typeI16, typeU32, typeU32, typeU32, typeI32, typeI32, typeI32,
		typeU64, typeU64, typeI64, typeI64, typeF32, typeF32, typeF64, typeF64,
	}
)

// wide returns the unsigned type in which arithmetic on t is done, so that nothing overflows.
func (t scalar) wide() string {
	if t.bits == 64 {
		return "u64"
	}
	return "u32"
}

// A variable is an expression that can be read and, unless readonly, written.
type variable struct {
	expr     string
	typ      scalar
	readonly bool
	field    bool // a bit-field
}

// read returns the variable as an operand. A bit-field may have another type after promotion.
func (v *variable) read() string {
	if v.field {
		return fmt.Sprintf("(%s)%s", v.typ.c, v.expr)
	}
	return v.expr
}

// An array has a power of two of elements.
type array struct {
	expr     string
	elem     scalar
	n        int
	readonly bool
}

// A structType is a struct or union of the program.
type structType struct {
	name   string
	union  bool
	fields []field
}

// A field is a scalar, an array, a bit-field or another struct.
type field struct {
	name   string
	typ    scalar
	n      int // number of elements of an array, 0 for none
	width  int // width of a bit-field, 0 for none
	nested *structType
}

// declaration returns the definition of the type.
func (s *structType) declaration() string {
	keyword := "struct"
	if s.union {
		keyword = "union"
	}
	text := fmt.Sprintf("%s %s {\n", keyword, s.name)
	for _, f := range s.fields {
		text += "  " + f.declaration() + ";\n"
	}
	return text + "};\n"
}

func (f *field) declaration() string {
	switch {
	case f.nested != nil:
		return f.nested.name + " " + f.name
	case f.n > 0:
		return fmt.Sprintf("%s %s[%d]", f.typ.c, f.name, f.n)
	case f.width > 0:
		return fmt.Sprintf("%s %s : %d", f.typ.c, f.name, f.width)
	}
	return f.typ.c + " " + f.name
}
