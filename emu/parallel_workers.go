// Workers: independent blocks of a launch run in parts on several goroutines, with private copies of the allocations
// that blocks access only by commutative operations.

package emu

import (
	"context"
	"errors"
	"slices"
	"sync"
	counter "sync/atomic"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/commute"
	"github.com/ptxsan/ptxsan/emu/internal/crew"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A launch with independent blocks is divided into parts of consecutive blocks, regardless of the number of workers.
// Each part runs like a complete launch, with its own scheduler: results and statistics are the same for any number of
// workers. If a part fails, memory is restored, and the launch runs again as a whole, which reports the fault.

// partWarps is the minimum number of warps in a part.
const partWarps = 64

// workerPool is the workers of a machine: machines that share its memory. They have their own code, because decoded
// instructions cache the memory that they accessed last.
type workerPool []*machine

// worker makes a machine that executes the same module on the same memory. prepareKernel completes it.
func (m *machine) worker() *machine {
	own := &device{mem: &gmem.Memory{}, textures: m.dev.textures}
	w := &machine{dev: own, cfg: m.cfg, src: m.src, vars: m.vars, symbols: m.symbols}
	w.cfg.MaxFaults, w.cfg.Blame, w.cfg.Listener, w.cfg.Stalled = 1, nil, nil, nil
	if k := m.cfg.Booking; k != nil {
		w.cfg.Booking = &Booking{Root: k.Root}
	}
	return w
}

// prepareKernel sets the worker up for a kernel, which calls nothing: the worker emits the events that the listener of
// m needs of it, and decodes the kernel unless it has done so. If the listener needs no events of the kernel, the
// worker has no listener until the next call.
func (w *machine) prepareKernel(m *machine, k *function) {
	if m.observes(k.src) {
		w.cfg.Listener, w.interest = m.cfg.Listener, m.interest
		w.interest.First = nil
	} else {
		w.cfg.Listener, w.interest = nil, Interest{}
	}
	if w.functions == nil {
		w.number(m.addresses().funcs)
	}
	fn := w.functions[k.index]
	if fn.code != nil {
		return
	}
	if errs := w.decode(fn); len(errs) > 0 {
		panic("BUG: emu: what has been decoded cannot be decoded again: " + errs.Error())
	}
}

// shareMemory gives the worker the memory of m in its current state.
func (w *machine) shareMemory(m *machine) {
	w.dev.mem.Mirror(m.dev.mem)
}

// workersFor returns the number of workers that a launch needs.
func (m *machine) workersFor(l *launch) int {
	return int(min(uint64(max(m.cfg.Workers, 1)), l.parts()))
}

// forParts returns the workers that a launch needs, without private copies.
func (m *machine) forParts(l *launch) workerPool {
	n := m.workersFor(l)
	for len(m.workers) < n {
		m.workers = append(m.workers, m.worker())
	}
	for _, w := range m.workers {
		w.sums = nil
	}
	return m.workers[:n]
}

// partSize returns the number of blocks in a part.
func (l *launch) partSize() uint64 {
	return max(1, partWarps/((l.block.count()+warpSize-1)/warpSize))
}

// parts returns the number of parts.
func (l *launch) parts() uint64 { return (l.total + l.partSize() - 1) / l.partSize() }

// runParts executes a launch with independent blocks. It returns false if the launch must run as a whole.
func (x *engine) runParts() bool {
	m, l, p := x.m, x.l, x.l.independent
	r := &partRun{l: l, size: l.partSize(), parts: l.parts()}
	ctx, cancel := context.WithCancel(x.ctx)
	defer cancel()
	workers := m.forParts(l)
	p.save(m, len(workers))
	listeners, unite := m.divide(l, len(workers))
	crew.Do(len(workers), func(i int) {
		if r.next.Load() >= r.parts {
			return // all parts have been executed before this goroutine began
		}
		p.prepare(workers[i])
		if !r.work(ctx, workers[i], listeners[i]) {
			cancel()
		}
	})
	right := !strayed(workers) && !r.failed.Load()
	if right && !r.noticed.Load() {
		for _, w := range workers {
			w.mergeSums()
		}
		x.stats = Stats{r.warp.Load(), r.thread.Load()}
		unite(true)
		return true
	}
	if f := r.fault.Load(); f != nil && errors.Is(x.ctx.Err(), context.DeadlineExceeded) {
		x.fault = f
		unite(true)
		return true
	}
	unite(right)
	p.restore(m)
	l.misuses.seen = nil // all blocks run again
	return false
}

// divide obtains a listener for each of the given number of goroutines from the listener of m; they are nil if it needs
// no events of the launch. The returned function ends the division.
func (m *machine) divide(l *launch, goroutines int) (list []abi.PartReceiver, unite func(ok bool)) {
	if !m.observes(l.kernel.src) {
		return make([]abi.PartReceiver, goroutines), func(bool) {}
	}
	whole := m.interest.Parts(l.kernel.src)
	return whole.Divide(goroutines), whole.Unite
}

// strayed reports whether an access of a worker was outside of its proved range. Which one is the first is determined
// when the launch runs as a whole.
func strayed(workers workerPool) (any bool) {
	for _, w := range workers {
		if k := w.cfg.Booking; k != nil {
			any, k.Strayed = any || k.Strayed != nil, nil
		}
	}
	return any
}

// partRun is a launch that is executed in parts.
type partRun struct {
	l            *launch
	size, parts  uint64         // blocks in a part, number of parts
	next         counter.Uint64 // number of the next part
	warp, thread counter.Uint64 // Stats of the completed parts
	failed       counter.Bool
	noticed      counter.Bool           // a listener has found something
	fault        counter.Pointer[Fault] // raised in a part
}

// work executes parts on w until none are left. It returns false if a part failed. listener may be nil.
func (r *partRun) work(ctx context.Context, w *machine, listener abi.PartReceiver) bool {
	l := *r.l
	l.kernel, l.proof = w.functions[l.kernel.index], l.independent
	x := &engine{m: w, ctx: ctx, l: &l}
	if listener != nil {
		x.setListener(listener, w.interest)
	}
	x.vec, x.special = x.newVectorRunner(), l.specialContext()
	x.takeReuse()
	for i := r.next.Add(1) - 1; i < r.parts && !r.failed.Load() && !r.noticed.Load(); i = r.next.Add(1) - 1 {
		x.begin(i*r.size, min((i+1)*r.size, r.l.total))
		if listener != nil {
			listener.BeginPart(i)
			x.emitKernelBegin()
		}
		err := x.runAll(ctx)
		told := listener == nil || x.endPart(listener)
		steps := r.warp.Add(x.stats.WarpInstructions)
		r.thread.Add(x.stats.ThreadInstructions)
		if err != nil || x.fault != nil || steps > l.maxSteps {
			r.fault.CompareAndSwap(nil, x.fault)
			r.failed.Store(true)
			return false
		}
		if !told {
			r.noticed.Store(true) // earlier parts run to their end, so that the first one with a finding is determined
			break
		}
	}
	x.keepReuse()
	return true
}

// endPart reports whether a receiver of parts has no findings in the part that ends.
func (x *engine) endPart(to abi.PartReceiver) bool {
	x.emitMachineEvent(abi.EventKernelEnd, 0)
	return to.EndPart()
}

// begin prepares x to execute the blocks from first to before end. It keeps only storage of earlier parts.
func (x *engine) begin(first, end uint64) {
	l := x.l
	x.sched = newScheduler(x.m.cfg.Policy, &x.m.cfg, l)
	x.stats = Stats{}
	l.waitSets = waitSets{enabled: l.sleepsOnWords(x.m.cfg.Policy)}
	l.next, l.total, l.targetRunnable = first, end, x.runnableTarget()
	l.turns, l.lastMove, l.lastChange = 0, 0, 0
	l.seen, l.seenAt, l.change = x.progress, 0, x.progress
	l.checkAt = min(checkPeriod, l.maxSteps+1)
}

// runnableTarget returns the initial launch.targetRunnable. Independent blocks run one after another: they do not wait
// for each other, and the registers of one block stay in the cache.
func (x *engine) runnableTarget() int {
	if x.l.proof != nil {
		return 1
	}
	return x.sched.targetRunnable()
}

// Blocks stay independent of each other if an allocation is accessed only by commutative operations
// (emu/internal/commute) of one kind and width. Every worker applies them to a private copy, which is zero at first and
// is merged into memory at the end. Whether such an operation changes memory depends only on its operand, so that
// engine.progress is the same for any number of workers.

// allocationUses records how the blocks use each allocation: by loads, or by one commutative operation. The first use
// decides.
type allocationUses struct {
	mu    sync.RWMutex
	of    map[*gmem.Allocation]commute.Op // the zero value means loads
	limit uint64                          // maximum size in bytes of an allocation with private copies
}

// claim reports whether operations of kind r may use allocation a.
func (c *allocationUses) claim(r commute.Op, a *gmem.Allocation) bool {
	if c.of == nil {
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
	return was == r && (r == commute.Op{} || a.Size <= c.limit)
}

// privateCopy returns the worker's copy of allocation a for operations of kind r.
func (m *machine) privateCopy(r commute.Op, a *gmem.Allocation) []byte {
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

// privateSum is a worker's private copy of an allocation, which accumulates its commutative operations.
type privateSum struct {
	commute.Op
	data []byte
}

// mergeSums merges the worker's private copies into device memory.
func (m *machine) mergeSums() {
	for a, s := range m.sums {
		s.Merge(a.Data, s.data)
	}
	m.sums = nil
}

// preclaim claims the allocations that loads and commutative operations are known to use. It returns false if blocks
// would observe each other there.
func (p *independence) preclaim(m *machine, l *launch) bool {
	if p.of == nil {
		return true
	}
	values, roots := m.launchValues(l), address.RootsOf(l.kernel.src)
	for i, in := range l.kernel.src.Insts {
		if in.Access.Kind == isa.AccessNone || privateSpace(in.Access.Space) || p.apart[i] != nil {
			continue
		}
		a := m.rooted(values, roots.Address(in, in.Access.Addr))
		if a != nil && (slices.Contains(p.written, a) || !p.claim(p.commutative[i], a)) {
			return false
		}
	}
	return true
}

// rooted returns the live allocation that an address is derived from, nil if it is not known.
func (m *machine) rooted(values address.LaunchValues, r address.Root) *gmem.Allocation {
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
	if a := m.dev.mem.Find(addr); a != nil && !a.Freed() {
		return a
	}
	return nil
}
