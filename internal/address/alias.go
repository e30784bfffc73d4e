// Memory references of a function, and whether two of them may touch a common byte.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// MemRef is an address operand of an instruction that accesses memory.
type MemRef struct {
	Inst    *rewrite.Inst
	Operand int
	Space   isa.Space // SpaceNone when the space is not known
	Size    int       // bytes; 0 when not known
	Root    Root
}

// MemRefsOf returns the memory accesses of f in source order. Accesses to parameters are left
// out; an instruction that copies memory has two.
func MemRefsOf(f *rewrite.Func) []MemRef {
	var list []MemRef
	for _, in := range f.Insts {
		for _, a := range []isa.Access{in.Access, in.Copy} {
			if a.Kind != isa.AccessNone && a.Space != isa.SpaceParam {
				list = append(list, RootsOf(f).memRef(in, a))
			}
		}
	}
	return list
}

// memRef returns the MemRef of one access of an instruction.
func (r *Roots) memRef(in *rewrite.Inst, a isa.Access) MemRef {
	ref := MemRef{Inst: in, Operand: a.Addr, Space: a.Space, Size: a.Size, Root: r.Address(in, a.Addr)}
	if ref.Space == isa.SpaceNone {
		ref.Space = ref.Root.space(r.f)
	}
	if ref.Space == isa.SpaceConst && a.Space == isa.SpaceNone {
		ref.Space = isa.SpaceGlobal // a .const variable is in device memory, where generic addresses may store to it
	}
	if a.Replicas {
		ref.Root = Root{} // the objects are those behind the multicast address
	}
	return ref
}

// space returns the state space of a generic address with this root: a pointer given to a kernel was made on the host,
// so it points to global memory.
func (r Root) space(f *rewrite.Func) isa.Space {
	switch {
	case r.Kind == RootVar:
		return r.Var.Space
	case r.Kind == RootParam && f.Entry:
		if p := r.Var.AST.Ptr; p != nil && p.Space != isa.SpaceNone {
			return p.Space
		}
		return isa.SpaceGlobal
	}
	return isa.SpaceNone
}

// AliasOptions are assumptions about the caller of a function, or the launches of a kernel.
type AliasOptions struct {
	// Distinct reports whether addresses with two roots never point to the same object. At least one of the roots is a
	// pointer in a parameter, and the other is one, too, or a variable. Nil: they may.
	Distinct func(a, b Root) bool
}

// DistinctParams is for AliasOptions.Distinct. It always returns true: pointers in different parameters point to
// different objects, and to none of the module's variables.
func DistinctParams(Root, Root) bool { return true }

// MayAlias reports whether two accesses of one function may touch a common byte, in any threads of one launch.
// Addresses with the same root are compared by offset where that is known.
func MayAlias(a, b MemRef, opt AliasOptions) bool {
	x, y := a.object(), b.object()
	if !x.mayOverlap(y, opt) {
		return false
	}
	if x != y || !a.Root.Exact || !b.Root.Exact || a.Size == 0 || b.Size == 0 {
		return true
	}
	apart := uint64(a.Root.Off - b.Root.Off) // addresses wrap around
	return apart < uint64(b.Size) || -apart < uint64(a.Size)
}

// object identifies the object that an access goes to.
type object struct {
	space isa.Space
	kind  RootKind
	v     *rewrite.Var
	at    int64
}

func (r MemRef) object() object {
	o := object{space: r.Space, kind: r.Root.Kind}
	if o.kind == RootVar || o.kind == RootParam {
		o.v, o.at = r.Root.Var, r.Root.At
	}
	if o.kind == RootVar && o.v.Space == isa.SpaceConst {
		o.space = isa.SpaceConst // however it is accessed
	}
	return o
}

func (o object) mayOverlap(p object, opt AliasOptions) bool {
	if o.space != p.space && o.space != isa.SpaceNone && p.space != isa.SpaceNone {
		return false
	}
	named := func(o object) bool { return o.kind == RootVar || o.kind == RootParam }
	switch {
	case o == p || !named(o) || !named(p):
		return true
	case o.kind == RootVar && p.kind == RootVar:
		return o.v == p.v || dynamic(o.v) && dynamic(p.v)
	}
	return opt.Distinct == nil || o.v == p.v && o.kind == p.kind && o.at == p.at || !opt.Distinct(o.root(), p.root())
}

// root returns the root of addresses of the object.
func (o object) root() Root { return Root{Kind: o.kind, Var: o.v, At: o.at} }

// dynamic reports whether a variable is a name of the dynamic shared memory; all of them have the same address.
func dynamic(v *rewrite.Var) bool { return v.Space == isa.SpaceShared && v.Size == 0 }
