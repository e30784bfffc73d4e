// What a kernel's code shows about its launch, for launch file templates.

package kernelcode

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// KernelParams describes a kernel's parameters. It guesses which of them, or of their fields, are pointers.
func KernelParams(k *rewrite.Func) []launch.Param {
	w := FlowsOf(k)
	pointers, changed := w.pointers(), w.changes()
	var out []launch.Param
	for _, v := range k.Params {
		p := ParamOf(v)
		elem, used := pointers[Piece{v, 0}]
		if ptr := v.AST.Ptr; ptr != nil && ptr.Space != isa.SpaceNone {
			p.Shared = ptr.Space == isa.SpaceShared
		} else {
			p.Shared = !p.Array && w.shared(Piece{v, 0})
		}
		p.Pointer = !p.Shared && !p.Array && p.Size == 8 && !p.Type.Float() && (used || v.AST.Ptr != nil)
		p.Elem, p.Changed = TypeOf(elem), changed[Piece{v, 0}]
		if p.Array {
			p.Fields = fieldsOf(w, v, pointers)
		}
		out = append(out, p)
	}
	return out
}

// fieldsOf returns the fields of a struct that a kernel loads, in order and without overlap.
func fieldsOf(w *flows, v *rewrite.Var, pointers map[Piece]isa.Type) (list []launch.Field) {
	loads := w.loads(v)
	end := int64(0)
	for _, off := range slices.Sorted(maps.Keys(loads)) {
		t := loads[off]
		size := int64(t.Size())
		if off < end || off%size != 0 || uint64(off+size) > v.Size || TypeOf(t) == launch.TypeNone {
			continue
		}
		elem, used := pointers[Piece{v, off}]
		pointer := used && size == 8 && !TypeOf(t).Float()
		list = append(list, launch.Field{Offset: off, Type: TypeOf(t), Pointer: pointer, Elem: TypeOf(elem)})
		end = off + size
	}
	return list
}

// StaticShared returns an upper bound for the shared memory in bytes that a kernel's variables take, a multiple of 16.
func StaticShared(k *rewrite.Func) uint64 {
	vars := k.Module.Globals
	for _, f := range Reached(k) {
		vars = append(vars[:len(vars):len(vars)], f.Locals...)
	}
	size := uint64(0)
	for _, v := range vars {
		if v.Space == isa.SpaceShared {
			align := uint64(max(v.Align, 16))
			size = min((size+v.Size+align-1)/align*align, launch.MaxSharedBytes)
		}
	}
	return size
}

// SharedParams returns the number of parameters that are addresses in shared memory.
func SharedParams(params []launch.Param) (n int) {
	for _, p := range params {
		if p.Shared {
			n++
		}
	}
	return n
}

// UsesDynamicShared reports whether the kernel's module declares shared memory whose size the launch gives.
func UsesDynamicShared(k *rewrite.Func) bool {
	for _, v := range k.Module.Globals {
		if v.Space == isa.SpaceShared && v.Size == 0 {
			return true
		}
	}
	return false
}

// ParamOf describes a parameter in the form of launch files.
func ParamOf(v *rewrite.Var) launch.Param {
	return launch.Param{Name: v.Name, Type: TypeOf(v.Type), Size: v.Size, Align: v.Align, Array: len(v.Dims) > 0 ||
		v.Vec > 1}
}

// DescribeParam returns the name and the type of a parameter.
func DescribeParam(p launch.Param) string {
	if p.Array {
		return fmt.Sprintf("%s (%d bytes by value)", p.Name, p.Size)
	}
	return fmt.Sprintf("%s (.%s)", p.Name, p.Type)
}

// TypeOf returns the launch file's type for a PTX type, TypeNone if there is none.
func TypeOf(t isa.Type) launch.Type {
	lt, _ := launch.TypeOf(t.String())
	return lt
}

// PointerNote returns what a parameter points to, "" if it is no pointer.
func PointerNote(p launch.Param) string {
	switch {
	case p.Pointer && p.Elem != launch.TypeNone:
		return ", a pointer to " + p.Elem.String()
	case p.Pointer:
		return ", a pointer"
	case p.Shared:
		return ", a pointer to shared memory"
	}
	return ""
}
