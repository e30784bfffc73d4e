// Explanations of races with asynchronous operations and across proxies, and of what is missing between operations of
// tcgen05.

package evidence

import (
	"fmt"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// GroupWait is the latest wait of a warp for its groups of one kind.
type GroupWait struct {
	Site, Mask uint32
	Pending    uint32 // number of the latest groups that it does not wait for
	Sources    bool   // it waits only until the sources have been read
}

// shortWait returns the wait of the first thread that has come after the group of its asynchronous access but does not
// wait for it, nil for none.
func (e *synchronisation) shortWait(f *Finding) *GroupWait {
	x, lane := e.classes.At(f.First), int(f.FirstLane)
	if x.Async != abi.AsyncCopies && x.Async != abi.AsyncBulk && x.Async != abi.AsyncMatrices {
		return nil
	}
	w, later := e.GroupsAfter(f.FirstUnit, lane, x.Async, f.Since)
	if later < 0 || w.Mask>>lane&1 == 0 || later >= int(w.Pending) && (!w.Sources || !x.Writes()) {
		return nil
	}
	return w
}

// explainShort explains a wait that leaves the group of the first access pending, and reports whether there is one.
func (e *synchronisation) explainShort(f *Finding) bool {
	wait := e.shortWait(f)
	if wait == nil {
		return false
	}
	f.fence = wait.Site
	f.Missing = fmt.Sprintf("a wait for the group of {first}: the wait at {fence} is for all groups but the latest %d, and this is one of those", wait.Pending)
	if wait.Sources && e.classes.At(f.First).Writes() {
		f.Missing = "a wait for what {first} writes: the wait at {fence} is for its sources only"
	}
	return true
}

// explainWait says which operation is not waited for.
func (e *synchronisation) explainWait(f *Finding) (missing string) {
	x, y := e.classes.At(f.First), e.classes.At(f.Second)
	switch {
	case x.Async == abi.AsyncTensor:
		return "a wait for the operation of tcgen05 that reads the memory"
	case x.Async == abi.AsyncMatrices:
		return "a wait for the operation on matrices"
	case x.Async == abi.AsyncSignals:
		return "a wait for the phase of the mbarrier that the copy completes"
	case y.Async == abi.AsyncSignals && x.Async == abi.Synchronous:
		return "an order of {first} and the copy at {second}: a wait for the phase of the mbarrier that the copy completes, before {first}, or a wait for {first} before the copy is started"
	case x.Async != abi.AsyncCopies && !x.Writes() && y.Writes():
		return "a wait until the asynchronous copy has read its source"
	}
	return "a wait for the asynchronous copy"
}

// beforeArrival adds to the wait that is missing that the first thread arrives without it, if the second has waited for
// the arrival.
func (e *synchronisation) beforeArrival(f *Finding, missing string) string {
	site := e.arrivalSince(f)
	if c := e.CurrentClock(int(f.SecondLane)); site == 0 || c == nil ||
		!c.Includes(e.OwnerOf(f.FirstUnit), int(f.FirstLane), f.Since) {
		return missing
	}
	f.fence = site
	return missing + " before the arrival at {fence}, for which the second thread waits"
}

// explainProxies explains an order that lacks nothing but a proxy fence.
func explainProxies(x, y *accesses.Class) (missing string) {
	switch {
	case y.Proxy == abi.ProxyTensorMap:
		return "fence.proxy.tensormap::generic.acquire of the tensor map before {second}: the copy may use the map as it was before {first}"
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
		f.repair = detect.RepairGrid
		return
	}
	f.Missing = "memory that the kernel only reads: the memory consistency model leaves ld.global.nc and ldu out, so that nothing orders the load at " + place + " and the write, not even program order"
	f.repair = detect.RepairLoad
}

// TensorLack is the missing order between two operations.
type TensorLack uint8

// What is missing between two operations on tensor memory.
const (
	LacksNothing   TensorLack = iota
	LacksWait                 // a wait for the first to complete
	LacksBarrier              // a barrier between the threads
	LacksBefore               // a fence by the first thread
	LacksAfter                // a fence by the second thread
	LacksGuarantee            // nothing on GPUs, which execute the two in the order of issue; the manual does not say so
)

var tensorCauses = [...]detect.Cause{
	LacksWait: detect.MissingAsyncWait, LacksBarrier: detect.MissingBarrier, LacksBefore: detect.MissingFence,
	LacksAfter: detect.MissingFence, LacksGuarantee: detect.MissingAsyncWait,
}

// explainTensor sets the explanation of a race between operations of tcgen05.
func (e *synchronisation) explainTensor(f *Finding) {
	x := e.classes.At(f.First)
	f.open = f.Lacks == LacksGuarantee
	switch f.Lacks {
	case LacksBefore:
		f.Missing = "a fence of the first thread: what it has done in tensor memory is not ordered before how it synchronises with the second"
	case LacksAfter:
		f.Missing = "a fence of the second thread: its operations in tensor memory are not ordered after what it has waited for"
	case LacksBarrier:
		f.Missing = "a barrier or mbarrier at which the second thread waits for the first"
	default:
		f.repair = detect.RepairWait
		switch x.Async {
		case abi.AsyncTensorLoads:
			f.Missing = "a wait for the load from tensor memory"
		case abi.AsyncTensorStores:
			f.Missing = "a wait for the store to tensor memory"
		default:
			f.Missing = "a wait for the operation of tcgen05: the two are not executed in the order of the program"
			return
		}
		f.Missing = e.beforeArrival(f, f.Missing)
	}
}
