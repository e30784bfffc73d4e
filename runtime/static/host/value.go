// Values of the symbolic execution.

package host

import (
	"maps"
	"strconv"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// value is the value of a variable. The zero value is unknown.
type value struct {
	num    *expr.Int  // an integer
	typ    string     // of num: s32, u64, …
	cond   *expr.Bool // a condition, in place of num
	buf    *buffer    // a pointer into an allocation
	off    *expr.Int  // of the pointer, in bytes; nil: unknown
	elem   int64      // size of the pointer's target, 0: unknown
	to     *variable  // the address of a variable of the host
	field  string     // of the variable to, "" for all of it
	fields map[string]value
	of     *structure // of fields
	list   []value    // an initializer list or an array

	text    *chars   // a pointer into a known string, to byte at
	argv    *words   // a pointer to strings of the command line, to element at
	at      int64    // of text and argv
	real    *float64 // a floating-point number
	options *Getopt  // the state of getopt
}

func number64(k int64) value { return value{num: expr.Const(k), typ: "s32"} }

func (v value) known() bool { return v.num != nil && !v.num.IsUnknown() }

// int returns the value as an integer; a condition is 0 or 1.
func (v value) int() (*expr.Int, string) {
	switch {
	case v.cond != nil:
		return expr.Ite(v.cond, expr.Const(1), expr.Const(0)), "s32"
	case v.num != nil:
		return v.num, v.typ
	}
	return nil, ""
}

// bool returns the value as a condition.
func (v value) bool() *expr.Bool {
	switch {
	case v.cond != nil:
		return v.cond
	case v.known():
		return expr.Ne(v.num, expr.Const(0))
	case v.text != nil || v.argv != nil:
		return expr.Truth(true)
	}
	return expr.Maybe()
}

// empty reports whether a value is unknown.
func (v value) empty() bool {
	return v.num == nil && v.cond == nil && v.buf == nil && v.to == nil && v.of == nil && v.list == nil && v.text == nil && v.argv == nil && v.real == nil && v.options == nil
}

// equal reports whether two values are known to be the same.
func (v value) equal(w value) bool {
	switch {
	case v.num != nil && w.num != nil:
		return v.num.Equal(w.num) && v.typ == w.typ
	case v.cond != nil && w.cond != nil:
		return v.cond.Equal(w.cond)
	case v.buf != nil || w.buf != nil:
		return v.buf == w.buf && (v.off == nil) == (w.off == nil) && (v.off == nil || v.off.Equal(w.off))
	case v.to != nil || w.to != nil:
		return v.to == w.to && v.field == w.field
	case v.text != nil && w.text != nil:
		return *v.text == *w.text && v.at == w.at
	case v.argv != nil && w.argv != nil:
		return v.argv == w.argv && v.at == w.at
	case v.real != nil && w.real != nil:
		return *v.real == *w.real
	case v.options != nil && w.options != nil:
		return v.options.Equal(w.options)
	case v.of != nil && v.of == w.of && len(v.fields) == len(w.fields):
		for name, f := range v.fields {
			if g, ok := w.fields[name]; !ok || !f.equal(g) {
				return false
			}
		}
		return true
	}
	return false
}

// buffer is an allocation.
type buffer struct {
	name string
	size *expr.Int
	site facts.Pos
}

// variable is a variable of the host in one execution of its function.
type variable struct {
	name   string
	typ    ctype
	global bool // or a member of an object
	id     int  // in the order of creation

	undeclared bool // it is a member of an object, or from a missing header
}

// state is the symbolic state at a point of the program.
type state struct {
	values map[*variable]value
	init   map[*buffer]facts.Contents
	path   []condition
}

// condition is a condition of the path, with the time until which it holds: to the end of the branch, the loop or the function in
// which it was added, or to the end of the program.
type condition struct {
	facts.Condition
	local bool
}

func (s *state) clone() *state {
	return &state{values: maps.Clone(s.values), init: maps.Clone(s.init), path: s.path[:len(s.path):len(s.path)]}
}

// kind describes an integer or floating-point type.
type kind struct {
	size  int64 // bytes
	typ   string
	float bool
}

// sizes gives the types whose size is known.
var sizes = map[string]kind{
	"bool": {1, "u8", false}, "s8": {1, "s8", false}, "u8": {1, "u8", false}, "s16": {2, "s16", false}, "u16": {2, "u16", false},
	"s32": {4, "s32", false}, "u32": {4, "u32", false}, "s64": {8, "s64", false}, "u64": {8, "u64", false},
	"float": {4, "", true}, "double": {8, "", true}, "half": {2, "", true}, "__half": {2, "", true},
	"size_t": {8, "u64", false}, "ssize_t": {8, "s64", false}, "ptrdiff_t": {8, "s64", false}, "uintptr_t": {8, "u64", false}, "intptr_t": {8, "s64", false},
	"int8_t": {1, "s8", false}, "uint8_t": {1, "u8", false}, "int16_t": {2, "s16", false}, "uint16_t": {2, "u16", false},
	"int32_t": {4, "s32", false}, "uint32_t": {4, "u32", false}, "int64_t": {8, "s64", false}, "uint64_t": {8, "u64", false},
	"uint": {4, "u32", false}, "uchar": {1, "u8", false}, "ushort": {2, "u16", false}, "ulong": {8, "u64", false}, "int": {4, "s32", false},
	"char1": {1, "", false}, "char2": {2, "", false}, "char4": {4, "", false}, "uchar2": {2, "", false}, "uchar4": {4, "", false}, "short2": {4, "", false}, "short4": {8, "", false},
	"int2": {8, "", false}, "int3": {12, "", false}, "int4": {16, "", false}, "uint2": {8, "", false}, "uint3": {12, "", false}, "uint4": {16, "", false},
	"float2": {8, "", false}, "float3": {12, "", false}, "float4": {16, "", false}, "double2": {16, "", false}, "longlong2": {16, "", false},
}

// kindOf describes a type: an integer has a typ.
func (x *executor) kindOf(t ctype) kind {
	if t = x.resolved(t); t.ptr > 0 {
		return kind{size: 8}
	}
	if k, ok := sizes[t.name]; ok {
		return k
	}
	if s := x.structs[t.name]; s != nil {
		size, _ := x.layout(s)
		return kind{size: size}
	}
	return kind{}
}

// structOf returns the structure named by a type.
func (x *executor) structOf(t ctype) *structure {
	if t = x.resolved(t); t.ptr > 0 {
		return nil
	}
	return x.structs[t.name]
}

// resolved returns the type that a type name stands for in this file.
func (x *executor) resolved(t ctype) ctype {
	for n := 0; t.ptr == 0 && n < 16; n++ {
		a, ok := x.aliases[t.name]
		if !ok {
			break
		}
		t.name, t.ptr = a.name, a.ptr
	}
	return t
}

// alike reports whether two structs have the same fields, as if from a header included in two files.
func (s *structure) alike(t *structure) bool {
	if s == nil || t == nil || s.name != t.name || len(s.fields) != len(t.fields) {
		return false
	}
	for i, f := range s.fields {
		if g := t.fields[i]; f.name != g.name || f.typ != g.typ || f.array != g.array {
			return false
		}
	}
	return true
}

// layout computes the size of a struct, 0 if unknown, and the offsets of its fields as in C.
func (x *executor) layout(s *structure) (size int64, offsets []int64) {
	if x.laying[s] {
		return 0, nil
	}
	x.laying[s] = true
	defer delete(x.laying, s)
	align := int64(1)
	for i := range s.fields {
		f := &s.fields[i]
		k := x.kindOf(f.typ)
		if k.size == 0 || f.array {
			return 0, nil
		}
		a := min(k.size, 8)
		if inner := x.structOf(f.typ); inner != nil {
			a = 4
			for j := range inner.fields {
				a = max(a, min(x.kindOf(inner.fields[j].typ).size, 8))
			}
		}
		size = (size + a - 1) / a * a
		offsets = append(offsets, size)
		size += k.size
		align = max(align, a)
	}
	return (size + align - 1) / align * align, offsets
}

// dim3Type is the structure of grid and block extents.
var dim3Type = &structure{name: "dim3", fields: []decl{{typ: ctype{name: "u32"}, name: "x"}, {typ: ctype{name: "u32"}, name: "y"}, {typ: ctype{name: "u32"}, name: "z"}}}

// leaf makes a variable of the facts: an unknown value of an integer type. Unless it comes from outside of the program, its
// computation was not followed.
func (x *executor) leaf(hint, typ string) value {
	name := cleanName(hint)
	for base := name; x.vars[name] != nil; {
		x.copies[base] = max(x.copies[base], 1) + 1
		name = base + "." + strconv.Itoa(x.copies[base])
	}
	v := facts.NewVar(name, typ)
	v.Lost = !x.outside
	x.vars[name] = &v
	x.order = append(x.order, name)
	return value{num: v.Int(), typ: typ}
}

// leafWithin is leaf with a range.
func (x *executor) leafWithin(hint, typ string, lo, hi int64) value {
	v := x.leaf(hint, typ)
	f := x.vars[v.num.Variable().Name]
	f.Lo, f.Hi = bigInt(lo), bigInt(hi)
	v.num = f.Int()
	return v
}

// cleanName returns a name that formulas can use.
func cleanName(hint string) string {
	out := []byte{}
	for _, c := range []byte(hint) {
		if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || len(out) > 0 && (c >= '0' && c <= '9' || c == '.') {
			out = append(out, c)
		}
	}
	if len(out) == 0 || len(out) > 60 {
		return "v"
	}
	return string(out)
}

// convert converts a value to a type, as C does on assignment.
func (x *executor) convert(v value, t ctype, hint string) value {
	if t.ptr > 0 {
		if k, null := constantOf(v); v.text != nil || v.argv != nil || null && k == 0 && x.args != nil {
			return v
		}
		if v.buf != nil || v.to != nil || v.list != nil {
			v.elem = x.kindOf(ctype{name: t.name, ptr: t.ptr - 1}).size
			return v
		}
		return value{}
	}
	if t.name == "auto" || t.name == "" {
		return v
	}
	if s := x.structOf(t); s != nil || t.name == "dim3" {
		return x.convertStruct(v, s, t, hint)
	}
	k := x.kindOf(t)
	if v.real != nil {
		return converted(*v.real, k)
	}
	switch num, typ := v.int(); {
	case k.typ == "":
		return value{}
	case num == nil || num.IsUnknown():
		return x.leaf(hint, k.typ)
	case t.name == "bool":
		return value{cond: v.bool()}
	default:
		return value{num: wrapTo(num, typ, k.typ), typ: k.typ}
	}
}

func (x *executor) convertStruct(v value, s *structure, t ctype, hint string) value {
	if t.name == "dim3" && s == nil {
		s = dim3Type
	}
	switch {
	case v.of == s && v.fields != nil:
		return v
	case v.of.alike(s) && v.fields != nil:
		v.of = s
		return v
	case v.list != nil:
		return x.construct(s, v.list, hint)
	case s == dim3Type && (v.known() || v.cond != nil):
		return x.construct(s, []value{v}, hint)
	}
	return value{of: s, fields: map[string]value{}}
}

// construct makes a struct from the values of its first fields.
func (x *executor) construct(s *structure, list []value, hint string) value {
	v := value{of: s, fields: map[string]value{}}
	for i := range s.fields {
		f := &s.fields[i]
		switch {
		case i < len(list) && s == dim3Type:
			v.fields[f.name] = x.extent(list[i], hint+"."+f.name)
		case i < len(list):
			v.fields[f.name] = x.convert(list[i], f.typ, hint+"."+f.name)
		case s == dim3Type:
			v.fields[f.name] = value{num: expr.Const(1), typ: "u32"}
		default: // zero
			if x.kindOf(f.typ).typ != "" {
				v.fields[f.name] = value{num: expr.Const(0), typ: x.kindOf(f.typ).typ}
			}
		}
	}
	return v
}

// extent returns a value as an extent of a grid or a block: a negative one makes the launch fail, so that a signed number need
// not be converted.
func (x *executor) extent(v value, hint string) value {
	if n, typ := v.int(); n != nil && !n.IsUnknown() {
		if bits, signed := width(typ); signed && bits <= 32 {
			return value{num: n, typ: "u32"}
		}
	}
	return x.convert(v, ctype{name: "u32"}, hint)
}

// wrapTo converts an integer between types. Signed values are in the range of their type, and 64-bit unsigned ones are exact: see
// the package comment.
func wrapTo(num *expr.Int, from, to string) *expr.Int {
	bits, signed := width(to)
	fromBits, fromSigned := width(from)
	switch {
	case bits == 64:
		return num
	case fromSigned && signed && fromBits <= bits, !fromSigned && fromBits < bits, from == to && signed:
		return num
	}
	return expr.Wrap(num, bits, signed)
}

func width(typ string) (bits int, signed bool) {
	if len(typ) < 2 {
		return 64, true
	}
	bits, _ = strconv.Atoi(typ[1:])
	return bits, typ[0] == 's'
}
