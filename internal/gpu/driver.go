// The entry points of the driver, and its errors.

package gpu

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// driver contains the functions of the CUDA driver API that this package calls, with the types of cuda.h. Handles are
// pointers there and integers here.
type driver struct {
	init               func(flags uint32) result
	driverGetVersion   func(version *int32) result
	deviceGetCount     func(count *int32) result
	deviceGet          func(device *int32, ordinal int32) result
	deviceGetName      func(name *byte, size int32, device int32) result
	deviceGetAttribute func(value *int32, attribute, device int32) result
	deviceTotalMem     func(bytes *uint64, device int32) result
	primaryCtxRetain   func(ctx *uintptr, device int32) result
	primaryCtxRelease  func(device int32) result
	ctxSetCurrent      func(ctx uintptr) result
	memAlloc           func(addr *uint64, size uint64) result
	memAllocManaged    func(addr *uint64, size uint64, flags uint32) result
	memHostAlloc       func(p *unsafe.Pointer, size uint64, flags uint32) result
	memFree            func(addr uint64) result
	memsetD8           func(addr uint64, value byte, size uint64, stream uintptr) result
	memcpyHtoDAsync    func(to uint64, from unsafe.Pointer, size uint64, stream uintptr) result
	memcpyDtoHAsync    func(to unsafe.Pointer, from, size uint64, stream uintptr) result
	moduleLoadDataEx   func(module *uintptr, image unsafe.Pointer, options uint32, keys *int32, values *uintptr) result
	moduleUnload       func(module uintptr) result
	moduleGetFunction  func(function *uintptr, module uintptr, name string) result
	moduleGetGlobal    func(addr *uint64, size *uint64, module uintptr, name string) result
	funcSetAttribute   func(function uintptr, attribute, value int32) result
	funcGetAttribute   func(value *int32, attribute int32, function uintptr) result
	streamCreate       func(stream *uintptr, flags uint32) result
	streamQuery        func(stream uintptr) result
	streamSynchronize  func(stream uintptr) result
	launchKernel       func(function uintptr, gx, gy, gz, bx, by, bz, shared uint32, stream uintptr, params,
		extra unsafe.Pointer) result
	launchKernelEx func(config *launchConfig, function uintptr, params, extra unsafe.Pointer) result
	tensorMapTiled func(out unsafe.Pointer, elem, rank uint32, addr uint64, dims, strides *uint64, box,
		steps *uint32, interleave, swizzle, l2, fill uint32) result
	tensorMapIm2col func(out unsafe.Pointer, elem, rank uint32, addr uint64, dims, strides *uint64, lower,
		upper *int32, channels, pixels uint32, steps *uint32, interleave, swizzle, l2, fill uint32) result
	texObjectCreate  func(object *uint64, resource, texture, view unsafe.Pointer) result
	surfObjectCreate func(object *uint64, resource unsafe.Pointer) result
	array3DCreate    func(array *uintptr, desc unsafe.Pointer) result
	memcpy3DAsync    func(c unsafe.Pointer, stream uintptr) result
	getErrorName     func(error result, name **byte) result
	getErrorString   func(error result, text **byte) result
}

// result is a CUresult.
type result int32

// Results that this package handles, by their numbers in cuda.h.
const (
	success        result = 0
	notFound       result = 500
	notReady       result = 600
	illegalAddress result = 700
	launchTimeout  result = 702
	assertFailed   result = 710
	illegalOpcode  result = 715
	misaligned     result = 716
	invalidSpace   result = 717
	invalidCounter result = 718
	launchFailed   result = 719
)

// symbols returns the names under which the driver exports its functions: those of CUDA 11 and later.
func (d *driver) symbols() map[string]any {
	return map[string]any{
		"cuInit": &d.init, "cuDriverGetVersion": &d.driverGetVersion, "cuDeviceGetCount": &d.deviceGetCount, "cuDeviceGet": &d.deviceGet,
		"cuDeviceGetName": &d.deviceGetName, "cuDeviceGetAttribute": &d.deviceGetAttribute, "cuDeviceTotalMem_v2": &d.deviceTotalMem,
		"cuDevicePrimaryCtxRetain": &d.primaryCtxRetain, "cuDevicePrimaryCtxRelease_v2": &d.primaryCtxRelease, "cuCtxSetCurrent": &d.ctxSetCurrent,
		"cuMemAlloc_v2": &d.memAlloc, "cuMemAllocManaged": &d.memAllocManaged, "cuMemHostAlloc": &d.memHostAlloc, "cuMemFree_v2": &d.memFree, "cuMemsetD8Async": &d.memsetD8,
		"cuMemcpyHtoDAsync_v2": &d.memcpyHtoDAsync, "cuMemcpyDtoHAsync_v2": &d.memcpyDtoHAsync,
		"cuModuleLoadDataEx": &d.moduleLoadDataEx, "cuModuleUnload": &d.moduleUnload, "cuModuleGetFunction": &d.moduleGetFunction, "cuModuleGetGlobal_v2": &d.moduleGetGlobal,
		"cuFuncGetAttribute": &d.funcGetAttribute, "cuFuncSetAttribute": &d.funcSetAttribute, "cuStreamCreate": &d.streamCreate, "cuStreamQuery": &d.streamQuery, "cuStreamSynchronize": &d.streamSynchronize,
		"cuLaunchKernel": &d.launchKernel, "cuLaunchKernelEx": &d.launchKernelEx, "cuTensorMapEncodeTiled": &d.tensorMapTiled, "cuTensorMapEncodeIm2col": &d.tensorMapIm2col, "cuTexObjectCreate": &d.texObjectCreate,
		"cuSurfObjectCreate": &d.surfObjectCreate, "cuArray3DCreate_v2": &d.array3DCreate, "cuMemcpy3DAsync_v2": &d.memcpy3DAsync, "cuGetErrorName": &d.getErrorName, "cuGetErrorString": &d.getErrorString,
	}
}

// newerThan11 lists the functions that a driver of CUDA 11 may lack.
var newerThan11 = map[string]bool{
	"cuLaunchKernelEx": true, "cuTensorMapEncodeTiled": true,
	"cuTensorMapEncodeIm2col": true,
}

// ErrNoDriver says that the machine has no CUDA driver, or no device.
var ErrNoDriver = errors.New("no GPU to run on")

// ErrNoLoader says that the program has no loader of the driver's library: it has not called Use.
var ErrNoLoader = errors.New("this program was built without what loads the CUDA driver")

// Loader loads the driver's library and finds its functions. Package dl has the one of the C library.
type Loader struct {
	Library string // the name of the driver's library
	Open    func() (library uintptr, err error)
	Find    func(library uintptr, name string) (function uintptr, err error)
	Bind    func(variable any, function uintptr) // sets a variable of a function type to call a C function
}

// loader is what Use has set.
var loader Loader

// Use sets the loader of the driver's library. A program calls it before it uses any other function of the package.
func Use(l Loader) { loader = l }

// load loads the driver's library once.
var load = sync.OnceValues(func() (*driver, error) {
	if loader.Open == nil {
		return nil, ErrNoLoader
	}
	lib, err := loader.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: the CUDA driver is not installed (%s: %w)", ErrNoDriver, loader.Library, err)
	}
	d := &driver{}
	for name, function := range d.symbols() {
		addr, err := loader.Find(lib, name)
		if err != nil && newerThan11[name] {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s has no %s: CUDA 11 or newer is needed", ErrNoDriver, loader.Library, name)
		}
		loader.Bind(function, addr)
	}
	if r := d.init(0); r != success {
		return nil, fmt.Errorf("%w: cuInit: %s", ErrNoDriver, d.text(r))
	}
	return d, nil
})

// Error is an error that the driver has returned.
type Error struct {
	Call string // the function, such as cuMemAlloc
	Code int    // CUresult
	Text string // the driver's text
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Call, e.Text) }

// check returns the error of a call.
func (d *driver) check(call string, r result) error {
	if r == success {
		return nil
	}
	return &Error{Call: call, Code: int(r), Text: d.text(r)}
}

// text returns the name and the description of a result.
func (d *driver) text(r result) string {
	var name, text *byte
	if d.getErrorName(r, &name) != success || d.getErrorString(r, &text) != success {
		return fmt.Sprintf("error %d", r)
	}
	return fmt.Sprintf("%s (%s)", cString(name), cString(text))
}

// cString returns a zero-terminated string.
func cString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
