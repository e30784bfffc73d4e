// Texts for the missing order between two operations on tensor memory.

package precise

import (
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

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
