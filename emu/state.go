package emu

import "unsafe"

// State is what the emulator keeps for threads beside device memory: register files,
// local memory, shared memory, what threads wait for, and grids that kernels have
// launched. Limits.ThreadState bounds it, for a launch by the host and all grids below it
// together. It bounds what is allocated: tables that were outgrown are used again by others,
// and count meanwhile. What lives shortly is not counted, and the garbage collector of Go
// may hold as much of that as there is state.

// claim counts n bytes of state. It reports false, after a fault, when there are too many.
func (x *exec) claim(n uint64, what string) bool {
	limit := x.m.cfg.Limits.ThreadState
	if sum := x.l.state + n; sum >= n && sum <= limit {
		x.l.state = sum
		return true
	}
	if x.fault == nil {
		x.raiseHere("unsupported", "resident threads need more than %d bytes of %s and other state; limit how many blocks are resident, or how many grids are launched", limit, what)
	}
	return false
}

// unclaim gives back n bytes that were claimed.
func (x *exec) unclaim(n uint64) { x.l.state -= n }

// blockState is the bytes of a block, without register files and local memory.
func (x *exec) blockState() uint64 {
	l := x.l
	n := uint64(unsafe.Sizeof(cta{})) + l.sharedSize
	if x.m.cfg.Uninitialised {
		n += l.sharedSize / 8
	}
	warps := (l.block.count() + warpSize - 1) / warpSize
	return n + warps*uint64(unsafe.Sizeof(warp{})+uintptr(len(x.m.functions))*unsafe.Sizeof((*frame)(nil)))
}

// stateOf is the bytes of an item that waits.
func (w *workItem) state() uint64 {
	n := uint64(unsafe.Sizeof(workItem{}))
	if l := w.launch; l != nil {
		n += uint64(unsafe.Sizeof(launch{})) + uint64(len(l.params)) + uint64(len(l.shared))*uint64(2*unsafe.Sizeof(uintptr(0)))
	}
	return n
}
