// Functions without a body: vprintf, __assertfail, malloc and free of the driver, and those of the device runtime.

package emu

import (
	"encoding/binary"
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/cudart"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/printf"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// externFn is a function of the device runtime, such as vprintf. It is called for the lanes in m and reads its
// arguments through the call site.
type externFn func(x *engine, in *inst, c *callSite, m lanes)

// externs are the functions without a body (CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic
// Global Memory Allocation"; PTX Interoperability, "System Calls"). Those of the device runtime are in deviceRuntime.
var externs = map[string]extern{
	"vprintf":      {2, externPrintf},
	"__assertfail": {5, externAssert},
	"malloc":       {1, externMalloc},
	"free":         {1, externFree},
}

// AllocatesMemory reports whether a function without a body, which the driver provides, allocates device memory.
func AllocatesMemory(name string) bool { return name == "malloc" || cudart.NameOf(name) == "Malloc" }

// extern is a function without a body.
type extern struct {
	args int // number of arguments
	call externFn
}

// externOf returns a function without a body.
func externOf(name string) (extern, bool) {
	if e, ok := externs[name]; ok {
		return e, true
	}
	return runtimeExtern(name)
}

// maxString limits strings read from device memory.
const maxString = 64 << 10

// readGeneric copies from the memory at a generic address of lane i.
func (x *engine) readGeneric(i int, addr uint64, p []byte) error {
	var from []byte
	switch addr >> gmem.SlotBits {
	case gmem.SharedWindow >> gmem.SlotBits:
		b, bad := x.sharedOf(addr-gmem.SharedWindow, uint64(len(p)), false)
		if bad != nil {
			return fmt.Errorf("%d bytes at 0x%x are out of bounds", len(p), addr)
		}
		copy(p, b)
		return nil
	case gmem.LocalWindow >> gmem.SlotBits:
		from = x.warp.local(i, 0, x.warp.stackStride)
	case gmem.ParamWindow >> gmem.SlotBits:
		from = x.l.params
	default:
		return x.m.dev.mem.Read(addr, p)
	}
	off := addr & (1<<gmem.SlotBits - 1)
	if off > uint64(len(from)) || uint64(len(p)) > uint64(len(from))-off {
		return fmt.Errorf("%d bytes at 0x%x are out of bounds", len(p), addr)
	}
	copy(p, from[off:])
	return nil
}

// writeGeneric copies to the memory at a generic address of lane i.
func (x *engine) writeGeneric(i int, addr uint64, p []byte) error {
	off, n := addr&(1<<gmem.SlotBits-1), uint64(len(p))
	x.wrote()
	switch addr >> gmem.SlotBits {
	case gmem.SharedWindow >> gmem.SlotBits:
		b, bad := x.sharedOf(addr-gmem.SharedWindow, n, false)
		if bad != nil {
			return fmt.Errorf("%d bytes at 0x%x are out of bounds", n, addr)
		}
		copy(b, p)
		return nil
	case gmem.LocalWindow >> gmem.SlotBits:
		if off > x.warp.stackStride || n > x.warp.stackStride-off {
			return fmt.Errorf("%d bytes at 0x%x are out of bounds", n, addr)
		}
		copy(x.warp.local(i, off, n), p)
		x.warp.wroteLocal(i, off, n)
		return nil
	}
	if _, bad := x.m.dev.mem.Check(addr, n); bad != nil {
		return fmt.Errorf("%d bytes at 0x%x, which %s", n, addr, bad.Msg)
	}
	return x.m.dev.mem.Write(addr, p)
}

// readString reads a zero-terminated string.
func (x *engine) readString(i int, addr uint64) (string, error) {
	var s []byte
	for len(s) < maxString {
		var b [1]byte
		if err := x.readGeneric(i, addr+uint64(len(s)), b[:]); err != nil {
			return "", err
		}
		if b[0] == 0 {
			return string(s), nil
		}
		s = append(s, b[0])
	}
	return "", fmt.Errorf("the string at 0x%x is longer than %d bytes", addr, maxString)
}

// externPrintf implements vprintf(format, arguments): each lane's output is written as a whole, lanes in ascending
// order. The result is the number of arguments, -1 if the format cannot be read.
func externPrintf(x *engine, in *inst, c *callSite, m lanes) {
	for ; m != 0; m &= m - 1 {
		i := m.first()
		format, err := x.readString(i, c.arg(x, 0, i))
		if err != nil {
			x.raise(in, i, "out-of-bounds", c.arg(x, 0, i), "vprintf: format: %v", err)
			return
		}
		f := printf.Formatter{Memory: laneMemory{x, in, i}, Args: c.arg(x, 1, i)}
		out, err := f.Format(format)
		if err != nil {
			x.raise(in, i, "out-of-bounds", f.Args, "vprintf: %v", err)
			return
		}
		if out = x.printable(out); x.m.cfg.Stdout != nil {
			if _, err := x.m.cfg.Stdout.Write(out); err != nil {
				x.raise(in, i, "unsupported", 0, "vprintf: %v", err)
				return
			}
		}
		c.result(x, i, uint64(uint32(f.Used)))
	}
}

// printable returns the part of some output that is within the limit of the launch. A line says where the limit was
// reached.
func (x *engine) printable(out []byte) []byte {
	limit, before := x.m.cfg.Limits.Printf, x.l.printed
	x.l.printed += uint64(len(out))
	switch {
	case x.l.printed <= limit:
		return out
	case before > limit:
		return nil
	}
	return fmt.Appendf(out[:limit-before:limit-before], "\n[more than %d bytes of printf output: the rest is lost]\n",
		limit)
}

// externAssert implements __assertfail(message, file, line, function, char size).
func externAssert(x *engine, in *inst, c *callSite, m lanes) {
	i := m.first()
	text := func(n int) string {
		s, err := x.readString(i, c.arg(x, n, i))
		if err != nil {
			return "?"
		}
		return s
	}
	x.raise(in, i, "assert", 0, "%s:%d: %s: assertion `%s` failed", text(1), uint32(c.arg(x, 2, i)), text(3), text(0))
}

// externMalloc implements malloc(size): null when memory is exhausted.
func externMalloc(x *engine, in *inst, c *callSite, m lanes) {
	for ; m != 0; m &= m - 1 {
		i := m.first()
		addr := uint64(0)
		if a, err := x.m.dev.mem.Alloc("malloc", c.arg(x, 0, i), false); err == nil {
			x.m.dev.track(a)
			addr = a.Base
			x.emitMemory(abi.EventAlloc, in, i, a.Base, a.Size)
		}
		c.result(x, i, addr)
	}
	x.progress++
}

// externFree implements free(pointer).
func externFree(x *engine, in *inst, c *callSite, m lanes) {
	for ; m != 0; m &= m - 1 {
		i := m.first()
		addr := c.arg(x, 0, i)
		if addr == 0 {
			continue
		}
		x.emitFree(in, i, addr)
		if err := x.m.dev.mem.Free(addr); err != nil {
			x.raise(in, i, "use-after-free", addr, "%v", err)
			return
		}
	}
	x.progress++
}

// laneMemory is generic memory as accessed by one lane, for printf.
type laneMemory struct {
	x    *engine
	in   *inst
	lane int
}

// Read implements printf.Memory.
func (l laneMemory) Read(addr uint64, b []byte) error {
	err := l.x.readGeneric(l.lane, addr, b)
	if err == nil && l.x.m.cfg.Uninitialised && addr>>gmem.SlotBits == gmem.LocalWindow>>gmem.SlotBits {
		l.x.readLocal(l.in, l.lane, addr&(1<<gmem.SlotBits-1), uint64(len(b)))
	}
	return err
}

// String implements printf.Memory.
func (l laneMemory) String(addr uint64) (string, error) { return l.x.readString(l.lane, addr) }

// The CUDA runtime functions that device code may call (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Device
// Runtime API Reference"), except launches (device_launch.go). Functions have three spellings: cudaX; __cudaCDP2X,
// which compilers emit since CUDA 12; and either with the suffix _ptsz, for per-thread streams, which makes no
// difference here.

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
func (r *runtimeCall) put(v uint64, size int) cudart.Error {
	b := binary.LittleEndian.AppendUint64(nil, v)
	if r.arg(0) == 0 || r.x.writeGeneric(r.lane, r.arg(0), b[:size]) != nil {
		return cudart.InvalidValue
	}
	return cudart.Success
}

// status wraps a function that returns an error code, which becomes the thread's last error.
func status(f func(r *runtimeCall) cudart.Error) runtimeFunc {
	return func(r *runtimeCall) uint64 {
		e := f(r)
		r.fail(e)
		return uint64(e)
	}
}

// fail sets the thread's last error.
func (r *runtimeCall) fail(e cudart.Error) {
	if e == cudart.Success {
		return
	}
	g := &r.x.l.grids
	if g.errors == nil {
		g.errors = map[threadID]cudart.Error{}
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
	"GetDevice":             {1, status(func(r *runtimeCall) cudart.Error { return r.put(0, 4) })},
	"GetDeviceCount":        {1, status(func(r *runtimeCall) cudart.Error { return r.put(1, 4) })},
	"RuntimeGetVersion":     {1, status(func(r *runtimeCall) cudart.Error { return r.put(cudart.Version, 4) })},
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
	"GraphSetConditional":   {2, status(func(r *runtimeCall) cudart.Error { return r.put(r.arg(1), 4) })},
}

// runtimeExtern returns the device runtime function with the given name in PTX.
func runtimeExtern(name string) (extern, bool) {
	f, ok := deviceRuntime[cudart.NameOf(name)]
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

func succeed(*runtimeCall) cudart.Error { return cudart.Success }

func peekAtLastError(r *runtimeCall) uint64 { return uint64(r.x.l.grids.errors[r.thread()]) }

func getLastError(r *runtimeCall) uint64 {
	e := peekAtLastError(r)
	delete(r.x.l.grids.errors, r.thread())
	return e
}

// errorText returns the address of the name or description of an error.
func (r *runtimeCall) errorText(which int) uint64 {
	text := "unrecognized error code"
	if t, ok := cudart.Texts[cudart.Error(r.arg(0))]; ok {
		text = t[which]
	}
	d := &r.x.m.deviceRuntime
	if addr, ok := d.texts[text]; ok {
		return addr
	}
	a, err := r.x.m.dev.mem.Alloc("text of an error", uint64(len(text)+1), true)
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

func deviceGetAttribute(r *runtimeCall) cudart.Error {
	v, ok := deviceAttributes[r.arg(1)]
	switch {
	case r.arg(2) != 0:
		return cudart.InvalidDevice
	case !ok:
		return cudart.InvalidValue
	}
	return r.put(v, 4)
}
