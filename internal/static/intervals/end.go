// Threads that end while others continue to further barriers.

package intervals

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// endsOutside reports whether a thread may end in an instruction that calls a function outside of the module.
func endsOutside(k *symbolic.Kernel, at place) bool {
	is := func(u symbolic.Unknown) bool { return u.Frame == at.f && u.Call.Index == at.at && u.MayEnd() }
	return slices.ContainsFunc(k.Assumed, is) || slices.ContainsFunc(k.Unknown, is)
}

// followed returns which starts are behind barriers that may follow a start, at once or after others.
func (b *Barriers) followed(start int) []bool {
	if b.behind[start] != nil {
		return b.behind[start]
	}
	behind := make([]bool, len(b.starts))
	for work := []int{start}; len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for p := range b.next[s] {
			if i := b.starting[p]; !behind[i] {
				behind[i] = true
				work = append(work, i)
			}
		}
	}
	b.behind[start] = behind
	return behind
}

// later reports whether one thread may make the first access and end, while another makes the second access behind a
// later barrier that the first thread does not reach.
func (b *Barriers) later(x, y *symbolic.Access) bool {
	if !b.uneven || !b.mayEnd(place{x.Frame, x.Inst.Index}) {
		return false
	}
	for _, p := range b.reached[place{x.Frame, x.Inst.Index}] {
		for _, q := range b.reached[place{y.Frame, y.Inst.Index}] {
			if b.followed(p.start)[q.start] {
				return true
			}
		}
	}
	return false
}

// mayEnd reports whether a thread may end after an instruction without passing another barrier.
func (b *Barriers) mayEnd(at place) bool {
	if r, ok := b.ends[at]; ok {
		return r
	}
	seen := make(map[place]bool)
	work := []place{{at.f, at.at + 1}}
	for len(work) > 0 && !b.ends[at] {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		b.limit--
		b.ends[at] = b.endsIn(p, func(q place) { work = append(work, q) })
	}
	return b.ends[at]
}

// endsIn processes the rest of a block; it reports whether the thread may end there.
func (b *Barriers) endsIn(p place, push func(place)) bool {
	f := p.f
	if p.at >= len(f.Func.Insts) {
		if f.Parent != nil {
			push(place{f.Parent, f.Call.Index + 1})
		}
		return f.Parent == nil
	}
	blk := f.CFG.BlockOf[p.at]
	for i := p.at; i < blk.End; i++ {
		in := f.Func.Insts[i]
		if _, ok := b.is[place{f, i}]; ok && in.Guard == nil {
			return false
		}
		if in.Effects().Has(isa.Exits) || endsOutside(b.k, place{f, i}) {
			return true
		}
		callees := f.Callees(in)
		for _, c := range callees {
			push(place{c, 0})
		}
		if len(callees) > 0 && in.Guard == nil {
			return false
		}
	}
	for _, s := range blk.Succs {
		switch {
		case s != f.CFG.Exit:
			push(place{f, s.Start})
		case f.Parent == nil:
			return true
		default:
			push(place{f.Parent, f.Call.Index + 1})
		}
	}
	return false
}
