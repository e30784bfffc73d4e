// The reader of functions and instructions.

package hostir

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// reader reads the tokens of a line.
type reader struct {
	m     *module
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
func (r *reader) typ() *typ {
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
		return &typ{kind: tyFloat, bits: bits}
	}
	if t.text == "ptr" {
		if r.accept("addrspace") {
			r.group()
		}
		return &typ{kind: tyPointer}
	}
	if bits, err := strconv.ParseInt(strings.TrimPrefix(t.text, "i"), 10, 32); err == nil && t.text[0] == 'i' &&
		bits > 0 {
		return &typ{kind: tyInt, bits: bits}
	}
	if t.text == "void" || t.text == "label" || t.text == "metadata" || t.text == "token" || t.text == "opaque" {
		return new(typ)
	}
	r.i--
	return nil
}

// array reads [n x T] or <n x T>.
func (r *reader) array() *typ {
	r.next()
	n, _ := strconv.ParseInt(r.next().text, 10, 64)
	r.accept("x")
	elem := r.typ()
	r.next()
	if elem == nil {
		return nil
	}
	return &typ{kind: tyArray, n: n, elem: elem}
}

// structure reads {T, …} or <{T, …}>.
func (r *reader) structure() *typ {
	t := &typ{kind: tyStruct, packed: r.accept("<")}
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
func (r *reader) operand() operand {
	t := r.typ()
	if t == nil {
		r.toComma()
		return operand{}
	}
	byval := r.attributes()
	o := r.value(t)
	o.byval = byval
	return o
}

// attributes skips the attributes of a parameter; byval is the type of a struct passed by value.
func (r *reader) attributes() (byval *typ) {
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
func (r *reader) value(t *typ) operand {
	o := operand{typ: t}
	switch v := r.next(); {
	case v.kind == tokLocal:
		o.kind, o.name = opLocal, v.text
	case v.kind == tokGlobal:
		o.kind, o.name = opGlobal, v.text
	case v.kind == tokNumber:
		if k, ok := new(big.Int).SetString(v.text, 10); ok && t.kind == tyInt && len(v.text) < 60 {
			o.kind, o.num = opInt, k
		}
		if f, ok := realOf(v.text); ok && t.kind == tyFloat && (t.bits == 32 || t.bits == 64) {
			o.kind, o.real = opReal, f
		}
	case v.is("true"), v.is("false"):
		o.kind, o.num = opInt, big.NewInt(0)
		if v.is("true") {
			o.num = big.NewInt(1)
		}
	case v.is("null"):
		o.kind = opNull
	case v.is("zeroinitializer"):
		o.kind = opZero
	case v.is("getelementptr"):
		r.constantAddress(&o)
	case v.kind == tokString && t.kind == tyArray:
		o.text(v.text)
	case v.is("["), v.is("{"), v.is("<"):
		r.i--
		start := r.i
		r.group()
		end := r.i
		r.i = start
		o.list = r.elements(t)
		if r.i = end; o.list != nil {
			o.kind = opList
		}
	case v.kind == tokWord && r.peek().is("("):
		r.group()
	}
	return o
}

// constantAddress reads a constant getelementptr after its name.
func (r *reader) constantAddress(o *operand) {
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
	at, known := base.offset, base.kind == opGlobal && elem != nil
	for n := 0; r.accept(","); n++ {
		i := r.operand()
		if i.kind != opInt || !i.num.IsInt64() || !known {
			known = false
			continue
		}
		var d int64
		d, elem, known = step(elem, n, i.num.Int64())
		at += d
	}
	r.accept(")")
	if known {
		o.kind, o.name, o.offset = opGlobal, base.name, at
	}
}

// step returns the offset of the n-th index of an address, and the type at that offset.
func step(t *typ, n int, i int64) (int64, *typ, bool) {
	if n > 0 {
		switch t.kind {
		case tyStruct:
			at, ok := t.offset(int(i))
			if !ok {
				return 0, nil, false
			}
			return at, t.fields[i], true
		case tyArray:
			t = t.elem
		default:
			return 0, nil, false
		}
	}
	size := t.size()
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
func (r *reader) elements(t *typ) (list []element) {
	if r.depth++; r.depth > maxNesting {
		return nil
	}
	defer func() { r.depth-- }()
	r.next()
	if t.kind == tyStruct && t.packed {
		r.next()
	}
	for i := 0; r.more() && len(list) < maxElements; i++ {
		e := element{operand: r.operand()}
		d, _, ok := step(t, 1, int64(i))
		if !ok || e.typ == nil {
			return nil
		}
		e.at = d
		list = append(list, e)
		if !r.accept(",") {
			return list
		}
	}
	return nil
}

// text sets an operand to the constant c"…" of an array that ends with its only zero.
func (o *operand) text(s string) {
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
	if n := len(b) - 1; n >= 0 && b[n] == 0 && !strings.Contains(string(b[:n]), "\x00") && int64(n+1) == o.typ.n {
		o.kind, o.name = opText, string(b[:n])
	}
}
