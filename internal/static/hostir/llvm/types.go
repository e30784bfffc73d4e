// Types and their layout in memory on a 64-bit host.

package llvm

// typeKind is the kind of a type.
type typeKind uint8

// Kinds of types.
const (
	otherType typeKind = iota // void, label, functions, and types that are not understood
	IntType
	FloatType
	PointerType
	ArrayType // and vectors
	StructType
)

// Type is a type. A named struct is completed when its definition is read.
type Type struct {
	Kind   typeKind
	Bits   int64 // of an integer or a float
	n      int64 // elements of an array
	Elem   *Type
	fields []*Type
	packed bool
	layout struct {
		state       uint8 // 1: being computed, 2: done
		size, align int64
		offsets     []int64
	}
}

// maxSize is the size of a type above which its size counts as unknown.
const maxSize = 1 << 40

// Size returns the size in bytes, 0 if unknown.
func (t *Type) Size() int64 { t.lay(); return t.layout.size }

// offset returns the offset of a field of a struct.
func (t *Type) offset(i int) (int64, bool) {
	t.lay()
	if t.Kind != StructType || i < 0 || i >= len(t.layout.offsets) {
		return 0, false
	}
	return t.layout.offsets[i], true
}

// lay computes the layout on first use.
func (t *Type) lay() {
	l := &t.layout
	if l.state != 0 {
		return // a type that contains itself has no size
	}
	l.state, l.align = 1, 1
	switch t.Kind {
	case IntType, FloatType:
		l.align = 1
		for l.align*8 < t.Bits && l.align < 16 {
			l.align *= 2
		}
		l.size = (t.Bits + 8*l.align - 1) / (8 * l.align) * l.align
	case PointerType:
		l.size, l.align = 8, 8
	case ArrayType:
		t.Elem.lay()
		l.align = max(t.Elem.layout.align, 1)
		if size := t.Elem.layout.size; size > 0 && t.n >= 0 && t.n < maxSize/size {
			l.size = size * t.n
		}
	case StructType:
		t.layFields()
	case otherType:
	}
	if l.size < 0 || l.size > maxSize {
		l.size = 0
	}
	l.state = 2
}

// layFields computes the offsets of the fields of a struct.
func (t *Type) layFields() {
	l := &t.layout
	at := int64(0)
	for _, f := range t.fields {
		f.lay()
		size, align := f.layout.size, max(f.layout.align, 1)
		if f.layout.state == 1 || at > maxSize {
			l.offsets = nil
			return
		}
		if t.packed {
			align = 1
		}
		at = (at + align - 1) / align * align
		l.offsets = append(l.offsets, at)
		at += size
		l.align = max(l.align, align)
	}
	l.size = (at + l.align - 1) / l.align * l.align
}
