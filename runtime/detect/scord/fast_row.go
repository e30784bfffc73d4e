// Regular accesses of a warp: lanes at a constant distance, checked as one row.

package scord

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// regular checks an access of lanes that access consecutive elements, or one address, or one granule each at a constant distance.
// It returns false, without a change, for other accesses.
func (s *Detector) regular(a *access) bool {
	x := a.of
	lane, rest := bits.TrailingZeros32(x.Mask), x.Mask&(x.Mask-1)
	addr, size, granule := x.At(lane), uint64(x.Bytes), uint64(1)<<s.shift
	first, end := addr>>s.shift, (addr+size-1)>>s.shift
	follow := x.Next == rest && rest != 0
	switch {
	case x.Same == rest && first == end:
		if c := s.memory.spread(first); c != nil && *c != 0 && (first+1)%(1<<lineBits) != 0 {
			*c = s.lone(a, first, *c, uint32(lane))
			return true
		}
		s.one(a, first, lane)
	case first == end && (x.Addr == nil && x.Step == granule || follow && size == granule):
		s.words(a, first-uint64(lane))
	case follow:
		end = (addr + uint64(bits.OnesCount32(x.Mask))*size - 1) >> s.shift
		fallthrough
	case x.Same == rest:
		s.row(a, &row{addr: addr, lane: lane, next: first, end: end, shift: s.shift, size: size})
	default:
		return s.scattered(a)
	}
	return true
}

// words checks an access of each lane to a granule of its own. first is the granule of lane 0, which need not be in the mask.
func (s *Detector) words(a *access, first uint64) {
	const line = 1 << lineBits
	mine := runOf(0, first%line, stepWord)
	if set := a.of.Mask << (first % line); set != 0 {
		s.line(a, first/line, set, mine)
	}
	if set := a.of.Mask >> (line - first%line); set != 0 {
		s.line(a, first/line+1, set, mine)
	}
}

// scattered checks an access of lanes at arbitrary addresses, mostly in one granule each. It returns false, without a change, for
// wider accesses, and if many lanes access consecutive elements.
func (s *Detector) scattered(a *access) bool {
	x, size := a.of, uint64(a.of.Bytes)
	within := uint64(1)<<s.shift - size // largest offset within a granule at which an access may begin
	m := x.Mask &^ x.Same
	if size > 1<<s.shift || 2*bits.OnesCount32(x.Next) > bits.OnesCount32(m) {
		return false
	}
	last, memo := ^uint64(0), a.memo.of(a.turn)
	for ; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		addr := x.At(lane)
		g := addr >> s.shift
		if addr&(1<<s.shift-1) > within {
			r := row{addr: addr, lane: lane, next: g, end: g + 1, shift: s.shift, size: size}
			if g == last {
				r.next++
			}
			s.row(a, &r)
			last = r.end
			continue
		}
		if g == last {
			continue
		}
		last = g
		if c := s.memory.spread(g); c != nil {
			if c.record()&openRecord != 0 && memo.next != none {
				*c = cell(memo.next<<laneBits | uint32(lane))
				continue
			}
			if *c != 0 && (g+1)%(1<<lineBits) != 0 {
				if to := a.step(c.record()); to.safe {
					*c = to.cell(*c, uint32(lane))
					continue
				}
			}
		}
		s.one(a, g, lane)
	}
	return true
}

// irregular checks an access of any form, one row of consecutive bytes after the other.
func (s *Detector) irregular(a *access) {
	x := a.of
	addr := x.Addr
	if addr == nil {
		addr = &s.addr
		for i := range addr {
			addr[i] = x.At(i)
		}
	}
	last := ^uint64(0) // the granule checked last
	for m := x.Mask &^ x.Same; m != 0; {
		lane := bits.TrailingZeros32(m)
		if g, ok := s.alone(x, addr, m, lane); ok {
			m &= m - 1
			if g != last {
				s.one(a, g, lane)
			}
			last = g
			continue
		}
		r, lanes := rowAt(x, addr, m, lane, s.shift)
		m &^= lanes
		if r.next == last {
			r.next++
		}
		last = r.end
		if !s.single {
			s.row(a, &r)
			continue
		}
		for ; r.next <= r.end; r.next++ {
			s.granule(a, &r)
		}
	}
}

// row checks an access to a row of granules, line by line.
func (s *Detector) row(a *access, r *row) {
	const line = 1 << lineBits
	step, ok := r.step()
	if first := r.addr >> s.shift; ok && r.next == first && r.addr != first<<s.shift {
		s.one(a, r.next, r.lane) // the first lane begins in the middle of the granule
		r.next++
	}
	for r.next <= r.end {
		n := uint64(1)
		if ok {
			n = min(r.end-r.next+1, line-r.next%line)
		}
		s.line(a, r.next/line, uint32(1<<n-1)<<(r.next%line), runOf(r.laneOf(r.next), r.next%line, step))
		r.next += n
	}
}

// row is consecutive granules that consecutive lanes access: either consecutive bytes, or a part of one granule for each lane.
type row struct {
	addr      uint64 // of the first lane
	lane      int    // the first lane
	next, end uint64 // granules to be checked, without end
	shift     uint   // from addresses to granules
	size      uint64 // bytes per lane; the bytes of a granule if each lane has its own
}

// alone returns the granule that a lane accesses, and true if that is not part of a longer row and no option requires rows. The
// lane is the first in m.
func (s *Detector) alone(x *abi.Access, addr *[abi.WarpLanes]uint64, m uint32, lane int) (g uint64, ok bool) {
	g = addr[lane] >> s.shift
	follows := m>>lane>>1&1 != 0 && (x.Next>>lane>>1&1 != 0 || addr[(lane+1)%len(addr)]>>s.shift == g+1)
	return g, !follows && (addr[lane]+uint64(x.Bytes)-1)>>s.shift == g && !s.single
}

// rowAt returns the row that begins with a lane, the first in m, and the lanes of the row.
func rowAt(x *abi.Access, addr *[abi.WarpLanes]uint64, m uint32, lane int, shift uint) (r row, lanes uint32) {
	n := bits.TrailingZeros32(^(x.Next >> 1 >> lane)) // number of lanes that continue the row
	r = row{addr: addr[lane], lane: lane, shift: shift, size: uint64(x.Bytes)}
	r.next, r.end = r.addr>>shift, (r.addr+uint64(n+1)*r.size-1)>>shift
	if n == 0 && r.end == r.next {
		for k := lane + 1; k < len(addr) && m>>k&1 != 0 && addr[k]>>shift == r.end+1 && (addr[k]+r.size-1)>>shift == r.end+1; k++ {
			n, r.end = n+1, r.end+1
		}
		if n > 0 {
			r.addr, r.size = r.next<<shift, 1<<shift
		}
	}
	return r, (1<<n<<1 - 1) << lane
}

// laneOf returns the first lane that accesses a granule.
func (r *row) laneOf(g uint64) int {
	if off := g<<r.shift - r.addr; int64(off) > 0 {
		return r.lane + int(off/r.size)
	}
	return r.lane
}

// step returns the step of the run that a row of aligned accesses forms; ok is false if it forms none.
func (r *row) step() (step uint, ok bool) {
	if r.size&(r.size-1) != 0 || r.addr&(r.size-1) != 0 {
		return 0, false
	}
	log := uint(bits.TrailingZeros64(r.size))
	if log <= r.shift {
		return stepWord + r.shift - log, r.shift-log <= stepWords-stepWord
	}
	return stepWords + log - r.shift, log-r.shift <= 2
}
