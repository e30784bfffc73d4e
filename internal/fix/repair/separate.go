// Barriers that separate accesses on every path of the control flow, without a run that shows it.

package repair

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Separate returns barriers of a block or warp that are on every path from one access of each race to the other, in the
// same round of a loop and from one round to the next, at places that all threads reach together, as one edit for each
// place in the source; nil if there are no such places. It takes copies of an access in an unrolled loop as one. A path
// that threads of a divergent branch take without leaving it has no place for a barrier, and is left out if it leads
// from a read to a write and there is another path.
func Separate(races []*Race, origins *Origins) []*Edit {
	s := &separation{places: analysed(&places{f: races[0].First.Func, all: true}), text: warpBarrier, origins: origins}
	for _, r := range races {
		if r.First.Func != s.f || r.Second.Func != s.f || r.Kind == detect.InterBlock || asynchronous(r.First) ||
			asynchronous(r.Second) {
			return nil
		}
		if r.Kind == detect.IntraBlock {
			s.text = blockBarrier
		}
	}
	for _, r := range races {
		if !s.open(r.First, r.Second, nil) && !s.open(r.Second, r.First, nil) || s.passes(r.First, r.Second) ||
			s.passes(r.Second, r.First) {
			return nil
		}
	}
	races = s.copied(races)
	e := &Edit{Op: WarpBarrier, Advice: "__syncwarp()", Changes: s.cover(races)}
	if s.text == blockBarrier {
		e.Op, e.Advice = Barrier, "__syncthreads()"
	}
	for _, c := range e.Changes {
		e.Cost = max(e.Cost, costBarrier*s.weight(c.At))
	}
	return byLine(e, origins)
}

// separation looks for places of a barrier.
type separation struct {
	*places
	text    string
	origins *Origins
}

// copied returns races with those of the copies of their accesses.
func (s *separation) copied(races []*Race) (list []*Race) {
	seen := make(map[[2]*rewrite.Inst]bool)
	for _, r := range races {
		seconds := s.alike(r.Second)
		for _, a := range s.alike(r.First) {
			for _, b := range seconds {
				if k := [2]*rewrite.Inst{a, b}; !seen[k] {
					seen[k] = true
					one := *r
					one.First, one.Second = a, b
					list = append(list, &one)
				}
			}
		}
	}
	return list
}

// alike returns an access and its copies.
func (s *separation) alike(in *rewrite.Inst) (list []*rewrite.Inst) {
	for _, x := range s.f.Insts {
		if x == in || x.Access.Kind != isa.AccessNone && x.Opcode() == in.Opcode() && s.origins.Same(x, in) {
			list = append(list, x)
		}
	}
	return list
}

// cover returns places that together separate all races, none of which can be left out, the cheapest of those that can;
// it is empty if even barriers at all places leave some race.
func (s *separation) cover(races []*Race) (list []Change) {
	list = s.spots(races)
	cut := make(map[int]bool)
	for _, c := range list {
		cut[c.At.Index] = true
	}
	if !s.separates(races, cut) {
		return nil
	}
	dear := slices.Clone(list)
	slices.SortStableFunc(dear, func(a, b Change) int { return s.weight(b.At) - s.weight(a.At) })
	for _, c := range dear {
		delete(cut, c.At.Index)
		if !s.separates(races, cut) {
			cut[c.At.Index] = true
		}
	}
	return slices.DeleteFunc(list, func(c Change) bool { return !cut[c.At.Index] })
}

// separates reports whether barriers at some places leave no way between the accesses of any race.
func (s *separation) separates(races []*Race, cut map[int]bool) bool {
	return !slices.ContainsFunc(races, func(r *Race) bool {
		return s.open(r.First, r.Second, cut) ||
			s.open(r.Second, r.First, cut)
	})
}

// spots returns the places between the accesses that all threads reach together, each once.
func (s *separation) spots(races []*Race) (list []Change) {
	for _, r := range races {
		p := &proposer{r: r, at: s.places}
		for _, c := range p.between() {
			if c.Text = s.text; s.uniform(c.At) && !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(a.At.Index, b.At.Index) })
	return list
}

// passes reports whether one access may write what another one reads behind it without leaving a divergent branch.
func (s *separation) passes(from, to *rewrite.Inst) bool {
	every := make(map[int]bool)
	for _, in := range s.f.Insts {
		every[in.Index] = s.uniform(in)
	}
	return from.Access.Writes() && !to.Access.Writes() && s.way(from, to, every, true)
}

// open reports whether a path leads from one instruction to another past a place that all threads reach together, and
// without a barrier, of the kernel or before one of the given instructions.
func (s *separation) open(from, to *rewrite.Inst, cut map[int]bool) bool {
	return s.way(from, to, cut, false)
}

// way is open; past says that the path need not pass such a place.
func (s *separation) way(from, to *rewrite.Inst, cut map[int]bool, past bool) bool {
	type state struct {
		at   int
		past bool
	}
	seen := make(map[state]bool)
	var walk func(at int, past bool) bool
	walk = func(at int, past bool) bool {
		b := s.g.BlockOf[at]
		for ; at < b.End; at++ {
			x := state{at, past || !s.divergent[b.Index]}
			switch past = x.past; {
			case seen[x] || cut[at]:
				return false
			case at == to.Index && past:
				return true
			}
			if seen[x] = true; at != from.Index && s.orders(s.f.Insts[at]) {
				return false
			}
		}
		return slices.ContainsFunc(b.Succs, func(next *rewrite.Block) bool {
			return next.Start < next.End &&
				walk(next.Start, past)
		})
	}
	b := s.g.BlockOf[from.Index]
	past = past || !s.divergent[b.Index]
	if from.Index+1 < b.End {
		return walk(from.Index+1, past)
	}
	return slices.ContainsFunc(b.Succs, func(next *rewrite.Block) bool {
		return next.Start < next.End &&
			walk(next.Start, past)
	})
}

// orders reports whether an instruction is a barrier of all threads that the races are between.
func (s *separation) orders(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	if !ok || in.Guard != nil || b.Step != isa.BarrierSync {
		return false
	}
	if b.Of == isa.BarrierOfWarp {
		return s.text == warpBarrier && in.Text()+";" == warpBarrier
	}
	return b.Of == isa.BarrierOfCTA && b.Threads < 0
}
