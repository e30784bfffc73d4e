// Workers: independent blocks of a launch run in parts on several goroutines. Commutative atomics: blocks that only
// add to an allocation work on private copies, which are merged.

package emu

import (
	"context"
	"errors"
	"slices"
	"sync"
	counter "sync/atomic"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
)

// A launch whose blocks are independent is cut into parts of consecutive blocks, which
// do not depend on how many workers there are. Each part runs as if it were the whole
// launch, with a scheduler of its own: results and statistics are the same for any
// number of workers. A part that does not end well is no result: memory is put back
// as it was, and the launch runs again in the usual way, which says what is wrong.

// partWarps is how many warps a part has at least.
const partWarps = 64

// workerPool is the workers of a machine: machines with code of their own, since code
// remembers which memory it accessed last, and the same memory.
type workerPool []*Machine

// worker makes a machine that executes the same module on the same memory.
func (m *Machine) worker() *Machine {
	own := &Device{mem: &gmem.Memory{}, textures: m.textures}
	w := &Machine{Device: own, cfg: m.cfg, src: m.src, vars: m.vars, symbols: m.symbols}
	w.cfg.MaxFaults, w.cfg.Blame = 1, nil
	w.number(m.addresses().funcs)
	return w
}

// decodeKernel decodes a kernel that calls nothing, unless the worker knows it.
func (w *Machine) decodeKernel(k *function) {
	fn := w.functions[k.index]
	if fn.code != nil {
		return
	}
	if errs := w.decode(fn); len(errs) > 0 {
		panic("BUG: emu: what has been decoded cannot be decoded again: " + errs.Error())
	}
}

// shareMemory makes the memory of the worker that of m, as it is now.
func (w *Machine) shareMemory(m *Machine) {
	w.sums = nil
	w.mem.Mirror(m.mem)
}

// startWorkers makes the workers that a launch needs.
func (m *Machine) startWorkers(l *launch) {
	workers := min(uint64(max(m.cfg.Workers, 1)), l.parts())
	for uint64(len(m.workers)) < workers {
		m.workers = append(m.workers, m.worker())
	}
	for _, w := range m.workers[:workers] {
		w.decodeKernel(l.kernel)
	}
}

// partSize is the number of blocks in a part.
func (l *launch) partSize() uint64 {
	return max(1, partWarps/((l.block.count()+warpSize-1)/warpSize))
}

// parts is the number of parts.
func (l *launch) parts() uint64 { return (l.total + l.partSize() - 1) / l.partSize() }

// runParts executes a launch with independent blocks. It reports false when the
// launch must run in the usual way.
func (x *engine) runParts() bool {
	m, l, p := x.m, x.l, x.l.independent
	p.save(m)
	r := &partRun{l: l, size: l.partSize(), parts: l.parts()}
	ctx, cancel := context.WithCancel(x.ctx)
	defer cancel()
	var wg sync.WaitGroup
	workers := m.workers[:min(uint64(max(m.cfg.Workers, 1)), r.parts)]
	for i, w := range workers {
		w.shareMemory(m)
		run := func() {
			if !r.work(ctx, w) {
				cancel()
			}
		}
		if i+1 == len(workers) {
			run()
		} else {
			wg.Go(run)
		}
	}
	wg.Wait()
	if !r.failed.Load() {
		for _, w := range workers {
			w.mergeSums()
		}
		x.stats = Stats{r.warp.Load(), r.thread.Load()}
		return true
	}
	if errors.Is(x.ctx.Err(), context.DeadlineExceeded) {
		x.fault = r.fault.Load()
		return x.fault != nil
	}
	p.restore()
	l.splits.seen = nil // all blocks run again
	return false
}

// partRun is a launch that is executed in parts.
type partRun struct {
	l            *launch
	size, parts  uint64         // blocks in a part, number of parts
	next         counter.Uint64 // part
	warp, thread counter.Uint64 // Stats of the parts so far
	failed       counter.Bool
	fault        counter.Pointer[Fault] // of a part
}

// work executes parts on w until there are none left. It reports false when one did
// not end well.
func (r *partRun) work(ctx context.Context, w *Machine) bool {
	l := *r.l
	l.kernel, l.proof = w.functions[l.kernel.index], l.independent
	x := &engine{m: w, ctx: ctx, l: &l}
	x.vec, x.special = x.newVectorRunner(), l.specialContext()
	x.takeReuse()
	for i := r.next.Add(1) - 1; i < r.parts && !r.failed.Load(); i = r.next.Add(1) - 1 {
		x.begin(i*r.size, min((i+1)*r.size, r.l.total))
		err := x.runAll(ctx)
		steps := r.warp.Add(x.stats.WarpInstructions)
		r.thread.Add(x.stats.ThreadInstructions)
		if err != nil || x.fault != nil || steps > l.maxSteps {
			r.fault.CompareAndSwap(nil, x.fault)
			r.failed.Store(true)
			return false
		}
	}
	x.keepReuse()
	return true
}

// begin makes x ready to execute the blocks from first to before end. Only storage is
// left of what it executed before.
func (x *engine) begin(first, end uint64) {
	l := x.l
	x.sched = newScheduler(x.m.cfg.Policy, &x.m.cfg, l)
	x.stats = Stats{}
	l.waitSets = waitSets{enabled: l.sleepsOnWords(x.m.cfg.Policy)}
	l.next, l.total, l.targetRunnable = first, end, x.sched.targetRunnable()
	l.turns, l.lastMove, l.lastChange = 0, 0, 0
	l.seen, l.seenAt, l.change = x.progress, 0, x.progress
	l.checkAt = min(checkPeriod, l.maxSteps+1)
}

// Blocks that only add to a common counter do not see each other: sums modulo a power of two
// are the same in any order. So blocks stay independent of each other if nothing accesses an allocation but
// atomic operations on integers, all of them add or all of them xor, all of one width, and no instruction
// reads the value that such an operation returns. Every worker adds to a private
// copy, which starts as zero and is added to the memory in the end. Whether an operation changes
// memory depends on its operand alone, so that engine.progress is the same for any number of
// workers.
//
// Minimum, maximum, and, or are commutative as well, but change memory or do not,
// depending on what others have done. Floating-point sums depend on the order.

// commutativeOp is an operation that may be applied in any order; the zero value is none.
type commutativeOp struct {
	op   string // add or xor
	size uint64
}

// commutativeOpsOf returns the commutative operations of f by the index of the instruction; any
// says that there are some.
func commutativeOpsOf(f *rewrite.Func) (out []commutativeOp, any bool) {
	out = make([]commutativeOp, len(f.Insts))
	for i, in := range f.Insts {
		out[i] = commutativeOpOf(in)
		any = any || out[i] != commutativeOp{}
	}
	if !any {
		return out, false
	}
	used := map[*rewrite.Reg]bool{}
	for _, in := range f.Insts {
		in.Uses(func(r *rewrite.Reg) { used[r] = true })
	}
	for i, in := range f.Insts {
		in.Defs(func(r *rewrite.Reg) {
			if used[r] {
				out[i] = commutativeOp{}
			}
		})
	}
	return out, true
}

// commutativeOpOf returns the commutative operation that an instruction is if its result is not
// used.
func commutativeOpOf(in *rewrite.Inst) commutativeOp {
	if in.Instr.Class != isa.ClassAtomic || in.Has("async") || privateSpace(in.Access.Space) {
		return commutativeOp{}
	}
	value := in.Decoded.Operands[in.Access.Addr+1]
	switch value.Type {
	case isa.U32, isa.S32, isa.B32, isa.U64, isa.S64, isa.B64:
	default:
		return commutativeOp{}
	}
	if op := in.Access.AtomOp; value.Vec <= 1 && (op == "add" || op == "xor") {
		return commutativeOp{op, uint64(value.Type.Size())}
	}
	return commutativeOp{}
}

// allocationUses records how the blocks use each allocation: by loads, or by one commutative
// operation. The first use decides.
type allocationUses struct {
	mu     sync.RWMutex
	of     map[*gmem.Allocation]commutativeOp // the zero value is loads
	limit  uint64                             // bytes of the largest allocation with private copies
	counts bool                               // the kernel has commutative operations
}

// claim reports whether operations of kind r may use allocation a.
func (c *allocationUses) claim(r commutativeOp, a *gmem.Allocation) bool {
	if !c.counts {
		return true
	}
	c.mu.RLock()
	was, ok := c.of[a]
	c.mu.RUnlock()
	if !ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		if was, ok = c.of[a]; !ok {
			was = r
			c.of[a] = r
		}
	}
	return was == r && (r == commutativeOp{} || a.Size <= c.limit)
}

// privateCopy returns the worker's copy of allocation a, which operation r adds to.
func (m *Machine) privateCopy(r commutativeOp, a *gmem.Allocation) []byte {
	s := m.sums[a]
	if s == nil {
		words := make([]uint64, a.Size/8+1)
		s = &privateSum{r, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), a.Size)}
		if m.sums == nil {
			m.sums = map[*gmem.Allocation]*privateSum{}
		}
		m.sums[a] = s
	}
	return s.data
}

// privateSum is the private copy of an allocation: what one worker has added.
type privateSum struct {
	commutativeOp
	data []byte
}

// mergeSums adds the worker's private sums to device memory.
func (m *Machine) mergeSums() {
	for a, s := range m.sums {
		if s.size == 8 {
			combine[uint64](s.op, a.Data, s.data)
		} else {
			combine[uint32](s.op, a.Data, s.data)
		}
	}
	m.sums = nil
}

// combine adds the words of from to those of to.
func combine[T uint32 | uint64](op string, to, from []byte) {
	n := len(to) / int(unsafe.Sizeof(T(0)))
	sum, v := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(to))), n), unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(from))), n)
	for i := range v {
		if op == "xor" {
			sum[i] ^= v[i]
		} else {
			sum[i] += v[i]
		}
	}
}

// preclaim claims the allocations that loads and commutative operations are known to use. It
// reports false when blocks would see each other there.
func (p *independence) preclaim(m *Machine, l *launch) bool {
	if !p.counts {
		return true
	}
	values, roots := m.launchValues(l), address.RootsOf(l.kernel.src)
	for i, in := range l.kernel.src.Insts {
		if in.Access.Kind == isa.AccessNone || privateSpace(in.Access.Space) || p.apart[i] {
			continue
		}
		a := m.rooted(values, roots.Address(in, in.Access.Addr))
		if a != nil && (slices.Contains(p.written, a) || !p.claim(p.commutative[i], a)) {
			return false
		}
	}
	return true
}

// rooted is the live allocation that an address was made from, nil when it is not known.
func (m *Machine) rooted(values address.LaunchValues, r address.Root) *gmem.Allocation {
	const pointer = 8
	addr, ok := uint64(0), false
	switch r.Kind {
	case address.RootParam:
		var v address.ParamValue
		v, ok = values.Param(r.Var, r.At, pointer)
		addr = v.Number
	case address.RootVar:
		addr, ok = values.Address(r.Var)
	}
	if !ok {
		return nil
	}
	if a := m.mem.Find(addr); a != nil && !a.Freed() {
		return a
	}
	return nil
}
