// The arguments of a launch. They are checked against the kernel's parameters and converted once, to bytes that are the
// same on all devices apart from the addresses of objects in them.

package session

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
)

// boundArg is an argument that fits its parameter.
type boundArg struct {
	proofs.Arg
	objects   []*Object // by pointer
	tensorMap *Object   // tensor map passed by value, else nil
}

// fileArg is an argument of a launch file, with the objects that it may name. Without objects it can be checked but not
// passed.
type fileArg struct {
	arg     *launch.Arg
	objects map[string]*Object
}

// bindArgs converts the arguments to the given parameters.
func (b *boundLaunch) bindArgs(params []launch.Param) error {
	if len(b.Args) != len(params) {
		want := ""
		for i, p := range params {
			if i > 0 {
				want += ", "
			}
			want += kernelcode.DescribeParam(p)
		}
		return b.argsErrorf("kernel %s takes %d arguments, found %d; expected: %s", b.Kernel, len(params), len(b.Args),
			cmp.Or(want, "none"))
	}
	size := uint64(0)
	for i := range params {
		size += params[i].Size
	}
	room := make([]byte, 0, size)
	b.args = make([]boundArg, len(params))
	for i := range params {
		if err := b.bindArg(i, &params[i], room); err != nil {
			return err
		}
		n := len(b.args[i].Bytes)
		room = room[n:n] // the remaining capacity
	}
	return nil
}

// bindArg converts argument i. It appends the bytes of most arguments to room.
func (b *boundLaunch) bindArg(i int, p *launch.Param, room []byte) (err error) {
	switch v := b.Args[i].(type) {
	case fileArg:
		return b.bindFileArg(i, v, p)
	case *Object:
		if v.kind == objectTensorMap && p.Array && p.Size == v.size {
			b.args[i].tensorMap = v
			return nil
		}
		a := launch.Arg{Kind: launch.ArgBuffer, Buffer: v.name}
		b.args[i].Bytes, err = a.Append(room, *p, func(string) uint64 { return 0 })
		b.args[i].Pointers = []proofs.Pointer{{Number: b.numberOf(v)}}
		b.args[i].objects = []*Object{v}
	case []byte:
		if b.args[i].Bytes = v; uint64(len(v)) != p.Size {
			err = fmt.Errorf("found %d bytes", len(v))
		}
	default:
		n, ok := launch.NumberOf(v)
		if !ok {
			err = fmt.Errorf("expected a number, an *Object or a []byte, found %T", v)
			break
		}
		a := launch.Arg{Kind: launch.ArgNumber, Value: n}
		b.args[i].Bytes, err = a.Append(room, *p, nil)
	}
	if err != nil {
		return b.argsErrorf("kernel %s: argument %d for %s: %v", b.Kernel, i, kernelcode.DescribeParam(*p), err)
	}
	return nil
}

// bindFileArg converts an argument of a launch file.
func (b *boundLaunch) bindFileArg(i int, f fileArg, p *launch.Param) error {
	if f.arg.TensorMapByValue(*p) {
		b.args[i].tensorMap = f.objects[f.arg.Buffer]
		return nil
	}
	var named []*Object
	zeros, err := f.arg.Bytes(*p, func(name string) uint64 {
		named = append(named, f.objects[name])
		return 0
	})
	b.args[i].Bytes = zeros
	if err != nil || named == nil {
		return badinput.Wrap(err)
	}
	order := uint64(0)
	places, _ := f.arg.Bytes(*p, func(string) uint64 { order++; return order })
	for at := 0; at+proofs.PointerBytes <= len(zeros); at += proofs.PointerBytes { // addresses are aligned
		if n := binary.LittleEndian.Uint64(places[at:]) - binary.LittleEndian.Uint64(zeros[at:]); n > 0 {
			o := named[n-1]
			b.args[i].Pointers, b.args[i].objects = append(b.args[i].Pointers,
				proofs.Pointer{At: at, Number: b.numberOf(o)}), append(b.args[i].objects, o)
		}
	}
	return nil
}

// numberOf returns the number of an object in the launch; an earlier argument may have named it already.
func (b *boundLaunch) numberOf(o *Object) uint64 {
	last := uint64(0)
	for i := range b.args {
		for j, p := range b.args[i].Pointers {
			if b.args[i].objects[j] == o {
				return p.Number
			}
			last = max(last, p.Number)
		}
	}
	return last + 1
}

// resolve replaces addresses of buffers in arguments that are numbers or bytes by references to the buffers. So
// launches that differ only in where buffers lie compare equal.
func (s *Session) resolve(b *boundLaunch) {
	for i := range b.args {
		a := &b.args[i]
		if a.Pointers != nil {
			continue
		}
		for at := 0; at+proofs.PointerBytes <= len(a.Bytes); at += proofs.PointerBytes {
			o, offset := s.bufferAt(binary.LittleEndian.Uint64(a.Bytes[at:]))
			if o == nil {
				continue
			}
			if a.Pointers == nil {
				a.Bytes = bytes.Clone(a.Bytes) // the bytes may be the caller's
			}
			binary.LittleEndian.PutUint64(a.Bytes[at:], offset)
			a.Pointers, a.objects = append(a.Pointers, proofs.Pointer{At: at, Number: b.numberOf(o)}),
				append(a.objects, o)
		}
	}
}

// bufferAt returns the buffer that contains an address, and the offset in it; nil if there is none.
func (s *Session) bufferAt(addr uint64) (*Object, uint64) {
	r := s.first()
	_, offset, ok := r.dev.Describe(addr)
	if !ok {
		return nil, 0
	}
	return r.buffers[addr-offset], offset
}

// pass writes an argument to the parameter block of a launch on the device of a run.
func (r *run) pass(a *boundArg, block []byte) error {
	if a.tensorMap != nil {
		b, err := r.tensorMapBytes(a.tensorMap)
		copy(block, b)
		return err
	}
	copy(block, a.Bytes)
	for i, p := range a.Pointers {
		binary.LittleEndian.PutUint64(block[p.At:], a.objects[i].at(r)+binary.LittleEndian.Uint64(a.Bytes[p.At:]))
	}
	return nil
}
