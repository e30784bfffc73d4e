// Functions without a body: vprintf, __assertfail, malloc and free of the driver, and those of the device runtime.

package exec

import (
	"encoding/binary"
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/cudart"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/printf"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// externs are the functions without a body (CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic
// Global Memory Allocation"; PTX Interoperability, "System Calls"). Those of the device runtime are in deviceRuntime.
var externs = map[string]extern{
	"vprintf":      {2, externPrintf},
	"__assertfail": {5, externAssert},
	"malloc":       {1, externMalloc},
	"free":         {1, externFree},
}

// extern is a function without a body.
type extern struct {
	args int // number of arguments
	call state.ExternFn
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
func readGeneric(x *state.Engine, i int, addr uint64, p []byte) error {
	var from []byte
	switch addr >> gmem.SlotBits {
	case gmem.SharedWindow >> gmem.SlotBits:
		b, bad := memory.SharedOf(x, addr-gmem.SharedWindow, uint64(len(p)), false)
		if bad != nil {
			return fmt.Errorf("%d bytes at 0x%x are out of bounds", len(p), addr)
		}
		copy(p, b)
		return nil
	case gmem.LocalWindow >> gmem.SlotBits:
		from = groups.Local(x.Warp, i, 0, x.Warp.StackStride)
	case gmem.ParamWindow >> gmem.SlotBits:
		from = x.L.Params
	default:
		return x.M.Dev.Mem.Read(addr, p)
	}
	off := addr & (1<<gmem.SlotBits - 1)
	if off > uint64(len(from)) || uint64(len(p)) > uint64(len(from))-off {
		return fmt.Errorf("%d bytes at 0x%x are out of bounds", len(p), addr)
	}
	copy(p, from[off:])
	return nil
}

// writeGeneric copies to the memory at a generic address of lane i.
func writeGeneric(x *state.Engine, i int, addr uint64, p []byte) error {
	off, n := addr&(1<<gmem.SlotBits-1), uint64(len(p))
	x.Wrote()
	switch addr >> gmem.SlotBits {
	case gmem.SharedWindow >> gmem.SlotBits:
		b, bad := memory.SharedOf(x, addr-gmem.SharedWindow, n, false)
		if bad != nil {
			return fmt.Errorf("%d bytes at 0x%x are out of bounds", n, addr)
		}
		copy(b, p)
		return nil
	case gmem.LocalWindow >> gmem.SlotBits:
		if off > x.Warp.StackStride || n > x.Warp.StackStride-off {
			return fmt.Errorf("%d bytes at 0x%x are out of bounds", n, addr)
		}
		copy(groups.Local(x.Warp, i, off, n), p)
		groups.WroteLocal(x.Warp, i, off, n)
		return nil
	}
	if _, bad := x.M.Dev.Mem.Check(addr, n); bad != nil {
		return fmt.Errorf("%d bytes at 0x%x, which %s", n, addr, bad.Msg)
	}
	return x.M.Dev.Mem.Write(addr, p)
}

// readString reads a zero-terminated string.
func readString(x *state.Engine, i int, addr uint64) (string, error) {
	var s []byte
	for len(s) < maxString {
		var b [1]byte
		if err := readGeneric(x, i, addr+uint64(len(s)), b[:]); err != nil {
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
func externPrintf(x *state.Engine, in *state.Inst, c *state.CallSite, m state.Lanes) {
	for ; m != 0; m &= m - 1 {
		i := m.First()
		format, err := readString(x, i, arg(c, x, 0, i))
		if err != nil {
			faults.Raise(x, in, i, "out-of-bounds", arg(c, x, 0, i), "vprintf: format: %v", err)
			return
		}
		f := printf.Formatter{Memory: laneMemory{x, in, i}, Args: arg(c, x, 1, i)}
		out, err := f.Format(format)
		if err != nil {
			faults.Raise(x, in, i, "out-of-bounds", f.Args, "vprintf: %v", err)
			return
		}
		if out = printable(x, out); x.M.Cfg.Stdout != nil {
			if _, err := x.M.Cfg.Stdout.Write(out); err != nil {
				faults.Raise(x, in, i, "unsupported", 0, "vprintf: %v", err)
				return
			}
		}
		result(c, x, i, uint64(uint32(f.Used)))
	}
}

// printable returns the part of some output that is within the limit of the launch. A line says where the limit was
// reached.
func printable(x *state.Engine, out []byte) []byte {
	limit, before := x.M.Cfg.Limits.Printf, x.L.Printed
	x.L.Printed += uint64(len(out))
	switch {
	case x.L.Printed <= limit:
		return out
	case before > limit:
		return nil
	}
	return fmt.Appendf(out[:limit-before:limit-before], "\n[more than %d bytes of printf output: the rest is lost]\n",
		limit)
}

// externAssert implements __assertfail(message, file, line, function, char size).
func externAssert(x *state.Engine, in *state.Inst, c *state.CallSite, m state.Lanes) {
	i := m.First()
	text := func(n int) string {
		s, err := readString(x, i, arg(c, x, n, i))
		if err != nil {
			return "?"
		}
		return s
	}
	faults.Raise(x, in, i, "assert", 0, "%s:%d: %s: assertion `%s` failed", text(1), uint32(arg(c, x, 2, i)), text(3), text(0))
}

// externMalloc implements malloc(size): null when memory is exhausted.
func externMalloc(x *state.Engine, in *state.Inst, c *state.CallSite, m state.Lanes) {
	for ; m != 0; m &= m - 1 {
		i := m.First()
		addr := uint64(0)
		if a, err := x.M.Dev.Mem.Alloc("malloc", arg(c, x, 0, i), false); err == nil {
			grids.Track(x.M.Dev, a)
			addr = a.Base
			events.EmitMemory(x, abi.EventAlloc, in, i, a.Base, a.Size)
		}
		result(c, x, i, addr)
	}
	x.Progress++
}

// externFree implements free(pointer).
func externFree(x *state.Engine, in *state.Inst, c *state.CallSite, m state.Lanes) {
	for ; m != 0; m &= m - 1 {
		i := m.First()
		addr := arg(c, x, 0, i)
		if addr == 0 {
			continue
		}
		events.EmitFree(x, in, i, addr)
		if err := x.M.Dev.Mem.Free(addr); err != nil {
			faults.Raise(x, in, i, "use-after-free", addr, "%v", err)
			return
		}
	}
	x.Progress++
}

// laneMemory is generic memory as accessed by one lane, for printf.
type laneMemory struct {
	x    *state.Engine
	in   *state.Inst
	lane int
}

// Read implements printf.Memory.
func (l laneMemory) Read(addr uint64, b []byte) error {
	err := readGeneric(l.x, l.lane, addr, b)
	if err == nil && l.x.M.Cfg.Uninitialised && addr>>gmem.SlotBits == gmem.LocalWindow>>gmem.SlotBits {
		readLocal(l.x, l.in, l.lane, addr&(1<<gmem.SlotBits-1), uint64(len(b)))
	}
	return err
}

// String implements printf.Memory.
func (l laneMemory) String(addr uint64) (string, error) { return readString(l.x, l.lane, addr) }

// The CUDA runtime functions that device code may call (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Device
// Runtime API Reference"), except launches (device_launch.go). Functions have three spellings: cudaX; __cudaCDP2X,
// which compilers emit since CUDA 12; and either with the suffix _ptsz, for per-thread streams, which makes no
// difference here.

// runtimeCall is a call of a device runtime function by one thread.
type runtimeCall struct {
	x    *state.Engine
	in   *state.Inst
	site *state.CallSite
	lane int
}

// runtimeFunc computes the result of a call.
type runtimeFunc func(r *runtimeCall) uint64

// arg returns the n-th argument.
func (r *runtimeCall) arg(n int) uint64 { return arg(r.site, r.x, n, r.lane) }

// dim returns the n-th argument, a dim3.
func (r *runtimeCall) dim(n int) state.Dim3 {
	v := &r.site.Args[n]
	if v.IsReg || v.Size < 12 {
		return state.Dim3{}
	}
	b := groups.Local(r.x.Warp, r.lane, r.x.Frame.StackBase+v.Off, 12)
	return state.Dim3{
		X: binary.LittleEndian.Uint32(b), Y: binary.LittleEndian.Uint32(b[4:]),
		Z: binary.LittleEndian.Uint32(b[8:]),
	}
}

// put stores the low size bytes of v at the address in the first argument.
func (r *runtimeCall) put(v uint64, size int) cudart.Error {
	b := binary.LittleEndian.AppendUint64(nil, v)
	if r.arg(0) == 0 || writeGeneric(r.x, r.lane, r.arg(0), b[:size]) != nil {
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
	g := &r.x.L.Grids
	if g.Errors == nil {
		g.Errors = map[state.ThreadID]cudart.Error{}
	}
	if _, known := g.Errors[r.thread()]; !known && !faults.Claim(r.x, errorState, "errors of threads") {
		return
	}
	g.Errors[r.thread()] = e
}

// errorState is the approximate size of an entry of Grids.Errors.
const errorState = 64

func (r *runtimeCall) thread() state.ThreadID {
	return state.ThreadID{Warp: r.x.Warp.Serial, Lane: r.lane}
}

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
	return extern{args: f.args, call: func(x *state.Engine, in *state.Inst, c *state.CallSite, m state.Lanes) {
		for ; m != 0 && x.Fault == nil; m &= m - 1 {
			r := &runtimeCall{x, in, c, m.First()}
			result(c, x, r.lane, f.call(r))
		}
	}}, true
}

func succeed(*runtimeCall) cudart.Error { return cudart.Success }

func peekAtLastError(r *runtimeCall) uint64 { return uint64(r.x.L.Grids.Errors[r.thread()]) }

func getLastError(r *runtimeCall) uint64 {
	e := peekAtLastError(r)
	delete(r.x.L.Grids.Errors, r.thread())
	return e
}

// errorText returns the address of the name or description of an error.
func (r *runtimeCall) errorText(which int) uint64 {
	text := "unrecognized error code"
	if t, ok := cudart.Texts[cudart.Error(r.arg(0))]; ok {
		text = t[which]
	}
	d := &r.x.M.DeviceRuntime
	if addr, ok := d.Texts[text]; ok {
		return addr
	}
	a, err := r.x.M.Dev.Mem.Alloc("text of an error", uint64(len(text)+1), true)
	if err != nil {
		return 0
	}
	copy(a.Data, text)
	if d.Texts == nil {
		d.Texts = map[string]uint64{}
	}
	d.Texts[text] = a.Base
	return a.Base
}

// deviceAttributes are the attributes of the emulated device (CUDA Runtime API, enum cudaDeviceAttr).
var deviceAttributes = map[uint64]uint64{
	1:  barriers.MaxBlockThreads,
	2:  barriers.MaxBlockXY,
	3:  barriers.MaxBlockXY,
	4:  barriers.MaxBlockZ,
	5:  barriers.MaxGridX,
	6:  barriers.MaxGridYZ,
	7:  barriers.MaxGridYZ,
	8:  48 << 10, // shared memory per block without opt-in
	10: state.WarpSize,
	16: 1, // multiprocessors
	97: barriers.MaxShared,
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
