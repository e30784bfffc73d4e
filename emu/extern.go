// Functions without a body that the driver provides: vprintf, __assertfail, malloc, free.

package emu

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/printf"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// externFn is a function of the device runtime, such as vprintf. It is called for the lanes in m and reads its arguments through
// the call site.
type externFn func(x *engine, in *inst, c *callSite, m lanes)

// externs are the functions without a body (CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory
// Allocation"; PTX Interoperability, "System Calls"). Those of the device runtime are in device_runtime.go.
var externs = map[string]extern{
	"vprintf":      {2, externPrintf},
	"__assertfail": {5, externAssert},
	"malloc":       {1, externMalloc},
	"free":         {1, externFree},
}

// AllocatesMemory reports whether a function without a body, which the driver provides, allocates device memory.
func AllocatesMemory(name string) bool { return name == "malloc" || runtimeName(name) == "Malloc" }

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

// usesArguments checks that the arguments of a function without a body have been written.
func (x *engine) usesArguments(in *inst, c *callSite, m lanes) {
	for k := range c.args {
		for rest := m; x.m.cfg.Uninitialised && !c.args[k].isReg && rest != 0; rest &= rest - 1 {
			x.readLocal(in, rest.first(), x.frame.stackBase+c.args[k].off, c.args[k].size)
		}
	}
}

// readLocal checks n bytes of local memory of lane i that a function without a body reads.
func (x *engine) readLocal(in *inst, i int, off, n uint64) {
	ac := access{space: isa.SpaceLocal, kind: isa.AccessLoad}
	ac.trackSpan(x, in, off, n, i)
}

// maxString limits strings read from device memory.
const maxString = 64 << 10

// arg returns lane i's value of the n-th argument.
func (c *callSite) arg(x *engine, n, i int) uint64 { return c.args[n].load(x.warp, x.frame, i) }

// result sets lane i's return value, if the call has one.
func (c *callSite) result(x *engine, i int, v uint64) {
	if len(c.rets) > 0 {
		c.rets[0].store(x.warp, x.frame, i, v)
	}
}

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
		return x.m.mem.Read(addr, p)
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
	if _, bad := x.m.mem.Check(addr, n); bad != nil {
		return fmt.Errorf("%d bytes at 0x%x, which %s", n, addr, bad.Msg)
	}
	return x.m.mem.Write(addr, p)
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

// externPrintf implements vprintf(format, arguments): each lane's output is written as a whole, lanes in ascending order. The
// result is the number of arguments, -1 if the format cannot be read.
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

// printable returns the part of some output that is within the limit of the launch. A line says where the limit was reached.
func (x *engine) printable(out []byte) []byte {
	limit, before := x.m.cfg.Limits.Printf, x.l.printed
	x.l.printed += uint64(len(out))
	switch {
	case x.l.printed <= limit:
		return out
	case before > limit:
		return nil
	}
	return fmt.Appendf(out[:limit-before:limit-before], "\n[more than %d bytes of printf output: the rest is lost]\n", limit)
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
		if a, err := x.m.mem.Alloc("malloc", c.arg(x, 0, i), false); err == nil {
			x.m.track(a)
			addr = a.Base
			x.emitAlloc(in, i, a)
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
		if err := x.m.mem.Free(addr); err != nil {
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
