package acqrel

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// address names a memory location of one function: an offset from a variable, from
// a register, or from the pointer that a parameter holds.
type address struct {
	sym    rewrite.Symbol
	loaded bool  // the base is the pointer at offset at of parameter sym
	at     int64 // 0 unless loaded
	off    int64
}

// maxCopies bounds the chain of copies that address follows.
const maxCopies = 16

// address is where an instruction accesses memory, when that can be told: a
// variable, or a register that is written once.
func (fd *finder) address(in *rewrite.Inst) (address, bool) {
	o := &in.Operands[in.Access.Addr]
	if o.Kind != rewrite.OperandAddr {
		return address{}, false
	}
	if o.Sym != nil {
		return address{sym: o.Sym, off: o.Off}, true
	}
	if o.Reg == nil {
		return address{}, false
	}
	return fd.chase(o.Reg, o.Off)
}

// chase follows copies, conversions between address spaces and additions of
// constants back from a register.
func (fd *finder) chase(r *rewrite.Reg, off int64) (address, bool) {
	for range maxCopies {
		d := fd.defs[r]
		if d.n != 1 {
			return address{}, false
		}
		in := d.in
		if in.Guard != nil || len(in.Operands) < 2 {
			break
		}
		src := &in.Operands[1]
		switch {
		case in.Instr.Name == "mov" || in.Instr.Name == "cvta":
		case in.Instr.Name == "ld" && in.Space == isa.SpaceParam && src.Sym != nil:
			return address{sym: src.Sym, loaded: true, at: src.Off, off: off}, true
		case in.Instr.Name == "add" && len(in.Operands) == 3 && in.Operands[2].Kind == rewrite.OperandImm:
			off += int64(in.Operands[2].Imm)
		default:
			return address{sym: r, off: off}, true
		}
		switch src.Kind {
		case rewrite.OperandReg:
			r = src.Reg
		case rewrite.OperandSymbol:
			return address{sym: src.Sym, off: off + src.Off}, true
		default:
			return address{sym: r, off: off}, true
		}
	}
	return address{sym: r, off: off}, true
}
