// Element types of buffers.

package launch

import "strings"

// Type is the scalar type of buffer elements and arguments: PTX's fundamental
// types of 8 to 64 bits.
type Type uint8

// Types.
const (
	TypeNone Type = iota
	B8
	B16
	B32
	B64
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	BF16
	F32
	F64
)

type typeKind uint8

const (
	kindBits typeKind = iota
	kindUnsigned
	kindSigned
	kindFloat
)

var typeFacts = [...]struct {
	name string
	size int // bytes
	kind typeKind
}{
	TypeNone: {"", 0, kindBits},
	B8:       {"b8", 1, kindBits}, B16: {"b16", 2, kindBits}, B32: {"b32", 4, kindBits}, B64: {"b64", 8, kindBits},
	U8: {"u8", 1, kindUnsigned}, U16: {"u16", 2, kindUnsigned}, U32: {"u32", 4, kindUnsigned},
	U64: {"u64", 8, kindUnsigned},
	S8:  {"s8", 1, kindSigned}, S16: {"s16", 2, kindSigned}, S32: {"s32", 4, kindSigned}, S64: {"s64", 8, kindSigned},
	F16: {"f16", 2, kindFloat}, BF16: {"bf16", 2, kindFloat}, F32: {"f32", 4, kindFloat}, F64: {"f64", 8, kindFloat},
}

// String returns the type's PTX spelling without the dot.
func (t Type) String() string { return typeFacts[t].name }

// Size returns the size of a value in bytes, 0 for TypeNone.
func (t Type) Size() int { return typeFacts[t].size }

// Float reports whether t is a floating-point type.
func (t Type) Float() bool { return typeFacts[t].kind == kindFloat }

// TypeOf returns the type with the spelling s, without the dot.
func TypeOf(s string) (Type, bool) {
	for t, f := range typeFacts {
		if t > 0 && f.name == s {
			return Type(t), true
		}
	}
	return TypeNone, false
}

func typeNames() string {
	var names []string
	for _, f := range typeFacts[1:] {
		names = append(names, f.name)
	}
	return strings.Join(names, " ")
}
