// Witnesses: the two threads of a model are executed to check whether they really race.

package static

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/replay"
	"github.com/ptxsan/ptxsan/internal/static/rules"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Addresses in the launch in which threads are executed: far apart, so that accesses near one object are far from
// others, and small where 32-bit registers hold them.
const (
	sharedSpace   = 1 << 20 // for a variable of the block, below 2^30
	pointedShared = 1 << 29 // to which parameters lead
	localSpace    = 1 << 30
	paramSpace    = 1 << 31
	globalSpace   = 1 << 60 // for a variable of the module
	bufferSpace   = 1 << 44 // for an allocation
	nextGlobal    = 1 << 40
	maxReplay     = 200_000 // instructions of a thread
	replayWork    = 4       // work units of an instruction
)

// trial executes the two threads of a model.
type trial struct {
	q       *pairQuery
	model   *expr.Model
	symbols map[symbolKey]uint64
	buffers map[string]uint64
	given   map[facts.Param]uint64 // requested pointer values
	witness *Witness
	memory  map[uint64]cell
	early   map[uint64]bool // cells of objects that the kernel writes to, which are read before the writes
	readIn  int             // the current thread
	places  uint64
	zeros   bool // contents of which the formulas say nothing are zeros, not unknown

	compared int // events compared so far, see race
}

// cell is a content of memory assumed for a thread.
type cell struct {
	value uint64
	size  int
	given bool // by a fact
}

type symbolKey struct {
	frame int
	v     *rewrite.Var
}

// confirm executes the two threads of a model. It returns a witness if they race, with Memory if that needs certain
// contents.
//
// The threads are executed twice, with objects at different addresses: a race that depends on addresses is no witness.
// If the way of a thread depends on contents of which the formulas say nothing, they are executed again with zeros
// there.
func (q *pairQuery) confirm(m *expr.Model) *Witness {
	w, lost := q.try(m, 0, false)
	if lost {
		w, _ = q.try(m, 0, true)
	}
	if w == nil {
		return nil
	}
	if again, _ := q.try(m, 1, lost); again == nil {
		return nil
	}
	return w
}

// try executes the two threads with objects at the places-th set of addresses. lost reports that there is no witness,
// and that a thread was not followed to its end because of what memory holds.
func (q *pairQuery) try(m *expr.Model, places uint64, zeros bool) (w *Witness, lost bool) {
	t := newTrial(q, m, places)
	if t.zeros = zeros; !t.place() {
		return nil, false
	}
	traces := [2]*replay.Trace{t.replay(0), t.replay(1)}
	w = t.race(traces)
	q.a.Left -= int64(t.compared / 16)
	q.a.Work += int64(t.compared / 16)
	return w, w == nil && (traces[0].Unknown || traces[1].Unknown)
}

func newTrial(q *pairQuery, m *expr.Model, places uint64) *trial {
	return &trial{
		q: q, places: places, model: m, symbols: make(map[symbolKey]uint64), buffers: make(map[string]uint64),
		given:  make(map[facts.Param]uint64),
		memory: make(map[uint64]cell), early: make(map[uint64]bool),
		witness: &Witness{
			Params: make(map[facts.Param]*big.Int), MinBytes: make(map[facts.Param]int64),
			SharedBytes: make(map[facts.Param]int64), Model: m,
		},
	}
}

// replay executes one of the two threads.
func (t *trial) replay(i int) *replay.Trace {
	p := t.witness.Threads[i]
	t.readIn = i + 1
	l := replay.Launch{
		Grid: t.witness.Grid, Block: t.witness.Block, Param: t.param, Symbol: t.symbol, Load: t.load,
		Steps: maxReplay, Spin: true, Ended: t.q.a.Over,
	}
	trace := replay.Run(t.q.a.Kernel, l, p.Block, p.Thread)
	t.q.a.Left -= replayWork * int64(trace.Steps)
	t.q.a.Work += replayWork * int64(trace.Steps)
	return trace
}

// place determines the launch and the two threads from the model.
func (t *trial) place() bool { return t.extents() && t.witness.Threads[0] != t.witness.Threads[1] }

// extents determines the launch, and the two threads, which may be one.
func (t *trial) extents() bool {
	w := t.witness
	second := t.q.Kind == kernel.InterBlock
	for i, d := range query.Dims {
		block, ok1 := t.number(facts.Dim("ntid", d))
		grid, ok2 := t.number(facts.Dim("nctaid", d))
		if !ok1 || !ok2 {
			return false
		}
		w.Block[i], w.Grid[i] = uint32(block), uint32(grid)
		if cluster, ok := t.number(facts.Dim("cluster_nctaid", d)); ok {
			w.Cluster[i] = uint32(cluster)
		}
		for n := range w.Threads {
			tid, ok1 := t.number(symbolic.Index("tid", d).Instance(n + 1))
			of := n + 1
			if !second {
				of = 1
			}
			cta, ok2 := t.number(symbolic.Index("ctaid", d).Instance(of))
			if !ok1 || !ok2 || tid >= int64(w.Block[i]) || cta >= int64(w.Grid[i]) {
				return false
			}
			w.Threads[n].Thread[i], w.Threads[n].Block[i] = uint32(tid), uint32(cta)
		}
	}
	return uint64(w.Block[0])*uint64(w.Block[1])*uint64(w.Block[2]) <= uint64(t.q.a.Threads)
}

// number evaluates an expression in the model. Variables that the model leaves open get the least non-negative value of
// their range.
func (t *trial) number(x *expr.Int) (int64, bool) {
	x = x.Subst(t.q.a.Filling)
	for _, v := range x.Vars() {
		if _, ok := t.model.Ints[v.Name]; ok || v.Bool {
			continue
		}
		value := new(big.Int)
		if v.Lo != nil && v.Lo.Sign() > 0 {
			value = v.Lo
		}
		t.model.Ints[v.Name] = value
	}
	k, err := x.Eval(t.model)
	if err != nil || !k.IsInt64() {
		return 0, false
	}
	return k.Int64(), true
}

// param returns the value of a parameter: the address of a buffer, or a number.
func (t *trial) param(index int, off int64, size int) (uint64, bool) {
	p := facts.Param{Index: index, Offset: off}
	v := facts.ParamVar(index, off, 8*size)
	if size == 8 && t.q.a.IsPointer(p) {
		return t.pointer(p)
	}
	if t.partOfPointer(p, size) {
		return 0, false
	}
	k, ok := t.number(v)
	if ok {
		t.witness.Params[p] = big.NewInt(k)
	}
	return uint64(k), ok
}

// partOfPointer reports whether bytes of a parameter belong to a pointer.
func (t *trial) partOfPointer(p facts.Param, size int) bool {
	for off := p.Offset - 7; off < p.Offset+int64(size); off++ {
		if t.q.a.IsPointer(facts.Param{Index: p.Index, Offset: off}) {
			return true
		}
	}
	return false
}

// pointer returns the value of a pointer.
func (t *trial) pointer(p facts.Param) (uint64, bool) {
	if at, ok := t.given[p]; ok {
		return at, true
	}
	name, offset := facts.ParamVar(p.Index, p.Offset, 64).String(), int64(0)
	if known, ok := t.q.a.Given.Pointers[p]; ok {
		name = known.Buffer
		if known.Offset != nil {
			if offset, ok = t.number(known.Offset); !ok {
				return 0, false
			}
		}
	}
	if _, ok := t.buffers[name]; !ok {
		n := uint64(len(t.buffers) + 1)
		if t.buffers[name] = n*bufferSpace + t.places*(n*n*0x9e3779b900+0x5a5a5a00); t.q.a.IsShared(p) {
			t.buffers[name] = pointedShared + n*sharedSpace + t.places*n*0x1300
		}
	}
	t.given[p] = t.buffers[name] + uint64(offset)
	return t.given[p], true
}

// symbol returns the address of a variable.
func (t *trial) symbol(f *symbolic.Frame, v *rewrite.Var) uint64 {
	key := symbolKey{-1, v}
	if v.Space == isa.SpaceLocal || v.Space == isa.SpaceParam {
		key.frame = f.ID
	}
	if _, ok := t.symbols[key]; !ok {
		n := uint64(len(t.symbols) + 1)
		switch v.Space {
		case isa.SpaceShared:
			n *= sharedSpace
		case isa.SpaceLocal:
			n = localSpace + n*sharedSpace
		case isa.SpaceParam:
			n = paramSpace + n*sharedSpace
		default:
			n = globalSpace + n*nextGlobal + t.places*(n*0x7f4a7c00+0x1300)
		}
		t.symbols[key] = n
	}
	return t.symbols[key]
}

// load returns the content of a buffer that nothing writes: the model's value for the first load that reads it.
func (t *trial) load(f *symbolic.Frame, in *rewrite.Inst, elem int, addr uint64, size int) (uint64, bool) {
	if c, ok := t.memory[addr]; ok {
		return c.value, c.size == size
	}
	if t.overlaps(addr, uint64(size)) {
		return 0, false
	}
	name := t.q.a.LoadName(f, in, elem)
	if name == "" && !t.zeros || in.Strong() {
		return 0, false
	}
	it, _ := t.itemOf(t.q.a.ItemsAt(f, in), addr)
	if it == nil || it.Object.Param == nil { // the host determines what buffers hold
		return 0, false
	}
	if !t.q.a.Fixed(f, in) {
		t.early[addr] = true
	}
	if k, known := t.initial(it); known {
		v, ok := rules.BytesOf(k, size)
		t.memory[addr] = cell{v, size, true}
		return v, ok
	}
	k := new(big.Int)
	for _, n := range []int{t.readIn, 3 - t.readIn} {
		if m, ok := t.model.Ints[instance(name, n)]; ok {
			k = m
			break
		}
	}
	v := k.Uint64()
	if k.Sign() < 0 {
		v = uint64(k.Int64())
	}
	if size < 8 {
		v &= 1<<(8*size) - 1
	}
	t.memory[addr] = cell{v, size, false}
	return v, true
}

// widest is the size of the largest cell in bytes.
const widest = 16

// overlaps reports whether a cell overlaps size bytes from an address on.
func (t *trial) overlaps(addr, size uint64) bool {
	for at := addr - (widest - 1); at != addr+size; at++ {
		if c, ok := t.memory[at]; ok && at+uint64(c.size) > addr {
			return true
		}
	}
	return false
}

// initial returns the initial content of the object of a load, if a fact gives it.
func (t *trial) initial(it *kernel.Item) (int64, bool) {
	if p := t.q.a.Pointer(&it.Object); p != nil && p.Initial != nil {
		return t.number(p.Initial)
	}
	return 0, false
}

func instance(name string, n int) string { return name + "#" + string(rune('0'+n)) }
