// The table of CUDA's documented synchronisation as text: docs/generated/synchronisation.md.

package order

import (
	"fmt"
	"strings"
)

// functions names the functions of a group, those of the driver API after those of the runtime API.
var functions = [calls]string{
	Copy:              "`cudaMemcpy`, `cudaMemcpy2D`, `cudaMemcpy3D`, `…ToSymbol`, `…FromSymbol`, `…ToArray`, `…FromArray`; `cuMemcpy…`",
	CopyAsync:         "the same with `Async`, `cudaMemcpyPeerAsync`; `cuMemcpy…Async`",
	CopyPeer:          "`cudaMemcpyPeer`, `cudaMemcpy3DPeer`; `cuMemcpyPeer`, `cuMemcpy3DPeer`",
	Fill:              "`cudaMemset`, `cudaMemset2D`, `cudaMemset3D`; `cuMemset…`",
	FillAsync:         "the same with `Async`; `cuMemset…Async`",
	Launch:            "`<<<…>>>`, `cudaLaunchKernel`, `cudaLaunchKernelExC`, `cudaLaunchCooperativeKernel`; `cuLaunchKernel`, `cuLaunchKernelEx`",
	HostFunction:      "`cudaLaunchHostFunc`, `cudaStreamAddCallback`; `cuLaunchHostFunc`, `cuStreamAddCallback`",
	GraphLaunch:       "`cudaGraphLaunch`; `cuGraphLaunch`",
	Allocate:          "`cudaMalloc`, `cudaMallocManaged`, `cudaMallocHost`, `cudaHostAlloc`, `cudaHostRegister`; `cuMemAlloc`, …",
	AllocateAsync:     "`cudaMallocAsync`, `cudaMallocFromPoolAsync`; `cuMemAllocAsync`, `cuMemAllocFromPoolAsync`",
	Free:              "`cudaFree`, `cudaFreeHost`, `cudaFreeArray`, `cudaHostUnregister`; `cuMemFree`, `cuMemFreeHost`, `cuMemUnmap`, …",
	FreeAsync:         "`cudaFreeAsync`; `cuMemFreeAsync`",
	DestroyPool:       "`cudaMemPoolDestroy`, `cudaMemPoolTrimTo`; `cuMemPoolDestroy`, `cuMemPoolTrimTo`",
	CreateStream:      "`cudaStreamCreate`, `cudaStreamCreateWithFlags`, `cudaStreamCreateWithPriority`; `cuStreamCreate`, …",
	DestroyStream:     "`cudaStreamDestroy`; `cuStreamDestroy`",
	SynchronizeStream: "`cudaStreamSynchronize`, `cudaStreamQuery` that succeeds; `cuStreamSynchronize`, …",
	SynchronizeDevice: "`cudaDeviceSynchronize`, `cudaDeviceReset`; `cuCtxSynchronize`, …",
	RecordEvent:       "`cudaEventRecord`; `cuEventRecord`",
	WaitEvent:         "`cudaStreamWaitEvent`; `cuStreamWaitEvent`",
	SynchronizeEvent:  "`cudaEventSynchronize`, `cudaEventQuery` that succeeds; `cuEventSynchronize`, …",

	WriteValue:         "`cuStreamWriteValue32`, …",
	WriteValueUnfenced: "the same with `CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER`",
	WaitValue:          "`cuStreamWaitValue32`, …",
}

var memoryText = [kindsOfMemory]string{
	AnyMemory: "any", DeviceMemory: "device", StreamOrdered: "stream-ordered", Managed: "managed", Pinned: "pinned",
	Mapped: "mapped", Pageable: "pageable",
}

var waitText = [...]string{
	ForNothing: "nothing", ForStream: "the earlier operations of the stream", ForOperation: "the operation",
	ForEvent: "the event", ForDevice: "all operations of all streams of the device",
}

var effectText = [...]string{
	NoEffect: "", InStream: "an operation of its stream",
	AllStreams: "an operation after all earlier ones of all streams of its devices, and before all later ones",
	Branches:   "operations along the edges of the graph",
	Records:    "the event represents the operations of the stream so far",
	Awaits:     "later operations of the stream follow what the event represents at the time of the call",
	Releases:   "an operation of its stream; who waits for the value follows it",
	Acquires:   "an operation of its stream, after the operation that wrote the value",
}

// memory describes the memory that a rule is about.
func (r *Rule) memory() string {
	switch r.Call {
	case Copy, CopyAsync, CopyPeer:
		return memoryText[r.From] + " to " + memoryText[r.To]
	case Fill, FillAsync, Allocate, AllocateAsync, Free, FreeAsync:
		return memoryText[r.To]
	}
	return ""
}

const introduction = `# Synchronisation of CUDA's calls

Generated from the table in ` + "`internal/order`" + `: do not edit. ` + "`make generate`" + ` rewrites it.

` + "`ptxsan exec`" + ` orders operations and the host by this table ([exec.md](../exec.md), "Streams"). It holds what NVIDIA's documents
promise: a wait that they allow without promising it does not count. Of the rows of a call, the first that fits holds.

- Calls in a synchronous form, without ` + "`Async`" + ` in their name, belong to the default stream.
- The default stream is the legacy one, or with ` + "`--default-stream per-thread`" + ` that of the calling thread, a blocking stream.
  The handles ` + "`cudaStreamLegacy`" + ` and ` + "`cudaStreamPerThread`" + ` name either (` + streamSync + `).
- Each device has a default stream, which synchronises with the streams of its own device. The device of a wait is the current one,
  or that of the memory that is freed.
- Device memory is that of ` + "`cudaMalloc`" + `, arrays and variables of modules; stream-ordered that of ` + "`cudaMallocAsync`" + `; pinned that of
  ` + "`cudaMallocHost`" + `, ` + "`cudaHostAlloc`" + ` and ` + "`cudaHostRegister`" + `; mapped that of ` + "`cuMemMap`" + `, which is like other
  device memory except for its end; pageable any other memory of the host.
- The source "Behavior" is the section "API synchronization behavior" of the Runtime API.

| call | memory | the host has waited for | on the device | source |
|---|---|---|---|---|
`

// Markdown returns the text of docs/generated/synchronisation.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(introduction)
	last := calls
	for i := range Rules {
		r := &Rules[i]
		names, source := functions[r.Call], r.Source
		if r.Call == last {
			names = ""
		}
		if last = r.Call; r.Remark != "" {
			source += "; " + r.Remark
		}
		source = strings.Replace(source, `Runtime API, "API synchronization behavior"`, "Behavior", 1)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", names, r.memory(), waitText[r.Host], effectText[r.Device],
			source)
	}
	return b.String()
}
