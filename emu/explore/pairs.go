// Pairs of conflicting accesses of a run that are not ordered by barriers.

package explore

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A pair is two conflicting accesses of a run that could happen in the other order: no barrier of the block or warp is
// between them.

// pairKey is two instructions that access the same memory, the earlier one first, and the relation of the threads that
// execute them.
type pairKey struct {
	first, second *rewrite.Inst
	near          nearness
}

// nearness is the closest level of the hierarchy that two threads share.
type nearness uint8

const (
	sameWarp nearness = iota
	sameBlock
	otherBlock
)

// pair is an occurrence of a pairKey.
type pair struct {
	pairKey
	a, b accessAt
	at   cellKey // the word that both access
	weak bool    // one of them is not a synchronising operation
	// again says that the two instructions have been found in the other order before; apart, that lanes did not run
	// together in the run.
	again, apart bool
}

// accessAt is one access of one thread.
type accessAt struct {
	inst   *rewrite.Inst
	launch uint64
	emu.ThreadPos
	nth   uint32 // the thread executes inst for the nth time, from 1
	epoch epochs
}

// epochs counts the barriers that a thread has passed: those of its block, and those of its warp.
type epochs struct{ block, warp uint32 }

// pairs is a Listener that finds the pairs of a run.
type pairs struct {
	wanted func(*rewrite.Inst) bool // nil for every instruction
	found  []*pair
	known  map[pairKey]bool
	cells  map[cellKey]*cellRow // by the first word of the row
	count  int                  // number of accessed cells
	last   *cellRow             // the row looked up last, with the key lastAt
	lastAt cellKey
	warps  map[warpKey]*warpCounts
	blocks map[uint64]uint32 // number of barriers that a block has completed
	launch uint64
	module *rewrite.Module // of the running kernel
	until  *pair           // pair whose second access is awaited
	seen   bool            // that access has been executed
}

// lanesInWarp is the number of lanes of a warp.
const lanesInWarp = 32

type warpKey struct {
	block uint64
	warp  int
}

// warpCounts counts the executed instructions and barriers of the lanes of a warp.
type warpCounts struct {
	times map[*rewrite.Inst]*[lanesInWarp]uint32
	syncs [lanesInWarp]uint32
}

// cellKey is an aligned word of memory.
type cellKey struct {
	space uint64 // 0 for device memory, else the cluster plus one
	word  uint64
}

// cell holds the last accesses to a word, of a few instructions.
type cell struct{ reads, writes []accessAt }

// cellRow is the cells of neighbouring words, which are usually accessed together.
type cellRow [rowCells]cell

const rowCells = 8

// Limits of the accesses and pairs that are kept.
const (
	maxCells = 1 << 18
	maxSides = 6 // for reads, and for writes, of a word
	maxPairs = 4096
)

func newPairs(wanted func(*rewrite.Inst) bool) *pairs {
	return &pairs{wanted: wanted, known: map[pairKey]bool{}}
}

// Interest implements Listener.
func (p *pairs) Interest() emu.Interest {
	return emu.Interest{
		Needs: abi.Needs{Shared: true}, Site: p.wanted, Kernel: func(kernel *rewrite.Func) { p.module = kernel.Module },
	}
}

// cell returns the cell of a word, nil when there are too many.
func (p *pairs) cell(k cellKey) *cell {
	at := cellKey{k.space, k.word &^ (rowCells - 1)}
	if p.last == nil || at != p.lastAt {
		row := p.cells[at]
		if row == nil {
			if p.count >= maxCells {
				return nil
			}
			row = new(cellRow)
			p.cells[at] = row
		}
		p.last, p.lastAt = row, at
	}
	c := &p.last[k.word%rowCells]
	if c.reads == nil && c.writes == nil {
		if p.count >= maxCells {
			return nil
		}
		p.count++
	}
	return c
}

// Event implements abi.Receiver. No access of a launch can precede those of an earlier launch.
func (p *pairs) Event(ev *abi.Event) {
	switch {
	case ev.Kind == abi.EventKernelBegin:
		p.launch++
		p.cells, p.count, p.last = map[cellKey]*cellRow{}, 0, nil
		p.warps, p.blocks = map[warpKey]*warpCounts{}, map[uint64]uint32{}
	case ev.Kind == abi.EventBarrierComplete && ev.Expected == 0:
		p.blocks[ev.Block]++
	case ev.Kind == abi.EventWarpSync && ev.Mask == ev.Live &&
		sites.At(p.module, ev.Site).Instr.Class == isa.ClassBarrier:
		w := p.warp(warpKey{ev.Block, int(ev.Warp)})
		for i := range w.syncs {
			w.syncs[i]++
		}
	}
}

// times returns how often the thread of a has executed its instruction.
func (p *pairs) times(a *accessAt) uint32 {
	if t := p.warp(warpKey{a.Block, a.Warp}).times[a.inst]; t != nil {
		return t[a.Lane]
	}
	return 0
}

func (p *pairs) warp(k warpKey) *warpCounts {
	w := p.warps[k]
	if w == nil {
		w = &warpCounts{times: map[*rewrite.Inst]*[lanesInWarp]uint32{}}
		p.warps[k] = w
	}
	return w
}

// Accesses implements abi.Receiver.
func (p *pairs) Accesses(b *abi.Batch) {
	for a := range b.All() {
		if a.Bytes != 0 && a.Space != abi.SpaceConst {
			p.access(b, a, sites.At(p.module, a.Site))
		}
	}
}

func (p *pairs) access(b *abi.Batch, x *abi.Access, in *rewrite.Inst) {
	w := p.warp(warpKey{b.Block, int(b.Warp)})
	times := w.times[in]
	if times == nil {
		times = new([lanesInWarp]uint32)
		w.times[in] = times
	}
	space := uint64(0)
	if x.Space == abi.SpaceShared {
		space = b.Cluster + 1
	}
	for m := x.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		times[i]++
		a := accessAt{
			in, p.launch,
			emu.ThreadPos{Block: b.Block, Warp: int(b.Warp), Lane: i},
			times[i],
			epochs{p.blocks[b.Block], w.syncs[i]},
		}
		for at, word := x.At(i), x.At(i)>>2; word <= (at+uint64(x.Bytes)-1)>>2; word++ {
			p.touch(cellKey{space, word}, a, x.Access.Writes())
		}
	}
}

// touch records an access to a word and its pairs with earlier accesses.
func (p *pairs) touch(k cellKey, a accessAt, writes bool) {
	if u := p.until; u.at == k && u.b.inst == a.inst && u.b.ThreadPos == a.ThreadPos && u.b.launch == a.launch {
		p.seen = true
	}
	c := p.cell(k)
	if c == nil {
		return
	}
	for _, b := range c.writes {
		p.note(k, b, a)
	}
	if !writes {
		c.reads = remember(c.reads, a)
		return
	}
	for _, b := range c.reads {
		p.note(k, b, a)
	}
	c.writes = remember(c.writes, a)
}

// remember adds an access to a short list with one entry per instruction and thread.
func remember(list []accessAt, a accessAt) []accessAt {
	if i := slices.IndexFunc(list, func(b accessAt) bool {
		return b.inst == a.inst &&
			b.ThreadPos == a.ThreadPos
	}); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	if len(list) == maxSides {
		list = slices.Delete(list, 0, 1)
	}
	return append(list, a)
}

// note adds a pair, unless both accesses are by one thread, a barrier is between them, or both are atomic operations of
// the same instruction.
func (p *pairs) note(at cellKey, a, b accessAt) {
	near := otherBlock
	switch {
	case a.ThreadPos == b.ThreadPos:
		return
	case a.Block == b.Block && a.Warp == b.Warp:
		near = sameWarp
	case a.Block == b.Block:
		near = sameBlock
	}
	if near != otherBlock && a.epoch.block != b.epoch.block || near == sameWarp && a.epoch.warp != b.epoch.warp {
		return
	}
	key := pairKey{a.inst, b.inst, near}
	if p.known[key] || len(p.found) >= maxPairs {
		return
	}
	p.known[key] = true
	p.found = append(p.found, &pair{pairKey: key, a: a, b: b, at: at, weak: weak(a.inst) || weak(b.inst)})
}

// weak reports whether the access is not a synchronising operation.
func weak(in *rewrite.Inst) bool {
	return !in.Strong()
}

// rank returns the order in which pairs are tried, the most promising first: among synchronising operations, two
// compare-and-swaps, which may be of locks, before others; different instructions before the same one; new pairs before
// those already reversed.
func (x *pair) rank() int {
	r := 0
	switch {
	case x.first == nil: // a run without a pair
		return -1
	case x.again:
		r += 4
	}
	if locks := x.first.Access.AtomOp == "cas" && x.second.Access.AtomOp == "cas"; !x.weak && !locks {
		r += 2
	}
	if x.first == x.second {
		r++
	}
	return r
}

// exchanged reports whether y is x with its accesses in the other order.
func (x *pair) exchanged(y *pair) bool {
	return x.first == y.second && x.second == y.first && x.a.ThreadPos == y.b.ThreadPos &&
		x.b.ThreadPos == y.a.ThreadPos
}

func byRank(a, b *pair) int { return cmp.Compare(a.rank(), b.rank()) }

// Conflicts as the coverage of an exploration.

// Conflict is two instructions that have accessed the same memory in this order, in different threads, at least one
// with a write, without a barrier between them.
type Conflict struct {
	First, Second *rewrite.Inst
	Near          string // how close the threads are: warp, block or grid
}

// Conflicts collects the conflicts of one run. A schedule without new conflicts has produced no new order.
type Conflicts struct{ pairs *pairs }

// NewConflicts returns a collector without conflicts. wanted selects the instructions to consider, nil for all.
func NewConflicts(wanted func(*rewrite.Inst) bool) *Conflicts {
	p := newPairs(wanted)
	p.until = &pair{}
	return &Conflicts{p}
}

// Conflicts returns the conflicts that a run of the directed strategy collects itself, nil for other runs.
func (r *Run) Conflicts() *Conflicts {
	if g, ok := r.guide.(*directedRun); ok {
		return &Conflicts{g.pairs}
	}
	return nil
}

// Listener returns the listener that must receive the events of the run.
func (c *Conflicts) Listener() emu.Listener { return c.pairs }

// All lists the conflicts, each once, in the order of their occurrence.
func (c *Conflicts) All() (list []Conflict) {
	for _, p := range c.pairs.found {
		list = append(list, Conflict{p.first, p.second, p.near.String()})
	}
	return list
}

func (n nearness) String() string { return [...]string{"warp", "block", "grid"}[n] }
