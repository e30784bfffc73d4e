//go:build linux

// Execution of requests on the device.

package wire

import (
	"bytes"
	"strings"
	"syscall"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/order"
)

// Flags of allocations: memory shared with the process, memory that the process allocated earlier, managed memory, and
// memory of a pool.
const (
	hostVisible = 1
	registered  = 2
	managed     = 4
	ofPool      = 8
)

// origin returns how the application gets memory that is shared with it.
func origin(flags uint32) cuda.Origin {
	switch {
	case flags&managed != 0:
		return cuda.ManagedMemory
	case flags&registered != 0:
		return cuda.RegisteredMemory
	}
	return cuda.PinnedMemory
}

// execute executes the request. The result is the payload of the reply.
func (c *connection) execute() ([]byte, error) {
	p, f := c.device, &c.rest
	switch c.what {
	case opHello:
		o := c.server.opts
		if visible, set := strings.CutPrefix(string(f.Rest), "="); set {
			if err := p.Visible(visible); err != nil {
				return nil, err
			}
		}
		return device(p.Properties(), o.Leaks || o.Emulator.Uninitialised, o.APIErrors), nil
	case opModule:
		id, err := p.LoadModule(f.Rest, c.in)
		return le.AppendUint64(le.AppendUint64(nil, id), uint64(number[p.Depends()])), err
	case opUnload:
		return nil, p.Unload(f.U64())
	case opFunction:
		return c.function(f)
	case opKernels:
		names, err := p.Kernels(f.U64())
		return kernels(names), err
	case opVariable:
		address, size, err := p.Variable(f.U64(), string(f.Rest))
		return le.AppendUint64(le.AppendUint64(nil, address), size), err
	case opTexture:
		t := f.texture()
		if f.Bad {
			return nil, nil
		}
		object, err := p.Texture(t)
		return le.AppendUint64(nil, object), err
	case opReference:
		module, surface := f.U64(), f.U64() != 0
		return nil, p.Reference(module, surface, string(f.Rest))
	case opTensorMap:
		t := f.tensorMap()
		if f.Bad {
			return nil, nil
		}
		return p.EncodeTensorMap(t)
	case opMoveTensorMap:
		address := f.U64()
		return p.MoveTensorMap(f.Rest, address)
	case opOrder:
		what, stream, token := cuda.Order(f.U32()), order.Stream(f.U32()), f.U64()
		if what == cuda.OrderFunctionEnds {
			c.pending.EndFunction(token)
		}
		return nil, p.Order(what, c.in.Device, stream, token)
	case opHost:
		address, write, at := f.hostAccess()
		at = c.device.Interpreted(at)
		if f.Bad {
			return nil, nil
		}
		return le.AppendUint32(nil, uint32(p.HostAccess(address, write, c.in, at))), nil
	case opReset:
		return nil, p.Reset(c.in.Device)
	case opFailed:
		x := f.failure()
		x.In, x.Why = c.in, c.why
		p.Failed(x)
		return nil, nil
	case opHandled:
		p.Handled(f.U64())
		return nil, nil
	case opCrash:
		number := f.U32()
		p.Crashed(syscall.Signal(number), p.Interpreted(f.path(uint64(f.U32()))))
		return nil, nil
	case opRange:
		c.ranges = printable(f.Rest)
		return nil, nil
	case opPool:
		what, address, size := cuda.PoolEvent(f.U64()), f.U64(), f.U64()
		if f.Bad {
			return nil, nil
		}
		return nil, p.Pool(what, address, size, printable(f.Rest), c.in)
	case opTest:
		var text bytes.Buffer
		err := p.Ended(string(f.Rest)).WriteJSON(&text)
		return text.Bytes(), err
	case opBenchmark:
		return le.AppendUint64(nil, p.Benchmark(f.U64(), f.arguments())), nil
	case opNotRun:
		p.NotRun(string(f.Rest))
		return nil, nil
	case opMissing:
		c.noteMissing(string(f.Rest))
		return nil, nil
	case opCollective:
		return c.communicator(f)
	}
	return c.executeMemory()
}

func (c *connection) function(f *fields) ([]byte, error) {
	k, err := c.device.Kernel(f.U64(), string(f.Rest))
	if err != nil {
		return nil, err
	}
	return function(k, c.device.Target()), nil
}

// executeMemory executes the memory requests.
func (c *connection) executeMemory() ([]byte, error) {
	p, f := c.device, &c.rest
	switch c.what {
	case opAlloc:
		size, flags, home, devices := f.U64(), f.U32(), order.Device(f.U32()), emu.Devices(f.U64())
		rows := emu.Rows{Pitch: f.U64(), Width: f.U64()}
		if f.Bad {
			return nil, nil
		}
		address, err := c.alloc(size, flags, home, devices)
		if err == nil && rows.Pitch > 0 {
			p.SetRows(address, rows)
		}
		return le.AppendUint64(nil, address), err
	case opUnwritten:
		return nil, p.Forget(f.U64())
	case opManaged:
		return c.managed(f)
	case opFree:
		return nil, p.Free(f.U64(), c.in)
	case opWrite:
		return nil, c.write(f)
	case opRead:
		from, size := f.U64(), f.U64()
		if size > mostChunk {
			f.Bad = true
			return nil, nil
		}
		bytes := make([]byte, size)
		if err := p.Read(from, bytes, c.in); err != nil {
			return nil, err
		}
		return bytes, nil
	case opCopy:
		return nil, p.Copy(f.U64(), f.U64(), f.U64(), c.in)
	case opFill:
		to, pitch, element, value := f.U64(), f.U64(), f.U64(), f.U64()
		return nil, p.Fill(to, pitch, int(min(element, 8)), uint32(value), f.U64(), f.U64(), c.in)
	case opCondition:
		value, err := p.Condition(f.U64())
		return le.AppendUint32(nil, value), err
	case opPointer:
		return pointer(p.Pointer(f.U64())), nil
	case opVirtual:
		return c.virtual(f)
	case opShare:
		return c.share(f)
	case opPeer:
		return nil, c.peer(f)
	case opMulticast:
		return c.multicast(f)
	case opEndpoint:
		return c.endpoint(f)
	case opLibrary:
		function, args := f.libraryCall()
		if f.Bad {
			return nil, nil
		}
		results, err := p.Library(function, args, c.in)
		return libraryResults(results), err
	case opMemory:
		free, total := p.Memory()
		return le.AppendUint64(le.AppendUint64(nil, free), total), nil
	}
	f.Bad = true
	return nil, nil
}

// peer performs a request about access to memory of other devices.
func (c *connection) peer(f *fields) error {
	const (
		enable = iota
		disable
		allow
	)
	switch what, a, b := f.U64(), f.U64(), f.U64(); what {
	case enable:
		return c.device.EnablePeer(c.in.Device, order.Device(a))
	case disable:
		return c.device.DisablePeer(c.in.Device, order.Device(a))
	case allow:
		return c.device.AllowPool(a, emu.Devices(b))
	}
	f.Bad = true
	return nil
}

// write copies the data that follow the address.
func (c *connection) write(f *fields) error {
	to := f.U64()
	return c.device.Write(to, f.Rest, c.in)
}

// managed shares a variable with the process.
func (c *connection) managed(f *fields) ([]byte, error) {
	address, size, err := c.device.Managed(f.U64(), string(f.Rest), func(address, size uint64) (cuda.Mapping, error) {
		return c.mapped(address, size)
	})
	c.keep(err)
	return le.AppendUint64(le.AppendUint64(nil, address), size), err
}

// mapped allocates memory shared with the process. The file that backs it is passed with the reply.
func (c *connection) mapped(address, size uint64) (cuda.Mapping, error) {
	m, fd, err := newMapping(address, size)
	if err == nil {
		c.passed = fd
	}
	return m, err
}

// keep drops the file that would be passed with the reply, after an error.
func (c *connection) keep(err error) {
	if err != nil && c.passed != 0 {
		syscall.Close(c.passed)
		c.passed = 0
	}
}

// alloc reserves memory. The file that backs shared memory is passed with the reply.
func (c *connection) alloc(size uint64, flags uint32, home order.Device, devices emu.Devices) (uint64, error) {
	if flags&ofPool != 0 {
		return c.device.AllocOfPool(size, home, devices, c.in)
	}
	if flags&hostVisible == 0 {
		return c.device.Alloc(size, cuda.OnDevice, c.in, nil)
	}
	address, err := c.device.Alloc(size, origin(flags), c.in,
		func(size uint64) (cuda.Mapping, error) { return c.mapped(0, size) })
	c.keep(err)
	return address, err
}
