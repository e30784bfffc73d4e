// Rules: the causes of races, with descriptions.

package sarif

import "github.com/ptxsan/ptxsan/runtime/detect"

// rule is a cause of races.
type rule struct {
	id, short, help string
}

// rules lists the causes of races. Every log has all of them.
var rules = []rule{
	{
		string(detect.MissingBarrier), "No barrier orders accesses of two threads of a block.",
		"Put a barrier of the block, __syncthreads(), between the two accesses, where all threads of the block come to it.",
	},
	{
		string(detect.MissingWarpSync), "Nothing orders accesses of two lanes of a warp, which run independently.",
		"Put __syncwarp() between the two accesses, with a mask that names both lanes.",
	},
	{
		string(detect.MissingFence),
		"A thread tells another one of its access without a release, or the other one looks without an acquire.",
		"Put __threadfence() before the write that tells and after the read that finds it, or use release and acquire operations.",
	},
	{
		string(detect.InsufficientFenceScope),
		"The fence between the accesses does not include the other thread in its scope.",
		"Widen the fence: __threadfence_block() orders for the threads of the block only, __threadfence() for those of the device.",
	},
	{
		string(detect.InsufficientAtomicScope), "The scope of an atomic operation does not include the other thread.",
		"Widen the atomic operation: those with the suffix _block are atomic for the threads of the block only.",
	},
	{
		string(detect.NotStrong),
		"One access is strong or atomic, and the other is a plain one, which the compiler and the GPU may move or split.",
		"Make both accesses strong: an atomic operation, or cuda::atomic_ref with at least memory_order_relaxed. A relaxed load and store still lose updates: use an atomic addition to count.",
	},
	{
		string(detect.MissingLock),
		"Two critical sections do not hold a common lock whose scope includes both threads.",
		"Take the same lock, of device scope, around both accesses, with a fence after taking and before releasing it.",
	},
	{
		string(detect.BranchOrder),
		"Two sides of a branch access the same location, and which of them runs first is not defined.",
		"Put __syncwarp() behind the branch and make one of the accesses there, or let the lanes access different locations.",
	},
	{
		string(detect.MissingAsyncWait),
		"Nothing waits for an asynchronous copy before what it accesses is accessed again.",
		"Wait for the copy (cp.async.wait_group or the mbarrier that it signals), then let the threads that use the data pass a barrier.",
	},
	{
		string(detect.NotReadOnly),
		"A kernel writes memory that it reads as read-only data: by ld.global.nc (__ldg, const __restrict__) or through a texture.",
		"Read the memory by ordinary loads, without __ldg and without const __restrict__ on a pointer to what the kernel writes, or read it in a later kernel: no barrier and no fence orders such reads.",
	},
	{
		string(detect.MissingStreamOrder), "Nothing orders two operations of streams that access the same memory.",
		"Let one stream wait for the other: cudaEventRecord and cudaStreamWaitEvent, or put both operations into one stream.",
	},
	{
		string(detect.MissingGridWait),
		"A kernel accesses memory before it waits for the kernel that its launch may overlap.",
		"Call cudaGridDependencySynchronize() (griddepcontrol.wait) before the access. A wait is for the launch before alone: each kernel of a chain needs one.",
	},
	{
		string(detect.MissingHostWait),
		"Host code touches memory that an operation may still use, for which it has not waited.",
		"Wait for the operation before the access: cudaStreamSynchronize, cudaEventSynchronize or cudaDeviceSynchronize.",
	},
	{
		string(detect.RepeatedUpdate),
		"An autotuner runs a kernel several times, and each run reads what the run before has left.",
		"Restore the memory before each run: restore_value or reset_to_zero of triton.autotune, with the name of the argument.",
	},
	{
		string(detect.WeakOutcome), "The program relies on an order of accesses that the memory model does not give.",
		"Put __threadfence() between the write of the data and the write that announces them, and after the read that finds this, or use release and acquire operations.",
	},
}
