// Explanations of races with asynchronous operations and across proxies, and of what is missing between operations of tcgen05.

package precise

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// groupWait is the latest wait of a warp for its groups of one kind.
type groupWait struct {
	site, mask uint32
	pending    uint32 // number of the latest groups that it does not wait for
	sources    bool   // it waits only until the sources have been read
}

// noteWait records a wait for groups.
func (g *asyncGroups) noteWait(ev *abi.Event) {
	g.wait = groupWait{ev.Site, ev.Mask, ev.Pending[bits.TrailingZeros32(ev.Mask)], ev.Mode == abi.BarrierRead}
	for m := ev.Mask; m != 0; m &= m - 1 {
		g.since[bits.TrailingZeros32(m)] = 0
	}
}

// shortWait returns the wait of the first thread that has come after the group of its asynchronous access but does not wait for it, and
// the largest number of pending groups with which it would.
func (e *evidence) shortWait(f *finding) (w *groupWait, pending uint32) {
	x, by := e.class(f.first), e.warpOfUnit(e.ownerOf(f.firstUnit))
	if by == nil || by.async == nil || x.async != abi.AsyncCopies && x.async != abi.AsyncBulk && x.async != abi.AsyncMatrices {
		return nil, 0
	}
	g, lane := &by.async.groups[x.async], int(f.firstLane)
	behind := g.behind(lane, f.firstUnit)
	if x.async == abi.AsyncMatrices {
		behind = by.async.matrices.behind(f.firstUnit)
	}
	later := behind - int(g.since[lane])
	if behind < 0 || later < 0 || g.wait.mask>>lane&1 == 0 || later >= int(g.wait.pending) && (!g.wait.sources || !x.writes()) {
		return nil, 0
	}
	return &g.wait, uint32(later)
}

// behind returns the number of a lane's groups after that of an asynchronous unit, -1 if no closed group has it.
func (g *asyncGroups) behind(lane int, u unit) int {
	list := g.closed[lane]
	k := slices.IndexFunc(list, func(units asyncUnits) bool { return units[asyncReads] == u || units[asyncWrites] == u })
	if k < 0 {
		return -1
	}
	return len(list) - 1 - k
}

// behind is the same for the groups of wgmma.
func (g *matrixGroups) behind(u unit) int {
	k := slices.IndexFunc(g.units, func(units []unit) bool { return slices.Contains(units, u) })
	if k < 0 {
		return -1
	}
	return len(g.units) - 1 - k
}

// explainShort explains a wait that leaves the group of the first access pending, and reports whether there is one.
func (e *evidence) explainShort(f *finding) bool {
	wait, pending := e.shortWait(f)
	if wait == nil {
		return false
	}
	x := e.class(f.first)
	op := map[abi.AsyncKind]string{abi.AsyncCopies: "cp.async.wait_group", abi.AsyncBulk: "cp.async.bulk.wait_group", abi.AsyncMatrices: "wgmma.wait_group"}[x.async]
	f.fence = wait.site
	f.missing = fmt.Sprintf("a wait for the group of {first}: the wait at {fence} is for all groups but the latest %d, and this is one of those", wait.pending)
	switch {
	case wait.sources && x.writes():
		f.missing = "a wait for what {first} writes: the wait at {fence} is for its sources only"
	case wait.sources:
		op += ".read"
	}
	f.hint = fmt.Sprintf("%s %d at {fence}", op, pending)
	if e.ownerOf(f.firstUnit) != e.ownerOf(f.secondUnit) || f.firstLane != f.secondLane {
		f.hint += ", and a barrier between it and {second}"
	}
	return true
}

// explainWait names the operation that waits for an asynchronous operation.
func (e *evidence) explainWait(f *finding) (missing, hint string) {
	x, y := e.class(f.first), e.class(f.second)
	then := ""
	if e.ownerOf(f.firstUnit) != e.ownerOf(f.secondUnit) || f.firstLane != f.secondLane {
		then = " by the thread that copies, then a barrier,"
	}
	switch {
	case x.async == abi.AsyncTensor:
		return "a wait for the operation of tcgen05 that reads the memory", "tcgen05.commit after {first}, and mbarrier.try_wait until its phase is complete, before {second}"
	case x.async == abi.AsyncMatrices:
		return "a wait for the operation on matrices", "wgmma.wait_group" + strings.Replace(then, "copies", "multiplies", 1) + " before {second}"
	case x.async == abi.AsyncSignals, y.async == abi.AsyncSignals:
		return "a wait for the phase of the mbarrier that the copy completes", "mbarrier.try_wait, until the phase is complete that expects the bytes of the copy (mbarrier.arrive.expect_tx), before the memory is accessed otherwise"
	case x.async == abi.AsyncCopies:
		return "a wait for the asynchronous copy", "cp.async.wait_group or cp.async.wait_all" + then + " before {second}"
	case !x.writes() && y.writes():
		return "a wait until the asynchronous copy has read its source", "cp.async.bulk.wait_group.read" + then + " before {second}"
	}
	return "a wait for the asynchronous copy", "cp.async.bulk.wait_group, which waits for writes as well," + then + " before {second}"
}

// explainProxies explains an order that lacks nothing but a proxy fence.
func explainProxies(x, y *accessClass) (missing string) {
	switch {
	case !x.writes():
		return "a proxy fence: the asynchronous proxy may overwrite the memory before the generic proxy has read it"
	case y.writes():
		return "a proxy fence: the write of the asynchronous proxy may come before that of the generic proxy, which overwrites it"
	}
	return "a proxy fence: the asynchronous proxy need not see what the generic proxy wrote"
}

// explainReadOnly explains reads that the memory consistency model leaves out, of memory that the kernel writes.
func explainReadOnly(f *finding, x, y *accessClass) {
	read, place := x, "{first}"
	if x.writes() {
		read, place = y, "{second}"
	}
	if read.proxy != abi.ProxyReadOnly {
		f.missing = "the end of the kernel: the memory consistency model leaves textures and surfaces out, so that no barrier and no fence orders the write and the read at " + place
		f.hint, f.repair = "read it in a later kernel, or in the way in which it is written", detect.RepairGrid
		return
	}
	f.missing = "memory that the kernel only reads: the memory consistency model leaves ld.global.nc and ldu out, so that nothing orders the load at " + place + " and the write, not even program order"
	f.hint = "ld.global at " + place + ": no __ldg, and no const __restrict__ on a pointer to memory that the kernel writes, from which the compiler takes it that nothing does; or write to other memory"
	f.repair = detect.RepairLoad
}

// tensorLack is the missing order between two operations.
type tensorLack uint8

const (
	lacksNothing tensorLack = iota
	lacksWait               // a wait for the first to complete
	lacksBarrier            // a barrier between the threads
	lacksBefore             // a fence by the first thread
	lacksAfter              // a fence by the second thread
)

var tensorCauses = [...]detect.Cause{
	lacksWait: detect.MissingAsyncWait, lacksBarrier: detect.MissingBarrier, lacksBefore: detect.MissingFence, lacksAfter: detect.MissingFence,
}

// explainTensor sets the explanation of a race between operations of tcgen05.
func (e *evidence) explainTensor(f *finding) {
	x := e.class(f.first)
	switch f.lacks {
	case lacksBefore:
		f.missing = "a fence of the first thread: what it has done in tensor memory is not ordered before how it synchronises with the second"
		f.hint = "tcgen05.fence::before_thread_sync after {first}, before the arrival that the second thread waits for"
	case lacksAfter:
		f.missing = "a fence of the second thread: its operations in tensor memory are not ordered after what it has waited for"
		f.hint = "tcgen05.fence::after_thread_sync before {second}, after the wait"
	case lacksBarrier:
		f.missing = "a wait of the second thread for the first, which has done its part"
		f.hint = "tcgen05.fence::before_thread_sync and an arrival after {first}; a wait and tcgen05.fence::after_thread_sync before {second}"
	default:
		f.repair = detect.RepairWait
		switch x.async {
		case abi.AsyncTensorLoads:
			f.missing, f.hint = "a wait for the load from tensor memory", "tcgen05.wait::ld after {first}, before {second} or what tells its thread"
		case abi.AsyncTensorStores:
			f.missing, f.hint = "a wait for the store to tensor memory", "tcgen05.wait::st after {first}, before {second} or what tells its thread"
		default:
			f.missing = "a wait for the operation of tcgen05: the two are not executed in the order of the program"
			f.hint = "tcgen05.commit after {first}, mbarrier.try_wait until its phase is complete and tcgen05.fence::after_thread_sync before {second}"
		}
	}
}
