package emu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Waiting for the end of a phase of an mbarrier. mbarrier.try_wait does not suspend
// the thread: it gives its turn up and reports that the phase is not complete, as it
// may when its time is over. Threads that loop around it are parked like any that spin.

// mbarrierWait is a decoded test_wait or try_wait.
type mbarrierWait struct {
	ac     *access
	parity bool // the phase is named by its parity, not by a state
	yields bool // try_wait
}

// mbarrierWait decodes test_wait and try_wait. The time that try_wait may suspend the
// thread is only a hint.
func (d *decoder) mbarrierWait(in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err = d.fitsType(in, &in.Operands[0], isa.Pred, dst); err != nil {
		return inst{}, err
	}
	ac, out, err := d.mbarrierAccess(in, 1, isa.AccessLoad, false)
	if err != nil {
		return inst{}, err
	}
	op := &mbarrierWait{ac: ac, parity: in.Has("parity"), yields: in.Has("try_wait")}
	t := isa.B64
	if op.parity {
		t = isa.U32
	}
	which, err := d.value(in, &in.Operands[2], t)
	if err != nil {
		return inst{}, err
	}
	out.d, out.b, out.exec = dst.slot, which.slot, op.exec
	out.flags |= flagControl
	return out, d.fitsType(in, &in.Operands[2], t, which)
}

func (op *mbarrierWait) exec(x *exec, in *inst, m lanes) {
	w, done := x.warp, lanes(0)
	op.ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
		phase, bad := waitedPhase(x.frame.word(in.b, !op.parity, i), op.parity)
		if bad != nil {
			return bad
		}
		x.landSignals(p)
		x.notePhase(i, phase)
		return x.update(p, func(b *mbar.Object) *diag.Violation {
			if b.Phase != phase {
				done |= 1 << i
				return nil
			}
			w.awaits(p, uint32(x.frame.r64(in.a)[i]+op.ac.off), i)
			return nil
		})
	})
	if x.fault != nil {
		return
	}
	w.awaited.mask &^= done
	setPred(x.frame, in.d, m, done)
	x.tellMbarrier(in, MbarrierWait, done)
	x.running.pc++
	x.yield = x.yield || op.yields && done != m
}

// waitedPhase is the parity of the phase that a state or a parity operand means.
func waitedPhase(v uint64, parity bool) (uint32, *diag.Violation) {
	if parity {
		if v > 1 {
			return 0, diag.Violationf("barrier-divergence", "phase parity %d, expected 0 or 1", v)
		}
		return uint32(v), nil
	}
	b, ok := mbar.Unpack(v)
	if !ok {
		return 0, diag.Violationf("uninitialised", "0x%x is no state of an mbarrier", v)
	}
	return b.Phase, nil
}

// awaited is the mbarrier that lanes of a warp have last found incomplete, for the
// report when nothing moves any more.
type awaited struct {
	object *uint64
	addr   uint32 // shared
	mask   lanes
}

// awaits records that lane i found the object at p incomplete.
func (w *warp) awaits(p *uint64, addr uint32, i int) {
	if w.awaited.object != p {
		w.awaited = awaited{object: p, addr: addr}
	}
	w.awaited.mask |= 1 << i
}

// describeMbarriers says what the mbarriers lack that spinning threads wait for.
func describeMbarriers(ws []waiter) string {
	var text strings.Builder
	var seen []*uint64
	for _, w := range ws {
		a := &w.warp.awaited
		if w.state != groupParked || a.mask&w.mask == 0 || slices.Contains(seen, a.object) {
			continue
		}
		b, ok := mbar.Unpack(*a.object)
		if !ok {
			continue
		}
		if seen = append(seen, a.object); len(seen) > maxPlaces {
			break
		}
		fmt.Fprintf(&text, "; the mbarrier at shared address 0x%x of block %v lacks %s", a.addr, w.warp.cta.index, b.Lacks())
	}
	return text.String()
}
