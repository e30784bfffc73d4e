// The search for patterns: fences near accesses and atomic operations.

package acqrel

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// finder infers the patterns of one function.
type finder struct {
	f     *rewrite.Func
	cfg   *rewrite.CFG
	facts []fact // for each instruction
}

// fact is a set of properties of an instruction.
type fact uint16

const (
	strongRead fact = 1 << iota
	strongWrite
	weakRead
	weakWrite
	acquireFence // a fence that can end an acquire pattern
	releaseFence // a fence that can begin a release pattern
	call
	volatileWrite // a strong write that may write data
	acquireRead   // a strong read with an acquire qualifier
)

func newFinder(f *rewrite.Func) *finder {
	fd := &finder{f: f, cfg: f.CFG(), facts: make([]fact, len(f.Insts))}
	for i, in := range f.Insts {
		fd.facts[i] = factOf(in)
	}
	return fd
}

// factOf classifies an instruction.
func factOf(in *rewrite.Inst) fact {
	switch {
	case in.Instr.Class == isa.ClassFence && in.Scope != isa.ScopeNone:
		f := fact(0)
		if in.Sem != isa.SemRelease {
			f |= acquireFence
		}
		if in.Sem != isa.SemAcquire {
			f |= releaseFence
		}
		return f
	case in.Instr.Effects&isa.Calls != 0:
		return call
	case in.Access.Kind == isa.AccessNone:
		return otherAccess(in)
	}
	switch in.Space {
	case isa.SpaceLocal, isa.SpaceParam, isa.SpaceConst:
		return 0
	}
	f := fact(0)
	if in.Sem.Acquires() {
		f = acquireRead
	}
	if in.Access.Atomic() {
		return f | strongRead | strongWrite
	}
	switch {
	case in.Sem == isa.SemVolatile && in.Access.Writes():
		return strongWrite | volatileWrite
	case in.Strong() && in.Access.Writes():
		return strongWrite
	case in.Strong():
		return f | strongRead
	case in.Access.Writes():
		return weakWrite
	}
	return weakRead
}

// otherAccess classifies instructions with other kinds of memory accesses: matrix loads, asynchronous copies.
func otherAccess(in *rewrite.Inst) fact {
	f := fact(0)
	if in.Instr.Effects&isa.ReadsMemory != 0 {
		f |= weakRead
	}
	if in.Instr.Effects&isa.WritesMemory != 0 {
		f |= weakWrite
	}
	return f
}

// patterns returns the patterns in source order.
func (fd *finder) patterns() []*Pattern {
	acquires, releases := fd.acquires(), fd.releases()
	locks := map[address.Place]bool{}
	for i, in := range fd.f.Insts {
		if acquires[i] != nil && in.Access.AtomOp == "cas" {
			if a, ok := fd.place(in); ok {
				locks[a] = true
			}
		}
	}
	var list []*Pattern
	for i, in := range fd.f.Insts {
		if p := fd.pattern(in, acquires[i], releases[i], locks); p != nil {
			list = append(list, p)
		}
	}
	return list
}

// found is one side of a pattern: its fences, none if the access has a qualifier.
type found struct{ fences []*rewrite.Inst }

// scope returns the scope of the fences; none if there are none. Several fences are on different paths, of which only
// one is taken. The widest is returned, since a narrower one might deny an existing order.
func (f *found) scope() isa.Scope {
	s := isa.ScopeNone
	for _, fence := range f.fences {
		s = max(s, fence.Scope)
	}
	return s
}

// pattern classifies an access that is an acquire, a release or both.
func (fd *finder) pattern(in *rewrite.Inst, acquire, release *found, locks map[address.Place]bool) *Pattern {
	p := &Pattern{Inst: in, Scope: in.StrongScope()}
	switch {
	case acquire != nil && in.Access.AtomOp == "cas":
		p.Kind, release = Lock, nil
	case release != nil && fd.unlocks(in, locks):
		p.Kind, acquire = Unlock, nil
	case fd.facts[in.Index]&weakWrite != 0:
		return nil
	case acquire != nil && release != nil:
		p.Kind = AcquireRelease
	case acquire != nil:
		p.Kind = Acquire
	case release != nil:
		p.Kind = Release
	default:
		return nil
	}
	for _, side := range []*found{release, acquire} {
		if side == nil {
			continue
		}
		for _, fence := range side.fences {
			if !slices.Contains(p.Fences, fence) {
				p.Fences = append(p.Fences, fence)
			}
		}
		if s := side.scope(); s != isa.ScopeNone && (p.Scope == isa.ScopeNone || s < p.Scope) {
			p.Scope = s
		}
	}
	slices.SortFunc(p.Fences, func(a, b *rewrite.Inst) int { return a.Index - b.Index })
	p.Spin = acquire != nil && fd.loops(in)
	return p
}

// place returns the address that an instruction accesses, if it is known.
func (fd *finder) place(in *rewrite.Inst) (address.Place, bool) {
	return address.RootsOf(fd.f).Place(in, in.Access.Addr)
}

// unlocks reports whether a release drops one of the locks.
func (fd *finder) unlocks(in *rewrite.Inst, locks map[address.Place]bool) bool {
	if in.Access.Kind != isa.AccessStore && in.Access.AtomOp != "exch" {
		return false
	}
	a, ok := fd.place(in)
	return ok && locks[a]
}

// acquires returns the strong reads that acquire, by instruction index.
func (fd *finder) acquires() map[int]*found {
	list := map[int]*found{}
	for i, in := range fd.f.Insts {
		if fd.facts[i]&strongRead == 0 {
			continue
		}
		if in.Sem.Acquires() {
			list[i] = &found{}
			continue
		}
		stop := weakRead | weakWrite | call
		if in.Access.AtomOp == "cas" {
			stop |= volatileWrite
		}
		fences := fd.reach(in, acquireFence, stop)
		fd.pair(list, in, fences)
		if list[i] == nil && len(fences) > 1 && fd.always(in, acquireFence, stop, forward) {
			list[i] = &found{fences: fences}
		}
		if list[i] == nil && !in.Access.Atomic() {
			fd.pair(list, in, fd.readsAgain(in, stop))
		}
	}
	return list
}

// pair enters a strong read as an acquire with those of the fences behind it that always come with it.
func (fd *finder) pair(list map[int]*found, in *rewrite.Inst, fences []*rewrite.Inst) {
	for _, fence := range fences {
		if fd.dominates(in, fence) || fd.postDominates(fence, in) {
			add(list, in.Index, fence)
		}
	}
}

// readsAgain returns the acquire reads behind a strong read that read the same location. The memory model has them read
// the value of the first read or a later one: they acquire what it has observed, as a fence in their place would.
func (fd *finder) readsAgain(in *rewrite.Inst, stop fact) []*rewrite.Inst {
	reads := fd.reach(in, acquireRead, stop)
	if len(reads) == 0 {
		return nil
	}
	a, ok := fd.place(in)
	return slices.DeleteFunc(reads, func(again *rewrite.Inst) bool {
		b, same := fd.place(again)
		return !ok || !same || a != b || in.Space != again.Space
	})
}

// releases returns the writes that release because of a fence, by instruction index. Weak ones are included: they may
// be unlocks.
func (fd *finder) releases() map[int]*found {
	const stop = weakWrite | releaseFence | call
	list, choices := map[int]*found{}, map[int]*found{}
	for i, in := range fd.f.Insts {
		if fd.facts[i]&strongWrite != 0 && in.Sem.Releases() {
			list[i] = &found{}
		}
		if fd.facts[i]&releaseFence == 0 {
			continue
		}
		near := fd.reach(in, strongWrite, stop|volatileWrite)
		for _, write := range fd.reach(in, strongWrite|weakWrite, stop) {
			switch {
			case write.Sem.Releases(), write.Access.AtomOp == "exch" && !slices.Contains(near, write):
			case fd.dominates(in, write), fd.postDominates(write, in):
				add(list, write.Index, in)
			default:
				add(choices, write.Index, in)
			}
		}
	}
	for i, c := range choices {
		if list[i] == nil && len(c.fences) > 1 && fd.always(fd.f.Insts[i], releaseFence, weakWrite|call, backward) {
			list[i] = c
		}
	}
	return list
}

func add(list map[int]*found, i int, fence *rewrite.Inst) {
	if list[i] == nil {
		list[i] = &found{}
	}
	list[i].fences = append(list[i].fences, fence)
}

// reach returns the instructions with one of the wanted facts that are reachable from after in without passing one with
// a stopping fact, in source order. An acquire fence that is found ends its path.
func (fd *finder) reach(in *rewrite.Inst, want, stop fact) []*rewrite.Inst {
	if want&acquireFence != 0 {
		stop |= acquireFence
	}
	var list []*rewrite.Inst
	visited := make(map[*rewrite.Block]bool)
	scan := func(from, to int) (through bool) {
		for i := from; i < to; i++ {
			if fd.facts[i]&want != 0 {
				list = append(list, fd.f.Insts[i])
			}
			if fd.facts[i]&stop != 0 {
				return false
			}
		}
		return true
	}
	start := fd.cfg.BlockOf[in.Index]
	var work []*rewrite.Block
	if scan(in.Index+1, start.End) {
		work = slices.Clone(start.Succs)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if visited[b] {
			continue
		}
		visited[b] = true
		end := b.End
		if b == start { // around a loop: up to the start of the search
			end = in.Index + 1
		}
		if scan(b.Start, end) && b != start {
			work = append(work, b.Succs...)
		}
	}
	slices.SortFunc(list, func(a, b *rewrite.Inst) int { return a.Index - b.Index })
	return slices.Compact(list)
}

// loops reports whether control can return to an instruction.
func (fd *finder) loops(in *rewrite.Inst) bool {
	start := fd.cfg.BlockOf[in.Index]
	visited := make(map[*rewrite.Block]bool)
	work := slices.Clone(start.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == start {
			return true
		}
		if !visited[b] {
			visited[b] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}

// dominates reports whether every path from the entry to b passes a.
func (fd *finder) dominates(a, b *rewrite.Inst) bool {
	x, y := fd.cfg.BlockOf[a.Index], fd.cfg.BlockOf[b.Index]
	if x == y {
		return a.Index < b.Index
	}
	return fd.cfg.Dominates(x, y)
}

// postDominates reports whether every path from b to the exit passes a.
func (fd *finder) postDominates(a, b *rewrite.Inst) bool {
	x, y := fd.cfg.BlockOf[a.Index], fd.cfg.BlockOf[b.Index]
	if x == y {
		return a.Index > b.Index
	}
	return fd.cfg.PostDominates(x, y)
}
