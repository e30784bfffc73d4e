// Accesses of a kernel to memory that other threads may share.

package symbolic

import (
	"math/big"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Access is a memory access of a kernel, in one frame.
type Access struct {
	Frame *Frame
	Inst  *rewrite.Inst
	isa.Access
	Addr *expr.Int  // congruent modulo 2^64; Unknown for tensor maps, textures and surfaces
	Cond *expr.Bool // a condition that holds in every thread that makes the access and, for a weak load, uses the loaded value
	// Async says that the access is made by an asynchronous copy, not by the thread itself.
	Async bool
	// Copy says that the access is part of an asynchronous copy that the thread waits for by groups.
	Copy bool
	// Bulk says that the access is part of a bulk copy of known size between the block's shared memory and global
	// memory.
	Bulk bool
	// Remote says that the access may be to the shared memory of another block of the cluster, as far as its
	// instruction tells.
	Remote bool
	// Rows says that the access is that of a lane to its row of a matrix, and that the row may be shorter than Size.
	Rows bool
}

// Accesses returns the accesses to memory that other threads may share, in program order, those of callees at their
// call.
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
		if f.Kernel.Ended() {
			return
		}
		if callees := f.Callees(in); len(callees) > 0 {
			for _, c := range callees {
				c.accesses(out)
			}
			continue
		}
		for _, a := range in.Accesses {
			if x := f.access(in, a); x != nil {
				*out = append(*out, x)
			}
		}
	}
}

// access returns the access of an instruction, or nil if other threads cannot share its memory.
func (f *Frame) access(in *rewrite.Inst, a isa.Access) *Access {
	if a.Kind == isa.AccessNone || a.Space == isa.SpaceParam || a.Space == isa.SpaceLocal {
		return nil
	}
	x := &Access{Frame: f, Inst: in, Access: a, Addr: expr.Unknown(), Remote: in.Remote(a)}
	x.Async = in.Proxy() == isa.ProxyAsync || len(in.Accesses) > 1 && (in.Instr.Class == isa.ClassAsync || in.Signals())
	if x.Copy = in.CopiesInGroup(); x.Copy {
		if n := &in.Operands[in.CopySize()]; n.Kind == rewrite.OperandImm {
			x.Size = int(n.Imm)
		}
	}
	if n := in.CopySize(); x.Async && !x.Copy && in.Proxy() == isa.ProxyAsync && n >= 0 && !in.Multicast() &&
		!in.Has("ignore_oob") {
		if k, ok := expr.Wrap(f.Operand(in, n), 32, false).Const(); ok && k.IsInt64() && k.Int64() < 1<<31 {
			if x.Bulk = true; x.Size == 0 {
				x.Size = int(k.Int64())
			}
		}
	}
	if !a.Indirect && !a.Replicas && a.Addr < len(in.Operands) {
		if x.Addr = f.Kernel.Turned(f.Address(in, a.Addr)); a.Space == isa.SpaceShared {
			x.Addr = fromBase(x.Addr)
		}
	}
	x.Cond = f.Cond(in)
	if lanes, bytes := in.MatrixRows(); lanes > 0 {
		x.Rows, x.Size = true, bytes
		x.Cond = expr.All(x.Cond, expr.Lt(expr.Wrap(Flat(), 5, false), expr.Const(int64(lanes))))
	}
	if d, ok := query.DemandOf(in); ok {
		x.Cond = expr.All(x.Cond, f.demand(d))
	}
	return x
}

// sharedBits is the width of registers that hold addresses of shared memory.
const sharedBits = 32

// fromBase returns an address in shared memory as a distance from the variable that it was computed from. A 32-bit
// register may hold the address reduced to its width: u32(base + x) is base + s32(x) modulo 2^32, so two addresses
// computed from the same variable are equal exactly when their distances are. An address 2^31 bytes away from the
// variable is outside of shared memory.
func fromBase(addr *expr.Int) *expr.Int {
	k, terms := addr.Linear()
	for i, t := range terms {
		if bits, _ := t.X.Width(); t.X.Op() != expr.OpWrap || bits != sharedBits || t.Coef.Cmp(big.NewInt(1)) != 0 {
			continue
		}
		_, inner := t.X.Args()[0].Linear()
		for _, u := range inner {
			if v := u.X.Variable(); v == nil || !strings.HasPrefix(v.Name, SharedBase) ||
				u.Coef.Cmp(big.NewInt(1)) != 0 {
				continue
			}
			rest := expr.Add(expr.Big(k), expr.Sub(t.X.Args()[0], u.X))
			for j, o := range terms {
				if j != i {
					rest = expr.Add(rest, expr.Mul(expr.Big(o.Coef), o.X))
				}
			}
			return expr.Add(u.X, expr.Wrap(rest, sharedBits, true))
		}
	}
	return addr
}

// Writes reports whether an access may change memory.
func (a *Access) Writes() bool { return a.Access.Writes() }
