package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semCache is the semantics of cache control, which changes nothing here, and of
// asynchronous copies.
var semCache = map[string]decodeFunc{
	"prefetch":      decodeHint,
	"prefetchu":     decodeHint,
	"applypriority": decodeHint,
	"discard":       decodeHint,
	"createpolicy":  decodePolicy,
	"cp":            decodeCopy,
}

// decodeHint decodes what only concerns caches.
func decodeHint(d *decoder, in *rewrite.Inst) (inst, error) {
	return inst{exec: func(*exec, *inst, lanes) {}}, nil
}

// decodePolicy decodes createpolicy: policies are opaque and all alike.
func decodePolicy(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err := d.fitsType(in, &in.Operands[0], isa.B64, dst); err != nil {
		return inst{}, err
	}
	return inst{d: dst.slot, a: d.constant(64, 0), exec: execMove[uint64]}, nil
}

// decodeCopy decodes the non-bulk cp.async. The copy happens at once: that is one
// of the orders that the asynchronous one may have.
func decodeCopy(d *decoder, in *rewrite.Inst) (inst, error) {
	nop := inst{exec: func(*exec, *inst, lanes) {}}
	switch {
	case !in.Has("async") || in.Has("bulk") || in.Has("reduce") || in.Has("mbarrier"):
		return inst{}, d.unsupported(in, "%s", in.Text())
	case len(in.Operands) < 3: // commit_group, wait_group, wait_all
		return nop, nil
	}
	size := in.Operands[2].Imm
	if in.Operands[2].Kind != rewrite.OperandImm || size != 4 && size != 8 && size != 16 {
		return inst{}, d.errorf(in, "%s: the size must be 4, 8 or 16", in.Text())
	}
	return d.copyBody(in, size)
}

// copyBody copies size bytes, of which the first src-size are read and the others
// zero.
func (d *decoder) copyBody(in *rewrite.Inst, size uint64) (inst, error) {
	to, out, err := d.decodeAccess(in, 0, isa.AccessStore, size)
	if err != nil {
		return inst{}, err
	}
	from, src, err := d.decodeAccess(in, 1, isa.AccessLoad, size)
	if err != nil {
		return inst{}, err
	}
	to.space, from.space = isa.SpaceShared, isa.SpaceGlobal
	out.b = src.a
	count := d.constant(32, size)
	if len(in.Operands) > 3 && !in.Has("L2::cache_hint") || len(in.Operands) > 4 {
		n, err := d.value(in, &in.Operands[3], isa.U32)
		if err != nil {
			return inst{}, err
		}
		count = n.slot
	}
	out.c = count
	out.exec = func(x *exec, in *inst, m lanes) {
		from.tell(x, in, in.b, m)
		to.tell(x, in, in.a, m)
		tw, fw := to.window(x), from.window(x)
		a, b, n := x.frame.r64(in.a), x.frame.r64(in.b), x.frame.r32(in.c)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := to.locate(x, in, &tw, a[i]+to.off, i)
			if p == nil {
				return
			}
			var buf [16]byte
			if n := min(uint64(n[i]), size); n > 0 {
				q := from.locate(x, in, &fw, b[i]+from.off, i)
				if q == nil {
					return
				}
				copy(buf[:n], unsafe.Slice((*byte)(q), n))
			}
			copy(unsafe.Slice((*byte)(p), size), buf[:size])
			x.wrote()
		}
	}
	return out, nil
}
