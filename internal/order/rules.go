// The table of CUDA's documented synchronisation: for each call and kind of memory, what the host has waited for when
// the call returns, and what the operation is ordered with on the device. The checker of exec asks it (RuleOf), and
// docs/generated/synchronisation.md shows it.

package order

// Call is a group of functions of CUDA's APIs that synchronise alike.
type Call uint8

// Groups of functions. A synchronous form is one without Async in its name; it belongs to the default stream.
const (
	Copy Call = iota
	CopyAsync
	CopyPeer
	Fill
	FillAsync
	Launch
	HostFunction
	GraphLaunch
	Allocate
	AllocateAsync
	Free
	FreeAsync
	DestroyPool
	CreateStream
	DestroyStream
	SynchronizeStream
	SynchronizeDevice
	RecordEvent
	WaitEvent
	SynchronizeEvent
	WriteValue
	WriteValueUnfenced
	WaitValue
	calls
)

// Memory is a kind of memory, by its allocation.
type Memory uint8

// Kinds of memory.
const (
	AnyMemory     Memory = iota
	DeviceMemory         // cudaMalloc, arrays, variables of modules
	StreamOrdered        // cudaMallocAsync
	Managed              // cudaMallocManaged, __managed__
	Pinned               // cudaMallocHost, cudaHostAlloc, cudaHostRegister
	Mapped               // cuMemMap, where its end differs from that of other device memory
	Pageable             // any other memory of the host
	kindsOfMemory
)

// Wait is what the host has waited for when a call returns.
type Wait uint8

// Waits of the host.
const (
	ForNothing   Wait = iota
	ForStream         // the earlier operations of the stream
	ForOperation      // the operation itself, and with it the earlier ones of the stream
	ForEvent          // what the event represents at the time of the call
	ForDevice         // the operations of all streams of the device: the current one, or that of memory that is freed
)

// Effect is what a call does to the order of operations on the device.
type Effect uint8

// Effects on the device.
const (
	NoEffect   Effect = iota
	InStream          // an operation of its stream
	AllStreams        // an operation after all earlier ones of all streams of its devices and before all later ones
	Branches          // operations that follow each other along the edges of the graph
	Records           // the event represents the operations of the stream so far, and no later ones
	Awaits            // later operations of the stream follow what the event represents at the time of the call
	Releases          // an operation of its stream; who waits for the value follows the earlier operations of the stream
	Acquires          // an operation of its stream, which follows the operation that wrote the value
)

// Rule is a row of the table.
type Rule struct {
	Call     Call
	From, To Memory // where a copy reads and writes; of other calls, To is the memory
	Host     Wait
	Device   Effect
	Source   string // the section that says so
	Remark   string // how the table goes beyond that; "" for not at all
}

const (
	apiSync    = `Runtime API, "API synchronization behavior", `
	streamSync = `Runtime API, "Stream synchronization behavior"`
)

// Rules is the table. The first row that fits holds.
var Rules = []Rule{
	{Copy, Managed, AnyMemory, ForOperation, InStream, apiSync + `"Memcpy" (until CUDA 11)`, "later versions do not speak of managed memory"},
	{Copy, AnyMemory, Managed, ForOperation, InStream, apiSync + `"Memcpy" (until CUDA 11)`, "later versions do not speak of managed memory"},
	{Copy, Pageable, DeviceMemory, ForStream, InStream, apiSync + `"Memcpy", synchronous, 1`, "of any size: for 64 KB or less, the guide does not say that the host waits for the stream"},
	{Copy, Pageable, StreamOrdered, ForStream, InStream, apiSync + `"Memcpy", synchronous, 1`, ""},
	{Copy, Pinned, AnyMemory, ForOperation, InStream, apiSync + `"Memcpy", synchronous, 2 and 5`, ""},
	{Copy, AnyMemory, Pinned, ForOperation, InStream, apiSync + `"Memcpy", synchronous, 3 and 5`, ""},
	{Copy, AnyMemory, Pageable, ForOperation, InStream, apiSync + `"Memcpy", synchronous, 3 and 5`, ""},
	{Copy, AnyMemory, AnyMemory, ForNothing, InStream, apiSync + `"Memcpy", synchronous, 4`, ""},
	{CopyAsync, Pageable, Pageable, ForOperation, InStream, apiSync + `"Memcpy", asynchronous, 2`, ""},
	{CopyAsync, Pageable, Pinned, ForOperation, InStream, apiSync + `"Memcpy", asynchronous, 2`, ""},
	{CopyAsync, Pinned, Pageable, ForOperation, InStream, apiSync + `"Memcpy", asynchronous, 2`, ""},
	{CopyAsync, Pinned, Pinned, ForOperation, InStream, apiSync + `"Memcpy", asynchronous, 2`, ""},
	{CopyAsync, AnyMemory, AnyMemory, ForNothing, InStream, apiSync + `"Memcpy", asynchronous, 1, 3 and 4`, "a copy of pageable memory may wait, and need not"},
	{CopyPeer, AnyMemory, AnyMemory, ForNothing, AllStreams, `Runtime API, "cudaMemcpyPeer", "cudaMemcpy3DPeer"`, "the devices are the current one and those of the memory"},
	{Fill, AnyMemory, Pinned, ForOperation, InStream, apiSync + `"Memset"`, ""},
	{Fill, AnyMemory, Managed, ForOperation, InStream, apiSync + `"Memset" (until CUDA 11)`, "later versions do not speak of managed memory"},
	{Fill, AnyMemory, AnyMemory, ForNothing, InStream, apiSync + `"Memset"`, ""},
	{FillAsync, AnyMemory, AnyMemory, ForNothing, InStream, apiSync + `"Memset"`, ""},
	{Launch, AnyMemory, AnyMemory, ForNothing, InStream, apiSync + `"Kernel Launches"`, "with programmatic stream serialization, a launch follows the one before it only from griddepcontrol.wait on"},
	{HostFunction, AnyMemory, AnyMemory, ForNothing, InStream, `Runtime API, "cudaLaunchHostFunc", "cudaStreamAddCallback"`, "from the beginning of the function on, the host counts as having waited for what comes before it: the function may notify any thread"},
	{GraphLaunch, AnyMemory, AnyMemory, ForNothing, Branches, `Runtime API, "cudaGraphLaunch"`, "the graph as a whole is an operation of its stream, and follows its own earlier launches"},
	{Allocate, AnyMemory, AnyMemory, ForNothing, NoEffect, `Runtime API, "cudaMalloc"`, "the guide says that an allocation may synchronise, which no program can rely on"},
	{AllocateAsync, AnyMemory, AnyMemory, ForNothing, InStream, `Runtime API, "cudaMallocAsync"`, "uses of the memory must follow it"},
	{Free, AnyMemory, Mapped, ForNothing, NoEffect, `Driver API, "cuMemUnmap"`, "the section does not speak of a wait, so the host must have waited for all uses of the memory"},
	{Free, AnyMemory, StreamOrdered, ForNothing, NoEffect, `Runtime API, "cudaFree"`, "the host must have waited for all uses of the memory"},
	{Free, AnyMemory, Pinned, ForDevice, NoEffect, `Runtime API, "cudaFreeHost", "cudaHostUnregister"`, "the sections do not speak of synchronisation; the wait is assumed, so that nothing is reported that they allow"},
	{Free, AnyMemory, AnyMemory, ForDevice, NoEffect, `CUDA Programming Guide, "Stream-Ordered Memory Allocator", "Introduction"; Runtime API, "cudaFree"`, ""},
	{FreeAsync, AnyMemory, AnyMemory, ForNothing, InStream, `Runtime API, "cudaFreeAsync"`, "all uses of the memory must come before it"},
	{DestroyPool, AnyMemory, AnyMemory, ForNothing, NoEffect, `Runtime API, "cudaMemPoolDestroy", "cudaMemPoolTrimTo"`, "the memory of the pool remains until it is freed"},
	{CreateStream, AnyMemory, AnyMemory, ForNothing, NoEffect, streamSync, "the default stream follows all streams but non-blocking ones, and these follow it"},
	{DestroyStream, AnyMemory, AnyMemory, ForNothing, NoEffect, `Runtime API, "cudaStreamDestroy"`, "the operations of the stream still complete"},
	{SynchronizeStream, AnyMemory, AnyMemory, ForStream, NoEffect, `Runtime API, "cudaStreamSynchronize", "cudaStreamQuery"`, ""},
	{SynchronizeDevice, AnyMemory, AnyMemory, ForDevice, NoEffect, `Runtime API, "cudaDeviceSynchronize", "cudaDeviceReset"`, ""},
	{RecordEvent, AnyMemory, AnyMemory, ForNothing, Records, `Runtime API, "cudaEventRecord"`, ""},
	{WaitEvent, AnyMemory, AnyMemory, ForNothing, Awaits, `Runtime API, "cudaStreamWaitEvent"`, "nothing, if the event has not been recorded"},
	{SynchronizeEvent, AnyMemory, AnyMemory, ForEvent, NoEffect, `Runtime API, "cudaEventSynchronize", "cudaEventQuery"`, ""},
	{WriteValue, AnyMemory, AnyMemory, ForNothing, Releases, `Driver API, "cuStreamWriteValue32"`, "a fence of system scope precedes it"},
	{WriteValueUnfenced, AnyMemory, AnyMemory, ForNothing, InStream, `Driver API, "cuStreamWriteValue32"`, ""},
	{WaitValue, AnyMemory, AnyMemory, ForNothing, Acquires, `Driver API, "cuStreamWaitValue32"`, "of a kernel, by a strong access of system scope"},
}

// RuleOf returns the rule of a call: for a copy, of the kinds of memory that it reads and writes; else of that which it
// concerns.
func RuleOf(c Call, from, to Memory) *Rule {
	for i := range Rules {
		if r := &Rules[i]; r.Call == c && fits(r.From, from) && fits(r.To, to) {
			return r
		}
	}
	return nil
}

func fits(row, m Memory) bool { return row == AnyMemory || row == m }

// HostWaits records what the host has waited for in a call about a device, a stream or an event.
func (t *Tracker) HostWaits(w Wait, d Device, s Stream, event uint64) {
	switch w {
	case ForStream, ForOperation:
		t.SynchronizeStream(s)
	case ForEvent:
		t.SynchronizeEvent(event)
	case ForDevice:
		t.Synchronize(d)
	}
}
