// Device runtime: the CUDA runtime functions that device code calls, and their errors.

package emu

import (
	"encoding/binary"
	"strings"
)

// The CUDA runtime functions that device code may call (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Device Runtime
// API Reference"), except launches (device_launch.go). Functions have three spellings: cudaX; __cudaCDP2X, which compilers emit
// since CUDA 12; and either with the suffix _ptsz, for per-thread streams, which makes no difference here.

// cudaError is an error code of the CUDA runtime (CUDA Runtime API, "Data types used
// by CUDA Runtime").
type cudaError uint32

// Error codes that the functions return.
const (
	cudaSuccess                     cudaError = 0
	cudaErrorInvalidValue           cudaError = 1
	cudaErrorMemoryAllocation       cudaError = 2
	cudaErrorInvalidConfiguration   cudaError = 9
	cudaErrorInvalidDevicePointer   cudaError = 17
	cudaErrorLaunchMaxDepthExceeded cudaError = 65
	cudaErrorInvalidDeviceFunction  cudaError = 98
	cudaErrorInvalidDevice          cudaError = 101
	cudaErrorLaunchOutOfResources   cudaError = 701
	cudaErrorNotSupported           cudaError = 801
)

// cudaErrorTexts are the names and descriptions of errors.
var cudaErrorTexts = map[cudaError][2]string{
	cudaSuccess:                     {"cudaSuccess", "no error"},
	cudaErrorInvalidValue:           {"cudaErrorInvalidValue", "invalid argument"},
	cudaErrorMemoryAllocation:       {"cudaErrorMemoryAllocation", "out of memory"},
	cudaErrorInvalidConfiguration:   {"cudaErrorInvalidConfiguration", "invalid configuration argument"},
	cudaErrorInvalidDevicePointer:   {"cudaErrorInvalidDevicePointer", "invalid device pointer"},
	cudaErrorLaunchMaxDepthExceeded: {"cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"},
	cudaErrorInvalidDeviceFunction:  {"cudaErrorInvalidDeviceFunction", "invalid device function"},
	cudaErrorInvalidDevice:          {"cudaErrorInvalidDevice", "invalid device ordinal"},
	cudaErrorLaunchOutOfResources:   {"cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
	cudaErrorNotSupported:           {"cudaErrorNotSupported", "operation not supported"},
}

// runtimeCall is a call of a device runtime function by one thread.
type runtimeCall struct {
	x    *engine
	in   *inst
	site *callSite
	lane int
}

// runtimeFunc computes the result of a call.
type runtimeFunc func(r *runtimeCall) uint64

// arg returns the n-th argument.
func (r *runtimeCall) arg(n int) uint64 { return r.site.arg(r.x, n, r.lane) }

// dim returns the n-th argument, a dim3.
func (r *runtimeCall) dim(n int) Dim3 {
	v := &r.site.args[n]
	if v.isReg || v.size < 12 {
		return Dim3{}
	}
	b := r.x.warp.local(r.lane, r.x.frame.stackBase+v.off, 12)
	return Dim3{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])}
}

// put stores the low size bytes of v at the address in the first argument.
func (r *runtimeCall) put(v uint64, size int) cudaError {
	b := binary.LittleEndian.AppendUint64(nil, v)
	if r.arg(0) == 0 || r.x.writeGeneric(r.lane, r.arg(0), b[:size]) != nil {
		return cudaErrorInvalidValue
	}
	return cudaSuccess
}

// status wraps a function that returns an error code, which becomes the thread's last error.
func status(f func(r *runtimeCall) cudaError) runtimeFunc {
	return func(r *runtimeCall) uint64 {
		e := f(r)
		r.fail(e)
		return uint64(e)
	}
}

// fail sets the thread's last error.
func (r *runtimeCall) fail(e cudaError) {
	if e == cudaSuccess {
		return
	}
	g := &r.x.l.grids
	if g.errors == nil {
		g.errors = map[threadID]cudaError{}
	}
	if _, known := g.errors[r.thread()]; !known && !r.x.claim(errorState, "errors of threads") {
		return
	}
	g.errors[r.thread()] = e
}

// errorState is the approximate size of an entry of grids.errors.
const errorState = 64

func (r *runtimeCall) thread() threadID { return threadID{r.x.warp.serial, r.lane} }

// deviceRuntime has the functions by the part of their names after "cuda", with their numbers of arguments.
var deviceRuntime = map[string]struct {
	args int
	call runtimeFunc
}{
	"GetParameterBuffer":    {2, getParameterBuffer},
	"GetParameterBufferV2":  {4, getParameterBufferV2},
	"LaunchDevice":          {6, status(launchDevice)},
	"LaunchDeviceV2":        {2, status(launchDeviceV2)},
	"DeviceSynchronize":     {0, status(deviceSynchronize)},
	"GetLastError":          {0, getLastError},
	"PeekAtLastError":       {0, peekAtLastError},
	"GetErrorName":          {1, func(r *runtimeCall) uint64 { return r.errorText(0) }},
	"GetErrorString":        {1, func(r *runtimeCall) uint64 { return r.errorText(1) }},
	"GetDevice":             {1, status(func(r *runtimeCall) cudaError { return r.put(0, 4) })},
	"GetDeviceCount":        {1, status(func(r *runtimeCall) cudaError { return r.put(1, 4) })},
	"RuntimeGetVersion":     {1, status(func(r *runtimeCall) cudaError { return r.put(runtimeVersion, 4) })},
	"DeviceGetAttribute":    {3, status(deviceGetAttribute)},
	"StreamCreateWithFlags": {2, status(newHandle)},
	"StreamDestroy":         {1, status(succeed)},
	"StreamWaitEvent":       {3, status(succeed)},
	"EventCreateWithFlags":  {2, status(newHandle)},
	"EventRecord":           {2, status(succeed)},
	"EventRecordWithFlags":  {3, status(succeed)},
	"EventDestroy":          {1, status(succeed)},
	"Malloc":                {2, status(runtimeMalloc)},
	"Free":                  {1, status(runtimeFree)},
	"MemcpyAsync":           {5, status(memcpyAsync)},
	"MemsetAsync":           {4, status(memsetAsync)},
	"GraphSetConditional":   {2, status(func(r *runtimeCall) cudaError { return r.put(r.arg(1), 4) })},
}

// runtimeVersion is the result of cudaRuntimeGetVersion: CUDA 12.0, the first version with the current interface.
const runtimeVersion = 12000

// runtimeName returns the key in deviceRuntime of a function with the given name in PTX.
func runtimeName(name string) string {
	if name == "__cudaDeviceSynchronizeDeprecationAvoidance" {
		return "DeviceSynchronize"
	}
	name = strings.TrimSuffix(name, "_ptsz")
	for _, prefix := range []string{"__cudaCDP2", "cuda"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return rest
		}
	}
	return ""
}

// runtimeExtern returns the device runtime function with the given name in PTX.
func runtimeExtern(name string) (extern, bool) {
	f, ok := deviceRuntime[runtimeName(name)]
	if !ok {
		return extern{}, false
	}
	return extern{args: f.args, call: func(x *engine, in *inst, c *callSite, m lanes) {
		for ; m != 0 && x.fault == nil; m &= m - 1 {
			r := &runtimeCall{x, in, c, m.first()}
			c.result(x, r.lane, f.call(r))
		}
	}}, true
}

func succeed(*runtimeCall) cudaError { return cudaSuccess }

func peekAtLastError(r *runtimeCall) uint64 { return uint64(r.x.l.grids.errors[r.thread()]) }

func getLastError(r *runtimeCall) uint64 {
	e := peekAtLastError(r)
	delete(r.x.l.grids.errors, r.thread())
	return e
}

// errorText returns the address of the name or description of an error.
func (r *runtimeCall) errorText(which int) uint64 {
	text := "unrecognized error code"
	if t, ok := cudaErrorTexts[cudaError(r.arg(0))]; ok {
		text = t[which]
	}
	d := &r.x.m.device
	if addr, ok := d.texts[text]; ok {
		return addr
	}
	a, err := r.x.m.mem.Alloc("text of an error", uint64(len(text)+1), true)
	if err != nil {
		return 0
	}
	copy(a.Data, text)
	if d.texts == nil {
		d.texts = map[string]uint64{}
	}
	d.texts[text] = a.Base
	return a.Base
}

// newHandle creates a stream or an event.
func newHandle(r *runtimeCall) cudaError {
	r.x.m.device.handles++
	return r.put(firstHandle+r.x.m.device.handles, 8)
}

// deviceAttributes are the attributes of the emulated device (CUDA Runtime API, enum cudaDeviceAttr).
var deviceAttributes = map[uint64]uint64{
	1:  maxBlockThreads,
	2:  maxBlockXY,
	3:  maxBlockXY,
	4:  maxBlockZ,
	5:  maxGridX,
	6:  maxGridYZ,
	7:  maxGridYZ,
	8:  48 << 10, // shared memory per block without opt-in
	10: warpSize,
	16: 1, // multiprocessors
	97: maxShared,
}

func deviceGetAttribute(r *runtimeCall) cudaError {
	v, ok := deviceAttributes[r.arg(1)]
	switch {
	case r.arg(2) != 0:
		return cudaErrorInvalidDevice
	case !ok:
		return cudaErrorInvalidValue
	}
	return r.put(v, 4)
}

func runtimeMalloc(r *runtimeCall) cudaError {
	a, err := r.x.m.mem.Alloc("cudaMalloc", r.arg(1), false)
	if err != nil {
		return cudaErrorMemoryAllocation
	}
	r.x.m.track(a)
	r.x.emitAlloc(r.in, r.lane, a)
	return r.put(a.Base, 8)
}

func runtimeFree(r *runtimeCall) cudaError {
	addr := r.arg(0)
	if addr == 0 {
		return cudaSuccess
	}
	r.x.emitFree(r.in, r.lane, addr)
	if r.x.m.mem.Free(addr) != nil {
		return cudaErrorInvalidDevicePointer
	}
	return cudaSuccess
}
