// Arguments of kernels: values of the launch file encoded for a parameter.

package launch

import "fmt"

// Param describes a kernel parameter.
type Param struct {
	Name  string
	Type  Type   // scalar type; of the elements for an array
	Size  uint64 // bytes
	Align int    // bytes
	// Array says that the parameter is passed by value as bytes: a struct.
	Array bool
	// Pointer says that the parameter is known to be used as an address.
	Pointer bool
	// Shared says that the parameter is an address in shared memory: a number, not a buffer.
	Shared bool
	// Elem is the type of the memory that the pointer points to, if known.
	Elem Type
	// Changed says that the kernel may store to the memory that the pointer points to.
	Changed bool
	// Decides lists what the contents of that memory decide, such as "an address".
	Decides []string
	// Fields lists the known fields, in order, of a struct that the kernel loads.
	Fields []Field
}

// Field is a field of a struct that is passed by value.
type Field struct {
	Offset  int64 // bytes
	Type    Type
	Pointer bool // it is used as an address
	Elem    Type // type of the memory that it points to, if known
	Decides []string
}

// Bytes returns the argument as bytes of the parameter block. The function addr returns the address of a buffer. The
// error is an *Error at the argument.
func (a *Arg) Bytes(p Param, addr func(buffer string) uint64) ([]byte, error) {
	b, err := a.Append(nil, p, addr)
	if err != nil {
		return nil, a.Errorf("argument for %s: %v", p.describe(), err)
	}
	return b, nil
}

func (p Param) describe() string {
	if p.Array {
		return fmt.Sprintf("parameter %s (%d bytes by value)", p.Name, p.Size)
	}
	return fmt.Sprintf("parameter %s (.%s)", p.Name, p.Type)
}

// Append is Bytes with a destination and an error without a position.
func (a *Arg) Append(dst []byte, p Param, addr func(buffer string) uint64) ([]byte, error) {
	switch a.Kind {
	case ArgStruct:
		if !p.Array {
			return nil, fmt.Errorf("a list is for a struct passed by value; expected a number%s", orBuffer(p.Size))
		}
		b, err := a.structBytes(p, addr)
		return append(dst, b...), err
	case ArgBuffer:
		if p.Size != 8 || p.Type.Float() {
			return nil, fmt.Errorf("%q is a pointer of 8 bytes; expected a number", a.Buffer)
		}
		return appendUint(dst, addr(a.Buffer)+a.Offset, 8), nil
	default:
	}
	if p.Array {
		return nil, fmt.Errorf("expected a list with the fields of the struct")
	}
	if a.Type != TypeNone {
		if uint64(a.Type.Size()) != p.Size {
			return nil, fmt.Errorf("%s has %d bytes, the parameter %d", a.Type, a.Type.Size(), p.Size)
		}
		return a.Value.Append(dst, a.Type)
	}
	return a.Value.Append(dst, p.Type)
}

func orBuffer(size uint64) string {
	if size == 8 {
		return " or a buffer"
	}
	return ""
}

// structBytes lays out the fields as C does: each at a multiple of its size, the whole padded to a multiple of the
// struct's alignment.
func (a *Arg) structBytes(p Param, addr func(string) uint64) ([]byte, error) {
	out := make([]byte, 0, 64)
	for i := range a.Fields {
		f := &a.Fields[i]
		t := f.fieldType()
		for len(out)%t.Size() != 0 {
			out = append(out, 0)
		}
		if uint64(len(out)+t.Size()) > p.Size {
			return nil, fmt.Errorf("field %d ends at byte %d, the struct has %d bytes", i, len(out)+t.Size(), p.Size)
		}
		var err error
		if f.Kind == ArgBuffer {
			out = appendUint(out, addr(f.Buffer)+f.Offset, 8)
		} else if out, err = f.Value.Append(out, t); err != nil {
			return nil, fmt.Errorf("field %d: %w", i, err)
		}
	}
	align := uint64(max(p.Align, 1))
	if used := (uint64(len(out)) + align - 1) / align * align; used != p.Size {
		return nil, fmt.Errorf("the fields fill %d bytes, the struct has %d; a plain integer is 4 bytes (s32), a number with a point is f32; write {u64: 1} for others", len(out), p.Size)
	}
	return append(out, make([]byte, int(p.Size)-len(out))...), nil
}

// fieldType returns the type of a struct field: as written, else 8 bytes for a pointer, f32 for a number with a point,
// s32 for an integer (b32 if it is too large for s32).
func (a *Arg) fieldType() Type {
	switch {
	case a.Kind == ArgBuffer:
		return U64
	case a.Type != TypeNone:
		return a.Type
	case a.Value.float:
		return F32
	}
	return B32
}

// Placed is a field of a struct argument with its offset.
type Placed struct {
	*Arg
	Offset int64 // bytes
	Size   int   // bytes
}

// Layout lays out the fields of a struct argument as C does.
func (a *Arg) Layout() (list []Placed) {
	var at int64
	for i := range a.Fields {
		size := int64(a.Fields[i].fieldType().Size())
		at = (at + size - 1) / size * size
		list = append(list, Placed{&a.Fields[i], at, int(size)})
		at += size
	}
	return list
}
