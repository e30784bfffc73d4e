// Explanations of races with asynchronous operations and across proxies, and of what is missing between operations of tcgen05.

package evidence

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/accesses"
)

// GroupWait is the latest wait of a warp for its groups of one kind.
type GroupWait struct {
	Site, Mask uint32
	Pending    uint32 // number of the latest groups that it does not wait for
	Sources    bool   // it waits only until the sources have been read
}

// shortWait returns the wait of the first thread that has come after the group of its asynchronous access but does not wait for it, and
// the largest number of pending groups with which it would.
func (e *Evidence) shortWait(f *Finding) (w *GroupWait, pending uint32) {
	x, lane := e.Class(f.First), int(f.FirstLane)
	if x.Async != abi.AsyncCopies && x.Async != abi.AsyncBulk && x.Async != abi.AsyncMatrices {
		return nil, 0
	}
	w, later := e.GroupsAfter(f.FirstUnit, lane, x.Async)
	if later < 0 || w.Mask>>lane&1 == 0 || later >= int(w.Pending) && (!w.Sources || !x.Writes()) {
		return nil, 0
	}
	return w, uint32(later)
}

// explainShort explains a wait that leaves the group of the first access pending, and reports whether there is one.
func (e *Evidence) explainShort(f *Finding) bool {
	wait, pending := e.shortWait(f)
	if wait == nil {
		return false
	}
	x := e.Class(f.First)
	op := map[abi.AsyncKind]string{abi.AsyncCopies: "cp.async.wait_group", abi.AsyncBulk: "cp.async.bulk.wait_group", abi.AsyncMatrices: "wgmma.wait_group"}[x.Async]
	f.fence = wait.Site
	f.Missing = fmt.Sprintf("a wait for the group of {first}: the wait at {fence} is for all groups but the latest %d, and this is one of those", wait.Pending)
	switch {
	case wait.Sources && x.Writes():
		f.Missing = "a wait for what {first} writes: the wait at {fence} is for its sources only"
	case wait.Sources:
		op += ".read"
	}
	f.Hint = fmt.Sprintf("%s %d at {fence}", op, pending)
	if e.OwnerOf(f.FirstUnit) != e.OwnerOf(f.SecondUnit) || f.FirstLane != f.SecondLane {
		f.Hint += ", and a barrier between it and {second}"
	}
	return true
}

// explainWait names the operation that waits for an asynchronous operation.
func (e *Evidence) explainWait(f *Finding) (missing, hint string) {
	x, y := e.Class(f.First), e.Class(f.Second)
	then := ""
	if e.OwnerOf(f.FirstUnit) != e.OwnerOf(f.SecondUnit) || f.FirstLane != f.SecondLane {
		then = " by the thread that copies, then a barrier,"
	}
	switch {
	case x.Async == abi.AsyncTensor:
		return "a wait for the operation of tcgen05 that reads the memory", "tcgen05.commit after {first}, and mbarrier.try_wait until its phase is complete, before {second}"
	case x.Async == abi.AsyncMatrices:
		return "a wait for the operation on matrices", "wgmma.wait_group" + strings.Replace(then, "copies", "multiplies", 1) + " before {second}"
	case x.Async == abi.AsyncSignals, y.Async == abi.AsyncSignals:
		return "a wait for the phase of the mbarrier that the copy completes", "mbarrier.try_wait, until the phase is complete that expects the bytes of the copy (mbarrier.arrive.expect_tx), before the memory is accessed otherwise"
	case x.Async == abi.AsyncCopies:
		return "a wait for the asynchronous copy", "cp.async.wait_group or cp.async.wait_all" + then + " before {second}"
	case !x.Writes() && y.Writes():
		return "a wait until the asynchronous copy has read its source", "cp.async.bulk.wait_group.read" + then + " before {second}"
	}
	return "a wait for the asynchronous copy", "cp.async.bulk.wait_group, which waits for writes as well," + then + " before {second}"
}

// explainProxies explains an order that lacks nothing but a proxy fence.
func explainProxies(x, y *accesses.Class) (missing string) {
	switch {
	case !x.Writes():
		return "a proxy fence: the asynchronous proxy may overwrite the memory before the generic proxy has read it"
	case y.Writes():
		return "a proxy fence: the write of the asynchronous proxy may come before that of the generic proxy, which overwrites it"
	}
	return "a proxy fence: the asynchronous proxy need not see what the generic proxy wrote"
}

// explainReadOnly explains reads that the memory consistency model leaves out, of memory that the kernel writes.
func explainReadOnly(f *Finding, x, y *accesses.Class) {
	read, place := x, "{first}"
	if x.Writes() {
		read, place = y, "{second}"
	}
	if read.Proxy != abi.ProxyReadOnly {
		f.Missing = "the end of the kernel: the memory consistency model leaves textures and surfaces out, so that no barrier and no fence orders the write and the read at " + place
		f.Hint, f.repair = "read it in a later kernel, or in the way in which it is written", detect.RepairGrid
		return
	}
	f.Missing = "memory that the kernel only reads: the memory consistency model leaves ld.global.nc and ldu out, so that nothing orders the load at " + place + " and the write, not even program order"
	f.Hint = "ld.global at " + place + ": no __ldg, and no const __restrict__ on a pointer to memory that the kernel writes, from which the compiler takes it that nothing does; or write to other memory"
	f.repair = detect.RepairLoad
}

// TensorLack is the missing order between two operations.
type TensorLack uint8

// What is missing between two operations on tensor memory.
const (
	LacksNothing TensorLack = iota
	LacksWait               // a wait for the first to complete
	LacksBarrier            // a barrier between the threads
	LacksBefore             // a fence by the first thread
	LacksAfter              // a fence by the second thread
)

var tensorCauses = [...]detect.Cause{
	LacksWait: detect.MissingAsyncWait, LacksBarrier: detect.MissingBarrier, LacksBefore: detect.MissingFence, LacksAfter: detect.MissingFence,
}

// explainTensor sets the explanation of a race between operations of tcgen05.
func (e *Evidence) explainTensor(f *Finding) {
	x := e.Class(f.First)
	switch f.Lacks {
	case LacksBefore:
		f.Missing = "a fence of the first thread: what it has done in tensor memory is not ordered before how it synchronises with the second"
		f.Hint = "tcgen05.fence::before_thread_sync after {first}, before the arrival that the second thread waits for"
	case LacksAfter:
		f.Missing = "a fence of the second thread: its operations in tensor memory are not ordered after what it has waited for"
		f.Hint = "tcgen05.fence::after_thread_sync before {second}, after the wait"
	case LacksBarrier:
		f.Missing = "a wait of the second thread for the first, which has done its part"
		f.Hint = "tcgen05.fence::before_thread_sync and an arrival after {first}; a wait and tcgen05.fence::after_thread_sync before {second}"
	default:
		f.repair = detect.RepairWait
		switch x.Async {
		case abi.AsyncTensorLoads:
			f.Missing, f.Hint = "a wait for the load from tensor memory", "tcgen05.wait::ld after {first}, before {second} or what tells its thread"
		case abi.AsyncTensorStores:
			f.Missing, f.Hint = "a wait for the store to tensor memory", "tcgen05.wait::st after {first}, before {second} or what tells its thread"
		default:
			f.Missing = "a wait for the operation of tcgen05: the two are not executed in the order of the program"
			f.Hint = "tcgen05.commit after {first}, mbarrier.try_wait until its phase is complete and tcgen05.fence::after_thread_sync before {second}"
		}
	}
}
