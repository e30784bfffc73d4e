// The device runtime: launches of grids, parameter buffers, streams and events.

package exec

import (
	"fmt"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/cudart"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// RequiredBlock returns the block extent that a kernel requires, zeros if it requires none (PTX ISA, ".reqntid").
func RequiredBlock(f *rewrite.Func) state.Dim3 { return barriers.Required(f, ".reqntid") }

// InClusters reports whether launch configurations of a kernel count clusters instead of blocks (PTX ISA,
// ".blocksareclusters").
func InClusters(f *rewrite.Func) bool {
	return slices.ContainsFunc(f.AST.Perf, func(p ptxgrammar.Perf) bool { return p.Name == ".blocksareclusters" })
}

// InBlocks converts a launch configuration to a grid that counts blocks. The configuration of a kernel with
// .blocksareclusters counts clusters: its grid is multiplied by the cluster's extents. When its block, or that of a
// kernel of Tile IR, is one thread, the result has the block of the kernel's .reqntid (CUDA programming guide,
// "__block_size__"; Tile IR, "Launching").
func InBlocks(f *rewrite.Func, grid, block state.Dim3) (state.Dim3, state.Dim3, error) {
	clusters := InClusters(f)
	if required := RequiredBlock(f); required.X != 0 && block == (state.Dim3{X: 1, Y: 1, Z: 1}) &&
		(clusters || f.TileIR()) {
		block = required
	}
	if !clusters {
		return grid, block, nil
	}
	c := grids.RequiredCluster(f)
	for _, n := range [][2]uint32{{grid.X, c.X}, {grid.Y, c.Y}, {grid.Z, c.Z}} {
		if uint64(n[0])*uint64(n[1]) > math.MaxUint32 {
			return grid, block, fmt.Errorf("grid %v of clusters %v has more than %d blocks in one dimension", grid, c,
				uint32(math.MaxUint32))
		}
	}
	return grid.Times(c), block, nil
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

// Reset clears the state of one launch by the host.
func Reset(d *state.DeviceState, m *state.Machine) {
	for _, a := range d.Arenas {
		if !a.Freed() && m.Dev.Mem.Free(a.Base) != nil {
			panic("BUG: emu: a parameter buffer that cannot be freed")
		}
	}
	d.Arenas, d.Used, d.Pending = nil, 0, nil
}

// buffer allocates memory for parameters; it returns 0 when there is none left. Buffers are not reused in the launch:
// unrelated threads could otherwise access the same buffer.
func buffer(d *state.DeviceState, m *state.Machine, size uint64) uint64 {
	size = (max(size, 1) + parameterAlign - 1) &^ (parameterAlign - 1)
	if len(d.Arenas) == 0 || d.Used+size > arenaSize {
		a, err := m.Dev.Mem.Alloc("launch parameters", arenaSize, false)
		if err != nil {
			return 0
		}
		d.Arenas, d.Used = append(d.Arenas, a), 0
	}
	addr := d.Arenas[len(d.Arenas)-1].Base + d.Used
	d.Used += size
	return addr
}

// kernelAt returns the kernel with the address addr, nil if there is none.
func kernelAt(m *state.Machine, addr uint64) *state.Function {
	if fn := m.ByAddress[addr]; fn != nil && fn.Src.Entry {
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
	addr := buffer(&r.x.M.DeviceRuntime, r.x.M, size)
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
	size := r.x.M.BySource[r.x.M.Src.Func(lc.Kernel)].FormalBytes
	addr := r.newBuffer(size)
	d := &r.x.M.DeviceRuntime
	if d.Pending == nil {
		d.Pending = map[uint64]state.LaunchConfig{}
	}
	if len(d.Pending) == maxBuffers {
		r.fail(cudart.MemoryAllocation)
		return 0
	}
	d.Pending[addr] = lc
	return addr
}

// launchOf checks the arguments of a launch, except the parameters.
func (r *runtimeCall) launchOf(kernel uint64, grid, block state.Dim3,
	shared uint64,
) (state.LaunchConfig, cudart.Error) {
	fn := kernelAt(r.x.M, kernel)
	if fn == nil {
		return state.LaunchConfig{}, cudart.InvalidDeviceFunction
	}
	grid, block, err := InBlocks(fn.Src, grid, block)
	lc := state.LaunchConfig{Kernel: fn.Src.Name, Grid: grid, Block: block, Shared: uint64(uint32(shared))}
	if err != nil || grids.CheckShape(&lc) != nil {
		return lc, cudart.InvalidConfiguration
	}
	static := grids.SharedLayout(r.x.M, fn).Static
	switch {
	case lc.Shared > barriers.MaxShared || static+lc.Shared > barriers.MaxShared:
		return lc, cudart.InvalidValue
	case grids.CheckPerf(fn.Src, &lc) != nil:
		return lc, cudart.LaunchOutOfResources
	case r.x.L.Grids.Depth >= faults.MaxNesting:
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
	d, addr := &r.x.M.DeviceRuntime, r.arg(0)
	lc, ok := d.Pending[addr]
	if !ok {
		return cudart.InvalidValue
	}
	delete(d.Pending, addr)
	return r.launch(lc, addr, r.arg(1))
}

// launch adds a grid with the parameters at addr to a stream.
func (r *runtimeCall) launch(lc state.LaunchConfig, addr, stream uint64) cudart.Error {
	x := r.x
	if stream >= firstGraphQueue {
		return cudart.NotSupported
	}
	size := x.M.BySource[x.M.Src.Func(lc.Kernel)].FormalBytes
	lc.Params = make([]byte, size)
	if size > 0 && x.M.Dev.Mem.Read(addr, lc.Params) != nil {
		return cudart.InvalidValue
	}
	l, err := grids.Prepare(x.M, &lc)
	if err != nil {
		return cudart.InvalidConfiguration
	}
	x.M.DeviceRuntime.Grids++
	l.Number = x.M.DeviceRuntime.Grids
	w := &state.WorkItem{Launch: l, Block: x.CTA.Linear}
	events.EmitLaunch(x, r.in, r.lane, l, stream)
	grids.Enqueue(x, w, stream == streamTail)
	return cudart.Success
}

// deviceSynchronize implements cudaDeviceSynchronize: it runs the grids that the block has launched.
func deviceSynchronize(r *runtimeCall) cudart.Error {
	grids.RunOf(r.x, r.x.CTA.Linear)
	events.EmitJoin(r.x, r.in, r.lane)
	return cudart.Success
}

// newHandle creates a stream or an event.
func newHandle(r *runtimeCall) cudart.Error {
	r.x.M.DeviceRuntime.Handles++
	return r.put(firstHandle+r.x.M.DeviceRuntime.Handles, 8)
}

func runtimeMalloc(r *runtimeCall) cudart.Error {
	a, err := r.x.M.Dev.Mem.Alloc("cudaMalloc", r.arg(1), false)
	if err != nil {
		return cudart.MemoryAllocation
	}
	grids.Track(r.x.M.Dev, a)
	events.EmitMemory(r.x, abi.EventAlloc, r.in, r.lane, a.Base, a.Size)
	return r.put(a.Base, 8)
}

func runtimeFree(r *runtimeCall) cudart.Error {
	addr := r.arg(0)
	if addr == 0 {
		return cudart.Success
	}
	events.EmitFree(r.x, r.in, r.lane, addr)
	if r.x.M.Dev.Mem.Free(addr) != nil {
		return cudart.InvalidDevicePointer
	}
	return cudart.Success
}

// memcpyAsync implements cudaMemcpyAsync(to, from, bytes, kind, stream) within device memory.
func memcpyAsync(r *runtimeCall) cudart.Error {
	addr, size := r.arg(1), r.arg(2)
	from, err := r.x.M.Dev.Mem.At(addr, size)
	if err != nil {
		return cudart.InvalidValue
	}
	mem, dst := r.x.M.Dev.Mem, r.arg(0)
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
	mem, addr, size := r.x.M.Dev.Mem, r.arg(0), r.arg(2)
	a, bad := mem.Check(addr, size)
	if bad != nil {
		return cudart.InvalidValue
	}
	off := addr - a.Base
	grids.Enqueue(r.x, &state.WorkItem{Block: r.x.CTA.Linear, Copy: func() {
		if !a.Freed() {
			a.Shadow.Set(off, size)
			change(a.Data[off : off+size])
		}
	}}, stream == streamTail)
	return cudart.Success
}
