// Workers: independent blocks of a launch run in parts on several goroutines, with private copies of the allocations
// that blocks access only by commutative operations.

package emu

import (
	"context"
	"errors"
	"maps"
	"slices"
	counter "sync/atomic"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/crew"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A launch with independent blocks is divided into parts of consecutive blocks, regardless of the number of workers.
// Each part runs like a complete launch, with its own scheduler: results and statistics are the same for any number of
// workers.

// partWarps is the minimum number of warps in a part.
const partWarps = 64

// worker makes a machine that executes the same module on the same memory. prepareKernel completes it.
func worker(m *state.Machine) *state.Machine {
	own := &state.Device{Mem: &gmem.Memory{}, Textures: m.Dev.Textures}
	w := &state.Machine{Dev: own, Cfg: m.Cfg, Src: m.Src, Vars: m.Vars, Symbols: m.Symbols}
	w.Cfg.MaxFaults, w.Cfg.Blame, w.Cfg.Listener = 1, nil, nil
	if k := m.Cfg.Booking; k != nil {
		w.Cfg.Booking = &Booking{Root: k.Root}
	}
	return w
}

// prepareKernel sets the worker up for a kernel, which calls nothing: the worker emits the events that the listener of
// m needs of it, and decodes the kernel unless it has done so. If the listener needs no events of the kernel, the
// worker has no listener until the next call.
func prepareKernel(w *state.Machine, m *state.Machine, k *state.Function) {
	if observes(m, k.Src) {
		w.Cfg.Listener, w.Interest = m.Cfg.Listener, m.Interest
		w.Interest.First = nil
	} else {
		w.Cfg.Listener, w.Interest = nil, Interest{}
	}
	if w.Functions == nil {
		program.Number(w, program.Addresses(m).Funcs)
	}
	fn := w.Functions[k.Index]
	if fn.Code != nil {
		return
	}
	if errs := program.Decode(w, fn); len(errs) > 0 {
		panic("BUG: emu: what has been decoded cannot be decoded again: " + errs.Error())
	}
}

// shareMemory gives the worker the memory of m in its current state.
func shareMemory(w *state.Machine, m *state.Machine) {
	w.Dev.Mem.Mirror(m.Dev.Mem)
}

// workersFor returns the number of workers that a launch needs.
func workersFor(m *state.Machine, l *state.Launch) int {
	return int(min(uint64(max(m.Cfg.Workers, 1)), parts(l)))
}

// forParts returns the workers that a launch needs, without private copies.
func forParts(m *state.Machine, l *state.Launch) state.WorkerPool {
	n := workersFor(m, l)
	for len(m.Workers) < n {
		m.Workers = append(m.Workers, worker(m))
	}
	for _, w := range m.Workers {
		w.Sums = nil
	}
	return m.Workers[:n]
}

// partSize returns the number of blocks in a part.
func partSize(l *state.Launch) uint64 {
	return max(1, partWarps/((l.Block.Count()+state.WarpSize-1)/state.WarpSize))
}

// parts returns the number of parts.
func parts(l *state.Launch) uint64 { return (l.Total + partSize(l) - 1) / partSize(l) }

// A launch that may write much is divided into stages of consecutive parts. Before each stage, what it may write is
// saved; if a part of it fails, memory is restored, and the blocks from the first of the stage on run as a whole.

// stageBytes is the number of bytes that a stage should write. It has at least stageParts parts, so that workers rarely
// wait for each other, unless there would be less than fewStages.
const (
	stageBytes = 8 << 20
	stageParts = 64
	fewStages  = 16
)

// partsOfStage returns the number of parts in a stage. A launch that is observed has one stage.
func partsOfStage(m *state.Machine, l *state.Launch) uint64 {
	all, size := parts(l), partSize(l)
	writes := func(first, end uint64) (bytes uint64) {
		for _, e := range l.Independent.Writes(first, min(end, l.Total)) {
			bytes += e.Hi - e.Lo
		}
		return bytes
	}
	whole := writes(0, l.Total)
	stages := min(whole/stageBytes+1, max(all/stageParts, fewStages))
	n := (all + stages - 1) / stages
	if middle := all / 2 * size; n >= all || observes(m, l.Kernel.Src) || writes(middle, middle+n*size) > whole/2 {
		return all
	}
	return n
}

// runParts executes a launch with independent blocks. It returns false if the blocks from Launch.Next on must run as a
// whole.
func runParts(x *state.Engine) bool {
	m, l := x.M, x.L
	ctx, cancel := context.WithCancel(x.Ctx)
	defer cancel()
	defer m.Dev.Undo.Empty(2 * stageBytes)
	r, workers, size := &partRun{l: l, size: partSize(l)}, forParts(m, l), partsOfStage(m, l)
	for all := parts(l); r.parts < all && x.Fault == nil; {
		r.next.Store(r.parts)
		l.Next, r.parts = r.parts*r.size, min(r.parts+size, all)
		if !runStage(x, r, workers, ctx, cancel) {
			return false
		}
	}
	return true
}

// runStage executes the parts of a stage. It returns false if its blocks must run again as a whole.
func runStage(x *state.Engine, r *partRun, workers state.WorkerPool, ctx context.Context, cancel func()) bool {
	m, l := x.M, x.L
	var memory [][]byte
	for _, e := range l.Independent.Writes(l.Next, min(r.parts*r.size, l.Total)) {
		memory = append(memory, e.A.Data[e.Lo:e.Hi])
	}
	if m.Dev.Undo.Save(memory, len(workers)) != nil {
		return false
	}
	misuses := maps.Clone(l.Misuses.Seen)
	listeners, unite := divide(m, l, len(workers))
	crew.Do(len(workers), func(i int) {
		if r.next.Load() >= r.parts {
			return // all parts have been executed before this goroutine began
		}
		l.Independent.Prepare(workers[i])
		if !r.work(ctx, workers[i], listeners[i]) {
			cancel()
		}
	})
	right := !strayed(workers) && !r.failed.Load()
	if right && !r.noticed.Load() {
		for _, w := range workers {
			mergeSums(w)
		}
		x.Stats = Stats{WarpInstructions: r.warp.Load(), ThreadInstructions: r.thread.Load()}
		unite(true)
		return true
	}
	if f := r.fault.Load(); f != nil && errors.Is(x.Ctx.Err(), context.DeadlineExceeded) {
		x.Fault = f
		unite(true)
		return true
	}
	unite(right)
	m.Dev.Undo.Restore()
	l.Misuses.Seen = misuses
	l.CheckAt, l.SeenAt = min(x.Stats.WarpInstructions+faults.CheckPeriod, l.MaxSteps+1), x.Stats.WarpInstructions
	return false
}

// divide obtains a listener for each of the given number of goroutines from the listener of m; they are nil if it needs
// no events of the launch. The returned function ends the division.
func divide(m *state.Machine, l *state.Launch, goroutines int) (list []abi.PartReceiver, unite func(ok bool)) {
	if !observes(m, l.Kernel.Src) {
		return make([]abi.PartReceiver, goroutines), func(bool) {}
	}
	whole := m.Interest.Parts(l.Kernel.Src)
	return whole.Divide(goroutines), whole.Unite
}

// strayed reports whether an access of a worker was outside of its proved range. Which one is the first is determined
// when the launch runs as a whole.
func strayed(workers state.WorkerPool) (any bool) {
	for _, w := range workers {
		if k := w.Cfg.Booking; k != nil {
			any, k.Strayed = any || k.Strayed != nil, nil
		}
	}
	return any
}

// partRun is a launch that is executed in parts.
type partRun struct {
	l            *state.Launch
	size, parts  uint64         // blocks in a part, number of parts up to the end of the stage
	next         counter.Uint64 // number of the next part
	warp, thread counter.Uint64 // Stats of the completed parts
	failed       counter.Bool
	noticed      counter.Bool           // a listener has found something
	fault        counter.Pointer[Fault] // raised in a part
}

// work executes parts on w until none are left. It returns false if a part failed. listener may be nil.
func (r *partRun) work(ctx context.Context, w *state.Machine, listener abi.PartReceiver) bool {
	l := *r.l
	l.Kernel, l.Proof = w.Functions[l.Kernel.Index], l.Independent
	l.Stalled, l.Pause, l.PauseAfter = nil, nil, nil
	x := &state.Engine{M: w, Ctx: ctx, L: &l}
	if listener != nil {
		events.SetListener(&x.Emitter, listener, w.Interest)
	}
	x.Vec, x.Special = newVectorRunner(x), l.SpecialContext()
	groups.TakeReuse(x)
	for i := r.next.Add(1) - 1; i < r.parts && !r.failed.Load() && !r.noticed.Load(); i = r.next.Add(1) - 1 {
		begin(x, i*r.size, min((i+1)*r.size, r.l.Total))
		if listener != nil {
			listener.BeginPart(i)
			events.EmitKernelBegin(x)
		}
		err := runAll(x, ctx)
		told := listener == nil || endPart(x, listener)
		steps := r.warp.Add(x.Stats.WarpInstructions)
		r.thread.Add(x.Stats.ThreadInstructions)
		if err != nil || x.Fault != nil || steps > l.MaxSteps {
			r.fault.CompareAndSwap(nil, x.Fault)
			r.failed.Store(true)
			return false
		}
		if !told {
			r.noticed.Store(true) // earlier parts run to their end, so that the first one with a finding is determined
			break
		}
	}
	groups.KeepReuse(x)
	return true
}

// endPart reports whether a receiver of parts has no findings in the part that ends.
func endPart(x *state.Engine, to abi.PartReceiver) bool {
	events.EmitMachineEvent(x, abi.EventKernelEnd, 0)
	return to.EndPart()
}

// begin prepares x to execute the blocks from first to before end. It keeps only storage of earlier parts.
func begin(x *state.Engine, first, end uint64) {
	l := x.L
	x.Sched = sched.New(x.M.Cfg.Policy, &x.M.Cfg, l)
	x.Stats, x.Clock = Stats{}, state.Clock{}
	l.WaitSets = state.WaitSets{Enabled: sched.SleepsOnWords(l, x.M.Cfg.Policy)}
	l.Next, l.Total, l.TargetRunnable = first, end, barriers.RunnableTarget(x)
	l.Turns, l.LastMove, l.LastChange = 0, 0, 0
	l.Seen, l.SeenAt, l.Change = x.Progress, 0, x.Progress
	l.CheckAt = min(faults.CheckPeriod, l.MaxSteps+1)
}

// mergeSums merges the worker's private copies into device memory.
func mergeSums(m *state.Machine) {
	for a, s := range m.Sums {
		s.Merge(a.Data, s.Data)
	}
	m.Sums = nil
}

// preclaim claims the allocations that loads and commutative operations are known to use. It returns false if blocks
// would observe each other there.
func preclaim(p *state.Independence, m *state.Machine, l *state.Launch) bool {
	if p.Of == nil {
		return true
	}
	values, roots := launchValues(m, l), address.RootsOf(l.Kernel.Src)
	for i, in := range l.Kernel.Src.Insts {
		if in.Access.Kind == isa.AccessNone || privateSpace(in.Access.Space) || p.Apart[i] != nil {
			continue
		}
		a := rooted(m, values, roots.Address(in, in.Access.Addr))
		if a != nil && (slices.Contains(p.Written, a) || !memory.Claim(&p.AllocationUses, p.Commutative[i], a)) {
			return false
		}
	}
	return true
}

// rooted returns the live allocation that an address is derived from, nil if it is not known.
func rooted(m *state.Machine, values address.LaunchValues, r address.Root) *gmem.Allocation {
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
	if a := m.Dev.Mem.Find(addr); a != nil && !a.Freed() {
		return a
	}
	return nil
}
