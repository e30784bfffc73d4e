// The GPU of an application, for sessions: each operation is a command to the shim.

package attached

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ptxsan/ptxsan/internal/cuda/socket"
	"github.com/ptxsan/ptxsan/internal/gpu"
)

// device is a context of the application on its GPU. It implements gpu.Runner.
type device struct {
	line    *line
	model   string
	version uint32 // compute capability, such as 80
	objects gpu.Objects
	adopted uint64 // address of the application's memory for the next Alloc; 0 for new memory
	loaded  uint64 // the driver's handle of the module for the next Compile if the runtime has loaded it; else 0
	last    *code  // compiled last
	ran     bool   // the launch of the request has begun
	outcome int    // its result
}

// Model implements gpu.Runner.
func (d *device) Model() string { return d.model }

// describe queries the properties of the GPU for reports.
func (d *device) describe() error {
	reply, err := d.line.do(commandDescribe, nil, nil)
	if err != nil {
		return err
	}
	f := socket.Fields{Rest: reply}
	driver := uint32(f.U64())
	d.version = uint32(f.U64())
	if f.Bad {
		return socket.ErrProtocol
	}
	d.model = fmt.Sprintf("%s, CUDA %d.%d", f.Rest, driver/1000, driver%1000/10)
	return nil
}

// Alloc implements gpu.Runner. It only lists memory that the application has allocated.
func (d *device) Alloc(name string, size uint64) (uint64, error) {
	if addr := d.adopted; addr != 0 {
		d.adopted = 0
		d.objects.Add(gpu.Object{Name: name, Addr: addr, Size: size, Foreign: true})
		return addr, nil
	}
	return d.alloc(commandAlloc, gpu.Object{Name: name, Size: size})
}

// AllocSparse implements gpu.Runner.
func (d *device) AllocSparse(name string, size uint64) (uint64, error) {
	return d.alloc(commandAllocManaged, gpu.Object{Name: name, Size: size})
}

// AllocHost implements gpu.Runner.
func (d *device) AllocHost(name string, size uint64) (uint64, error) {
	return d.alloc(commandAllocHost, gpu.Object{Name: name, Size: size, Foreign: true, Host: true})
}

func (d *device) alloc(c command, o gpu.Object) (uint64, error) {
	reply, err := d.line.numbers(c, []uint64{max(o.Size, 1)}, nil, 1)
	if err != nil {
		return 0, fmt.Errorf("%s: %d bytes: %w", o.Name, o.Size, err)
	}
	o.Addr = reply[0]
	d.objects.Add(o)
	return o.Addr, nil
}

// Free implements gpu.Runner. The application frees its own memory, and the driver that of AllocHost with the context.
func (d *device) Free(addr uint64) error {
	o, err := d.objects.Remove(addr)
	if err != nil || o.Foreign {
		return err
	}
	_, err = d.line.do(commandFree, []uint64{addr}, nil)
	return err
}

// Describe implements gpu.Runner.
func (d *device) Describe(addr uint64) (name string, offset uint64, ok bool) {
	return d.objects.Describe(addr)
}

// Read implements gpu.Runner.
func (d *device) Read(addr uint64, p []byte) error {
	how := commandRead
	if o, ok := d.objects.Find(addr); ok && o.Host {
		how = commandReadHost
	}
	for len(p) > 0 {
		n := min(len(p), chunk)
		reply, err := d.line.do(how, []uint64{addr, uint64(n)}, nil)
		if err != nil {
			return err
		}
		if len(reply) != n {
			return socket.ErrProtocol
		}
		copy(p, reply)
		addr, p = addr+uint64(n), p[n:]
	}
	return nil
}

// Write implements gpu.Runner.
func (d *device) Write(addr uint64, p []byte) error {
	for len(p) > 0 {
		n := min(len(p), chunk)
		if _, err := d.line.do(commandWrite, []uint64{addr, uint64(n)}, p[:n]); err != nil {
			return err
		}
		addr, p = addr+uint64(n), p[n:]
	}
	return nil
}

// Compile implements gpu.Runner.
func (d *device) Compile(ptx []byte) (gpu.Code, error) {
	handle := d.loaded
	if handle == 0 {
		reply, err := d.line.numbers(commandCompile, nil, append(slices.Clip(ptx), 0), 1)
		if err != nil {
			return nil, fmt.Errorf("the driver refuses the instrumented PTX: %w", err)
		}
		handle = reply[0]
	}
	d.last = &code{device: d, handle: handle, symbols: map[string]symbol{}}
	return d.last, nil
}

// code is an instrumented and compiled module of the application. It implements gpu.Code.
type code struct {
	device  *device
	handle  uint64 // the driver's handle
	symbols map[string]symbol
}

type symbol struct {
	addr, size uint64
	ok         bool
}

// Symbol implements gpu.Code.
func (c *code) Symbol(name string) (addr, size uint64, ok bool) {
	s, known := c.symbols[name]
	if !known {
		if reply, err := c.device.line.numbers(commandSymbol, []uint64{c.handle}, append([]byte(name), 0),
			2); err == nil {
			s = symbol{reply[0], reply[1], true}
			c.device.objects.Add(gpu.Object{Name: name, Addr: s.addr, Size: s.size, Foreign: true})
		}
		c.symbols[name] = s
	}
	return s.addr, s.size, s.ok
}

// StaticShared implements gpu.Code.
func (c *code) StaticShared(kernel string) (uint64, error) {
	reply, err := c.device.line.numbers(commandShared, []uint64{c.handle}, append([]byte(kernel), 0), 1)
	if err != nil {
		return 0, err
	}
	return reply[0], nil
}

// Unload implements gpu.Code.
func (c *code) Unload() error {
	c.forget()
	_, err := c.device.line.do(commandUnload, []uint64{c.handle}, nil)
	return err
}

// forget removes the variables from the list of objects.
func (c *code) forget() {
	c.device.objects = slices.DeleteFunc(c.device.objects, func(o gpu.Object) bool {
		s, ok := c.symbols[o.Name]
		return ok && s.ok && s.addr == o.Addr
	})
}

// notReady is the driver's number for a kernel that still runs.
const notReady = 600

// Time that the shim waits for a kernel before it reports that it still runs: less if a detector polls what the kernel
// writes.
const (
	longWait  = 50 * time.Millisecond
	shortWait = 100 * time.Microsecond
)

// Run implements gpu.Code. It performs the launch that the application has requested, whose arguments the shim has,
// with the dynamic shared memory that the detector needs.
func (c *code) Run(ctx context.Context, l gpu.Launch, poll func() error) error {
	d := c.device
	pause := longWait
	if poll != nil {
		pause = shortWait
	}
	_, err := d.line.do(commandRun, []uint64{uint64(l.Shared)}, nil)
	d.ran = true
	for {
		var said *driverError
		switch {
		case err == nil:
			d.outcome = 0
			return nil
		case ctx.Err() != nil: // the application may have been ended
			return ctx.Err()
		case !errors.As(err, &said):
			return err
		case said.code != notReady:
			d.outcome = said.code
			if f := gpu.FaultOf(said.code, said.text); f != nil {
				return f
			}
			return err
		}
		if poll != nil {
			if err = poll(); err != nil {
				return err
			}
		}
		_, err = d.line.do(commandWait, []uint64{uint64(pause.Microseconds())}, nil)
	}
}
