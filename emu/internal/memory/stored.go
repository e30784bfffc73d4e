// What is in memory before an access, for listeners to steps.

package memory

import (
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Stored returns what is in memory where a lane is about to access it by the instruction of a step: one scalar of at
// most 8 bytes, in global memory or in the shared memory of the cluster.
func Stored(x *state.Engine, s *state.Step, lane int) (uint64, bool) {
	in := s.Inst
	if in.Access.Kind == isa.AccessNone || in.Access.ElemSize != in.Access.Size || in.Access.Size > 8 {
		return 0, false
	}
	addr, space, ok := addressOf(x, s, lane)
	if !ok {
		return 0, false
	}
	size := uint64(in.Access.Size)
	if space == isa.SpaceNone {
		if space = x.M.Dev.Mem.SpaceOf(addr); space == isa.SpaceShared {
			addr -= gmem.SharedWindow
		}
	}
	var from []byte
	switch space {
	case isa.SpaceShared:
		if _, b, bad := sharedAt(x, addr, size, false); bad == nil {
			from = b
		}
	case isa.SpaceGlobal:
		if a, bad := x.M.Dev.Mem.Check(addr, size); bad == nil {
			from = a.Data[addr-a.Base:]
		}
	}
	if uint64(len(from)) < size {
		return 0, false
	}
	var value uint64
	for i, b := range from[:size] {
		value |= uint64(b) << (8 * i)
	}
	return value, true
}

// addressOf returns the address that a lane accesses by the instruction of a step, and its space, SpaceNone for a
// generic address.
func addressOf(x *state.Engine, s *state.Step, lane int) (addr uint64, space isa.Space, ok bool) {
	op := &s.Inst.Operands[s.Inst.Access.Addr]
	space, addr = s.Inst.Space, uint64(op.Off)
	if op.Kind != rewrite.OperandAddr || op.Member != "" || op.Sym == nil && op.Reg == nil {
		return 0, space, false
	}
	if op.Sym != nil {
		v, isVar := op.Sym.(*rewrite.Var)
		if !isVar {
			return 0, space, false
		}
		at, known := decode.VarAddr(x.M, x.Frame.Fn, v)
		if v.Space == isa.SpaceShared {
			at, known = x.L.Shared[v]
			at += x.CTA.SharedBase()
		}
		if !known {
			return 0, space, false
		}
		addr += at
		if space == isa.SpaceNone {
			space = v.Space
		}
	}
	if op.Reg != nil {
		at, known := s.Register(op.Reg, lane)
		if !known {
			return 0, space, false
		}
		addr += at
	}
	return addr, space, true
}
