// Device runtime: kernel launches, memory, copies and streams in device code.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/cudart"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Launches in device code use two functions, to which compilers translate kernel<<<...>>>(...) (CUDA C++ Programming
// Guide, "Device-side Launch from PTX"): one returns a buffer for the parameters, the other launches.

// deviceState is the state of the device runtime during a launch by the host.
type deviceState struct {
	arenas  []*gmem.Allocation // of parameter buffers
	used    uint64             // used bytes of the last arena
	pending map[uint64]LaunchConfig
	grids   uint64 // number of grids launched by device code
	handles uint64 // number of streams and events made
	texts   map[string]uint64
}

const (
	arenaSize       = 1 << 20
	parameterAlign  = 64      // of the parameter buffer
	maxParameters   = 4 << 10 // bytes of the parameters of a kernel
	maxBuffers      = 1 << 20 // maximum number of parameter buffers whose launch has not followed
	firstHandle     = 1 << 32 // streams and events are numbered from here
	streamTail      = 3       // cudaStreamTailLaunch
	firstGraphQueue = 1 << 56 // streams of graphs that run on the device
)

// reset clears the state of one launch by the host.
func (d *deviceState) reset(m *machine) {
	for _, a := range d.arenas {
		if !a.Freed() && m.dev.mem.Free(a.Base) != nil {
			panic("BUG: emu: a parameter buffer that cannot be freed")
		}
	}
	d.arenas, d.used, d.pending = nil, 0, nil
}

// buffer allocates memory for parameters; it returns 0 when there is none left. Buffers are not reused in the launch:
// unrelated threads could otherwise access the same buffer.
func (d *deviceState) buffer(m *machine, size uint64) uint64 {
	size = (max(size, 1) + parameterAlign - 1) &^ (parameterAlign - 1)
	if len(d.arenas) == 0 || d.used+size > arenaSize {
		a, err := m.dev.mem.Alloc("launch parameters", arenaSize, false)
		if err != nil {
			return 0
		}
		d.arenas, d.used = append(d.arenas, a), 0
	}
	addr := d.arenas[len(d.arenas)-1].Base + d.used
	d.used += size
	return addr
}

// kernelAt returns the kernel with the address addr, nil if there is none.
func (m *machine) kernelAt(addr uint64) *function {
	if fn := m.byAddress[addr]; fn != nil && fn.src.Entry {
		return fn
	}
	return nil
}

// getParameterBuffer implements cudaGetParameterBuffer(alignment, size).
func getParameterBuffer(r *runtimeCall) uint64 {
	align, size := r.arg(0), r.arg(1)
	if align > parameterAlign || size > maxParameters {
		r.fail(cudart.InvalidValue)
		return 0
	}
	return r.newBuffer(size)
}

// newBuffer returns a buffer for parameters.
func (r *runtimeCall) newBuffer(size uint64) uint64 {
	addr := r.x.m.deviceRuntime.buffer(r.x.m, size)
	if addr == 0 {
		r.fail(cudart.MemoryAllocation)
	}
	return addr
}

// getParameterBufferV2 implements cudaGetParameterBufferV2(function, grid, block, shared). For an invalid launch the
// buffer is null.
func getParameterBufferV2(r *runtimeCall) uint64 {
	lc, e := r.launchOf(r.arg(0), r.dim(1), r.dim(2), r.arg(3))
	if e != cudart.Success {
		r.fail(e)
		return 0
	}
	size := r.x.m.bySource[r.x.m.src.Func(lc.Kernel)].formalBytes
	addr := r.newBuffer(size)
	d := &r.x.m.deviceRuntime
	if d.pending == nil {
		d.pending = map[uint64]LaunchConfig{}
	}
	if len(d.pending) == maxBuffers {
		r.fail(cudart.MemoryAllocation)
		return 0
	}
	d.pending[addr] = lc
	return addr
}

// launchOf checks the arguments of a launch, except the parameters.
func (r *runtimeCall) launchOf(kernel uint64, grid, block Dim3, shared uint64) (LaunchConfig, cudart.Error) {
	fn := r.x.m.kernelAt(kernel)
	if fn == nil {
		return LaunchConfig{}, cudart.InvalidDeviceFunction
	}
	grid, block, err := InBlocks(fn.src, grid, block)
	lc := LaunchConfig{Kernel: fn.src.Name, Grid: grid, Block: block, Shared: uint64(uint32(shared))}
	if err != nil || lc.checkShape() != nil {
		return lc, cudart.InvalidConfiguration
	}
	static := r.x.m.sharedLayout(fn).static
	switch {
	case lc.Shared > maxShared || static+lc.Shared > maxShared:
		return lc, cudart.InvalidValue
	case checkPerf(fn.src, &lc) != nil:
		return lc, cudart.LaunchOutOfResources
	case r.x.l.grids.depth >= MaxNesting:
		return lc, cudart.LaunchMaxDepthExceeded
	}
	return lc, cudart.Success
}

// launchDevice implements cudaLaunchDevice(function, buffer, grid, block, shared, stream).
func launchDevice(r *runtimeCall) cudart.Error {
	lc, e := r.launchOf(r.arg(0), r.dim(2), r.dim(3), r.arg(4))
	if e != cudart.Success {
		return e
	}
	return r.launch(lc, r.arg(1), r.arg(5))
}

// launchDeviceV2 implements cudaLaunchDeviceV2(buffer, stream).
func launchDeviceV2(r *runtimeCall) cudart.Error {
	d, addr := &r.x.m.deviceRuntime, r.arg(0)
	lc, ok := d.pending[addr]
	if !ok {
		return cudart.InvalidValue
	}
	delete(d.pending, addr)
	return r.launch(lc, addr, r.arg(1))
}

// launch adds a grid with the parameters at addr to a stream.
func (r *runtimeCall) launch(lc LaunchConfig, addr, stream uint64) cudart.Error {
	x := r.x
	if stream >= firstGraphQueue {
		return cudart.NotSupported
	}
	size := x.m.bySource[x.m.src.Func(lc.Kernel)].formalBytes
	lc.Params = make([]byte, size)
	if size > 0 && x.m.dev.mem.Read(addr, lc.Params) != nil {
		return cudart.InvalidValue
	}
	l, err := x.m.prepare(&lc)
	if err != nil {
		return cudart.InvalidConfiguration
	}
	x.m.deviceRuntime.grids++
	l.number = x.m.deviceRuntime.grids
	w := &workItem{launch: l, block: x.cta.linear}
	x.emitLaunch(r.in, r.lane, l, stream)
	x.enqueue(w, stream == streamTail)
	return cudart.Success
}

// deviceSynchronize implements cudaDeviceSynchronize: it runs the grids that the block has launched.
func deviceSynchronize(r *runtimeCall) cudart.Error {
	r.x.runOf(r.x.cta.linear)
	r.x.emitJoin(r.in, r.lane)
	return cudart.Success
}

// newHandle creates a stream or an event.
func newHandle(r *runtimeCall) cudart.Error {
	r.x.m.deviceRuntime.handles++
	return r.put(firstHandle+r.x.m.deviceRuntime.handles, 8)
}

func runtimeMalloc(r *runtimeCall) cudart.Error {
	a, err := r.x.m.dev.mem.Alloc("cudaMalloc", r.arg(1), false)
	if err != nil {
		return cudart.MemoryAllocation
	}
	r.x.m.dev.track(a)
	r.x.emitMemory(abi.EventAlloc, r.in, r.lane, a.Base, a.Size)
	return r.put(a.Base, 8)
}

func runtimeFree(r *runtimeCall) cudart.Error {
	addr := r.arg(0)
	if addr == 0 {
		return cudart.Success
	}
	r.x.emitFree(r.in, r.lane, addr)
	if r.x.m.dev.mem.Free(addr) != nil {
		return cudart.InvalidDevicePointer
	}
	return cudart.Success
}

// memcpyAsync implements cudaMemcpyAsync(to, from, bytes, kind, stream) within device memory.
func memcpyAsync(r *runtimeCall) cudart.Error {
	addr, size := r.arg(1), r.arg(2)
	from, err := r.x.m.dev.mem.At(addr, size)
	if err != nil {
		return cudart.InvalidValue
	}
	mem, dst := r.x.m.dev.mem, r.arg(0)
	return r.transfer(r.arg(4), func(to []byte) {
		copy(to, slices.Clone(from))
		mem.CopyState(dst, addr, size)
	})
}

// memsetAsync implements cudaMemsetAsync(to, value, bytes, stream).
func memsetAsync(r *runtimeCall) cudart.Error {
	value := byte(r.arg(1))
	return r.transfer(r.arg(3), func(to []byte) {
		for i := range to {
			to[i] = value
		}
	})
}

// transfer adds to a stream a change of the memory that the first argument points to; the third argument is its size.
func (r *runtimeCall) transfer(stream uint64, change func(to []byte)) cudart.Error {
	mem, addr, size := r.x.m.dev.mem, r.arg(0), r.arg(2)
	a, bad := mem.Check(addr, size)
	if bad != nil {
		return cudart.InvalidValue
	}
	off := addr - a.Base
	r.x.enqueue(&workItem{block: r.x.cta.linear, copy: func() {
		if !a.Freed() {
			a.Shadow.Set(off, size)
			change(a.Data[off : off+size])
		}
	}}, stream == streamTail)
	return cudart.Success
}
