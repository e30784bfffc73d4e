package emu

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxBulk is the greatest size of st.bulk, in bytes (PTX ISA, st.bulk).
const maxBulk = 16777216

// bulkStore decodes st.bulk{.weak}{.shared::cta} [a], size, 0, which clears shared
// memory, eight bytes at a time here.
func (d *decoder) bulkStore(in *rewrite.Inst) (inst, error) {
	if zero := &in.Operands[2]; zero.Kind != rewrite.OperandImm || zero.Imm != 0 {
		return inst{}, d.errorf(in, "%s: initial value %s, expected 0", in.Text(), d.text(zero))
	}
	size, err := d.value(in, &in.Operands[1], isa.U64)
	if err != nil {
		return inst{}, err
	}
	const step = 8
	ac, out, err := d.decodeAccess(in, 0, isa.AccessStore, step)
	if err != nil {
		return inst{}, err
	}
	out.exec = func(x *exec, in *inst, m lanes) {
		ac.tell(x, in, in.a, m)
		w := ac.window(x)
		a := x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			n := x.frame.word(size.slot, size.wide(), i)
			if n%step != 0 || n > maxBulk {
				x.raise(in, i, "out-of-bounds", ac.generic(a[i]+ac.off), "st.bulk of %d bytes, expected a multiple of %d up to %d", n, step, maxBulk)
				return
			}
			for at := uint64(0); at < n; at += step {
				p := (*uint64)(ac.locate(x, in, &w, a[i]+ac.off+at, i))
				if p == nil {
					return
				}
				if *p != 0 {
					*p = 0
					x.wrote()
				}
			}
		}
	}
	return out, nil
}
