// The reader of functions and instructions.

package llvm

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// reader reads the tokens of a line.
type reader struct {
	m     *Module
	ts    []token
	i     int
	depth int
}

func (t token) is(text string) bool {
	return t.text == text && (t.kind == tokWord || t.kind == tokPunct)
}

func (r *reader) more() bool { return r.i < len(r.ts) }

func (r *reader) peek() token { return r.ahead(0) }

func (r *reader) ahead(n int) token {
	if r.i+n < len(r.ts) {
		return r.ts[r.i+n]
	}
	return token{}
}

func (r *reader) next() token {
	t := r.peek()
	r.i++
	return t
}

func (r *reader) accept(text string) bool {
	if !r.peek().is(text) {
		return false
	}
	r.i++
	return true
}

// group skips the group in brackets that is next.
func (r *reader) group() {
	depth := 0
	for r.more() {
		switch t := r.next(); {
		case t.is("("), t.is("["), t.is("{"), t.is("<"):
			depth++
		case t.is(")"), t.is("]"), t.is("}"), t.is(">"):
			depth--
		}
		if depth <= 0 {
			return
		}
	}
}

// floats gives the floating-point types with their bits.
var floats = map[string]int64{"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128}

// maxNesting is the maximal nesting depth of a type or constant.
const maxNesting = 60

// typ parses a type; nil if there is none.
func (r *reader) typ() *Type {
	if r.depth++; r.depth > maxNesting {
		return nil
	}
	defer func() { r.depth-- }()
	t := r.peek()
	switch {
	case t.kind == tokLocal:
		r.next()
		return r.m.typeOf(t.text)
	case t.is("["), t.is("<") && !r.ahead(1).is("{"):
		return r.array()
	case t.is("{"), t.is("<"):
		return r.structure()
	case t.kind != tokWord:
		return nil
	}
	r.next()
	if bits := floats[t.text]; bits > 0 {
		return &Type{Kind: FloatType, Bits: bits}
	}
	if t.text == "ptr" {
		if r.accept("addrspace") {
			r.group()
		}
		return &Type{Kind: PointerType}
	}
	if bits, err := strconv.ParseInt(strings.TrimPrefix(t.text, "i"), 10, 32); err == nil && t.text[0] == 'i' &&
		bits > 0 {
		return &Type{Kind: IntType, Bits: bits}
	}
	if t.text == "void" || t.text == "label" || t.text == "metadata" || t.text == "token" || t.text == "opaque" {
		return new(Type)
	}
	r.i--
	return nil
}

// array reads [n x T] or <n x T>.
func (r *reader) array() *Type {
	r.next()
	n, _ := strconv.ParseInt(r.next().text, 10, 64)
	r.accept("x")
	elem := r.typ()
	r.next()
	if elem == nil {
		return nil
	}
	return &Type{Kind: ArrayType, n: n, Elem: elem}
}

// structure reads {T, …} or <{T, …}>.
func (r *reader) structure() *Type {
	t := &Type{Kind: StructType, packed: r.accept("<")}
	r.next()
	for r.more() && !r.accept("}") {
		f := r.typ()
		if f == nil {
			return nil
		}
		t.fields = append(t.fields, f)
		r.accept(",")
	}
	if t.packed {
		r.accept(">")
	}
	return t
}

// operand reads a type, attributes and a value.
func (r *reader) operand() Operand {
	t := r.typ()
	if t == nil {
		r.toComma()
		return Operand{}
	}
	byval := r.attributes()
	o := r.value(t)
	o.byval = byval
	return o
}

// attributes skips the attributes of a parameter; byval is the type of a struct passed by value.
func (r *reader) attributes() (byval *Type) {
	for r.peek().kind == tokWord && !valueWords[r.peek().text] {
		name := r.next().text
		switch {
		case name == "align" && r.peek().kind == tokNumber:
			r.next()
		case name == "byval" && r.peek().is("("):
			r.next()
			byval = r.typ()
			r.accept(")")
		case r.peek().is("("):
			r.group()
		}
	}
	return byval
}

// realOf returns a floating-point constant: a decimal number, or the bits of a double in hexadecimal (LLVM Language
// Reference, "Simple Constants").
func realOf(text string) (float64, bool) {
	if bits, ok := strings.CutPrefix(text, "0x"); ok {
		k, err := strconv.ParseUint(bits, 16, 64)
		return math.Float64frombits(k), err == nil
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// valueWords are the words with which values begin.
var valueWords = map[string]bool{
	"true": true, "false": true, "null": true, "undef": true, "poison": true,
	"zeroinitializer": true, "none": true, "getelementptr": true, "inttoptr": true, "ptrtoint": true, "bitcast": true,
	"trunc": true, "splat": true, "asm": true, "blockaddress": true, "sub": true, "add": true, "xor": true,
	"dso_local_equivalent": true, "no_cfi": true,
}

// value reads a value of a type.
func (r *reader) value(t *Type) Operand {
	o := Operand{Type: t}
	switch v := r.next(); {
	case v.kind == tokLocal:
		o.Kind, o.Name = OpLocal, v.text
	case v.kind == tokGlobal:
		o.Kind, o.Name = OpGlobal, v.text
	case v.kind == tokNumber:
		if k, ok := new(big.Int).SetString(v.text, 10); ok && t.Kind == IntType && len(v.text) < 60 {
			o.Kind, o.Num = OpInt, k
		}
		if f, ok := realOf(v.text); ok && t.Kind == FloatType && (t.Bits == 32 || t.Bits == 64) {
			o.Kind, o.Real = OpReal, f
		}
	case v.is("true"), v.is("false"):
		o.Kind, o.Num = OpInt, big.NewInt(0)
		if v.is("true") {
			o.Num = big.NewInt(1)
		}
	case v.is("null"):
		o.Kind = OpNull
	case v.is("zeroinitializer"):
		o.Kind = OpZero
	case v.is("getelementptr"):
		r.constantAddress(&o)
	case v.kind == tokString && t.Kind == ArrayType:
		o.text(v.text)
	case v.is("["), v.is("{"), v.is("<"):
		r.i--
		start := r.i
		r.group()
		end := r.i
		r.i = start
		o.List = r.elements(t)
		if r.i = end; o.List != nil {
			o.Kind = OpList
		}
	case v.kind == tokWord && r.peek().is("("):
		r.group()
	}
	return o
}

// constantAddress reads a constant getelementptr after its name.
func (r *reader) constantAddress(o *Operand) {
	if r.depth++; r.depth > maxNesting {
		return
	}
	defer func() { r.depth-- }()
	for r.peek().kind == tokWord {
		r.next()
		if r.peek().is("(") && r.ahead(1).kind == tokNumber {
			r.group() // inrange
		}
	}
	if !r.accept("(") {
		return
	}
	elem := r.typ()
	r.accept(",")
	base := r.operand()
	at, known := base.Offset, base.Kind == OpGlobal && elem != nil
	for n := 0; r.accept(","); n++ {
		i := r.operand()
		if i.Kind != OpInt || !i.Num.IsInt64() || !known {
			known = false
			continue
		}
		var d int64
		d, elem, known = Step(elem, n, i.Num.Int64())
		at += d
	}
	r.accept(")")
	if known {
		o.Kind, o.Name, o.Offset = OpGlobal, base.Name, at
	}
}

// Step returns the offset of the n-th index of an address, and the type at that offset.
func Step(t *Type, n int, i int64) (int64, *Type, bool) {
	if n > 0 {
		switch t.Kind {
		case StructType:
			at, ok := t.offset(int(i))
			if !ok {
				return 0, nil, false
			}
			return at, t.fields[i], true
		case ArrayType:
			t = t.Elem
		default:
			return 0, nil, false
		}
	}
	size := t.Size()
	if size == 0 || i > maxSize/size || i < -maxSize/size {
		return 0, nil, false
	}
	return i * size, t, true
}

// toComma skips to the next comma at this level.
func (r *reader) toComma() {
	for r.more() && !r.peek().is(",") && !r.peek().is(")") {
		if t := r.peek(); t.is("(") || t.is("[") || t.is("{") || t.is("<") {
			r.group()
			continue
		}
		r.next()
	}
}

// maxElements limits the elements of a constant that are read.
const maxElements = 1000

// elements parses the elements of a constant of a type; nil if they are not understood.
func (r *reader) elements(t *Type) (list []element) {
	if r.depth++; r.depth > maxNesting {
		return nil
	}
	defer func() { r.depth-- }()
	r.next()
	if t.Kind == StructType && t.packed {
		r.next()
	}
	for i := 0; r.more() && len(list) < maxElements; i++ {
		e := element{Operand: r.operand()}
		d, _, ok := Step(t, 1, int64(i))
		if !ok || e.Type == nil {
			return nil
		}
		e.At = d
		list = append(list, e)
		if !r.accept(",") {
			return list
		}
	}
	return nil
}

// text sets an operand to the constant c"…" of an array that ends with its only zero.
func (o *Operand) text(s string) {
	var b []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+2 < len(s) {
			k, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil {
				return
			}
			c = byte(k)
			i += 2
		}
		b = append(b, c)
	}
	if n := len(b) - 1; n >= 0 && b[n] == 0 && !strings.Contains(string(b[:n]), "\x00") && int64(n+1) == o.Type.n {
		o.Kind, o.Name = OpText, string(b[:n])
	}
}
