// Accesses of a kernel to memory that other threads may share.

package symbolic

import (
	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Access is a memory access of a kernel, in one frame.
type Access struct {
	Frame *Frame
	Inst  *rewrite.Inst
	isa.Access
	Addr *expr.Int  // congruent modulo 2^64; Unknown for tensor maps, textures and surfaces
	Cond *expr.Bool // what holds in every thread that makes the access
	// Async says that the access is made behind the thread's back: by an asynchronous copy.
	Async bool
}

// Accesses are the accesses to memory that other threads may share, in the order of the
// program, callees where they are called.
func (k *Kernel) Accesses() []*Access {
	var out []*Access
	k.Root.accesses(&out)
	return out
}

func (f *Frame) accesses(out *[]*Access) {
	for _, in := range f.Func.Insts {
		if !f.Reached(in) {
			continue
		}
		if c := f.Callee(in); c != nil {
			c.accesses(out)
			continue
		}
		for _, a := range in.Accesses {
			if x := f.access(in, a); x != nil {
				*out = append(*out, x)
			}
		}
	}
}

// access is an access that matters, or nil.
func (f *Frame) access(in *rewrite.Inst, a isa.Access) *Access {
	if a.Kind == isa.AccessNone || a.Space == isa.SpaceParam || a.Space == isa.SpaceConst || a.Space == isa.SpaceLocal {
		return nil
	}
	x := &Access{Frame: f, Inst: in, Access: a, Addr: expr.Unknown()}
	x.Async = in.Proxy() == isa.ProxyAsync || in.Instr.Class == isa.ClassAsync && len(in.Accesses) > 1
	if !a.Indirect && a.Addr < len(in.Operands) {
		x.Addr = f.Address(in, a.Addr)
	}
	x.Cond = f.Cond(in)
	return x
}

// Writes reports whether an access may change memory.
func (a *Access) Writes() bool { return a.Access.Writes() }
