// Barrier intervals: which barriers two threads pass, and which of their accesses lie between the same barriers.

package intervals

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Barriers holds the barriers of a kernel at which every thread of a block, or of a warp, waits for all others that
// have not ended. So the n-th barriers that two threads reach have the same number and synchronise them. They are the
// same instruction, in the same iteration of the loops around it, if no divergent branch separates the threads
// (Together).
type Barriers struct {
	k       *symbolic.Kernel
	of      isa.BarrierOf
	team    symbolic.Team
	named   symbolic.Named
	starts  []point           // the start of the kernel, and the instruction behind each barrier
	is      map[place]mark    // the instructions that are such barriers
	Others  []*rewrite.Inst   // barriers for some of the threads, which establish no order here
	Divided []*rewrite.Inst   // aligned barriers of all threads that a branch may keep some threads from: undefined if it does
	reached map[place][]after // by access: the starts that reach it
	next    []map[place]bool  // by start: the barriers that may come next
	behind  [][]bool          // by start: see followed
	// uneven says that threads may end, or reach other barriers, while others continue: later barriers do not order
	// what an ending thread has done before what others do.
	uneven bool
	ends   map[place]bool // accesses after which a thread may end without another barrier
	limit  int
	trails int8 // number of branches recorded in a trail

	loops    []*symbolic.Loop      // loops that contain barriers
	starting map[place]int         // by barrier: the start behind it
	met      map[place][]meanwhile // by copy: what the thread accesses before it waits for the copy
}

// place is an instruction in a frame.
type place struct {
	f  *symbolic.Frame
	at int
}

// point is a start of the search; at is the index of the first instruction. The start of the kernel is not behind a
// barrier.
type point struct {
	place
	loops  []*symbolic.Loop // loops whose iterations are counted: those around the barrier, then others with barriers
	around int              // how many of them are around the barrier
	class  uint64           // threads may wait for each other at different barriers of the same class; 0 if they always wait at the same one
}

// countOthers adds the other loops with barriers to the counted loops of all starts.
func (b *Barriers) countOthers() {
	var others []*symbolic.Loop
	seen := make(map[*symbolic.Loop]bool)
	for _, p := range b.starts {
		for _, l := range p.loops {
			if !seen[l] {
				seen[l] = true
				others = append(others, l)
			}
		}
	}
	sort.Slice(others, func(i, j int) bool { return before(others[i], others[j]) })
	b.loops = others
	for i := range b.starts {
		p := &b.starts[i]
		p.loops = slices.Clone(p.loops)
		for _, l := range others {
			if !slices.Contains(p.loops, l) {
				p.loops = append(p.loops, l)
			}
		}
	}
}

// before is the order of loops: by frame, then by header.
func before(l *symbolic.Loop, m *symbolic.Loop) bool {
	return l.Frame.ID < m.Frame.ID || l.Frame == m.Frame && l.Loop.Header.Index < m.Loop.Header.Index
}

// mark describes a barrier.
type mark struct{ class uint64 }

// after says that an access is reached from a start without another barrier in between, and on which path.
type after struct {
	start int
	since
}

// maxOrder limits the total number of search steps.
const maxOrder = 1 << 20

// Of returns the barriers of the threads of a block, or for a warp those of the warp and its block.
func Of(k *symbolic.Kernel, of isa.BarrierOf) *Barriers {
	if of == isa.BarrierOfWarp {
		return In(k, symbolic.Warp, symbolic.Named{})
	}
	return In(k, symbolic.Block, symbolic.Named{})
}

// In returns the barriers of the threads of each team of a kind: those of the block, those of the warp if a
// warp has all threads of a team, and those for some threads of the block that named tells.
func In(k *symbolic.Kernel, t symbolic.Team, named symbolic.Named) *Barriers {
	b := barriersIn(k, t, named, maxTrail)
	if !b.Complete() {
		b = barriersIn(k, t, named, 0)
	}
	return b
}

func barriersIn(k *symbolic.Kernel, t symbolic.Team, named symbolic.Named, trails int8) *Barriers {
	of := isa.BarrierOfCTA
	if t != symbolic.Block && t <= symbolic.Warp {
		of = isa.BarrierOfWarp
	}
	b := &Barriers{
		k: k, of: of, team: t, named: named, is: make(map[place]mark), reached: make(map[place][]after),
		limit: maxOrder, trails: trails,
		starting: make(map[place]int), met: make(map[place][]meanwhile), uneven: k.MayEndInCall(),
	}
	b.collect(isa.BarrierOfCTA)
	if of == isa.BarrierOfWarp {
		b.collect(isa.BarrierOfWarp)
	}
	b.starts = append(b.starts, point{place: place{k.Root, 0}})
	places := slices.Collect(maps.Keys(b.is))
	slices.SortFunc(places, func(p, q place) int {
		return cmp.Or(cmp.Compare(p.f.ID, q.f.ID),
			cmp.Compare(p.at, q.at))
	})
	for _, p := range places { // in order, as loops get their names here
		m := b.is[p]
		around := p.f.LoopsAround(p.f.CFG.BlockOf[p.at])
		b.starts = append(b.starts, point{place{p.f, p.at + 1}, around, len(around), m.class})
	}
	b.countOthers()
	sortPoints(b.starts)
	b.next, b.behind, b.ends = make([]map[place]bool, len(b.starts)), make([][]bool, len(b.starts)),
		make(map[place]bool)
	for i := range b.starts {
		b.next[i] = make(map[place]bool)
		b.walk(i)
		if p := b.starts[i]; p.at > 0 {
			b.starting[place{p.f, p.at - 1}] = i
		}
	}
	for _, f := range k.Frames {
		for _, in := range f.Func.Insts {
			if in.CopiesInGroup() && f.Reached(in) {
				b.follows(place{f, in.Index})
			}
		}
	}
	return b
}

// Complete reports whether the search was completed.
func (b *Barriers) Complete() bool { return b.limit > 0 }

func sortPoints(ps []point) {
	for i := 1; i < len(ps); i++ {
		for j := i; j > 0 && less(ps[j].place, ps[j-1].place); j-- {
			ps[j], ps[j-1] = ps[j-1], ps[j]
		}
	}
}

func less(a, b place) bool { return a.f.ID < b.f.ID || a.f == b.f && a.at < b.at }

// collect finds the barriers of one kind. Barriers with the same number are classified together.
func (b *Barriers) collect(of isa.BarrierOf) {
	some, apart, all := make(map[uint64]bool), make(map[uint64]bool), make(map[uint64][]place)
	for _, f := range b.k.Frames {
		for _, in := range f.Func.Insts {
			bar, ok := in.Barrier()
			if !ok || bar.Of != of || !f.Reached(in) {
				continue
			}
			id, ok := barrierID(f, in, bar)
			together := f.TogetherIn(b.team, in)
			if !together && bar.Aligned && bar.Threads < 0 && bar.Step != isa.BarrierArrive {
				b.Divided = append(b.Divided, in)
			}
			if f.Joins(b.named, b.team, in) {
				b.uneven = b.uneven || f.EndsEarly(in, b.team)
				b.is[place{f, in.Index}] = mark{}
				continue
			}
			if !ok || bar.Threads >= 0 || bar.Step != isa.BarrierSync && bar.Step != isa.BarrierReduce {
				b.Others = append(b.Others, in)
				some[id] = some[id] || !b.named.Apart[in] && (of == isa.BarrierOfCTA || !together)
				continue
			}
			apart[id] = apart[id] || !together
			b.uneven = b.uneven || apart[id] || f.EndsEarly(in, b.team)
			all[id] = append(all[id], place{f, in.Index})
		}
	}
	for id, ps := range all {
		if some[id] || some[anyID] {
			for _, p := range ps {
				b.Others = append(b.Others, p.f.Func.Insts[p.at])
			}
			continue
		}
		class := uint64(0)
		if apart[id] {
			class = uint64(of)<<32 + id + 1
		}
		for _, p := range ps {
			b.is[p] = mark{class}
		}
	}
}

const anyID = 1 << 40

// barrierID returns the number of a block's barrier, or false if it is not a constant. A warp barrier for all lanes has
// number 0; for some lanes, it returns the mask and false.
func barrierID(f *symbolic.Frame, in *rewrite.Inst, bar isa.Barrier) (uint64, bool) {
	if bar.ID < 0 || bar.ID >= len(in.Operands) {
		return 0, true
	}
	if bar.Of == isa.BarrierOfWarp {
		if f.WholeWarp(in, bar.ID) {
			return 0, true
		}
	}
	k, ok := expr.Wrap(f.Operand(in, bar.ID), 32, false).Const()
	if !ok || !k.IsUint64() {
		return anyID, false
	}
	return k.Uint64(), bar.Of == isa.BarrierOfCTA
}

// since is the path of a thread from a start: the iterations of its loops, and the first branches.
type since struct {
	turns [maxTurns]uint8
	trail trail
}

// visit is a state of the search: an instruction, and the path to it.
type visit struct {
	place
	since
}

// walk finds the accesses and barriers that are reached from a start without passing another barrier.
func (b *Barriers) walk(start int) {
	p := b.starts[start]
	seen := make(map[visit]bool)
	first := visit{place: p.place}
	for i := p.around; i < maxTurns; i++ {
		first.turns[i] = turnOut
	}
	if p.at > 0 && p.at < len(p.f.Func.Insts) { // the barrier may be the last instruction of its block
		if from, to := p.f.CFG.BlockOf[p.at-1], p.f.CFG.BlockOf[p.at]; from != to {
			first.turns = b.turned(start, p.f, from, to, first.turns)
		}
	}
	work := []visit{first}
	push := func(v visit) {
		if !seen[v] {
			seen[v] = true
			work = append(work, v)
		}
	}
	for n := 1; len(work) > 0 && b.limit > 0; n++ {
		if n%symbolic.StepsAtOnce == 0 && b.k.Ended() {
			b.limit = 0
			return
		}
		v := work[len(work)-1]
		work = work[:len(work)-1]
		b.block(start, v, push)
	}
}

// block processes the rest of a block.
func (b *Barriers) block(start int, v visit, push func(visit)) {
	f := v.f
	if v.at >= len(f.Func.Insts) {
		b.leave(v, push)
		return
	}
	blk := f.CFG.BlockOf[v.at]
	for i := v.at; i < blk.End; i++ {
		b.limit--
		in := f.Func.Insts[i]
		at := place{f, i}
		if _, ok := b.is[at]; ok {
			b.next[start][at] = true
			if in.Guard == nil {
				return
			}
		}
		callees := f.Callees(in)
		if len(callees) > 0 && (in.Guard != nil || len(callees) > 1) {
			v.trail.ended = true
		}
		for _, c := range callees {
			push(visit{place{c, 0}, v.since})
		}
		if len(callees) > 0 && in.Guard == nil {
			return
		}
		if len(in.Accesses) > 0 {
			b.note(at, after{start, v.since})
		}
	}
	for i, s := range blk.Succs {
		if f.Never(blk, s) {
			continue
		}
		next := v
		next.trail = b.further(v.trail, f, blk, i)
		if s == f.CFG.Exit {
			if last := f.Func.Insts[blk.End-1]; !last.Effects().Has(isa.Exits) && !last.Effects().Has(isa.Aborts) ||
				len(blk.Succs) > 1 {
				b.leave(next, push)
			}
			continue
		}
		next.place, next.turns = place{f, s.Start}, b.turned(start, f, blk, s, v.turns)
		push(next)
	}
}

// leave continues behind the call of a frame.
func (b *Barriers) leave(v visit, push func(visit)) {
	if p := v.f.Parent; p != nil {
		push(visit{place{p, v.f.Call.Index + 1}, v.since})
	}
}

func (b *Barriers) note(at place, a after) {
	for _, x := range b.reached[at] {
		if x == a {
			return
		}
	}
	b.reached[at] = append(b.reached[at], a)
}
