// Grids launched by kernels, cooperative launches, and requests to cancel the launch of a cluster.

package emu

import (
	"encoding/binary"
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/cudart"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Grids launched by kernels (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism").
//
// A grid launched by a thread runs at some time between its launch and the end of the launching grid, without
// interruption: immediately if the policy says so, else at cudaDeviceSynchronize or when no other group can run. This
// satisfies the standard, by which parent and child need not run concurrently. Grids of one launch run in launch order,
// so that streams and events are always ordered. Tail launches follow when the launching grid and all its other child
// grids have ended.

// grids holds the grids and copies launched by the threads of a launch.
type grids struct {
	depth   int         // 0 for a grid launched by the host
	waiting []*workItem // in launch order
	tail    []*workItem // to run after the end of the launch
	errors  map[threadID]cudart.Error
}

// threadID identifies a thread of a launch.
type threadID struct {
	warp uint64 // warp.serial
	lane int
}

// workItem is a grid that a thread has put into a stream, or a copy if launch is nil.
type workItem struct {
	launch *launch // prepared
	copy   func()
	block  uint64 // linear index of the launching block
}

// enqueue adds an item, to run immediately, later, or after the end of the launch.
func (x *engine) enqueue(w *workItem, tail bool) {
	g := &x.l.grids
	if !x.claim(w.state(), "launched grids") {
		return
	}
	if tail {
		g.tail = append(g.tail, w)
		return
	}
	g.waiting = append(g.waiting, w)
	for atOnce := x.sched.eager(); x.fault == nil && len(g.waiting) > 0 && (atOnce || len(g.waiting) > MaxPending); {
		x.runWaiting()
	}
}

// runWaiting runs the oldest waiting item. It reports whether there was one.
func (x *engine) runWaiting() bool {
	g := &x.l.grids
	if len(g.waiting) == 0 {
		return false
	}
	x.perform(g.take())
	return true
}

// runOf runs the waiting items that the threads of a block have launched.
func (x *engine) runOf(block uint64) {
	g := &x.l.grids
	var others []*workItem
	for len(g.waiting) > 0 && x.fault == nil {
		w := g.take()
		if w.block != block {
			others = append(others, w)
			continue
		}
		x.perform(w)
	}
	g.waiting = append(others, g.waiting...)
}

// take removes and returns the oldest waiting item. The list keeps no reference to it, because an ended grid would keep
// all its child grids in memory.
func (g *grids) take() *workItem {
	w := g.waiting[0]
	g.waiting[0] = nil
	g.waiting = g.waiting[1:]
	return w
}

// runTails runs the tail launches of a launch that has ended.
func (x *engine) runTails() {
	for i, w := range x.l.grids.tail {
		x.l.grids.tail[i] = nil
		if x.fault == nil {
			x.perform(w)
		}
	}
}

// perform runs one item to its end.
func (x *engine) perform(w *workItem) {
	x.unclaim(w.state())
	x.progress++
	if w.launch == nil {
		w.copy()
		return
	}
	if n := x.stats.WarpInstructions; n > x.l.maxSteps {
		x.fault = &Fault{
			Class: "timeout", Kernel: w.launch.kernel.src.Name, Count: 1,
			Message: fmt.Sprintf("the grids launched have not finished after %d warp instructions", x.l.maxSteps),
		}
		return
	}
	x.runChild(w.launch)
}

// runChild runs a grid as part of the launch: it continues the counts of steps, output and faults, and adds its own to
// them.
func (x *engine) runChild(l *launch) {
	m, before := x.m, x.stats.WarpInstructions
	l.grids.depth = x.l.grids.depth + 1
	l.printed, l.state, l.misuses = x.l.printed, x.l.state, x.l.misuses
	if m.cfg.MaxSteps == 0 {
		l.maxSteps = min(before+l.maxSteps, m.cfg.mostSteps())
	}
	l.checkAt, l.seenAt = min(before+checkPeriod, l.maxSteps+1), before
	c := &engine{m: m, ctx: x.ctx, l: l, emitter: x.emitter, stats: x.stats, faults: x.faults}
	if err := m.run(c); err != nil {
		x.nested = err
		x.fault = &Fault{Class: "timeout", Message: err.Error(), Kernel: l.kernel.src.Name, Count: 1}
		return
	}
	x.faults, x.fault = c.outcome(), c.fault
	x.stats, x.l.printed, x.op = c.stats, l.printed, c.op
	took := x.stats.WarpInstructions - before
	if m.cfg.MaxSteps == 0 {
		x.l.maxSteps = min(x.l.maxSteps+took, m.cfg.mostSteps())
	}
	x.l.checkAt, x.l.seenAt = x.l.checkAt+took, x.l.seenAt+took
}

// In a cooperative launch all blocks are resident at once, so that they can wait for each other. The driver provides a
// workspace in device memory, which holds the grid barrier of cooperative_groups::this_grid().sync(). The CUDA header
// reads the address of the workspace from two special registers.
const (
	workspaceHigh = "%envreg1"
	workspaceLow  = "%envreg2"
	workspaceSize = 4096
)

// cooperate makes a launch cooperative. All launches on a device use the same workspace, which is zeroed before each
// launch.
func (m *machine) cooperate(l *launch) error {
	name := l.kernel.src.Name
	if l.total > uint64(l.limit) {
		return fmt.Errorf("kernel %s: a cooperative launch needs all of its %d blocks resident, only %d may be", name,
			l.total, l.limit)
	}
	if err := m.dev.allocWorkspace(); err != nil {
		return fmt.Errorf("kernel %s: %w", name, err)
	}
	l.workspace = m.dev.workspace
	return m.dev.mem.Write(l.workspace, make([]byte, workspaceSize))
}

// AllocWorkspace allocates the workspace of cooperative launches, unless it exists. Otherwise the first cooperative
// launch allocates it. A host that needs to know all allocations before a launch, such as a detector's, calls it.
func (d *Device) AllocWorkspace() error { return d.allocWorkspace() }

// allocWorkspace allocates the workspace of cooperative launches, unless it exists.
func (d *device) allocWorkspace() error {
	if d.workspace != 0 {
		return nil
	}
	addr, err := d.alloc("workspace of cooperative launches", workspaceSize)
	if err != nil {
		return fmt.Errorf("workspace of cooperative launches: %w", err)
	}
	d.workspace = addr
	d.mem.Find(addr).Shadow = nil
	return nil
}

// likelyCause returns an explanation for a fault that looks like grid.sync() in a launch that is not cooperative, else
// "". In such a launch the workspace address is 0: the CUDA header traps on it, and other code accesses it.
func (l *launch) likelyCause(class string, addr uint64) string {
	nowhere := class == "trap" || class == "out-of-bounds" && addr < workspaceSize
	if l.workspace != 0 || !nowhere || !l.kernel.readsWorkspace() {
		return ""
	}
	return "; perhaps by grid.sync() in a launch that is not cooperative: set cooperative: true"
}

// readsWorkspace reports whether fn, or a function that it reaches through direct calls, reads the address of the
// workspace.
func (fn *function) readsWorkspace() bool {
	seen := map[*function]bool{fn: true}
	for work := []*function{fn}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range f.specials {
			if s.reg.name == workspaceHigh || s.reg.name == workspaceLow {
				return true
			}
		}
		for _, callee := range f.calls {
			if !seen[callee] {
				seen[callee] = true
				work = append(work, callee)
			}
		}
	}
	return false
}

// semLaunchControl is the semantics of requests to cancel the launch of a cluster (PTX ISA,
// "clusterlaunchcontrol.try_cancel", "clusterlaunchcontrol.query_cancel").
var semLaunchControl = map[string]decodeFunc{"clusterlaunchcontrol": decodeLaunchControl}

// A program that cancels clusters takes over their work, so most of its grid must not have started yet. A device starts
// as many clusters as fit; the emulator keeps only cancelRoom clusters resident until they make no progress.
const cancelRoom = 2

// hasRoom reports whether another cluster of n blocks may start.
func (l *launch) hasRoom(n int) bool { return l.room == 0 || len(l.resident) < l.room*n }

// response is the 16-byte response to a request, opaque to programs: the index of the first block of the cluster, and a
// word with the outcome.
type response [4]uint32

const (
	responseFailed   = 0x636c6330
	responseCanceled = 0x636c6331
)

func (r response) bytes() []byte {
	var b []byte
	for _, w := range r {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// cancelCluster cancels the next cluster that has not started.
func (x *engine) cancelCluster() response {
	l := x.l
	if l.next == l.total {
		return response{3: responseFailed}
	}
	dim := l.clusterDim()
	first := l.grid.over(dim).At(l.next / dim.count()).times(dim)
	l.next += dim.count()
	x.progress++
	return response{first.X, first.Y, first.Z, responseCanceled}
}

func decodeLaunchControl(d *decoder, in *rewrite.Inst) (inst, error) {
	if in.Has("try_cancel") {
		return d.tryCancel(in)
	}
	return d.queryCancel(in)
}

// tryCancel: clusterlaunchcontrol.try_cancel.async [addr], [mbar]. The request takes effect immediately. Its response
// is an asynchronous write to shared memory (with .multicast::cluster::all that of every block of the cluster), which
// completes on an mbarrier of that block.
func (d *decoder) tryCancel(in *rewrite.Inst) (inst, error) {
	c := &bulkCopy{}
	ac, out, err := d.decodeAccess(in, 0, isa.AccessStore, bulkUnit)
	if err != nil {
		return inst{}, err
	}
	if c.signal, err = d.signalAt(in, 1); err != nil {
		return inst{}, err
	}
	ac.async = abi.AsyncSignals
	generic, all := ac.space == isa.SpaceNone, in.Has("multicast::cluster::all")
	ac.space, ac.cluster = isa.SpaceShared, true
	c.to = ac
	d.m.cancels = true
	out.flags |= flagResumable
	out.body = func(x *engine, in *inst, m lanes) {
		for ; m != 0 && x.fault == nil; m &= m - 1 {
			i := m.first()
			to := x.frame.r64(in.a)[i] + ac.off
			if !x.checkShared(in, to, generic, i) {
				return
			}
			to &= 1<<gmem.SlotBits - 1
			answer := x.cancelCluster().bytes()
			if !all {
				c.respond(x, in, to, answer, false, i)
				continue
			}
			for rank := range x.cta.cluster.blocks {
				c.respond(x, in, toRank(to, uint32(rank)), answer, true, i)
			}
		}
	}
	return out, nil
}

// respond writes the response to a request of lane i to a shared address.
func (c *bulkCopy) respond(x *engine, in *inst, to uint64, answer []byte, multicast bool, i int) {
	if x.fault != nil {
		return
	}
	x.beginAsync()
	c.to.emitSpan(x, in, to, bulkUnit, i)
	p := c.to.span(x, in, to, bulkUnit, i)
	if p == nil {
		return
	}
	f := flight{transfer: transfer{to: p, from: answer}, bytes: bulkUnit}
	if f.signals(x, in, c.signal, to, multicast, i) {
		x.startFlight(in, f, i)
	}
}

// queryCancel: clusterlaunchcontrol.query_cancel of a response in a register. If the request failed, the index of the
// block is undefined on a device, and a fault here.
func (d *decoder) queryCancel(in *rewrite.Inst) (inst, error) {
	last := len(in.Operands) - 1
	from, err := d.src(in, last)
	if err != nil {
		return inst{}, err
	}
	if err := d.fits(in, last, from); err != nil {
		return inst{}, err
	}
	if in.Has("is_canceled") {
		dst, err := d.dst(in)
		if err != nil {
			return inst{}, err
		}
		return inst{d: dst.slot, a: from.slot, body: func(x *engine, in *inst, m lanes) {
			_, hi := x.frame.r128(in.a)
			set := lanes(0)
			for r := m; r != 0; r &= r - 1 {
				if hi[r.first()]>>32 == responseCanceled {
					set |= r & -r
				}
			}
			setPred(x.frame, in.d, m, set)
		}}, d.fits(in, 0, dst)
	}
	parts, first := d.elems(in, 0), 0
	for k, dimension := range []string{"get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"} {
		if in.Has(dimension) {
			first = k
		}
	}
	to := make([]slot, len(parts))
	for k := range parts {
		o, err := d.target(in, &parts[k], isa.B32)
		if err == nil {
			err = d.fitsType(in, &parts[k], isa.B32, o)
		}
		if err != nil {
			return inst{}, err
		}
		to[k] = o.slot
	}
	return inst{a: from.slot, flags: flagFaults, body: func(x *engine, in *inst, m lanes) {
		lo, hi := x.frame.r128(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			answer := response{uint32(lo[i]), uint32(lo[i] >> 32), uint32(hi[i]), uint32(hi[i] >> 32)}
			if answer[3] != responseCanceled {
				x.raise(in, i, "unsupported", 0,
					"the first block of a cluster whose cancellation was not granted: the result is undefined")
				return
			}
			for k, s := range to {
				x.frame.r32(s)[i] = answer[min(first+k, 3)]
			}
		}
	}}, nil
}
